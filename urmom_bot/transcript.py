"""What a message says, as text: its words, and a short line for whatever else it carries. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memory.rules.text import clean, fit, one_line

MAX_MESSAGE_CHARACTERS = 4_000
"""Characters of one message that are stored: Discord's own limit for people."""


_SMALL_PRINT = re.compile(r"^-# .*\n?", re.MULTILINE)
_OWN_EMOJI = re.compile(r"<a?:(\w{1,32}):\d{1,20}>")


def transcript(text: str, extras: Iterable[tuple[str, str]] = ()) -> str:
    """`text` and a line for each (kind, name): never an address, which would expire.

    A server's own emoji is read as its name (":blobcat:").
    """
    lines = [_OWN_EMOJI.sub(r":\1:", clean(text)).strip()[:MAX_MESSAGE_CHARACTERS]]
    lines += [f"[{kind}: {fit(name, 300)}]" if name.strip() else f"[{kind}]" for kind, name in extras]
    return "\n".join(line for line in lines if line)


def without_small_print(text: str) -> str:
    """One of the bot's own messages without its links to sources and its hints: nobody goes on from them."""
    return _SMALL_PRINT.sub("", text).strip()


def kind_of(content_type: str | None, name: str) -> str:
    """What a file is, by its content type or its name."""
    major = (content_type or "").split("/")[0]
    if major in ("image", "video", "audio"):
        return major
    ending = name.rsplit(".", 1)[-1].lower()
    for kind, endings in (
        ("image", ("png", "jpg", "jpeg", "gif", "webp", "heic", "avif")),
        ("video", ("mp4", "mov", "webm", "mkv")),
        ("audio", ("mp3", "ogg", "wav", "m4a", "flac")),
    ):
        if ending in endings:
            return kind
    return "file"


def embed_text(title: str | None, description: str | None) -> str:
    """What an embed says."""
    return one_line(" — ".join(part for part in (title, description) if part))
