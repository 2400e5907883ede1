"""What a digest's answer leaves after code has checked it: conclusions and facts that the turns bear out. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from datetime import date

from memory.ai.prompts import FACT_CHARACTERS, DigestAnswer, DrawnConclusion, DrawnFact, Participants, accepted
from memory.ids import UserId
from memory.records import Conclusion, ConclusionKind, Fact, Session, Statement, Turn, TurnRole
from memory.rules.content_policy import is_not_to_be_noted
from memory.rules.keys import domain_of, normal_key
from memory.rules.keywords import is_everyday, keywords, sentences_of
from memory.rules.likeness import agrees, has_phrase, phrases, words_of
from memory.rules.safety.links import has_disguised_link, invites_in, links_in
from memory.rules.support import covered, has_another_name, is_turned, strange
from memory.rules.suppression import name_forms
from memory.rules.text import mentioned, one_line, without_ids
from memory.rules.wordlists import table
from memory.store.facts import Inferred

CONCLUSION_CHARACTERS = 200
"""Characters of a conclusion at the most; the model is asked for 150."""

NEIGHBOURS = 1
"""Turns around its evidence whose names and numbers a conclusion may have: what was proposed, and agreed to."""

LAUGHTER = re.compile(
    r"[\U0001f602\U0001f923\U0001f605\U0001f643\U0001f92a]|(?i:\b(?:lol|lmao|rofl|xd+|jaja\w*|mdr|ptdr|ахах\w*|хаха\w*)\b)"
)
"""What shows that a sentence is a joke."""

_CLAUSE = re.compile(rf"[,;:()—–]|\b(?:{'|'.join(table('words.toml')['but'])})\b", re.IGNORECASE)

MIN_COVERED_SHARE = 0.5
"""Of a conclusion's words of meaning, how many at least stand in what it rests on, or beside it."""

MOST_CONCLUSIONS, MOST_FACTS = 12, 8
"""What one talk may leave."""

TOPIC_CHARACTERS, SUMMARY_CHARACTERS = 40, 80
"""Characters of a topic's name and of its summary."""


