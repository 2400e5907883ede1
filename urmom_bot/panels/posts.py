"""What the bot posts by itself: where, what, and a preview."""

from __future__ import annotations

from collections.abc import Callable

from memory import MemoryManager
from memory.ai import AIError
from memory.ids import ChannelId, GuildId
from memory.permissions import may_administer
from urmom_bot.actions import action
from urmom_bot.languages import languages
from urmom_bot.markup import joined
from urmom_bot.panels.page import Field, Form, Option, Page
from urmom_bot.panels.pressing import Pressed
from urmom_bot.panels.settings import ServerSettings
from urmom_bot.talk.posts import hidden_channels, recap_text
from urmom_bot.talk.texts import Texts


class Posts:
    """The form of what is posted, and how a recap would look now."""

    def __init__(self, memory: MemoryManager, settings: ServerSettings) -> None:
        self._memory = memory
        self._settings = settings
        self.is_for_adults: Callable[[GuildId, ChannelId], bool] = lambda _guild_id, _channel_id: False
        """Whether a channel of a guild is age-restricted: nothing of it is in a recap."""

    @action("settings_posts", opens_form=True, may=may_administer, denied="manage_denied")
    async def _form(self, pressed: Pressed) -> Form:
        texts, rules = pressed.texts, await self._memory.guilds.rules(pressed.viewer.guild_id)
        channel_id = rules.post_channel or pressed.request.channel_id
        return Form(
            title=texts("form_posts"),
            action="set_posts",
            fields=(
                Field(name="channel", label=texts("field_post_channel"), kind="channel", value=str(channel_id)),
                _switch("recap", rules.recap, texts),
                _switch("birthdays", rules.birthdays, texts),
            ),
        )

    @action("set_posts", changes=True, may=may_administer, denied="manage_denied")
    async def _set(self, pressed: Pressed) -> Page:
        answers = pressed.form_values
        return await self._settings.decide(
            pressed,
            post_channel=int(answers["channel"]),
            recap=answers["recap"] == "yes",
            birthdays=answers["birthdays"] == "yes",
        )

    @action("recap_preview", may=may_administer, denied="manage_denied")
    async def _preview(self, pressed: Pressed) -> Page:
        """The recap of the last seven days, as it would be now; shown to the presser alone."""
        viewer, texts = pressed.viewer, pressed.texts
        guild_id = viewer.guild_id
        language = (await self._memory.guilds.rules(guild_id)).language or texts.language
        hidden = hidden_channels(await self._memory.guilds.channels(guild_id), self.is_for_adults)
        note = texts("recap_previewed")
        try:
            recap = await self._memory.posts.preview(viewer, languages()[language].name, hidden=hidden)
        except AIError:
            recap = await self._memory.posts.preview(viewer, languages()[language].name, hidden=hidden, asks=False)
            note = texts("recap_without_ai")
        if not recap.lines and not recap.quotes:
            return Page(text=texts("recap_empty"))
        return Page(text=joined((note, recap_text(recap, guild_id, Texts(language)))))


def _switch(name: str, is_on: bool, texts: Texts) -> Field:
    yes = Option(value="yes", label=texts("settings_on"), chosen=is_on)
    no = Option(value="no", label=texts("settings_off"), chosen=not is_on)
    return Field(name=name, label=texts(f"field_{name}"), kind="choice", choices=(yes, no))
