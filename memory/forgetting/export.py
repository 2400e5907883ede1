"""Everything stored about a member as one document, and their facts from such a document back into memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime
from typing import Any

from memory.naming import Naming
from memory.records import Member
from memory.store import Store
from memory.store.cipher import TextCipher
from memory.suppressions import Suppressions

SCHEMA = "urmom-bot member export 2"
"""What an export calls its own form."""

READABLE = ("urmom-bot member export 1", SCHEMA)
"""The forms of exports whose facts can be stored again; in the first, texts name people by their names."""


class Exports:
    """Writes and reads the documents of docs/export.md."""

    def __init__(
        self,
        store: Store,
        naming: Naming,
        suppressions: Suppressions,
        cipher: TextCipher,
        clock: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._cipher = cipher
        self._naming = naming
        self._suppressions = suppressions
        self._clock = clock

    async def write(self, guild_id: int, user_id: int, rooms: Collection[int] | None = None) -> dict[str, Any]:
        """Everything stored about a member in a guild, as one JSON document.

        With `rooms`, what others told and what was made is of these audiences alone.
        """
        rows = await self._store.forgetting.everything(guild_id, user_id, rooms)
        rows["turns"] = [{**row, "text": self._cipher.decrypt(row["text"])} for row in rows["turns"]]
        texts = [str(value) for found in rows.values() for row in found for value in row.values()]
        return {
            "schema": SCHEMA,
            "guild_id": str(guild_id),
            "user_id": str(user_id),
            "exported_at": self._clock().isoformat(),
            "people": {str(u): name for u, name in (await self._naming.people(guild_id, texts)).items()},
            **{name: [_plain(row) for row in found] for name, found in rows.items()},
        }

    async def restore(self, export: Mapping[str, Any], guild_id: int | None) -> int:
        """Store the live facts of an export, in its guild or another; how many were new. Raises ValueError.

        What was forgotten since, or is of somebody who is not to be remembered, is left out.
        """
        _check(export)
        guild_id = guild_id or int(export["guild_id"])
        suppressed = await self._suppressions.of(guild_id)
        people = {int(row[name]) for row in export["facts"] for name in ("user_id", "stated_by")}
        choices = await self._store.consents.of(guild_id, people)
        off = {user_id for user_id, choice in choices.items() if choice.is_off}
        facts = []
        for row in export["facts"]:
            told_by = {int(row["user_id"]), int(row["stated_by"])}
            value = await self._naming.text(guild_id, row["value"])
            if row.get("retired_at") is None and not told_by & off and not suppressed.tells(value, told_by):
                facts.append(_fact(row, guild_id))
        subject = _subject(export, guild_id)
        if subject.display_name:
            await self._store.people.name([subject], self._clock())
        facts = [{**fact, "value": await self._naming.with_ids(guild_id, fact["value"], subject)} for fact in facts]
        return await self._store.facts.put(facts)


def _check(export: Mapping[str, Any]) -> None:
    """Raise ValueError unless this is an export whose facts can be stored again."""
    if export.get("schema") not in READABLE:
        raise ValueError(f"it is no export of this form ({SCHEMA!r})")
    if missing := [name for name in ("guild_id", "user_id", "facts") if name not in export]:
        raise ValueError(f"it has no {', '.join(missing)}")


def _subject(export: Mapping[str, Any], guild_id: int) -> Member:
    """The member an export is of, in a guild."""
    names = (export.get("names") or [{}])[0]
    return Member(
        guild_id=guild_id,
        user_id=int(export["user_id"]),
        display_name=names.get("display_name") or "",
        username=names.get("username") or "",
        global_name=names.get("global_name"),
    )


_IDS = ("_id", "stated_by", "superseded_by", "audience", "evidence", "fact_ids")


def _fact(row: Mapping[str, Any], guild_id: int) -> dict[str, Any]:
    """A fact of an export as a row, ids as numbers and moments as such."""
    moments = {name: datetime.fromisoformat(row[name]) for name in ("created_at", "last_confirmed_at")}
    ids = {
        name: None if row[name] is None else int(row[name])
        for name in ("user_id", "stated_by", "channel_id", "message_id", "audience")
    }
    return {**row, **moments, **ids, "guild_id": guild_id}


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
