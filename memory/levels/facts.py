"""The first level: what people told the bot, as rows, and as one short text derived from them."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from memory.ai import AIClient, AIError, AIRefused
from memory.ai.prompts import FACT_CHARACTERS, Cast, Wording, accepted, blob, forget, wording
from memory.levels.checks import borne_out
from memory.naming import Naming
from memory.records import (
    EVERYONE,
    Consent,
    Fact,
    Member,
    NotRemembered,
    Remembered,
    Statement,
    Teachers,
    Why,
)
from memory.rules.fact_texts import BLOB_CHARACTERS, newest_lines, sentences, source_of
from memory.rules.keys import NOTE, domain_of, holds_one, keyed, normal_key
from memory.rules.keywords import keywords
from memory.rules.safety import is_order, matter_of, secrets_in
from memory.rules.text import fingerprint, fit, length, mentioned, one_line, without_ids
from memory.store import Store
from memory.suppressions import Suppressions, concerned

log = logging.getLogger(__name__)

WORDING_PATIENCE = 8.0
"""Seconds that an answer to "remember" or "forget" waits for the AI; without it, the words stand as said."""

CLEAR_MATCH = 0.75
"""The share of a request's words that a fact must have for a match without AI to count as meant."""

COMPARED = 25
"""Known facts that a new one is compared with at the most."""

_NUMBER = re.compile(r"\d+")


def objection(words: str) -> Why | None:
    """What speaks against keeping words, whomever they are about: a secret in them, or an order to the bot."""
    if secrets_in(words):
        return Why.SECRET
    return Why.ORDER if is_order(words) else None


