"""No text of a member takes long to look at: every pattern and every function that scans one, on hostile texts."""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path

import pytest

from memory.ai.prompts import (
    FACT_CHARACTERS,
    NotesAnswer,
    Participants,
    accepted,
    escape,
    lines,
    rendered,
    rendered_text,
)
from memory.ai.prompts.rendering import talk
from memory.levels.checks import Checks
from memory.records import Confidence, Fact, Member, Message, Source
from memory.rules.calendar import zone
from memory.rules.content_policy import clean_answer, keep_allowed_sentences, reason_to_reject
from memory.rules.folding import disguises, folded, surface
from memory.rules.keys import keyed, normal_key
from memory.rules.keywords import is_everyday, keywords, sentences_of
from memory.rules.names import Names, opening, with_ids
from memory.rules.questions import possible_names, read
from memory.rules.safety import (
    detectors,
    formats,
    is_order,
    is_unlawful,
    matter_of,
    redacted,
    secret_spans,
    secrets_in,
)
from memory.rules.statements import is_plain
from memory.rules.support import borne_out, names_of, strange
from memory.rules.suppression import Fingerprints, KeyedStatement, Suppressed, Suppression
from memory.rules.text import clean, fit, mentioned, one_line, readable, tokens
from memory.suppressions import Screen, concerned
from urmom_bot.languages import languages
from urmom_bot.markup import foreign
from urmom_bot.talk import addressed, grammar, guess_language, people, split
from urmom_bot.talk.grammar import asks_the_bot, is_question, parse
from urmom_bot.talk.people import alias, resolve_name, speaks_of_oneself, subject
from urmom_bot.talk.proposals import proposed
from urmom_bot.transcript import transcript

LENGTH = 4_000
"""Characters of the longest message that Discord takes."""

SHORT = 500
"""Characters of the text that it is compared with."""

GROWTH = 24
"""Times as long that a look may take at a text eight times as long; where it grows with the square these are 64."""

QUICK = 0.003
"""Seconds of processor time that say by themselves that a look at the longest message grows with no square."""

ROUNDS = 40
"""How often both are timed, the quickest counted, before a look is said to grow too fast."""

ROOT = Path(__file__).parents[2]


def hostile(length: int) -> dict[str, str]:
    """Texts of `length` characters that make a careless pattern try every way to match."""

    def filled(unit: str, start: str = "", end: str = "") -> str:
        return start + (unit * length)[: length - len(start) - len(end)] + end

    runs = {
        **{
            f"run of {unit!r}": filled(unit)
            for unit in (" ", "\t", "\n", "1", "a", "A", "_", "-", ":", "'", '"', "\u0301")
        },
        **{
            f"run of {unit!r} and an end": filled(unit, end="x y")
            for unit in (" ", "1", "_", ".", "A", "://", "\u0301")
        },
        **{
            f"pairs {unit!r}": filled(unit)
            for unit in (
                "\ufdfa",
                "ﬁ ",
                "㎏",
                "½",
                "①",
                "a ",
                "1 ",
                "1-",
                "a_",
                "A1",
                "Aa ",
                "x: ",
                "://",
                "a@",
                "@@",
                "“a",
                "é ",
            )
        },
        "CJK": filled("我愛你的貓"),
        "kana and marks": filled("が\u3099ね"),
        "cyrillic": filled("Сергей любит чай "),
        "capitals": filled("ABCDEFGH IJKL "),
        "quotes": filled("\"'“”«»`"),
        "mentions": filled("<@400000000000000002> "),
        "open marks": filled("<@"),
        "emoji": filled("<:party:400000000000000002>"),
        "sentences": filled("Ann likes tea. "),
        "dates": filled("2026-11-10: x "),
        "digits in fours": filled("4111 1111 1111 1111 "),
        "iban": filled("DE89370400440532013000"),
        "iban in fours": filled("DE89 3704 0044 0532 "),
        "links": filled("https://a.b/c?d=e&f "),
        "schemes": filled("a://b:"),
        "key=value": filled("key=value;"),
        "equals": filled("pass="),
        "polite": filled("please, ", end="x"),
        "negations": filled("не уже очень "),
    }
    for word in (
        "password",
        "password is",
        "the pin code for x is",
        "remember",
        "remember this about",
        "forget that",
        "what do you know about",
        "always",
        "ignore the",
        "from now on",
        "when he",
        "eyJ",
        "AKIA",
        "-----BEGIN",
        "aws_secret",
        "SK",
        "bob: ",
        "I am",
        "set time zone",
        "delete everything about",
        "reveal",
        "earns 10",
    ):
        for unit in (" ", "a", "1", "a ", "\u00a0", "x9!", ","):
            runs[f"{word!r} and {unit!r}"] = filled(unit, start=word, end="x y")
        runs[f"many {word!r}"] = filled(word + " ")
    return runs


HOSTILE = hostile(LENGTH)
SHORTER = hostile(SHORT)


def seconds(look: Callable[[str], object], text: str) -> float:
    """The processor's time for one look at a text."""
    parse.cache_clear()
    start = time.thread_time()
    look(text)
    return time.thread_time() - start


