"""Every table, once: whom its rows are about, which column holds text, how it is derived, how long it lives.

Deletions, receipts, erasure, exports and the tests that every table has a rule read it: a new table is one entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Table:
    """One table, and what must be known to find, export and delete its rows."""

    name: str
    rule: str
    """What becomes of its rows when what they were made from goes."""
    life: str
    """How long a row is kept: the setting that says so, or the rule."""
    node: str = ""
    """What its rows are called in `provenance`; empty where nothing is made from them, nor they from anything."""
    key: tuple[tuple[str, str], ...] = ()
    """The columns after guild_id that identify a row, with their types."""
    subject: str = ""
    """The column with the member that a row is about or by."""
    with_member: bool = False
    """Whether its rows go with their subject by this entry alone, and not by what they were made from."""
    involves: str = ""
    """The SQL condition of rows that involve the member $2, where that is more than the subject."""
    text: str = ""
    """The SQL expression of the words of people in it."""
    derived: bool = False
    """Whether it can be made again from others."""
    audience: bool = False
    """Whether a row says who may hear it."""
    names_people: bool = False
    """Whether its words are the bot's own about people, so that they go with a member whom they name."""
    goes: bool = False
    """Whether a row goes as soon as one thing that it was made from does."""
    is_composed: bool = False
    """Whether a row is made for an audience from all that it may hear, and so goes when that becomes less."""
    tells_one_thing: bool = False
    """Whether, of a statement that is forgotten, only the rows go that tell it, and not all about its subject."""
    may_be_sealed: bool = False
    """Whether its words may be encrypted: then nobody can tell whom they name, and they go with anybody."""
    day: str = ""
    """The column with the day that decides how long it is kept."""
    export: tuple[str, str, str] | None = None
    """(name, columns, order) in a member's export of what is about them."""

    @property
    def of_member(self) -> str:
        """The SQL condition of rows about, by or with the member $2; of none where a row has no members."""
        return self.involves or (f"{self.subject} = $2" if self.subject else "$2::bigint IS NULL")


A_WEEK = "seven days"
"""How long contexts, and what answers were based on, are kept (`Retention.replies`)."""

