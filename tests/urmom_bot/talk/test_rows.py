"""The rows of the table in docs/for-members.md, as people of each language put them."""

from __future__ import annotations

import pytest

from urmom_bot.talk.commands import Forget, Meant, Remember, Reset, SetJokes, ShowPrivacy
from urmom_bot.talk.grammar import parse
from urmom_bot.talk.router import Router


@pytest.mark.parametrize(
    "text",
    [
        "my bday's may 3rd",
        "my b-day is 3 May",
        "mein Geburtstag fällt auf den 3. Mai",
        "ich hab am 3. Mai Geburtstag",
        "mi cumpleaños es el 3 de mayo",
        "mi cumple cae el 3 de mayo",
        "mon anniversaire c'est le 3 mai",
        "je suis née le 3 mai",
        "мой день рождения 3 мая",
        "у меня день рождения 3 мая",
        "me llamo Anita",
    ],
)
def test_what_somebody_tells_of_themselves_is_kept_whole(text: str) -> None:
    """It has no word of an order, so no likeness to other sentences decides."""
    found = parse(text)
    assert isinstance(found, Remember)
    assert found.statement == text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("quit joking about me", False),
        ("don't make fun of me", False),
        ("no hagas chistes sobre mí", False),
        ("deja de hacer bromas sobre mí", False),
        ("arrête les blagues sur moi", False),
        ("ne fais plus de blagues sur moi", False),
        ("хватит шутить про меня", False),
        ("hör auf mit Witzen über mich", False),
        ("los chistes sobre mí están bien", True),
        ("les blagues sur moi, ça va", True),
    ],
)
def test_jokes_about_the_speaker(text: str, wanted: bool) -> None:
    """Whether they are wanted."""
    found = parse(text)
    assert isinstance(found, SetJokes)
    assert found.wanted == wanted


@pytest.mark.parametrize(
    "text",
    [
        "please wipe all my data",
        "lösche alle meine Daten",
        "borra todos mis datos",
        "supprime toutes mes données",
        "удали все мои данные",
    ],
)
def test_all_of_ones_data_is_a_matter_of_privacy(text: str) -> None:
    """Where it can all be deleted; no person called "my data" is looked for."""
    assert isinstance(parse(text), ShowPrivacy)


@pytest.mark.parametrize(
    ("text", "whose"),
    [
        ("borra todo lo que sepas de mí", "mí"),
        ("borra todo lo que sabés sobre ann", "ann"),
        ("сотри всё, что знаешь обо мне", "мне"),
        ("забудь всё, что ты помнишь про ann", "ann"),
        ("vergiss alles, was du über ann weißt", "ann"),
    ],
)
def test_everything_is_about_the_one_who_is_named(text: str, whose: str) -> None:
    """Not about the words between."""
    found = parse(text)
    assert isinstance(found, Forget)
    assert found.everything
    assert found.statement == whose


@pytest.mark.parametrize(
    "text",
    [
        "remember what luna just said",
        "merk dir, was luna gerade gesagt hat",
        "recuerda lo que luna acaba de decir",
        "recuerda lo que dijo luna",
        "retiens ce que luna vient de dire",
        "souviens-toi de ce qu'a dit luna",
        "запомни то, что сказала luna",
        "запомни, что luna сейчас сказала",
        "merk dir das mal über luna",
    ],
)
def test_what_somebody_said_is_their_message(text: str) -> None:
    """And not the words by which it is asked for."""
    found = parse(text)
    assert isinstance(found, Remember)
    assert (found.this, found.subject, found.statement) == (True, "luna", "")


@pytest.mark.parametrize(
    "text", ["no wait, that was bob not sam", "no, I meant bob not sam", "sorry, it's bob, not sam"]
)
def test_whom_somebody_meant(text: str) -> None:
    """The one, and not the other."""
    assert parse(text) == Meant(subject="bob")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("me llamo Anita", "es"),
        ("no, me refería a bob", "es"),
        ("deshaz eso", "es"),
        ("recuerda que me gusta the beatles", "es"),
        ("remember that vivo en Lugo", "en"),
        ("undo bitte", "de"),
        ("annule ça", "fr"),
    ],
)
def test_a_command_is_in_the_language_of_its_words(text: str, language: str) -> None:
    """Whatever a single one of them means in another."""
    assert Router.language(text) == language


TALK = (
    *("das hab ich vergessen", "bin wieder zurück leute", "ruf mich mal zurück", "das is falsch rum"),
    *("vergiss mich nich", "ich muss das löschen", "ich heiße euch willkommen", "i'm called back to the office"),
    *("верни 2007", "souviens toi de moi"),
)


@pytest.mark.parametrize("said", TALK)
def test_talk_with_the_words_of_a_command_is_none(said: str) -> None:
    """Each undid, deleted or stored something once."""
    assert parse(said) is None


@pytest.mark.parametrize(
    ("said", "command"),
    [
        ("bitte reset", Reset),
        ("setz das gespräch zurück", Reset),
        ("давай о другом", Reset),
        ("vergiss alles was ich dir erzählt hab", ShowPrivacy),
        ("удали всё", ShowPrivacy),
        ("no ur mom jokes about me", SetJokes),
        ("про меня шутить можно", SetJokes),
        ("ne warte, das war bob", Meant),
    ],
)
def test_what_did_something_else_once(said: str, command: type) -> None:
    """Undo, or a deletion."""
    assert isinstance(parse(said), command)
