"""Long texts in messages that Discord takes, with code fences kept whole. Pure."""

from __future__ import annotations

import re

LIMIT = 2_000
"""Characters of one message (Discord)."""

_FENCE = re.compile(r"^\s*(```+|~~~+)([\w+-]{0,20})", re.MULTILINE)


_MARK = re.compile(r"-#|#{1,3}\s|>|[-*+]\s|\d{1,9}[.)]\s")
"""What a line must begin with to be small print, a heading, a quotation or a point of a list."""


def split(text: str, limit: int = LIMIT) -> list[str]:
    """`text` in parts of at most `limit` characters, cut at paragraphs, lines or words.

    A fence that must be cut is closed at the end of a part and opened again in the next.
    """
    rest, parts, opened = text.strip(), [], ""
    while rest:
        head = f"{opened}\n" if opened else ""
        room = limit - len(head)
        if len(rest) <= room:
            parts.append(head + rest)
            break
        cut = _cut(rest, room - 4)  # a closing fence may have to follow
        piece, rest = rest[:cut], rest[cut:]
        is_line = rest.startswith("\n")
        rest = rest.lstrip("\n") if is_line else rest.lstrip(" ")
        if not is_line and _MARK.match(rest):  # it was in the middle of a line, and begins one now
            rest = f"\\{rest}"
        opened = _open_fence(head + piece)
        parts.append(f"{head}{piece.rstrip()}\n```" if opened else head + piece.rstrip())
    return [part for part in parts if part.strip()]


def _cut(text: str, room: int) -> int:
    for mark in ("\n\n", "\n", ". ", " "):
        at = text.rfind(mark, room // 3, room)
        if at != -1:
            return at + (1 if mark == ". " else 0)
    return max(1, room)


def _open_fence(text: str) -> str:
    opened = ""
    for fence in _FENCE.finditer(text):
        opened = "" if opened else f"{fence[1][:3]}{fence[2]}"
    return opened.replace("~~~", "```")