class Facts:
    """Facts are added, found and confirmed here; the blob is made from the live ones alone."""

    def __init__(
        self, store: Store, ai: AIClient, naming: Naming, suppressions: Suppressions, clock: Callable[[], datetime]
    ) -> None:
        self._store = store
        self._ai = ai
        self._naming = naming
        self._suppressions = suppressions
        self._clock = clock

    async def guard(self, statement: Statement, words: str) -> Statement:
        """The statement as it may be stored. Raises NotRemembered with the reason where it may not.

        What a person tells of their own sensitive matters is kept for them alone, once confirmed.
        """
        guild_id, subject, speaker = statement.guild_id, statement.user_id, statement.stated_by
        if not re.search(r"\w", without_ids(words)):
            raise NotRemembered(Why.EMPTY)
        if (why := objection(words)) is not None:
            raise NotRemembered(why)
        author = speaker if statement.author is None else statement.author
        chosen = await self._store.consents.of(guild_id, {subject, speaker, author})
        for user_id, (consent, ignored) in chosen.items():
            quoted = user_id == author != speaker and consent is not Consent.ON
            if quoted or ignored or consent is Consent.OFF:
                raise NotRemembered(Why.OPTED_OUT, whom=user_id)
        suppressed, forgotten_of = await self._suppressions.forgotten_of(guild_id)
        named = await self._naming.text(guild_id, words)  # what was forgotten is known by names
        if suppressed.names(named) or await self._any_off(guild_id, mentioned(words)):
            raise NotRemembered(Why.NAMED)
        about = concerned(named, subject, forgotten_of) | set(mentioned(words))
        if suppressed.tells(named, about - {speaker}):
            raise NotRemembered(Why.FORGOTTEN)
        if subject != speaker:
            teachers = (await self._store.people.rules(guild_id)).teachers
            if teachers is Teachers.SELF or (teachers is Teachers.MODERATORS and not statement.moderates):
                raise NotRemembered(Why.TEACHERS)
        return self._for_whom(statement, matter_of(words))

    async def _any_off(self, guild_id: int, user_ids: Collection[int]) -> bool:
        """Whether one of some members does not want to be remembered."""
        chosen = await self._store.consents.of(guild_id, user_ids)
        return any(ignored or consent is Consent.OFF for consent, ignored in chosen.values())

    def _for_whom(self, statement: Statement, matter: str | None) -> Statement:
        if statement.confirmed and statement.stated_by == statement.user_id:
            return replace(statement, audience=-statement.user_id)
        if matter is None:
            return statement
        if statement.stated_by != statement.user_id:
            raise NotRemembered(Why.SENSITIVE, matter)
        raise NotRemembered(Why.CONFIRM, matter)

    async def remember(self, statement: Statement, about: Member, speaker: Member) -> Remembered:
        """Store a statement as a fact at once, then let the small model word it in the third person.

        Raises NotRemembered where it is not to be stored. Where the AI is away, or what it writes does
        not keep to what was said, the fact stays as it was said. `speaker` is who wrote the words.
        """
        said = one_line(statement.quote)
        statement = await self.guard(statement, said)
        now, guild_id = self._clock(), statement.guild_id
        given = _keyed(said, about)
        key = normal_key(given[0]) if given else NOTE
        in_words = f"<@{about.user_id}> — {given[0]}: {given[1]}" if given else _as_said(said, about, speaker)
        as_said = await self._naming.with_ids(guild_id, fit(in_words, FACT_CHARACTERS), about)
        fact, new = await self._store.facts.add(statement, as_said, key=key, domain=domain_of(key), now=now)
        if not new:
            await self._lift(statement, fact, said)
            return Remembered(fact=fact, known=True)
        if statement.alias and fact.audience == EVERYONE:  # names are known wherever a member is
            await self._store.people.add_alias(fact.guild_id, fact.user_id, statement.alias)
        known = await self._comparable(fact)
        answer = await self._worded(statement, about, speaker, said, known)
        if answer is None:
            await self._lift(statement, fact, said)
            return Remembered(fact=fact, as_said=True, replaced=await self._settle(fact, known, {}, now))
        await self._refuse(fact, statement, answer)
        sentence = await self._sentence(guild_id, answer.sentence, about, speaker, said)
        source = " ".join((said, *statement.context, *about.names, *speaker.names))
        keeps = sentence and _keeps_numbers(sentence, said, source) and not is_order(sentence)
        await self._lift(statement, fact, said)
        if not keeps or (matter_of(sentence) and fact.audience >= 0):
            return Remembered(fact=fact, as_said=True, replaced=await self._settle(fact, known, {}, now))
        if not given:
            key = normal_key(answer.key)
        leans_on = _leant_on(statement, sentence, said, (*about.names, *speaker.names))
        await self._store.facts.lean(fact, leans_on)
        worded = await self._store.facts.reword(fact, sentence, key=key, domain=domain_of(key, answer.domain))
        alias = _alias(answer.alias, source)
        if alias and fact.audience == EVERYONE:
            await self._store.people.add_alias(fact.guild_id, fact.user_id, alias)
        if worded is None:
            same, _ = await self._store.facts.add(statement, sentence, key=key, domain=fact.domain, now=now)
            return Remembered(fact=same, known=True)
        relations = {known[r.fact - 1].fact_id: r.relation for r in answer.known if 1 <= r.fact <= len(known)}
        same_fact = next((k for k in known if relations.get(k.fact_id) == "same" and _reaches(k, worded)), None)
        if same_fact is not None:
            return Remembered(
                fact=await self._store.facts.merge(worded, same_fact, statement, now, leans_on), known=True
            )
        return Remembered(fact=worded, replaced=await self._settle(worded, known, relations, now))

    async def _sentence(self, guild_id: int, told: str, about: Member, speaker: Member, said: str) -> str:
        """A model's wording as it is stored; empty where it names somebody who is not there."""
        cast = _cast(about, speaker, said)
        worded = cast.with_ids(accepted(told, FACT_CHARACTERS), {w.casefold() for w in said.split()})
        return await self._naming.with_ids(guild_id, worded, about) if worded else ""

    async def _worded(
        self, statement: Statement, about: Member, speaker: Member, said: str, known: Sequence[Fact]
    ) -> Wording | None:
        try:
            async with asyncio.timeout(WORDING_PATIENCE):
                answer = await self._ai.ask(
                    wording(
                        statement.guild_id,
                        about=about,
                        speaker=speaker,
                        quote=said,
                        cast=_cast(about, speaker, said),
                        before=statement.context,
                        known=[(fact.key, fact.value) for fact in known],
                        patience=2.0,
                    )
                )
        except (AIError, TimeoutError) as failed:
            log.info("remember: stored as said (%s)", type(failed).__name__)
            return None
        return answer.value

    async def _refuse(self, fact: Fact, statement: Statement, answer: Wording) -> None:
        """Take back what was stored, where the model sees an order or a sensitive matter in the words."""
        try:
            if answer.order:
                raise NotRemembered(Why.ORDER)
            if answer.sensitive and fact.audience >= 0:
                self._for_whom(statement, "other")
                if not statement.confirmed:
                    raise NotRemembered(Why.CONFIRM, "other")
        except NotRemembered:
            await self._store.facts.remove(fact.guild_id, [fact.fact_id])
            raise

    async def _comparable(self, fact: Fact) -> list[Fact]:
        """The live facts a new one may repeat, refine or contradict: alike ones first, then the newest."""
        audiences = [fact.audience] if fact.audience < 0 else sorted({EVERYONE, fact.audience})
        live = (await self._store.facts.live(fact.guild_id, [fact.user_id], audiences))[fact.user_id]
        others = [other for other in live if other.fact_id != fact.fact_id]
        words = set(keywords(fact.value))

        def alike(other: Fact) -> tuple[bool, int, bool, datetime]:
            shared = len(words & set(keywords(other.value)))
            return other.key == fact.key != NOTE, shared, holds_one(other.key), other.created_at

        return sorted(others, key=alike, reverse=True)[:COMPARED]

    async def _settle(
        self, fact: Fact, known: Sequence[Fact], relations: Mapping[int, str], now: datetime
    ) -> tuple[Fact, ...]:
        """Retire what the new fact takes the place of, by the person's own word or its teller's; others' claims stand.

        Only the same key is compared; without a model's judgement, a key that holds one value decides.
        """
        retired = []
        for other in known:
            relation = relations.get(other.fact_id, "")
            mine = fact.stated_by in (fact.user_id, other.stated_by)
            takes = relation == "refines" or (
                other.key == fact.key
                and (relation == "contradicts" or (relation != "different" and holds_one(fact.key)))
            )
            if mine and takes and other.audience == fact.audience:
                retired.append(other)
        if retired:
            by = "the person" if fact.stated_by == fact.user_id else "who told it"
            await self._store.facts.supersede(retired, fact, f"something else was told by {by}", now)
        return tuple(retired)

    async def _lift(self, statement: Statement, fact: Fact, said: str) -> None:
        """Let a statement be told again that the person tells again themselves, for others to hear."""
        if statement.stated_by != statement.user_id or fact.private:
            return
        suppressed = await self._suppressions.of(statement.guild_id)
        if ids := suppressed.told_again(await self._naming.text(statement.guild_id, said), statement.user_id):
            await self._store.consents.lift(statement.guild_id, ids)
            self._suppressions.drop(statement.guild_id)

    async def meant(
        self, guild_id: int, about: Member, request: str, live: Sequence[Fact], audiences: Collection[int]
    ) -> tuple[list[Fact], bool, list[Fact]]:
        """(facts that a request to forget means, whether that is sure, the nearest where none is meant)."""
        if not live:
            return [], True, []
        if same := [fact for fact in live if _bare(fact.value) == _bare(request)]:
            return same, True, []
        try:
            async with asyncio.timeout(WORDING_PATIENCE):
                answer = await self._ai.ask(
                    forget(guild_id, about=about, facts=[f.value for f in live], request=request, patience=2.0)
                )
            numbers = [n for n in dict.fromkeys(answer.value.facts) if 1 <= n <= len(live)]
            if numbers:
                return [live[n - 1] for n in numbers], answer.value.sure, []
            judged = True
        except (AIError, TimeoutError) as failed:
            log.info("forget: by matching words (%s)", type(failed).__name__)
            judged = False
        shown = {fact.fact_id: fact for fact in live}
        asked = _without_names(request, about)
        found = await self._store.facts.matching(guild_id, about.user_id, audiences, asked)
        matches = [(shown[fact.fact_id], share) for fact, share in found if fact.fact_id in shown]
        nearest = [fact for fact, _ in matches[:3]]
        if judged or not matches or matches[0][1] < CLEAR_MATCH:
            return [], True, nearest
        best = matches[0][1]
        close = [fact for fact, share in matches if share >= best - 0.1]
        return close, len(close) == 1, nearest

    async def blob(
        self, guild_id: int, member: Member, facts: Sequence[Fact], audience: int
    ) -> tuple[str, AIError | None]:
        """A member's facts as one text; while their own sentences fit, those are it.

        Where the model gives none, the newest lines that fit, and the error beside them.
        """
        own = sentences(facts)
        if length(own) <= BLOB_CHARACTERS:
            return own, None
        people = [member.user_id, *(u for fact in facts for u in mentioned(fact.value))]
        cast = Cast(people, await self._store.people.members(guild_id, people))
        asked = blob(guild_id, member=member.user_id, facts=facts, cast=cast)
        maker = fingerprint(asked.version, self._ai.model)
        stored = (await self._store.blobs.some(guild_id, audience, [member.user_id])).get(member.user_id)
        if stored is not None and (stored.source, stored.maker) == (source_of(facts), maker):
            return stored.text, None
        lines = newest_lines(facts, BLOB_CHARACTERS)
        text = None
        try:
            answer = await self._ai.ask(asked)
            text = cast.with_ids(accepted(answer.value.text, BLOB_CHARACTERS))
        except AIRefused:
            pass
        except AIError as failed:
            return lines, failed
        text = borne_out(text, own, self._clock().date()) if text else ""
        text = text or lines  # refused once, the same facts are not asked about again
        await self._store.blobs.save(guild_id, member.user_id, audience, text, facts, maker, self._clock())
        return text, None


