"""Whom a question names, and by which words it looks."""

from __future__ import annotations

from datetime import date

import pytest

from memory.rules.questions import NamedMember, named, read, receivers

TODAY = date(2026, 11, 10)


def member(user_id: int, token: str, *names: str, exact: bool = False) -> NamedMember:
    return NamedMember(token=token, user_id=user_id, names=names, exact=exact)


@pytest.mark.parametrize(
    ("question", "members", "found"),
    [
        ("where does Max live", [member(1, "Max", "Max", exact=True), member(2, "Max", "Maximilian")], {"Max": {1}}),
        ("where does max live", [member(1, "max", "~Max~", exact=True), member(2, "max", "Maxine")], {"max": {1}}),
        ("where does maxi live", [member(2, "maxi", "Maximilian")], {"maxi": {2}}),
        ("where does ma live", [member(2, "ma", "Maximilian")], {}),
        (
            "where does Ann Smith live",
            [member(1, "Ann Smith", "Ann Smith", exact=True), member(2, "Ann", "Ann", exact=True)],
            {"Ann Smith": {1}},
        ),
        ("where does Ann Smith live", [member(1, "Ann Smith", "Ann Smithson")], {}),
        ("where does Will live", [member(1, "Will", "Will", exact=True)], {"Will": {1}}),
        ("Will it rain", [member(1, "Will", "Will", exact=True)], {}),
        ("will it rain", [member(1, "will", "Will", exact=True)], {}),
        ("did the light go out", [member(1, "light", "Lightning")], {}),
        ("did the light go out", [member(1, "light", "light", exact=True)], {"light": {1}}),
        ("where does Alexander live", [member(n, "Alexander", "Alexander II") for n in range(40)], {}),
    ],
)
def test_whom_a_question_names(question: str, members: list[NamedMember], found: dict[str, set[int]]) -> None:
    """A whole name before one alike before its beginning; of a longer one no part; nobody where too many are meant.

    A common word begins no name, and an everyday one is a name only with a capital inside a sentence.
    """
    assert named(read(question, TODAY), members) == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("who told Ann to reboot?", {1}),
        ("Bot, who told <@7> that?", {7}),
        ("who was it that helped Ann?", {1}),
        ("who told Ann to drop what Bob gave up?", {1}),
        ("what was Ann told about the fan?", {1}),
        ("what did Bob suggest to Ann?", {1}),
        ("what did they tell Ann?", {1}),
        ("what should Ann type?", {1}),
        ("what did Bob say Ann should type?", {1}),
        ("wer hat Ann geraten?", {1}),
        ("was wurde Ann geraten?", {1}),
        ("qui a dit ça à Ann ?", {1}),
        ("¿quién le dijo a Ann?", {1}),
        ("кто сказал Анне?", {3}),
        ("who did Ann tell?", set()),
        ("who was Ann talking to?", set()),
        ("to whom did Ann say it?", set()),
        ("à qui Ann a dit ça ?", set()),
        ("¿a quién le dijo Ann?", set()),
        ("wem hat Ann geraten?", set()),
        ("кому сказала Анна?", set()),
        ("what does Ann think?", set()),
        ("what did Bob tell everybody?", set()),
        ("Ann, who is it?", set()),
        ("who has Ann invited?", set()),
        ("who will Ann marry?", set()),
        ("who's Ann dating?", set()),
        ("what's the name of Ann's cat?", set()),
        ("how did Ann get home?", set()),
        ("wer ist Ann?", set()),
        ("qui Ann a-t-elle invité ?", set()),
        ("¿de quién habla Ann?", set()),
        ("кто такая Анна?", set()),
    ],
)
def test_to_whom_others_said_something(question: str, found: set[int]) -> None:
    """In five languages, by the words around a name; who did it is none of them."""
    assert receivers(question, {"Ann": {1}, "Bob": {2}, "Анна": {3}}) == found
