"""Forgetting: what a person takes back is gone from every place, cannot come back by itself, and is receipted.

What goes is held for Undo only as ciphertext, whose key is given to the one who asked and kept nowhere:
the database has nothing to find, and nothing to undo once the button is gone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from cryptography.fernet import Fernet, InvalidToken

from memory.audible import Audible
from memory.forgetting.plan import Asked, Candidates, Plan, may_change, planned
from memory.levels.facts import Facts
from memory.naming import Naming
from memory.records import (
    EVERYONE,
    Change,
    Consent,
    Fact,
    Forgotten,
    Member,
    Receipt,
    Statement,
    Stored,
    Undo,
)
from memory.rules.calendar import bounds
from memory.rules.carried_names import CarriedName, observed
from memory.rules.keywords import keywords
from memory.rules.text import mentioned
from memory.store import Store
from memory.suppressions import Suppressions, concerned

UNDO = timedelta(minutes=10)
"""How long a change can be undone."""

AUDITED = timedelta(days=365)
"""How long it is kept who changed what."""

GUILD_GRACE = timedelta(days=7)
"""How long a guild that removed the bot may come back before everything of it goes."""

SCHEMA = "urmom-bot member export 2"
"""What an export calls its own form."""

READABLE = ("urmom-bot member export 1", SCHEMA)
"""The forms of exports whose facts can be stored again; in the first, texts name people by their names."""


class Forgetting:
    """Takes away, holds for Undo, keeps from coming back, and says what was found and what is left."""

    def __init__(
        self,
        store: Store,
        facts: Facts,
        naming: Naming,
        suppressions: Suppressions,
        audible: Audible,
        clock: Callable[[], datetime],
        changed: Callable[[int], None],
    ) -> None:
        self._store = store
        self._facts = facts
        self._naming = naming
        self._suppressions = suppressions
        self._audible = audible
        self._clock = clock
        self._changed = changed

    async def forget(
        self, guild_id: int, about: Member, request: str, *, by: int, moderates: bool, audience: int, alone: bool
    ) -> Forgotten:
        """Forget the facts that `request` means, as far as allowed; candidates where it is open.

        The person themselves can have forgotten what no fact says: then it is looked for in messages
        and summaries. `alone` tells that nobody else reads the answer.
        """
        audiences = await self._audible.audible_in(guild_id, audience)
        if alone and by == about.user_id:
            audiences = (*audiences, -by)
        found = (await self._store.facts.live(guild_id, [about.user_id], audiences))[about.user_id]
        live = await self._naming.facts(guild_id, found)
        meant, sure, nearest = await self._facts.meant(guild_id, about, request, live, audiences)
        if meant and not sure:
            return Forgotten(candidates=tuple(meant))
        if meant:
            return await self.forget_facts(
                guild_id, about, meant, by=by, moderates=moderates, audience=audience, said=request
            )
        if by == about.user_id or moderates:
            audible = await self._audible.audible_in(guild_id, audience)
            asked = Asked(
                about=about, by=by, moderates=moderates, action="forget", statements=[request], audible=audible
            )
            if (done := await self._take(guild_id, asked)) is not None:
                return done
        return Forgotten(nearest=tuple(nearest))

    async def forget_facts(
        self,
        guild_id: int,
        about: Member,
        facts: Sequence[Fact],
        *,
        by: int,
        moderates: bool,
        audience: int,
        said: str = "",
        action: str = "forget",
    ) -> Forgotten:
        """Forget facts about a member, as far as allowed."""
        facts = await self._naming.facts(guild_id, facts)
        mine = [fact for fact in facts if may_change(fact, by, moderates=moderates)]
        refused = tuple(fact for fact in facts if fact not in mine)
        if not mine:
            return Forgotten(not_allowed=refused)
        statements = [fact.value for fact in mine]
        if said and len(mine) == 1:
            statements.append(said)
        asked = Asked(
            about=about,
            by=by,
            moderates=moderates,
            action=action,
            facts=mine,
            statements=statements,
            audible=await self._audible.audible_in(guild_id, audience),
        )
        done = await self._take(guild_id, asked)
        assert done is not None
        return replace(done, removed=tuple(mine), not_allowed=refused)

    async def _take(self, guild_id: int, asked: Asked) -> Forgotten | None:
        """Take away what is asked, as far as it is allowed; None where there is nothing to take."""
        plan = planned(asked, await self._candidates(guild_id, asked), self._suppressions.marker)
        if plan.empty:
            return None
        now, key = self._clock(), Fernet.generate_key()
        entry, counts = await self._store.forgetting.carry_out(
            guild_id, plan, now, now + UNDO, lambda held: Fernet(key).encrypt(json.dumps(held).encode())
        )
        self._changed(guild_id)
        if asked.whole and asked.keywords:
            about = asked.about
            statements = [*asked.keywords, *await self._by_ids(guild_id, asked)]
            found = await self._store.forgetting.find_words(
                guild_id, about.user_id, about.names, statements, asked.searched
            )
        else:
            found = await self._store.forgetting.find_sources(guild_id, [f.fact_id for f in asked.facts], plan.teller)
        receipt = Receipt(
            guild_id=guild_id,
            user_id=asked.about.user_id,
            action=asked.action,
            at=now,
            removed=_some(counts),
            found=found,
        )
        await self._store.audit.add(guild_id, entry, {"second_search": found})
        return Forgotten(receipt=receipt, more=plan.more, undo=Undo(entry_id=entry, key=key.decode()))

    async def _candidates(self, guild_id: int, asked: Asked) -> Candidates:
        """What may tell what is to be forgotten: it shares keywords with it, or is about the member."""
        stems = {stem for stems in asked.keywords for stem in stems}
        if not stems:
            return Candidates()
        about, whose = asked.about, {asked.about.user_id: asked.about}
        messages = await self._store.messages.with_keywords(guild_id, about.user_id, about.names, stems, asked.searched)
        facts = await self._store.facts.every(guild_id, about.user_id) if asked.own else ()
        notes = await self._store.notes.naming(guild_id, about.user_id, asked.searched)
        named = await self._naming.messages(guild_id, messages)
        return Candidates(
            messages=[(message, concerned(message.text, message.user_id, whose)) for message in named],
            facts=await self._naming.facts(guild_id, facts),
            notes=await self._naming.notes(guild_id, notes),
        )

    async def _by_ids(self, guild_id: int, asked: Asked) -> list[list[str]]:
        """The keywords of statements as texts have them that name people by id, of those that name anybody else."""
        found = []
        for statement in asked.statements:
            text = await self._naming.with_ids(guild_id, statement, asked.about)
            if others := [f"<@{u}>" for u in mentioned(text) if u != asked.about.user_id]:
                found.append([*keywords(text, asked.about.names), *others])
        return found

    async def forget_key(
        self, guild_id: int, about: Member, key: str, *, by: int, moderates: bool, audience: int
    ) -> Forgotten:
        """Forget all facts of one kind about a member; by their own word those that hold no more, and all elsewhere."""
        every = await self._store.facts.every(guild_id, about.user_id)
        audible = await self._audible.audible_in(guild_id, audience)
        kind = [
            fact
            for fact in every
            if fact.key == key and (by == about.user_id or (fact.audience in audible and fact.retired_at is None))
        ]
        return await self.forget_facts(
            guild_id, about, kind, by=by, moderates=moderates, audience=audience, action="forget_key"
        )

    async def rollback(self, guild_id: int, teacher: Member, facts: Sequence[Fact], *, by: int) -> Undo:
        """Take away all that one member taught; what others told too stands on their word. Can be undone."""
        audible = await self._audible.audible_in(guild_id, EVERYONE)
        done = await self._take(
            guild_id,
            Asked(about=teacher, by=by, moderates=True, action="rollback", facts=facts, audible=audible),
        )
        assert done is not None
        assert done.undo is not None
        return done.undo

    async def undo(
        self, guild_id: int, undo: Undo, *, by: int, moderates: bool, manages: bool = False
    ) -> Change | None:
        """Take a change back within its time; None where it cannot be any more, or not by this person.

        What a person took away about themselves, or keeps for themselves, only they bring back; what
        those who manage the server did, only they.
        """

        def allowed(change: Change, private: bool) -> bool:
            own = change.user_id == change.actor_id and change.action.startswith("forget")
            if own or private:
                return by == change.user_id
            if change.administrative:
                return manages
            return moderates or by in (change.actor_id, change.user_id)

        def opened(held: bytes) -> dict[str, Any]:
            content: dict[str, Any] = json.loads(Fernet(undo.key.encode()).decrypt(held))
            return content

        try:
            change = await self._store.forgetting.undo(guild_id, undo.entry_id, self._clock(), allowed, opened)
        except (InvalidToken, ValueError):
            return None
        self._changed(guild_id)
        return change

    async def strike_day(
        self, guild_id: int, about: Member, day: date, audience: int, tz: ZoneInfo, *, by: int
    ) -> Undo | None:
        """Take away what is noted of a person's day, and with it their own messages of that day.

        For the person alone: nothing of the kind is noted of that day again. None where it is gone already.
        """
        start, end = bounds(day, tz)
        notes = [
            note
            for note in await self._store.notes.of(guild_id, [audience], start, end, [about.user_id])
            if note.user_id == about.user_id
        ]
        if by != about.user_id or not notes:
            return None
        key, now = Fernet.generate_key(), self._clock()
        mine = await self._store.messages.written_by(guild_id, about.user_id, audience, (start, end))
        entry, _ = await self._store.forgetting.carry_out(
            guild_id,
            Plan(
                user_id=about.user_id,
                actor_id=by,
                action="forget_day",
                message_ids=mine,
                note_ids=[note.note_id for note in notes],
                details={"day": day.isoformat()},
            ),
            now,
            now + UNDO,
            lambda held: Fernet(key).encrypt(json.dumps(held).encode()),
        )
        self._changed(guild_id)
        return Undo(entry_id=entry, key=key.decode())

    async def hold(self, statement: Statement) -> Undo:
        """Keep a statement, sealed, until the person confirms it."""
        key, now = Fernet.generate_key(), self._clock()
        content = {name: value for name, value in asdict(statement).items() if name != "confirmed"}
        entry = await self._store.audit.note(
            statement.guild_id,
            at=now,
            actor_id=statement.stated_by,
            action="pending",
            user_id=statement.user_id,
            held=Fernet(key).encrypt(json.dumps(content).encode()),
            holds=[statement.message_id] if statement.message_id else [],
            holds_of=[statement.user_id],
            undo_until=now + UNDO,
        )
        return Undo(entry_id=entry, key=key.decode())

    async def held(self, guild_id: int, undo: Undo, *, by: int) -> Statement | None:
        """The statement that was held for `by`, once; None where it is theirs no more."""
        held = await self._store.audit.take_pending(guild_id, undo.entry_id, by, self._clock())
        if held is None:
            return None
        try:
            content = json.loads(Fernet(undo.key.encode()).decrypt(held))
        except (InvalidToken, ValueError):
            return None
        lists = {name: tuple(content[name]) for name in ("context", "context_ids")}
        return Statement(**{**content, **lists, "confirmed": True})

    # Consent and erasure

    async def choose(self, guild_ids: Sequence[int], about: Member, consent: Consent, *, by: int) -> list[Receipt]:
        """Keep what a member lets the bot keep, and forget what it does not allow; a receipt for each guild."""
        receipts = []
        for guild_id in guild_ids:
            names = await self._names(guild_id, about)
            counts = await self._store.forgetting.choose(
                guild_id,
                about.user_id,
                self._clock(),
                actor_id=by,
                consent=consent,
                carried=await self._carried(guild_id, about) if consent is Consent.OFF else (),
                names=names,
            )
            self._changed(guild_id)
            if guild_id and consent is Consent.OFF:
                receipts.append(await self._receipt(guild_id, about, names, f"consent {consent.value}", counts))
        return receipts

    async def ignore(self, guild_id: int, about: Member, ignored: bool, *, by: int) -> None:
        """Neither answer a member nor keep anything of them, or do so again; what is stored stays."""
        await self._store.forgetting.choose(
            guild_id,
            about.user_id,
            self._clock(),
            actor_id=by,
            ignored=ignored,
            carried=await self._carried(guild_id, about) if ignored else (),
        )
        self._changed(guild_id)

    async def erase(self, guild_id: int, about: Member, *, by: int, action: str = "erase") -> Receipt:
        """Remove everything stored about a member in a guild."""
        names = await self._names(guild_id, about)
        counts = await self._store.forgetting.erase_member(guild_id, about.user_id, names, self._clock(), by, action)
        self._changed(guild_id)
        return await self._receipt(guild_id, about, names, action, counts)

    async def erase_channel(
        self, guild_id: int, channel_ids: Collection[int], *, by: int, gone: bool
    ) -> dict[str, int]:
        """Remove what was written and told in channels and their threads; how many rows went, by place."""
        counts = await self._store.forgetting.erase_channel(guild_id, channel_ids, self._clock(), by, gone=gone)
        self._changed(guild_id)
        return _some(counts)

    async def erase_guild(self, guild_id: int) -> None:
        """Remove everything of a guild."""
        await self._store.forgetting.erase_guild(guild_id)
        self._changed(guild_id)

    async def _carried(self, guild_id: int, about: Member) -> list[CarriedName]:
        """The names that a member carries as they choose not to be remembered, as digests, and since when."""
        known = (await self._store.people.members(guild_id, [about.user_id])).get(about.user_id) or about
        marker, now = self._suppressions.marker, self._clock()
        former = observed([], map(marker.name_marks, known.aliases), now, known.named_at)
        now_carried = dict.fromkeys(n for n in (about.display_name, about.global_name, about.username) if n)
        same = now_carried.keys() <= set(known.names)
        return observed(former, map(marker.name_marks, now_carried), now, known.named_at if same else None)

    async def _names(self, guild_id: int, about: Member) -> tuple[str, ...]:
        """Every name a member is known by, those given by whoever asks among them."""
        known = (await self._store.people.members(guild_id, [about.user_id])).get(about.user_id)
        return tuple(dict.fromkeys((*about.names, *(known.names if known else ()))))

    async def _receipt(
        self, guild_id: int, about: Member, names: Collection[str], action: str, counts: Mapping[str, int]
    ) -> Receipt:
        return Receipt(
            guild_id=guild_id,
            user_id=about.user_id,
            action=action,
            at=self._clock(),
            removed=_some(counts),
            found=await self._store.forgetting.find_member(guild_id, about.user_id, names),
        )

    # What is stored

    async def stored(self, guild_ids: Collection[int], user_id: int) -> list[Stored]:
        """How much is stored about a member in each guild that knows anything."""
        return [await self._store.forgetting.stored(guild_id, user_id) for guild_id in guild_ids]

    async def export(self, guild_id: int, user_id: int) -> dict[str, Any]:
        """Everything stored about a member in a guild, as one JSON document."""
        rows = await self._store.forgetting.everything(guild_id, user_id)
        told = [str(value) for found in rows.values() for row in found for value in row.values()]
        return {
            "schema": SCHEMA,
            "guild_id": str(guild_id),
            "user_id": str(user_id),
            "exported_at": self._clock().isoformat(),
            "people": {str(u): name for u, name in (await self._naming.people(guild_id, told)).items()},
            **{name: [_plain(row) for row in found] for name, found in rows.items()},
        }

    async def restore_export(self, export: Mapping[str, Any], guild_id: int | None = None) -> int:
        """Store the live facts of an export, in its guild or another; how many were new. Raises ValueError.

        What was forgotten since, or is of somebody who is not to be remembered, is left out.
        """
        if export.get("schema") not in READABLE:
            raise ValueError(f"it is no export of this form ({SCHEMA!r})")
        if missing := [name for name in ("guild_id", "user_id", "facts") if name not in export]:
            raise ValueError(f"it has no {', '.join(missing)}")
        place = guild_id or int(export["guild_id"])
        facts = []
        suppressed = await self._suppressions.of(place)
        people = {int(row[name]) for row in export["facts"] for name in ("user_id", "stated_by")}
        off = {u for u, (c, ignored) in (await self._store.consents.of(place, people)).items() if c == "off" or ignored}
        for row in export["facts"]:
            told_by = {int(row["user_id"]), int(row["stated_by"])}
            value = await self._naming.text(place, row["value"])
            if row.get("retired_at") is None and not told_by & off and not suppressed.tells(value, told_by):
                moments = {name: datetime.fromisoformat(row[name]) for name in ("created_at", "last_confirmed_at")}
                numbers = {
                    name: None if row[name] is None else int(row[name])
                    for name in ("user_id", "stated_by", "channel_id", "message_id", "audience")
                }
                facts.append({**row, **moments, **numbers, "guild_id": place})
        about = _exported(export, place)
        if about.display_name:
            await self._store.people.name([about], self._clock())
        facts = [{**fact, "value": await self._naming.with_ids(place, fact["value"], about)} for fact in facts]
        return await self._store.facts.put(facts)


def _exported(export: Mapping[str, Any], guild_id: int) -> Member:
    """The member whom an export is of, in a guild."""
    names = (export.get("names") or [{}])[0]
    return Member(
        guild_id=guild_id,
        user_id=int(export["user_id"]),
        display_name=names.get("display_name") or "",
        username=names.get("username") or "",
        global_name=names.get("global_name"),
    )


def _some(counts: Mapping[str, int]) -> dict[str, int]:
    return {table: n for table, n in counts.items() if n}


_IDS = ("_id", "stated_by", "superseded_by", "audience", "evidence", "fact_ids")


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row as JSON has it: ids as text, since they are larger than what JSON's numbers keep."""
    plain: dict[str, Any] = {}
    for name, value in row.items():
        if name in ("words", "stems"):
            continue
        if isinstance(value, datetime | date):
            value = value.isoformat()
        elif name.endswith(_IDS) and isinstance(value, list):
            value = [str(v) for v in value]
        elif name.endswith(_IDS) and isinstance(value, int):
            value = str(value)
        plain[name] = value
    return plain
