"""Chat exports of DiscordChatExporter (JSON), streamed: bounded memory, idempotent, bad records told and skipped."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import ijson

from memory import EVERYONE, AuthorKind, Channel, Member, MemoryManager, Message
from memory.ids import AudienceId, ChannelId, GuildId, MessageId, UserId
from urmom_bot.transcript import embed_text, kind_of, transcript

log = logging.getLogger(__name__)

MOST_PROBLEMS = 1_000
"""Problems that are kept to be told; the count goes on."""

BATCH_MESSAGES = 1_000
"""Messages of one transaction."""

MAX_MESSAGE_CHARACTERS, MAX_NAME_CHARACTERS = 16_000, 100
"""Characters of a message, with what it carries, and of a name at the most."""

TALK = frozenset({"Default", "Reply", "ThreadStarterMessage"})
"""Types of messages that are talk; the others are Discord's own notes."""


T = TypeVar("T")


def _same(value: Any) -> Any:
    return value


class Unreadable(Exception):
    """A file is not an export that can be imported."""


@dataclass
class Counts:
    """What came of an import: `known` were stored before, `skipped` were no talk or could not be read.

    `old` are older than messages are kept: they go when the bot next runs.
    """

    read: int = 0
    stored: int = 0
    known: int = 0
    skipped: int = 0
    people: int = 0
    old: int = 0
    problems: list[str] = field(default_factory=list)

    def skip(self, problem: str | None = None) -> None:
        """Count a message that is not imported, and keep what is wrong with it to be told."""
        self.skipped += 1
        if problem is not None and len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)

    def as_json(self) -> dict[str, Any]:
        """The counts, and the first problems."""
        return asdict(self) | {"problems": self.problems[:50]}


