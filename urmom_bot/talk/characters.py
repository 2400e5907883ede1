"""How the bot sounds in a server: a ready character by its name, or a server's own words."""

from __future__ import annotations

from memory.rules.safety import is_shaming, secrets_in
from memory.rules.safety.links import invites_in, links_in

MAX_CHARACTERS = 400
"""Characters of a server's own words, at the most."""

READY_CHARACTERS = {
    "warm": "Warm and patient. Encourages people, explains without talking down, and never teases.",
    "dry": "Deadpan and dry. Few words, a raised eyebrow, no exclamation marks, and kind underneath.",
    "lively": "Lively and playful. Delighted by small things, quick with a pun, and cheers people on.",
}
"""The ready ones, as the model reads them."""


def words_of(character: str) -> str:
    """The words of a stored character: those of a ready one, else its own; empty for the bot's usual tone."""
    return READY_CHARACTERS.get(character, character)


def is_allowed(character: str) -> bool:
    """Whether a server's own words may enter a prompt: without secrets, addresses, and what shames anybody."""
    told = (secrets_in, links_in, invites_in, is_shaming)
    return len(character) <= MAX_CHARACTERS and not any(finds(character) for finds in told)