class Drawing:
    """The turns of one talk, numbered from 1, and what may be drawn from them.

    `forbidden` tells whether a text of or about people tells what was forgotten, or names who is not remembered.
    `known` are earlier conclusions, as the model was shown them.
    """

    def __init__(
        self,
        session: Session,
        turns: Sequence[Turn],
        participants: Participants,
        day: date,
        forbidden: Callable[[str, Collection[UserId]], bool],
        known: Sequence[Conclusion] = (),
    ) -> None:
        self._session = session
        self._turns = turns
        self._people = participants
        self._day = day
        self._forbidden = forbidden
        self._known = known

    def conclusions(self, answer: DigestAnswer) -> list[Conclusion]:
        """The conclusions that are borne out, none twice."""
        found: dict[tuple[str, ...], Conclusion] = {}
        for drawn in answer.conclusions:
            one = self._conclusion(drawn)
            if one is not None:
                found.setdefault(tuple(sorted(keywords(one.text))) or (one.text,), one)
        return list(found.values())[:MOST_CONCLUSIONS]

    def _conclusion(self, drawn: DrawnConclusion) -> Conclusion | None:
        shown = self._shown(drawn.evidence)
        text = self._text(drawn.text, CONCLUSION_CHARACTERS)
        spoken = [t for t in shown if t.role is TurnRole.USER]
        if text is None or text.endswith("?") or all(_asks(t) for t in spoken):
            return None
        kind = drawn.kind
        if kind is ConclusionKind.OBSERVATION and not _agreed(shown):
            return None
        if kind is not ConclusionKind.OBSERVATION and not _is_of_people(
            text, self._people, spoken, self._around(spoken)
        ):
            return None
        words = self._words(self._around(shown))
        if (
            strange(text, self._words(self._turns), self._day)
            or covered(text, words) < MIN_COVERED_SHARE
            or has_another_name(text, words)
        ):
            return None
        if not self._bears(text, shown, hedged=False):
            return None
        shown = self._with_sources(text, shown)
        people = mentioned(text)
        if self._forbidden(text, {*people, *(t.user_id for t in spoken)}):
            return None
        return Conclusion(
            guild_id=self._session.guild_id,
            audience=self._session.audience,
            channel_id=self._session.channel_id,
            kind=kind,
            text=text,
            people=people,
            evidence=tuple(t.message_id for t in shown),
            evidence_by=tuple(t.user_id for t in shown),
            at=shown[-1].at,
            replaces=self._replaced(drawn, text, {t.user_id for t in spoken}),
            confirms=self._said_again(drawn, text),
        )

    def _said_again(self, drawn: DrawnConclusion, text: str) -> tuple[int, ...]:
        """The earlier conclusions that say the same: in the same keywords, or by the model's word in half of them."""
        return tuple(
            line.conclusion_id
            for n, line in enumerate(self._known, 1)
            if _says_the_same(line.text, text, is_named=n in drawn.confirms)
        )

    def _replaced(self, drawn: DrawnConclusion, text: str, speakers: Set[int]) -> tuple[int, ...]:
        """The earlier conclusions that a new one takes the place of: those that the model names, and that share a
        keyword with it. What the bot remarked replaces nothing, nor does what one person says alone, elsewhere, of what
        others concluded."""
        if drawn.kind is ConclusionKind.OBSERVATION:
            return ()
        again, stems = self._said_again(drawn, text), set(keywords(text))
        named = [self._known[n - 1] for n in dict.fromkeys(drawn.replaces) if 1 <= n <= len(self._known)]
        return tuple(
            line.conclusion_id
            for line in named
            if line.conclusion_id not in again
            and stems & set(keywords(line.text))
            and (len(speakers) > 1 or line.channel_id == self._session.channel_id or speakers & set(line.evidence_by))
        )

    def facts(self, answer: DigestAnswer, known: Mapping[UserId, Sequence[Fact]]) -> list[Inferred]:
        """The facts that follow from their subjects' own words; one that is known already confirms what is known."""
        made = [one for drawn in answer.facts if (one := self._fact(drawn, known)) is not None]
        return list({(one.statement.user_id, one.value): one for one in made}.values())[:MOST_FACTS]

    def _fact(self, drawn: DrawnFact, known: Mapping[UserId, Sequence[Fact]]) -> Inferred | None:
        user_id = self._people.id(drawn.who)
        shown = self._shown(drawn.evidence)
        value = self._text(drawn.text, FACT_CHARACTERS)
        if user_id is None or value is None or not shown or value.endswith("?"):
            return None
        if any(t.role is not TurnRole.USER or t.user_id != user_id for t in shown):
            return None  # a person's facts come from their own words alone
        if all(_asks(t) or has_phrase(t.text, "hedges") for t in shown) or set(mentioned(value)) != {user_id}:
            return None
        if strange(value, self._words(shown), self._day) or not self._is_of(value, shown):
            return None
        if not self._bears(value, shown, hedged=True):
            return None
        if self._forbidden(value, {user_id}):
            return None
        first = shown[0]
        stems = set(keywords(value))
        same = next((f for f in known.get(user_id, ()) if stems and stems <= set(keywords(f.value))), None)
        key = normal_key(one_line(drawn.key))
        return Inferred(
            statement=Statement(
                guild_id=self._session.guild_id,
                user_id=user_id,
                stated_by=user_id,
                quote=one_line(first.text)[:500],
                channel_id=self._session.channel_id,
                message_id=first.message_id,
                audience=self._session.audience,
            ),
            value=value,
            key=key,
            domain=domain_of(key),
            confidence=drawn.confidence,
            evidence=tuple(t.message_id for t in shown),
            confirms=same.fact_id if same is not None else None,
        )

    def topic(self, answer: DigestAnswer, conclusions: Sequence[Conclusion]) -> tuple[str, str]:
        """The name and the summary of the page that the model proposes; empty where the conclusions do not bear it out.

        A page goes with its lines: no name, no number and, in its summary, no keyword may come from anywhere else. No
        page is named after who talked: people have pages of their own, and a name there invites what is said of it.
        """
        name = one_line(answer.topic).strip("#-–: ")[:TOPIC_CHARACTERS].strip()
        summary = accepted(answer.summary, SUMMARY_CHARACTERS)
        words = " ".join(one.text for one in conclusions)
        stems = set(keywords(f"{words} {name}"))
        people = {t.user_id for t in self._turns if t.role is TurnRole.USER}

        def is_fine(text: str) -> bool:
            plain = self._people.with_ids(text) == text
            clean = not is_not_to_be_noted(text) and not strange(text, words, self._day)
            return plain and clean and not has_disguised_link(text) and not self._forbidden(text, people)

        words_of_name = " ".join(word.removesuffix("'s") for word in words_of(name))
        line = f" {words_of_name} "
        forms = {form for u in people for form in name_forms(self._people.name(u)) if not is_everyday(form)}
        is_named = any(f" {' '.join(words_of(form))} " in line for form in forms)
        if not re.search(r"\w", name) or not is_fine(name) or is_named:
            return "", ""
        return name, summary if is_fine(summary) and set(keywords(summary)) <= stems else ""

    def _shown(self, numbers: Sequence[int]) -> list[Turn]:
        """The turns behind numbers, in order; none where one is of no turn."""
        found = sorted(dict.fromkeys(numbers))[:4]
        if not found or not all(1 <= n <= len(self._turns) for n in found):
            return []
        return [self._turns[n - 1] for n in found]

    def _around(self, shown: Sequence[Turn]) -> list[Turn]:
        at = [self._turns.index(t) for t in shown]
        near = {n for i in at for n in range(i - NEIGHBOURS, i + NEIGHBOURS + 1) if 0 <= n < len(self._turns)}
        return [self._turns[n] for n in sorted(near)]

    def _with_sources(self, text: str, shown: Sequence[Turn]) -> list[Turn]:
        """The turns that show a text, those around them that it has a word of, and those its names and numbers are of.

        A name or number that several turns have is of the last of them until then.
        """
        words = self._words(shown)
        missing = set(keywords(text)) - set(keywords(words))
        more = [t for t in self._around(shown) if t not in shown and missing & set(keywords(t.text))]
        for unknown in strange(text, words, self._day):
            has = [t for t in self._turns if unknown not in strange(text, f"{words} {t.text}", self._day)]
            until = [t for t in has if t.number <= shown[-1].number]
            more += until[-1:] or has[:1]
        return sorted({t.number: t for t in (*shown, *more)}.values(), key=lambda t: t.number)

    def _words(self, turns: Sequence[Turn]) -> str:
        names = " ".join(self._people.name(u) for u in self._people.ids)
        return " ".join((*(t.text for t in turns), names))

    def _text(self, text: str, limit: int) -> str | None:
        taken = {w.casefold() for t in self._turns for w in re.findall(r"\bu\d{1,6}\b", t.text, re.IGNORECASE)}
        told = self._people.with_ids(accepted(text, limit), taken)
        if told is None or not re.search(r"\w", without_ids(told)) or is_not_to_be_noted(told):
            return None
        return None if links_in(told) or invites_in(told) or has_disguised_link(told) else told

    def _bears(self, text: str, shown: Sequence[Turn], *, hedged: bool) -> bool:
        """Whether the words that a line rests on say it: not the opposite, no question, no joke, not taken back after.

        With `hedged`, what is only supposed was looked at before. Each clause of the line is held against the
        clauses that share most with it: "Kubernetes, not compose" denies one of the two.
        """
        ignore = [self._people.name(u) for u in self._people.ids]
        stems = set(keywords(text, ignore=ignore))
        spoken = [s for t in shown if t.role is TurnRole.USER for s in sentences_of(t.text)]
        bearing = [s for s in spoken if stems & set(keywords(s))]
        stated = [s for s in bearing if not s.endswith("?")]  # a question that was answered is no longer one
        if bearing and not stated:
            if not _is_agreed_to(shown):
                return False
            stated, hedged = bearing, True  # who agreed to it supposes it no more
        if any(LAUGHTER.search(s) for s in stated) or (not hedged and stated and all(map(_supposes, stated))):
            return False
        clauses = [clause for s in stated for clause in _CLAUSE.split(s)]
        for clause in _CLAUSE.split(text):
            mine = set(keywords(clause, ignore=ignore))
            most = max((len(mine & set(keywords(c))) for c in clauses), default=0)
            near = [c for c in clauses if len(mine & set(keywords(c))) == most]
            if most and all(is_turned(c) != is_turned(clause) for c in near):
                return False
        later = [t for t in self._turns if t.number > shown[0].number and t.role is TurnRole.USER]
        after = [t for t in later if t.number > shown[-1].number]
        next_ = [*after[:1], *[t for t in after if t.user_id in {one.user_id for one in shown}][:1]]
        return not any(_takes_back(t, set() if t in shown else stems, is_next=t in next_) for t in later) and not any(
            _denies(t, stems) for t in after
        )

    def _is_of(self, value: str, shown: Sequence[Turn]) -> bool:
        """Whether a fact has a keyword of the words that it is drawn from."""
        return bool(set(keywords(value)) & set(keywords(" ".join(t.text for t in shown))))


