"""Saying things in Discord: in parts, without pinging anyone, and never silently failing."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import aiohttp
import discord

from memory.ids import MessageId
from urmom_bot.markup import Markup
from urmom_bot.talk import Texts, split

log = logging.getLogger(__name__)

NOBODY = discord.AllowedMentions.none()

NO_HISTORY = 160_002
"""Discord's code for a reply where the bot may not read the history: then it answers without the reference."""

MOST_PARTS = 3
"""Messages of one answer; what is longer becomes a file."""


@asynccontextmanager
async def typing(channel: discord.abc.Messageable) -> AsyncIterator[None]:
    """The typing indicator, as a courtesy: an answer neither waits nor fails for it."""
    indicator = asyncio.create_task(_type(channel), name="typing")
    try:
        yield
    finally:
        indicator.cancel()


async def _type(channel: discord.abc.Messageable) -> None:
    try:
        async with channel.typing():
            await asyncio.Event().wait()
    except (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError) as refused:
        log.info("the typing indicator was not shown (%s)", type(refused).__name__)


def as_file(text: str) -> discord.File:
    """A long answer as a file."""
    return discord.File(io.BytesIO(text.encode()), filename="answer.md")


async def answer(
    message: discord.Message, text: Markup, texts: Texts, *, kind: str = "", view: discord.ui.View | None = None
) -> list[MessageId]:
    """Answer a message with a native reply, and buttons below its end; returns the ids of what was sent.

    The nonce, of which `kind` is a part, makes sending the same answer twice impossible.
    """
    parts = split(text)
    if len(parts) > MOST_PARTS:
        nonce = f"{message.id}{kind}"
        return [await _send(message, nonce, texts("attached"), reply=True, file=as_file(text), view=view)]
    last = len(parts) - 1
    return [
        await _send(message, f"{message.id}{kind}{n}", part, reply=n == 0, view=view if n == last else None)
        for n, part in enumerate(parts)
    ]


async def _send(
    message: discord.Message,
    nonce: str,
    text: str,
    *,
    reply: bool,
    file: discord.File | None = None,
    view: discord.ui.View | None = None,
) -> MessageId:
    options: dict[str, Any] = {"allowed_mentions": NOBODY, "suppress_embeds": file is None, "nonce": nonce[:25]}
    if file is not None:
        options["file"] = file
    if view is not None:
        options["view"] = view
    if reply:
        try:
            reference = message.to_reference(fail_if_not_exists=False)
            return MessageId((await message.channel.send(text, reference=reference, **options)).id)
        except discord.HTTPException as refused:
            if refused.code != NO_HISTORY:
                raise
    return MessageId((await message.channel.send(text, **options)).id)


async def respond(
    interaction: discord.Interaction[Any], text: Markup, *, ephemeral: bool, view: discord.ui.View | None = None
) -> list[MessageId]:
    """Answer a deferred interaction, with buttons below its end; returns the ids of what was sent."""
    parts = split(text)
    send = partial(interaction.followup.send, wait=True, ephemeral=ephemeral, allowed_mentions=NOBODY)
    buttons: dict[str, Any] = {} if view is None else {"view": view}
    if len(parts) > MOST_PARTS:
        return [MessageId((await send(file=as_file(text), **buttons)).id)]
    last = len(parts) - 1
    return [
        MessageId((await send(part, suppress_embeds=True, **(buttons if n == last else {}))).id)
        for n, part in enumerate(parts)
    ]
