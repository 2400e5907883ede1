"""The first level: facts that people told the bot, and the facts blob derived from them."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from memory.ai import AIClient, AIError, AIRefused
from memory.ai.prompts import FACT_CHARACTERS, Participants, Wording, accepted, blob, forget, wording
from memory.core import Core
from memory.ids import AudienceId, GuildId, MessageId, UserId, private_to, server_subject
from memory.naming import NameLookup
from memory.permissions import Viewer, may_teach
from memory.records import EVERYONE, Fact, FactDomain, Member, NotRemembered, Remembered, Statement, Why
from memory.rules import content_policy
from memory.rules.calendar import day_of
from memory.rules.changes import matters
from memory.rules.dates import names_near_day, with_dates
from memory.rules.fact_texts import BLOB_CHARACTERS, completed, newest_lines, sentences, source_of
from memory.rules.house_rules import rule_language
from memory.rules.keys import NOTE, domain_of, holds_one, is_kind, keyed, normal_key, stated_kind, without_beginning
from memory.rules.keywords import keywords
from memory.rules.names import alias_given
from memory.rules.parts import MAX_PARTS, parts_of
from memory.rules.questions import speaks_of_oneself
from memory.rules.safety import is_readable, is_unlawful, matter_of
from memory.rules.safety.links import links_in
from memory.rules.statements import is_plain
from memory.rules.support import is_faithful, is_same, is_turned
from memory.rules.text import fingerprint, fit, length, mentioned, one_line, without_ids
from memory.rules.third_person import predicate, together
from memory.rules.updates import may_update, says_end, updates
from memory.store.facts import Teaching
from memory.suppressions import concerned

log = logging.getLogger(__name__)

WORDING_PATIENCE = 8.0
"""Seconds that an answer to "remember" or "forget" waits for the AI; without it, the words stand as said."""

CLEAR_MATCH = 0.75
"""The share of a request's words that a fact must have for a match without AI to count as meant."""

UNCLEAR = "unclear"
"""The matter of a statement about somebody else that is not clearly one."""

LONGEST_KEY = 2
"""Words before a colon that may be the key of a fact, and no part of a sentence."""

UNREAD = "unread"
"""The matter of a statement in a script that no list of words knows, where no model judges it: its teller is asked."""

MAX_COMPARED_FACTS = 25
"""Known facts that a new one is compared with at the most."""

_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, kw_only=True)
class Match:
    """The facts a request to forget means, whether that is sure, and the nearest where it means none."""

    facts: tuple[Fact, ...] = ()
    is_sure: bool = True
    nearest: tuple[Fact, ...] = ()


@dataclass(frozen=True)
class _Told:
    """A statement on its way to becoming a fact."""

    statement: Statement
    text: str
    subject: Member
    speaker: Member
    names: NameLookup

    @cached_property
    def keyed(self) -> tuple[str, str] | None:
        """(key, value) where the statement is of that form."""
        return _keyed(self.text, self.subject)

    @property
    def key(self) -> str:
        """The key of the fact until a model words it."""
        return normal_key(self.keyed[0]) if self.keyed is not None else self._stated_kind or NOTE

    @property
    def _stated_kind(self) -> str | None:
        """The key of what a sentence says of its subject by a figure: in their own words, or after their name."""
        if self.statement.stated_by == self.statement.user_id:
            return stated_kind(self.text)
        rest = _without_name(self.text, self.subject)
        return stated_kind(rest) if rest != self.text else None

    @property
    def is_in_third_person(self) -> bool:
        """Whether the fact is about the speaker, and code puts it in the third person."""
        return self.in_own_words != self.text and self.keyed is None and "“" not in self.in_own_words

    @property
    def in_own_words(self) -> str:
        """The fact in the words of the statement."""
        if self.subject.is_server:
            return fit(self.text, FACT_CHARACTERS)
        if self.keyed is not None:
            return fit(f"<@{self.subject.user_id}> — {self.keyed[0]}: {self.keyed[1]}", FACT_CHARACTERS)
        return fit(_in_own_words(self.text, self.subject, self.speaker), FACT_CHARACTERS)

    @property
    def by(self) -> str:
        """Whose word it is, as a reason."""
        return "the person" if self.statement.stated_by == self.statement.user_id else "who told it"

    @cached_property
    def participants(self) -> Participants:
        """The people of the statement: its subject, its speaker, and whom it mentions."""
        known = {self.speaker.user_id: self.speaker, self.subject.user_id: self.subject}
        return Participants([self.subject.user_id, self.speaker.user_id, *mentioned(self.text)], known)

    @property
    def source(self) -> str:
        """Everything a model's wording may take its words from."""
        return " ".join((self.text, *self.statement.context, *self.subject.names, *self.speaker.names))


