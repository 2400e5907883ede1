"""Pictures and voice messages are put into words in the background, each once, while the quota has room."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256

from memory import LoadedFile, MemoryManager
from memory.ai import AIError, Media
from memory.ai.shares import charged
from memory.records import Undescribed
from urmom_bot.attachments import Attachment, loaded, seen_by_model
from urmom_bot.flow.platform import Platform, TryLater
from urmom_bot.flow.speaking import Languages
from urmom_bot.languages import languages

log = logging.getLogger(__name__)

DESCRIBING_INTERVAL = 20.0
"""Seconds between two looks for files that nobody has looked at."""

FAILURE_PAUSE = timedelta(minutes=5)
"""How long it rests after the model could not be asked, or its share was used up."""


class Describer:
    """Loads what messages carry from the platform, and has memory keep what it shows. No file is stored."""

    def __init__(self, platform: Platform, memory: MemoryManager, speaking: Languages) -> None:
        self._platform = platform
        self._memory = memory
        self._speaking = speaking
        self._rests_until: datetime | None = None

    async def look(self) -> int:
        """Describe what waits, a call's worth after the other; returns how many files were given words."""
        done = 0
        while self._memory.captions.takes and not self._rests():
            guild_ids = [guild.guild_id for guild in self._platform.guilds() if guild.is_available]
            waiting = await self._memory.captions.list_waiting(guild_ids)
            if not waiting:
                break
            try:
                done += await self._describe(waiting)
            except (AIError, TryLater) as failed:
                log.info("pictures are described later (%s)", failed or type(failed).__name__)
                self._rests_until = self._memory.clock() + FAILURE_PAUSE
        return done

    def _rests(self) -> bool:
        return self._rests_until is not None and self._memory.clock() < self._rests_until

    async def _describe(self, messages: Sequence[Undescribed]) -> int:
        """Load and describe the files of messages of one guild. Raises AIError, TryLater and DatabaseUnavailable."""
        files: list[LoadedFile] = []
        for message in messages:
            carried = await self._platform.files(message.guild_id, message.channel_id, message.message_id)
            if carried:
                files += await self._load(message, carried)
            else:
                await self._memory.captions.set_aside(message)
        if not files:
            return 0
        newest = messages[0]
        code = await self._speaking.find(newest.guild_id, newest.user_id, newest.message_id, newest.text)
        with charged(newest.guild_id):
            return await self._memory.captions.describe(files, language=languages()[code].name)

    async def _load(self, message: Undescribed, carried: Sequence[Attachment]) -> list[LoadedFile]:
        """The files of a message that wait; those that cannot be loaded are kept as they are, without words."""
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
