"""The nouns of memory: frozen values, and the errors raised about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any

EVERYONE = 0
"""The audience of what everyone in the guild could read."""


class MemoryFailure(Exception):
    """Memory could not do what was asked; the docstring of the subclass says why."""

    def __str__(self) -> str:
        return super().__str__() or (self.__doc__ or "").strip()


class DatabaseUnavailable(MemoryFailure):
    """The database does not answer."""


class DatabaseConflict(DatabaseUnavailable):
    """Others were in the way in the database, again and again: the same work may well succeed in a moment."""


class GuildErased(MemoryFailure):
    """The guild was erased: nothing is stored of it until the bot joins it again."""

    def __init__(self, guild_id: int) -> None:
        super().__init__(f"Guild {guild_id} was erased: nothing is stored of it until the bot joins it again.")
        self.guild_id = guild_id


class NotAllowed(MemoryFailure):
    """Whoever asks may not do this, or what they ask for is nothing they may know of."""


class SessionBusy(MemoryFailure):
    """Another message of the conversation is being answered, and others wait already."""


class WrongKey(MemoryFailure):
    """What was forgotten is kept under another key: with this one it would not be recognised, and could come back."""


class DatabaseNewer(MemoryFailure):
    """The database was written by a newer version of this program: install that version, or a later one."""


class Why(StrEnum):
    """Why a statement is not stored as a fact; each has a sentence in the bot's words."""

    EMPTY = "empty"
    SECRET = "secret"  # noqa: S105 (a reason, not one)
    ORDER = "order"
    SENSITIVE = "sensitive"
    """Told of somebody else: refused."""
    CONFIRM = "confirm"
    """Told by the person themselves: kept for them alone, once they confirm."""
    OPTED_OUT = "opted_out"
    TEACHERS = "teachers"
    FORGOTTEN = "forgotten"
    NAMED = "named"
    """It names somebody who does not want to be remembered."""
    GONE = "gone"
    """The message that told it was deleted meanwhile."""
    FULL = "full"
    """Its teller told as many facts about the member as are kept."""
    LINK = "link"
    """It is an invite."""
    UNCLEAR = "unclear"
    """Typed into a form about somebody else, and no plain statement about them."""


class Fenced(DatabaseUnavailable):
    """Another process took over from this one, which was silent for too long: the database takes nothing more of it."""


class EarlierOrder(MemoryFailure):
    """An order waits for an earlier one of its guild, which another process carries out."""


class NotRemembered(MemoryFailure):
    """The statement is not stored as a fact: `why`, the sensitive `matter` it touches, and the member it is up to."""

    def __init__(self, why: Why, matter: str | None = None, user_id: int | None = None) -> None:
        super().__init__(why.value)
        self.why = why
        self.matter = matter
        self.user_id = user_id


def _aware(moment: datetime | None) -> None:
    if moment is not None and moment.tzinfo is None:
        raise ValueError("a moment without a time zone is refused")


class AuthorKind(StrEnum):
    """Who wrote a message: only a `MEMBER` is a person, and only people are summarised."""

    MEMBER = "member"
    BOT = "bot"
    WEBHOOK = "webhook"
    SELF = "self"


@dataclass(frozen=True, kw_only=True)
class Message:
    """One message as it was written; `audience` is `EVERYONE` or a class of channels with the same readers."""

    guild_id: int
    message_id: int
    channel_id: int
    user_id: int
    text: str
    timestamp: datetime
    reply_to_id: int | None = None
    edited_at: datetime | None = None
    audience: int = EVERYONE
    author_kind: AuthorKind = AuthorKind.MEMBER
    secret_spans: tuple[int, ...] | None = None
    """Where secrets stand in the text (start and end of each), as found when it was stored; None before that."""
    addressees: tuple[int, ...] = ()
    """Whom it speaks to, as found when it was stored: whom it names at its start, mentions, and replies to."""

    def __post_init__(self) -> None:
        _aware(self.timestamp)
        _aware(self.edited_at)


class InboxKind(StrEnum):
    """How somebody addressed the bot."""

    MESSAGE = "answer"
    EDIT = "edit"
    JOKE = "joke"
    INTERACTION = "interaction"


class InboxState(StrEnum):
    """How far something the bot was asked got."""

    WAITING = "waiting"
    EXECUTED = "executed"
    """What was ordered is in the database, and nobody was told so yet."""
    DONE = "done"
    PARKED = "parked"
    """It failed each time; it waits for the operator."""