@dataclass(frozen=True)
class Facts:
    """Adds, finds and words facts; builds the facts blob from the live ones."""

    _core: Core
    _ai: AIClient

    async def check_may_store(self, viewer: Viewer, statement: Statement, text: str) -> Statement:
        """The statement as it may be stored. Raises NotRemembered with the reason where it may not.

        What a person tells of their own sensitive matters is kept for them alone, once confirmed.
        """
        guild_id, subject, speaker = statement.guild_id, statement.user_id, statement.stated_by
        if not re.search(r"\w", without_ids(text)):
            raise NotRemembered(Why.EMPTY)
        if (why := content_policy.reason_to_reject(text)) is not None:
            raise NotRemembered(why)
        author = speaker if statement.author is None else statement.author
        mentions = set(mentioned(text))
        choices = await self._core.suppressions.choices(guild_id, {subject, speaker, author, *mentions})
        for user_id in (subject, speaker, author):
            choice, is_quoted = choices[user_id], user_id == author != speaker
            if choice.is_off or (is_quoted and not choice.keeps_messages):
                raise NotRemembered(Why.OPTED_OUT, user_id=user_id)
        suppressed, forgotten_of = await self._core.suppressions.with_subject_names(guild_id)
        named = await self._core.naming.text(guild_id, text)  # what was forgotten is known by names
        if suppressed.names(named) or any(choices[user_id].is_off for user_id in mentions):
            raise NotRemembered(Why.NAMED)
        for user_id in sorted((concerned(named, subject, forgotten_of) | mentions) - {speaker}):
            if suppressed.tells(named, {user_id}):
                raise NotRemembered(Why.FORGOTTEN, user_id=user_id)
        if not may_teach(viewer, subject, (await self._core.guilds.rules(guild_id)).teachers):
            raise NotRemembered(Why.TEACHERS)
        matter = matter_of(text) or ("unlawful" if is_unlawful(text) else None)
        if matter is not None:
            whose = (await self._core.store.people.members(guild_id, [subject])).get(subject)
            (by_id,) = await self._core.naming.with_ids(guild_id, [text], whose)
            rest = await self._core.naming.text(guild_id, by_id.replace(f"<@{subject}>", "", 1))
            matter = matter_of(rest) or ("unlawful" if is_unlawful(rest) else None)  # else it is what they are called
            if matter is not None and set(mentioned(by_id)) - {speaker, author}:  # "I know that @bob …" tells of bob
                raise NotRemembered(Why.SENSITIVE, matter)
        return _with_audience(statement, matter)

    async def remember(
        self,
        viewer: Viewer,
        statement: Statement,
        subject: Member,
        speaker: Member,
        *,
        check: Callable[[], None],
        undo_until: datetime,
    ) -> Remembered:
        """Store a statement as a fact, in the third person where the small model words it.

        Raises NotRemembered where it is not to be stored: nothing of it is, before it is known what it says. Where the
        AI is away, or what it writes does not keep to the statement, the fact has the words of the statement. So has
        a private one, which no model is shown.
        `speaker` is who wrote them; `check` raises where their message was deleted meanwhile; the change can be undone
        until `undo_until`.
        """
        guild_id = statement.guild_id
        text = fit(one_line(statement.quote), FACT_CHARACTERS)  # shortened before it is looked at
        for other in statement.also_about:
            await self.check_may_store(viewer, replace(statement, user_id=other), text)
        statement = await self.check_may_store(viewer, statement, text)
        if statement.audience < 0:  # what is for its subject alone is kept of nobody else
            statement = replace(statement, also_about=())
        subjects = {statement.user_id, *statement.also_about}
        names = self._core.naming.names(guild_id, (speaker,) if subject.is_server else (subject, speaker), subjects)
        told = _Told(statement, await self._dated(statement, text), subject, speaker, names)
        await names.look_for([told.text, told.in_own_words])
        (value,) = await names.with_ids([told.in_own_words], subject)
        live = await self._heard_with(told)
        is_repeated = any((fact.key, fact.value) == (told.key, value) for fact in live)
        if not is_repeated and _is_unclear(told, set(mentioned(value)), viewer):
            raise NotRemembered(Why.CONFIRM, UNCLEAR)
        known = [] if is_repeated else self._comparable(told.key, value, live)
        is_private = statement.audience < 0
        answer = None if is_repeated or is_private else await self._judged(viewer, told, known)
        sentence = await self._sentence(told, answer) if answer is not None else ""
        check()
        key, domain, relations = _judgement(told, answer, known)
        same = next((k.fact_id for k in known if relations.get(k.fact_id) == "same"), None)
        if answer is None:
            same = next((fact.fact_id for fact in known if is_same(fact.value, value)), None)
        others = known if same is None else []
        replaced = [fact for fact in others if _replaces(told, value, key, fact, relations)]
        done = await self._core.store.facts.add(
            Teaching(
                statement=statement,
                value=sentence or value,
                key=key,
                domain=domain,
                now=self._core.clock(),
                context_ids=_context_used(told, sentence),
                same=same,
                replaces=[fact.fact_id for fact in replaced],
                because=f"something else was told by {told.by}",
                people=names.named_otherwise(),
                lifts=await self._told_again(told),
                undo_until=undo_until,
            )
        )
        is_own = statement.stated_by == statement.user_id
        await self._add_aliases(done.fact, told, answer)
        is_worded = bool(sentence) or subject.is_server or told.is_in_third_person
        left = [fact for fact in others if fact not in replaced] if answer is None and not done.known else []
        return replace(
            done,
            as_said=not is_worded and not done.known,
            alias=None if is_own else _claimed_name(done.fact, subject),
            doubtful=tuple(fact for fact in left if _may_replace(told, value, fact)),
        )

    async def _dated(self, statement: Statement, text: str) -> str:
        """A statement's words with the date of a day such as "tomorrow".

        Words of an earlier message are left: their day isn't known.
        """
        if not statement.context_ids and names_near_day(text):
            tz = await self._core.guilds.zone(statement.guild_id)
            text = with_dates(text, day_of(self._core.clock(), tz))
        return fit(text, FACT_CHARACTERS)

    async def is_update(self, viewer: Viewer, text: str, speaker: Member) -> bool:
        """Whether a statement of the viewer's says that a fact about them, or one about the server that they told,
        holds no more for the readers of the channel.

        It is certain, or the statement says that something is over.
        """
        text = fit(one_line(text), FACT_CHARACTERS)
        guild_id = viewer.guild_id
        live = await self._core.store.facts.live(guild_id, [viewer.user_id, server_subject(guild_id)], viewer.audiences)
        if not any(live.values()):
            return False
        named = [text, _in_own_words(text, speaker, speaker)]
        stated, own = await self._core.naming.with_ids(guild_id, named, speaker)
        told = [(own, fact) for fact in live[viewer.user_id]]
        told += [(stated, fact) for fact in live[server_subject(guild_id)] if fact.stated_by == viewer.user_id]
        told = [(text, fact) for text, fact in told if fact.audience == viewer.audience]
        return any(updates(text, fact) or (says_end(text) and may_update(text, fact)) for text, fact in told)

    async def _judged(self, viewer: Viewer, told: _Told, known: Sequence[Fact]) -> Wording | None:
        """A model's wording of a statement, where it finds nothing in it that is not to be stored.

        None where the AI is away. Raises NotRemembered.
        """
        statement = told.statement
        before = (await self._core.suppressions.get(statement.guild_id)).version
        answer = await self._worded(told, known)
        if (
            await self._core.suppressions.get(statement.guild_id)
        ).version != before:  # something was forgotten meanwhile
            await self.check_may_store(viewer, statement, told.text)
        if answer is None:
            if not is_readable(told.text) and not statement.is_confirmed:
                raise NotRemembered(Why.CONFIRM, UNREAD)
            return None
        if answer.order:
            raise NotRemembered(Why.ORDER)
        if answer.sensitive and statement.audience >= 0:
            _with_audience(statement, "other")
            if not statement.is_confirmed:
                raise NotRemembered(Why.CONFIRM, "other")
        return answer

    async def _heard_with(self, told: _Told) -> list[Fact]:
        """The subject's live facts that everyone may hear who may hear the statement."""
        statement = told.statement
        audience = statement.audience
        if audience >= 0:  # a channel's readers may have changed since the words were said
            channels = await self._core.guilds.channels(statement.guild_id)
            channel = channels.get(statement.channel_id) if statement.channel_id is not None else None
            audience = channel.audience if channel is not None else audience
        audiences = [audience] if audience < 0 else sorted({EVERYONE, audience})
        found = await self._core.store.facts.live(statement.guild_id, [statement.user_id], audiences)
        return found[statement.user_id]

    async def _add_aliases(self, fact: Fact, told: _Told, answer: Wording | None) -> None:
        """Let a member be known by the names a fact gave them, where everyone may know the fact.

        By their own word: what others call them is a claim until they agree.
        """
        if fact.audience != EVERYONE or told.statement.stated_by != told.statement.user_id:
            return
        for alias in (told.statement.alias, _alias(answer.alias, told.source) if answer is not None else None):
            if alias:
                await self._core.store.people.add_alias(fact.guild_id, fact.user_id, alias)

    async def _sentence(self, told: _Told, answer: Wording) -> str:
        """A model's wording as it is stored; empty where it does not keep to the statement.

        What is about the server is no "I" to be put in the third person: it stays as it was said.
        """
        if told.subject.is_server:
            return ""
        worded = told.participants.with_ids(
            accepted(answer.sentence, FACT_CHARACTERS), {w.casefold() for w in told.text.split()}
        )
        is_about_another = told.subject.user_id != told.speaker.user_id
        if not worded or (is_about_another and speaks_of_oneself(without_ids(worded)) and speaks_of_oneself(told.text)):
            return ""
        text = told.keyed[1] if told.keyed is not None else told.text  # what "job" says is the key's to tell
        sentence, stated = await told.names.with_ids([worded, text], told.subject)
        keeps = _keeps_numbers(sentence, told.text, told.source) and is_faithful(sentence, stated, told.source)
        if (
            not keeps
            or content_policy.reason_to_reject(sentence) is not None
            or links_in(sentence) != links_in(told.text)
        ):
            return ""
        is_fine = told.statement.audience < 0 or not (matter_of(sentence) or is_unlawful(sentence))
        return sentence if is_fine else ""

    async def _worded(self, told: _Told, known: Sequence[Fact]) -> Wording | None:
        """A model's wording of a statement; None where the AI gives none in time."""
        asked = wording(
            told.statement.guild_id,
            subject=told.subject,
            speaker=told.speaker,
            quote=told.text,
            participants=told.participants,
            before=told.statement.context,
            known=[(fact.key, fact.value) for fact in known],
            patience=2.0,
            message_id=told.statement.message_id,
        )
        try:
            async with asyncio.timeout(WORDING_PATIENCE):
                return (await self._ai.ask(asked)).value
        except (AIError, TimeoutError) as failed:
            log.info("remember: stored as it was said (%s)", type(failed).__name__)
            return None

    @staticmethod
    def _comparable(key: str, value: str, live: Sequence[Fact]) -> list[Fact]:
        """The live facts that a new one may repeat, refine or contradict: similar ones first, then the newest."""
        words = set(keywords(value))

        def alike(other: Fact) -> tuple[bool, int, bool, datetime]:
            shared = len(words & set(keywords(other.value)))
            return other.key == key != NOTE, shared, holds_one(other.key), other.created_at

        return sorted(live, key=alike, reverse=True)[:MAX_COMPARED_FACTS]

    async def _told_again(self, told: _Told) -> Sequence[int]:
        """The suppressions of a statement that its subject tells again in public: they hold no more."""
        statement = told.statement
        if statement.stated_by != statement.user_id or statement.audience < 0:
            return ()
        suppressed = await self._core.suppressions.get(statement.guild_id)
        if not suppressed.members:
            return ()
        return suppressed.told_again(await self._core.naming.text(statement.guild_id, told.text), statement.user_id)

    async def match(
        self,
        guild_id: GuildId,
        subject: Member,
        request: str,
        live: Sequence[Fact],
        audiences: Collection[AudienceId],
        *,
        by_words: bool = False,
    ) -> Match:
        """The facts among `live` that a request to forget means: by an AI's judgement, else by matching words.

        Where one denies and the other does not ("nobody rides …", "rides …"), it is unsure. No model is shown private
        facts, nor a request whose words mean one; with `by_words`, none is asked.
        """
        if not live:
            return Match()
        name = subject.display_name
        wordings = {_bare(request), _bare(f"{name} {request}"), _bare(f"{name}{predicate(request) or ''}")}
        if same := [fact for fact in live if _bare(fact.value) in wordings]:
            return Match(facts=tuple(same))
        if kind := _of_kind(request, subject, live):
            return Match(facts=tuple(kind))
        if (numbered := _numbered(request, live)) is not None:
            return numbered
        if (each := _of_each(request, subject, live)) is not None:
            return each
        known = {fact.fact_id: fact for fact in live}
        words = _without_names(request, subject)
        found = await self._core.store.facts.matching(guild_id, subject.user_id, audiences, words)
        matches = _by_stems(
            request, subject, live, {fact.fact_id: share for fact, share in found if fact.fact_id in known}
        )
        shown = [fact for fact in live if fact.audience >= 0]
        is_judged = False
        if shown and not by_words and not any(fact.audience < 0 for fact, _ in matches):
            asked = forget(guild_id, subject=subject, facts=[f.value for f in shown], request=request, patience=2.0)
            try:
                async with asyncio.timeout(WORDING_PATIENCE):
                    answer = (await self._ai.ask(asked)).value
                if numbers := [n for n in dict.fromkeys(answer.facts) if 1 <= n <= len(shown)]:
                    meant = [shown[n - 1] for n in numbers]
                    return Match(facts=tuple(meant), is_sure=answer.sure and _deny_alike(request, meant))
                is_judged = True
            except (AIError, TimeoutError) as failed:
                log.info("forget: by matching words (%s)", type(failed).__name__)
        nearest = tuple(fact for fact, _ in matches[:3])
        if not matches or matches[0][1] < CLEAR_MATCH:
            return Match(nearest=nearest)
        best = matches[0][1]
        close = tuple(fact for fact, share in matches if share >= best - 0.1)
        is_sure = not is_judged and len(close) == 1 and _deny_alike(request, close)  # a model saw none of them in it
        return Match(facts=close, is_sure=is_sure, nearest=nearest)

    async def blob(
        self, guild_id: GuildId, user_id: UserId, facts: Sequence[Fact], audience: AudienceId
    ) -> tuple[str, AIError | None]:
        """A member's facts as one text; while their own sentences fit, those are it.

        Where the model gives none, the newest lines that fit, and the error beside them.
        """
        own = sentences(facts)
        if length(own) <= BLOB_CHARACTERS:
            return own, None
        people = [user_id, *(u for fact in facts for u in mentioned(fact.value))]
        members = await self._core.store.people.members(guild_id, people)
        participants = Participants(people, members)
        asked = blob(guild_id, member=user_id, facts=facts, participants=participants)
        maker = fingerprint(asked.version, self._ai.model)
        stored = (await self._core.store.blobs.get_many(guild_id, audience, [user_id])).get(user_id)
        if stored is not None and (stored.source, stored.maker) == (source_of(facts), maker):
            return stored.text, None
        lines = newest_lines(facts, BLOB_CHARACTERS)
        text = None
        try:
            answer = await self._ai.ask(asked)
            text = participants.with_ids(accepted(answer.value.text, BLOB_CHARACTERS))
        except AIRefused:
            pass
        except AIError as failed:
            return lines, failed
        text = content_policy.keep_allowed_sentences(text, own, self._core.clock().date()) if text else ""
        # Refused once, the same facts are not asked about again.
        names = members[user_id].names if user_id in members else ()
        text = completed(text, facts, BLOB_CHARACTERS, names) if text else lines
        await self._core.store.blobs.save(guild_id, user_id, audience, text, facts, maker, self._core.clock())
        return text, None


