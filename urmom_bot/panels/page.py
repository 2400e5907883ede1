"""What is shown with things to press on it, as values: Discord makes messages and forms of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from memory import Undo
from urmom_bot.actions import ACTIONS, Action, Style
from urmom_bot.markup import Markup
from urmom_bot.talk.presenting import label
from urmom_bot.talk.requests import Reply
from urmom_bot.talk.texts import Texts

SEPARATOR = "|"
"""Stands between the parts of a button's id."""

PREFIX = "urmom"
"""What the ids of all buttons of this bot begin with."""


@dataclass(frozen=True, kw_only=True)
class Button:
    """Something to press: an action and what it is about, which is all it needs after any restart."""

    label: str
    action: str
    args: tuple[str, ...] = ()
    style: Style = "secondary"
    disabled: bool = False

    @property
    def id(self) -> str:
        """The button's id, within Discord's 100 characters."""
        made = SEPARATOR.join((PREFIX, self.action, *self.args))
        if len(made) > 100:
            raise ValueError(f"the id of {self.action!r} is longer than 100 characters")
        return made


def button(action: Action, texts: Texts, *, style: Style | None = None) -> Button:
    """The button of an action."""
    style = style or ACTIONS[action.name].style
    return Button(label=label(action, texts), action=action.name, args=action.args, style=style)


def buttons(actions: tuple[Action, ...], texts: Texts) -> tuple[Button, ...]:
    """The buttons of actions, in a row."""
    return tuple(button(action, texts) for action in actions)


@dataclass(frozen=True, kw_only=True)
class Page:
    """A message with rows of buttons; `replaces` the one pressed, or comes beside it, for the presser alone."""

    text: Markup
    rows: tuple[tuple[Button, ...], ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    replaces: bool = False
    settles: bool = False
    """Whether it says what became of the message pressed, and no more: then it replaces that also where everybody reads
    it."""
    news: Markup | None = None
    """What was just done, where `text` begins with it and goes on with a page that a face may show by itself."""
    news_actions: tuple[Button, ...] = ()
    """The buttons that go with the news."""
    log: Markup | None = None
    """A line for the guild's log channel, where it has one."""
    is_public: bool = False
    """Whether everybody in the channel sees it; it is kept off the record."""
    listed: tuple[int, ...] = ()
    """The facts that it shows, in their order, but those for the presser alone."""

    @property
    def undo(self) -> Undo | None:
        """What takes back the change that it tells of."""
        shown = (*self.news_actions, *(button for row in self.rows for button in row))
        return next((Undo(entry_id=int(b.args[0]), key=b.args[1]) for b in shown if b.action == "undo"), None)


def page_of(reply: Reply, texts: Texts, *, is_public: bool = False) -> Page:
    """A reply as a page."""
    rows = (buttons(reply.actions, texts),) if reply.actions else ()
    return Page(text=reply.text, rows=rows, is_public=is_public)


@dataclass(frozen=True, kw_only=True)
class Option:
    """One of the things to choose from."""

    value: str
    label: str
    chosen: bool = False


@dataclass(frozen=True, kw_only=True)
class Field:
    """A field of a form: a line, a text, one of several choices, or a member or channel by id."""

    name: str
    label: str
    kind: Literal["line", "text", "choice", "member", "channel"] = "line"
    value: str = ""
    longest: int = 1_000
    choices: tuple[Option, ...] = ()
    is_optional: bool = False
    """Whether a line may be left empty."""


@dataclass(frozen=True, kw_only=True)
class Form:
    """A form to fill in; what is filled in goes to `action`, with `args`."""

    title: str
    action: str
    fields: tuple[Field, ...]
    args: tuple[str, ...] = ()
    removes: str = ""
    """What stands on its button, where it deletes something for good."""
