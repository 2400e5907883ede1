"""Topics: pages of dated lines that people read and edit."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from memory.core import Core
from memory.ids import AudienceId, UserId
from memory.permissions import Viewer, may_drop_line, may_edit_topics, may_import, require
from memory.records import EVERYONE, Conclusion, ConclusionKind, Member, Topic
from memory.rules.content_policy import is_not_to_be_noted
from memory.rules.names import Names, with_ids
from memory.rules.text import mentioned, one_line, with_names
from memory.sessions.drawing import CONCLUSION_CHARACTERS, TOPIC_CHARACTERS
from memory.topics import Topics, called

_LINE = re.compile(r"[-*] +(?P<text>\S.*?) +\((?P<day>\d{4}-\d\d-\d\d)\)\s*")
_HEADING = re.compile(r"# +(?P<name>\S.*?)\s*")
_FILE = re.compile(r"[^\w-]+")

EARLIEST = date(2015, 1, 1)
"""Discord's epoch: no line is older."""

MAX_DAYS_AHEAD = timedelta(days=1)
"""How far a line's day may lie ahead: somewhere it is tomorrow already."""

LONGEST_FILE = 500_000
"""Characters of a page that is imported."""


@dataclass(frozen=True)
class TopicService:
    """Topic pages. Methods that change something raise NotAllowed; any may raise DatabaseUnavailable."""

    _core: Core
    _topics: Topics

    async def list(self, viewer: Viewer) -> Sequence[Topic]:
        """List the topics that the viewer may be shown, the most recently written to first."""
        return [t for t in await self._core.store.topics.list(viewer.guild_id, viewer.shown_audiences) if t.lines]

    async def get(self, viewer: Viewer, name: str) -> Topic | None:
        """Get a topic by name, that of the place where the viewer asks first. None if there is none that the viewer may
        be shown."""
        return called(name, sorted(await self.list(viewer), key=lambda topic: topic.audience not in viewer.audiences))

    async def by_id(self, viewer: Viewer, topic_id: int) -> Topic | None:
        """Get a topic by id. None if there is none that the viewer may be shown."""
        return await self._core.store.topics.get(viewer.guild_id, topic_id, viewer.shown_audiences)

    async def lines(self, viewer: Viewer, topic_id: int) -> Sequence[Conclusion]:
        """List a topic's lines that the viewer may be shown, with names, oldest first."""
        page = await self._topics.page(viewer, topic_id)
        return await self._core.naming.conclusions(viewer.guild_id, page[1]) if page is not None else []

    async def involving(self, viewer: Viewer, user_id: UserId) -> Sequence[Conclusion]:
        """List the conclusions that name a member or rest on their words, as far as the viewer may be shown them, with
        names, newest first."""
        found = await self._core.store.topics.involving(viewer.guild_id, user_id, viewer.shown_audiences)
        named = await self._core.naming.conclusions(viewer.guild_id, found)
        return sorted(named, key=lambda line: line.at, reverse=True)

    async def rename(self, viewer: Viewer, topic: Topic, name: str) -> bool:
        """Rename a topic. False if it cannot have that name."""
        require(may_edit_topics(viewer, topic.audience))
        name = one_line(name).strip("# ")[:TOPIC_CHARACTERS]
        if not re.search(r"\w", name) or is_not_to_be_noted(name):
            return False
        return await self._core.store.topics.rename(viewer.guild_id, topic.topic_id, name, self._core.clock())

    async def merge(self, viewer: Viewer, topic: Topic, into: Topic) -> bool:
        """Move a topic's lines into another with the same readers. False if their readers differ."""
        require(may_edit_topics(viewer, topic.audience))
        require(may_edit_topics(viewer, into.audience))
        if topic.topic_id == into.topic_id:
            return False
        return (
            await self._core.store.topics.merge(viewer.guild_id, topic.topic_id, into.topic_id, self._core.clock()) > 0
        )

    async def drop(self, viewer: Viewer, topic: Topic) -> int:
        """Delete a topic's page. Return how many lines it had: they stay, and searches find them."""
        require(may_edit_topics(viewer, topic.audience))
        return await self._core.store.topics.drop(viewer.guild_id, topic.topic_id)

    async def drop_line(self, viewer: Viewer, topic: Topic, conclusion_id: int) -> bool:
        """Delete one line of a topic for good. False if it does not exist."""
        lines = await self._core.store.topics.get_many(viewer.guild_id, [conclusion_id], viewer.shown_audiences)
        line = next((one for one in lines if one.topic_id == topic.topic_id), None)
        if line is None:
            return False
        require(may_drop_line(viewer, line))
        return await self._core.store.topics.drop_line(viewer.guild_id, conclusion_id)

    async def export(self, viewer: Viewer) -> Mapping[str, str]:
        """Export every topic as a Markdown page (seed 004), by file name. The operator gets all audiences."""
        require(may_import(viewer))
        pages: dict[str, str] = {}
        audiences = await self._core.store.topics.audiences(viewer.guild_id)
        for topic in await self._core.store.topics.list(viewer.guild_id, audiences):
            name = file_name(topic)
            if name in pages:  # "C++" and "C#" are one file's name
                name = name.replace(".", f"-{topic.topic_id}.", 1)
            pages[name] = await self.page(viewer, topic)
        return pages

    async def page(self, viewer: Viewer, topic: Topic) -> str:
        """A topic as a Markdown page. The operator gets the lines of all audiences."""
        require(may_import(viewer))
        lines = await self._core.store.topics.lines(viewer.guild_id, topic.topic_id, None)
        members = await self._core.store.people.members(viewer.guild_id, {u for one in lines for u in one.people})
        return page_of(topic, lines, members)

    async def restore(self, viewer: Viewer, name: str, text: str) -> tuple[str, int]:
        """Store a Markdown page. Return the topic's name and how many lines were new. Raises ValueError naming the
        line.

        Secrets, orders, forgotten statements, and members who are not to be remembered are left out.
        """
        require(may_import(viewer))
        title, audience, rows = parsed(name, text, self._core.clock().date() + MAX_DAYS_AHEAD)
        guild_id = viewer.guild_id
        members = await self._core.store.people.members(guild_id)
        names = Names(members.values())
        screen = await self._core.suppressions.screen(guild_id)
        silent = await self._core.suppressions.silent(guild_id)
        lines = []
        for text_read, day in rows:
            stored = with_ids(text_read, names.whose)
            people = mentioned(stored)
            if is_not_to_be_noted(text_read) or silent & set(people):
                continue
            if screen.forbids(text_read, people):
                continue
            at = datetime.combine(day, time(12), UTC)
            lines.append(
                Conclusion(
                    guild_id=guild_id,
                    audience=audience,
                    kind=ConclusionKind.LINE,
                    text=stored[:CONCLUSION_CHARACTERS],
                    people=people,
                    at=at,
                )
            )
        _, new = await self._core.store.topics.write(guild_id, audience, title, lines, self._core.clock())
        return title, new