def _of_each(request: str, subject: Member, live: Sequence[Fact]) -> Match | None:
    """The facts that a request names one after the other ("the dog and the frog").

    It is sure if every part means one fact, and names a thing ("the dog") or has half of what the fact says. None if
    all of it may mean one fact, or none.
    """
    parts = parts_of(request)
    stems = [(fact, set(keywords(fact.value, ignore=subject.names))) for fact in live]
    meant, is_sure, is_known = dict[int, Fact](), 1 < len(parts) <= MAX_PARTS, True
    for part in parts if is_sure else ():
        words = set(keywords(part, ignore=subject.names))
        found = [(fact, all_words) for fact, all_words in stems if words and words <= all_words]
        is_thing = without_beginning(part) != part.casefold()
        is_sure = is_sure and len(found) == 1 and (is_thing or 2 * len(words) >= len(found[0][1]))
        is_known = is_known and bool(found)
        meant |= {fact.fact_id: fact for fact, _ in found}
    facts = tuple(meant.values())
    if not facts or (len(facts) == 1 and is_known):
        return None
    return Match(facts=facts, is_sure=is_sure and len(facts) == len(parts) and _deny_alike(request, facts))


def _of_kind(request: str, subject: Member, live: Sequence[Fact]) -> list[Fact]:
    """The one fact of the kind that a request names and says nothing more of ("my birthday", "where I live")."""
    key = normal_key(without_beginning(request))
    if key == NOTE or not is_kind(request):
        return []
    found = [
        fact
        for fact in live
        if fact.key == key
        or any(matter.key == key for matter in matters(_without_name(fact.value, subject), is_strict=False))
    ]
    return found if len(found) == 1 else []


