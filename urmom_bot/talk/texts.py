"""The bot's own words, from the catalogue of each language."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cache

from babel.dates import format_date, format_interval, format_skeleton
from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax import ast, visitor

from memory.rules.calendar import period_end
from urmom_bot.languages import DEFAULT, languages
from urmom_bot.markup import Markup, foreign, plain
from urmom_bot.talk.guessing import by_letters


class _Selectors(visitor.Visitor):
    """The variables by whose number a text chooses its words."""

    def __init__(self) -> None:
        self.found: set[str] = set()

    def visit_SelectExpression(self, node: ast.SelectExpression) -> None:
        if isinstance(node.selector, ast.VariableReference):
            self.found.add(node.selector.id.name)
        self.generic_visit(node)


@dataclass(frozen=True)
class _Catalogue:
    """The texts of one language, and the variables of each that are counted: any other is put in as it is."""

    bundle: FluentBundle
    counted: Mapping[str, frozenset[str]]


@cache
def _catalogue(language: str) -> _Catalogue:
    resource = FluentResource(languages()[language].texts)
    bundle = FluentBundle([language], use_isolating=False)
    bundle.add_resource(resource)
    counted = {}
    for entry in resource.body:
        if isinstance(entry, ast.Junk):
            raise ValueError(f"{language}/texts.ftl: {str(entry.content).strip()[:80]}")
        if isinstance(entry, ast.Message):
            selectors = _Selectors()
            selectors.visit(entry)
            counted[entry.id.name] = frozenset(selectors.found)
    return _Catalogue(bundle, counted)


def prepare() -> None:
    """Read every catalogue, so that whoever speaks a language first need not wait for it."""
    for language in languages():
        _catalogue(language)


_bot_names = ["Bot", "Бот"]


def call_it(names: Sequence[str]) -> None:
    """Let the texts call the bot by its names: in each language by the first in its letters."""
    _bot_names[:] = names
    bot_name.cache_clear()
    _constant.cache_clear()


@cache
def bot_name(language: str) -> str:
    """What the texts of a language call the bot."""
    return next((n for n in _bot_names if by_letters(n) == by_letters(languages()[language].name)), _bot_names[0])


_SLOT = re.compile("\ue000(\\w+)\ue001")
"""Where a value goes."""


@cache
def _constant(language: str, name: str, show: Callable[[str], str]) -> str:
    """A text that needs no values: most of a page in a browser are such."""
    return _filled(language, name, {}, show)


def _filled(language: str, name: str, values: Mapping[str, object], show: Callable[[str], str]) -> str:
    """A text with its values. Raises KeyError where there is none, or a value is missing."""
    catalogue = _catalogue(language)
    counted = catalogue.counted[name]
    values = {"bot": bot_name(language), **values}
    shown = {key: _shown(language, value, show) for key, value in values.items() if key not in counted}
    slots = {key: f"\ue000{key}\ue001" for key in shown}  # the library takes values of 1,000 characters at most
    pattern = catalogue.bundle.get_message(name).value
    assert pattern is not None
    text, errors = catalogue.bundle.format_pattern(pattern, {**values, **slots})
    if errors:
        raise KeyError(f"{language}/texts.ftl, {name}: {errors[0]}")
    return _SLOT.sub(lambda slot: shown[slot[1]], str(text))


def _shown(language: str, value: object, show: Callable[[str], str]) -> str:
    if type(value) is date:
        return format_date(value, "medium", language)
    return value if isinstance(value, Markup) else show(str(value))


class Texts:
    """What the bot says in one language."""

    def __init__(self, language: str) -> None:
        self.language = language if language in languages() else DEFAULT

    def __call__(self, name: str, /, **values: object) -> Markup:
        """The text called `name` with its values, days as the language writes them; what is no markup is foreign.

        Raises KeyError where there is none, or a value is missing.
        """
        return Markup(self._filled(name, values, foreign))

    def plain(self, name: str, /, **values: object) -> str:
        """The same where nothing is read as a mark: on a button, or in a form."""
        return self._filled(name, values, plain)

    def _filled(self, name: str, values: Mapping[str, object], show: Callable[[str], str]) -> str:
        if not values:
            return _constant(self.language, name, show)
        return _filled(self.language, name, values, show)

    def day(self, day: date) -> str:
        """A day as the language writes it, with its year."""
        return format_date(day, "medium", self.language)

    def period(self, period: str, first: date) -> str:
        """A day, week or month as the language writes it; with "before", the days up to one."""
        if period == "before":
            return self("day_before", date=first)
        if period == "week":
            return format_interval(first, period_end(period, first), "yMMMd", locale=self.language)
        return format_skeleton("yMMMM", first, locale=self.language) if period == "month" else self.day(first)

    def weekday(self, day: date) -> str:
        """A day of late as the language writes it, with its weekday and without its year."""
        return format_skeleton("MMMEd", datetime.combine(day, time()), locale=self.language)


def policy(language: str, contact: str = "", **values: object) -> Markup:
    """What is stored, for how long, and how to stop it: the text of PRIVACY.md.

    `contact` is how whoever runs the bot is reached; empty where they did not say.
    """
    texts = Texts(language)
    told = {"grace": texts("policy_grace", days=values["grace"]), "contact": contact or texts("policy_contact")}
    return Markup(languages()[language].privacy.format(**{**values, **told}))


def language_of(locale: str) -> str:
    """The catalogue for a locale such as es-ES."""
    short = locale.split("-")[0].lower()
    return short if short in languages() else DEFAULT
