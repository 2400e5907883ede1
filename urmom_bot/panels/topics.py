"""Topics: the pages of a server, one dated line for each thing that was settled or found out."""

from __future__ import annotations

from memory import MemoryManager
from memory.records import Topic
from urmom_bot.actions import action
from urmom_bot.markup import Markup, foreign, joined, line, moment, plain
from urmom_bot.panels.page import Button, Page, buttons
from urmom_bot.panels.pressing import Pressed
from urmom_bot.talk.presenting import source_mark
from urmom_bot.talk.requests import Request
from urmom_bot.talk.texts import Texts
from urmom_bot.viewing import Viewing
from urmom_bot.views import LineView, Paging, TopicsView, TopicView


class TopicPages:
    """Shows topics and their lines, and edits them."""

    def __init__(self, memory: MemoryManager, viewing: Viewing) -> None:
        self._memory = memory
        self._viewing = viewing

    async def list(self, request: Request, texts: Texts, *, page: int = 0) -> Page:
        """The topics that the viewer may hear, the one written to last first."""
        return topics_page(await self._viewing.topics(request.viewer, page), texts)

    async def show(self, request: Request, name: str, texts: Texts) -> Page:
        """A topic's page, by its name."""
        topic = await self._memory.topics.get(request.viewer, name)
        return await self._page(request, topic, texts, page=0)

    @action("rename_topic", changes=True, denied="topic_denied")
    async def _rename(self, pressed: Pressed) -> Page:
        """Give a topic another name."""
        name, new = pressed.args
        topic = await self._memory.topics.get(pressed.viewer, name)
        if topic is None:
            return Page(text=pressed.texts("topic_none"))
        done = await self._memory.topics.rename(pressed.viewer, topic, new)
        return Page(text=pressed.texts("topic_renamed" if done else "topic_name_taken", name=topic.name, new=new))

    @action("merge_topic", changes=True, denied="topic_denied")
    async def _merge(self, pressed: Pressed) -> Page:
        """Move a topic's lines to another."""
        name, into = pressed.args
        topic = await self._memory.topics.get(pressed.viewer, name)
        other = await self._memory.topics.get(pressed.viewer, into)
        if topic is None or other is None:
            return Page(text=pressed.texts("topic_none"))
        done = await self._memory.topics.merge(pressed.viewer, topic, other)
        return Page(text=pressed.texts("topic_merged" if done else "topic_merge_not", name=topic.name, into=other.name))

    @action("drop_topic", changes=True, denied="topic_denied")
    async def _drop(self, pressed: Pressed) -> Page:
        """Delete a topic's page; its lines stay."""
        name = pressed.args[0]
        topic = await self._memory.topics.get(pressed.viewer, name)
        if topic is None:
            return Page(text=pressed.texts("topic_none"))
        await self._memory.topics.drop(pressed.viewer, topic)
        return Page(text=pressed.texts("topic_dropped", name=topic.name))

    async def _page(self, request: Request, topic: Topic | None, texts: Texts, *, page: int) -> Page:
        if topic is None:
            return Page(text=texts("topic_none"))
        return topic_page(await self._viewing.topic(request.viewer, topic, page), texts)

    @action("topics")
    async def _topics(self, pressed: Pressed) -> Page:
        return await self.list(pressed.request, pressed.texts, page=pressed.number(0))

    @action("topic")
    async def _topic(self, pressed: Pressed) -> Page:
        topic = await self._memory.topics.by_id(pressed.viewer, pressed.number(0))
        return await self._page(pressed.request, topic, pressed.texts, page=pressed.number(1))

    @action("drop_line", style="danger", changes=True, denied="topic_denied")
    async def _drop_line(self, pressed: Pressed) -> Page:
        topic = await self._memory.topics.by_id(pressed.viewer, pressed.number(0))
        if topic is None:
            return Page(text=pressed.texts("topic_none"))
        await self._memory.topics.drop_line(pressed.viewer, topic, pressed.number(2))
        left = await self._memory.topics.by_id(pressed.viewer, topic.topic_id)
        if left is None:
            return Page(text=pressed.texts("topic_dropped", name=topic.name), replaces=True)
        return await self._page(pressed.request, left, pressed.texts, page=pressed.number(1))


def topics_page(view: TopicsView, texts: Texts) -> Page:
    """A page of topics, a button each."""
    if not view.topics:
        return Page(text=texts("topics_none"))
    lines = [
        line(
            "{} — {}" if one.summary else "{}",
            texts("topic_line", name=one.name, count=one.lines, when=moment(one.updated_at, "R")),
            one.summary,
        )
        for one in view.topics
    ]
    opened = tuple(
        Button(label=plain(one.name)[:80], action="topic", args=(str(one.topic_id), "0")) for one in view.topics
    )
    turned = _turning("topics", (), view.paging)
    rows = tuple(row for row in (opened, turned) if row)
    return Page(text=joined((texts("topics_heading", count=view.count), *lines)), rows=rows, replaces=True)


def topic_page(view: TopicView, texts: Texts) -> Page:
    """A page of a topic's lines, each with its link and, where the viewer may delete it, a button."""
    lines = [_line(one, texts) for one in view.lines]
    deleting = tuple(b for one in view.lines for b in buttons(one.actions, texts))
    turned = _turning("topic", (str(view.topic_id),), view.paging)
    rows = tuple(row for row in (deleting, turned) if row)
    text = joined((texts("topic_heading", name=view.name, count=view.count), *lines))
    return Page(text=text, rows=rows, replaces=True)


def _line(one: LineView, texts: Texts) -> Markup:
    source = [source_mark(one.link, texts)] if one.link else []
    begins, told = line("{}. {}", one.number, moment(one.at, "d")), foreign(one.text)
    if one.replaced_at is not None:
        replaced = texts("topic_replaced", when=moment(one.replaced_at, "d"))
        return joined((begins, line("~~{}~~", told), *source, replaced), " ")
    since = [texts("topic_since", when=moment(one.since, "d"))] if one.since is not None else []
    return joined((begins, told, *source, *since), " ")


def _turning(action: str, args: tuple[str, ...], paging: Paging) -> tuple[Button, ...]:
    """The buttons to the pages before and after."""
    turns = []
    if paging.page > 0:
        turns.append(Button(label="◀", action=action, args=(*args, str(paging.page - 1))))
    if paging.has_next:
        turns.append(Button(label="▶", action=action, args=(*args, str(paging.page + 1))))
    return tuple(turns)
