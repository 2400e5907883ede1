"""Saying things in Discord: in parts, without pinging anyone, and never silently failing."""

from __future__ import annotations

import io
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import discord

from memory import DatabaseUnavailable
from urmom_bot.talk import Words, split

log = logging.getLogger(__name__)

NOBODY = discord.AllowedMentions.none()

MOST_PARTS = 3
"""Messages of one answer; what is longer becomes a file."""


@asynccontextmanager
async def typing(channel: discord.abc.Messageable) -> AsyncIterator[None]:
    """The typing indicator, as a courtesy: an answer does not fail for it."""
    indicator = channel.typing()
    shown = False
    with suppress(discord.HTTPException):
        await indicator.__aenter__()
        shown = True
    try:
        yield
    finally:
        if shown:
            await indicator.__aexit__(None, None, None)


def as_file(text: str) -> discord.File:
    """A long answer as a file."""
    return discord.File(io.BytesIO(text.encode()), filename="answer.md")


async def answer(message: discord.Message, text: str, words: Words) -> int:
    """Answer a message with a native reply; returns the id of the first message sent.

    The nonce makes sending the same answer twice impossible.
    """
    parts = split(text)
    if len(parts) > MOST_PARTS:
        sent = await message.channel.send(
            words("attached"),
            file=as_file(text),
            reference=message.to_reference(fail_if_not_exists=False),
            allowed_mentions=NOBODY,
            nonce=f"{message.id}-0",
        )
        return sent.id
    first = 0
    for n, part in enumerate(parts):
        sent = await message.channel.send(
            part,
            reference=message.to_reference(fail_if_not_exists=False) if n == 0 else None,  # type: ignore[arg-type]
            allowed_mentions=NOBODY,
            suppress_embeds=True,
            nonce=f"{message.id}-{n}",
        )
        first = first or sent.id
    return first


async def respond(interaction: discord.Interaction, text: str, *, ephemeral: bool) -> None:
    """Answer a deferred interaction."""
    parts = split(text)
    if len(parts) > MOST_PARTS:
        await interaction.followup.send(file=as_file(text), ephemeral=ephemeral, allowed_mentions=NOBODY)
        return
    for part in parts:
        await interaction.followup.send(part, ephemeral=ephemeral, allowed_mentions=NOBODY, suppress_embeds=True)


def trouble(failed: BaseException, words: Words) -> str:
    """A short honest answer to what went wrong, with a code that is in the log beside it."""
    code = secrets.token_hex(3)
    if isinstance(failed, DatabaseUnavailable):
        log.error("[%s] %s", code, failed)
        return words("database_away", code=code)
    log.error("[%s] %s", code, type(failed).__name__, exc_info=failed)
    return words("error", code=code)