def _numbered(request: str, live: Sequence[Fact]) -> Match | None:
    """The one fact that begins with a word and a number, where a request is nothing else ("rule 2").

    None for another request; no fact if only others are so numbered.
    """
    begins = _bare(without_beginning(request))
    word, _, number = begins.rpartition(" ")
    if not number.isdecimal() or not word or len(word.split()) > LONGEST_KEY:
        return None
    numbered = [fact for fact in live if re.match(rf"{re.escape(word)} \d", _bare(fact.value))]
    found = tuple(fact for fact in numbered if f"{_bare(fact.value)} ".startswith(f"{begins} "))
    return Match(facts=found, is_sure=len(found) == 1) if numbered else None


def _by_stems(
    request: str, subject: Member, live: Sequence[Fact], shares: Mapping[int, float]
) -> list[tuple[Fact, float]]:
    """Facts with the share of a request's words that they have, best first; all, if they have them in other forms."""
    stems = set(keywords(request, ignore=subject.names))
    found = [
        (fact, 1.0 if stems and stems <= set(keywords(fact.value)) else shares.get(fact.fact_id, 0.0)) for fact in live
    ]
    return sorted((pair for pair in found if pair[1] > 0), key=lambda pair: (-pair[1], pair[0].fact_id))


def _deny_alike(request: str, facts: Sequence[Fact]) -> bool:
    """Whether a request denies something where the facts do, and only there."""
    return all(is_turned(fact.value) == is_turned(request) for fact in facts)


