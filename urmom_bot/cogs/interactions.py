"""Pages as messages with buttons, forms as modals, and every press on them, after any restart."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC
from functools import cache
from typing import Any, Protocol, Self

import aiohttp
import discord
from discord import app_commands

from memory import DatabaseUnavailable, MemoryManager, Viewer
from memory.ai import charge
from memory.ids import ALL_GUILDS, AudienceId, ChannelId, GuildId, MessageId, UserId
from memory.records import InboxItem, InboxKind
from urmom_bot.actions import ACTIONS, GONE
from urmom_bot.cogs.speech import MOST_PARTS, NOBODY, as_file, respond
from urmom_bot.cogs.translate import member_of, rights_of, viewer_at
from urmom_bot.flow import Flow
from urmom_bot.flow.answering import trouble
from urmom_bot.panels import Button, Field, Form, Page, Panels
from urmom_bot.panels.page import PREFIX, SEPARATOR
from urmom_bot.talk import Request, Texts, guess_language, language_of, split

log = logging.getLogger(__name__)

TALKED_IN: list[discord.ChannelType] = [
    *(discord.ChannelType.text, discord.ChannelType.news, discord.ChannelType.voice, discord.ChannelType.stage_voice),
    *(discord.ChannelType.forum, discord.ChannelType.media),
    *(discord.ChannelType.public_thread, discord.ChannelType.private_thread, discord.ChannelType.news_thread),
]
"""Kinds of channels that people write in."""


class Home(Protocol):
    """What a press needs of the bot it comes to."""

    memory: MemoryManager
    panels: Panels
    flow: Flow

    @property
    def guilds(self) -> Sequence[discord.Guild]:  # pyright: ignore[reportReturnType]
        """The servers it is in."""


_STYLES = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}


def view_of(rows: Sequence[Sequence[Button]]) -> discord.ui.View:
    """Rows of buttons for a message. Their ids say all; nothing of them is kept in this process."""
    view = discord.ui.View(timeout=None)
    for row, buttons in enumerate(rows[:5]):
        for button in buttons[:5]:
            view.add_item(
                discord.ui.Button(
                    label=button.label[:80],
                    custom_id=button.id,
                    style=_STYLES[button.style],
                    disabled=button.disabled,
                    row=row,
                )
            )
    view.stop()
    return view


class PressedButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=re.escape(PREFIX + SEPARATOR) + r"(?P<what>.+)",
):
    """Any button of this bot's, known by its id."""

    def __init__(self, button: discord.ui.Button[discord.ui.View], what: str) -> None:
        super().__init__(button)
        self._what = what

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The button that was pressed."""
        assert isinstance(item, discord.ui.Button)
        return cls(item, match["what"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Do what it says."""
        action, *args = self._what.split(SEPARATOR)
        await pressed(interaction, action, tuple(args))


class Questions(discord.ui.Modal):
    """A form; what is filled in goes where its `action` says."""

    def __init__(self, form: Form) -> None:
        super().__init__(title=form.title[:45])
        self._form = form
        self._inputs = {field.name: _input(field) for field in form.fields}
        for field in form.fields:
            self.add_item(discord.ui.Label(text=field.label[:45], component=self._inputs[field.name]))

    async def on_submit(self, interaction: discord.Interaction[Any]) -> None:
        """Take the answers where they belong."""
        answers = {name: _answer(item) for name, item in self._inputs.items()}
        for name, item in self._inputs.items():
            if isinstance(item, discord.ui.UserSelect) and item.values and hasattr(item.values[0], "display_name"):
                answers[f"{name} name"] = item.values[0].display_name
        await pressed(interaction, self._form.action, self._form.args, answers)


def _input(field: Field) -> discord.ui.Item[Any]:
    if field.kind == "member":
        return discord.ui.UserSelect(default_values=[discord.Object(int(field.value), type=discord.Member)])
    if field.kind == "channel":
        there = [discord.Object(int(field.value), type=discord.abc.GuildChannel)] if field.value else []
        return discord.ui.ChannelSelect(channel_types=TALKED_IN, default_values=there, required=True)
    if field.kind == "choice":
        options = [
            discord.SelectOption(label=choice.label[:100], value=choice.value, default=choice.chosen)
            for choice in field.choices
        ]
        return discord.ui.Select(options=options)
    style = discord.TextStyle.paragraph if field.kind == "text" else discord.TextStyle.short
    return discord.ui.TextInput(
        style=style,
        default=field.value[: field.longest] or None,
        max_length=field.longest,
        required=not field.is_optional,
    )


def _answer(item: discord.ui.Item[Any]) -> str:
    if isinstance(item, discord.ui.TextInput):
        return item.value
    assert isinstance(item, discord.ui.UserSelect | discord.ui.ChannelSelect | discord.ui.Select)
    return next((str(getattr(value, "id", value)) for value in item.values), "")


def guild_of(interaction: discord.Interaction[Any]) -> GuildId:
    """The guild that something is done in, or `ALL_GUILDS` where it is done in a direct message."""
    return ALL_GUILDS if interaction.guild_id is None else GuildId(interaction.guild_id)