def _takes_back(turn: Turn, stems: Set[str], *, is_next: bool) -> bool:
    """Whether somebody takes back a line with these keywords: next, without a word of what, or with one of the line's.

    "I changed my mind, no chicken" takes nothing back of who brings the pots.
    """
    if _asks(turn) or not has_phrase(turn.text, "takes_back"):
        return False
    matter = set(keywords(turn.text)) - set(keywords(" ".join(phrases("takes_back"))))
    return is_next or not matter or bool(stems & matter)


def _denies(turn: Turn, stems: Set[str]) -> bool:
    """Whether somebody says the opposite of a line with these keywords: a sentence has two, its denial one of them."""
    return not _asks(turn) and any(
        len(stems & set(keywords(sentence))) >= 2
        and any(is_turned(clause) and stems & set(keywords(clause)) for clause in _CLAUSE.split(sentence))
        for sentence in sentences_of(turn.text)
    )


def _says_the_same(one: str, other: str, *, is_named: bool) -> bool:
    """Whether two conclusions have the same keywords and neither denies the other; where the model names the two, half
    of the keywords of the shorter are enough, with the same numbers."""
    stems, others = set(keywords(one)), set(keywords(other))
    numbers = {word for word in stems ^ others if any(map(str.isdigit, word))}
    if not stems & others or numbers or is_turned(one) != is_turned(other):
        return False
    return stems == others or (is_named and 2 * len(stems & others) >= min(len(stems), len(others)))


