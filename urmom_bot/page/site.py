"""The web site: its addresses, and what is shown at each. It asks memory and presses buttons as its visitor."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from aiohttp import web

from memory import DatabaseUnavailable, MemoryManager, NotAllowed
from memory.ids import UserId
from memory.permissions import OPERATOR, may_administer, require
from memory.records import PageAccess
from urmom_bot.flow import Flow
from urmom_bot.flow.answering import trouble
from urmom_bot.flow.platform import Refused, TryLater
from urmom_bot.page.guarding import (
    ADDRESS_REQUESTS_A_MINUTE,
    EXPORTS_A_MINUTE,
    HEADERS,
    REQUESTS_A_MINUTE,
    SIGN_INS_A_MINUTE,
    WRONG_LINKS_A_MINUTE,
    Limit,
    is_from_here,
    is_here,
    is_readable,
    is_to_us,
    peer_of,
)
from urmom_bot.page.live import Watchers
from urmom_bot.page.presses import PRESSED_HERE, PagePresses, Presser
from urmom_bot.page.rendering import Voice, rendered, static
from urmom_bot.page.sections import Content, Sections, ids_in
from urmom_bot.page.signing_in import ATTEMPT_LIFE, CALLBACK, DiscordSignIn, SignInAttempt
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

PIECE = 64 * 1024
"""Bytes of an export that are sent at once."""

MAX_SERVERS = 25
"""Servers whose pages are offered to somebody who signs in with Discord."""

EXPORT_TIME = 60.0
"""Seconds in which an export must be taken."""

KEEP_ALIVE = 25.0
"""Seconds after which a page that is told of changes hears that nothing changed; its session is looked up then."""

CHANGES_APART = 1.0
"""Seconds between two changes that an open page is told of. The browser keeps count of none: it would forget one that
comes while it loads."""

STATIC = {
    "icon.svg": "image/svg+xml",
    "page.css": "text/css",
    "htmx.min.js": "text/javascript",
    "hx-sse.min.js": "text/javascript",
    "page.js": "text/javascript",
}

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Build = Callable[[web.Request, Visit], Awaitable[Content]]


class Busy(Exception):
    """A session asks for more than it may."""


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
        self._sections = Sections(memory, router, panels, self._visits, operator)
        self._watchers = Watchers(memory)
        self._requests, self._addresses = Limit(REQUESTS_A_MINUTE), Limit(ADDRESS_REQUESTS_A_MINUTE)
        self._sign_ins = Limit(SIGN_INS_A_MINUTE)
        self._wrong_links, self._exports = Limit(WRONG_LINKS_A_MINUTE), Limit(EXPORTS_A_MINUTE)
        self.address = ""
        """Where people reach it: PAGE_URL, or this machine."""
        self.sign_in: DiscordSignIn | None = None
        """How members sign in without a link; None where they cannot."""

    def application(self) -> web.Application:
        """The site as aiohttp serves it."""
        app = web.Application(middlewares=[self._guarded], client_max_size=MAX_BODY)
        app.router.add_get("/", self._root)
        app.router.add_get("/open/{token}", self._offer)
        app.router.add_post("/open/{token}", self._open)
        app.router.add_get("/sign-in", self._sign_in)
        app.router.add_get(CALLBACK, self._signed_in)
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
        3. So many requests a minute, of an address and of a session.
        """
        try:
            if not is_to_us(request, self.address):
                answer: web.StreamResponse = web.Response(status=421, text="misdirected\n")
            elif request.method not in ("GET", "HEAD") and not is_from_here(request, self.address):
                answer = self._alone(request, "denied", 403)
            elif not is_readable(request):
                answer = self._alone(request, "denied", 415)
            elif not self._addresses.allows(peer_of(request, self.address)):
                answer = self._alone(request, "busy", 429)
            else:
                answer = await handler(request)
        except web.HTTPException as refused:
            if refused.status < 400:  # a redirection
                raise self._headed(refused) from None
            answer = self._alone(request, "denied", refused.status)
        except Busy:
            answer = self._alone(request, "busy", 429)
        except (KeyError, IndexError) as failed:  # a defect, and no page that isn't there
            answer = self._failed(request, failed)
        except (NotAllowed, LookupError, UnicodeError):
            answer = self._alone(request, "denied", 404)
        except (DatabaseUnavailable, TryLater):
            answer = self._alone(request, "away", 503)
        except (ConnectionResetError, asyncio.CancelledError):
            raise
        except Exception as failed:
            answer = self._failed(request, failed)
        return answer if answer.prepared else self._headed(answer)

    def _failed(self, request: web.Request, failed: Exception) -> web.Response:
        """What is answered where a defect is in the way: a code by which the log can be searched."""
        return self._alone(request, "error", 500, words=trouble(failed, self._texts(request)))

    def _headed(self, answer: Any) -> Any:
        for name, value in HEADERS.items():
            answer.headers.setdefault(name, value)
        if self.address.startswith("https://"):
            answer.headers.setdefault("Strict-Transport-Security", "max-age=31536000")
        return answer

    def _texts(self, request: web.Request) -> Texts:
        """The texts of somebody who is not signed in: in the first language that their browser asks for."""
        asked = request.headers.get("Accept-Language", "en").partition(",")[0].partition(";")[0]
        return Texts(language_of(asked.strip()))

    def _alone(self, request: web.Request, what: str, status: int, *, words: str = "") -> web.Response:
        """A page that says what happened, to somebody who may not be signed in."""
        voice = Voice(texts=self._texts(request), zone=UTC, now=self._memory.clock())
        return self._rendered_alone(voice, what, status, words=voice.html(words))

    def _rendered_alone(self, voice: Voice, what: str, status: int = 200, **values: Any) -> web.Response:
        """A page without the menu."""
        known = {"words": "", "files": {}, "access": None, "name": "", "guild": "", "path": "/", "links": {}, **values}
        known["signs_in"] = self.sign_in is not None
        return _html(rendered("alone.html", voice, what=what, **known), status)

    def _cookie(self, request: web.Request) -> tuple[str, bool]:
        """The name of the session's cookie, and whether it is for https alone."""
        is_secure = self.address.startswith("https://") and not is_here(request)
        return ("__Host-urmom" if is_secure else "urmom"), is_secure

    # Signing in

    async def _root(self, request: web.Request) -> web.StreamResponse:
        visit = await self._visit(request)
        if visit is None:
            return self._alone(request, "signed_out", 200)
        raise web.HTTPSeeOther("/operator" if visit.is_operator else "/me")

    async def _visit(self, request: web.Request) -> Visit | None:
        session = request.cookies.get(self._cookie(request)[0], "")
        visit = await self._visits.visit(session) if session else None
        if visit is None or (visit.is_operator and not is_here(request)):
            return None
        if not self._requests.allows(session):
            raise Busy
        return visit

    async def _offer(self, request: web.Request) -> web.StreamResponse:
        """Show a button. Whoever follows links by machine, as chat programs do, opens nothing."""
        token = request.match_info["token"]
        access = await self._memory.access.check_link(token)
        if access is None or not self._may_open(request, access):
            return self._wrong_link(request)
        name, guild = "", ""
        if access.user_id != OPERATOR:
            visitor = await self._visits.visitor(access.guild_id, access.user_id)
            if visitor is None:
                return self._wrong_link(request)
            name, guild = visitor.member.display_name, visitor.guild_name
        zone = await self._memory.guilds.time_zone(access.guild_id)
        voice = Voice(texts=Texts(access.language), zone=zone, now=self._memory.clock())
        return self._rendered_alone(voice, "offer", access=access, name=name, guild=guild, path=f"/open/{token}")

    def _may_open(self, request: web.Request, access: PageAccess) -> bool:
        """Whether a link may be opened from where it is: the operator's, on this machine alone."""
        return access.user_id != OPERATOR or is_here(request)

    def _wrong_link(self, request: web.Request) -> web.Response:
        """What is answered to a link that does not work, whatever the reason."""
        if not self._wrong_links.allows(peer_of(request, self.address)):
            return self._alone(request, "busy", 429)
        return self._alone(request, "expired", 404)

    async def _open(self, request: web.Request) -> web.StreamResponse:
        token = request.match_info["token"]
        offered = await self._memory.access.check_link(token)
        opened = None
        if offered is not None and self._may_open(request, offered):
            opened = await self._memory.access.use_link(token)
        if opened is None:
            return self._wrong_link(request)
        session, access = opened
        answer = web.HTTPSeeOther("/")
        name, is_secure = self._cookie(request)
        answer.set_cookie(
            name,
            session,
            httponly=True,
            samesite="Lax",
            secure=is_secure,
            path="/",
            max_age=int((access.expires_at - self._memory.clock()) / timedelta(seconds=1)),
        )
        raise answer

    async def _sign_in(self, request: web.Request) -> web.StreamResponse:
        """Send a browser to Discord, which asks its user whether they want to say who they are."""
        if self.sign_in is None:
            raise web.HTTPNotFound
        if request.host != urlsplit(self.address).netloc:  # the cookie is for where Discord sends the browser back
            raise web.HTTPSeeOther(f"{self.address}/sign-in")
        attempt = SignInAttempt.begin()
        answer = web.HTTPSeeOther(self.sign_in.url(attempt, self.address))
        name, is_secure = self._cookie(request)
        answer.set_cookie(
            f"{name}-sign-in",
            attempt.cookie,
            httponly=True,
            samesite="Lax",
            secure=is_secure,
            path="/",
            max_age=ATTEMPT_LIFE,
        )
        raise answer

    async def _signed_in(self, request: web.Request) -> web.StreamResponse:
        """A browser comes back from Discord: offer its user the pages of their servers."""
        if self.sign_in is None:
            raise web.HTTPNotFound
        name, is_secure = self._cookie(request)
        attempt = SignInAttempt.from_cookie(request.cookies.get(f"{name}-sign-in", ""))
        code, state, issuer = (request.query.get(field, "") for field in ("code", "state", "iss"))
        if not self._sign_ins.allows(peer_of(request, self.address)):
            answer: web.Response = self._alone(request, "busy", 429)
        elif attempt is None or not code or not self.sign_in.accepts(attempt, state, issuer):
            answer = self._not_signed_in(request)
        else:
            try:
                links = await self._links_of(request, await self.sign_in.user_id(code, attempt, self.address))
                answer = self._chosen(request, links)
            except Refused:
                answer = self._not_signed_in(request)
        answer.del_cookie(f"{name}-sign-in", path="/", secure=is_secure)
        return answer

    def _not_signed_in(self, request: web.Request) -> web.Response:
        """What is answered to whom Discord did not send, whatever the reason."""
        if not self._wrong_links.allows(peer_of(request, self.address)):
            return self._alone(request, "busy", 429)
        return self._alone(request, "not_signed_in", 403)

    async def _links_of(self, request: web.Request, user_id: UserId) -> dict[str, str]:
        """Links to somebody's pages by their servers' names: of those that know them, and where they are a member."""
        language, links, is_away = self._texts(request).language, dict[str, str](), False
        for guild_id in (await self._memory.privacy.guilds_of(user_id))[:MAX_SERVERS]:
            try:
                visitor = await self._visits.visitor(guild_id, user_id)
            except TryLater:  # one server's outage keeps nobody from the others
                is_away = True
                continue
            if visitor is not None:
                token = await self._memory.access.make_link(visitor.viewer, language)
                links[f"/open/{token}"] = visitor.guild_name
        if is_away and not links:
            raise TryLater("no server can be asked")
        return links

    def _chosen(self, request: web.Request, links: Mapping[str, str]) -> web.Response:
        """The only page there is, or all of them to choose from."""
        voice = Voice(texts=self._texts(request), zone=UTC, now=self._memory.clock())
        if len(links) == 1:
            return web.Response(status=303, headers={"Location": next(iter(links))})
        what = "choose" if links else "unknown"
        return self._rendered_alone(voice, what, links=links)

    async def _sign_out(self, request: web.Request) -> web.StreamResponse:
        """End this session, or all of the visitor's."""
        name, is_secure = self._cookie(request)
        try:
            visit = await self._visit(request)
            if visit is not None and (await request.post()).get("where") == "everywhere":
                await self._memory.access.end_all(visit.access.guild_id, visit.access.user_id)
            elif visit is not None:
                await self._memory.access.end(visit.session)
            answer = self._alone(request, "signed_out", 200)
        except (DatabaseUnavailable, TryLater):  # this browser is signed out all the same
            answer = self._alone(request, "away", 503)
        answer.del_cookie(name, path="/", secure=is_secure)
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
                before, visit = visit, await self._visits.visit(visit.session)
                if visit is None and any(button.action == "undo" for button in notice.buttons):
                    await self._memory.access.reopen(before.session, before.access)
                    visit = await self._visits.visit(before.session)
                if visit is None:  # what was pressed ended it
                    voice = self._visits.voice(before, self._memory.clock())
                    words = voice.html(notice.text)
                    return self._rendered_alone(voice, "erased", words=words, files=notice.files or {})
            path = request.rel_url.path_qs
            try:
                content = await build(request, visit)
            except LookupError as missing:
                if notice is None or isinstance(missing, KeyError | IndexError):
                    raise
                content, path = await self._sections.home(request, visit), "/me"  # what was pressed took the page away
            return _html(await self._rendered(path, visit, content, notice))

        return handler

    async def _rendered(self, path: str, visit: Visit, content: Content, notice: Notice | None) -> str:
        voice = self._visits.voice(visit, self._memory.clock())
        values = content.values
        people = ids_in(values) | ids_in({"notice": notice.text if notice else ""})
        voice = await self._visits.with_names(voice, visit, people, content.names)
        return rendered(
            content.template,
            voice,
            visit=visit,
            notice=notice,
            here=content.here,
            path=path,
            is_live=content.is_live,
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
            if name == "correct" and args and args[0].isdecimal():
                await self._sections.look_at_fact(visit, int(args[0]))
            return Notice(form=done)
        if done.news is not None:
            return Notice(text=done.news, buttons=done.news_actions, files=done.files)
        if done.replaces and done.log is not None:
            undo = tuple(button for row in done.rows for button in row if button.action == "undo")
            return Notice(text=done.log, buttons=undo)
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
            checked = monotonic()
            while not watcher.is_over:
                if monotonic() - checked >= KEEP_ALIVE:
                    checked = monotonic()
                    if await self._memory.access.session(visit.session) is None:
                        break
                try:
                    async with asyncio.timeout(KEEP_ALIVE):
                        await watcher.changed.wait()
                    await asyncio.sleep(self._watchers.delay(visit.viewer.guild_id))
                    watcher.changed.clear()
                    await stream.write(b"event: changed\ndata: \n\n")
                    await asyncio.sleep(CHANGES_APART)
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
        if not self._exports.allows(f"{visit.viewer.guild_id} {visit.viewer.user_id}"):
            raise Busy
        guild_id, user_id = visit.viewer.guild_id, visit.viewer.user_id
        (export,) = await self._memory.privacy.export(visit.viewer, user_id, guild_id)
        content = await asyncio.to_thread(_exported, export, kind)
        stream = web.StreamResponse(
            headers={
                "Content-Type": "application/json" if kind == "json" else "text/markdown; charset=utf-8",
                "Content-Disposition": f'attachment; filename="urmom-bot-{user_id}.{kind}"',
            }
        )
        self._headed(stream)
        with suppress(ConnectionResetError):
            async with asyncio.timeout(EXPORT_TIME):  # who does not read it holds it no longer
                await stream.prepare(request)
                for start in range(0, len(content), PIECE):
                    await stream.write(content[start : start + PIECE])
        return stream

    async def _static(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        if name not in STATIC:
            raise web.HTTPNotFound
        answer = web.Response(body=static(name), content_type=STATIC[name], charset="utf-8")
        answer.headers["Cache-Control"] = "public, max-age=3600"
        answer.enable_compression()
        return answer


def _html(text: str, status: int = 200) -> web.Response:
    """A page."""
    answer = web.Response(text=text, content_type="text/html", status=status)
    answer.enable_compression()
    return answer


def _exported(export: Mapping[str, Any], kind: str) -> bytes:
    """An export as a file."""
    whole = json.dumps(export, ensure_ascii=False, indent=1) if kind == "json" else readable_export(export)
    return whole.encode()