def _is_unclear(told: _Told, people: set[UserId], viewer: Viewer) -> bool:
    """Whether a statement about somebody else, in words not theirs, is not a plain one: its teller is asked first.

    So is one of the teller's own that names other `people` ("I think that @bob …"). A rule of the server is clear if
    whoever manages it tells it.
    """
    if told.subject.is_server and viewer.may_manage and rule_language(told.text) is not None:
        return False
    statement = told.statement
    author = statement.stated_by if statement.author is None else statement.author
    tellers = {statement.stated_by, author}
    if statement.is_confirmed or {statement.user_id, *people} <= tellers:
        return False
    is_keyed = told.keyed is not None and len(told.keyed[0].split()) <= LONGEST_KEY
    quote = fit(one_line(statement.quote), FACT_CHARACTERS)  # without the date that memory writes beside "tonight"
    text = _without_name(quote, told.subject) or quote  # "gruzi87" is no code
    return not is_plain(" ".join(told.keyed) if told.keyed is not None and is_keyed else text)


def _context_used(told: _Told, sentence: str) -> list[MessageId]:
    """The messages around a statement whose keywords its wording took up, names aside."""
    names = (*told.subject.names, *told.speaker.names)
    more = set(keywords(sentence, ignore=names)) - set(keywords(told.text, ignore=names))
    return [
        message_id
        for message_id, line in zip(told.statement.context_ids, told.statement.context, strict=False)
        if message_id != told.statement.message_id and more & set(keywords(line.partition(": ")[2], ignore=names))
    ]


