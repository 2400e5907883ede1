"""The one place where text of people enters a prompt: escaped, on one line, between tags it cannot close. Pure."""

from __future__ import annotations

import html
import re
import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo

from memory.ids import ChannelId, MessageId, UserId
from memory.records import Member, Message
from memory.rules.names import Address, opening
from memory.rules.safety import redacted
from memory.rules.text import clean, fit, mentioned, one_line, readable, with_names

LONGEST_MESSAGE = 1_000
"""Characters of one message that a prompt carries: beyond that it is a paste."""

MARK = "\x00"
"""Stands before a mark that code puts into a text while it is put together; no text of a member has it."""

_LIKE_A_MARK = re.compile(r"@(?=u\d)")
"""What members write that looks like a mark of the prompt's."""

_A_MARK = re.compile(r"(@?)(?<![\w<])\b(u\d{1,6})\b", re.IGNORECASE)
"""A mark in what a model writes."""

SECRET_MARGIN = 300
"""Characters beyond the limit that are looked at, so that a secret across it is found."""


@cache
def instructions(name: str, package: str = __name__.rpartition(".")[0]) -> str:
    """The instructions called `name`, as written beside the code."""
    return (files(package) / f"{name}.md").read_text(encoding="utf-8").strip()


def task(name: str, parts: Collection[str], package: str = __name__.rpartition(".")[0]) -> str:
    """Of the instructions called `name`, the rules for every prompt, and those for the `parts` that a prompt has.

    `{part} ` stands before a rule that is about one.
    """
    return "\n".join(rule for part, rule in _rules(name, package) if not part or part in parts)


@cache
def _rules(name: str, package: str) -> tuple[tuple[str, str], ...]:
    """The rules of instructions in turn: the part that each is about, and its words."""
    rules = re.split(r"\n(?!  )", instructions(name, package))
    return tuple((found[1] or "", found[2]) for rule in rules if (found := _RULE.fullmatch(rule)) is not None)


_RULE = re.compile(r"(?:\{(\w{1,20})\} )?(.*)", re.DOTALL)


def escape(text: str, limit: int = LONGEST_MESSAGE) -> str:
    """User text as data: visible characters on one line, without secrets, within `limit`, and no `<` to open a tag."""
    near = one_line(text)[: limit + SECRET_MARGIN]  # shortened before it is looked at
    return fit(redacted(near), limit).replace("<", "&lt;")


def rendered(
    message: Message, people: Mapping[UserId, str], channels: Mapping[ChannelId, str], said_to: Address | None = None
) -> str:
    """A stored message's text for a prompt: names in place of ids, and no secrets, which were found when it came in.

    `said_to` is whom it speaks to, where that is to stand in place of the name it begins with.
    """
    text, start = redacted(message.text, message.secret_spans), ""
    if said_to is not None and message.text.startswith(text[: said_to.end]):
        text, start = text[said_to.end :], f"@{people.get(said_to.user_id, 'someone')} ".replace(f"@{MARK}", "@")
    told = readable(_LIKE_A_MARK.sub("@ ", clean(text)), people, channels)
    return fit(f"{start}{told.replace(MARK, '')}", LONGEST_MESSAGE).replace("<", "&lt;")


def rendered_text(text: str, people: Mapping[UserId, str], channels: Mapping[ChannelId, str]) -> str:
    """A message's words for a prompt, with names in place of ids."""
    return escape(readable(clean(text), people, channels))


def talk(
    messages: Sequence[Message],
    *,
    tz: ZoneInfo,
    participants: Participants,
    members: Mapping[UserId, Member],
    channels: Mapping[ChannelId, str],
    withheld: Collection[MessageId] = (),
) -> list[str]:
    """Messages as lines that are little but words, numbered from 1 in their order.

    The channel and the half hour stand on lines of their own, where they change; people are their marks, also
    where the words begin with a name or mention somebody; a reply says which message it answers where its words
    do not say whom.
    """
    others = {u for message in messages for u in mentioned(message.text) if u in members}
    names = {u: called(members[u].display_name) for u in others} | {
        u: f"{MARK}{participants.mark(u)}" for u in participants.ids
    }
    numbers = {message.message_id: n for n, message in enumerate(messages, 1)}
    marks = channel_marks(messages)
    lines: list[str] = []
    channel: ChannelId | None = None
    time = ""
    for n, message in enumerate(messages, 1):
        if message.channel_id != channel:
            channel, time = message.channel_id, ""
            lines.append(f"== {marks[channel]} #{escape(channels.get(channel, 'a-channel'), 40)}")
        local = message.timestamp.astimezone(tz)
        if (now := f"{local:%H}:{local.minute // 30 * 30:02}") != time:
            time = now
            lines.append(f"-- {time}")
        said_to = opening(
            message.text, {u: members[u] for u in message.addressees if u in members and participants.has(u)}
        )
        text = "(withheld)" if message.message_id in withheld else rendered(message, names, channels, said_to)
        number = numbers.get(message.reply_to_id) if message.reply_to_id is not None else None
        answered = messages[number - 1].user_id if number is not None else None
        named = answered == message.user_id or (
            (said_to is not None and said_to.user_id == answered) or message.text.lstrip().startswith(f"<@{answered}")
        )
        answers = f" >{number}" if number is not None and not named else ""
        lines.append(f"{n} {participants.mark(message.user_id)}{answers}: {text}")
    return lines


