"""The one place where text of people enters a prompt: escaped, on one line, between tags it cannot close. Pure."""

from __future__ import annotations

import html
import secrets
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from memory.records import Member, Message
from memory.safety import redacted
from memory.text import clean, fit, one_line, readable

LONGEST_MESSAGE = 1_000
"""Characters of one message that a prompt carries: beyond that it is a paste."""

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


def rendered(message: Message, people: Mapping[int, str], channels: Mapping[int, str]) -> str:
    """A stored message's text for a prompt: names in place of ids, and no secrets, which were found when it came in."""
    text = redacted(message.text, message.secret_spans)
    return fit(readable(clean(text), people, channels), LONGEST_MESSAGE).replace("<", "&lt;")


def said(text: str, people: Mapping[int, str], channels: Mapping[int, str]) -> str:
    """A message's words for a prompt, with names in place of ids."""
    return escape(readable(clean(text), people, channels))


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