def growth(look: Callable[[str], object], name: str, first: float = float("inf")) -> float:
    """How many times as long a look at a text of eight times the length takes, the quickest of some tries each.

    A busy machine makes single looks slower, and none quicker: it ends as soon as the growth is within its bound.
    """
    long, short = first, float("inf")
    for tries in range(ROUNDS):
        short = min(short, seconds(look, SHORTER[name]))
        long = min(long, seconds(look, HOSTILE[name]))
        is_within = long < QUICK or long <= GROWTH * short / (1 if tries else 2)
        if is_within or (tries > 4 and long > 2 * GROWTH * short):
            break
    return long / short


def grows(look: Callable[[str], object]) -> dict[str, float]:
    """The texts at which a look takes a time that grows too fast, with how many times as long it took."""
    found = {}
    for name, text in HOSTILE.items():
        first = seconds(look, text)
        if first >= QUICK and (times := growth(look, name, first)) > GROWTH:
            found[name] = round(times)
    return found


def patterns() -> Iterator[tuple[str, str, int]]:
    """Every pattern written in the project: (where, pattern, flags), with something simple for what is put into it."""
    called = {"compile", "search", "match", "fullmatch", "sub", "split", "findall", "finditer"}
    for path in sorted([*ROOT.glob("memory/**/*.py"), *ROOT.glob("urmom_bot/**/*.py")]):
        if "stand_ins" in path.parts or path.name == "demo.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in called):
                continue
            if not (isinstance(node.func.value, ast.Name) and node.func.value.id == "re" and node.args):
                continue
            written = _written(node.args[0])
            if written is not None:
                yield (
                    f"{path.relative_to(ROOT)}:{node.lineno}",
                    written,
                    re.IGNORECASE if "IGNORECASE" in ast.unparse(node) else 0,
                )
    for code in languages():
        for wish in sorted(grammar.TELLING):  # the others are tried on short messages alone
            for n, way in enumerate(grammar._patterns(code, wish)):  # as a whole, and not at every place
                yield f"grammar: {wish} {n} in {code}", rf"\A(?:{way.pattern})\Z", re.I | re.S
        if (first := people._first_person(code)) is not None:
            yield f"first person in {code}", first.pattern, 0
    for part in ("grammar.unmeant", "grammar.not_now"):
        yield f"grammar: {part}", grammar._everywhere(part).pattern, re.I | re.S
    for of_all in (grammar._asks, grammar._by_number, people._own_name):
        yield f"grammar: {of_all.__name__}", of_all().pattern, re.I
    for name, pattern in formats():
        yield name, pattern.pattern, pattern.flags & re.IGNORECASE


def _written(node: ast.expr) -> str | None:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(part.value if isinstance(part, ast.Constant) else "x" for part in values)
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            found = _written(left), _written(right)
            return None if None in found else "".join(map(str, found))
        case ast.Name():
            return None
    return None


def test_the_patterns_are_found() -> None:
    """A pattern that the next test does not see would not be tried."""
    found = [where for where, _, _ in patterns()]
    for place in (
        "memory/rules/safety/secrets.py",
        "memory/rules/keywords.py",
        "memory/rules/text.py",
        "urmom_bot/talk/people.py",
        "grammar:",
        "orders",
    ):
        assert any(where.startswith(place) for where in found), place
    assert len(found) > 100


def test_every_pattern_is_linear() -> None:
    """None of the project takes a time that grows with the square of a text."""
    failed = {}
    for where, written, flags in patterns():
        if trouble := grows(re.compile(written, flags).findall):
            failed[where] = trouble
    assert not failed, failed


def test_a_pattern_that_is_not_is_found() -> None:
    """However quick or slow the machine is."""
    text = "run of 'a'"
    assert growth(re.compile(r".*x").findall, text) > GROWTH > growth(re.compile(r"a").findall, text)


def _fact() -> Fact:
    now = datetime(2026, 11, 10, tzinfo=UTC)
    return Fact(
        guild_id=1,
        fact_id=1,
        user_id=1,
        key="note",
        value="ann likes tea in Riga",
        domain="personal",
        confidence=Confidence.HIGH,
        source=Source.EXPLICIT,
        stated_by=1,
        channel_id=None,
        message_id=None,
        quote="",
        audience=0,
        created_at=now,
        last_confirmed_at=now,
    )


ZONE = zone("UTC")


def _message(text: str) -> Message:
    return Message(
        guild_id=1, message_id=1, channel_id=7, user_id=1, text=text, timestamp=datetime(2026, 11, 10, tzinfo=UTC)
    )


ANN = Member(guild_id=1, user_id=1, display_name="ann", username="ann.smith", aliases=("Anna Smith",))
MEMBERS = {
    1: ANN,
    **{n: Member(guild_id=1, user_id=n, display_name=f"user {n}", username=f"u{n}") for n in range(2, 12)},
}
FINGERPRINTS = Fingerprints(b"k" * 32)
SUPPRESSED = Suppressed(
    FINGERPRINTS,
    [
        Suppression(
            suppression_id=1,
            user_id=1,
            statement=KeyedStatement(frozenset("abc"), frozenset()),
            created_at=datetime(2026, 1, 1, tzinfo=UTC),
        )
    ],
    {2: FINGERPRINTS.of_name("Bob") | FINGERPRINTS.of_name("我愛")},
)


