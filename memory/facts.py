"""The first level: what people told the bot, as rows, and as one short text derived from them."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Collection, Sequence
from datetime import datetime

from memory.ai import AIClient, AIError, AIRefused
from memory.ai.prompts import BLOB_CHARACTERS, FACT_CHARACTERS, accepted, blob, forget, wording
from memory.records import EVERYONE, Fact, Forgotten, Member, NotRemembered, Remembered, Statement
from memory.store import Store
from memory.text import fingerprint, fit, one_line

log = logging.getLogger(__name__)

WORDING_PATIENCE = 8.0
"""Seconds that an answer to "remember" or "forget" waits for the AI; without it, the words stand as said."""

CLEAR_MATCH = 0.75
"""The share of a request's words that a fact must have for a match without AI to count as meant."""

_NUMBER = re.compile(r"\d+")


def sentences(facts: Sequence[Fact]) -> str:
    """Facts as their own sentences, one after the other."""
    return " ".join(fact.value if fact.value.endswith((".", "!", "?", "…")) else f"{fact.value}." for fact in facts)


def newest_lines(facts: Sequence[Fact], limit: int) -> str:
    """As many facts as fit into `limit` characters, the newest chosen, the oldest first."""
    chosen: list[Fact] = []
    for fact in reversed(facts):
        if len(sentences([fact, *chosen])) > limit and chosen:
            break
        chosen.insert(0, fact)
    return fit(sentences(chosen), limit) if chosen else ""