@dataclass(frozen=True, kw_only=True)
class InboxItem:
    """Something the bot was asked: by a message, its edit, a reaction, a command or a button.

    `trigger_id` is the message's or the interaction's id, `at` when it was asked. An order changes something, and
    orders of a guild are carried out in their sequence. `payload` is what a command or a button asks for, until that
    is done.
    """

    guild_id: int
    trigger_id: int
    kind: InboxKind
    channel_id: int
    user_id: int
    at: datetime
    is_order: bool = False
    state: InboxState = InboxState.WAITING
    attempts: int = 0
    payload: Mapping[str, Any] | None = None

    @property
    def key(self) -> tuple[int, int, InboxKind]:
        """What identifies it."""
        return self.guild_id, self.trigger_id, self.kind


@dataclass
class InboxWork:
    """The entry that is being worked on, and whether what it orders is in the database by now."""

    entry: InboxItem
    is_executed: bool = False


@dataclass(frozen=True, kw_only=True)
class Parked:
    """Work that cannot be done because of a defect: numbers alone, what it was about is to be read again."""

    guild_id: int
    parked_id: int
    at: datetime
    work: str
    channel_id: int | None
    ids: tuple[int, ...]
    reason: str


@dataclass(frozen=True, kw_only=True)
class Member:
    """A member's names. `aliases` are names that facts gave them ("gruzilkin is Sergey")."""

    guild_id: int
    user_id: int
    display_name: str
    username: str
    global_name: str | None = None
    aliases: tuple[str, ...] = ()
    former_names: tuple[str, ...] = ()
    """Names they had before, the latest first."""
    named_at: datetime | None = None
    """Since when they have the names they have, as far as it was seen."""
    author_kind: AuthorKind = AuthorKind.MEMBER
    jokes: bool = True
    left_at: datetime | None = None

    @classmethod
    def unnamed(cls, guild_id: int, user_id: int) -> Member:
        """A member of whom no name is known."""
        return cls(guild_id=guild_id, user_id=user_id, display_name="", username="")

    @property
    def names(self) -> tuple[str, ...]:
        """Every name this member goes by, the one shown first, none twice."""
        given = (self.display_name, self.global_name or "", self.username, *self.aliases)
        return tuple(dict.fromkeys(name for name in given if name))


class Mode(StrEnum):
    """What the bot does in a channel: nothing, talk, or talk and remember what is said."""

    OFF = "off"
    TALK = "talk"
    REMEMBER = "remember"


@dataclass(frozen=True, kw_only=True)
class Channel:
    """A place of talk, and who can read it; a thread names its parent."""

    guild_id: int
    channel_id: int
    name: str
    audience: int = EVERYONE
    parent_id: int | None = None
    mode: Mode = Mode.REMEMBER


@dataclass(frozen=True)
class StoredLayout:
    """The fingerprint of a guild's layout as it is stored, the role that counts as everyone, and the bot's names."""

    fingerprint: str | None = None
    base_role: int | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class KnownGuild:
    """What holds in a guild: what it has decided, its channels, and the audiences whose words each may be told."""

    rules: GuildRules
    time_zone: str | None
    channels: Mapping[int, Channel]
    hears: Mapping[int, frozenset[int]]


class Teachers(StrEnum):
    """Who may teach facts about other people; of oneself everyone may."""

    ANYONE = "anyone"
    SELF = "self"
    MODERATORS = "moderators"


class Consent(StrEnum):
    """What a member lets the bot keep: everything, what was told as a fact alone, or nothing."""

    ON = "on"
    EXPLICIT = "explicit"
    OFF = "off"


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What a member chose to let the bot keep, and whether moderators let the bot ignore them."""

    consent: Consent = Consent.ON
    is_ignored: bool = False

    @property
    def is_off(self) -> bool:
        """Whether nothing of the member is kept, and nobody else's words about them."""
        return self.is_ignored or self.consent is Consent.OFF

    @property
    def keeps_messages(self) -> bool:
        """Whether the member's messages are stored and read by a model."""
        return self.consent is Consent.ON and not self.is_ignored


