"""The web site: its addresses, and what is shown at each. It asks memory and presses buttons as its visitor."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from aiohttp import web

from memory import DatabaseUnavailable, MemoryManager, NotAllowed
from memory.permissions import may_administer, require
from urmom_bot.flow import Flow
from urmom_bot.flow.answering import trouble
from urmom_bot.flow.platform import TryLater
from urmom_bot.page.guarding import (
    HEADERS,
    LINKS_A_MINUTE,
    REQUESTS_A_MINUTE,
    Limit,
    is_from_here,
    is_to_us,
    peer_of,
)
from urmom_bot.page.live import Watchers
from urmom_bot.page.presses import PRESSED_HERE, PagePresses, Presser
from urmom_bot.page.rendering import Voice, rendered, static
from urmom_bot.page.sections import Content, Sections, ids_in
from urmom_bot.page.visits import Visit, Visits
from urmom_bot.panels import Button, Form, Panels
from urmom_bot.panels.page import SEPARATOR
from urmom_bot.panels.privacy import readable_export
from urmom_bot.talk import Router, Texts, language_of

log = logging.getLogger(__name__)

UTC = ZoneInfo("UTC")

MAX_BODY = 64 * 1024
"""Bytes of a request, at the most."""

MAX_FIELD = 4_000
"""Characters of a field that is filled in, at the most."""

KEEP_ALIVE = 25.0
"""Seconds after which a page that is told of changes hears that nothing changed; its session is looked up then."""

STATIC = {
    "icon.svg": "image/svg+xml",
    "page.css": "text/css",
    "htmx.min.js": "text/javascript",
    "hx-sse.min.js": "text/javascript",
}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Build = Callable[[web.Request, Visit], Awaitable[Content]]


@dataclass(frozen=True, kw_only=True)
class Notice:
    """What came of a press: words, and buttons that go with them; or a form to fill in."""

    text: str = ""
    buttons: tuple[Button, ...] = ()
    files: Mapping[str, str] | None = None
    form: Form | None = None


class Site:
    """All pages of one process."""

    def __init__(
        self,
        memory: MemoryManager,
        router: Router,
        panels: Panels,
        flow: Flow,
        *,
        operator: Callable[[], Awaitable[Mapping[str, Any]]],
    ) -> None:
        self._memory = memory
        self._visits = Visits(flow.platform, memory)
        self._presses = PagePresses(memory, panels, flow)
        self._sections = Sections(memory, router, panels, operator)
        self._watchers = Watchers(memory)
        self._requests, self._links = Limit(REQUESTS_A_MINUTE), Limit(LINKS_A_MINUTE)
        self.address = ""
        """Where people reach it: PAGE_URL, or this machine."""

    def application(self) -> web.Application:
        """The site as aiohttp serves it."""
        app = web.Application(middlewares=[self._guarded], client_max_size=MAX_BODY)
        app.router.add_get("/", self._root)
        app.router.add_get("/open/{token}", self._offer)
        app.router.add_post("/open/{token}", self._open)
        app.router.add_post("/sign-out", self._sign_out)
        app.router.add_get("/events", self._events)
        app.router.add_get("/export/{kind}", self._export)
        app.router.add_get("/static/{name}", self._static)
        for path, build in self._sections.pages():
            app.router.add_get(path, self._page(build))
            app.router.add_post(path, self._page(build))
        return app

    # Around every request

    @web.middleware
    async def _guarded(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse what is not a visitor's own, and put the headers on whatever is answered.

        1. A request that names another site is not for us.
        2. What changes something comes from our own pages alone.
        3. So many requests a minute.
        """
        try:
            if not is_to_us(request, self.address):
                answer: web.StreamResponse = web.Response(status=421, text="misdirected\n")
            elif request.method not in ("GET", "HEAD") and not is_from_here(request, self.address):
                answer = self._alone(request, "denied", 403)
            elif not request.path.startswith("/static/") and not self._requests.allows(self._who(request)):
                answer = self._alone(request, "busy", 429)
            else:
                answer = await handler(request)
        except web.HTTPException as refused:
            if refused.status < 400:  # a redirection
                raise self._headed(refused) from None
            answer = self._alone(request, "denied", refused.status)
        except (NotAllowed, LookupError):
            answer = self._alone(request, "denied", 404)
        except (DatabaseUnavailable, TryLater):
            answer = self._alone(request, "away", 503)
        except (ConnectionResetError, asyncio.CancelledError):
            raise
        except Exception as failed:
            texts = self._texts(request)
            answer = self._alone(request, "error", 500, words=trouble(failed, texts))
        return answer if answer.prepared else self._headed(answer)

    def _headed(self, answer: Any) -> Any:
        for name, value in HEADERS.items():
            answer.headers.setdefault(name, value)
        if self.address.startswith("https://"):
            answer.headers.setdefault("Strict-Transport-Security", "max-age=31536000")
        return answer

    def _who(self, request: web.Request) -> str:
        return request.cookies.get(self._cookie) or peer_of(request, self.address)

    def _texts(self, request: web.Request) -> Texts:
        """The texts of somebody who is not signed in: in the first language that their browser asks for."""
        asked = request.headers.get("Accept-Language", "en").partition(",")[0].partition(";")[0]
        return Texts(language_of(asked.strip()))

    def _alone(self, request: web.Request, what: str, status: int, *, words: str = "") -> web.Response:
        """A page that says what happened, to somebody who may not be signed in."""
        texts = self._texts(request)
        voice = Voice(texts=texts, zone=UTC, now=self._memory.clock())
        body = rendered("alone.html", voice, what=what, words=voice.html(words), access=None, name="", path="/")
        return web.Response(text=body, content_type="text/html", status=status)

    @property
    def _cookie(self) -> str:
        return "__Host-session" if self.address.startswith("https://") else "session"

    # Signing in

    async def _root(self, request: web.Request) -> web.StreamResponse:
        visit = await self._visit(request)
        if visit is None:
            return self._alone(request, "signed_out", 200)
        raise web.HTTPSeeOther("/operator" if visit.is_operator else "/me")

    async def _visit(self, request: web.Request) -> Visit | None:
        session = request.cookies.get(self._cookie, "")
        return await self._visits.visit(session) if session else None

    async def _offer(self, request: web.Request) -> web.StreamResponse:
        """Show a button. Whoever follows links by machine, as chat programs do, opens nothing."""
        if not self._links.allows(peer_of(request, self.address)):
            return self._alone(request, "busy", 429)
        token = request.match_info["token"]
        access = await self._memory.access.check_link(token)
        if access is None:
            return self._alone(request, "expired", 404)
        name, guild = "", ""
        if access.user_id:
            visitor = await self._visits.visitor(access.guild_id, access.user_id)
            if visitor is None:
                return self._alone(request, "expired", 404)
            name, guild = visitor.member.display_name, self._visits.guild_name(access.guild_id)
        zone = await self._memory.guilds.time_zone(access.guild_id)
        voice = Voice(texts=Texts(access.language), zone=zone, now=self._memory.clock())
        body = rendered(
            "alone.html", voice, what="offer", words="", access=access, name=name, path=f"/open/{token}", guild=guild
        )
        return web.Response(text=body, content_type="text/html")

    async def _open(self, request: web.Request) -> web.StreamResponse:
        if not self._links.allows(peer_of(request, self.address)):
            return self._alone(request, "busy", 429)
        opened = await self._memory.access.use_link(request.match_info["token"])
        if opened is None:
            return self._alone(request, "expired", 404)
        session, access = opened
        self._visits.forget(access.guild_id, access.user_id)
        answer = web.HTTPSeeOther("/")
        answer.set_cookie(
            self._cookie,
            session,
            httponly=True,
            samesite="Lax",
            secure=self.address.startswith("https://"),
            path="/",
            max_age=int((access.expires_at - self._memory.clock()) / timedelta(seconds=1)),
        )
        raise answer

    async def _sign_out(self, request: web.Request) -> web.StreamResponse:
        """End this session, or all of the visitor's."""
        visit = await self._visit(request)
        if visit is not None:
            if (await request.post()).get("where") == "everywhere":
                await self._memory.access.end_all(visit.access.guild_id, visit.access.user_id)
            else:
                await self._memory.access.end(visit.session)
        answer = self._alone(request, "signed_out", 200)
        answer.del_cookie(self._cookie, path="/", secure=self.address.startswith("https://"))
        return answer

    # Pages

    def _page(self, build: Build) -> Handler:
        """A page that shows what `build` gathers, after what was pressed on it was done."""

        async def handler(request: web.Request) -> web.StreamResponse:
            visit = await self._visit(request)
            if visit is None:
                return self._alone(request, "over", 401)
            notice = await self._pressed(request, visit) if request.method == "POST" else None
            if notice is not None:
                visit = await self._visit(request)  # it may have ended the session
                if visit is None:
                    return self._ended(request, notice)
            shown = await build(request, visit)
            return web.Response(text=await self._rendered(request, visit, shown, notice), content_type="text/html")

        return handler

    def _ended(self, request: web.Request, notice: Notice) -> web.Response:
        """The last page of somebody who erased everything."""
        voice = Voice(texts=self._texts(request), zone=UTC, now=self._memory.clock())
        body = rendered(
            "alone.html", voice, what="erased", words=voice.html(notice.text), access=None, name="", path="/"
        )
        return web.Response(text=body, content_type="text/html")

    async def _rendered(self, request: web.Request, visit: Visit, shown: Content, notice: Notice | None) -> str:
        voice = self._visits.voice(visit, self._memory.clock())
        values = shown.values
        people = ids_in(values) | ids_in({"notice": notice.text if notice else ""})
        voice = await self._visits.with_names(voice, visit, people)
        return rendered(
            shown.template,
            voice,
            visit=visit,
            notice=notice,
            here=shown.here,
            path=request.rel_url.path_qs,
            is_live=shown.is_live,
            is_manager=may_administer(visit.viewer) and not visit.is_operator,
            takes=PRESSED_HERE,
            separator=SEPARATOR,
            **values,
        )

    async def _pressed(self, request: web.Request, visit: Visit) -> Notice | None:
        """Do what was pressed, if anything was."""
        form = await request.post()
        pressed = form.get("press")
        if not isinstance(pressed, str) or visit.is_operator:
            return None
        name, *args = pressed.split(SEPARATOR)
        answers = {
            key.removeprefix("f."): value[:MAX_FIELD].replace("\0", "")
            for key, value in form.items()
            if key.startswith("f.") and isinstance(value, str)
        }
        who = Presser(viewer=visit.viewer, member=visit.member, texts=visit.texts)
        done = await self._presses.press(who, name, tuple(args), answers)
        if isinstance(done, Form):
            return Notice(form=done)
        if done.news is not None:
            return Notice(text=done.news, buttons=done.news_actions, files=done.files)
        if done.replaces and done.log is not None:
            return Notice(text=done.log)
        buttons = tuple(button for row in done.rows for button in row)
        return Notice(text=done.text, buttons=buttons, files=done.files)

    # What is not HTML

    async def _events(self, request: web.Request) -> web.StreamResponse:
        """Tell an open page of changes in its guild, as long as its session lasts."""
        visit = await self._visit(request)
        if visit is None:
            return web.Response(status=204)
        stream = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        self._headed(stream)
        with suppress(ConnectionResetError), self._watchers.watched(visit.viewer.guild_id, visit.session) as watcher:
            await stream.prepare(request)
            await stream.write(b": here\n\n")
            while not watcher.is_over and await self._memory.access.session(visit.session) is not None:
                try:
                    async with asyncio.timeout(KEEP_ALIVE):
                        await watcher.changed.wait()
                    watcher.changed.clear()
                    await stream.write(b"event: changed\ndata: \n\n")
                except TimeoutError:
                    await stream.write(b": still here\n\n")
        return stream

    async def _export(self, request: web.Request) -> web.StreamResponse:
        """Everything that is stored about the visitor, as a file, written row by row."""
        visit = await self._visit(request)
        if visit is None:
            return self._alone(request, "over", 401)
        require(not visit.is_operator)
        kind = request.match_info["kind"]
        if kind not in ("json", "md"):
            raise web.HTTPNotFound
        guild_id, user_id = visit.viewer.guild_id, visit.viewer.user_id
        (export,) = await self._memory.privacy.export(visit.viewer, user_id, guild_id)
        stream = web.StreamResponse(
            headers={
                "Content-Type": "application/json" if kind == "json" else "text/markdown; charset=utf-8",
                "Content-Disposition": f'attachment; filename="urmom-bot-{user_id}.{kind}"',
            }
        )
        self._headed(stream)
        await stream.prepare(request)
        pieces: Iterable[str]
        if kind == "json":
            pieces = json.JSONEncoder(ensure_ascii=False, indent=1).iterencode(export)
        else:
            pieces = readable_export(export).splitlines(keepends=True)
        waiting: list[str] = []
        for piece in pieces:
            waiting.append(piece)
            if len(waiting) >= 2_000:
                await stream.write("".join(waiting).encode())
                waiting.clear()
        await stream.write("".join(waiting).encode())
        return stream

    async def _static(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        if name not in STATIC:
            raise web.HTTPNotFound
        answer = web.Response(body=static(name), content_type=STATIC[name], charset="utf-8")
        answer.headers["Cache-Control"] = "public, max-age=3600"
        answer.enable_compression()
        return answer
