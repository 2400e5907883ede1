"""Topics: the pages of a guild, which of them a talk is of, and how a page that grew too long is parted (seed 004)."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from memory.ai.client import AIClient, AIError
from memory.ai.prompts import accepted, split
from memory.core import Core
from memory.ids import GuildId
from memory.permissions import Viewer
from memory.records import Conclusion, Topic
from memory.rules.content_policy import is_not_to_be_noted
from memory.rules.keywords import is_everyday
from memory.rules.likeness import words_of
from memory.rules.support import strange
from memory.rules.text import one_line
from memory.rules.topics import MAX_INDEX_TOPICS, MAX_PAGE_LINES
from memory.sessions.drawing import TOPIC_CHARACTERS

log = logging.getLogger(__name__)

RETRY_PAUSE = timedelta(hours=6)
"""How long a page that could not be parted is left whole."""


@dataclass(frozen=True)
class Topics:
    """Reads pages for conversations, and parts those that are too long."""

    _core: Core
    _ai: AIClient

    async def index(self, viewer: Viewer) -> Sequence[Topic]:
        """The latest topics that the viewer may hear."""
        found = await self._core.store.topics.list(viewer.guild_id, viewer.shown_audiences, MAX_INDEX_TOPICS)
        return [topic for topic in found if topic.lines]

    async def page(self, viewer: Viewer, topic_id: int) -> tuple[Topic, Sequence[Conclusion]] | None:
        """A topic with the lines that the viewer may hear, oldest first; None where there is none."""
        topic = await self._core.store.topics.get(viewer.guild_id, topic_id, viewer.shown_audiences)
        if topic is None:
            return None
        lines = await self._core.store.topics.lines(viewer.guild_id, topic_id, viewer.shown_audiences)
        return topic, lines

    async def part_long(self, guild_id: GuildId) -> bool:
        """Part one page that is too long; whether one was. No line is lost: each goes to one subtopic, or all stay."""
        now = self._core.clock()
        topic_id = await self._core.store.topics.too_long(guild_id, MAX_PAGE_LINES, now)
        if topic_id is None:
            return False
        name, audience = await self._core.store.topics.head(guild_id, topic_id)
        lines = await self._core.store.topics.lines(guild_id, topic_id, [audience])
        names = await self._core.naming.people(guild_id, (line.text for line in lines))
        try:
            answer = (await self._ai.ask(split(guild_id, name=name, lines=lines, names=names))).value
        except AIError as failed:
            log.info("a topic in guild %d is parted later (%s)", guild_id, failed)
            await self._core.store.topics.split_later(guild_id, topic_id, now + timedelta(minutes=10))
            return False
        parts: dict[str, list[int]] = {}
        words = " ".join((name, *(line.text for line in lines)))
        for part in answer.parts:
            title = accepted(one_line(part.name), TOPIC_CHARACTERS)
            if is_not_to_be_noted(title) or strange(title, words):
                title = ""  # no page has it: the parts are not taken
            parts.setdefault(title, []).extend(part.lines)
        if not is_parting(parts, len(lines)):
            log.warning("a topic in guild %d is left whole: the AI's parts are not its lines", guild_id)
            await self._core.store.topics.split_later(guild_id, topic_id, now + RETRY_PAUSE)
            return False
        by_id = {title: [lines[n - 1].conclusion_id for n in numbers] for title, numbers in parts.items()}
        return await self._core.store.topics.split(guild_id, topic_id, by_id, now)


def is_parting(parts: dict[str, list[int]], lines: int) -> bool:
    """Whether every line from 1 to `lines` is in exactly one of two or more parts."""
    numbers = [n for part in parts.values() for n in part]
    return (
        len(parts) > 1
        and all(re.search(r"\w", name) for name in parts)
        and sorted(numbers) == list(range(1, lines + 1))
        and max(map(len, parts.values())) < lines
    )


def named_topic(text: str, topics: Sequence[Topic]) -> Topic | None:
    """The one topic whose name stands in a text, word for word; None where none does, or several do alike."""
    line = f" {' '.join(words_of(text))} "
    found = [t for t in topics if not is_everyday(t.name) and f" {' '.join(words_of(t.name))} " in line]
    best = max(found, key=lambda t: len(t.name), default=None)
    if best is None or any(t.name.casefold() not in best.name.casefold() for t in found):
        return None
    return best


def called(name: str, topics: Sequence[Topic]) -> Topic | None:
    """The topic of a name, whatever its case; None where there is none."""
    wanted = one_line(name).casefold()
    return next((t for t in topics if t.name.casefold() == wanted), None) if wanted else None
