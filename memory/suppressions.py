"""What must not be told in each guild: suppressions, what members chose, and names of those who opted out."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from cachetools import LRUCache

from memory.generations import Cached, Generations
from memory.guilds import Guilds
from memory.ids import GuildId, UserId
from memory.records import Choice, Member
from memory.rules.carried_names import counting
from memory.rules.folding import folded, surface
from memory.rules.keywords import is_everyday, sentences_of
from memory.rules.safety import is_shaming
from memory.rules.suppression import Fingerprints, Suppressed
from memory.rules.text import mentioned
from memory.store import Store
from memory.store.consents import NOTHING

NAMES_LIFE = timedelta(minutes=10)
"""How long it may take until a name that somebody else took no longer counts."""


@dataclass(frozen=True)
class _Restrictions:
    suppressed: Suppressed
    choices: Mapping[UserId, Choice]
    until: datetime | None = None
    """When it has to be read again though nothing changed; None is never."""

    def is_valid(self, now: datetime) -> bool:
        return self.until is None or now < self.until


class Suppressions:
    """Knows suppressions, choices and opted-out names, which are read along with what holds in a guild.

    Whoever stores anything checks it again in its transaction.
    """

    def __init__(
        self, store: Store, key: bytes, generations: Generations, guilds: Guilds, clock: Callable[[], datetime]
    ) -> None:
        self._store = store
        self._guilds = guilds
        self._generations = generations
        self._clock = clock
        self.fingerprints = Fingerprints(key)
        self._known: Cached[_Restrictions] = generations.cache(LRUCache(20_000))
        self._names: Cached[tuple[dict[UserId, tuple[str, ...]], datetime]] = generations.cache(LRUCache(2_000))

    def drop(self, guild_id: GuildId) -> None:
        """What must not be told in a guild changed."""
        self._generations.move(guild_id)

    async def get(self, guild_id: GuildId) -> Suppressed:
        """What must not be told in a guild. Raises DatabaseUnavailable."""
        return (await self._of(guild_id)).suppressed

    async def choices(self, guild_id: GuildId, user_ids: Collection[UserId]) -> dict[UserId, Choice]:
        """The choices of members that hold in a guild, or everywhere for guild 0. Raises DatabaseUnavailable."""
        known = (await self._of(guild_id)).choices
        return {user_id: known.get(user_id, Choice()) for user_id in user_ids}

    async def silent(self, guild_id: GuildId) -> frozenset[UserId]:
        """The members whose messages are not kept there. Raises DatabaseUnavailable."""
        choices = (await self._of(guild_id)).choices
        return frozenset(user_id for user_id, choice in choices.items() if not choice.keeps_messages)

    async def _of(self, guild_id: GuildId) -> _Restrictions:
        now = self._clock()
        if (known := self._known.get(guild_id)) is not None and known.is_valid(now):
            return known
        generation = self._generations.current(guild_id)
        untold = await self._guilds.untold(guild_id)
        carried = untold.unnamed
        others = await self._others(guild_id, carried) if carried else frozenset()
        unnamed = {user_id: counting(names, others, now) for user_id, names in carried.items()}
        suppressed = Suppressed(self.fingerprints, untold.suppressions, unnamed, untold.version)
        later = [start for names in carried.values() for n in names if (start := n.counts_from()) and start > now]
        read = _Restrictions(suppressed, untold.choices, min((*later, now + NAMES_LIFE)) if carried else None)
        self._known.save_if_current(generation, read, guild_id)
        return read

    async def warm(self, guild_ids: Collection[GuildId]) -> None:
        """Know of many guilds at once that nothing was forgotten there, as of most. Raises DatabaseUnavailable."""
        now = self._clock()
        unknown = {
            guild_id: self._generations.current(guild_id)
            for guild_id in guild_ids
            if (known := self._known.get(guild_id)) is None or not known.is_valid(now)
        }
        if len(unknown) < 2:
            return
        some = await self._store.consents.any_in(unknown)
        for guild_id in unknown.keys() - some:
            nothing = _Restrictions(Suppressed(self.fingerprints, [], {}, NOTHING), {})
            self._known.save_if_current(unknown[guild_id], nothing, guild_id)

    async def _others(self, guild_id: GuildId, unnamed: Collection[UserId]) -> frozenset[str]:
        """Fingerprints of the names that members who are remembered have and had."""
        members = await self._store.people.members(guild_id)
        return frozenset(
            fingerprint
            for user_id, member in members.items()
            if user_id not in unnamed
            for name in (*member.names, *member.former_names)
            for fingerprint in self.fingerprints.of_name(name)
        )

    async def with_subject_names(self, guild_id: GuildId) -> tuple[Suppressed, dict[UserId, tuple[str, ...]]]:
        """What must not be told, and the names that mean each member of whom something was forgotten."""
        generation = self._generations.current(guild_id)
        suppressed, now = await self.get(guild_id), self._clock()
        if not suppressed.members:
            return suppressed, {}
        if (known := self._names.get(guild_id)) is not None and now < known[1]:
            return suppressed, known[0]
        names = await self._unambiguous(guild_id, {}, stored=suppressed.members)
        self._names.save_if_current(generation, (names, now + NAMES_LIFE), guild_id)
        return suppressed, names

    async def screen(self, guild_id: GuildId) -> Screen:
        """What a text of the guild must not tell. Raises DatabaseUnavailable."""
        return Screen(*await self.with_subject_names(guild_id))

    async def unambiguous_names(self, guild_id: GuildId, member: Member) -> tuple[str, ...]:
        """The names that mean a member: theirs alone, and no everyday word. A name gives nobody a say by itself."""
        return (await self._unambiguous(guild_id, {member.user_id: member.names}))[member.user_id]

    async def _unambiguous(
        self, guild_id: GuildId, names_of: Mapping[UserId, Collection[str]], stored: Collection[UserId] = ()
    ) -> dict[UserId, tuple[str, ...]]:
        sole = await self._store.people.sole_names(guild_id, names_of, stored)
        return {user_id: tuple(name for name in names if not is_everyday(name)) for user_id, names in sole.items()}


@dataclass(frozen=True)
class Screen:
    """What texts of a guild must not tell, with the names that mean each member of whom something was forgotten."""

    suppressed: Suppressed
    forgotten_of: Mapping[UserId, Collection[str]]

    def __bool__(self) -> bool:
        return bool(self.suppressed)

    def tells(self, text: str, people: Iterable[UserId] = ()) -> bool:
        """Whether a text by or about `people` tells something that was forgotten of them, or of whom it names."""
        return self.suppressed.tells(text, self.subjects(text, people))

    def forbids(self, text: str, people: Iterable[UserId] = ()) -> bool:
        """Whether it does that, or names somebody who is not remembered."""
        return self.suppressed.names(text) or self.tells(text, people)

    def subjects(self, text: str, people: Iterable[UserId] = ()) -> set[UserId]:
        """Whom a text by or about `people` could tell something of: them, and everyone it names."""
        return {*people, *mentioned(text), *named_of(text, self.forgotten_of)}

    def without(self, text: str, people: Collection[UserId]) -> str:
        """A text without the sentences that tell what was forgotten of `people`, or of whom they name themselves.

        Its lines stay lines; a line of which nothing is left goes.
        """
        names = self.suppressed.names(text)
        if not (names or self.suppressed.members):
            return text
        lines = []
        for line in text.split("\n"):
            kept = [s for s in sentences_of(line) if not (self.tells(s, people) or (names and self._shames(s)))]
            told = " ".join(kept) if len(kept) < len(sentences_of(line)) else line
            if told or not line:
                lines.append(told)
        shown = "\n".join(lines)
        return "" if shown.strip() and self._across(shown, people) else shown

    def _shames(self, sentence: str) -> bool:
        """Whether a sentence tells something shaming of somebody who is not remembered, whose name nobody keeps."""
        return self.suppressed.names(sentence) and is_shaming(sentence)

    def _across(self, text: str, people: Collection[UserId]) -> bool:
        """Whether two sentences that stand together tell it, where neither does alone ("Zürich! Ann lives there.")."""
        sentences = sentences_of(text.replace("\n", " "))
        pairs = (f"{one.rstrip('.!?… ')}, {other}" for one, other in pairwise(sentences))
        return any(self.suppressed.tells_whole(pair, self.subjects(pair, people)) for pair in pairs)


def named_of(text: str, forgotten_of: Mapping[UserId, Collection[str]]) -> set[UserId]:
    """The members among those of whom something was forgotten whom a text names, however it is written."""
    if not forgotten_of:
        return set()
    plain = folded(surface(text))
    found = set()
    for user_id, names in forgotten_of.items():
        shown = [folded(surface(name)) for name in names]
        if f"<@!{user_id}>" in text or any(n in plain and re.search(_alone(n), plain) for n in shown if n):
            found.add(user_id)
    return found


def _alone(name: str) -> str:
    """The pattern of a name as a word of its own, marks of emphasis aside."""
    return rf"(?<![^\W_]){re.escape(name)}(?![^\W_])"


def concerned(text: str, author: UserId, forgotten_of: Mapping[UserId, Collection[str]]) -> set[UserId]:
    """The members with suppressions whom `text` could be about: its author, and everyone it names."""
    known = {user_id for user_id in mentioned(text) if user_id in forgotten_of}
    return {author, *known, *named_of(text, forgotten_of)}
