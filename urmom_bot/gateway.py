"""Discord's gateway as discord.py reads it, but for what ends the whole bot there."""

from __future__ import annotations

import json
from typing import Any

import discord
from discord.gateway import DiscordWebSocket


class LenientWebSocket(DiscordWebSocket):
    """A connection whose RESUMED may come without data: discord.py ends the bot over it."""

    async def received_message(self, msg: Any, /) -> None:
        """Read a frame, or a part of one."""
        text = self._decompressor.decompress(msg) if isinstance(msg, bytes) else msg
        if text is not None:
            await super().received_message(_with_data(text))


def _with_data(frame: str) -> str:
    if len(frame) > 1_000 or '"RESUMED"' not in frame:
        return frame
    read = json.loads(frame)
    return json.dumps(read | {"d": {}}) if read.get("t") == "RESUMED" and read.get("d") is None else frame


def use() -> None:
    """Have discord.py connect by it: the library has no other place to say so."""
    discord.shard.DiscordWebSocket = LenientWebSocket  # type: ignore[misc]