@dataclass(frozen=True, kw_only=True)
class GuildRules:
    """What a guild has decided. `left_at` is when the bot was removed from it."""

    teachers: Teachers = Teachers.ANYONE
    log_channel: int | None = None
    base_role: int | None = None
    """The role that every member has once they are let in."""
    mode: Mode = Mode.REMEMBER
    """The most that the bot does in any channel."""
    language: str | None = None
    """In which the bot speaks where a message does not tell its own."""
    names: tuple[str, ...] = ()
    """What the bot answers to there, beside the names it has everywhere."""
    jokes: bool = True
    retention_days: int | None = None
    """For how long messages are kept, where that is less than the operator's setting."""
    daily_requests: int | None = None
    """Requests to models in a day at the most; None is no bound of the guild's own."""
    greeted: bool = False
    left_at: datetime | None = None


class Source(StrEnum):
    """Whether somebody said a fact to the bot, or it was drawn from talk."""

    EXPLICIT = "explicit"
    INFERRED = "inferred"


class Confidence(StrEnum):
    """How sure a fact is (seed 002, §1.1)."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One statement about one member, in the third person, with its source."""

    guild_id: int
    fact_id: int
    user_id: int
    key: str
    value: str
    domain: str
    confidence: Confidence
    source: Source
    stated_by: int
    channel_id: int | None
    message_id: int | None
    quote: str
    audience: int
    created_at: datetime
    last_confirmed_at: datetime
    retired_at: datetime | None = None
    retired_because: str | None = None
    superseded_by: int | None = None
    asked_at: datetime | None = None
    """When its subject was asked whether it is right, where it was inferred; it is asked once."""

    @property
    def private(self) -> bool:
        """Whether it is told to the member alone."""
        return self.audience < 0

    @property
    def jump(self) -> str | None:
        """The address of the message it comes from, or None where it came from no message."""
        return jump_link(self.guild_id, self.channel_id, self.message_id)


DISCORD_EPOCH = 1_420_070_400_000
"""Milliseconds from 1970 to the first of Discord's ids."""


def first_id(moment: datetime) -> int:
    """The first id that Discord gives at a moment."""
    return (int(moment.timestamp() * 1000) - DISCORD_EPOCH) << 22


def jump_link(guild_id: int, channel_id: int | None, message_id: int | None) -> str | None:
    """The address of a message, or None where there is none."""
    if not channel_id or not message_id or message_id < 0:
        return None
    return f"https://discord.com/channels/{guild_id}/{channel_id}/{message_id}"


@dataclass(frozen=True, kw_only=True)
class FactSource:
    """One time that a fact was told: by whom, where, when, in which words."""

    fact_id: int
    message_id: int
    channel_id: int | None
    stated_by: int
    quote: str
    audience: int
    at: datetime


@dataclass(frozen=True, kw_only=True)
class Statement:
    """What someone asks to be remembered about a member, as it was said.

    `quote` is the wording that was said; `context` is talk around it that the statement may point
    to ("remember this"); `alias` is a name it gives the member, where the words alone show one.
    `is_confirmed` tells that a sensitive matter may be kept, for the speaker alone. `author` is who wrote
    the words, where that is somebody else; `context_ids` are the messages of `context`; `raw` are the words
    as they stand in the message, mentions and all.
    """

    guild_id: int
    user_id: int
    stated_by: int
    quote: str
    context: tuple[str, ...] = ()
    alias: str | None = None
    channel_id: int | None = None
    message_id: int | None = None
    audience: int = EVERYONE
    is_confirmed: bool = False
    author: int | None = None
    context_ids: tuple[int, ...] = ()
    raw: str = ""


@dataclass(frozen=True, kw_only=True)
class Remembered:
    """The fact a statement became; `known` when it was there before, `as_said` when no AI worded it.

    `replaced` are the facts that hold no more because of it; `entry_id` is the change, to be undone.
    """

    fact: Fact
    known: bool = False
    as_said: bool = False
    replaced: tuple[Fact, ...] = ()
    entry_id: int | None = None


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """What was removed, by table and count, and what a second search afterwards found there still."""

    guild_id: int
    user_id: int | None
    action: str
    at: datetime
    removed: Mapping[str, int]
    found: Mapping[str, int]

    @property
    def clean(self) -> bool:
        """Whether the second search found nothing."""
        return not any(self.found.values())

    def as_json(self) -> dict[str, Any]:
        """For a file."""
        return {
            "guild": str(self.guild_id),
            "member": str(self.user_id) if self.user_id is not None else None,
            "action": self.action,
            "at": self.at.isoformat(),
            "removed": dict(self.removed),
            "second_search": {"found": dict(self.found), "nothing_left": self.clean},
        }


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """What a member's choice removed, a receipt for each guild, and how to undo it where they chose; None where not."""

    receipts: tuple[Receipt, ...] = ()
    undo: Undo | None = None


