"""Pictures and voice messages are put into words in the background, each once, while the quota has room."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256

from cachetools import LRUCache

from memory import LoadedFile, MemoryManager
from memory.ai import AIError, Media, MediaShareUsed, QuotaExhausted, ShareUsed
from memory.ai.shares import charged
from memory.ids import GuildId, MessageId
from memory.records import Undescribed
from urmom_bot.attachments import Attachment, loaded, seen_by_model
from urmom_bot.flow.platform import Platform, TryLater
from urmom_bot.flow.speaking import Languages
from urmom_bot.languages import languages

log = logging.getLogger(__name__)

DESCRIBING_INTERVAL = 20.0
"""Seconds between two looks for files that nobody has looked at."""

PAUSE, MAX_PAUSE = timedelta(minutes=5), timedelta(hours=2)
"""How long it rests after the model could not be asked; twice as long each time in a row, up to the most."""

MAX_TRIES = 3
"""How often the files of a message are tried that cannot be loaded or described; then they keep their names."""


class Describer:
    """Loads what messages carry from the platform, and has memory keep what it shows. No file is stored."""

    def __init__(self, platform: Platform, memory: MemoryManager, speaking: Languages) -> None:
        self._platform = platform
        self._memory = memory
        self._speaking = speaking
        self._rests_until: datetime | None = None
        self._failures = 0
        self._guild_rests: dict[GuildId, datetime] = {}
        self._tries: LRUCache[MessageId, tuple[int, datetime]] = LRUCache(1_000)

    async def look(self) -> int:
        """Describe what waits, a call's worth for each guild in turn; returns how many files were given words."""
        done, served, finished, attempted = 0, set[int](), set[int](), set[int]()
        while self._memory.captions.takes and not self._rests(self._rests_until):
            guild_ids = {g.guild_id for g in self._platform.guilds() if g.is_available} - served - finished
            guild_ids -= {guild_id for guild_id in guild_ids if self._rests(self._guild_rests.get(guild_id))}
            waiting = await self._memory.captions.list_waiting(guild_ids) if guild_ids else []
            ready = [message for message in waiting if message.message_id not in attempted and self._may_try(message)]
            if ready:
                served.add(ready[0].guild_id)
                attempted |= {message.message_id for message in ready}  # once in a look, whatever comes of it
                done += await self._attempt(ready)
            elif waiting:
                finished.add(waiting[0].guild_id)
            elif served:
                served = set()
            else:
                break
        return done

    def _may_try(self, message: Undescribed) -> bool:
        """Whether a message's files did not fail a moment ago."""
        return not self._rests(self._tries.get(message.message_id, (0, None))[1])

    def _rests(self, until: datetime | None) -> bool:
        return until is not None and self._memory.clock() < until

    async def _attempt(self, waiting: Sequence[Undescribed]) -> int:
        """Describe messages of one guild; what failed before goes alone. What is in the way is waited for."""
        messages = next(([m] for m in waiting if m.message_id in self._tries), waiting)
        try:
            done = await self._describe(messages)
        except MediaShareUsed as used:
            self._rest(timedelta(seconds=used.retry_after))
        except ShareUsed as used:
            guild_id = messages[0].guild_id
            self._guild_rests[guild_id] = self._memory.clock() + timedelta(seconds=max(used.retry_after, 60.0))
        except QuotaExhausted as exhausted:
            self._rest(timedelta(seconds=exhausted.retry_after))
        except AIError as unavailable:
            log.info("pictures are described later (%s)", unavailable)
            self._failures += 1
            self._rest(min(PAUSE * 2 ** (self._failures - 1), MAX_PAUSE))
            for message in messages:
                await self._count_try(message)
        else:
            self._failures = 0
            return done
        return 0

    def _rest(self, pause: timedelta) -> None:
        self._rests_until = self._memory.clock() + max(min(pause, MAX_PAUSE), timedelta(minutes=1))

    async def _count_try(self, message: Undescribed) -> None:
        """Count that a message's files could not be loaded or described; set them aside after too many tries."""
        tries = self._tries.get(message.message_id, (0, None))[0] + 1
        self._tries[message.message_id] = tries, self._memory.clock() + PAUSE
        if tries >= MAX_TRIES:
            await self._memory.captions.set_aside(message)
            del self._tries[message.message_id]

    async def _describe(self, messages: Sequence[Undescribed]) -> int:
        """Load and describe the files of messages of one guild. Raises AIError and DatabaseUnavailable."""
        files: list[LoadedFile] = []
        for message in messages:
            try:
                carried = await self._platform.files(message.guild_id, message.channel_id, message.message_id)
                found = await self._load(message, carried)
            except (TryLater, OSError) as later:
                log.info("the files of a message are loaded later (%s)", type(later).__name__)
                await self._count_try(message)
                continue
            if not carried:
                await self._memory.captions.set_aside(message)
            files += found if carried else []
        if not files:
            return 0
        newest = messages[0]
        code = await self._speaking.find(newest.guild_id, newest.user_id, newest.message_id, newest.text)
        with charged(newest.guild_id):
            return await self._memory.captions.describe(files, language=languages()[code].name, may_keep=self._may_keep)

    def _may_keep(self, message: Undescribed) -> bool:
        """Whether a message's channel has not become age-restricted meanwhile."""
        return not self._platform.is_for_adults(message.guild_id, message.channel_id)

    async def _load(self, message: Undescribed, carried: Sequence[Attachment]) -> list[LoadedFile]:
        """The files of a message that wait. Raises OSError where one cannot be loaded now."""
        here = {file.file_id: file for file in carried}
        found = []
        for file in message.files:
            data = await loaded(here[file.file_id]) if file.file_id in here else None
            media: Media | None = None
            if data is not None:
                media = await seen_by_model(here[file.file_id], data, self._memory.captions.takes)
            digest = sha256(data).hexdigest()[:32] if data is not None else ""
            found.append(LoadedFile(message=message, file=file, digest=digest, media=media))
        return found