def _leant_on(statement: Statement, sentence: str, said: str, names: Sequence[str]) -> list[int]:
    """The messages around a statement whose keywords its wording took up, names aside."""
    more = set(keywords(sentence, names)) - set(keywords(said, names))
    return [
        message_id
        for message_id, line in zip(statement.context_ids, statement.context, strict=False)
        if message_id != statement.message_id and more & set(keywords(line.partition(": ")[2], names))
    ]


def _cast(about: Member, speaker: Member, said: str) -> Cast:
    """The people of a statement: its subject, its speaker, and whom it mentions."""
    return Cast([about.user_id, speaker.user_id, *mentioned(said)], {speaker.user_id: speaker, about.user_id: about})


def _keyed(said: str, about: Member) -> tuple[str, str] | None:
    """(key, value) where the words are of that form, a name of the person before it aside."""
    said = said.removeprefix(f"<@{about.user_id}>").removeprefix(f"<@!{about.user_id}>").strip()
    for name in about.names:
        said = re.sub(rf"^@?{re.escape(name)}(?:['’]s)?(?:\s*[:—–-])?\s+", "", said, flags=re.IGNORECASE)
    return keyed(said)


def _reaches(known: Fact, new: Fact) -> bool:
    """Whether a known fact reaches wherever the new one would be."""
    return known.audience == new.audience or (known.audience == EVERYONE and new.audience > 0)


