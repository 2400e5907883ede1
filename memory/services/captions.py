"""Describes pictures and transcribes voice messages, once each, as part of the message that carries them."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from memory.ai import AIClient, AIRefused, AIUnusable, Media, MediaKind, NotAccepted
from memory.ai.models import AI
from memory.ai.prompts import Shown, captions
from memory.ai.sheets import CELLS, sheet
from memory.core import Core
from memory.ids import GuildId
from memory.records import MessageFile, Undescribed
from memory.rules.captions import PICTURE, UNSEEN, caption, described, line_of, transcript, words_of
from memory.rules.content_policy import is_not_to_be_noted
from memory.rules.folding import folded
from memory.rules.keywords import is_common
from memory.rules.names import nominatives
from memory.rules.questions import possible_names
from memory.rules.text import mentioned
from memory.suppressions import Screen

log = logging.getLogger(__name__)

DESCRIBED = (MediaKind.PICTURE, MediaKind.SOUND)

MAX_AGE = timedelta(days=7)
"""How old a message may be whose files are looked at: beyond that nobody's context has it."""

COMPANY_WAIT = timedelta(hours=4)
"""How long a picture waits for company: the instructions of a call cost more than the picture."""

SCREENINGS = 3
"""How often a caption is looked at again because something was forgotten meanwhile."""

FILES_A_CALL = 8
"""Files that one call describes, at the most."""


_WORDS = re.compile(r"[^\W_]{2,}")
_FILE_LINES = re.compile(r"\[[^\]\n]{0,2000}\]")


@dataclass(frozen=True, kw_only=True)
class LoadedFile:
    """A downloaded file: a hash of its content, and what a model may be shown of it."""

    message: Undescribed
    file: MessageFile
    digest: str
    """Empty if the file could not be downloaded."""
    media: Media | None
    """None if it is not a picture or sound that a model takes."""


def arranged(media: Sequence[Media]) -> list[Shown]:
    """Arrange files for a model, numbered from 1. Pictures without fine detail share sheets, up to four on each."""
    numbered = list(enumerate(media, 1))
    small = [(n, one) for n, one in numbered if one.kind is MediaKind.PICTURE and not one.has_fine_detail]
    sheets = [small[start : start + len(CELLS)] for start in range(0, len(small), len(CELLS))]
    together = {n for cells in sheets if len(cells) > 1 for n, _ in cells}
    return [Shown(one, [n]) for n, one in numbered if n not in together] + [
        Shown(sheet([one for _, one in cells]), [n for n, _ in cells]) for cells in sheets if len(cells) > 1
    ]


