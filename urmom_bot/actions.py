"""Every action a person may take, in one table: panels, the terminal and whatever face comes next press through it.

An action is written once, above the method that carries it out. Its label is the text `button_` and its name.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from memory import Viewer

Style = Literal["primary", "secondary", "success", "danger"]


@dataclass(frozen=True, kw_only=True)
class Action:
    """Something the viewer may do: its name, what it is about, and what its label says of that."""

    name: str
    args: tuple[str, ...] = ()
    label: Mapping[str, object] | None = None
    """The values of the label's text, called `button_` and the action's name."""


@dataclass(frozen=True, kw_only=True)
class ActionSpec:
    """What holds for an action wherever it is pressed."""

    name: str
    style: Style = "secondary"
    changes: bool = False
    """Whether it changes something. Such a press goes through the inbox and is carried out once."""
    opens_form: bool = False
    """Whether its answer is a form. Discord takes no form after a sign that the answer will come."""
    is_public: bool = False
    """Whether everybody in the channel sees the answer."""
    may: Callable[[Viewer], bool] | None = None
    """Who may, where the viewer alone decides that; the services ask again, and ask the rest."""
    denied: str | None = None
    """The text for whoever may not. It may name `{ $number }`, the first thing the press was about."""


ACTIONS: dict[str, ActionSpec] = {}
"""All actions by name. Each method marked with `action` enters itself when its module is read."""

GONE = ActionSpec(name="gone")
"""What holds for the button of an action that there is no more."""

Handler = TypeVar("Handler", bound=Callable[..., Awaitable[Any]])


def action(
    name: str,
    *,
    style: Style = "secondary",
    changes: bool = False,
    opens_form: bool = False,
    is_public: bool = False,
    may: Callable[[Viewer], bool] | None = None,
    denied: str | None = None,
) -> Callable[[Handler], Handler]:
    """Let a method carry out the action `name`. Raises ValueError if another one does already."""
    if name in ACTIONS:
        raise ValueError(f"the action {name!r} is defined twice")
    ACTIONS[name] = ActionSpec(
        name=name, style=style, changes=changes, opens_form=opens_form, is_public=is_public, may=may, denied=denied
    )

    def marked(handler: Handler) -> Handler:
        handler.__dict__.setdefault("actions", []).append(name)
        return handler

    return marked


def handlers(*owners: object) -> Iterator[tuple[str, Callable[..., Awaitable[Any]]]]:
    """The names of the actions that `owners` carry out, each with its bound method."""
    for owner in owners:
        for attribute, method in vars(type(owner)).items():
            for name in getattr(method, "actions", ()):
                yield name, getattr(owner, attribute)
