"""Discord's REST API, as much of it as the bot uses; the rest answers 404 and is noted."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from base64 import b64encode, urlsafe_b64encode
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from aiohttp import BodyPartReader, web

from urmom_bot.stand_ins.gateway import URL, Gateway
from urmom_bot.stand_ins.http import json_response
from urmom_bot.stand_ins.world import PRIVATE_THREAD, Channel, Sent, User, World

EPHEMERAL = 1 << 6
LONGEST_NONCE = 25
READS_MESSAGES = 1 << 18
"""The flag of an application whose Message Content Intent is on."""


@dataclass(frozen=True, kw_only=True)
class Opened:
    """Where an interaction came from: its channel, and the message whose button was pressed."""

    channel: Channel
    message: dict[str, Any] | None = None


class Rest:
    """The routes."""

    def __init__(self, world: World, gateway: Gateway, token: str, take: Callable[[Sent], None]) -> None:
        self._world = world
        self._gateway = gateway
        self._token = token
        self._take = take
        self.commands: list[dict[str, Any]] = []
        self.syncs = 0
        self.unhandled: list[str] = []
        self.typing: Callable[[], Awaitable[web.Response]] | None = None
        """What answers the typing indicator, where it is not to be taken at once."""
        self.calls: Counter[str] = Counter()
        """Requests, by method and route."""
        self.read: Counter[int] = Counter()
        """Pages of history that were read, by channel."""
        self.per_second: int | None = None
        """Requests that are answered in a second, as Discord limits them for a bot as a whole; None for all."""
        self.limited = 0
        """Requests that were refused because of that."""
        self.application: dict[str, Any] = {"flags": READS_MESSAGES}
        """What the owner may change of the application; the API may change it where `edits` is true."""
        self.edits = True
        self.files: dict[str, bytes | None] = {}
        """The files of the CDN by their paths; None is one that it does not give out now."""
        self._second: deque[float] = deque()
        self.logins_left, self.reset_after = 999, 86_400_000
        """Logins that Discord still allows today, and the milliseconds until there are new ones."""
        self.login_refusing: list[int] = []
        """Statuses with which the next logins are refused."""
        self.gateway_refusing: list[int] = []
        """Statuses with which the next questions for the gateway are refused."""
        self.refusing: list[int] = []
        """Statuses with which the next messages that the bot sends are refused."""
        self.choices: dict[int, list[dict[str, Any]]] = {}
        self.modals: dict[int, dict[str, Any]] = {}
        self.shown: dict[int, dict[str, Any]] = {}
        self.opened: dict[str, Opened] = {}
        self._interactions: dict[str, int] = {}
        self._nonces: dict[str, dict[str, Any]] = {}
        self.client_secret = "a client secret"  # noqa: S105 (a stand-in has none to keep)
        self.token_refusing: list[int] = []
        """Statuses with which the next codes are refused."""
        self.bearers: dict[str, int] = {}
        """Tokens of members who said who they are, with their ids."""
        self._codes: dict[str, dict[str, str]] = {}

    def route(self, app: web.Application) -> None:
        """Answer under /api/v10."""
        add = app.router.add_route
        base = "/api/v10"
        message = base + "/channels/{channel}/messages/{message}"
        webhook = base + "/webhooks/{app}/{token}"
        add("GET", base + "/users/@me", self._me)
        add("GET", base + "/oauth2/applications/@me", self._application)
        add("POST", base + "/oauth2/token", self._token_of_code)
        add("POST", base + "/oauth2/token/revoke", self._revoke)
        add("PATCH", base + "/applications/@me", self._edit_application)
        add("GET", base + "/users/@me/guilds", self._guilds)
        add("GET", base + "/guilds/{guild}", self._guild)
        add("GET", base + "/guilds/{guild}/channels", self._guild_channels)
        add("GET", base + "/gateway", self._gateway_address)
        add("GET", base + "/gateway/bot", self._gateway_bot)
        add("POST", base + "/channels/{channel}/messages", self._send)
        add("GET", base + "/channels/{channel}/messages", self._history)
        add("GET", message, self._message)
        add("DELETE", message, self._delete)
        add("POST", base + "/channels/{channel}/typing", self._typing)
        add("PUT", message + "/reactions/{emoji}/@me", self._done)
        add("GET", message + "/reactions/{emoji}", self._reacted)
        add("PUT", base + "/applications/{app}/commands", self._sync)
        add("POST", base + "/interactions/{id}/{token}/callback", self._callback)
        add("POST", webhook, self._follow_up)
        add("PATCH", webhook + "/messages/@original", self._edit_original)
        add("GET", webhook + "/messages/@original", self._follow_up)
        add("GET", base + "/channels/{channel}", self._one_channel)
        add("GET", base + "/channels/{channel}/threads/archived/{kind}", self._archived)
        add("GET", base + "/guilds/{guild}/members/{user}", self._member)
        add("GET", "/attachments/{rest:.*}", self._file)
        add("*", "/{rest:.*}", self._unknown)

    async def _file(self, request: web.Request) -> web.Response:
        if request.path not in self.files:
            return web.Response(status=404)
        data = self.files[request.path]
        return web.Response(status=503) if data is None else web.Response(body=data)

    @web.middleware
    async def limit(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Count requests, and refuse those over Discord's limit; interactions are exempt."""
        route = request.match_info.route.resource
        if not request.path.startswith("/api/") or route is None:
            return await handler(request)
        self.calls[f"{request.method} {route.canonical.removeprefix('/api/v10')}"] += 1
        exempt = request.path.startswith(("/api/v10/interactions", "/api/v10/webhooks"))
        if self.per_second is not None and not exempt:
            now = asyncio.get_running_loop().time()
            while self._second and self._second[0] <= now - 1:
                self._second.popleft()
            if len(self._second) >= self.per_second:
                self.limited += 1
                body = {"message": "You are being rate limited.", "retry_after": 0.5, "global": True}
                return json_response(body, status=429, headers={"Via": "1.1 stand-in"})
            self._second.append(now)
        return await handler(request)

    async def _member(self, request: web.Request) -> web.Response:
        guild = self._world.guilds.get(int(request.match_info["guild"]))
        known = {**guild.members, self._world.bot.id: self._world.bot} if guild is not None else {}
        user = known.get(int(request.match_info["user"]))
        if guild is None or user is None:
            return _refused(404, 10007, "Unknown Member")
        return json_response(guild.member_payload(user))

    async def _reacted(self, request: web.Request) -> web.Response:
        channel = self._world.channel_of(int(request.match_info["channel"]))
        message = channel.messages.get(int(request.match_info["message"]), {}) if channel is not None else {}
        emoji = request.match_info["emoji"]
        return json_response(
            [u for one in message.get("reactions", ()) if one["emoji"]["name"] == emoji for u in one["users"]]
        )

    async def _typing(self, request: web.Request) -> web.Response:
        return await (self.typing() if self.typing is not None else self._done(request))

    def authorize(self, url: str, user: User) -> str:
        """What a browser does at Discord's page that asks whether an application may know who `user` is: yes.

        Returns the address to which it is sent back.
        """
        asked = dict(parse_qsl(urlsplit(url).query))
        code = secrets.token_urlsafe(12)
        self._codes[code] = {**asked, "user": str(user.id)}
        found = urlencode({"code": code, "state": asked["state"], "iss": "https://discord.com"})
        return f"{asked['redirect_uri']}?{found}"

    async def _token_of_code(self, request: web.Request) -> web.Response:
        """A token for a code, once, to who has the secret and the verifier."""
        form = dict(parse_qsl((await request.read()).decode()))
        if self.token_refusing:
            return _refused(self.token_refusing.pop(0), 0, "trouble")
        known = self._codes.pop(form.get("code", ""), None)
        own = b64encode(f"{self._world.bot.id}:{self.client_secret}".encode()).decode()
        if request.headers.get("Authorization") != f"Basic {own}":
            return json_response({"error": "invalid_client"}, status=401)
        challenge = urlsafe_b64encode(sha256(form.get("code_verifier", "").encode()).digest()).rstrip(b"=").decode()
        if (
            known is None
            or form.get("grant_type") != "authorization_code"
            or (challenge, form.get("redirect_uri")) != (known["code_challenge"], known["redirect_uri"])
        ):
            return json_response({"error": "invalid_grant"}, status=400)
        token = secrets.token_urlsafe(12)
        self.bearers[token] = int(known["user"])
        return json_response({"access_token": token, "token_type": "Bearer", "scope": known["scope"]})

    async def _revoke(self, request: web.Request) -> web.Response:
        self.bearers.pop(dict(parse_qsl((await request.read()).decode())).get("token", ""), None)
        return json_response({})

    async def _me(self, request: web.Request) -> web.Response:
        bearer = self.bearers.get(request.headers.get("Authorization", "").removeprefix("Bearer "))
        if bearer is not None:
            return json_response(self._world.users[bearer].payload())
        if request.headers.get("Authorization") != f"Bot {self._token}":
            return _refused(401, 0, "401: Unauthorized")
        if self.login_refusing:
            return _refused(self.login_refusing.pop(0), 0, "trouble")
        return json_response(self._world.bot.payload())

    async def _application(self, _: web.Request) -> web.Response:
        return json_response(
            {
                "id": str(self._world.bot.id),
                "name": self._world.bot.name,
                "description": "",
                "icon": None,
                "bot_public": True,
                "bot_require_code_grant": False,
                "verify_key": "0" * 64,
                "owner": self._world.bot.payload(),
                **self.application,
            }
        )

    async def _edit_application(self, request: web.Request) -> web.Response:
        if not self.edits:
            return _refused(403, 50_013, "Missing Permissions")
        self.application |= json.loads(await request.read())
        return await self._application(request)

    async def _guilds(self, _: web.Request) -> web.Response:
        known = self._world.guilds.values()
        return json_response([{"id": str(g.id), "name": g.name, "icon": None, "features": []} for g in known])

    async def _guild(self, request: web.Request) -> web.Response:
        guild = self._world.guilds.get(int(request.match_info["guild"]))
        if guild is None:
            return _refused(404, 10_004, "Unknown Guild")
        left_out = ("channels", "threads", "members", "presences", "voice_states")
        whole = guild.payload(self._world.bot)
        return json_response({name: value for name, value in whole.items() if name not in left_out})

    async def _guild_channels(self, request: web.Request) -> web.Response:
        guild = self._world.guilds.get(int(request.match_info["guild"]))
        found = guild.channels.values() if guild is not None else ()
        return json_response([channel.payload() for channel in found if not channel.thread])

    async def _gateway_address(self, _: web.Request) -> web.Response:
        return json_response({"url": URL})

    async def _gateway_bot(self, _: web.Request) -> web.Response:
        if self.gateway_refusing:
            return _refused(self.gateway_refusing.pop(0), 0, "trouble")
        start = {"total": 1000, "remaining": self.logins_left, "reset_after": self.reset_after, "max_concurrency": 1}
        return json_response({"url": URL, "shards": 1, "session_start_limit": start})

    async def _send(self, request: web.Request) -> web.Response:
        channel = self._channel(request)
        if channel is None:
            return _refused(404, 10003, "Unknown Channel")
        if self.refusing:
            return _refused(self.refusing.pop(0), 0, "refused")
        body, files = await _body(request)
        nonce = str(body.get("nonce", ""))
        if len(nonce) > LONGEST_NONCE:
            return _refused(400, 50_035, "Invalid Form Body")
        if body.get("enforce_nonce") and nonce in self._nonces:
            return json_response(self._nonces[nonce])
        if (wrong := _wrong(body, files)) is not None:
            return wrong
        reply_to = (body.get("message_reference") or {}).get("message_id")
        made = self._world.message(
            channel,
            self._world.bot,
            body.get("content") or "",
            reply_to=int(reply_to) if reply_to and int(reply_to) in channel.messages else None,
            components=body.get("components") or [],
        )
        self.shown[int(made["id"])] = made
        self._nonces[nonce] = made
        self._note(channel.id, body, files, int(made["id"]), int(reply_to) if reply_to else None)
        await self._gateway.dispatch("MESSAGE_CREATE", made, channel.guild_id)
        return json_response(made)

    async def _history(self, request: web.Request) -> web.Response:
        channel = self._channel(request)
        if channel is None:
            return _refused(404, 10003, "Unknown Channel")
        self.read[channel.id] += 1
        limit = int(request.query.get("limit", 50))
        ids = sorted(channel.messages)
        if after := request.query.get("after"):
            ids = [m for m in ids if m > int(after)][:limit]
        elif before := request.query.get("before"):
            ids = [m for m in ids if m < int(before)][-limit:]
        else:
            ids = ids[-limit:]
        return json_response([channel.messages[m] for m in reversed(ids)])

    async def _message(self, request: web.Request) -> web.Response:
        channel = self._channel(request)
        found = channel.messages.get(int(request.match_info["message"])) if channel else None
        return json_response(found) if found else _refused(404, 10008, "Unknown Message")

    async def _delete(self, request: web.Request) -> web.Response:
        """The bot deletes one of its own messages."""
        channel, message_id = self._channel(request), int(request.match_info["message"])
        found = channel.messages.get(message_id) if channel else None
        if channel is None or found is None:
            return _refused(404, 10008, "Unknown Message")
        if int(found["author"]["id"]) != self._world.bot.id:
            return _refused(403, 50_013, "Missing Permissions")
        del channel.messages[message_id]
        body = {"id": str(message_id), "channel_id": str(channel.id), "guild_id": str(channel.guild_id)}
        await self._gateway.dispatch("MESSAGE_DELETE", body, channel.guild_id)
        return web.Response(status=204)

    async def _done(self, _: web.Request) -> web.Response:
        return web.Response(status=204)

    async def _sync(self, request: web.Request) -> web.Response:
        self.syncs += 1
        self.commands = [
            command
            | {
                "id": str(self._world.snowflake()),
                "application_id": str(self._world.bot.id),
                "version": "1",
                "description": command.get("description", ""),
            }
            for command in json.loads(await request.read())
        ]
        return json_response(self.commands)

    async def _callback(self, request: web.Request) -> web.Response:
        interaction, token = int(request.match_info["id"]), request.match_info["token"]
        body, files = await _body(request)
        kind, data = body["type"], body.get("data") or {}
        if token in self._interactions:
            return _refused(400, 40060, "Interaction has already been acknowledged.")
        self._interactions[token] = int(data.get("flags") or 0)
        resource: dict[str, Any] = {"type": kind}
        if kind == 8:
            self.choices[interaction] = data["choices"]
        elif kind == 9:
            self.modals[interaction] = data
        elif kind == 4:
            if (wrong := _wrong(data, files)) is not None:
                return wrong
            made = await self._answer(data, token)
            self._note(0, data, files, int(made["id"]), None, ephemeral=bool(self._interactions[token] & EPHEMERAL))
            resource["message"] = made
        return json_response({"interaction": {"id": str(interaction), "type": 2}, "resource": resource})

    async def _follow_up(self, request: web.Request) -> web.Response:
        token = request.match_info["token"]
        if token not in self._interactions:
            return _refused(404, 10015, "Unknown Webhook")
        body, files = await _body(request)
        if request.method == "GET":
            return json_response(await self._answer(body, token))
        if (wrong := _wrong(body, files)) is not None:
            return wrong
        flags = self._interactions[token] | int(body.get("flags") or 0)
        made = await self._answer(body, token, public=not flags & EPHEMERAL)
        self._note(0, body, files, int(made["id"]), None, ephemeral=bool(flags & EPHEMERAL))
        return json_response(made)

    async def _edit_original(self, request: web.Request) -> web.Response:
        """Change the message that an interaction came from, or that it was answered with."""
        token = request.match_info["token"]
        opened = self.opened.get(token)
        if opened is None or opened.message is None:
            return await self._follow_up(request)
        body, files = await _body(request)
        if len(body.get("content") or "") > 2_000:
            return _refused(400, 50035, "Must be 2000 or fewer in length.")
        opened.message.update({k: body[k] for k in ("content", "components") if body.get(k) is not None})
        private = bool(int(opened.message.get("flags") or 0) & EPHEMERAL)
        self._note(opened.channel.id, body, files, int(opened.message["id"]), None, ephemeral=private, edited=True)
        return json_response(opened.message)

    async def _archived(self, request: web.Request) -> web.Response:
        """The threads of a channel that are in its archive, those that went there last first."""
        parent, is_private = int(request.match_info["channel"]), request.match_info["kind"] == "private"
        found = [
            channel
            for guild in self._world.guilds.values()
            for channel in guild.channels.values()
            if channel.parent_id == parent and channel.archived_at and (channel.kind == PRIVATE_THREAD) == is_private
        ]
        found.sort(key=lambda channel: str(channel.archived_at), reverse=True)
        threads = [channel.payload() for channel in found]
        return json_response({"threads": threads, "members": [], "has_more": False})

    async def _one_channel(self, request: web.Request) -> web.Response:
        channel = self._channel(request)
        return _refused(404, 10003, "Unknown Channel") if channel is None else json_response(channel.payload())

    async def _unknown(self, request: web.Request) -> web.Response:
        self.unhandled.append(f"{request.method} {request.path}")
        return _refused(404, 0, "404: Not Found")

    async def _answer(self, body: dict[str, Any], token: str, *, public: bool = False) -> dict[str, Any]:
        """The message that an interaction is answered with; where everyone sees it, it is one of the channel."""
        opened = self.opened.get(token)
        hidden = Channel(1, "an interaction's answer", kind=1, recipients=[self._world.bot])
        channel = opened.channel if opened and public else hidden
        made = self._world.message(
            channel,
            self._world.bot,
            body.get("content") or "",
            components=body.get("components") or [],
            webhook_id=str(self._world.bot.id),
            flags=0 if public else EPHEMERAL,
        )
        if opened:
            made["channel_id"] = str(opened.channel.id)
        self.shown[int(made["id"])] = made
        if opened and public:
            await self._gateway.dispatch("MESSAGE_CREATE", made, channel.guild_id)
        return made

    def _note(
        self,
        channel_id: int,
        body: dict[str, Any],
        files: list[tuple[str, str]],
        message_id: int,
        reply_to: int | None,
        *,
        ephemeral: bool = False,
        edited: bool = False,
    ) -> None:
        self._take(
            Sent(
                channel_id=channel_id,
                content=body.get("content") or "",
                reply_to=reply_to,
                pings=pings(body, replying=reply_to is not None),
                files=tuple(files),
                ephemeral=ephemeral,
                message_id=message_id,
                components=tuple(body.get("components") or ()),
                edited=edited,
            )
        )

    def _channel(self, request: web.Request) -> Channel | None:
        return self._world.channel_of(int(request.match_info["channel"]))


