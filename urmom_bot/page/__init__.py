"""Members' pages in a browser, served by the bot's own process: the same views and actions as the panels in Discord."""

from urmom_bot.page.serving import serving
from urmom_bot.page.signing_in import DiscordSignIn
from urmom_bot.page.site import Site

__all__ = ["DiscordSignIn", "Site", "serving"]