def _with_audience(statement: Statement, matter: str | None) -> Statement:
    """The statement, for its subject alone where that was confirmed. Raises NotRemembered for sensitive matters."""
    if statement.is_confirmed and statement.stated_by == statement.user_id:
        return replace(statement, audience=private_to(statement.user_id))
    if matter is None:
        return statement
    raise NotRemembered(Why.CONFIRM if statement.stated_by == statement.user_id else Why.SENSITIVE, matter)


def _keyed(text: str, subject: Member) -> tuple[str, str] | None:
    """(key, value) where a text is of that form, a name of its subject before it aside."""
    return keyed(_without_name(text, subject))


def _without_name(text: str, subject: Member) -> str:
    """A text without its subject at the beginning."""
    text = re.sub(rf"^<@!?{subject.user_id}>(?:['’]s(?!\w))?", "", text).strip()
    for name in subject.names:
        text = re.sub(rf"^@?{re.escape(name)}(?:['’]s)?(?:\s*[:—–-])?\s+", "", text, flags=re.IGNORECASE)
    return text


def _judgement(told: _Told, answer: Wording | None, known: Sequence[Fact]) -> tuple[str, FactDomain, Mapping[int, str]]:
    """The key and the domain of a statement, and how known facts relate to it, by id, as far as a model judged it."""
    if answer is None:
        return told.key, domain_of(told.key), {}
    key = told.key if told.keyed is not None or told.key != NOTE else normal_key(answer.key)
    relations = {known[r.fact - 1].fact_id: r.relation for r in answer.known if 1 <= r.fact <= len(known)}
    return key, domain_of(key, answer.domain), relations