@dataclass(frozen=True, kw_only=True)
class Change:
    """One line of the audit: who changed what, without the words. `undoable` until `undo_until`."""

    guild_id: int
    entry_id: int
    at: datetime
    actor_id: int
    action: str
    user_id: int | None
    fact_ids: tuple[int, ...]
    details: Mapping[str, Any]
    administrative: bool
    undo_until: datetime | None
    undone_at: datetime | None

    @property
    def is_undone(self) -> bool:
        """Whether it was taken back; what waited to be confirmed is over once it is answered."""
        return self.undone_at is not None and self.action != "pending"


@dataclass(frozen=True, kw_only=True)
class Undo:
    """What an Undo button carries: the entry, and the key to what it holds, which is kept nowhere else."""

    entry_id: int
    key: str = ""


@dataclass(frozen=True, kw_only=True)
class Forgotten:
    """What a request to forget did: facts removed, with the receipt; or the candidates it could mean.

    `refused` are facts that the viewer may not have forgotten; `further` is how many went besides, retired ones or
    ones told elsewhere that tell the same.
    """

    removed: tuple[Fact, ...] = ()
    candidates: tuple[Fact, ...] = ()
    nearest: tuple[Fact, ...] = ()
    refused: tuple[Fact, ...] = ()
    receipt: Receipt | None = None
    undo: Undo | None = None
    further: int = 0
    told_by_others: tuple[Fact, ...] = ()
    """Facts that stay: what the viewer told of them went, and others told them, too."""


@dataclass(frozen=True, kw_only=True)
class Stored:
    """How much is stored about a member in a guild: counts by kind, and from when to when."""

    guild_id: int
    counts: Mapping[str, int]
    oldest: datetime | None
    newest: datetime | None


class NoteKind(StrEnum):
    """What a note tells of (DESIGN.md §4); an open question is a kind of its own."""

    EVENT = "event"
    PROBLEM = "problem"
    QUESTION = "question"
    TRIED = "tried"
    ADVICE = "advice"
    OUTCOME = "outcome"
    DECISION = "decision"
    PLAN = "plan"
    TRAIT = "trait"
    MOOD = "mood"
    RELATION = "relation"
    CHANNEL = "channel"


@dataclass(frozen=True, kw_only=True)
class Note:
    """One point about a member, or about a channel where `user_id` is None, that a slice of talk showed.

    `text` names people as `<@id>`; `weight` is 3 for what will matter next month, 2 next week, 1 tomorrow; `evidence`
    are the messages that show it, by `evidence_by`; `at` is when the last of them was written. A note that a later
    one answered or replaced is ended by it, `superseded_by`, and goes on being told, after what ended it.
    """

    guild_id: int
    audience: int
    user_id: int | None
    kind: NoteKind
    text: str
    weight: int
    evidence: tuple[int, ...]
    at: datetime
    note_id: int = 0
    channel_id: int | None = None
    people: tuple[int, ...] = ()
    evidence_by: tuple[int, ...] = ()
    superseded_by: int | None = None


@dataclass(frozen=True, kw_only=True)
class MemberText:
    """What is noted about a member of a `day`, or the summary of the days before it; people are `<@id>`."""

    level: str
    day: date
    audience: int
    text: str
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Query:
    """A question to memory, as of a moment. Messages from `before_id` on are ignored."""

    text: str
    at: datetime
    before_id: int = 2**62

    def __post_init__(self) -> None:
        _aware(self.at)


