"""The one place where text of people enters a prompt: escaped, on one line, between tags it cannot close. Pure."""

from __future__ import annotations

import html
import re
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo

from memory.addressing import Address, Addressing
from memory.records import Member, Message
from memory.safety import redacted
from memory.text import clean, fit, one_line, readable

LONGEST_MESSAGE = 1_000
"""Characters of one message that a prompt carries: beyond that it is a paste."""

MARK = "\x00"
"""Stands before a mark that code puts into a text while it is put together; no text of a member has it."""

_LIKE_A_MARK = re.compile(r"@(?=u\d)")
"""What members write that looks like a mark of the prompt's."""

MARGIN = 300
"""Characters beyond the limit that are looked at, so that a secret across it is found."""


@cache
def words(name: str, package: str = __package__) -> str:
    """The instructions called `name`, as written beside the code."""
    return (files(package) / f"{name}.md").read_text(encoding="utf-8").strip()


def escape(text: str, limit: int = LONGEST_MESSAGE) -> str:
    """User text as data: visible characters on one line, without secrets, within `limit`, and no `<` to open a tag."""
    near = one_line(text)[: limit + MARGIN]  # shortened before it is looked at
    return fit(redacted(near), limit).replace("<", "&lt;")


def rendered(
    message: Message, people: Mapping[int, str], channels: Mapping[int, str], said_to: Address | None = None
) -> str:
    """A stored message's text for a prompt: names in place of ids, and no secrets, which were found when it came in.

    `said_to` is whom it speaks to, where that is to stand in place of the name it begins with.
    """
    text, start = redacted(message.text, message.secret_spans), ""
    if said_to is not None and message.text.startswith(text[: said_to.end]):
        text, start = text[said_to.end :], f"@{people.get(said_to.user_id, 'someone')} ".replace(f"@{MARK}", "@")
    told = readable(_LIKE_A_MARK.sub("@ ", clean(text)), people, channels)
    return fit(f"{start}{told.replace(MARK, '')}", LONGEST_MESSAGE).replace("<", "&lt;")


def said(text: str, people: Mapping[int, str], channels: Mapping[int, str]) -> str:
    """A message's words for a prompt, with names in place of ids."""
    return escape(readable(clean(text), people, channels))


def talk(
    messages: Sequence[Message],
    *,
    tz: ZoneInfo,
    cast: Cast,
    members: Mapping[int, Member],
    channels: Mapping[int, str],
    withheld: Collection[int] = (),
) -> list[str]:
    """Messages as lines that are little but words, numbered from 1 in their order.

    The channel and the ten minutes stand on lines of their own, where they change; people are their marks, also
    where the words begin with a name or mention somebody; a reply says which message it answers where its words
    do not say whom.
    """
    names = {u: f"{MARK}{cast.mark(u)}" if cast.has(u) else m.display_name for u, m in members.items()}
    numbers = {message.message_id: n for n, message in enumerate(messages, 1)}
    speaks = Addressing(members[u] for u in cast.ids if u in members)
    lines: list[str] = []
    channel: int | None = None
    time = ""
    for n, message in enumerate(messages, 1):
        if message.channel_id != channel:
            channel, time = message.channel_id, ""
            lines.append(f"== #{escape(channels.get(channel, 'a-channel'), 40)}")
        if (now := f"{message.timestamp.astimezone(tz):%H:%M}"[:4] + "0") != time:
            time = now
            lines.append(f"-- {time}")
        said_to = speaks.of(message, message.text)
        text = "(withheld)" if message.message_id in withheld else rendered(message, names, channels, said_to)
        named = said_to is not None or message.text.lstrip().startswith("<@")
        answers = f" >{numbers[message.reply_to_id]}" if message.reply_to_id in numbers and not named else ""
        lines.append(f"{n} {cast.mark(message.user_id)}{answers}: {text}")
    return lines


def accepted(text: str, limit: int) -> str:
    """A model's text as it may be stored: unescaped, on one line, within `limit`."""
    return fit(one_line(html.unescape(text)), limit)


def listed(member: Member) -> str:
    """A member's names for a prompt: the one shown, and what else they are called."""
    first, *others = (escape(name, 40) for name in member.names)
    return f"{first} (also: {', '.join(others[:4])})" if others else first


def fenced(sections: Mapping[str, str | Iterable[str]]) -> str:
    """Sections between tags that carry a random word of this request, so that no text can close them."""
    mark = secrets.token_hex(3)
    shown = []
    for name, body in sections.items():
        text = body if isinstance(body, str) else "\n".join(body)
        if text:
            shown.append(f"<{name}-{mark}>\n{text}\n</{name}-{mark}>")
    return "\n".join(shown)


class Cast:
    """The people of one prompt, as u1, u2, …: names for the model, ids for the code."""

    def __init__(self, user_ids: Iterable[int], members: Mapping[int, Member]) -> None:
        self._ids = list(dict.fromkeys(user_ids))
        self._marks = {user_id: f"u{n}" for n, user_id in enumerate(self._ids, 1)}
        self._members = members

    @property
    def ids(self) -> tuple[int, ...]:
        """Everyone, in the order of their marks."""
        return tuple(self._ids)

    def has(self, user_id: int) -> bool:
        """Whether a member is one of them."""
        return user_id in self._marks

    def mark(self, user_id: int) -> str:
        """The id a member goes by in the prompt."""
        return self._marks[user_id]

    def line(self, user_id: int) -> str:
        """The id and the names."""
        member = self._members.get(user_id)
        return f"{self.mark(user_id)} {listed(member) if member else 'someone'}"

    def lines(self) -> list[str]:
        """Everyone, listed once."""
        return [self.line(user_id) for user_id in self._ids]

    def id(self, mark: str) -> int | None:
        """Whom the model means, or None where there is no such member."""
        mark = mark.strip().lower()
        if mark.startswith("u") and mark[1:].isascii() and mark[1:].isdigit():
            n = int(mark[1:])
            if 1 <= n <= len(self._ids):
                return self._ids[n - 1]
        return None
