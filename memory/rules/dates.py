"""Days that a question names ("yesterday", "on Monday", "7 May 2023", "last week"). Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import date, timedelta
from functools import cache, partial

from memory.rules.wordlists import by_language, table

Span = tuple[date, date]
"""The first day, and the first after the last."""

_NAMES = table("dates.toml")
_DAYS_AGO = {int(ago): "|".join(names) for ago, names in _NAMES["days_ago"].items()}
WEEKDAYS = ["|".join(_NAMES["weekdays"][str(n)]) for n in range(1, 8)]
"""The names of each day of the week, as a pattern."""

MONTHS = ["|".join(_NAMES["months"][str(n)]) for n in range(1, 13)]
"""The names of each month, as a pattern."""

_LAST_WEEK, _THIS_WEEK = "|".join(_NAMES["last_week"]), "|".join(_NAMES["this_week"])

_ISO = re.compile(r"(?<!\d)(\d{4})-(\d\d)-(\d\d)(?!\d)")
_MONTH = "|".join(f"(?P<m{n}>{names})" for n, names in enumerate(MONTHS, 1))
_IN_A_MONTH = re.compile(
    rf"\b(?:(?P<before>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of| de)? )?(?:{_MONTH})\b"
    rf"(?: (?P<after>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d))?(?:,? (?:of |de )?(?P<year>\d{{4}})\b)?"
)


def names_near_day(text: str) -> bool:
    """Whether a text has a word such as "tomorrow", which means another day when it is read later."""
    return any(pattern.search(text) is not None for pattern, _ in _near_days().values())


def with_dates(text: str, today: date) -> str:
    """A text with the date behind each word such as "tomorrow", seen from `today`: "exam tomorrow (2026-11-29)".

    By the words of the language that the text has most small words of. A past day needs one: French "hier" is "here" in
    German. A capital within a sentence shows a title or a name ("USA Today").
    """
    words = set(re.findall(r"[^\W\d_]+", text.casefold()))
    small = {code: len(words & _small_words(code)) for code in _near_days()}
    for code, (pattern, by_days) in _near_days().items():
        if small[code] == max(small.values()):
            text = pattern.sub(partial(_with_date, by_days=by_days, today=today, is_sure=small[code] > 0), text)
    return text


def _with_date(found: re.Match[str], *, by_days: Mapping[int, str], today: date, is_sure: bool) -> str:
    is_title = found["day"][0].isupper() and not _BEGINS.search(found.string, 0, found.start())
    ahead = next(n for n, names in by_days.items() if re.fullmatch(names, found["day"], re.IGNORECASE))
    return found[0] if is_title or (ahead < 0 and not is_sure) else f"{found[0]} ({today + timedelta(days=ahead)})"


_BEGINS = re.compile(r"(?:^|[.!?:“\"])\s*$")
"""What stands before the first word of a sentence."""


@cache
def _near_days() -> Mapping[str, tuple[re.Pattern[str], Mapping[int, str]]]:
    """By language: a pattern for all days near today, and for each by how many days ahead it is."""
    found = {}
    for code, names in by_language("dates.toml").items():
        by_days = {sign * int(n): "|".join(names[part][n]) for part, sign in _NEAR for n in sorted(names[part])[::-1]}
        either = "|".join(by_days.values())
        found[code] = (
            re.compile(rf"(?<![\w/:<@#.-])(?P<day>{either})(?:['’]s)?(?!\w|[/>:.-]\w| \(\d)", re.IGNORECASE),
            by_days,
        )
    return found


_NEAR = (("days_ahead", 1), ("days_ago", -1))
"""The lists of days near today, and whether they lie ahead."""


@cache
def _small_words(code: str) -> frozenset[str]:
    return frozenset(by_language("words.toml")[code]["everywhere"])


def is_weekday(text: str) -> bool:
    """Whether a text is the name of a weekday, or of all of its kind ("mondays"), in any language."""
    return any(re.fullmatch(rf"(?:{day})s?", text.strip(), re.IGNORECASE) is not None for day in WEEKDAYS)


def is_month(text: str) -> bool:
    """Whether a text is the name of a month, in any language."""
    return any(re.fullmatch(rf"(?:{month})", text.strip(), re.IGNORECASE) is not None for month in MONTHS)


def span_in(text: str, today: date) -> Span | None:
    """The days that `text` names, seen from `today`; None where it names none. Days to come are taken for past ones."""
    text = " ".join(text.casefold().split())
    if found := _ISO.search(text):
        return _day(*map(int, found.groups()))
    for ago in sorted(_DAYS_AGO, reverse=True):
        if _has(_DAYS_AGO[ago], text):
            return _days(today - timedelta(days=ago))
    monday = today - timedelta(days=today.weekday())
    if _has(_LAST_WEEK, text):
        return monday - timedelta(days=7), monday
    if _has(_THIS_WEEK, text):
        return monday, today + timedelta(days=1)
    for weekday, names in enumerate(WEEKDAYS):
        if _has(names, text):
            return _days(today - timedelta(days=(today.weekday() - weekday) % 7 or 7))
    for found in _IN_A_MONTH.finditer(text):
        month = next(n for n in range(1, 13) if found[f"m{n}"])
        day, year = found["before"] or found["after"], found["year"]
        if month in (3, 5) and not (day or year):
            continue  # "may" and "march" are words
        guessed = int(year) if year else today.year - (month > today.month)
        if day and (exact := _day(guessed, month, int(day))):
            return exact
        return date(guessed, month, 1), date(guessed + month // 12, month % 12 + 1, 1)
    return None


_NUMERIC = re.compile(r"(?<![\d.])(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?:\d{4}|\d\d)?(?![\d.])")
"""A day as it is written with dots ("3.5.1990")."""


def birthday_in(text: str, names: Collection[str]) -> tuple[int, int] | None:
    """The month and the day of a sentence that says when somebody's birthday is, and nothing else; None for others.

    `names` are what they are called. A party, a dog's birthday, a day that it is not: none of them is a birthday.
    """
    text = " ".join(text.casefold().split())
    found = [*_ISO.finditer(text), *_NUMERIC.finditer(text)]
    found += [one for one in _IN_A_MONTH.finditer(text) if one["before"] or one["after"]]
    if len(found) != 1:
        return None
    (day,) = found
    rest = f"{text[: day.start()]} {text[day.end() :]}"
    for name in sorted((name.casefold() for name in names), key=len, reverse=True):
        rest = rest.replace(name, " ")
    words = set(re.findall(r"[^\W\d_]+", re.sub(r"<@!?\d+>|\b\d{4}\b", " ", rest)))
    known = _BIRTHDAY | frozenset(table("birthdays.toml")["beside"])
    if re.search(r"\d", re.sub(r"<@!?\d+>|\b\d{4}\b", " ", rest)) or not words <= known:
        return None
    if day.re is _ISO:
        return _month_and_day(int(day[2]), int(day[3]))
    if day.re is _NUMERIC:
        return _month_and_day(int(day["month"]), int(day["day"]))
    return _month_and_day(next(n for n in range(1, 13) if day[f"m{n}"]), int(day["before"] or day["after"]))


def tells_birthday(text: str) -> bool:
    """Whether a sentence by itself says when its speaker's birthday is ("ich habe am 3. Mai Geburtstag")."""
    says_so = not _BIRTHDAY.isdisjoint(re.findall(r"[^\W\d_]+", text.casefold()))
    return says_so and birthday_in(text, ()) is not None


_BIRTHDAY = frozenset(table("birthdays.toml")["words"])


def _month_and_day(month: int, day: int) -> tuple[int, int] | None:
    try:
        date(2024, month, day)  # a leap year: 29 February is somebody's birthday
    except ValueError:
        return None
    return month, day


def _has(names: str, text: str) -> bool:
    return re.search(rf"\b(?:{names})\b", text) is not None


def _day(year: int, month: int, day: int) -> Span | None:
    try:
        return _days(date(year, month, day))
    except ValueError:
        return None


def _days(day: date) -> Span:
    return day, day + timedelta(days=1)
