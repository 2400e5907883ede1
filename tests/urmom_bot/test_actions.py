"""The one table of actions: every name that is offered is in it, and what it says of an action is so."""

from __future__ import annotations

import ast
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

import urmom_bot.panels
from memory import Viewer
from urmom_bot.actions import ACTIONS, action, handlers
from urmom_bot.languages import languages
from urmom_bot.panels import Form, Panels
from urmom_bot.panels.administration import Administration
from urmom_bot.panels.changes import Changes
from urmom_bot.panels.memories import Memories
from urmom_bot.panels.page import Page
from urmom_bot.panels.page_links import PageLinks
from urmom_bot.panels.posts import Posts
from urmom_bot.panels.privacy import Privacy
from urmom_bot.panels.settings import ServerSettings
from urmom_bot.panels.topics import TopicPages
from urmom_bot.panels.tour import Tour
from urmom_bot.talk import Texts

SOURCE = Path(urmom_bot.panels.__file__).parents[1]
OWNERS = (Panels, Changes, Tour, PageLinks, Memories, Privacy, Administration, ServerSettings, Posts, TopicPages)
READING = {
    *("purge_member", "purge_channel"),
    *("show", "details", "details_of", "correct", "receipt", "help_more", "topics", "topic", "audit"),
    *("page", "privacy", "policy", "export", "erase", "consent_ask", "consent_word"),
    *("tour", "try_remember", "try_know"),
    *("settings", "settings_general", "settings_channel", "settings_character", "settings_budget"),
    *("settings_posts", "recap_preview"),
}
"""What only shows something, or asks before it changes anything."""


def offered() -> Iterator[str]:
    """The names of actions in the code: of buttons, forms, commands; with `*` for what is filled in."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = getattr(node.func, "id", "")
            given: list[ast.expr] = [k.value for k in node.keywords if k.arg == "action" and called != "texts"]
            given += [k.value for k in node.keywords if k.arg == "name" and called == "Action"]
            given += [node.args[1]] if called == "pressed" else []
            for value in given:
                match value:
                    case ast.Constant(value=str(name)):
                        yield name
                    case ast.IfExp(body=ast.Constant(value=str(one)), orelse=ast.Constant(value=str(other))):
                        yield from (one, other)
                    case ast.JoinedStr(values=[ast.Constant(value=str(start)), *_]):
                        yield f"{start}*"


def handler_of(name: str) -> Any:
    """The method that carries out an action."""
    (found,) = (m for owner in OWNERS for m in vars(owner).values() if name in getattr(m, "actions", ()))
    return found


def test_what_is_offered_can_be_pressed() -> None:
    """No button, form or command names an action that nothing carries out."""
    names = set(offered())
    assert len(names) > 30
    for name in names - set(ACTIONS):
        assert name.endswith("*"), name
        assert [known for known in ACTIONS if known.startswith(name[:-1])], name


def test_every_action_is_carried_out_by_one_method() -> None:
    """The table and the methods agree."""
    marked = [name for owner in OWNERS for m in vars(owner).values() for name in getattr(m, "actions", ())]
    assert sorted(marked) == sorted(ACTIONS)


def test_what_changes_goes_through_the_inbox() -> None:
    """All but what only shows: whoever adds an action decides it here."""
    assert {name for name, spec in ACTIONS.items() if not spec.changes} == READING


@pytest.mark.parametrize("name", sorted(ACTIONS))
def test_a_form_is_what_it_says(name: str) -> None:
    """What is answered by a form is not told to wait, and what may wait answers with a page."""
    answers = typing.get_type_hints(handler_of(name))["return"]
    assert ACTIONS[name].opens_form == (answers is Form or Form in typing.get_args(answers))


@pytest.mark.parametrize("language", languages())
def test_every_refusal_has_its_words(language: str) -> None:
    """In each language."""
    for spec in ACTIONS.values():
        if spec.denied is not None:
            assert Texts(language)(spec.denied, number="7"), spec.name


def test_a_name_is_taken_once() -> None:
    """Two methods for one press would be a question of order."""
    with pytest.raises(ValueError, match="defined twice"):
        action("undo")


@pytest.mark.parametrize("name", sorted(name for name, spec in ACTIONS.items() if spec.may))
async def test_who_may_not_is_told_before_anything_is_done(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is for those who manage a server is refused to everybody else, with a sentence."""
    panels, done = Panels.__new__(Panels), []

    async def carried_out(pressed: object) -> Page:
        done.append(name)
        return Page(text=Texts("en")("undone", name="x"))

    monkeypatch.setattr(panels, "_presses", {name: carried_out}, raising=False)
    monkeypatch.setattr(panels, "_router", Mock(), raising=False)
    for manages in (False, True):
        viewer = Viewer(guild_id=1, user_id=2, may_manage=manages)
        request: Any = type("Asked", (), {"viewer": viewer})()
        shown = await panels.press(request, name, ("1",), {}, Texts("en"))
        assert isinstance(shown, Page)
        assert (shown.text == Texts("en")("manage_denied")) is not manages
        assert done == ([name] if manages else [])


def test_handlers_are_bound_to_who_carries_them_out() -> None:
    """One method may carry out several actions."""
    topics = TopicPages.__new__(TopicPages)
    assert {"topics", "topic", "drop_line"} < dict(handlers(topics)).keys()
    assert dict(handlers(topics))["topic"].__self__ is topics  # type: ignore[attr-defined]