def file_name(topic: Topic) -> str:
    """The name of a topic's file. It includes the audience if two topics have the same name."""
    plain = _FILE.sub("-", topic.name.casefold()).strip("-") or f"topic-{topic.topic_id}"
    return f"{plain}.md" if topic.audience == EVERYONE else f"{plain}.{topic.audience}.md"


def page_of(topic: Topic, lines: Sequence[Conclusion], members: Mapping[UserId, Member]) -> str:
    """A topic in the form of seed 004: a heading and one dated line for each conclusion."""
    names = {u: m.display_name for u, m in members.items()}
    head = f"# {topic.name}\n\n" + (f"<!-- audience: {topic.audience} -->\n\n" if topic.audience != EVERYONE else "")
    return head + "".join(f"- {one_line(with_names(one.text, names))} ({one.at:%Y-%m-%d})\n" for one in lines)


def parsed(name: str, text: str, latest: date) -> tuple[str, AudienceId, list[tuple[str, date]]]:
    """Parse a page into its name, audience, and lines with their days. Raises ValueError naming a malformed line.

    A line dated before Discord existed, or after `latest`, is malformed.
    """
    if len(text) > LONGEST_FILE:
        raise ValueError(f"{name} is larger than {LONGEST_FILE} characters")
    title, audience, rows = "", EVERYONE, []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        if found := _HEADING.fullmatch(line):
            if title:
                raise ValueError(f"{name}, line {number}: a second heading; one file is one topic")
            title = one_line(found["name"])[:TOPIC_CHARACTERS]
        elif found := re.fullmatch(r"<!-- audience: (\d{1,19}) -->", line.strip()):
            audience = AudienceId(int(found[1]))
        elif found := _LINE.fullmatch(line):
            try:
                day = date.fromisoformat(found["day"])
            except ValueError:
                raise ValueError(f"{name}, line {number}: there is no day {found['day']}") from None
            if not EARLIEST <= day <= latest:
                raise ValueError(f"{name}, line {number}: {day} is not between {EARLIEST} and {latest}")
            rows.append((one_line(found["text"]), day))
        else:
            raise ValueError(f"{name}, line {number}: not of the form “- text (2026-02-12)”")
    if not title:
        raise ValueError(f"{name}: it has no heading “# name”")
    return title, audience, rows
