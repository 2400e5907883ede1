"""What each page shows: gathered as its visitor, from the same views as the panels in Discord."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import date, datetime, timedelta
from time import monotonic
from typing import Any

from aiohttp import web
from cachetools import TTLCache

from memory import Member, MemoryManager, Mode
from memory.ids import MAX_MESSAGE, NO_CHANNEL, ChannelId, MessageId, UserId
from memory.permissions import may_administer, require
from memory.records import EVERYONE
from memory.rules.ageing import Standing
from urmom_bot.markup import joined
from urmom_bot.page.rendering import MAX_ID, people_in
from urmom_bot.page.visits import Visit, Visits
from urmom_bot.panels import Panels
from urmom_bot.panels.administration import details_of
from urmom_bot.snowflakes import jump_link, moment
from urmom_bot.talk import Request, Router
from urmom_bot.viewing import Viewing
from urmom_bot.views import FactsView, Paging, Told, paged

FACTS, DAYS, LINES, CHANGES, MEMBERS, ANSWERS, SENT = 50, 20, 40, 30, 40, 20, 40
"""How many facts, days, lines of a topic, changes, members, answers and sent messages a page shows at once."""

USES = 10
"""Answers that a fact's page lists, the last that it was used for."""

LOOK_LIFE = 3_600.0
"""Seconds in which a moderator's looks at one member are one line of the audit: an open page is loaded anew often."""

CHANNELS = 50
"""Channels and threads that the server's page lists at once."""

TEACHER_HOURS = 24 * 7
"""How far back a page offers to roll back what somebody taught."""

Build = Callable[[web.Request, Visit], Awaitable["Content"]]


@dataclass(frozen=True, kw_only=True)
class Content:
    """A page: its template, what it shows, and which entry of the menu it is under."""

    template: str
    here: str
    values: Mapping[str, Any] = field(default_factory=dict)
    is_live: bool = True
    """Whether it is gathered anew when something changes."""
    names: Mapping[UserId, str] = field(default_factory=dict)
    """Names of people on it that were read already."""


@dataclass(frozen=True, kw_only=True)
class ChannelLine:
    """A channel on the server's page."""

    channel_id: ChannelId
    mode: Mode
    is_public: bool
    missing: tuple[str, ...]
    """Permissions that the bot lacks there, by Discord's names."""
    read_until: datetime | None
    """Up to when nothing of it is missing."""


def ids_in(value: object) -> set[UserId]:
    """The ids of all people whom values name, however deep they are."""
    if isinstance(value, str):
        return people_in(value)
    if isinstance(value, Mapping):
        return {n for one in value.values() for n in ids_in(one)}
    if isinstance(value, list | tuple):
        return {n for one in value for n in ids_in(one)}
    if is_dataclass(value) and not isinstance(value, type):
        found = set[UserId]()
        for one in fields(value):
            part = getattr(value, one.name)
            if isinstance(part, int) and one.name in _PEOPLE:
                found.add(UserId(part))
            else:
                found |= ids_in(part)
        return found
    return set()


_PEOPLE = frozenset(["user_id", "teller_id", "actor_id", "stated_by", "subject_id"])
"""Fields of views that are the ids of people."""


