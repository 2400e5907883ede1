"""Local servers in place of Discord and Gemini, for the demo, the terminal and the tests.

The bot that runs against them is the real one, through the real discord.py and the real
google-genai over real sockets; only what answers at the other end is ours.
"""

from urmom_bot.stand_ins.discord import TOKEN, DiscordStandIn
from urmom_bot.stand_ins.gemini import Asked, Fault, GeminiStandIn, UseTool
from urmom_bot.stand_ins.model import extractive
from urmom_bot.stand_ins.online import online
from urmom_bot.stand_ins.world import Channel, Guild, Sent, User, World
from urmom_bot.stand_ins.written import written

__all__ = [
    "TOKEN",
    "Asked",
    "Channel",
    "DiscordStandIn",
    "Fault",
    "GeminiStandIn",
    "Guild",
    "Sent",
    "UseTool",
    "User",
    "World",
    "extractive",
    "online",
    "written",
]
