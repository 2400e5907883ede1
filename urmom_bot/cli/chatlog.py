"""A conversation drawn as a chat: in a terminal, and as a picture."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from zlib import crc32

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.text import Text

BOT = "urmom-bot"

NAME_COLOURS = ("#f47fff", "#faa61a", "#43b581", "#00aff4", "#f04747", "#9b84ec", "#1abc9c", "#e67e22")
BOT_COLOUR = "#00a8a8"
BUTTON_COLOURS = {1: "#5865f2", 2: "#4e5058", 3: "#248046", 4: "#da373c"}
"""By Discord's styles of buttons."""

PANEL_WIDTH = 78
"""Columns of a message in a terminal, where there are as many."""

QUOTED = 60
"""Characters of a message that are shown above the answer to it."""


@dataclass(frozen=True, kw_only=True)
class ChatLine:
    """A message as it is shown, or something that happens."""

    who: str
    """Its author; empty for what happens."""
    text: Text
    at: datetime
    channel: str
    quoted: str = ""
    """The beginning of the message that it replies to, with its author."""
    buttons: tuple[tuple[str, int], ...] = ()
    """Labels, with Discord's number of their style."""
    note: str = ""
    """What it cost, below it."""

    @property
    def is_bot(self) -> bool:
        """Whether the bot wrote it."""
        return self.who == BOT


def quote(who: str, text: str) -> str:
    """The beginning of a message, with its author."""
    text = " ".join(text.split())
    return f"{who}: {text if len(text) <= QUOTED else text[: QUOTED - 1].rstrip() + '…'}"


def colour(who: str) -> str:
    """A person's colour: the same each time."""
    return NAME_COLOURS[crc32(who.encode()) % len(NAME_COLOURS)]


# In a terminal


def drawn(line: ChatLine, before: str = "") -> RenderableType:
    """A message for a terminal: the bot's in a frame, with its buttons.

    `before` is the quote of the message above: an answer to that need not repeat it.
    """
    if not line.who:
        return Text(f"  {line.text.plain}", "yellow")
    head = Text.assemble((line.who, f"bold {colour(line.who)}"), (f"  #{line.channel}  {line.at:%H:%M}", "dim"))
    above = [Text(f"  ╭ {line.quoted}", "dim")] if line.quoted not in ("", before) else []
    if not line.is_bot:
        return Group(*above, head, Padding(line.text, (0, 0, 0, 2)))
    inside: list[RenderableType] = [line.text]
    if line.buttons:
        keys = [Text(f" {label} ", f"bold white on {BUTTON_COLOURS[style]}") for label, style in line.buttons]
        inside += ["", Text("  ").join(keys)]
    frame = Panel(
        Group(*inside),
        title=Text.assemble((f" {line.who} ", "bold cyan"), ("APP ", "dim")),
        title_align="left",
        subtitle=Text(f" {line.note} ", "dim") if line.note else None,
        subtitle_align="right",
        border_style="cyan",
        width=PANEL_WIDTH,
    )
    return Group(*above, frame)


# As a picture

WIDTH, MARGIN, TEXT_X = 760, 20, 72
LINE, FONT = 22, 15
CHARACTER = 8.1
"""How wide a letter is taken to be; a picture cannot measure its reader's font."""

PAUSE, READING = 0.8, 0.03
"""Seconds until the next message appears: at least, and for each character of the one before."""

_FONTS = "'gg sans','Noto Sans','Segoe UI','Helvetica Neue',Helvetica,Arial,sans-serif"

_STYLE = (
    "<style>@media (prefers-reduced-motion:no-preference){g{animation:appear .4s ease-out backwards}}"
    "@keyframes appear{from{opacity:0;transform:translateY(10px)}}</style>"
)
"""Whoever asked for no motion, and whatever cannot animate, shows all messages at once."""