def pings(body: dict[str, Any], *, replying: bool) -> tuple[str, ...]:
    """Whom a message would ping, by Discord's rules for allowed_mentions."""
    content = body.get("content") or ""
    allowed = body.get("allowed_mentions")
    parse = ["everyone", "roles", "users"] if allowed is None else allowed.get("parse", [])
    found = []
    if "everyone" in parse:
        found += re.findall(r"@everyone|@here", content)
    for kind, pattern in (("roles", r"<@&(\d+)>"), ("users", r"<@!?(\d+)>")):
        listed = [] if allowed is None else allowed.get(kind, [])
        found += [m for m in re.findall(pattern, content) if kind in parse or m in map(str, listed)]
    if replying and (allowed is None or allowed.get("replied_user", False)):
        found.append("replied user")
    return tuple(found)


def _wrong(body: dict[str, Any], files: list[tuple[str, str]]) -> web.Response | None:
    content = body.get("content") or ""
    if len(content) > 2_000:
        return _refused(400, 50035, "Must be 2000 or fewer in length.")
    if not content and not files and not body.get("embeds"):
        return _refused(400, 50006, "Cannot send an empty message")
    return None


def _refused(status: int, code: int, message: str) -> web.Response:
    return json_response({"code": code, "message": message}, status=status)


async def _body(request: web.Request) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """The JSON of a request, and its files as (name, text)."""
    if not request.content_type.startswith("multipart/"):
        raw = await request.read()
        return (json.loads(raw) if raw else {}), []
    body: dict[str, Any] = {}
    files = []
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        if part.name == "payload_json":
            body = json.loads(await part.text())
        else:
            files.append((part.filename or "", (await part.read()).decode("utf-8", "replace")))
    return body, files