class TurnRole(StrEnum):
    """Who spoke a turn, in the providers' words."""

    USER = "user"
    MODEL = "model"


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One message of a conversation with the bot, numbered from 1: somebody's words to it, or its answer.

    `text` is without the bot's name; `continuity` how much it goes on from what came before (0 to 1), None for the
    bot's own; `is_shift` tells that it changed the subject; `confirms` are facts about the speaker that it says again.
    """

    number: int
    role: TurnRole
    user_id: int
    message_id: int
    text: str
    at: datetime
    tokens: int
    continuity: float | None = None
    is_shift: bool = False
    confirms: tuple[int, ...] = ()

    def as_content(self) -> dict[str, str]:
        """In the form in which providers take turns (seed 001)."""
        return {"role": self.role.value, "content": self.text}


@dataclass(frozen=True, kw_only=True)
class Segment:
    """What turns that left the window came to: key-value, written once, never summed up again (seed 002, §2.4)."""

    number: int
    through: int
    """The last turn that it sums up."""
    topic: str
    discussed: tuple[str, ...] = ()
    outcome: str = ""
    decisions: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SessionContext:
    """What a session knows of itself besides its turns."""

    fresh_from: int = 1
    """The first turn of the subject that is talked about, since somebody asked for another."""
    topic_id: int | None = None
    """The topic that the conversation was found to be of."""
    loose: tuple[int, ...] = ()
    """The conclusions that were found for its turns so far, each once (seed 004)."""
    spent: Mapping[str, int] = field(default_factory=dict)
    """Tokens of the last prompt, by part."""
    most: Mapping[str, int] = field(default_factory=dict)
    """The most tokens that any prompt had, by part."""
    replies: int = 0
    calls: int = 0
    """AI calls so far, those for segments included."""

    def as_json(self) -> dict[str, Any]:
        """For the database."""
        return {
            "fresh_from": self.fresh_from,
            "topic_id": self.topic_id,
            "loose": list(self.loose),
            "spent": dict(self.spent),
            "most": dict(self.most),
            "replies": self.replies,
            "calls": self.calls,
        }

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> SessionContext:
        """As the database has it."""
        return cls(
            fresh_from=row.get("fresh_from", 1),
            topic_id=row.get("topic_id"),
            loose=tuple(row.get("loose", ())),
            spent=dict(row.get("spent", {})),
            most=dict(row.get("most", {})),
            replies=row.get("replies", 0),
            calls=row.get("calls", 0),
        )


@dataclass(frozen=True, kw_only=True)
class Session:
    """A conversation with the bot in one channel, thread or direct message, with what of it a prompt may carry.

    `is_kept` tells that it leaves a digest; where it does not (a direct message, a channel whose words are not
    remembered), its turns are kept as long as the session lasts.
    """

    guild_id: int
    session_id: int
    channel_id: int
    audience: int
    is_kept: bool
    started_at: datetime
    active_at: datetime
    turns: tuple[Turn, ...] = ()
    segments: tuple[Segment, ...] = ()
    last_turn: int = 0
    """The number of the last turn that is stored, readable or not."""
    digested: int = 0
    """The last turn that a digest read."""
    digest_attempts: int = 0
    context: SessionContext = SessionContext()


class ConclusionKind(StrEnum):
    """What a conversation came to (seed 004); a `line` was written into a topic by somebody."""

    DECISION = "decision"
    DISCOVERY = "discovery"
    OUTCOME = "outcome"
    OBSERVATION = "observation"
    LINE = "line"


@dataclass(frozen=True, kw_only=True)
class Conclusion:
    """One decision, discovery or outcome of a session; with a topic, also a line of its page.

    `text` names people as `<@id>`; `evidence` are the messages that it rests on, by `evidence_by`.
    """

    guild_id: int
    audience: int
    kind: ConclusionKind
    text: str
    at: datetime
    conclusion_id: int = 0
    channel_id: int | None = None
    topic_id: int | None = None
    people: tuple[int, ...] = ()
    evidence: tuple[int, ...] = ()
    evidence_by: tuple[int, ...] = ()

    @property
    def user_id(self) -> int | None:
        """Nobody: a conclusion is of a conversation, whoever it names."""
        return None


@dataclass(frozen=True, kw_only=True)
class Topic:
    """A named page of dated one-line conclusions of a guild (seed 004)."""

    guild_id: int
    topic_id: int
    audience: int
    name: str
    summary: str
    created_at: datetime
    updated_at: datetime
    lines: int = 0
    """How many lines it has that the viewer may hear."""


@dataclass(frozen=True, kw_only=True)
class Background:
    """What of earlier talk a conversation's prompt carries: one topic's page, or the index and loose conclusions."""

    topic: Topic | None = None
    lines: tuple[Conclusion, ...] = ()
    index: tuple[Topic, ...] = ()
    loose: tuple[Conclusion, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ActiveSession:
    """A conversation that goes on, as it is shown."""

    channel_id: int
    since: datetime
    turns: int
    context: SessionContext


SearchHit = Message | Note | Fact | Conclusion
"""Something that a search can find."""


def moment_of(entry: SearchHit) -> datetime:
    """When something was written, noted, told or concluded."""
    if isinstance(entry, Message):
        return entry.timestamp
    return entry.created_at if isinstance(entry, Fact) else entry.at


def text_of(entry: SearchHit) -> str:
    """The words of an entry as they are stored, people as ids."""
    return entry.value if isinstance(entry, Fact) else entry.text


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """What answers a question, best first, each with its score.

    `people` are whom the question names, `of_asker` tells that it is of the asker. Messages are one track, word for
    word; notes and facts the other.
    """

    people: tuple[int, ...] = ()
    of_asker: bool = False
    messages: tuple[tuple[Message, float], ...] = ()
    notes: tuple[tuple[Note, float], ...] = ()
    facts: tuple[tuple[Fact, float], ...] = ()
    conclusions: tuple[tuple[Conclusion, float], ...] = ()

    @property
    def certainty(self) -> float:
        """How well the best of it answers; what was never said scores lower, as far as a score can tell."""
        every = (self.messages, self.notes, self.facts, self.conclusions)
        return max((score for found in every for _, score in found), default=0.0)


@dataclass(frozen=True, kw_only=True)
class Talked:
    """That people talked in a channel: how many messages, and the first of them."""

    channel_id: int
    audience: int
    messages: int
    first_id: int


@dataclass(frozen=True, kw_only=True)
class Missed:
    """What somebody missed `since` they last wrote: where people `talked`, the busiest channel first, and what of."""

    since: datetime
    talked: tuple[Talked, ...] = ()
    notes: tuple[Note, ...] = ()
    has_written: bool = True
    """Whether they ever wrote; else it is what happened in the last day."""


@dataclass(frozen=True, kw_only=True)
class FoundNote:
    """A note as the checks passed it, with the note that it ends, and what it goes with besides its evidence.

    `earlier_ids` are earlier notes whose words it takes up, `context_ids` messages around its evidence that have its
    names and numbers.
    """

    note: Note
    ends: int | None = None
    earlier_ids: tuple[int, ...] = ()
    context_ids: tuple[int, ...] = ()


class FallbackLevel(StrEnum):
    """How complete a context is (DESIGN.md §4)."""

    FULL = "full"
    LAST_GOOD = "last good"
    PARTIAL = "partial"
    FACTS = "facts"
    NONE = "none"


@dataclass(frozen=True, kw_only=True)
class Part:
    """One part of a context: its level, its text, and where it came from."""

    level: str
    text: str
    origin: str
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Spent:
    """AI calls and tokens that some work took."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            calls=self.calls + other.calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
        )


