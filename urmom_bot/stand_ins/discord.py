"""A local Discord: gateway and REST under Discord's own names, and the hands of the people who use it."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from urmom_bot.stand_ins.gateway import Gateway
from urmom_bot.stand_ins.http import serve
from urmom_bot.stand_ins.rest import Opened, Rest
from urmom_bot.stand_ins.tls import Proxy, connector, make_certificate, server_context
from urmom_bot.stand_ins.world import (
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    VIEW_CHANNEL,
    Channel,
    Guild,
    Role,
    Sent,
    User,
    World,
)

CHANNEL_SELECT = 8
"""The kind of a field that lets a channel be chosen."""

TOKEN = "stand-in.token"  # noqa: S105 (the stand-in's own, good for nothing else)


@dataclass
class DiscordStandIn:
    """The server, its world, and what was sent to it."""

    world: World = field(default_factory=World)
    sent: list[Sent] = field(default_factory=list)
    typing: list[int] = field(default_factory=list)
    message_content_intent: bool = True
    settle_bot: Callable[[], Awaitable[None]] | None = None
    """Waits until the bot in this process has stored what it was sent."""
    port: int = 0

    def __post_init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="urmom-bot-stand-in-")
        self.trust = make_certificate(Path(self._folder.name))
        self.gateway = Gateway(self.world, TOKEN, lambda: self.message_content_intent)
        self.rest = Rest(self.world, self.gateway, TOKEN, self._take)
        self._proxy: Proxy | None = None
        self._runner: web.AppRunner | None = None
        self._arrived = asyncio.Event()

    @property
    def unhandled(self) -> list[str]:
        """Requests that the stand-in does not know."""
        return self.rest.unhandled

    async def start(self) -> None:
        """Listen on loopback."""
        app = web.Application(client_max_size=32 * 2**20, middlewares=[self.rest.limit])
        self.gateway.route(app)
        self.rest.route(app)
        self._runner, self.port = await serve(app, tls=server_context(Path(self._folder.name)))

    async def close(self) -> None:
        """Hang up and stop listening."""
        await self.gateway.close()
        if self._proxy is not None:
            await self._proxy.close()
        if self._runner is not None:
            await self._runner.cleanup()
        self._folder.cleanup()

    def connector(self, port: int | None = None) -> aiohttp.TCPConnector:
        """A connector for one client in this process; `port` is of a line to the stand-in."""
        return connector(port or self.port, self.trust)

    async def proxy(self) -> str:
        """The URL of a proxy for a client in its own process, which must trust `self.trust`."""
        if self._proxy is None:
            self._proxy = Proxy(self.port)
            await self._proxy.start()
        return self._proxy.url

    def _take(self, sent: Sent) -> None:
        self.sent.append(sent)
        self._arrived.set()

    # People's hands

    def join(self, guild: Guild, name: str, *, nick: str | None = None, bot: bool = False) -> User:
        """Somebody is a member."""
        user = self.world.user(name, bot=bot)
        guild.members[user.id] = user
        if nick:
            guild.nicknames[user.id] = nick
        return user

    def channel(
        self, guild: Guild, name: str, *, kind: int = 0, private: bool = False, channel_id: int | None = None
    ) -> Channel:
        """A channel of a guild that no bot has seen yet."""
        made = Channel(channel_id or self.world.snowflake(), name, kind, guild.id)
        if private:
            made.overwrites = _hidden(guild, made)
        guild.channels[made.id] = made
        return made

    async def open_channel(self, guild: Guild, name: str, *, kind: int = 0, private: bool = False) -> Channel:
        """A channel is created before the bot's eyes."""
        made = self.channel(guild, name, kind=kind, private=private)
        await self.gateway.dispatch("CHANNEL_CREATE", made.payload(), guild.id)
        return made

    async def open_thread(self, parent: Channel, name: str, *, private: bool = False) -> Channel:
        """A thread or forum post is created."""
        assert parent.guild_id is not None
        kind = PRIVATE_THREAD if private else PUBLIC_THREAD
        made = Channel(self.world.snowflake(), name, kind, parent.guild_id, parent.id)
        self.world.guilds[parent.guild_id].channels[made.id] = made
        await self.gateway.dispatch("THREAD_CREATE", made.payload() | {"newly_created": True}, parent.guild_id)
        return made

    async def archive(self, thread: Channel, archived: bool = True) -> None:
        """A thread goes to the archive, or is opened again."""
        assert thread.guild_id is not None
        thread.archived_at = self.world.clock() if archived else None
        await self.gateway.dispatch("THREAD_UPDATE", thread.payload(), thread.guild_id)

    async def hide(self, channel: Channel, hidden: bool = True) -> None:
        """A channel is closed to @everyone, or opened."""
        assert channel.guild_id is not None
        channel.overwrites = _hidden(self.world.guilds[channel.guild_id], channel) if hidden else []
        await self.gateway.dispatch("CHANNEL_UPDATE", channel.payload(), channel.guild_id)

    async def say(
        self,
        user: User,
        channel: Channel,
        content: str,
        *,
        reply_to: int | None = None,
        at: datetime | None = None,
        **more: Any,
    ) -> int:
        """Somebody writes a message; returns its id."""
        body = self.world.message(channel, user, content, at=at, reply_to=reply_to, **more)
        await self.gateway.dispatch("MESSAGE_CREATE", body, channel.guild_id)
        return int(body["id"])

    def upload(self, name: str, data: bytes, *, seconds: float | None = None) -> dict[str, Any]:
        """A file on the CDN, as a message has it; with `seconds`, a voice message's."""
        number = self.world.snowflake(self.world.clock())
        path = f"/attachments/1/{number}/{name}"
        self.rest.files[path] = data
        url = f"https://cdn.discordapp.com{path}?ex=1"
        voice = {} if seconds is None else {"duration_secs": seconds, "waveform": "AAAA"}
        return {"id": str(number), "filename": name, "size": len(data), "url": url, "proxy_url": url, **voice}

    async def forward(self, user: User, channel: Channel, text: str, *files: dict[str, Any]) -> int:
        """Somebody forwards a message of elsewhere; returns the id of the message that does."""
        snapshot: dict[str, Any] = {
            "type": 0,
            "content": text,
            "embeds": [],
            "attachments": [*files],
            "timestamp": "2026-11-10T12:00:00+00:00",
            "edited_timestamp": None,
            "flags": 0,
            "mentions": [],
            "mention_roles": [],
            "components": [],
            "sticker_items": [],
        }
        reference = {"type": 1, "channel_id": str(channel.id), "message_id": "77"}
        return await self.say(user, channel, "", message_snapshots=[{"message": snapshot}], message_reference=reference)

    async def edit(self, channel: Channel, message_id: int, content: str, **more: Any) -> None:
        """Somebody edits a message."""
        body = channel.messages[message_id]
        body |= {"content": content, "edited_timestamp": datetime.now(UTC).isoformat(), **more}
        await self.gateway.dispatch("MESSAGE_UPDATE", body, channel.guild_id)

    async def extend(self, channel: Channel, message_id: int, **more: Any) -> None:
        """Discord changes what stands beside a message's words, such as a link's preview."""
        body = channel.messages[message_id]
        body |= more
        await self.gateway.dispatch("MESSAGE_UPDATE", body, channel.guild_id)

    async def delete(self, channel: Channel, *message_ids: int) -> None:
        """Somebody deletes a message, or many at once."""
        for message_id in message_ids:
            channel.messages.pop(message_id, None)
        ids = {"channel_id": str(channel.id), "guild_id": str(channel.guild_id)}
        if len(message_ids) == 1:
            body = ids | {"id": str(message_ids[0])}
            await self.gateway.dispatch("MESSAGE_DELETE", body, channel.guild_id)
        else:
            body = {**ids, "ids": [str(m) for m in message_ids]}  # type: ignore[dict-item]
            await self.gateway.dispatch("MESSAGE_DELETE_BULK", body, channel.guild_id)

    async def react(self, user: User, channel: Channel, message_id: int, emoji: str) -> None:
        """Somebody reacts to a message."""
        assert channel.guild_id is not None
        guild = self.world.guilds[channel.guild_id]
        shown = {"id": None, "name": emoji}
        message = channel.messages[message_id]
        found = next((one for one in message.setdefault("reactions", []) if one["emoji"] == shown), None)
        if found is None:
            found = {"emoji": shown, "count": 0, "me": False, "me_burst": False, "burst_colors": [], "users": []}
            message["reactions"].append(found)
        found["users"].append(user.payload())
        found["count"] += 1
        await self.gateway.dispatch(
            "MESSAGE_REACTION_ADD",
            {
                "user_id": str(user.id),
                "channel_id": str(channel.id),
                "message_id": str(message_id),
                "guild_id": str(guild.id),
                "member": guild.member_payload(user),
                "emoji": shown,
                "type": 0,
                "burst": False,
            },
            guild.id,
        )

    async def dm(self, user: User, content: str) -> int:
        """Somebody writes to the bot in private."""
        return await self.say(user, await self.dm_channel(user), content)

    async def dm_channel(self, user: User) -> Channel:
        """Somebody's private talk with the bot."""
        if user.id not in self.world.dms:
            self.world.dms[user.id] = Channel(self.world.snowflake(), "", kind=1, recipients=[user])
        return self.world.dms[user.id]

    async def close_channel(self, channel: Channel) -> None:
        """A channel or thread is deleted; the threads under a channel go with it, unannounced."""
        assert channel.guild_id is not None
        channels = self.world.guilds[channel.guild_id].channels
        for gone in [c.id for c in channels.values() if c.id == channel.id or c.parent_id == channel.id]:
            del channels[gone]
        name = "THREAD_DELETE" if channel.thread else "CHANNEL_DELETE"
        await self.gateway.dispatch(name, channel.payload(), channel.guild_id)

    async def ban(self, guild: Guild, user: User, *, purge: bool = False) -> None:
        """Somebody is banned; with `purge`, what they wrote is deleted, and nobody tells which messages."""
        guild.members.pop(user.id, None)
        if purge:
            for channel in guild.channels.values():
                for message_id in [m for m, b in channel.messages.items() if b["author"]["id"] == str(user.id)]:
                    del channel.messages[message_id]
        body = {"guild_id": str(guild.id), "user": user.payload()}
        await self.gateway.dispatch("GUILD_BAN_ADD", body, guild.id)

    async def remove_bot(self, guild: Guild, *, outage: bool = False) -> None:
        """The bot is removed from a guild, or the guild has an outage."""
        body: dict[str, Any] = {"id": str(guild.id)}
        if outage:
            body["unavailable"] = True
        else:
            self.world.guilds.pop(guild.id)
        await self.gateway.dispatch("GUILD_DELETE", body, guild.id)

    async def add_bot(self, guild: Guild) -> None:
        """The bot is let into a guild, or the guild is back from an outage."""
        body = guild.payload(self.world.bot)
        if guild.id not in self.world.guilds:
            del body["unavailable"]
        self.world.guilds[guild.id] = guild
        await self.gateway.dispatch("GUILD_CREATE", body, guild.id)

    async def slash(
        self, user: User, channel: Channel, command: str, options: dict[str, Any] | None = None, **more: Any
    ) -> list[Sent]:
        """Somebody uses a slash command ("memory show"); returns what it answered."""
        root, *path = command.split()
        synced = self._synced(root, 1)
        given, resolved = self._options(channel, options or {}, "")
        for name in reversed(path):
            given = [{"name": name, "type": 1, "options": given}]
        data = {"id": synced["id"], "name": root, "type": 1, "options": given, "resolved": resolved}
        return await self._interact(user, channel, 2, data, **more)

    async def menu(self, user: User, channel: Channel, name: str, target: int | User, **more: Any) -> list[Sent]:
        """Somebody uses a menu on a message (by its id) or on a person."""
        kind = 2 if isinstance(target, User) else 3
        synced = self._synced(name, kind)
        resolved: dict[str, Any] = {}
        if isinstance(target, User):
            _, resolved = self._options(channel, {"user": target}, "")
            target_id = target.id
        else:
            resolved["messages"] = {str(target): channel.messages[target]}
            target_id = target
        data = {"id": synced["id"], "name": name, "type": kind, "target_id": str(target_id), "resolved": resolved}
        return await self._interact(user, channel, 2, data, **more)

    async def press(self, user: User, channel: Channel, sent: Sent, label: str, **more: Any) -> list[Sent]:
        """Somebody presses a button of something the bot sent; returns what that brought."""
        message = self.rest.shown[sent.message_id]
        buttons = {b["label"]: b for row in message["components"] for b in row["components"]}
        if label not in buttons:
            raise LookupError(f"no button {label!r}, but {list(buttons)}")
        if buttons[label].get("disabled"):
            raise LookupError(f"the button {label!r} is disabled")
        data = {"custom_id": buttons[label]["custom_id"], "component_type": 2}
        return await self._interact(user, channel, 3, data, message=message, **more)

    async def fill_in(self, user: User, channel: Channel, answers: dict[str, Any], **more: Any) -> list[Sent]:
        """Somebody fills in the form that was opened last, by the labels of its fields; the rest stays as it was."""
        interaction, form = self.rest.modals.popitem()
        if unknown := answers.keys() - {label["label"] for label in form["components"]}:
            raise LookupError(f"no field {', '.join(unknown)}, but {[label['label'] for label in form['components']]}")
        opened = self.rest.opened.get(f"interaction-{interaction}")
        components = []
        resolved: dict[str, Any] = {}
        for label in form["components"]:
            inner = label["component"]
            value = answers.get(label["label"])
            body: dict[str, Any] = {"type": inner["type"], "custom_id": inner["custom_id"], "id": 2}
            if inner["type"] == 4:
                body["value"] = inner.get("value", "") if value is None else value
            elif isinstance(value, User | Channel):
                kind = "user" if isinstance(value, User) else "channel"
                _, resolved = self._options(channel, {kind: value}, "")
                body["values"] = [str(value.id)]
            elif value is not None:
                body["values"] = [value]
            else:
                chosen = [o["value"] for o in inner.get("options", ()) if o.get("default")]
                body["values"] = chosen or [str(v["id"]) for v in inner.get("default_values", ())]
                if inner["type"] == CHANNEL_SELECT and (kept := self.world.channel_of(int(body["values"][0]))):
                    _, resolved = self._options(channel, {"channel": kept}, "")
            components.append({"type": 18, "id": 1, "component": body})
        data = {"custom_id": form["custom_id"], "components": components, "resolved": resolved}
        message = opened.message if opened else None
        return await self._interact(user, channel, 5, data, **({"message": message} if message else {}), **more)

    async def autocomplete(
        self, user: User, channel: Channel, command: str, options: dict[str, Any], focused: str
    ) -> list[dict[str, Any]]:
        """Somebody types into an option; returns the choices offered."""
        root, *path = command.split()
        given, resolved = self._options(channel, options, focused)
        for name in reversed(path):
            given = [{"name": name, "type": 1, "options": given}]
        data = {"id": self._synced(root, 1)["id"], "name": root, "type": 1, "options": given, "resolved": resolved}
        body = self._interaction(user, channel, 4, data)
        await self.gateway.dispatch("INTERACTION_CREATE", body, channel.guild_id)
        await self.settle()
        return self.rest.choices.pop(int(body["id"]), [])

    def _synced(self, name: str, kind: int) -> dict[str, Any]:
        for command in self.rest.commands:
            if command["name"] == name and command.get("type", 1) == kind:
                return command
        raise LookupError(f"{name} was never synced")

    def _options(
        self, channel: Channel, options: dict[str, Any], focused: str
    ) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        resolved: dict[str, Any] = {}
        given: list[dict[str, Any]] = []
        for name, value in options.items():
            option: dict[str, Any] = {"name": name, "type": 3, "value": value}
            if isinstance(value, bool):
                option["type"] = 5
            elif isinstance(value, int):
                option["type"] = 4
            elif isinstance(value, Channel):
                option |= {"type": 7, "value": str(value.id)}
                shown = value.payload() | {"permissions": str((1 << 50) - 1)}
                resolved.setdefault("channels", {})[str(value.id)] = shown
            elif isinstance(value, Role):
                option |= {"type": 8, "value": str(value.id)}
                payloads = {p["id"]: p for p in self.world.guilds[channel.guild_id or 0].role_payloads()}
                resolved.setdefault("roles", {})[str(value.id)] = payloads[str(value.id)]
            elif isinstance(value, User):
                option |= {"type": 6, "value": str(value.id)}
                resolved.setdefault("users", {})[str(value.id)] = value.payload()
                guild = self.world.guilds.get(channel.guild_id or 0)
                if guild is not None and value.id in guild.members:
                    member = guild.member_payload(value, with_user=False)
                    member["permissions"] = str(guild.permissions(value.id))
                    resolved.setdefault("members", {})[str(value.id)] = member
            if name == focused:
                option["focused"] = True
            given.append(option)
        return given, resolved

    async def _interact(self, user: User, channel: Channel, kind: int, data: dict[str, Any], **more: Any) -> list[Sent]:
        before = len(self.sent)
        body = self._interaction(user, channel, kind, data) | more
        self.rest.opened[body["token"]] = Opened(channel=channel, message=more.get("message"))
        await self.gateway.dispatch("INTERACTION_CREATE", body, channel.guild_id)
        await self.settle()
        return self.sent[before:]

    def _interaction(self, user: User, channel: Channel, kind: int, data: dict[str, Any]) -> dict[str, Any]:
        number = self.world.snowflake()
        body: dict[str, Any] = {
            "id": str(number),
            "application_id": str(self.world.bot.id),
            "type": kind,
            "token": f"interaction-{number}",
            "version": 1,
            "attachment_size_limit": 10 * 2**20,
            "channel_id": str(channel.id),
            "channel": channel.payload(),
            "locale": "en-US",
            "entitlements": [],
            "authorizing_integration_owners": {},
            "data": data,
        }
        if channel.guild_id is None:
            return body | {"user": user.payload(), "context": 1}
        guild = self.world.guilds[channel.guild_id]
        member = guild.member_payload(user) | {"permissions": str(guild.permissions_in(channel, user.id))}
        return body | {"guild_id": str(guild.id), "guild_locale": guild.locale, "member": member, "context": 0}

    # Waiting

    async def settle(self, quiet: float = 0.05, limit: float = 15.0) -> None:
        """Wait until the bot has read everything sent to it, and the work it does on that in this process is done."""
        await self.gateway.barrier()
        async with asyncio.timeout(limit):
            while True:
                while busy := [task for task in asyncio.all_tasks() if _works(task)]:
                    await asyncio.wait(busy, timeout=quiet)
                if self.settle_bot is not None:
                    await self.settle_bot()
                if not any(_works(task) for task in asyncio.all_tasks()):
                    break
        await self.gateway.barrier()

    async def received(self, count: int, limit: float = 15.0) -> Sequence[Sent]:
        """Wait until `count` things were sent since the start; returns all."""
        async with asyncio.timeout(limit):
            while len(self.sent) < count:
                self._arrived.clear()
                await self._arrived.wait()
        return self.sent


_WORKERS = ("discord.py: ", "CommandTree-invoker", "discord-ui-", "inbox ")


def _works(task: asyncio.Task[Any]) -> bool:
    return task.get_name().startswith(_WORKERS) and task is not asyncio.current_task()


def _hidden(guild: Guild, channel: Channel) -> list[dict[str, Any]]:
    """Nobody sees a channel but somebody who sees no other: its readers are its own."""
    return [
        {"id": str(guild.id), "type": 0, "allow": "0", "deny": str(VIEW_CHANNEL)},
        {"id": str(channel.id), "type": 1, "allow": str(VIEW_CHANNEL), "deny": "0"},
    ]
