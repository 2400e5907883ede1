"""What to do with a message that is addressed to the bot. Knows people, words and memory; no Discord."""

from urmom_bot.talk.grammar import addressed
from urmom_bot.talk.guessing import guess_language, surely
from urmom_bot.talk.jokes import Jester
from urmom_bot.talk.likeness import learn
from urmom_bot.talk.requests import Quoted, Reply, Request
from urmom_bot.talk.router import BotInfo, Health, Router
from urmom_bot.talk.splitting import split
from urmom_bot.talk.texts import Texts, language_of

__all__ = [
    "BotInfo",
    "Health",
    "Jester",
    "Quoted",
    "Reply",
    "Request",
    "Router",
    "Texts",
    "addressed",
    "guess_language",
    "language_of",
    "learn",
    "split",
    "surely",
]