@dataclass(frozen=True, kw_only=True)
class Context:
    """What a reply is given about one member, and how it came to be.

    `trouble` says in a few words why it is not the merge of all levels, when it is not.
    `text` and the parts name people as `<@id>`; `notes` are the ids of the notes it was made from.
    """

    user_id: int
    text: str | None
    fallback: FallbackLevel
    facts: tuple[Fact, ...] = ()
    parts: tuple[Part, ...] = ()
    notes: tuple[int, ...] = ()
    spent: Spent = Spent()
    trouble: str | None = None
    good_until: datetime | None = None
    """Until when it stays as it is unless the guild's past changes; None where it may be better the next moment."""


@dataclass(frozen=True)
class PendingRemoval:
    """Words that are to go: of deleted messages, or, with a channel, of edited ones, which are to be read again."""

    guild_id: int
    channel_id: int | None
    message_ids: tuple[int, ...]


@dataclass(frozen=True)
class Making:
    """When an answer's making began: the guild's generation, and the time."""

    generation: int
    at: datetime


FOUND = "found"
"""The key of what a search found in the JSON form of `Given`, beside the members' ids."""


@dataclass(frozen=True, kw_only=True)
class GivenEntries:
    """Facts, messages, notes and conclusions that an answer was given, by id."""

    fact_ids: tuple[int, ...] = ()
    message_ids: tuple[int, ...] = ()
    note_ids: tuple[int, ...] = ()
    conclusion_ids: tuple[int, ...] = ()

    @classmethod
    def from_hits(cls, entries: Iterable[SearchHit]) -> GivenEntries:
        """The ids of entries, and of the messages that are evidence of their notes and conclusions."""
        entries = list(entries)
        drawn = [entry for entry in entries if isinstance(entry, Note | Conclusion)]
        messages = [entry.message_id for entry in entries if isinstance(entry, Message)]
        return cls(
            fact_ids=tuple(entry.fact_id for entry in entries if isinstance(entry, Fact)),
            message_ids=(*messages, *(message_id for entry in drawn for message_id in entry.evidence)),
            note_ids=tuple(entry.note_id for entry in drawn if isinstance(entry, Note)),
            conclusion_ids=tuple(entry.conclusion_id for entry in drawn if isinstance(entry, Conclusion)),
        )

    def as_json(self) -> dict[str, Any]:
        """For the database."""
        ids = {"facts": self.fact_ids, "messages": self.message_ids, "notes": self.note_ids}
        if self.conclusion_ids:
            ids["conclusions"] = self.conclusion_ids
        return {name: list(found) for name, found in ids.items()}