async def request_of(interaction: discord.Interaction[Any], *, is_alone: bool = True) -> tuple[Request, Texts]:
    """Who does something, where, and what they may do, as Discord says it with every interaction."""
    language = language_of(str(interaction.locale))
    client: Home = interaction.client
    guild_id, user_id = guild_of(interaction), UserId(interaction.user.id)
    charge(guild_id, user_id)
    channel_id = ChannelId(interaction.channel_id or interaction.id)
    try:
        viewer = await viewer_at(
            client.memory,
            user_id,
            guild_id,
            interaction.channel,
            channel_id,
            interaction.permissions,
            member=interaction.user,
            is_alone=is_alone,
        )
    except DatabaseUnavailable:  # nothing can be told anyway: what is done next says so
        rights = rights_of(interaction.user, channel_id, interaction.permissions)
        viewer = Viewer(
            guild_id=guild_id,
            user_id=user_id,
            audience=AudienceId(channel_id),
            audiences=(AudienceId(channel_id),),
            is_alone=is_alone,
            **rights,
        )
    request = Request(
        viewer=viewer,
        speaker=member_of(interaction.user, viewer.guild_id),
        channel_id=ChannelId(interaction.channel_id or 0),
        message_id=MessageId(interaction.id),
        text="",
        at=interaction.created_at.astimezone(UTC),
        language=language,
        guild_names={GuildId(guild.id): guild.name for guild in client.guilds},
    )
    return request, Texts(language)


async def pressed(
    interaction: discord.Interaction[Any],
    action: str,
    args: tuple[str, ...],
    answers: Mapping[str, str] | None = None,
) -> None:
    """Answer a press, a form or a command, whatever happens; what changes something goes through the inbox."""
    client: Home = interaction.client
    try:
        spec = ACTIONS.get(action, GONE)
        if not spec.opens_form:
            if interaction.message is None:
                await interaction.response.defer(ephemeral=not spec.is_public, thinking=True)
            else:
                await interaction.response.defer()
        if spec.changes:
            await client.flow.inbox.record(_entry(interaction, action, args, answers or {}), interaction)
            return
        request, texts = await request_of(interaction)
        shown = await client.panels.press(request, action, args, answers or {}, texts)
        await show(interaction, shown)
        await client.flow.presses.log(request, shown)
    except Exception as failed:
        with suppress(discord.HTTPException):
            await show(interaction, Page(text=trouble(failed, Texts(language_of(str(interaction.locale))))))


def _language(interaction: discord.Interaction[Any]) -> str:
    """The presser's language; below what everybody reads, the one that stands there."""
    own = language_of(str(interaction.locale))
    message = interaction.message
    return own if message is None or message.flags.ephemeral else guess_language(message.content, own)


def _entry(
    interaction: discord.Interaction[Any], action: str, args: tuple[str, ...], answers: Mapping[str, str]
) -> InboxItem:
    """The entry of an interaction: with what it asks for, and how to answer it when this process is gone."""
    return InboxItem(
        guild_id=guild_of(interaction),
        trigger_id=MessageId(interaction.id),
        kind=InboxKind.INTERACTION,
        channel_id=ChannelId(interaction.channel_id or 0),
        user_id=UserId(interaction.user.id),
        at=interaction.created_at.astimezone(UTC),
        payload={
            "action": action,
            "args": list(args),
            "answers": dict(answers),
            "language": _language(interaction),
            "application": interaction.application_id,
            "token": interaction.token,
        },
    )


async def show(interaction: discord.Interaction[Any], shown: Page | Form) -> list[MessageId]:
    """Show a page, in place of the message pressed or beside it for the presser alone; or open a form.

    Returns the ids of new messages.
    """
    if isinstance(shown, Form):
        await interaction.response.send_modal(Questions(shown))
        return []
    if not interaction.response.is_done():
        await interaction.response.defer(ephemeral=True, thinking=True)
    parts = split(shown.text)
    files = [
        discord.File(io.BytesIO(content.encode()), filename=name) for name, content in list(shown.files.items())[:10]
    ]
    if len(parts) > MOST_PARTS:
        files, parts = [as_file(shown.text), *files][:10], ["📎"]
    in_place = shown.replaces and len(parts) == 1 and _may_replace(interaction.message, shown)
    if in_place:
        await interaction.edit_original_response(
            content=parts[0], view=view_of(shown.rows), attachments=files, allowed_mentions=NOBODY
        )
        return []
    sent = []
    for n, part in enumerate(parts):
        last = n == len(parts) - 1
        more: dict[str, Any] = {}
        if last and shown.rows:
            more["view"] = view_of(shown.rows)
        if last and files:
            more["files"] = files
        made = await interaction.followup.send(
            part, wait=True, ephemeral=not shown.is_public, allowed_mentions=NOBODY, suppress_embeds=True, **more
        )
        sent.append(MessageId(made.id))
    return sent


def _may_replace(pressed: discord.Message | None, shown: Page) -> bool:
    """Whether a page may take the place of the message that was pressed: what one person is shown, of theirs alone."""
    return pressed is not None and (shown.settles or shown.is_public or pressed.flags.ephemeral)


async def tell_later(interaction: discord.Interaction[Any]) -> None:
    """Tell somebody whose command or press cannot be taken on yet that it will be."""
    away = DatabaseUnavailable("what was asked is taken on later")
    with suppress(discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError):
        await respond(interaction, trouble(away, Texts(language_of(str(interaction.locale)))), ephemeral=True)


def described(name: str) -> app_commands.locale_str:
    """The description of a command or option, from the catalogues."""
    return app_commands.locale_str(Texts("en")(name), key=name)


class Translator(app_commands.Translator):
    """Descriptions of commands in the languages that have a catalogue."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The text in a locale, or None where English does."""
        key = string.extras.get("key")
        return None if key is None else _description(key, str(locale))


@cache
def _description(key: str, locale: str) -> str | None:
    language = locale.split("-")[0]
    return Texts(language)(key) if language == language_of(locale) != "en" else None
