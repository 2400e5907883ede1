"""How much of what people type is understood without AI: sentences of writers who had not seen the code.

The word lists were written with the examples in the folders of the languages, and the weights are fitted to them.
`tests/project/corpus/wishes` has sentences that other writers wrote, and that neither was made with.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from memory import Member
from urmom_bot.languages import languages
from urmom_bot.talk import commands, grammar
from urmom_bot.talk.people import resolve_name
from urmom_bot.talk.vocabulary import ONESELF

CORPUS = Path(__file__).parent / "project" / "corpus" / "wishes"
COMMANDS = CORPUS.parent / "commands"
LANGUAGES = Path(__file__).parents[1] / "urmom_bot" / "languages"

LATEST = CORPUS.parent / "latest"

PARTS = ("examples", "aside", "latest")
"""Those that the bot learns from, those that were kept aside, and those of the writers of 29 and 30 November 2026."""

COMMANDS_ASIDE = "commands"
"""The part with smaller commands, and what sounds like them: kept aside too."""

PEOPLE = {name: 100 + n for n, name in enumerate(("ann", "kate", "marcus", "sergey", "luna", "jake"))}
"""Who is in the server of the corpus, with their ids."""

WISHES = ("remember", "forget", "know", "undo")
"""The four that count."""

SMALLER = ("reset", "missed", "jokes", "nojokes", "meant", "privacy", "undo", "forget_that")
"""The smaller commands of members."""

ORDERS = (*WISHES, "forget_that", "cancel")
"""What is worse than not understood, where something else was meant."""

NO_WISHES = ("question", "notmeant", "closing")
"""What is no order, though it has the words of one, or is not said to the bot."""

_MEMBERS = {i: Member(guild_id=1, user_id=i, display_name=name, username=name) for name, i in PEOPLE.items()}
_SPEAKER = Member(guild_id=1, user_id=99, display_name="zoe", username="zoe")


@dataclass
class Score:
    """How many sentences of each kind there are, how many were understood, and which were taken for something else."""

    total: Counter[str] = field(default_factory=Counter)
    understood: Counter[str] = field(default_factory=Counter)
    inverted: list[tuple[str, str, str]] = field(default_factory=list)
    """Wishes taken for another, as (wanted, taken for, text)."""
    false_orders: list[tuple[str, str, str]] = field(default_factory=list)
    misheard: list[tuple[str, str]] = field(default_factory=list)
    """Facts that would be kept in other words, as (wanted, kept)."""

    @property
    def share(self) -> float:
        """Of the four wishes."""
        return sum(self.understood[wish] for wish in WISHES) / sum(self.total[wish] for wish in WISHES)

    @property
    def smaller_share(self) -> float:
        """Of the smaller commands."""
        return sum(self.understood[wish] for wish in SMALLER) / sum(self.total[wish] for wish in SMALLER)

    @property
    def inverted_share(self) -> float:
        """Of what is a wish, how much is taken for another."""
        return len(self.inverted) / sum(count for kind, count in self.total.items() if kind not in NO_WISHES)

    @property
    def false_share(self) -> float:
        """Of what is no order, how much is taken for one."""
        return len(self.false_orders) / sum(self.total[kind] for kind in NO_WISHES)


def languages_of(part: str) -> list[str]:
    """The languages that a part of the corpus has sentences in."""
    return sorted(language for language in languages() if _file(language, part).is_file())


def _file(language: str, part: str) -> Path:
    folders = {"aside": CORPUS, "latest": LATEST, COMMANDS_ASIDE: COMMANDS}
    return folders[part] / f"{language}.jsonl" if part in folders else LANGUAGES / language / "examples.jsonl"


def sentences(language: str, part: str) -> Iterator[dict[str, str]]:
    """The sentences of a language in one part of the corpus."""
    for line in _file(language, part).read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


Parse = Callable[[str], commands.Command | None]


def score(language: str, part: str, parse: Parse = grammar.parse, *, step: int = 1) -> Score:
    """What the grammar makes of them, or of one in `step`; or the word lists alone, with `grammar.parse_listed`."""
    found = Score()
    for sentence in islice(sentences(language, part), None, None, step):
        wish, text = sentence["wish"], sentence["text"]
        kind, command = understood(text, parse)
        found.total[wish] += 1
        if kind == wish or (wish in ("forget", "know") and kind == "privacy") or (wish, kind) == ("question", "help"):
            found.understood[wish] += 1
            content = sentence.get("content")
            if isinstance(command, commands.Remember) and content and _plain(command.statement) != _plain(content):
                found.misheard.append((content, command.statement))
        elif wish in ORDERS and kind in ORDERS:
            found.inverted.append((wish, kind, text))
        elif wish in NO_WISHES and kind in {*ORDERS, *SMALLER}:
            found.false_orders.append((wish, kind, text))
    return found


def understood(text: str, parse: Parse = grammar.parse) -> tuple[str, commands.Command | None]:
    """The kind of wish that a message is, in the words of the corpus, and the command."""
    written = re.sub(r"@(\w+)", lambda m: f"<@{PEOPLE.get(m[1].lower(), 1)}>" if _is_known(m[1]) else m[0], text)
    asked = grammar.addressed(written, 1, ("Bot", "Бот"))
    if asked is None:
        return "notmeant", None
    command = parse(asked)
    match command:
        case commands.Know() if not any(map(_is_about_people, (command.subject, command.otherwise or command.subject))):
            return "question", command
        case commands.Meant(is_plain=False) if not _is_about_people(command.subject):
            return "question", command
        case commands.TakeBack():
            return ("cancel" if command.drop else "undo"), command
        case commands.Thanks() | commands.Hush():
            return "closing", command
        case commands.ForgetLast():
            return "forget_that", command
        case commands.ShowPrivacy():
            return "privacy", command
        case commands.Forget(everything=True) if command.statement == ONESELF:
            return "privacy", command
        case commands.CatchUp():
            return "missed", command
        case commands.SetJokes():
            return ("jokes" if command.wanted else "nojokes"), command
        case None:
            return "question", None
    return type(command).__name__.lower(), command


def _is_known(name: str) -> bool:
    return name.lower() in PEOPLE or name.lower() == "bot"


def _is_about_people(subject: str) -> bool:
    names = [subject, *grammar.each(subject)]
    found = [resolve_name(name, _SPEAKER, _MEMBERS).member is not None for name in names]
    return found[0] or all(found[1:])


def _plain(statement: str) -> str:
    names = {str(i): name for name, i in PEOPLE.items()}
    return re.sub(r"<@(\d+)>", lambda m: f"@{names.get(m[1], 'bot')}", statement).strip(" .!?").casefold()
