"""Forgetting as transactions, the second search after it, and everything stored about one member."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from memory.forgetting.plan import Plan
from memory.ids import ALL_GUILDS, AudienceId, ChannelId, GuildId, MessageId, UserId
from memory.records import Change, Consent, Stored
from memory.rules.carried_names import CarriedName
from memory.rules.text import mentioned
from memory.store import audit, cascade, consents, people
from memory.store.catalogue import Table, tables
from memory.store.channels import forget_layout, update_mode
from memory.store.database import Connection, Tables
from memory.store.facts import restore
from memory.store.messages import Searched, by_or_naming, like
from memory.store.provenance import message_ids, node

DECISIONS = ("settings", "teachers", "log", "base_role", "mode")
"""The actions by which managers decide something: they note what held before."""


async def _decided_before(connection: Connection, guild_id: GuildId, change: Change) -> bool:
    """Put back what held before a decision. False where something else was decided since."""
    before, after = change.details["before"], change.details["after"]
    if change.action == "mode":
        channel_id = ChannelId(int(change.details["channel"]))
        found = await update_mode(connection, guild_id, channel_id, before["mode"], before["captions"], only_from=after)
    else:
        found = await people.update_rules(connection, guild_id, before, only_from=after)
    return bool(found == after)


class ForgettingStore(Tables):
    """One transaction for each thing that is forgotten."""

    async def carry_out(
        self,
        guild_id: GuildId,
        plan: Plan,
        now: datetime,
        undo_until: datetime | None,
        seal: Callable[[dict[str, Any]], bytes],
    ) -> tuple[int, Counter[str]]:
        """Carry out a plan; returns the audit entry and how many rows went, by table.

        `seal` encrypts what Undo would need.
        """
        async with self._db.writing(guild_id) as connection:
            notes = {*plan.note_ids, *await cascade.resting_on(connection, guild_id, plan.message_ids)}
            rows = await cascade.rows_to_seal(
                connection, guild_id, plan.fact_ids, plan.message_ids, notes, plan.conclusion_ids
            )
            counts = await cascade.forgotten(
                connection,
                guild_id,
                facts=plan.fact_ids,
                messages=plan.message_ids,
                others=[
                    *(node("note", n) for n in plan.note_ids),
                    *(node("conclusion", n) for n in plan.conclusion_ids),
                    *plan.turns,
                ],
                teller=plan.teller,
                channel_id=plan.channel_id,
                subject=(plan.user_id, plan.names) if plan.suppressed else None,  # whatever a model made of it
            )
            suppression_ids = await consents.suppress(connection, guild_id, plan.user_id, plan.suppressed, now)
            entry = await audit.note(
                connection,
                guild_id,
                at=now,
                actor_id=plan.actor_id,
                action=plan.action,
                user_id=plan.user_id,
                fact_ids=plan.fact_ids,
                details={
                    **plan.details,
                    "suppressions": suppression_ids,
                    "removed": {t: n for t, n in counts.items() if n},
                },
                administrative=plan.administrative,
                sealed=seal(rows) if undo_until else None,
                sealed_messages=_messages(rows),
                sealed_ids=_ids(rows),
                undo_until=undo_until,
            )
        return entry, counts

    async def undo(
        self,
        guild_id: GuildId,
        entry_id: int,
        now: datetime,
        allowed: Callable[[Change, Collection[AudienceId]], bool],
        unseal: Callable[[bytes], dict[str, Any]],
    ) -> Change | None:
        """Take back an entry; None where it cannot be, any more or by this person. Raises what `unseal` raises."""
        async with self._db.writing(guild_id) as connection:
            found = await audit.claim_undo(connection, guild_id, entry_id, now)
            if found is None:
                return None
            change, sealed = found
            stored = await connection.fetch(
                "SELECT audience FROM facts WHERE guild_id = $1 AND fact_id = ANY($2)", guild_id, list(change.fact_ids)
            )
            if not allowed(change, [row["audience"] for row in stored]):
                return None
            if change.action in DECISIONS and not await _decided_before(connection, guild_id, change):
                return None
            if change.action == "consent":  # what is put back is what the choice before lets be kept
                assert change.user_id is not None
                await consents.choose_again(connection, guild_id, change.user_id, change.details.get("before"), now)
                if "everywhere" in change.details:
                    everywhere = change.details["everywhere"]
                    await consents.choose_again(connection, ALL_GUILDS, change.user_id, everywhere, now)
            if sealed is not None:
                await cascade.put_back(connection, guild_id, unseal(sealed))
                await consents.lift(connection, guild_id, change.details.get("suppressions", ()))
            else:
                await cascade.sources_removed(connection, guild_id, change.fact_ids, change.actor_id)
                await restore(connection, guild_id, change.details.get("replaced", ()), None)
            await audit.undone(connection, guild_id, entry_id, now)
        return change

    async def choose(
        self,
        guild_id: GuildId,
        user_id: UserId,
        now: datetime,
        *,
        actor_id: UserId,
        consent: Consent | None = None,
        ignored: bool | None = None,
        carried: Sequence[CarriedName] = (),
        names: Collection[str] = (),
        undo_until: datetime | None = None,
        seal: Callable[[dict[str, Any]], bytes] | None = None,
        everywhere: Mapping[str, str | None] | None = None,
    ) -> tuple[int, Counter[str]]:
        """Record a choice, and remove at once what it no longer allows; the audit entry, and how many rows went.

        `seal` encrypts what Undo would need, where the choice can be undone; `everywhere` is the choice for all guilds
        that held before, where it is changed with this one.
        """
        async with self._db.writing(guild_id) as connection:
            before = await consents.chosen(connection, guild_id, user_id)
            rows: dict[str, Any] = {}
            removes = guild_id != ALL_GUILDS and consent in (Consent.OFF, Consent.EXPLICIT)
            if removes and seal is not None:
                facts_too = consent is Consent.OFF
                rows = await cascade.member_rows_to_seal(connection, guild_id, user_id, facts_too=facts_too)
            await consents.choose(connection, guild_id, user_id, now, consent=consent, ignored=ignored, names=carried)
            counts: Counter[str] = Counter()
            if removes:
                counts = await cascade.member_removed(
                    connection,
                    guild_id,
                    user_id,
                    names if consent is Consent.OFF else (),
                    facts_too=consent is Consent.OFF,
                )
            is_sealed = bool(rows) and seal is not None
            entry_id = await audit.note(
                connection,
                guild_id,
                at=now,
                actor_id=actor_id,
                action="ignore" if ignored else "unignore" if ignored is False else "consent",
                user_id=user_id,
                details={"consent": consent.value, "before": before, **(everywhere or {})} if consent else {},
                administrative=ignored is not None,
                sealed=seal(rows) if is_sealed and seal is not None else None,
                sealed_messages=_messages(rows) if is_sealed else (),
                sealed_ids=_ids(rows) if is_sealed else (),
                undo_until=undo_until if is_sealed else None,
            )
        return entry_id, counts

    async def erase_member(
        self,
        guild_id: GuildId,
        user_id: UserId,
        names: Collection[str],
        now: datetime,
        actor_id: UserId,
        action: str,
        *,
        told: Mapping[str, int] | None = None,
    ) -> Counter[str]:
        """Remove everything about a member; their choices stay. The audit keeps the counts `told`, or all."""
        async with self._db.writing(guild_id) as connection:
            counts = await cascade.member_removed(connection, guild_id, user_id, names)
            await audit.note(
                connection,
                guild_id,
                at=now,
                actor_id=actor_id,
                action=action,
                user_id=user_id,
                details={"removed": {table: n for table, n in (counts if told is None else told).items() if n}},
                administrative=True,
            )
        return counts

    async def erase_channel(
        self, guild_id: GuildId, channel_ids: Collection[ChannelId], now: datetime, actor_id: UserId, *, gone: bool
    ) -> Counter[str]:
        """Remove what was written and told in channels; with `gone`, the channels themselves are no more."""
        async with self._db.writing(guild_id) as connection:
            counts = await cascade.channel_removed(connection, guild_id, channel_ids)
            if gone:
                channels = await cascade.with_threads(connection, guild_id, channel_ids)
                for table in ("channel_cursors", "channel_settings"):
                    await connection.execute(
                        f"DELETE FROM {table} WHERE guild_id = $1 AND channel_id = ANY($2)", guild_id, channels
                    )
                await forget_layout(connection, guild_id)
            else:
                await audit.note(
                    connection,
                    guild_id,
                    at=now,
                    actor_id=actor_id,
                    action="purge_channel",
                    details={"channels": list(channel_ids), "removed": {t: n for t, n in counts.items() if n}},
                    administrative=True,
                )
        return counts

    async def erase_direct(self, user_id: UserId) -> None:
        """Remove a member's talks with the bot in direct messages."""
        async with self._db.writing(ALL_GUILDS) as connection:
            rows = await connection.fetch(
                "SELECT DISTINCT session_id FROM turns WHERE guild_id = $1 AND user_id = $2",
                ALL_GUILDS,
                user_id,
            )
            await cascade.sessions_removed(connection, ALL_GUILDS, [row["session_id"] for row in rows])

    async def erase_guild(self, guild_id: GuildId) -> Counter[str]:
        """Remove everything of a guild."""
        async with self._db.transaction() as connection:
            return await cascade.guild_removed(connection, guild_id)

    # The second search

    async def find_words(
        self,
        guild_id: GuildId,
        user_id: UserId,
        names: Collection[str],
        statements: Collection[Collection[str]],
        audiences: Collection[AudienceId] | None,
        *,
        words: Collection[str],
        searched: Searched | None = None,
    ) -> dict[str, int]:
        """Count, in each table with text, the rows by, about or naming a member that have all words of a statement.

        `words` are the statements as they were made. Of what `audiences` may hear, or of all with None: a count tells
        something too. Where messages were `searched` for one word of them before, only what that found and what came
        since can have all of them.
        """
        named = [*names, f"<@{user_id}>"]
        audible = None if audiences is None else list(audiences)
        searches = []
        for table in tables(text=True):
            if audible is not None and not table.audience:
                continue
            text, parts = table.text, ""
            if table.node == "blob":  # facts that stand beside each other tell nothing together
                text, parts = "part", f"regexp_split_to_table({table.text}, '(?<=[.!?])\\s+') AS part,"
            matching = f"""
                EXISTS (SELECT 1 FROM {parts} jsonb_array_elements($4::jsonb) AS statement (words)
                        WHERE NOT EXISTS (SELECT 1 FROM jsonb_array_elements_text(words) AS word (pattern)
                                          WHERE compared({text}) !~ pattern))"""
            if table.node == "blob":
                matching += (
                    f" OR EXISTS (SELECT 1 FROM unnest($7::text[]) AS words WHERE strpos({table.text}, words) > 0)"
                )
                matching = f"({matching})"
            if table.audience:
                matching += " AND ($5::bigint[] IS NULL OR audience = ANY($5))"
            if table.name == "chat_history":
                # the order itself is among them until it is done
                matching = f"""
                    NOT off_record AND ($8::bigint[] IS NULL OR message_id = ANY($8) OR age(xmin) <= age($9::text::xid))
                    AND {matching}"""
                found = f"({by_or_naming(matching, names='$6::text[]', words='$7::text[]')})"
            else:
                found = f"""
                    (SELECT guild_id FROM {table.name}
                     WHERE guild_id = $1 AND ({table.of_member} OR {table.text} ILIKE ANY($3)) AND {matching})"""
            searches.append(
                f"SELECT '{table.name}' AS name, count(*) AS rows FROM {found} AS found WHERE guild_id = $1"
            )
        wanted = [[_pattern(stem) for stem in stems] for stems in statements if stems]
        async with self._db.connection() as connection:
            rows = await connection.fetch(
                " UNION ALL ".join(searches),
                guild_id,
                user_id,
                [f"%{like(name)}%" for name in named],
                wanted,
                audible,
                named,
                list(words),
                None if searched is None else [message.message_id for message in searched.messages],
                None if searched is None else searched.since,
            )
        return {row["name"]: row["rows"] for row in rows}

    async def find_sources(
        self, guild_id: GuildId, fact_ids: Collection[int], teller: UserId, channel_id: ChannelId | None = None
    ) -> dict[str, int]:
        """Count what one member told of facts, or anybody in a channel, by table."""
        async with self._db.connection() as connection:
            return {
                table: await connection.fetchval(
                    f"SELECT count(*) FROM {table}"
                    " WHERE guild_id = $1 AND fact_id = ANY($2) AND (stated_by = $3 OR channel_id = $4)",
                    guild_id,
                    list(fact_ids),
                    teller,
                    channel_id,
                )
                for table in ("facts", "fact_sources")
            }

    async def find_member(
        self, guild_id: GuildId, user_id: UserId, names: Collection[str], rooms: Collection[AudienceId] | None = None
    ) -> dict[str, int]:
        """In each table, the rows about a member or told by them, and the texts made about others that name them.

        With `rooms`, only those of these audiences, and the member's own words.
        """
        found = {}
        seen = None if rooms is None else list(rooms)
        async with self._db.connection() as connection:
            for table in tables(subject=True):
                found[table.name] = await connection.fetchval(
                    f"""
                    SELECT count(*) FROM {table.name}
                    WHERE guild_id = $1 AND {table.of_member} AND {_in_rooms(table)}
                      AND $3::bigint[] IS NOT DISTINCT FROM $3
                    """,
                    guild_id,
                    user_id,
                    seen,
                )
            found["fact_sources"] = await connection.fetchval(
                "SELECT count(*) FROM fact_sources WHERE guild_id = $1 AND stated_by = $2", guild_id, user_id
            )
            patterns, exact = cascade.naming(names)
            for table in tables(names_people=True):
                text = table.text
                found[table.name] += await connection.fetchval(
                    f"""
                    SELECT count(*) FROM {table.name}
                    WHERE guild_id = $1 AND NOT coalesce({table.of_member}, false) AND {_in_rooms(table)}
                      AND ({text} ~* ANY($4) OR {text} ~ ANY($5) OR {text} LIKE $6)
                    """,
                    guild_id,
                    user_id,
                    seen,
                    patterns,
                    exact,
                    f"%<@{user_id}>%",
                )
        return found

    async def stored(self, guild_id: GuildId, user_id: UserId, rooms: Collection[AudienceId] | None = None) -> Stored:
        """How much is stored about a member, and from when to when; with `rooms`, of these and in their own words."""
        made = " + ".join(
            f"(SELECT count(*) FROM {table.name} WHERE guild_id = $1 AND {table.of_member} AND {_in_rooms(table)})"
            for table in tables(names_people=True)
        )
        seen = "($3::bigint[] IS NULL OR audience = ANY($3) OR stated_by = $2)"
        async with self._db.connection() as connection:
            row = await connection.fetchrow(
                f"""
                SELECT (SELECT count(*) FROM chat_history WHERE guild_id = $1 AND user_id = $2) AS messages,
                       (SELECT count(*) FROM facts
                        WHERE guild_id = $1 AND user_id = $2 AND retired_at IS NULL AND stated_by = $2) AS facts_by_me,
                       (SELECT count(*) FROM facts
                        WHERE guild_id = $1 AND user_id = $2 AND retired_at IS NULL
                          AND stated_by <> $2 AND {seen}) AS facts_by_others,
                       (SELECT count(*) FROM facts
                        WHERE guild_id = $1 AND user_id = $2 AND retired_at IS NOT NULL AND {seen}) AS facts_retired,
                       (SELECT count(DISTINCT fact_id) FROM fact_sources
                        WHERE guild_id = $1 AND stated_by = $2
                          AND fact_id NOT IN (SELECT fact_id FROM facts WHERE guild_id = $1 AND user_id = $2))
                           AS facts_about_others,
                       {made} AS summaries,
                       (SELECT count(*) FROM suppressions WHERE guild_id = $1 AND user_id = $2) AS suppressions,
                       least((SELECT min(timestamp) FROM chat_history WHERE guild_id = $1 AND user_id = $2),
                             (SELECT min(created_at) FROM facts
                              WHERE guild_id = $1 AND user_id = $2 AND {seen})) AS oldest,
                       greatest((SELECT max(timestamp) FROM chat_history WHERE guild_id = $1 AND user_id = $2),
                                (SELECT max(created_at) FROM facts
                                 WHERE guild_id = $1 AND user_id = $2 AND {seen})) AS newest
                """,
                guild_id,
                user_id,
                None if rooms is None else list(rooms),
            )
        assert row is not None
        counts = dict(row)
        oldest, newest = counts.pop("oldest"), counts.pop("newest")
        return Stored(guild_id=guild_id, counts=counts, oldest=oldest, newest=newest)

    async def everything(
        self, guild_id: GuildId, user_id: UserId, rooms: Collection[AudienceId] | None = None
    ) -> dict[str, list[dict[str, Any]]]:
        """Every row about a member, and what they told about others, for an export.

        With `rooms`, what others told and what was made, of these audiences; the member's own words of all.
        """
        all_seen = "$3::bigint[] IS NOT DISTINCT FROM $3"  # always true: a value that no clause names has no type
        seen = "($3::bigint[] IS NULL OR audience = ANY($3) OR stated_by = $2)"
        queries = {
            name: f"SELECT {columns} FROM {table.name} WHERE guild_id = $1 AND {table.of_member} AND {_in_rooms(table)}"
            f" AND {all_seen} ORDER BY {order}"
            for table in tables(subject=True)
            if table.export is not None
            for name, columns, order in [table.export]
        }
        queries |= {
            "sources": "SELECT guild_id, fact_id, message_id, channel_id, stated_by, quote, raw_text AS said, value,"
            " audience, at FROM fact_sources WHERE guild_id = $1 AND fact_id IN"
            f" (SELECT fact_id FROM facts WHERE guild_id = $1 AND user_id = $2 AND {seen}) AND {seen}"
            " ORDER BY fact_id, at",
            "told_about_others": "SELECT fact_id, message_id, channel_id, quote, at FROM fact_sources"
            " WHERE guild_id = $1 AND stated_by = $2 AND fact_id NOT IN"
            f" (SELECT fact_id FROM facts WHERE guild_id = $1 AND user_id = $2) AND {all_seen} ORDER BY at",
            "consent": "SELECT consent, ignored, changed_at FROM consents"
            f" WHERE guild_id = $1 AND user_id = $2 AND {all_seen}",
            "changes": "SELECT at, actor_id, action, fact_ids FROM audit WHERE guild_id = $1 AND user_id = $2"
            " AND ($3::bigint[] IS NULL OR actor_id = $2 OR fact_ids <@ ARRAY("
            f"SELECT fact_id FROM facts WHERE guild_id = $1 AND user_id = $2 AND {seen})) ORDER BY entry_id",
        }
        async with self._db.connection() as connection:
            return {
                name: [
                    dict(row)
                    for row in await connection.fetch(query, guild_id, user_id, None if rooms is None else list(rooms))
                ]
                for name, query in queries.items()
            }


