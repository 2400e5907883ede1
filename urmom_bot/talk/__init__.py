"""What to do with a message that is addressed to the bot. Knows people, words and memory; no Discord."""

from urmom_bot.panels import Panels
from urmom_bot.panels.page import Button, Choice, Field, Form, Page
from urmom_bot.talk.grammar import addressed
from urmom_bot.talk.jokes import Jester
from urmom_bot.talk.requests import Quoted, Reply, Request
from urmom_bot.talk.splitting import split
from urmom_bot.talk.talker import About, Talker
from urmom_bot.talk.texts import LANGUAGES, Words, guess_language, language_of

__all__ = [
    "LANGUAGES",
    "About",
    "Button",
    "Choice",
    "Field",
    "Form",
    "Jester",
    "Page",
    "Panels",
    "Quoted",
    "Reply",
    "Request",
    "Talker",
    "Words",
    "addressed",
    "guess_language",
    "language_of",
    "split",
]