@dataclass(frozen=True, kw_only=True)
class GivenMember(GivenEntries):
    """What an answer was given about one member."""

    fallback: str = FallbackLevel.NONE
    """How complete the context was; "told" for a fact that was just taught."""
    levels: tuple[str, ...] = ()
    """The levels the context was made of."""
    kept_back: int = 0
    """How many facts about the member were not for those who read the answer."""

    @classmethod
    def of_context(cls, context: Context, kept_back: int) -> GivenMember:
        """What a context gives."""
        return cls(
            fact_ids=tuple(fact.fact_id for fact in context.facts),
            message_ids=tuple(message_id for part in context.parts for message_id in part.evidence),
            note_ids=context.notes,
            fallback=context.fallback,
            levels=tuple(part.level for part in context.parts),
            kept_back=kept_back,
        )

    def as_json(self) -> dict[str, Any]:
        """For the database."""
        more = {"fallback": str(self.fallback), "levels": list(self.levels), "kept_back": self.kept_back}
        return {**super().as_json(), **more}


@dataclass(frozen=True, kw_only=True)
class Given:
    """What an answer was given: for the question why, and for what must go when its sources go."""

    members: Mapping[int, GivenMember] = field(default_factory=dict)
    """What it was given about each member, by their id."""
    found: GivenEntries | None = None
    """What a search found for it."""
    shown: tuple[int, ...] = ()
    """The messages that stood in its prompt; not kept with the record, but the answer goes with them."""

    def _all(self) -> tuple[GivenEntries, ...]:
        return (*self.members.values(), *([self.found] if self.found is not None else []))

    @property
    def fact_ids(self) -> set[int]:
        """Every fact it was given."""
        return {fact_id for entries in self._all() for fact_id in entries.fact_ids}

    @property
    def note_ids(self) -> set[int]:
        """Every note it was given."""
        return {note_id for entries in self._all() for note_id in entries.note_ids}

    @property
    def conclusion_ids(self) -> set[int]:
        """Every conclusion it was given."""
        return {conclusion_id for entries in self._all() for conclusion_id in entries.conclusion_ids}

    @property
    def message_ids(self) -> set[int]:
        """Every message it goes with: cited by its contexts, found, or shown in the prompt."""
        return {message_id for entries in self._all() for message_id in entries.message_ids} | set(self.shown)

    def as_json(self) -> dict[str, Any]:
        """For the database, members by id as text."""
        found = {FOUND: self.found.as_json()} if self.found is not None else {}
        return {**{str(user_id): member.as_json() for user_id, member in self.members.items()}, **found}

    @classmethod
    def from_json(cls, record: Mapping[str, Mapping[str, Any]]) -> Given:
        """As the database has it, whichever version wrote it."""

        def entries(row: Mapping[str, Any]) -> dict[str, Any]:
            names = {
                "fact_ids": "facts",
                "message_ids": "messages",
                "note_ids": "notes",
                "conclusion_ids": "conclusions",
            }
            return {field_name: tuple(row.get(name, ())) for field_name, name in names.items()}

        members = {
            int(user_id): GivenMember(
                **entries(row),
                fallback=row.get("fallback", FallbackLevel.NONE),
                levels=tuple(row.get("levels", ())),
                kept_back=row.get("kept_back", 0),
            )
            for user_id, row in record.items()
            if user_id != FOUND
        }
        return cls(members=members, found=GivenEntries(**entries(record[FOUND])) if FOUND in record else None)