class Facts:
    """Facts are added, found and retired here; the blob is made from the live ones alone."""

    def __init__(self, store: Store, ai: AIClient, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._ai = ai
        self._clock = clock

    async def remember(self, statement: Statement, about: Member, speaker: Member) -> Remembered:
        """Store a statement as a fact at once, then let the small model word it in the third person.

        Raises NotRemembered where there is nothing to store. Where the AI is away, or what it
        writes does not keep to what was said, the fact stays as it was said.
        """
        said = one_line(statement.quote)
        if not re.search(r"\w", said):
            raise NotRemembered
        now = self._clock()
        fact, new = await self._store.facts.add(
            statement,
            fit(_as_said(said, about, speaker), FACT_CHARACTERS),
            key="note",
            domain="personal",
            now=now,
        )
        if not new:
            return Remembered(fact=fact, known=True)
        if statement.alias and fact.audience == EVERYONE:  # names are known wherever a member is
            await self._store.people.add_alias(fact.guild_id, fact.user_id, statement.alias)
        try:
            async with asyncio.timeout(WORDING_PATIENCE):
                answer = await self._ai.ask(
                    wording(
                        statement.guild_id,
                        about=about,
                        speaker=speaker,
                        quote=said,
                        before=statement.context,
                        patience=2.0,
                    )
                )
        except (AIError, TimeoutError) as failed:
            log.info("remember: stored as said (%s)", type(failed).__name__)
            return Remembered(fact=fact, as_said=True)
        sentence = accepted(answer.value.sentence, FACT_CHARACTERS)
        source = " ".join((said, *statement.context, *about.names, *speaker.names))
        if not sentence or not _keeps_numbers(sentence, said, source):
            return Remembered(fact=fact, as_said=True)
        key = re.sub(r"[\W_]+", " ", answer.value.key.casefold()).strip()[:40] or "note"
        worded = await self._store.facts.reword(fact, sentence, key=key, domain=answer.value.domain)
        alias = _alias(answer.value.alias, source)
        if alias and fact.audience == EVERYONE:
            await self._store.people.add_alias(fact.guild_id, fact.user_id, alias)
        if worded is None:
            known, _ = await self._store.facts.add(statement, sentence, key=key, domain=answer.value.domain, now=now)
            return Remembered(fact=known, known=True)
        return Remembered(fact=worded)

    async def forget(
        self,
        guild_id: int,
        about: Member,
        request: str,
        audiences: Collection[int],
        allowed: Callable[[Fact], bool],
        because: str,
    ) -> Forgotten:
        """Retire the facts that `request` means, as far as `allowed`; offer candidates where it is open."""
        live = (await self._store.facts.live(guild_id, [about.user_id], audiences))[about.user_id]
        if not live:
            return Forgotten()
        meant, sure, nearest = await self._meant(guild_id, about, request, live, audiences)
        if not meant:
            return Forgotten(nearest=tuple(nearest))
        if not sure:
            return Forgotten(candidates=tuple(meant))
        return await self.retire(meant, allowed, because)

    async def retire(self, facts: Sequence[Fact], allowed: Callable[[Fact], bool], because: str) -> Forgotten:
        """Retire `facts` as far as `allowed`, with the names they gave."""
        mine = [fact for fact in facts if allowed(fact)]
        await self._store.facts.retire(mine, because, self._clock())
        return Forgotten(retired=tuple(mine), not_allowed=tuple(fact for fact in facts if fact not in mine))

    async def _meant(
        self, guild_id: int, about: Member, request: str, live: Sequence[Fact], audiences: Collection[int]
    ) -> tuple[list[Fact], bool, list[Fact]]:
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
        matches = await self._store.facts.matching(guild_id, about.user_id, audiences, _without_names(request, about))
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
        if len(own) <= BLOB_CHARACTERS:
            return own, None
        asked = blob(guild_id, member=member, facts=[(fact.last_confirmed_at.date(), fact.value) for fact in facts])
        made_from = fingerprint(*(f"{fact.fact_id} {fact.value}" for fact in facts), asked.version, self._ai.model)
        stored = await self._store.facts.blob(guild_id, member.user_id, audience)
        if stored is not None and stored[1] == made_from:
            return stored[0], None
        try:
            answer = await self._ai.ask(asked)
            text = accepted(answer.value.text, BLOB_CHARACTERS)
        except AIRefused:
            text = ""
        except AIError as failed:
            return newest_lines(facts, BLOB_CHARACTERS), failed
        text = text or newest_lines(facts, BLOB_CHARACTERS)  # refused once, the same facts are not asked about again
        await self._store.facts.save_blob(guild_id, member.user_id, audience, text, made_from, self._clock())
        return text, None


def _as_said(said: str, about: Member, speaker: Member) -> str:
    """A fact in the words that were said, with enough around them to be understood."""
    if any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said, re.IGNORECASE) for name in about.names):
        return said
    if about.user_id == speaker.user_id:
        return f"{speaker.display_name}: “{said}”"
    return f"{about.display_name}, {speaker.display_name}: “{said}”"


def _keeps_numbers(sentence: str, said: str, source: str) -> bool:
    """Whether a wording neither loses a number that was said nor brings one of its own."""
    told = set(_NUMBER.findall(sentence))
    return set(_NUMBER.findall(said)) <= told and told <= set(_NUMBER.findall(source))


def _alias(alias: str | None, source: str) -> str | None:
    """An alias the model found, if the words it was given have it."""
    alias = one_line(alias or "")
    return alias if 1 < len(alias) <= 40 and alias.casefold() in source.casefold() else None


def _bare(sentence: str) -> str:
    """A sentence for comparing: case and punctuation aside."""
    return " ".join(re.findall(r"\w+", sentence.casefold()))


def _without_names(request: str, about: Member) -> str:
    """A request's telling words: without the names everyone's facts have, and short ones."""
    for name in about.names:
        request = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", request, flags=re.IGNORECASE)
    words = [word for word in re.findall(r"\w+", request) if len(word) > 2 or word.isdigit()]
    return " ".join(words) or request


def audiences_for(audience: int) -> tuple[int, ...]:
    """What may be heard where `audience` listens: what everyone could read, and its own."""
    return (EVERYONE,) if audience == EVERYONE else (EVERYONE, audience)
