"""Discord's gateway: identify, resume, heartbeat, dispatch by intents and shards."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from urmom_bot.stand_ins.world import World

URL = "wss://gateway.discord.gg/"
GUILDS, MEMBERS, MODERATION = 1 << 0, 1 << 1, 1 << 2
MESSAGES, REACTIONS, DIRECT, CONTENT = 1 << 9, 1 << 10, 1 << 12, 1 << 15
_NEEDED = {
    "CHANNEL_": GUILDS,
    "THREAD_": GUILDS,
    "GUILD_ROLE_": GUILDS,
    "GUILD_MEMBER_": MEMBERS,
    "GUILD_BAN_": MODERATION,
    "MESSAGE_REACTION": REACTIONS,
    "MESSAGE_": MESSAGES,
}


@dataclass
class GatewaySession:
    """One shard's connection, and what it has been sent."""

    id: str
    intents: int
    shard: tuple[int, int]
    socket: web.WebSocketResponse | None
    sequence: int = 0
    sent: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    answered: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_connected(self) -> bool:
        """Whether anybody is there."""
        return self.socket is not None and not self.socket.closed


class Gateway:
    """All connections of the bot."""

    def __init__(self, world: World, token: str, content_allowed: Callable[[], bool]) -> None:
        self._world = world
        self._token = token
        self._content_allowed = content_allowed
        self._sessions: dict[str, GatewaySession] = {}
        self._roles: dict[int, dict[int, int]] = {}
        self.identified = 0
        self.presence: str | None = None
        """The status line that the bot shows."""

    def route(self, app: web.Application) -> None:
        """Answer where gateways answer."""
        app.router.add_get("/", self._connect)

    async def close(self) -> None:
        """Hang up on everyone."""
        for session in self._sessions.values():
            if session.socket is not None:
                with suppress(ConnectionError, asyncio.TimeoutError):
                    await asyncio.wait_for(session.socket.close(code=1001), 1)

    @property
    def connected(self) -> int:
        """How many connections there are."""
        return sum(session.is_connected for session in self._sessions.values())

    async def drop(self, *, for_good: bool = False) -> None:
        """Lose every connection, as networks do; sessions can be resumed, but not where they are lost `for_good`."""
        lost = list(self._sessions.values())
        if for_good:
            self._sessions.clear()
        for session in lost:
            if session.socket is not None:
                await session.socket.close(code=4000)

    async def dispatch(self, name: str, body: dict[str, Any], guild_id: int | None) -> None:
        """Send an event to the shard that sees its guild, if its intents ask for it; roles that are new come first."""
        await self._announce_roles(guild_id)
        for session in list(self._sessions.values()):
            number, count = session.shard
            if (0 if guild_id is None else (guild_id >> 22) % count) != number:
                continue
            needed = next((i for start, i in _NEEDED.items() if name.startswith(start)), 0)
            if guild_id is None and needed in (MESSAGES, REACTIONS):
                needed = DIRECT
            if needed and not session.intents & needed:
                continue
            await self._event(session, name, self._gated(session, name, body))

    async def _announce_roles(self, guild_id: int | None) -> None:
        """Tell of the roles that a guild has since it was announced, as Discord does when one is made or changed."""
        guild = self._world.guilds.get(guild_id or 0)
        known = self._roles.get(guild_id or 0)
        if guild is None or known is None or known == guild.roles:
            return
        changed = {role for role, permissions in guild.roles.items() if known.get(role) != permissions}
        self._roles[guild.id] = dict(guild.roles)
        for payload in guild.role_payloads():
            if int(payload["id"]) in changed:
                name = "GUILD_ROLE_UPDATE" if int(payload["id"]) in known else "GUILD_ROLE_CREATE"
                await self.dispatch(name, {"guild_id": str(guild.id), "role": payload}, guild.id)

    async def barrier(self, within: float = 10) -> None:
        """Wait until every connection has read all it was sent: frames are read in order, a ping among them."""
        for session in list(self._sessions.values()):
            if session.socket is None or session.socket.closed:
                continue
            session.answered.clear()
            await session.socket.ping()
            async with asyncio.timeout(within):
                await session.answered.wait()

    def _gated(self, session: GatewaySession, name: str, body: dict[str, Any]) -> dict[str, Any]:
        if not name.startswith("MESSAGE_") or "content" not in body or "guild_id" not in body:
            return body
        mine = str(self._world.bot.id)
        seen = body["author"]["id"] == mine or any(user["id"] == mine for user in body["mentions"])
        if session.intents & CONTENT or seen:
            return body
        return body | {"content": "", "attachments": [], "embeds": [], "components": []}

    async def _event(self, session: GatewaySession, name: str, body: dict[str, Any] | None) -> None:
        session.sequence += 1
        frame = {"op": 0, "t": name, "s": session.sequence, "d": body}
        session.sent.append((session.sequence, frame))
        del session.sent[:-5_000]
        await self._send(session, frame)

    async def _send(self, session: GatewaySession, frame: dict[str, Any]) -> None:
        if session.socket is not None and not session.socket.closed:
            with suppress(ConnectionError):
                await session.socket.send_str(json.dumps(frame))

    async def _connect(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(max_msg_size=2**20, autoping=False)
        await socket.prepare(request)
        await socket.send_str(json.dumps({"op": 10, "d": {"heartbeat_interval": 41_250}}))
        session: GatewaySession | None = None
        async for message in socket:
            if message.type is WSMsgType.PING:
                await socket.pong(message.data)
                continue
            if message.type is WSMsgType.PONG:
                if session is not None:
                    session.answered.set()
                continue
            if message.type is not WSMsgType.TEXT:
                break
            frame = json.loads(message.data)
            match frame["op"]:
                case 1:
                    await asyncio.sleep(0.002)  # faster than any network, and the client's latency goes wrong
                    await socket.send_str(json.dumps({"op": 11}))
                case 2:
                    session = await self._identify(socket, frame["d"])
                    if session is None:
                        break
                case 3:
                    activities = frame["d"]["activities"]
                    self.presence = activities[0]["state"] if activities and activities[0] else None
                case 6:
                    session = await self._resume(socket, frame["d"])
                case 8 if session is not None:
                    await self._members(session, frame["d"])
        if session is not None and session.socket is socket:
            session.socket = None
        return socket

    async def _identify(self, socket: web.WebSocketResponse, body: dict[str, Any]) -> GatewaySession | None:
        if body["token"] != self._token:
            await socket.close(code=4004, message=b"Authentication failed.")
            return None
        if body["intents"] & CONTENT and not self._content_allowed():
            await socket.close(code=4014, message=b"Disallowed intent(s).")
            return None
        self.identified += 1
        shard = body.get("shard") or (0, 1)
        for old in [s for s in self._sessions.values() if s.shard == (shard[0], shard[1]) and not s.is_connected]:
            del self._sessions[old.id]
        session = GatewaySession(secrets.token_hex(8), body["intents"], (shard[0], shard[1]), socket)
        self._sessions[session.id] = session
        mine = [g for g in self._world.guilds.values() if (g.id >> 22) % shard[1] == shard[0]]
        await self._event(
            session,
            "READY",
            {
                "v": 10,
                "user": self._world.bot.payload(),
                "session_id": session.id,
                "resume_gateway_url": URL,
                "guilds": [{"id": str(g.id), "unavailable": True} for g in mine],
                "application": {"id": str(self._world.bot.id), "flags": 1 << 18},
                "shard": list(shard),
            },
        )
        for guild in mine:
            self._roles[guild.id] = dict(guild.roles)
            await self._event(session, "GUILD_CREATE", guild.payload(self._world.bot))
        return session

    async def _resume(self, socket: web.WebSocketResponse, body: dict[str, Any]) -> GatewaySession | None:
        session = self._sessions.get(body["session_id"])
        if session is None:
            await socket.send_str(json.dumps({"op": 9, "d": False}))
            return None
        session.socket = socket
        for sequence, frame in list(session.sent):
            if sequence > body["seq"]:
                await socket.send_str(json.dumps(frame))
        await self._event(session, "RESUMED", None)
        return session

    async def _members(self, session: GatewaySession, body: dict[str, Any]) -> None:
        guild = self._world.guilds[int(body["guild_id"])]
        wanted = [int(u) for u in body.get("user_ids", [])]
        query = body.get("query", "").lower()
        found = [
            guild.member_payload(user)
            for user in guild.members.values()
            if (user.id in wanted) or (not wanted and user.name.lower().startswith(query))
        ]
        await self._event(
            session,
            "GUILD_MEMBERS_CHUNK",
            {
                "guild_id": str(guild.id),
                "members": found[: body.get("limit") or None],
                "not_found": [str(u) for u in wanted if u not in guild.members],
                "chunk_index": 0,
                "chunk_count": 1,
                "nonce": body.get("nonce"),
            },
        )