async def import_file(
    path: Path,
    memory: MemoryManager,
    counts: Counts,
    *,
    restricted: bool = False,
    kept_since: datetime | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Channel:
    """Import one file; `progress` hears how many bytes were read. Returns the channel.

    Each batch is stored whole or not at all; importing again stores nothing twice. Raises
    Unreadable where the file is no export, or breaks off: what came before is kept.
    """
    exported = _channel(path, restricted)
    known = (await memory.guilds.channels(exported.guild_id)).get(exported.channel_id)
    channel = exported if known is None or restricted else known
    await memory.guilds.update_channel(channel)
    batch = _Batch(memory, counts, kept_since)
    with path.open("rb") as file:
        try:
            for position, record in enumerate(_records(file), 1):
                counts.read += 1
                try:
                    found = _message(record, channel)
                except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as bad:
                    counts.skip(f"{path.name}: skipped message {position}{_called(record)}: {bad}")
                    continue
                batch.add(found)
                if batch.is_full:
                    await batch.write()
                    progress(file.tell())
        except (ijson.JSONError, UnicodeDecodeError, RecursionError) as broken:
            await batch.write()
            why = (str(broken) or type(broken).__name__).splitlines()[0]
            raise Unreadable(
                f"{path.name} breaks off after message {counts.read}: {why}."
                " The bot stored everything before that. Export the channel again, and import that file."
            ) from broken
        await batch.write()
        progress(file.tell())
    counts.people += batch.people
    return channel


class _Batch:
    """Messages of a file on their way to memory."""

    def __init__(self, memory: MemoryManager, counts: Counts, kept_since: datetime | None) -> None:
        self._memory = memory
        self._counts = counts
        self._kept_since = kept_since
        self._messages: dict[MessageId, Message] = {}
        self._people: dict[UserId, Member] = {}
        self._named: dict[UserId, Member] = {}

    @property
    def people(self) -> int:
        """How many wrote what was taken."""
        return len(self._named)

    @property
    def is_full(self) -> bool:
        """Whether it is to be written."""
        return len(self._messages) >= BATCH_MESSAGES

    def add(self, found: tuple[Message, Member] | None) -> None:
        """Take a message, or count that there is none, or that it came before."""
        if found is None or found[0].message_id in self._messages:
            self._counts.skip()
            return
        message, member = found
        self._messages[message.message_id] = message
        if self._named.get(member.user_id) != member:
            self._people[member.user_id] = self._named[member.user_id] = member
        self._counts.old += self._kept_since is not None and message.timestamp < self._kept_since

    async def write(self) -> None:
        """Store what was taken."""
        if self._messages:
            new = await self._memory.messages.import_batch(list(self._messages.values()), list(self._people.values()))
            self._counts.stored += new
            self._counts.known += len(self._messages) - new
        self._messages.clear()
        self._people.clear()


def _called(record: Any) -> str:
    """A record's id, by which it is found in its file."""
    known = record.get("id") if isinstance(record, dict) else None
    return f" (id {str(known)[:20]})" if known else ""


def _records(file: BinaryIO) -> Iterator[Any]:
    yield from ijson.items(file, "messages.item", use_float=True)


def _channel(path: Path, restricted: bool) -> Channel:
    try:
        with path.open("rb") as file:
            guild = next(ijson.items(file, "guild"), None)
        with path.open("rb") as file:
            channel = next(ijson.items(file, "channel"), None)
        assert guild is not None
        assert channel is not None
        guild_id, channel_id = int(guild["id"]), int(channel["id"])
        name = str(channel["name"])
    except (ijson.JSONError, AssertionError, KeyError, TypeError, ValueError, AttributeError, RecursionError) as bad:
        raise Unreadable(f"{path.name} is not a JSON export from DiscordChatExporter.") from bad
    except OSError as bad:
        raise Unreadable(f"Cannot read {path.name}: {bad.strerror}.") from bad
    if guild_id == 0:
        raise Unreadable(f"{path.name} has direct messages. The bot imports messages of servers only.")
    audience = channel_id if restricted else EVERYONE
    return Channel(
        guild_id=GuildId(guild_id), channel_id=ChannelId(channel_id), name=name, audience=AudienceId(audience)
    )


def _message(record: Any, channel: Channel) -> tuple[Message, Member] | None:
    """A record as a message with its author; None for what is no talk. Raises ValueError naming the field."""
    if _field(_object(record), "type") not in TALK:
        return None
    author = _field(record, "author", _object)
    replied = record.get("reference") or {}
    member = Member(
        guild_id=channel.guild_id,
        user_id=UserId(_field(record, "author.id", _id)),
        display_name=_field(author, "nickname", _name) if author.get("nickname") else _field(author, "name", _name),
        username=_field(record, "author.name", _name),
        author_kind=AuthorKind.BOT if author.get("isBot") else AuthorKind.MEMBER,
    )
    message = Message(
        guild_id=channel.guild_id,
        message_id=MessageId(_field(record, "id", _id)),
        channel_id=channel.channel_id,
        user_id=member.user_id,
        text=transcript(_field(record, "content", _text), _extras(record)),
        timestamp=_field(record, "timestamp", _moment),
        reply_to_id=MessageId(_field(record, "reference.messageId", _id)) if replied.get("messageId") else None,
        edited_at=_field(record, "timestampEdited", datetime.fromisoformat) if record.get("timestampEdited") else None,
        audience=channel.audience,
        author_kind=member.author_kind,
    )
    return message, member


def _field(record: Any, name: str, read: Callable[[Any], T] = _same) -> T:
    """A field of a record, such as "author.id", as `read` has it. Raises ValueError naming it."""
    value = record
    try:
        for key in name.split("."):
            value = value[key]
        return read(value)
    except KeyError as missing:
        raise ValueError(f"{name} is missing") from missing
    except (TypeError, ValueError, AttributeError, OverflowError) as bad:
        raise ValueError(f"{name}: {bad}") from bad


def _moment(value: object) -> datetime:
    written = datetime.fromisoformat(_text(value))
    if written.tzinfo is None:
        raise ValueError("the time zone is missing")
    if not 2015 <= written.year <= datetime.now(UTC).year:
        raise ValueError(f"the year {written.year} is not between 2015 and now")
    return written


def _extras(record: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for attachment in _objects(record, "attachments"):
        name = str(attachment.get("fileName", ""))
        yield kind_of(None, name), name
    for sticker in _objects(record, "stickers"):
        yield "sticker", str(sticker.get("name", ""))
    for embed in _objects(record, "embeds"):
        if text := embed_text(embed.get("title"), embed.get("description")):
            yield "embed", text


def _objects(record: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The objects in a field that may be missing."""
    return _field(record, name, lambda found: [_object(one) for one in found]) if record.get(name) else []


def _object(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError("not an object")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("not text")
    if len(value) > MAX_MESSAGE_CHARACTERS:
        raise ValueError(f"longer than {MAX_MESSAGE_CHARACTERS} characters")
    return value


def _name(value: object) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > MAX_NAME_CHARACTERS:
        raise ValueError(f"not text of 1 to {MAX_NAME_CHARACTERS} characters")
    return value


def _id(value: object) -> int:
    if not str(value).isdecimal() or not 0 < int(str(value)) < 2**63:
        raise ValueError(f"{str(value)[:40]!r} is not an id")
    return int(str(value))