def _of_a_statement(look: Callable[[str], object]) -> Callable[[str], object]:
    """A look at what somebody states: it is shortened before."""
    return lambda text: look(fit(text, FACT_CHARACTERS))


def _take(text: str) -> None:
    """Everything that happens to one message: cleaned, looked through for secrets, its addressees found, screened."""
    text = clean(text)
    secret_spans(text)
    Names(MEMBERS.values()).addressees(_message(text))
    SUPPRESSED.tells(text, [1])


LOOKS: dict[str, Callable[[str], object]] = {
    "a message": _take,
    "secrets_in": secrets_in,
    "secret_spans": secret_spans,
    "escape": escape,
    "escape of a name": lambda text: escape(text, 40),
    "rendered_text": lambda text: rendered_text(text, {}, {}),
    "rendered": lambda text: rendered(_message(text), {}, {}),
    "talk": lambda text: talk(
        [_message(text)], tz=ZONE, participants=Participants([1], MEMBERS), members=MEMBERS, channels={}
    ),
    "accepted": lambda text: accepted(text, 300),
    "addressees": lambda text: Names(MEMBERS.values()).addressees(_message(text)),
    "people named": lambda text: Names(MEMBERS.values()).named(text),
    "opening": lambda text: opening(text, MEMBERS),
    "with_ids": lambda text: with_ids(text, Names(MEMBERS.values()).whose),
    "marks of a prompt": lambda text: Participants(MEMBERS, MEMBERS).with_ids(text),
    "told": lambda text: Participants(MEMBERS, MEMBERS).told(text),
    "lines": lambda text: list(lines(NotesAnswer(notes=[text, f"u1 event 1 {text}", f"u1 event 1 1: {text}"]))),
    "names of": names_of,
    "strange": lambda text: strange(text, text),
    "borne out": lambda text: borne_out(text, text, date(2026, 11, 5)),
    "checks": lambda text: Checks(
        [_message(text)], Participants(MEMBERS, MEMBERS), MEMBERS, [], date(2026, 11, 5)
    ).shows(1, 2),
    "transcript": lambda text: transcript(text, []),
    "is_everyday": is_everyday,
    "fingerprints": FINGERPRINTS.of_statement,
    "redacted": redacted,
    **{
        f"{look.__name__} of a statement": _of_a_statement(look)
        for look in (is_order, matter_of, is_unlawful, reason_to_reject)
    },
    "objection": reason_to_reject,
    "an account": lambda text: keep_allowed_sentences(text, text, date(2026, 11, 5)),
    "an answer": lambda text: clean_answer(text, text, ["bob", "Ann", "Anna Smith"]),
    "surface": surface,
    "folded": folded,
    "disguises": disguises,
    "fingerprints of a text": FINGERPRINTS.of_text,
    "plain statement": is_plain,
    "foreign": foreign,
    "proposed": lambda text: proposed("remember", "", text[:60], text),
    "screen": lambda text: Screen(SUPPRESSED, {1: ("ann",)}).without(text, [1]),
    "keyed": keyed,
    "normal_key": normal_key,
    "keywords": keywords,
    "sentences_of": sentences_of,
    "suppressed.tells": lambda text: SUPPRESSED.tells(text, [1]),
    "suppressed.names": SUPPRESSED.names,
    "suppressed.without": lambda text: SUPPRESSED.without(text, [1]),
    "of_name": lambda text: FINGERPRINTS.of_name(text),
    "concerned": lambda text: concerned(text, 1, {u: m.names for u, m in MEMBERS.items()}),
    "clean": clean,
    "one_line": one_line,
    "fit": lambda text: fit(text, 1_000),
    "tokens": tokens,
    "mentioned": mentioned,
    "readable": lambda text: readable(text, {}, {}),
    "a question": lambda text: read(text, date(2026, 11, 10)),
    "possible names": possible_names,
    "is_question": is_question,
    "asks_the_bot": lambda text: asks_the_bot(f"Bot {text}", "Bot"),
    "addressed": lambda text: addressed(text, 5, ["Bot"]),
    "parse": parse,
    "guess_language": guess_language,
    "split": split,
    "whom": lambda text: resolve_name(text, ANN, MEMBERS),
    "subject": lambda text: subject(text, ANN, MEMBERS),
    "alias": lambda text: alias(text, ANN, ANN),
    "speaks_of_oneself": speaks_of_oneself,
    **{f"detector {name}": partial(look) for name, look in detectors()},
}


@pytest.mark.parametrize("look", LOOKS)
def test_every_look_at_a_text_is_linear(look: str) -> None:
    """Whatever a member writes; how long it takes is measured by `python -m benchmarks.looks`."""
    LOOKS[look](HOSTILE["sentences"])  # what is read once is read before

    failed = grows(LOOKS[look])

    assert not failed, failed
