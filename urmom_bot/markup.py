"""The one door by which foreign text leaves: names, facts, topics, quotes and captions, disarmed for each face.

The bot's own words are `Markup`, and whatever else is put among them is escaped on the way in, as template engines do:
nothing that anybody wrote is a link with another face, a mention, a heading, or the mark of what code confirms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from rich.markup import escape as escape_rich
from rich.text import Text

from memory.ids import ChannelId, UserId
from memory.rules.content_policy import BY_CODE, without_pins
from memory.rules.safety.links import GONE, INVITE, LINK, address_of
from memory.rules.text import one_line


class Markup(str):
    """Text that Discord may read as it stands. Made here and from the catalogue of texts, nowhere else."""

    __slots__ = ()


PINS = f"{BY_CODE}\N{ROUND PUSHPIN}\N{BLACK PUSHPIN}"
"""What looks like the mark of the bot's confirmations."""

_ACTIVE = re.compile(r"[\\*`\[\]<]|~~|\|\||(?<!\w)_|_(?!\w)|(?<=@)(?=everyone|here)", re.IGNORECASE)
"""What Discord reads as more than a sign: emphasis, code, spoilers, masked links, marks, pings."""

_AT_START = re.compile(r"(?:[#>+-]|\d{1,9}\.(?=\s))")
"""What makes a line that begins with it a heading, a quotation, a list or small print."""


def foreign(text: str) -> Markup:
    """What anybody wrote, as a part of a message: on one line, its signs as signs, its links shown as they are."""
    text = INVITE.sub(GONE, plain(text))
    parts, end = ["\\" if _AT_START.match(text) else ""], 0
    for found in LINK.finditer(text):
        address = address_of(found[0])
        start = found.start() + found[0].index(address)
        parts += [_escaped(text[end:start].removesuffix("<")), f"<{address}>"]
        end = start + len(address)
        end += text.startswith(">", end)
    return Markup("".join((*parts, _escaped(text[end:]))))


def _escaped(text: str) -> str:
    return _ACTIVE.sub(lambda m: f"\\{m[0]}" if m[0] else "\u200b", text)


def plain(text: str) -> str:
    """What anybody wrote where nothing is read as a mark: on a button, in a form's title, in the name of a file."""
    return one_line(without_pins(text))


def terminal(text: str) -> str:
    """What anybody wrote, for a terminal: no control characters, and no marks of the library that prints it."""
    return escape_rich(one_line(text))


def shown(value: object) -> Markup:
    """A value as a part of a message: markup as it is, anything else as foreign text."""
    return value if isinstance(value, Markup) else foreign(str(value))


def line(template: str, *parts: object) -> Markup:
    """A line of the bot's own signs, `{}` where a part goes; a part that is no markup is foreign."""
    return Markup(template.format(*map(shown, parts)))


def joined(parts: Iterable[object], separator: str = "\n") -> Markup:
    """Parts one after the other, a line each unless told otherwise; a part that is no markup is foreign."""
    return Markup(separator.join(map(shown, parts)))


def from_model(answer: str) -> Markup:
    """A model's answer that passed the gate (`memory.rules.content_policy.answer`): its marks are its own to set."""
    return Markup(answer)


def within(text: Markup, limit: int) -> Markup:
    """Markup of at most `limit` characters, cut at its end."""
    return Markup(text[:limit])


def unpinned(text: Markup) -> Markup:
    """Markup without the mark that it begins with."""
    return Markup(text.removeprefix(BY_CODE).lstrip())


def unlisted(text: Markup) -> Markup:
    """Markup without the dot of a line in a list."""
    return Markup(text.removeprefix("• "))


# What Discord shows in place of ids and moments


def person(user_id: UserId) -> Markup:
    """Somebody, by the name they have where it is read."""
    return Markup(f"<@{user_id:d}>")


def channel(channel_id: ChannelId) -> Markup:
    """A channel."""
    return Markup(f"<#{channel_id:d}>")


_PERSON = re.compile(r"<@!?(\d{1,20})>")


def with_people(text: str) -> Markup:
    """What was stored about people: they by the names they have where it is read, the rest as foreign text."""
    parts, end = list[Markup](), 0
    for found in _PERSON.finditer(text):
        parts += [_middle(text[end : found.start()], is_first=not end), person(UserId(int(found[1])))]
        end = found.end()
    return Markup("".join([*parts, _middle(text[end:], is_first=not end)]))


def _middle(text: str, *, is_first: bool) -> Markup:
    """Foreign text between people, with the spaces around it."""
    shown = foreign(text) if is_first or not _AT_START.match(text) else Markup(foreign(text).removeprefix("\\"))
    return Markup(f"{' ' * text.startswith(' ')}{shown}{' ' * (len(text) > 1 and text.endswith(' '))}")


def role(role_id: int) -> Markup:
    """A role."""
    return Markup(f"<@&{role_id:d}>")


def moment(at: datetime, style: str = "t") -> Markup:
    """A moment as everybody's own clock shows it."""
    return Markup(f"<t:{int(at.timestamp())}:{style}>")


_CLOSING = re.compile(r"[\[\]()<>]|(?<!\w)\w{1,20}://")
"""What closes a link's label, and what makes one of it."""


def link(label: object, address: str) -> Markup:
    """A link of the bot's own to a message; nothing in its label closes it."""
    face = label if isinstance(label, Markup) else _CLOSING.sub("", plain(str(label)))
    return Markup(f"[{shown(face)}](<{address}>)")


# Another face than Discord's

_MARK = re.compile(
    r"""\\(?P<escaped>[^A-Za-z\s])
      | <@!?(?P<person>\d{1,20})> | <\#(?P<channel>\d{1,20})> | (?P<role><@&\d{1,20}>)
      | <t:(?P<moment>\d{1,12}):(?P<style>\w)>
      | \[(?P<label>(?:\\.|[^\]\\]){1,300})\]\(<?https?://[^)>\s]{1,300}>?\)
      | <(?P<address>https?://[^>\s]{1,2000})>
      | (?P<bold>\*\*)""",
    re.VERBOSE,
)
"""What markup has in it besides text."""


def in_terminal(text: str, people: Mapping[UserId, str], channels: Mapping[ChannelId, str]) -> Text:
    """What Discord would show, for a terminal: names for ids, moments in UTC, the words of links, bold and dim."""
    shown = Text(end="")
    is_bold = False
    for number, written in enumerate(text.split("\n")):
        if number:
            shown.append("\n")
        style = "dim" if written.startswith("-# ") else ""
        written, end = written.removeprefix("-# "), 0
        for found in _MARK.finditer(written):
            shown.append(written[end : found.start()], f"{style} bold" if is_bold else style)
            end = found.end()
            if found["bold"]:
                is_bold = not is_bold
            else:
                shown.append(_in_words(found, people, channels), f"{style} bold" if is_bold else style)
        shown.append(written[end:], f"{style} bold" if is_bold else style)
    return shown


def _in_words(found: re.Match[str], people: Mapping[UserId, str], channels: Mapping[ChannelId, str]) -> str:
    """One mark of Discord's as words."""
    if found["person"]:
        return f"@{people.get(UserId(int(found['person'])), 'someone')}"
    if found["channel"]:
        return f"#{channels.get(ChannelId(int(found['channel'])), 'a-channel')}"
    if found["moment"]:
        form = "%H:%M" if found["style"] == "t" else "%Y-%m-%d %H:%M"
        return f"{datetime.fromtimestamp(int(found['moment']), UTC):{form}} UTC"
    if found["role"]:
        return "@a-role"
    return found["escaped"] or found["address"] or re.sub(r"\\(.)", r"\1", found["label"])
