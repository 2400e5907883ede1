"""What the bot posts by itself, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta

from memory.ids import ChannelId, GuildId, UserId
from memory.records import Channel, PostKind, Quote, Recap, RecapLine, RecapPart
from urmom_bot.markup import Markup, joined, line, link, person, with_people
from urmom_bot.snowflakes import jump_link
from urmom_bot.talk.texts import Texts

POST_CHARACTERS = 2_000
"""A message's length at the most (Discord)."""


def recap_text(recap: Recap, guild_id: GuildId, texts: Texts) -> Markup:
    """A recap with a link for each line. What does not fit into one message is left out, the last lines first."""
    points: dict[RecapPart, list[Markup]] = {part: [] for part in RecapPart}
    quotes: list[Markup] = []
    title = texts("recap", since=recap.since, until=recap.until - timedelta(days=1))
    end = texts("recap_end")

    def told() -> Markup:
        parts = [(texts(f"recap_{part.value}"), of_part) for part, of_part in points.items()]
        parts.append((texts("recap_quotes"), quotes))
        return joined((title, *(joined((heading, *lines)) for heading, lines in parts if lines), end))

    for point in recap.lines:
        points[point.part].append(line("• {} {}", with_people(point.text), _source(guild_id, point)))
        if len(told()) > POST_CHARACTERS:
            points[point.part].pop()
    for quote in recap.quotes:
        words = texts("quoted", text=with_people(quote.text))
        quotes.append(line("{} — {} {}", words, person(quote.user_id), _source(guild_id, quote)))
        if len(told()) > POST_CHARACTERS:
            quotes.pop()
    return told()


def _source(guild_id: GuildId, told: RecapLine | Quote) -> Markup:
    """A link to where something can be read."""
    return link(line("↗"), jump_link(guild_id, told.channel_id, told.message_id) or "")


def post_title(kind: PostKind, day: date, texts: Texts) -> str:
    """What a post of a day begins with."""
    if kind is PostKind.RECAP:
        return texts("recap", since=day - timedelta(days=7), until=day - timedelta(days=1))
    return "\N{BIRTHDAY CAKE}"


def hidden_channels(
    channels: Mapping[ChannelId, Channel], is_for_adults: Callable[[GuildId, ChannelId], bool]
) -> list[ChannelId]:
    """The age-restricted of a guild's channels, with their threads: nothing of them is in a recap."""
    return [
        channel_id
        for channel_id, channel in channels.items()
        if is_for_adults(channel.guild_id, channel_id)
        or (channel.parent_id is not None and is_for_adults(channel.guild_id, channel.parent_id))
    ]


def birthday_text(user_ids: Sequence[UserId], texts: Texts) -> Markup:
    """A wish for those whose birthday it is."""
    return texts("birthday_wish", names=joined(map(person, user_ids), ", "))
