"""Which messages may be told word for word, beside the conversation they were written in."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from memory.core import Core
from memory.ids import ChannelId, GuildId, UserId
from memory.records import KnownGuild, Message, Mode
from memory.rules.content_policy import may_be_quoted
from memory.rules.keywords import is_everyday, keywords
from memory.rules.names import Names
from memory.rules.safety import redacted
from memory.rules.text import fit_quote, mentioned, with_channels
from memory.suppressions import Screen
from memory.yielding import map_yielding

QUOTE_CHARACTERS = 140
"""Characters of a quoted message, at the most."""

QUOTE_WORDS = 3
"""Words of meaning that a quoted message has, at the least: "lol" tells nobody anything."""


@dataclass(frozen=True, kw_only=True)
class Quoting:
    """What a guild's people and their choices allow to be quoted, as of one moment."""

    guild: KnownGuild
    screen: Screen
    silent: frozenset[UserId]
    """The members who limit what is remembered of them."""
    silent_names: Names
    silent_words: re.Pattern[str] | None
    """The names of these, however they are written."""
    channels: Mapping[ChannelId, str]

    @classmethod
    async def load(cls, core: Core, guild_id: GuildId, channels: Mapping[ChannelId, str]) -> Quoting:
        """As it is now; `channels` have the names that readers may see. Raises DatabaseUnavailable."""
        screen = await core.suppressions.screen(guild_id)  # first: its version must be no newer than who is silent
        silent = await core.suppressions.silent(guild_id)
        members = await core.store.people.members(guild_id, silent) if silent else {}
        words = {name.casefold() for m in members.values() for name in m.names if not is_everyday(name)}
        return cls(
            guild=await core.guilds.get(guild_id),
            screen=screen,
            silent=silent,
            silent_names=Names(members.values()),
            silent_words=re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(words)))})(?!\w)") if words else None,
            channels=channels,
        )

    def is_read(self, channel_id: ChannelId | None) -> bool:
        """Whether anything said in a channel is remembered; without one, in the guild."""
        return self.guild.mode(channel_id) is Mode.REMEMBER

    def names_silent(self, text: str, people: Collection[UserId]) -> bool:
        """Whether a text by or about `people` is about somebody who limits what is remembered of them."""
        is_written = self.silent_words is not None and self.silent_words.search(text.casefold()) is not None
        return is_written or not self.silent.isdisjoint({*people, *mentioned(text)} | self.silent_names.named(text))

    def quoted(self, message: Message) -> Message | None:
        """A message as it may be told. None if it may not.

        No model looked at it first. So what is sensitive, private or not for a note is left out, as is what tells
        something that was forgotten or names somebody who is not remembered.
        """
        text = with_channels(message.text, self.channels)
        people = {message.user_id, *message.addressees, *mentioned(text)}
        if redacted(message.text, message.secret_spans) != message.text or not self.is_read(message.channel_id):
            return None
        if self.names_silent(text, people):
            return None
        text = fit_quote(text, QUOTE_CHARACTERS)
        is_fine = len(keywords(text)) >= QUOTE_WORDS and may_be_quoted(text) and not self.screen.forbids(text, people)
        return replace(message, text=text) if is_fine else None

    async def quotable(self, messages: Sequence[Message]) -> list[Message]:
        """Those of many messages that may be told, as they may be told."""
        return [message for message in await map_yielding(messages, self.quoted) if message is not None]