def _supposes(sentence: str) -> bool:
    """Whether a sentence only supposes something. What somebody proposes ("we should") others may agree to."""
    line = f" {' '.join(words_of(sentence))} "
    return any(f" {phrase} " in line for phrase in phrases("hedges") - _PROPOSES)


_PROPOSES = frozenset(["should", "would"])


def _asks(turn: Turn) -> bool:
    return turn.text.rstrip().endswith("?")


def _agreed(shown: Sequence[Turn]) -> bool:
    """Whether the bot said something, and a person answered it without a question."""
    bot = [t.number for t in shown if t.role is TurnRole.MODEL]
    return bool(bot) and any(t.role is TurnRole.USER and t.number > bot[0] and not _asks(t) for t in shown)


def _is_agreed_to(shown: Sequence[Turn]) -> bool:
    """Whether somebody proposed something, and the first word of somebody else was yes, and no more than that."""
    spoken = [t for t in shown if t.role is TurnRole.USER]
    for n, asked in enumerate(spoken):
        reply = next((t for t in spoken[n + 1 :] if t.user_id != asked.user_id), None)
        if _asks(asked) and reply is not None and agrees(reply.text) and not _asks(reply):
            return not has_phrase(reply.text, "hedges")
    return False


def _is_of_people(text: str, participants: Participants, spoken: Sequence[Turn], around: Sequence[Turn]) -> bool:
    """Whether people's own words, or what they answered to, have a keyword of a conclusion."""
    ignore = [participants.name(u) for u in participants.ids]
    stems = set(keywords(text, ignore=ignore))
    told = set(keywords(" ".join(t.text for t in (*spoken, *around)), ignore=ignore))
    return not stems or bool(stems & told)