class Sections:
    """Gathers pages. Raises NotAllowed where one is not for the visitor, and LookupError where there is none."""

    def __init__(
        self,
        memory: MemoryManager,
        router: Router,
        panels: Panels,
        visits: Visits,
        operator: Callable[[], Awaitable[Mapping[str, Any]]],
    ) -> None:
        self._memory = memory
        self._router = router
        self._panels = panels
        self._viewing: Viewing = router.viewing
        self._visits = visits
        self._operator = operator
        self._looks: TTLCache[tuple[int, int, int], bool] = TTLCache(10_000, ttl=LOOK_LIFE, timer=monotonic)

    def pages(self) -> Iterator[tuple[str, Build]]:
        """The addresses of all pages, each with what gathers it for those who may open it."""
        of_members: dict[str, Build] = {
            "/me": self._me,
            "/me/days": self._my_days,
            "/me/answers": self._my_answers,
            "/me/conclusions": self._my_conclusions,
            "/me/changes": self._my_changes,
            "/me/models": self._my_models,
            "/people": self._people,
            r"/people/{member:[0-9]{1,19}}": self._person,
            r"/people/{member:[0-9]{1,19}}/days": self._days_of,
            r"/people/{member:[0-9]{1,19}}/changes": self._changes_of,
            r"/fact/{fact:[0-9]{1,18}}": self._fact,
            r"/why/{reply:[0-9]{1,19}}": self._why,
            "/topics": self._topics,
            r"/topics/{topic:[0-9]{1,18}}": self._topic,
            "/search": self._search,
            "/privacy": self._privacy,
        }
        of_managers: dict[str, Build] = {
            "/server": self._server,
            "/server/audit": self._audit,
            "/server/roll-back": self._roll_back,
        }
        for path, build in of_members.items():
            yield path, _for(build, lambda visit: not visit.is_operator)
        for path, build in of_managers.items():
            yield path, _for(build, lambda visit: not visit.is_operator and may_administer(visit.viewer))
        yield "/operator", _for(self._operators, lambda visit: visit.is_operator)

    # About one member

    async def home(self, request: web.Request, visit: Visit) -> Content:
        """The visitor's own first page."""
        return await self._me(request, visit)

    async def _me(self, request: web.Request, visit: Visit) -> Content:
        return await self._facts_of(request, visit, visit.member)

    async def _facts_of(self, request: web.Request, visit: Visit, subject: Member) -> Content:
        view = await self._viewing.facts(visit.viewer, subject, _page(request), FACTS)
        shown = [fact.fact_id for fact in view.facts]
        portrait, uses = await self._memory.insight.context_and_uses(visit.viewer, subject.user_id, shown)
        return _about(visit, subject, "facts", view=view, groups=_groups(view), uses=uses, portrait=portrait)

    async def _my_days(self, request: web.Request, visit: Visit) -> Content:
        return await self._days(request, visit, visit.member)

    async def _days(self, request: web.Request, visit: Visit, subject: Member) -> Content:
        activity = await self._memory.replies.activity(visit.viewer, subject.user_id)
        view = await self._viewing.days(visit.viewer, subject, _page(request), DAYS)
        return _about(visit, subject, "days", view=view, activity=activity)

    async def _my_changes(self, request: web.Request, visit: Visit) -> Content:
        return await self._changes(request, visit, visit.member)

    async def _changes(self, request: web.Request, visit: Visit, subject: Member) -> Content:
        view = await self._viewing.history(visit.viewer, subject, _page(request), CHANGES)
        return _about(visit, subject, "changes", view=view)

    async def _my_conclusions(self, request: web.Request, visit: Visit) -> Content:
        view = await self._viewing.conclusions(visit.viewer, visit.member, _page(request), LINES)
        talks = await self._memory.conversations.list_own(visit.viewer)
        idle = int(self._memory.conversations.idle.total_seconds() // 60)
        links = {talk.channel_id: jump_link(visit.viewer.guild_id, talk.channel_id, talk.message_id) for talk in talks}
        return _about(visit, visit.member, "conclusions", view=view, talks=tuple(talks), links=links, idle=idle)

    async def _my_answers(self, request: web.Request, visit: Visit) -> Content:
        page = _page(request)
        listed = await self._memory.insight.answers(visit.viewer, limit=ANSWERS + 1, skip=page * ANSWERS)
        return _about(visit, visit.member, "answers", **_at_once(listed, page, ANSWERS))

    async def _my_models(self, request: web.Request, visit: Visit) -> Content:
        page = _page(request)
        days = await self._memory.insight.sent(visit.viewer)
        listed = await self._memory.insight.sent_texts(visit.viewer, limit=SENT + 1, skip=page * SENT)
        return _about(visit, visit.member, "models", days=days, **_at_once(listed, page, SENT))

    # About others

    async def _people(self, request: web.Request, visit: Visit) -> Content:
        page = _page(request)
        listed = await self._memory.insight.members(visit.viewer, limit=MEMBERS + 1, skip=page * MEMBERS)
        return Content(template="people.html", here="people", values=_at_once(listed, page, MEMBERS))

    async def _subject(self, request: web.Request, visit: Visit) -> Member:
        """Whose page it is. A moderator who looks at somebody else's is in the audit."""
        user_id = UserId(_id(request.match_info["member"]))
        found = (await self._memory.guilds.members(visit.viewer.guild_id, [user_id])).get(user_id)
        if found is None:
            raise LookupError
        await self._look(visit, user_id)
        return found

    async def _person(self, request: web.Request, visit: Visit) -> Content:
        return await self._facts_of(request, visit, await self._subject(request, visit))

    async def _days_of(self, request: web.Request, visit: Visit) -> Content:
        return await self._days(request, visit, await self._subject(request, visit))

    async def _changes_of(self, request: web.Request, visit: Visit) -> Content:
        return await self._changes(request, visit, await self._subject(request, visit))

    async def _fact(self, request: web.Request, visit: Visit) -> Content:
        """One fact, with each time that it was told."""
        fact = await self._memory.facts.get(visit.viewer, _id(request.match_info["fact"]))
        if fact is None:
            raise LookupError
        await self._look(visit, fact.user_id)
        uses, answers = await self._memory.insight.answers_with(visit.viewer, fact.fact_id, limit=USES)
        return Content(
            template="fact.html",
            here="me" if fact.user_id == visit.viewer.user_id else "people",
            values={
                "view": await self._viewing.fact(visit.viewer, fact),
                "fact": fact,
                "is_live_fact": fact.retired_at is None,
                "sources": tuple((await self._memory.facts.sources(visit.viewer, [fact])).get(fact.fact_id, ())),
                "uses": uses,
                "answers": tuple(answers),
                "is_public": fact.audience == EVERYONE,
            },
        )

    async def _why(self, request: web.Request, visit: Visit) -> Content:
        """What an answer was given, of what the visitor may be shown."""
        view = await self._viewing.why(visit.viewer, MessageId(_id(request.match_info["reply"])))
        for one in view.members if view is not None else ():
            await self._look(visit, one.user_id)
        names = view.names if view is not None else {}
        return Content(template="why.html", here="me", values={"view": view}, names=names)

    async def look_at_fact(self, visit: Visit, fact_id: int) -> None:
        """Put it into the audit that a moderator opened a form with somebody else's fact."""
        if (fact := await self._memory.facts.get(visit.viewer, fact_id)) is not None:
            await self._look(visit, fact.user_id)

    async def _look(self, visit: Visit, user_id: UserId) -> None:
        """Put it into the audit, once an hour, that a moderator looks at somebody else's facts."""
        viewer = visit.viewer
        key = viewer.guild_id, viewer.user_id, user_id
        if viewer.moderates and user_id != viewer.user_id and key not in self._looks:
            await self._memory.privacy.note_look(viewer, user_id)
            self._looks[key] = True

    # Topics, search, privacy

    async def _topics(self, request: web.Request, visit: Visit) -> Content:
        view = await self._viewing.topics(visit.viewer, _page(request), LINES)
        return Content(template="topics.html", here="topics", values={"view": view})

    async def _topic(self, request: web.Request, visit: Visit) -> Content:
        topic = await self._memory.topics.by_id(visit.viewer, _id(request.match_info["topic"]))
        if topic is None:
            raise LookupError
        view = await self._viewing.topic(visit.viewer, topic, _page(request), LINES)
        return Content(template="topic.html", here="topics", values={"view": view, "topic": topic})

    async def _search(self, request: web.Request, visit: Visit) -> Content:
        """What is asked for comes in a form: nobody's words are in an address."""
        asked = (await request.post()).get("q") if request.method == "POST" else None
        question = asked.strip()[:300] if isinstance(asked, str) else ""
        found = ""
        if question:
            reply = await self._router.recall(_request(visit, self._memory), question, visit.texts)
            found = reply.text
            facts = await self._memory.facts.get_many(visit.viewer, reply.given.fact_ids)
            for user_id in {fact.user_id for fact in facts.values()}:
                await self._look(visit, user_id)
        return Content(
            template="search.html", here="search", values={"question": question, "found": found}, is_live=False
        )

    async def _privacy(self, _: web.Request, visit: Visit) -> Content:
        request = replace(_request(visit, self._memory), guild_names=self._visits.guild_names())
        panel = await self._panels.privacy.panel(request, visit.texts)
        return Content(template="privacy.html", here="privacy", values={"panel": panel})

    # For managers

    async def _server(self, request: web.Request, visit: Visit) -> Content:
        viewer = visit.viewer
        channels = await self._channels(visit)
        paging = paged(_page(request), len(channels), CHANNELS)
        activity = await self._memory.insight.activity(viewer)
        spending, uses = await self._memory.insight.spending(viewer)
        calls, tokens = Counter[date](), Counter[date]()
        for one in spending:
            calls[one.day] += one.calls
            tokens[one.day] += one.tokens
        return Content(
            template="server.html",
            here="server",
            values={
                "panel": await self._panels.settings.page(_request(visit, self._memory), visit.texts),
                "numbers": await self._memory.insight.numbers(viewer),
                "activity": activity,
                "calls": calls,
                "tokens": tokens,
                "spending": tuple(spending),
                "ai_uses": uses,
                "rules": await self._memory.guilds.rules(viewer.guild_id),
                "channels": channels[paging.page * CHANNELS : (paging.page + 1) * CHANNELS],
                "paging": paging,
                "tab": "server",
            },
        )

    async def _channels(self, visit: Visit) -> list[ChannelLine]:
        """The server's channels that the visitor can read: what the bot does in each, and what it lacks."""
        guild_id, may_read = visit.viewer.guild_id, visit.viewer.readable_audiences
        cursors = (await self._memory.messages.cursors([guild_id])).get(guild_id, {})
        lacking = {one.channel_id: one for one in self._panels.settings.rights_in(guild_id)}
        return [
            ChannelLine(
                channel_id=channel.channel_id,
                mode=channel.mode,
                is_public=channel.audience == EVERYONE,
                missing=lacking[channel.channel_id].missing if channel.channel_id in lacking else (),
                read_until=moment(cursors[channel.channel_id]) if cursors.get(channel.channel_id) else None,
            )
            for channel in sorted(
                (await self._memory.guilds.channels(guild_id)).values(), key=lambda one: (one.parent_id or 0, one.name)
            )
            if channel.audience in may_read
        ]

    async def _audit(self, request: web.Request, visit: Visit) -> Content:
        view = await self._viewing.audit(visit.viewer, _page(request))
        details = {n: joined(details_of(one, visit.texts), ", ") for n, one in enumerate(view.lines)}
        return Content(
            template="audit.html",
            here="server",
            values={"view": view, "details": details, "tab": "audit"},
            is_live=False,
        )

    async def _roll_back(self, request: web.Request, visit: Visit) -> Content:
        """What somebody taught of late, shown before it goes."""
        viewer, preview = visit.viewer, None
        chosen = (await request.post()).get("teacher") if request.method == "POST" else None
        if isinstance(chosen, str) and re.fullmatch(r"[0-9]{1,19}", chosen):
            teacher = await self._viewing.member(viewer.guild_id, UserId(_id(chosen)))
            preview = await self._panels.administration.rollback(
                _request(visit, self._memory), teacher, TEACHER_HOURS, visit.texts
            )
        since = self._memory.clock() - timedelta(hours=TEACHER_HOURS)
        teachers = await self._memory.insight.teachers(viewer, since)
        return Content(
            template="roll_back.html",
            here="server",
            values={"teachers": tuple(teachers), "preview": preview, "tab": "roll_back"},
            is_live=False,
        )

    async def _operators(self, _: web.Request, visit: Visit) -> Content:
        return Content(
            template="operator.html",
            here="operator",
            values={
                **await self._operator(),
                "processes": tuple(await self._memory.insight.processes(visit.viewer)),
                "sizes": tuple(await self._memory.insight.table_sizes(visit.viewer)),
                "quotas": await self._memory.quotas(),
                "spending": tuple((await self._memory.insight.spending(visit.viewer))[0]),
            },
            is_live=False,
        )


def _for(build: Build, may_open: Callable[[Visit], bool]) -> Build:
    """A page that is gathered only for those who may open it. Raises NotAllowed for others."""

    async def built(request: web.Request, visit: Visit) -> Content:
        require(may_open(visit))
        return await build(request, visit)

    return built


def _about(visit: Visit, subject: Member, tab: str, **values: object) -> Content:
    """One of the pages about a member, with the tabs of the others."""
    is_me = subject.user_id == visit.viewer.user_id
    return Content(
        template=f"{tab}.html",
        here="me" if is_me else "people",
        values={"subject": subject, "is_me": is_me, "tab": tab, **values},
    )


def _at_once(listed: Sequence[object], page: int, size: int) -> dict[str, object]:
    """One page of a long list, of which one more is read than is shown."""
    return {"listed": tuple(listed[:size]), "paging": Paging(page=page, has_next=len(listed) > size)}


def _page(request: web.Request) -> int:
    """Which page of a long list is asked for, from 0."""
    asked = request.query.get("page", "0")
    return int(asked) if re.fullmatch(r"[0-9]{1,5}", asked) else 0


def _id(text: str) -> int:
    """An id in an address. Raises LookupError for a number that none can be."""
    if int(text) >= MAX_ID:
        raise LookupError
    return int(text)


def _request(visit: Visit, memory: MemoryManager) -> Request:
    """The visit as a request that only looks."""
    return Request(
        viewer=visit.viewer,
        speaker=visit.member,
        channel_id=NO_CHANNEL,
        message_id=MAX_MESSAGE,
        text="",
        at=memory.clock(),
        language=visit.texts.language,
    )


def _groups(view: FactsView) -> list[tuple[str, tuple[Any, ...]]]:
    """Facts under headings: first those that wait for a word, then by who told them."""
    waiting = [
        fact
        for fact in view.facts
        if fact.told is Told.INFERRED or fact.standing is not Standing.CURRENT
        if any(action.name == "confirm" for action in fact.actions)
    ]
    rest = [fact for fact in view.facts if fact not in waiting]
    groups = [("check", tuple(waiting))]
    groups += [(told.name.lower(), tuple(fact for fact in rest if fact.told is told)) for told in Told]
    return [(name, facts) for name, facts in groups if facts]