def picture(lines: Sequence[ChatLine], title: str) -> str:
    """Messages as an SVG in which they appear one after the other. It loads nothing from anywhere."""
    y, seconds, parts = float(MARGIN), 0.0, list[str]()
    for line in lines:
        height, drawing = _message(line, y)
        parts += [f'<g style="animation-delay:{seconds:.1f}s">', *drawing, "</g>"]
        y += height + 16
        seconds += PAUSE + READING * len(line.text.plain)
    height = int(y - 16 + MARGIN)
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" role="img"'
            f' font-family="{_FONTS}" font-size="{FONT}">',
            f"<title>{escape(title)}</title>",
            _STYLE,
            f'<rect width="{WIDTH}" height="{height}" rx="10" fill="#313338"/>',
            *parts,
            "</svg>\n",
        )
    )


def _message(line: ChatLine, y: float) -> tuple[float, list[str]]:
    """One message from `y` down: how high it is, and its drawing."""
    parts, top = list[str](), y
    if not line.who:
        return LINE, [_words(TEXT_X, y + 14, line.text.plain, "#949ba4", size=14)]
    if line.quoted:
        parts.append(f'<path d="M46 {y + 18} v-6 q0 -6 6 -6 h16" fill="none" stroke="#4e5058" stroke-width="2"/>')
        parts.append(_words(TEXT_X, y + 11, line.quoted, "#b5bac1", size=13))
        y += LINE
    fill = BOT_COLOUR if line.is_bot else colour(line.who)
    parts.append(f'<circle cx="42" cy="{y + 18}" r="18" fill="{fill}"/>')
    parts.append(_words(42, y + 24, line.who[0].upper(), "#fff", weight=600, centred=True))
    parts.append(_words(TEXT_X, y + 14, line.who, fill, weight=600))
    x = TEXT_X + len(line.who) * 9.6 + 8
    if line.is_bot:
        parts.append(_box(x, y + 2, 34, 15, 3, BUTTON_COLOURS[1]))
        parts.append(_words(x + 17, y + 13.5, "APP", "#fff", size=11, weight=600, centred=True))
        x += 42
    parts.append(_words(x, y + 14, f"#{line.channel} · {line.at:%H:%M}", "#949ba4", size=12))
    y += 36
    for row in _rows(line.text):
        spans = "".join(_span(*piece) for piece in row)
        parts.append(f'<text x="{TEXT_X}" y="{y:g}" xml:space="preserve">{spans}</text>')
        y += LINE
    if line.buttons:
        x, y = float(TEXT_X), y - 6
        for label, style in line.buttons:
            width = round(len(label) * CHARACTER + 28)
            parts.append(_box(x, y, width, 32, 8, BUTTON_COLOURS[style]))
            parts.append(_words(x + width / 2, y + 21, label, "#fff", size=14, weight=500, centred=True))
            x += width + 8
        y += 32 + LINE - 6
    return y - LINE + 6 - top, parts


def _box(x: float, y: float, width: float, height: float, corner: float, fill: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{corner:g}" fill="{fill}"/>'


def _words(
    x: float, y: float, text: str, fill: str, *, size: int = FONT, weight: int = 400, centred: bool = False
) -> str:
    anchor = ' text-anchor="middle"' if centred else ""
    look = f'font-size="{size}" font-weight="{weight}" fill="{fill}"{anchor}'
    return f'<text x="{x:g}" y="{y:g}" {look}>{escape(text)}</text>'


def _span(text: str, style: str) -> str:
    weight, fill = 700 if "bold" in style else 400, "#949ba4" if "dim" in style else "#dbdee1"
    return f'<tspan font-weight="{weight}" fill="{fill}">{escape(text)}</tspan>'


def _rows(text: Text) -> Iterator[list[tuple[str, str]]]:
    """The rows of a text, each in pieces of one style."""
    columns = int((WIDTH - TEXT_X - MARGIN) / CHARACTER)
    console = Console(width=columns, color_system=None)
    for row in text.wrap(console, columns):
        pieces = [(segment.text, str(segment.style or "")) for segment in row.render(console)]
        yield [(re.sub(r"\n$", "", words), style) for words, style in pieces]
