"""Words left out of a note: those that nothing bears out, where it still reads well."""

import pytest

from memory.rules.omission import without


@pytest.mark.parametrize(
    ("text", "words", "left"),
    [
        (
            "is stuck at 1024 on 9.10 with a larger one before",
            {"9.10", "10"},
            "is stuck at 1024 with a larger one before",
        ),
        (
            "runs out of room on the upgrade to 9.10, /boot is low",
            {"9.10"},
            "runs out of room on the upgrade, /boot is low",
        ),
        ("was told to upgrade from 5.10, dapper works fine", {"5.10"}, "was told to upgrade, dapper works fine"),
        ("has Hardy 8.04 with two screens", {"8.04"}, "has Hardy with two screens"),
        (
            "suspects the driver behind the failing 8.04 install",
            {"8.04"},
            "suspects the driver behind the failing install",
        ),
        ("went to bed at three, about 11:00 UTC", {"11:00", "UTC"}, "went to bed at three"),
        ("went to bed at 11:00 UTC, as ever and ever", {"11:00", "UTC"}, "went to bed, as ever and ever"),
        ("has Hardy 8.04 with Wi-Fi at home", {"8.04", "Wi-Fi"}, None),
        ("lo dejó en el taller a las 5, con la puerta abierta", {"5"}, "lo dejó en el taller, con la puerta abierta"),
        ("startet den Ofen seit 9.10, ohne Erfolg bisher", {"9.10"}, "startet den Ofen, ohne Erfolg bisher"),
        ("поставил систему на 9.10, потом всё сломалось", {"9.10"}, "поставил систему, потом всё сломалось"),
    ],
)
def test_what_nothing_bears_out_is_left_out(text: str, words: set[str], left: str | None) -> None:
    """With its preposition, behind a name, between an article and its noun, or as one of several."""
    assert without(text, words) == left


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("writes Polish, is new here", {"Polish"}),  # what a verb needs
        ("has 3 kilns at home", {"3"}),  # how many
        ("moved to Oslo with her two cats", {"Oslo"}),  # a name is what a phrase is about
        ("waits in 9.10", {"9.10"}),  # too little would be left
        ("9.10 broke the old kiln", {"9.10"}),
        ("is on 9.10, as ever and ever", {"9.10"}),  # "is" alone says nothing
        ("doesn't drink before 18, says so often", {"18"}),  # without it, it says more
        ("only smokes since 2019, and little", {"2019"}),
        ("is allowed to drive at 18, in Germany", {"18"}),
        ("listens to U2, likes rock music", {"U2", "2"}),  # a name
        ("wants to run Wine 1.1 instead of Wine 1.0", {"1.0"}),
        ("told <@3> to look under System, Administration, Printing", {"Printing"}),
        ("refuses to work after 17:00, cooks", {"17:00"}),
        ("never, ever, drinks before 18", {"18"}),
        ("works from 9 to 5 at the kiln", {"5"}),
        ("cut spending from 300 to 200 monthly", {"300"}),
        ("would move to York at 30 if single", {"30"}),
    ],
)
def test_a_text_that_would_not_read_well_is_none(text: str, words: set[str]) -> None:
    """Then the note is dropped."""
    assert without(text, words) is None