@dataclass(frozen=True)
class CaptionService:
    """Describes files within their share of the day's quota."""

    _core: Core
    _ai: AI

    @property
    def takes(self) -> frozenset[MediaKind]:
        """The kinds of files that are described here. Empty if files get no share of the quota."""
        if not self._ai.media_share:
            return frozenset()
        return frozenset(kind for kind in DESCRIBED if self._client(kind) is not None)

    def _client(self, kind: MediaKind) -> AIClient | None:
        """The model that looks at a kind of files: the one that answers, where it takes them and may be asked."""
        clients = [client for client in (self._ai.small, self._ai.batch) if kind in client.takes]
        return min(clients, key=lambda client: client.blocked is not None, default=None)

    async def list_waiting(self, guild_ids: Collection[GuildId]) -> list[Undescribed]:
        """List one guild's messages whose files no model has looked at.

        Enough for one call, or fewer if they have waited long enough. Messages from the channels where people ask the
        bot most come first.
        """
        now = self._core.clock()
        return await self._core.store.files.undescribed(
            guild_ids, now - MAX_AGE, due=now - COMPANY_WAIT, limit=FILES_A_CALL
        )

    async def set_aside(self, message: Undescribed) -> None:
        """Never look at a message's files again: they are gone, or cannot be downloaded."""
        await self._store(message, {file.file_id: ("", UNSEEN) for file in message.files}, await self._screen(message))

    async def describe(
        self, files: Sequence[LoadedFile], *, language: str, may_keep: Callable[[Undescribed], bool]
    ) -> int:
        """Describe files of one guild and audience. Return how many now have a description.

        A file that was seen before costs nothing. `may_keep` is asked for each message after the model has looked; if
        it says no, nothing is kept. Raises AIError if the model cannot be asked now: what is known by then is stored,
        and the rest waits.
        """
        if not files:
            return 0
        guild_id = files[0].message.guild_id
        known = await self._core.store.files.seen_before(guild_id, {file.digest for file in files if file.digest})
        done = await self._save([f for f in files if f.digest in known or f.media is None], known, may_keep)
        for kind in DESCRIBED:
            new = {f.digest: f for f in files if f.media is not None and f.media.kind is kind and f.digest not in known}
            client = self._client(kind)
            digests = list(new) if client is not None else []
            for start in range(0, len(digests), FILES_A_CALL):
                part = [new[digest] for digest in digests[start : start + FILES_A_CALL]]
                async for words in self._ask(client, guild_id, part, language):
                    done += await self._save([f for f in files if f.digest in words], words, may_keep)
        return done

    async def _ask(
        self, client: AIClient | None, guild_id: GuildId, files: Sequence[LoadedFile], language: str
    ) -> AsyncIterator[dict[str, str]]:
        """What a model says of files, by their hashes, as it comes; nothing of what it will not look at.

        Where it will not take some of them, the halves are asked for. Raises AIError.
        """
        assert client is not None
        try:
            shown = await asyncio.to_thread(arranged, [file.media for file in files if file.media is not None])
            messages = [file.message.message_id for file in files]
            answer = await client.ask(captions(guild_id, shown, messages=messages, language=language))
            texts = {one.n: one.text for one in answer.value.captions}
            if set(texts) != set(range(1, len(files) + 1)):
                raise AIUnusable("It does not say which caption is of which file.")
            yield {file.digest: texts[n] for n, file in enumerate(files, 1)}
        except (AIRefused, AIUnusable, NotAccepted) as failed:
            if len(files) == 1:
                log.info("a file is not described (%s)", type(failed).__name__)
                yield {files[0].digest: ""}
                return
            for half in (files[: len(files) // 2], files[len(files) // 2 :]):
                async for words in self._ask(client, guild_id, half, language):
                    yield words

    async def _save(
        self, files: Sequence[LoadedFile], words: Mapping[str, str], may_keep: Callable[[Undescribed], bool]
    ) -> int:
        """Store what files show, by their hashes, message by message; returns how many have words."""
        done = 0
        messages = {f.message.message_id: f.message for f in files}
        for message_id, message in messages.items():
            if not may_keep(message):
                await self.set_aside(message)
                continue
            seen: dict[int, tuple[str, str]] = {}
            for loaded in (f for f in files if f.message.message_id == message_id):
                if loaded.media is None:  # it is not known as anything: the name of another file is not its own
                    seen[loaded.file.file_id] = "", UNSEEN
                    continue
                told = await self._checked(loaded, words.get(loaded.digest, ""))
                seen[loaded.file.file_id] = described(line_of(message.text, loaded.file), told), loaded.digest
            if await self._store(message, seen, await self._screen(message)):
                lines = [line for line, _ in seen.values() if words_of(line)]
                done += len(lines)
                await self._note(message, lines)
        return done

    async def _note(self, message: Undescribed, lines: Sequence[str]) -> None:
        """Note pictures of a message that was read before they were described: the notes would lack them."""
        for line in lines:
            if line.startswith(PICTURE) and not is_not_to_be_noted(words_of(line)):
                await self._core.store.notes.add_picture(message.guild_id, message.message_id, line)

    async def _screen(self, message: Undescribed) -> Screen:
        return await self._core.suppressions.screen(message.guild_id)

    async def _store(self, message: Undescribed, seen: Mapping[int, tuple[str, str]], screen: Screen) -> bool:
        """Store lines, without those that tell what was forgotten, also a moment ago."""
        people = {message.user_id, *mentioned(message.text)}
        for _ in range(SCREENINGS):
            fine = {
                n: (described(line, "") if line and screen.forbids(line, people) else line, digest)
                for n, (line, digest) in seen.items()
            }
            version = screen.suppressed.version
            stored = await self._core.store.files.describe(message.guild_id, message.message_id, fine, version)
            if stored is not None:
                return stored
            self._core.suppressions.drop(message.guild_id)
            screen = await self._screen(message)
        return False  # it waits for the next time

    async def _checked(self, loaded: LoadedFile, words: str) -> str:
        """What may be stored of a file's words, with this message: also where they were found for another."""
        if loaded.media is not None and loaded.media.kind is MediaKind.SOUND:
            return transcript(words)
        return caption(words, await self._unnamed(loaded.message, words)) if words.strip() else ""

    async def _unnamed(self, message: Undescribed, words: str) -> set[str]:
        """Words of a caption that are in a member's name, and that the message lacks: a model may have known a face."""
        found = _WORDS.findall(words)
        likely = {word for n, word in enumerate(found) if not is_common(word) or (n and word[:1].isupper())}
        if not likely:
            return set()
        members = await self._core.store.people.called(message.guild_id, possible_names(" ".join(found)), ())
        names = (name for member, _ in members for name in (*member.names, *member.former_names))
        theirs = {folded(part) for name in names for part in _WORDS.findall(name)}
        typed = {folded(word) for word in _WORDS.findall(_FILE_LINES.sub("", message.text))}
        forms = {word: {folded(form) for form in (word, word.removesuffix("s"), *nominatives(word))} for word in likely}
        return {word for word, own in forms.items() if own & theirs and not own & typed}
