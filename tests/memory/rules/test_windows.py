"""How much of a conversation a prompt carries, and when its subject changes (seed 002)."""

from __future__ import annotations

import pytest

from memory.rules.likeness import (
    answers_for_long,
    domain_of_text,
    likeness,
    mentions_all,
    points_back,
    same_question,
)
from memory.rules.windows import BUDGETS, fitting, in_segments, over_budget, shift, window_size


@pytest.mark.parametrize(
    ("continuities", "size"),
    [
        ([], 6),
        ([0.9], 6),
        ([0.5, 0.5], 6),
        ([0.71, 0.71], 8),
        ([0.7, 0.9], 6),
        ([0.9, 0.7], 6),
        ([0.1, 0.9, 0.9], 8),
        ([0.29, 0.29], 4),
        ([0.3, 0.1], 6),
        ([0.1, 0.3], 6),
        ([0.1, 0.1, 0.5], 6),
    ],
)
def test_the_window_goes_by_continuity(continuities: list[float], size: int) -> None:
    """Six turns; eight where the last two hang together, four where neither of them does."""
    assert window_size(continuities) == size


KUBERNETES = "We should use kubernetes for the deployment of the backend servers"

SUBJECTS = [
    (KUBERNETES, "How many replicas of the backend does kubernetes need then?", False),
    (KUBERNETES, "and what about pods?", False),
    (KUBERNETES, "yes", False),
    (KUBERNETES, "why?", False),
    (KUBERNETES, "My sister is getting married in Lisbon next summer", True),
    (KUBERNETES, "By the way, who won the match?", True),
    (KUBERNETES, "let's change the subject", True),
    ("El servidor se cae cada noche", "otra cosa: ¿qué cenamos?", True),
    ("El servidor se cae cada noche", "cambiemos de tema", True),
    ("El servidor se cae cada noche", "¿y el servidor de pruebas también se cae?", False),
    ("Сервер падает каждую ночь", "а тестовый сервер тоже падает?", False),
    ("Сервер падает каждую ночь", "давай сменим тему", True),
    ("Сервер падает каждую ночь", "кстати, как твоя собака?", True),
    ("Le serveur tombe chaque nuit", "changeons de sujet", True),
    ("Le serveur tombe chaque nuit", "et le serveur de test ?", False),
    ("I deploy the code with docker", "what do you cook tonight, any recipe?", True),
]


@pytest.mark.parametrize(("before", "text", "changed"), SUBJECTS)
def test_when_the_subject_changes(before: str, text: str, changed: bool) -> None:
    """By likeness under 0.4, by phrases in four languages, by another domain; short talk goes on."""
    assert shift(text, [before], likeness(text, [before])).is_shift is changed


@pytest.mark.parametrize(
    ("text", "flushes"),
    [
        ("let's change the subject", True),
        ("cambiemos de tema", True),
        ("by the way, tea?", False),
        ("otra cosa", False),
    ],
)
def test_who_asks_for_another_subject_gets_a_new_window(text: str, flushes: bool) -> None:
    """Saying so flushes; only passing on to something else does not."""
    assert shift(text, [KUBERNETES], 0.5).is_flush is flushes


def test_a_first_turn_changes_nothing() -> None:
    """There is nothing before it; but that somebody asks for another subject is understood all the same."""
    assert not shift("by the way", [], 0.0).is_shift
    assert shift("let's change the subject", [], 0.0).is_flush


def test_a_domain_alone_changes_only_what_does_not_hang_together() -> None:
    """A word of another domain in talk that goes on is no other subject."""
    text = "My wife and my mother hate this docker"
    assert not shift(text, ["the docker server is down"], 0.8).is_shift
    assert shift("I cook with my new recipe book", ["the docker server is down"], 0.5).is_shift


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("the server needs a new release", "projects"),
        ("mi jefe y la oficina", "work"),
        ("моя собака и отпуск", "personal"),
        ("une recette et de la musique", "preferences"),
        ("hello there", None),
        ("my dog on the server", None),
    ],
)
def test_domains_of_texts(text: str, domain: str | None) -> None:
    """The domain of most of its words, in four languages; two alike are none."""
    assert domain_of_text(text) == domain


