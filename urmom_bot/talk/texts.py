"""The bot's own words, from the catalogue of each language."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

LANGUAGES = ("en", "es", "ru", "fr")
"""The languages that have a catalogue; the first stands in for any other."""

_COMMON = {
    "es": frozenset(
        [
            "que",
            "qué",
            "el",
            "la",
            "los",
            "las",
            "es",
            "de",
            "un",
            "una",
            "por",
            "con",
            "para",
            "como",
            "cuál",
            "quién",
            "hola",
            "gracias",
        ]
    ),
    "fr": frozenset(
        [
            "le",
            "la",
            "les",
            "est",
            "des",
            "un",
            "une",
            "que",
            "qui",
            "quoi",
            "pour",
            "avec",
            "dans",
            "pas",
            "je",
            "tu",
            "bonjour",
            "merci",
        ]
    ),
}


@cache
def _catalogue(language: str) -> dict[str, str]:
    return tomllib.loads((files("urmom_bot.texts") / f"{language}.toml").read_text(encoding="utf-8"))


class Texts:
    """What the bot says in one language."""

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else LANGUAGES[0]

    def __call__(self, name: str, /, **values: object) -> str:
        """The text called `name` with its values. Raises KeyError where there is none."""
        return _catalogue(self.language)[name].strip().format(**values)


@cache
def _policy(language: str) -> str:
    return (files("urmom_bot.texts") / f"privacy.{language}.md").read_text(encoding="utf-8").strip()


def policy(language: str, **values: object) -> str:
    """What is stored, for how long, and how to stop it: the text of PRIVACY.md."""
    return _policy(language).format(**values)


def language_of(locale: str) -> str:
    """The catalogue for a locale such as es-ES."""
    short = locale.split("-")[0].lower()
    return short if short in LANGUAGES else LANGUAGES[0]


def guess_language(text: str) -> str:
    """The catalogue nearest to what `text` is written in; for the bot's own words, not for a model."""
    if re.search(r"[а-яё]", text, re.IGNORECASE):
        return "ru"
    words = re.findall(r"\w+", text.casefold())
    if "¿" in text or "¡" in text or "ñ" in text.casefold():
        return "es"
    hits = {language: sum(word in common for word in words) for language, common in _COMMON.items()}
    best = max(hits, key=lambda language: hits[language])
    return best if words and hits[best] >= max(2, len(words) // 4) else LANGUAGES[0]