def channel_marks(messages: Iterable[Message]) -> dict[ChannelId, str]:
    """The marks of the channels of a stretch of talk, c1, c2, …, as they first come."""
    return {channel: f"c{n}" for n, channel in enumerate(dict.fromkeys(m.channel_id for m in messages), 1)}


def accepted(text: str, limit: int) -> str:
    """A model's text as it may be stored: unescaped, on one line, within `limit`."""
    return fit(one_line(html.unescape(text)), limit)


_FORMAT = re.compile(r"[:=,;()\[\]{}<>|#@\"“”«»*`~]+")
"""Signs that the format of prompts is made of."""

_RESERVED = frozenset(
    [
        "you",
        "someone",
        "system",
        "assistant",
        "bot",
        "user",
        "model",
        "message",
        "moderator",
        "admin",
        "operator",
        "themselves",
    ]
)
"""What is called so in prompts and answers is never a member."""


def plain_name(name: str, limit: int = 40) -> str:
    """A name of which nothing can be taken for the format of a prompt."""
    return one_line(_FORMAT.sub(" ", escape(name, limit).replace("&lt;", " ")))


def called(name: str, limit: int = 40) -> str:
    """A member's name as a prompt has it: never one of the words by which prompts call others, such as "you"."""
    plain = plain_name(name, limit)
    if not plain:
        return "someone"
    return f"{plain}_" if plain.casefold() in _RESERVED else plain


def listed(member: Member) -> str:
    """A member's names for a prompt: the one shown, and what else they are called."""
    first, *others = [called(name) for name in member.names] or ["someone"]
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


class Participants:
    """The people of one prompt, as u1, u2, …: names for the model, ids for the code."""

    def __init__(self, user_ids: Iterable[UserId], members: Mapping[UserId, Member]) -> None:
        self._ids = list(dict.fromkeys(user_ids))
        self._marks = {user_id: f"u{n}" for n, user_id in enumerate(self._ids, 1)}
        self._members = members

    @property
    def ids(self) -> tuple[UserId, ...]:
        """Everyone, in the order of their marks."""
        return tuple(self._ids)

    def has(self, user_id: UserId) -> bool:
        """Whether a member is one of them."""
        return user_id in self._marks

    def mark(self, user_id: UserId) -> str:
        """The id a member goes by in the prompt."""
        return self._marks[user_id]

    def mark_or_channel(self, user_id: UserId | None) -> str:
        """The mark of a member a note is about; "channel" for one about nobody here."""
        return self.mark(user_id) if user_id is not None and self.has(user_id) else "channel"

    def name(self, user_id: UserId) -> str:
        """The name a member is listed under, on a line that commas divide."""
        member = self._members.get(user_id)
        if member is None:
            return "someone"
        others = [called(alias) for alias in member.aliases[:2]]
        return called(member.display_name) + (f" ({', '.join(others)})" if others else "")

    def told(self, text: str, limit: int = 4_000) -> str:
        """A stored text for the prompt: its people as their marks, others by their names."""
        names = {
            u: f"@{MARK}{self._marks[u]}" if u in self._marks else called(self._members[u].display_name)
            for u in mentioned(text)
            if u in self._marks or u in self._members
        }
        return escape(with_names(_LIKE_A_MARK.sub("@ ", text), names).replace(MARK, ""), limit)

    def with_ids(self, text: str, taken: Collection[str] = ()) -> str | None:
        """A model's text with its marks as ids; None where one of them is nobody's, or it has ids of its own.

        A mark without its @ counts where the talk itself has no such word (`taken`, in lower case).
        """
        unknown = False

        def with_id(match: re.Match[str]) -> str:
            nonlocal unknown
            user_id = self.id(match[2])
            if not match[1] and (user_id is None or match[2].lower() in taken):
                return match[0]
            unknown = unknown or user_id is None
            return f"<@{user_id}>"

        told = _A_MARK.sub(with_id, text)
        return None if unknown or "<@" in text else told

    def line(self, user_id: UserId) -> str:
        """The id and the names."""
        member = self._members.get(user_id)
        return f"{self.mark(user_id)} {listed(member) if member else 'someone'}"

    def roster(self, but: Collection[UserId]) -> str:
        """Everyone but some, with their names, on one line."""
        return ", ".join(f"{self.mark(u)}={self.name(u)}" for u in self._ids if u not in but)

    def id(self, mark: str) -> UserId | None:
        """Whom the model means, or None where there is no such member."""
        mark = mark.strip().lower()
        if mark.startswith("u") and mark[1:].isascii() and mark[1:].isdigit():
            n = int(mark[1:])
            if 1 <= n <= len(self._ids):
                return self._ids[n - 1]
        return None