def _in_rooms(table: Table) -> str:
    """The SQL condition of rows of the audiences $3, or all where it is NULL; a member's own words are of every one."""
    if not table.audience or table.name == "chat_history":
        return "true"
    own = " OR stated_by = $2" if table.name in ("facts", "fact_sources") else ""
    return f"($3::bigint[] IS NULL OR audience = ANY($3){own})"


def _messages(sealed: Mapping[str, Any]) -> list[MessageId]:
    """The messages that sealed rows came from: with any of them, what is sealed goes too."""
    found = {MessageId(int(row["message_id"])) for row in (*sealed["chat_history"], *sealed["fact_sources"])}
    found |= {MessageId(int(n)) for row in (*sealed["notes"], *sealed["conclusions"]) for n in row["evidence"]}
    return sorted(found.union(message_ids(edge["source"] for edge in sealed["provenance"])))


def _ids(sealed: Mapping[str, Any]) -> list[int]:
    """Members and channels that sealed rows belong to or name: with them, what is sealed goes too."""
    found: set[int] = set()
    for rows in sealed.values():
        for row in rows:
            found |= {int(row[name]) for name in ("user_id", "stated_by", "channel_id") if row.get(name)}
            found |= {int(n) for name in ("people", "evidence_by") for n in row.get(name) or ()}
            found |= {n for name in ("value", "text") for n in mentioned(row.get(name) or "")}
    return sorted(found)


def _pattern(stem: str) -> str:
    """A stem as a pattern of PostgreSQL: a short one only where a word begins ("col" is not in "protocol")."""
    is_inside_many = len(stem) <= MAX_SHORT_STEM and stem.isalpha() and max(stem) < _WITHOUT_SPACES
    return (_BEGINNING if is_inside_many else "") + re.escape(stem)


_BEGINNING = r"(?:^|[^a-z0-9\u00df-\u024f\u0370-\u03ff\u0400-\u052f])"
"""Where a word begins, whatever letters the database's locale knows."""

MAX_SHORT_STEM = 3
"""Letters of a stem that many longer words have inside."""

_WITHOUT_SPACES = "\u0590"
"""The first of the letters that some languages write without spaces between words."""