def _replaces(told: _Told, value: str, key: str, other: Fact, relations: Mapping[int, str]) -> bool:
    """Whether a statement takes the place of a known fact: by the subject's own word or its teller's.

    Others' claims stand. A contradiction counts between facts of one key, and where one is of a kind that a person has
    one of, while the other was given no kind ("lives in Berlin", "moved to Oslo"). Unless a model judges otherwise, a
    key that holds one value decides, and words that say that something changed.
    """
    relation = relations.get(other.fact_id, "")
    replaces = (
        relation == "refines"
        or (relation == "contradicts" and (other.key == key or _may_be_one_matter(other.key, key)))
        or (relation != "different" and ((other.key == key and holds_one(key)) or updates(value, other)))
    )
    return replaces and _is_theirs_to_change(told, other)


def _may_replace(told: _Told, value: str, other: Fact) -> bool:
    """Whether a known fact may hold no more after a statement, so that its teller is asked."""
    return may_update(value, other) and _is_theirs_to_change(told, other)


def _is_theirs_to_change(told: _Told, fact: Fact) -> bool:
    return told.statement.stated_by in (told.statement.user_id, fact.stated_by)


def _may_be_one_matter(one: str, other: str) -> bool:
    """Whether facts of two keys may be about one matter: a kind that a person has one of, and one that says no kind."""
    return NOTE in (one, other) and (holds_one(one) or holds_one(other))