def _as_said(said: str, about: Member, speaker: Member) -> str:
    """A fact in the words that were said, with enough around them to be understood."""
    named = any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said, re.IGNORECASE) for name in about.names)
    if named or about.user_id in mentioned(said):
        return said
    if about.user_id == speaker.user_id:
        return f"<@{speaker.user_id}>: “{said}”"
    return f"<@{about.user_id}>, <@{speaker.user_id}>: “{said}”"


def _keeps_numbers(sentence: str, said: str, source: str) -> bool:
    """Whether a wording neither loses a number that was said nor brings one of its own."""
    told = set(_NUMBER.findall(without_ids(sentence)))
    asked, there = (set(_NUMBER.findall(without_ids(text))) for text in (said, source))
    return asked <= told <= there


def _alias(alias: str | None, source: str) -> str | None:
    """An alias the model found, if the words it was given have it."""
    alias = one_line(alias or "")
    return alias if 1 < len(alias) <= 40 and alias.casefold() in source.casefold() else None


def _bare(sentence: str) -> str:
    """A sentence for comparing: case and punctuation aside."""
    return " ".join(re.findall(r"\w+", sentence.casefold()))


def _without_names(request: str, about: Member) -> str:
    """A request's keywords: without the names everyone's facts have, and short ones."""
    for name in about.names:
        request = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", request, flags=re.IGNORECASE)
    words = [word for word in re.findall(r"\w+", request) if len(word) > 2 or word.isdigit()]
    return " ".join(words) or request
