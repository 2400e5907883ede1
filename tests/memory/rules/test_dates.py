"""Days that a statement names by how near they are."""

from datetime import date

import pytest

from memory.rules.dates import names_near_day, with_dates

TODAY = date(2026, 11, 28)


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("I have an exam tomorrow", "I have an exam tomorrow (2026-11-29)"),
        ("Tomorrow's raid is off", "Tomorrow's (2026-11-29) raid is off"),
        ("the day after tomorrow I fly", "the day after tomorrow (2026-11-30) I fly"),
        ("I saw bob last night", "I saw bob last night (2026-11-27)"),
        ("I met her the day before yesterday", "I met her the day before yesterday (2026-11-26)"),
        ("today I moved, tomorrow I rest", "today (2026-11-28) I moved, tomorrow (2026-11-29) I rest"),
        ("ich schreibe übermorgen eine prüfung", "ich schreibe übermorgen (2026-11-30) eine prüfung"),
        ("ich hab morgen prüfung", "ich hab morgen (2026-11-29) prüfung"),
        ("mañana por la mañana viajo", "mañana (2026-11-29) por la mañana viajo"),
        ("pasado mañana viajo", "pasado mañana (2026-11-30) viajo"),
        ("j'ai un exam après-demain", "j'ai un exam après-demain (2026-11-30)"),
        ("hier j'ai vu Bob", "hier (2026-11-27) j'ai vu Bob"),
        ("послезавтра экзамен", "послезавтра (2026-11-30) экзамен"),
    ],
)
def test_a_day_gets_its_date(text: str, dated: str) -> None:
    """Read a month later, the words alone would mean another day."""
    assert names_near_day(text)
    assert with_dates(text, TODAY) == dated


@pytest.mark.parametrize(
    "text",
    [
        "I play chess",
        "ich bin hier neu",
        "hier ist mein auto",
        "guten morgen",
        "jeden morgen jogge ich",
        "trabajo por la mañana",
        "corro todas las mañanas",
        "tomorrowland is my favourite festival",
        "exam tomorrow (2026-11-29)",
        "my favourite song is Yesterday",
        "I read USA Today",
        "Wohne hier seit 2010",
        "raids Sonntag morgen",
        "trabajo de mañana",
        "hoy en día vivo en Lima",
        "https://x.com/today/a",
        "<:today:123>",
    ],
)
def test_other_words_get_none(text: str) -> None:
    """Nor does what has its date already."""
    assert with_dates(text, TODAY) == text
