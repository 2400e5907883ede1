"""What was forgotten is recognised by fingerprints of its keywords, which tell nothing."""

import pytest

from memory.rules.keywords import keywords, sentences_of
from memory.rules.suppression import Fingerprints, Suppressed, Suppression, is_exact
from tests.builders import NOON

FINGERPRINTS = Fingerprints(b"a key")


def suppressed(statement: str, *names: str) -> Suppressed:
    keyed = FINGERPRINTS.of_statement(statement, ignore=names)
    return Suppressed(FINGERPRINTS, [Suppression(suppression_id=1, user_id=1, statement=keyed, created_at=NOON)])


@pytest.mark.parametrize(
    ("statement", "text", "tells"),
    [
        ("Ann likes pizza", "Ann had pizza on Friday.", True),
        ("Ann likes pizza", "Ann likes chess.", False),
        ("Ann's cat is called Zorblax", "Zorblax was at the vet.", True),
        ("Ann's cat is called Zorblax", "Ann's dog sleeps.", False),
        ("Ann lives in Berlin since 2019", "She went to BERLIN.", True),
        ("Ann has 12 cats", "lunch is at 12", False),
        ("when I'm home I drink absinthe", "I'm late, sorry", False),
        ("Ann owns 12 cats and a boat", "Ann's 12 cats like the boat", True),
        ("Аня живёт у Жёлудя", "жёлудь растёт", True),
        ("Аня любит пиццу", "Аня заказала пиццы на всех", True),
        ("Аня любит пиццу", "Аня любит шахматы", False),
        ("Ana toca el violonchelo", "Ana practica violonchelo", True),
        ("the project deadline for the kiln firing is hard", "the kiln is warm", False),
        ("the project deadline for the kiln firing is hard", "kiln project: firing deadline moved", True),
    ],
)
def test_a_text_tells_a_statement_by_its_keywords(statement: str, text: str, tells: bool) -> None:
    """Everyday words and the person's own name aside; a name or a number of it is enough."""
    assert suppressed(statement, "Ann", "Аня", "Ana").tells(text, [1]) is tells
    assert not suppressed(statement, "Ann").tells(text, [2])


def test_only_the_sentences_that_tell_are_taken_out() -> None:
    """The rest of a summary stays, in its order."""
    told = "Ann rowed to Gdynia. Ann had pizza, again. On 3.5 she fired the kiln! Done?"

    assert (
        suppressed("Ann likes pizza", "Ann").without(told, [1])
        == "Ann rowed to Gdynia. On 3.5 she fired the kiln! Done?"
    )
    assert sentences_of("2026-11-08: Ann rowed. 2026-11-09: Ann slept") == [
        "2026-11-08: Ann rowed.",
        "2026-11-09: Ann slept",
    ]


def names_of(*names: str) -> frozenset[str]:
    return frozenset(print_ for name in names for print_ in FINGERPRINTS.of_name(name))


def test_members_who_are_not_remembered_are_recognised_by_name() -> None:
    """Whatever the case; a short name only as it is written; a name that is an everyday word not at all."""
    unnamed = Suppressed(FINGERPRINTS, (), {7: names_of("ann_k", "Ann Kling", "Will", "Bo")})
    for text in ("ann kling left", "ANN KLING's boat", "she and Ann_K rowed", "Bo's boat"):
        assert unnamed.names(text), text
    for text in ("kling rowed", "it was Ann"):
        assert unnamed.names(text), text
    for text in ("anna left", "then Will came", "the will was read", "bo"):
        assert not unnamed.names(text), text
    others = Suppressed(FINGERPRINTS, (), {7: names_of("Bo", "王伟", "Анна", "🦊🦊", "Anna Maria von Trapp")})
    for text in (
        "Bo left",
        "昨天王伟去了",
        "видел Анну и Анне сказал",
        "hi 🦊🦊 there",
        "Anna Maria von Trapp sang",
        "Anna Maria sang",
        "the Trapps: Trapp",
    ):
        assert others.names(text), text
    for text in ("bo left", "Анатолий ушёл", "a trapper"):
        assert not others.names(text), text
    assert is_exact("Will")
    assert not is_exact("ann")


def test_fingerprints_are_no_words_and_differ_by_key() -> None:
    """Without the key nobody can even guess."""
    found = FINGERPRINTS.of_statement("Ann likes pizza").fingerprints
    others = Fingerprints(b"another").of_statement("Ann likes pizza").fingerprints

    assert not found & others
    assert not any("pizz" in fingerprint for fingerprint in found)


def test_names_tell_alone_and_a_number_does_not() -> None:
    """At the start of a sentence a capital is no name; a sole word tells all there is."""
    assert keywords("The boats are owned by Tom, 3 of them")["tom"]
    assert not keywords("The boats are owned by Tom, 3 of them")["3"]
    assert keywords("Boats sink") == {"boat": False, "sink": False}
    assert keywords("she owns boats", ignore=["owns"]) == {"boat": True}