def test_what_points_back() -> None:
    """A word near its start that stands for something said before."""
    assert points_back("and that one?")
    assert not points_back("who plays chess in this place with it")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("What does Ann play?", "What does Ann play, please?", True),
        ("Which instrument does Ann play?", "When does Ann play an instrument?", False),
        ("How many cats has Ann?", "How many dogs has Ann?", False),
        ("Who has 2 cats?", "Who has 3 cats?", False),
        ("Does Anna owe Bob money?", "Does Bob owe Anna money?", False),
        ("Does Bob like cats?", "Did Bob like cats?", False),
        ("What do I like?", "What does he like?", False),
        ("Who does like tea here?", "Who does not like tea here?", False),
        ("", "", False),
    ],
)
def test_the_same_question_in_other_words(one: str, other: str, same: bool) -> None:
    """Keywords alike, and no other number, question word or person spoken of."""
    assert (same_question(one, other) > 0.85) is same


@pytest.mark.parametrize(
    ("question", "lasts"),
    [
        ("What does Ann play?", True),
        ("What is Ann doing now?", False),
        ("¿Qué hizo Ann hoy?", False),
        ("Что Анна делает сейчас?", False),
        ("Que fait Ann aujourd'hui ?", False),
        ("Is Ann sad?", False),
        ("¿Ann está triste?", False),
        ("Анна боится? боюсь", False),
        ("Ann est-elle inquiète ?", False),
        ("Where does Ann snow-ski?", True),
    ],
)
def test_what_is_asked_of_the_moment_or_of_feelings(question: str, lasts: bool) -> None:
    """Is never answered from an earlier answer (seed 002, §5.2)."""
    assert answers_for_long(question) is lasts


def test_what_is_said_again() -> None:
    """All keywords of a statement, of which there are two; one alone says too little."""
    assert mentions_all("I still work at the bakery in Lyon", "works at a bakery in Lyon")
    assert not mentions_all("I was in Lyon", "works at a bakery in Lyon")
    assert not mentions_all("I like tea a lot", "<@1> likes tea", ["likes"])


@pytest.mark.parametrize(
    ("numbers", "shifts", "runs"),
    [
        ([1, 2, 3, 4, 5, 6], [], [[1, 2, 3], [4, 5, 6]]),
        ([1, 2, 3, 4], [], [[1, 2, 3]]),
        ([1, 2, 3, 4], [3], [[1, 2]]),
        ([1, 2, 3, 4], [3, 9], [[1, 2], [3, 4]]),
        ([1, 2], [2], [[1]]),
        ([1, 2], [], []),
        ([1, 2], [1], []),
        ([], [3], []),
    ],
)
def test_turns_in_segments(numbers: list[int], shifts: list[int], runs: list[list[int]]) -> None:
    """Three turns each; a subject that is over closes one early, an unfinished one waits."""
    assert in_segments(numbers, shifts) == runs


def test_a_question_and_its_answer_stay_in_one_segment() -> None:
    """Two exchanges are a segment, not one and a half; what waits for its answer waits whole."""
    assert in_segments(range(1, 9), [], [2, 4, 6, 8]) == [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert in_segments([1, 2, 3], [], [2, 4]) == []
    assert in_segments([1, 2, 3, 4, 5], [5], [4]) == [[1, 2, 3, 4]]
    assert in_segments([1, 2, 3, 5, 6, 7], [], [2, 8]) == [[1, 2, 3]]


def test_what_has_room() -> None:
    """The last items, as many as fit."""
    assert fitting([5, 5, 5], 10) == 2
    assert fitting([5, 5, 5], 15) == 3
    assert fitting([5, 5, 5], 4) == 0


def test_parts_over_their_budget() -> None:
    """One token more than a part may have is told."""
    assert over_budget(dict(BUDGETS)) == {}
    assert over_budget({"window": BUDGETS["window"] + 1}) == {"window": BUDGETS["window"] + 1}
    assert BUDGETS["whole"] == 4_000
    assert BUDGETS["delta"] == 1_850
