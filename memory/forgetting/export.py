"""Everything stored about a member as one document, and their facts from such a document back into memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from memory.core import Core
from memory.forgetting import documents
from memory.forgetting.documents import SCHEMA, Document, FactRecord, NamesRecord
from memory.ids import AudienceId, GuildId, UserId
from memory.permissions import OPERATOR
from memory.records import Confidence, Member, Source
from memory.rules import content_policy
from memory.rules.keys import normal_key
from memory.rules.safety import is_unlawful, matter_of
from memory.rules.text import one_line


@dataclass(frozen=True)
class Exports:
    """Writes and reads the documents of docs/export.md."""

    _core: Core

    async def write(
        self, guild_id: GuildId, user_id: UserId, rooms: Collection[AudienceId] | None = None
    ) -> dict[str, Any]:
        """Everything stored about a member in a guild, as one JSON document.

        With `rooms`, what others told and what was made is of these audiences alone.
        """
        rows = await self._core.store.forgetting.everything(guild_id, user_id, rooms)
        rows["turns"] = [{**row, "text": self._core.cipher.decrypt(row["text"])} for row in rows["turns"]]
        texts = [str(value) for found in rows.values() for row in found for value in row.values()]
        found = {
            "schema": SCHEMA,
            "guild_id": str(guild_id),
            "user_id": str(user_id),
            "exported_at": self._core.clock().isoformat(),
            "people": {str(u): name for u, name in (await self._core.naming.people(guild_id, texts)).items()},
            **{name: [_plain(row) for row in of_table] for name, of_table in rows.items()},
        }
        return {**found, "signature": documents.signature(found, self._core.suppressions.fingerprints.key)}

    def is_own(self, export: Mapping[str, Any], guild_id: GuildId | None) -> bool:
        """Whether this installation wrote an export of the guild that it goes to, or of its own with None."""
        is_signed = documents.is_signed(export, self._core.suppressions.fingerprints.key)
        return is_signed and guild_id in (None, int(export["guild_id"]))

    async def restore(self, export: Mapping[str, Any], guild_id: GuildId | None) -> int:
        """Store the live facts of an export, in its guild or another; how many were new.

        As they were, where this installation signed it for that guild; otherwise as claims of who runs the bot, through
        the gate. What was forgotten since, or is of somebody who is not to be remembered, is left out. All is stored,
        or nothing. Raises ValueError with the position, field and reason of what is not of the form.
        """
        document = documents.read(export, self._core.clock())
        is_own = self.is_own(export, guild_id)
        guild_id = guild_id or document.guild_id
        suppressed = await self._core.suppressions.get(guild_id)
        people = {user_id for fact in document.facts for user_id in (fact.user_id, fact.stated_by)}
        choices = await self._core.store.consents.choices(guild_id, people)
        off = {user_id for user_id, choice in choices.items() if choice.is_off}
        subject = _subject(document, guild_id)
        facts = []
        for fact in document.facts:
            told_by = {fact.user_id, fact.stated_by}
            value = await self._core.naming.text(guild_id, fact.value)
            if fact.retired_at is not None or told_by & off or suppressed.tells(value, told_by):
                continue
            if is_own:
                facts.append(fact)
            elif _may_be_claimed(fact):
                facts.append(_claimed(fact))
        if subject.display_name and is_own:
            await self._core.store.people.update_names([subject], self._core.clock())
        rows = [
            {
                **fact.model_dump(),
                "guild_id": guild_id,
                "value": (await self._core.naming.with_ids(guild_id, [fact.value], subject))[0],
            }
            for fact in facts
        ]
        return await self._core.store.facts.add_exported(rows)


def _may_be_claimed(fact: FactRecord) -> bool:
    """Whether a fact from outside passes the gate as a claim."""
    text = one_line(f"{fact.value} {fact.quote}")
    is_fine = content_policy.reason_to_reject(text) is None and not matter_of(text) and not is_unlawful(text)
    return fact.audience >= 0 and is_fine


def _claimed(fact: FactRecord) -> FactRecord:
    """A fact from outside as who runs the bot claims it: nobody's own word, with no message behind it."""
    return fact.model_copy(
        update={
            "stated_by": OPERATOR,
            "confidence": Confidence.MEDIUM,
            "source": Source.EXPLICIT,
            "channel_id": None,
            "message_id": None,
            "key": normal_key(fact.key),
        }
    )


def _subject(document: Document, guild_id: GuildId) -> Member:
    """The member an export is of, in a guild."""
    names = document.names[0] if document.names else NamesRecord()
    return Member(
        guild_id=guild_id,
        user_id=document.user_id,
        display_name=names.display_name,
        username=names.username,
        global_name=names.global_name,
    )


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