def _in_own_words(text: str, subject: Member, speaker: Member) -> str:
    """A fact in the words of the statement, with enough around them to be understood."""
    if (of_both := together(text, f"<@{speaker.user_id}>")) is not None:
        return of_both
    named = any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) for name in subject.names)
    if named or subject.user_id in mentioned(text):
        is_clear = subject.user_id == speaker.user_id or not speaks_of_oneself(text)
        return text if is_clear else f"<@{speaker.user_id}>: “{text}”"
    if subject.user_id == speaker.user_id:
        told = predicate(text)
        return f"<@{speaker.user_id}>{told}" if told is not None else f"<@{speaker.user_id}>: “{text}”"
    return f"<@{subject.user_id}>, <@{speaker.user_id}>: “{text}”"


def _claimed_name(fact: Fact, subject: Member) -> str | None:
    """A name that others give a member in public, and that the member has not agreed to."""
    if fact.audience != EVERYONE or fact.stated_by == fact.user_id or subject.is_server:
        return None
    alias = alias_given(fact.value)
    return None if alias is None or alias.casefold() in {name.casefold() for name in subject.names} else alias


def _keeps_numbers(sentence: str, text: str, source: str) -> bool:
    """Whether a wording neither loses a number that was said nor brings one of its own."""
    told = set(_NUMBER.findall(without_ids(sentence)))
    asked, there = (set(_NUMBER.findall(without_ids(words))) for words in (text, source))
    return asked <= told <= there


def _alias(alias: str | None, source: str) -> str | None:
    """An alias the model found, if the words it was given have it."""
    alias = one_line(alias or "")
    return alias if 1 < len(alias) <= 40 and alias.casefold() in source.casefold() else None


def _bare(sentence: str) -> str:
    """A sentence for comparing: case and punctuation aside."""
    return " ".join(re.findall(r"\w+", sentence.casefold()))


def _without_names(request: str, subject: Member) -> str:
    """A request's keywords: without the names everyone's facts have, and short ones."""
    for name in subject.names:
        request = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", request, flags=re.IGNORECASE)
    words = [word for word in re.findall(r"\w+", request) if len(word) > 2 or word.isdigit()]
    return " ".join(words) or request