TABLES = (
    Table(
        name="chat_history",
        rule="the messages themselves; of the bot's own replies, the words of those that were given what goes",
        life="RETENTION_DAYS",
        node="message",
        key=(("message_id", "bigint"),),
        subject="user_id",
        text="message_text",
        audience=True,
        export=("messages", "message_id, channel_id, timestamp, edited_at, message_text", "message_id"),
    ),
    Table(
        name="facts",
        rule="those without any source",
        life="until forgotten",
        node="fact",
        key=(("fact_id", "bigint"),),
        subject="user_id",
        text="value || ' ' || quote",
        audience=True,
        export=("facts", "*", "fact_id"),
    ),
    Table(
        name="fact_sources",
        rule="those told by, or worded with, what goes",
        life="with the fact",
        node="source",
        key=(("fact_id", "bigint"), ("message_id", "bigint"), ("stated_by", "bigint")),
        text="value || ' ' || quote",
        audience=True,
    ),
    Table(
        name="user_facts",
        rule="made from facts that go; written anew from those that stay",
        life="with the facts",
        node="blob",
        key=(("user_id", "bigint"), ("audience", "bigint")),
        subject="user_id",
        text="memory_blob",
        derived=True,
        audience=True,
        goes=True,
        is_composed=True,
        tells_one_thing=True,
    ),
    Table(
        name="slices",
        rule="they stay: a changed message is read again with the next reading",
        life="MONTH_DAYS",
        node="slice",
        key=(("slice_id", "bigint"),),
        derived=True,
        audience=True,
        day="for_date",
    ),
    Table(
        name="notes",
        rule="those that cite what goes, or have words of it",
        life="MONTH_DAYS",
        node="note",
        key=(("note_id", "bigint"),),
        subject="user_id",
        text="text",
        derived=True,
        audience=True,
        names_people=True,
        export=("notes", "at, kind, text, weight, evidence, audience", "note_id"),
        goes=True,
        tells_one_thing=True,
    ),
    Table(
        name="historical_summaries",
        rule="made from notes that go",
        life="SUMMARY_DAYS",
        node="history",
        key=(("user_id", "bigint"), ("end_date", "date"), ("audience", "bigint")),
        subject="user_id",
        text="summary",
        derived=True,
        audience=True,
        names_people=True,
        day="end_date",
        export=("days_before", "end_date, audience, summary", "end_date"),
        goes=True,
        is_composed=True,
    ),
    Table(
        name="contexts",
        rule="made from facts or notes that go",
        life=A_WEEK,
        node="context",
        key=(("user_id", "bigint"), ("audience", "bigint")),
        subject="user_id",
        text="context",
        derived=True,
        audience=True,
        names_people=True,
        day="for_date",
        export=("contexts", "for_date, audience, context", "audience"),
        goes=True,
        is_composed=True,
    ),
    Table(
        name="sessions",
        rule="numbers alone: that somebody talks with the bot; go when the talk is over",
        life="an hour, or until its digest is made",
        node="session",
        key=(("session_id", "bigint"),),
        audience=True,
    ),
    Table(
        name="turns",
        rule="the messages of a talk with the bot, as long as it lasts; those of messages that go",
        life="with the session",
        node="turn",
        key=(("session_id", "bigint"), ("turn", "integer")),
        subject="user_id",
        text="text",
        derived=True,
        goes=True,
        may_be_sealed=True,
        export=("turns", "turn, message_id, at, text", "session_id, turn"),
        tells_one_thing=True,
    ),
    Table(
        name="segments",
        rule="made from turns that go",
        life="with the session",
        node="segment",
        key=(("session_id", "bigint"), ("segment", "integer")),
        text="content",
        derived=True,
        goes=True,
        may_be_sealed=True,
        tells_one_thing=True,
    ),
    Table(
        name="conclusions",
        rule="those that rest on messages that go",
        life="a year",
        node="conclusion",
        key=(("conclusion_id", "bigint"),),
        involves="(people @> ARRAY[$2::bigint] OR evidence_by @> ARRAY[$2::bigint])",
        text="text",
        derived=True,
        audience=True,
        names_people=True,
        goes=True,
        tells_one_thing=True,
        export=("conclusions", "at, kind, text, evidence, audience", "conclusion_id"),
    ),
    Table(
        name="topics",
        rule="names and summaries of pages; a summary goes with any line, a page with the last",
        life="with its lines",
        text="name || ' ' || summary",
        audience=True,
    ),
    Table(
        name="answers",
        rule="made from facts, notes or messages that go",
        life="24 hours",
        node="answer",
        key=(("answer_id", "bigint"),),
        subject="user_id",
        involves="(user_id = $2 OR subjects @> ARRAY[$2::bigint])",
        text="question || ' ' || answer",
        derived=True,
        audience=True,
        goes=True,
        is_composed=True,
        export=("answers", "at, question, answer", "answer_id"),
    ),
    Table(
        name="provenance",
        rule="numbers alone: what was made from what; go with what was made",
        life="with what was made",
    ),
    Table(
        name="replies",
        rule="numbers alone: what a reply was given; its words in the history go",
        life=A_WEEK,
        node="reply",
        key=(("trigger_id", "bigint"), ("kind", "text")),
        text="record::text",
    ),
    Table(
        name="inbox",
        rule="numbers alone: what the bot was asked, and how far it got; of commands, their words until they are done",
        life=A_WEEK,
        key=(("trigger_id", "bigint"), ("kind", "text")),
        subject="user_id",
        with_member=True,
        text="coalesce(payload::text, '')",
    ),
    Table(
        name="page_access",
        rule="hashes alone: who may open a page in a browser, and for how long",
        life="ten minutes for a link, twelve hours for a session",
        subject="user_id",
        with_member=True,
    ),
    Table(
        name="posts",
        rule="numbers alone: what the bot posted by itself, and what it rests on; the post is deleted with that",
        life="30 days",
    ),
    Table(
        name="parked",
        rule="numbers alone: work that a defect keeps from being done",
        life="until it is done or dropped by the operator",
    ),
    Table(name="processes", rule="of the bot itself: which processes live", life="ten seconds after the last sign"),
    Table(name="shards", rule="of the bot itself: who runs which shard, and when it was last connected", life="ever"),
    Table(name="suppressions", rule="fingerprints alone", life="until lifted"),
    Table(name="consents", rule="a member's choice, and fingerprints of names", life="until chosen otherwise"),
    Table(
        name="audit",
        rule="numbers alone; what is sealed for Undo goes with the messages it came from",
        life="365 days",
        text="details::text",
    ),
    Table(
        name="members",
        rule="names; aliases go with the facts that gave them",
        life="LEAVE_GRACE_DAYS after leaving",
        subject="user_id",
        export=(
            "names",
            "display_name, global_name, username, aliases, former_names, named_at, jokes, left_at",
            "user_id",
        ),
    ),
    Table(
        name="member_names",
        rule="what members are found by; written and removed with members",
        life="LEAVE_GRACE_DAYS after leaving",
        subject="user_id",
    ),
    Table(
        name="vectors",
        rule="what texts are near to each other, where an embedder is set; go with the text",
        life="with the text",
        key=(("kind", "text"), ("id", "bigint")),
        derived=True,
    ),
    Table(
        name="lexemes",
        rule="hashes of stems, and in how many messages they are; go with the last",
        life="with the messages",
    ),
    Table(name="audiences", rule="numbers alone: what may be heard where", life="with the channels"),
    Table(name="channel_settings", rule="names of channels", life="with the channel"),
    Table(name="channel_cursors", rule="numbers alone", life="with the channel"),
    Table(name="guild_settings", rule="a guild's own choices", life="with the guild"),
    Table(name="ai_usage", rule="counts alone", life="400 days"),
    Table(
        name="model_calls",
        rule="numbers alone: whose words a request to a model carried",
        life=A_WEEK,
        subject="user_id",
        with_member=True,
        export=("sent_to_models", "at, model, use, calls, message_ids", "at, model, use"),
    ),
    Table(name="bot_state", rule="of the bot itself; and that a guild was erased", life="with the bot"),
)
"""Every table of the schema but Alembic's own."""


def tables(
    *,
    derived: bool | None = None,
    names_people: bool | None = None,
    text: bool | None = None,
    subject: bool | None = None,
) -> Iterator[Table]:
    """The tables of a kind: derived or not, with texts that name people, with words, about members."""
    for table in TABLES:
        asked = (
            (derived, table.derived),
            (names_people, table.names_people),
            (text, bool(table.text)),
            (subject, bool(table.subject or table.involves)),
        )
        if all(wanted is None or wanted == has for wanted, has in asked):
            yield table


def of_node(kind: str) -> Table:
    """The table whose rows are called `kind` in provenance. Raises KeyError."""
    return _BY_NODE[kind]


_BY_NODE = {table.node: table for table in TABLES if table.node}
