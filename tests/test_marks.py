"""What was forgotten is recognised by digests of its words, and the digests tell nothing."""

import pytest

from memory.rules.keywords import Marker, Suppressed, Suppression, is_exact, keywords, sentences_of
from tests.conftest import NOON

MARKER = Marker(b"a key")


def suppressed(statement: str, *names: str) -> Suppressed:
    marks, alone = MARKER.marks(statement, names)
    return Suppressed(
        MARKER,
        [
            Suppression(
                suppression_id=1, user_id=1, marks=frozenset(marks), distinctive=frozenset(alone), created_at=NOON
            )
        ],
    )


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
def test_a_text_tells_a_statement_by_its_telling_words(statement: str, text: str, tells: bool) -> None:
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


def marks_of(*names: str) -> frozenset[str]:
    return frozenset(mark for name in names for mark in MARKER.name_marks(name))


def test_members_who_are_not_remembered_are_recognised_by_name() -> None:
    """Whatever the case; a short name only as it is written; a name that is an everyday word not at all."""
    unnamed = Suppressed(MARKER, (), {7: marks_of("ann_k", "Ann Kling", "Will", "Bo")})
    for text in ("ann kling left", "ANN KLING's boat", "she and Ann_K rowed", "Bo's boat"):
        assert unnamed.names(text), text
    for text in ("anna left", "kling and ann", "then Will came", "the will was read", "bo"):
        assert not unnamed.names(text), text
    others = Suppressed(MARKER, (), {7: marks_of("Bo", "王伟", "Анна", "🦊🦊", "Anna Maria von Trapp")})
    for text in ("Bo left", "昨天王伟去了", "видел Анну и Анне сказал", "hi 🦊🦊 there", "Anna Maria von Trapp sang"):
        assert others.names(text), text
    for text in ("bo left", "Анатолий ушёл", "Anna Maria sang"):
        assert not others.names(text), text
    assert is_exact("Will")
    assert not is_exact("ann")


def test_digests_are_no_words_and_differ_by_key() -> None:
    """Without the key nobody can even guess."""
    marks, _ = MARKER.marks("Ann likes pizza")
    others, _ = Marker(b"another").marks("Ann likes pizza")

    assert not marks & others
    assert not any("pizz" in mark for mark in marks)


def test_names_tell_alone_and_a_number_does_not() -> None:
    """At the start of a sentence a capital is no name; a sole word tells all there is."""
    assert keywords("The boats are owned by Tom, 3 of them")["tom"]
    assert not keywords("The boats are owned by Tom, 3 of them")["3"]
    assert keywords("Boats sink") == {"boat": False, "sink": False}
    assert keywords("she owns boats", ["owns"]) == {"boat": True}
