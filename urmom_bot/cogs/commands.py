"""Slash commands and menus: /memory, /privacy, /help, /status; "Remember this", "Why?", "What do you remember?"."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from memory import Fact, MemoryManager
from memory.ids import ChannelId, GuildId, MessageId, UserId
from memory.permissions import may_strike
from memory.rules.text import fit
from urmom_bot.cogs.interactions import described, guild_of, pressed, request_of, show, view_of
from urmom_bot.cogs.speech import respond
from urmom_bot.cogs.translate import author_kind, member_of, text_of
from urmom_bot.flow.answering import trouble
from urmom_bot.panels import Page, Panels, member_args
from urmom_bot.panels.page import buttons
from urmom_bot.talk import Health, Reply, Router, Texts, language_of

Interaction = discord.Interaction[Any]

TopicName = app_commands.Range[str, 1, 80]

CHOICES = 25
"""Choices that an autocomplete may offer (Discord)."""


class CommandsCog(commands.Cog):
    """The same things that plain words do, by command and menu."""

    memory = app_commands.Group(name="memory", description=described("command_memory"), guild_only=True)
    topic = app_commands.Group(name="topic", description=described("command_topic"), guild_only=True)

    def __init__(
        self,
        tree: app_commands.CommandTree[Any],
        memory: MemoryManager,
        router: Router,
        panels: Panels,
        health: Callable[[GuildId, ChannelId], Awaitable[Health]],
    ) -> None:
        self._tree = tree
        self._health = health
        self._memory = memory
        self._router = router
        self._panels = panels
        self._menus = [
            app_commands.ContextMenu(name=described("menu_remember"), callback=self.remember_this),
            app_commands.ContextMenu(name=described("menu_why"), callback=self.why),
            app_commands.ContextMenu(name=described("menu_what"), callback=self.what),
        ]

    async def cog_load(self) -> None:
        """Put the menus beside the commands."""
        for menu in self._menus:
            menu.guild_only = True
            self._tree.add_command(menu)

    async def cog_unload(self) -> None:
        """Take them away again."""
        for menu in self._menus:
            self._tree.remove_command(menu.name, type=menu.type)

    @memory.command(description=described("command_show"))
    @app_commands.describe(member=described("option_member"))
    async def show(self, interaction: Interaction, member: discord.Member | None = None) -> None:
        """Tell what is known of somebody, page by page, to the one who asks."""
        await self._show(interaction, member or interaction.user)

    async def _show(self, interaction: Interaction, user: discord.abc.User, tab: str = "facts") -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        request, texts = await request_of(interaction)
        subject = member_of(user, request.guild_id)
        await show(interaction, await self._panels.memories.show(request, subject, texts, tab=tab))

    @memory.command(description=described("command_history"))
    @app_commands.describe(member=described("option_member"))
    async def history(self, interaction: Interaction, member: discord.Member | None = None) -> None:
        """Tell what was changed about somebody, by whom; what holds no more can be restored."""
        await self._show(interaction, member or interaction.user, "history")

    @memory.command(description=described("command_page"))
    async def page(self, interaction: Interaction) -> None:
        """Give the one who asks a link to their page in a browser."""
        await pressed(interaction, "page", ())

    @memory.command(description=described("command_remember"))
    @app_commands.describe(member=described("option_whom"), fact=described("option_fact"))
    async def remember(
        self,
        interaction: Interaction,
        member: discord.Member,
        fact: app_commands.Range[str, 1, 1000],
    ) -> None:
        """Store a fact, before everyone's eyes."""
        subject = member_args(member_of(member, guild_of(interaction)))
        await pressed(interaction, "remember", subject, {"fact": fact})

    async def _respond(
        self, interaction: Interaction, reply: Reply, texts: Texts, *, ephemeral: bool
    ) -> list[MessageId]:
        view = view_of((buttons(reply.actions, texts),)) if reply.actions else None
        return await respond(interaction, reply.text, ephemeral=ephemeral, view=view)

    @memory.command(description=described("command_forget"))
    @app_commands.describe(fact=described("option_which"), member=described("option_member"))
    async def forget(self, interaction: Interaction, fact: str, member: discord.Member | None = None) -> None:
        """Forget a fact, chosen or described."""
        if re.fullmatch(r"#?[0-9]{1,18}", fact.strip()):
            await pressed(interaction, "forget_number", (fact.strip().lstrip("#"),))
        else:
            subject = member_args(member_of(member or interaction.user, guild_of(interaction)))
            await pressed(interaction, "forget", subject, {"fact": fact})

    @forget.autocomplete("fact")
    async def _facts(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The member's facts that match what was typed so far."""
        typed = current.casefold()
        found = [f for f in await self._choosable(interaction) if typed in f.value.casefold()]
        return [_choice(fact) for fact in found[-CHOICES:]]

    async def _choosable(self, interaction: Interaction) -> list[Fact]:
        request, _ = await request_of(interaction)
        chosen = getattr(interaction.namespace, "member", None)
        subject = UserId(chosen.id if chosen is not None else interaction.user.id)
        facts = await self._memory.facts.list(request.viewer, subject)
        return [fact for fact in facts if may_strike(request.viewer, fact)]

    @memory.command(name="forget-key", description=described("command_forget_key"))
    @app_commands.describe(key=described("option_key"), member=described("option_member"))
    async def forget_key(self, interaction: Interaction, key: str, member: discord.Member | None = None) -> None:
        """Forget all facts of one kind."""
        subject = member_args(member_of(member or interaction.user, guild_of(interaction)))
        await pressed(interaction, "forget_key", subject, {"key": key})

    @forget_key.autocomplete("key")
    async def _keys(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The kinds of facts there are, with how many of each."""
        keys: dict[str, int] = {}
        for fact in await self._choosable(interaction):
            keys[fact.key] = keys.get(fact.key, 0) + 1
        typed = current.casefold()
        return [
            app_commands.Choice(name=f"{key} ({count})", value=key)
            for key, count in sorted(keys.items())
            if typed in key
        ][:CHOICES]

    @app_commands.command(description=described("command_recall"))
    @app_commands.describe(question=described("option_question"))
    @app_commands.guild_only()
    async def recall(self, interaction: Interaction, question: app_commands.Range[str, 2, 300]) -> None:
        """Find what was said, for the one who asks."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        request, texts = await request_of(interaction)
        await self._respond(interaction, await self._router.recall(request, question, texts), texts, ephemeral=True)

    @app_commands.command(description=described("command_topics"))
    @app_commands.guild_only()
    async def topics(self, interaction: Interaction) -> None:
        """Show the server's topics."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        request, texts = await request_of(interaction)
        await show(interaction, await self._panels.topics.list(request, texts))

    @topic.command(name="show", description=described("command_topic_show"))
    @app_commands.describe(name=described("option_topic"))
    async def topic_show(self, interaction: Interaction, name: TopicName) -> None:
        """Show a topic's page."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        request, texts = await request_of(interaction)
        await show(interaction, await self._panels.topics.show(request, name, texts))

    @topic.command(name="rename", description=described("command_topic_rename"))
    @app_commands.describe(name=described("option_topic"), new=described("option_new_name"))
    async def topic_rename(self, interaction: Interaction, name: TopicName, new: TopicName) -> None:
        """Give a topic another name."""
        await pressed(interaction, "rename_topic", (name, new))

    @topic.command(name="merge", description=described("command_topic_merge"))
    @app_commands.describe(name=described("option_topic"), into=described("option_into"))
    async def topic_merge(self, interaction: Interaction, name: TopicName, into: TopicName) -> None:
        """Move a topic's lines to another."""
        await pressed(interaction, "merge_topic", (name, into))

    @topic.command(name="drop", description=described("command_topic_drop"))
    @app_commands.describe(name=described("option_topic"))
    async def topic_drop(self, interaction: Interaction, name: TopicName) -> None:
        """Delete a topic's page; its lines stay."""
        await pressed(interaction, "drop_topic", (name,))

    @topic_show.autocomplete("name")
    @topic_rename.autocomplete("name")
    @topic_merge.autocomplete("name")
    @topic_merge.autocomplete("into")
    @topic_drop.autocomplete("name")
    async def _topic_names(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The topics whose name has what was typed so far."""
        request, _ = await request_of(interaction)
        found = [topic.name for topic in await self._memory.topics.list(request.viewer)]
        return [app_commands.Choice(name=n, value=n) for n in found if current.casefold() in n.casefold()][:CHOICES]

    @app_commands.command(description=described("command_reset"))
    async def reset(self, interaction: Interaction) -> None:
        """End the conversation of the channel, in direct messages too."""
        await pressed(interaction, "reset", ())

    @app_commands.command(description=described("command_privacy"))
    async def privacy(self, interaction: Interaction) -> None:
        """Open the panel of what is stored about the one who asks, in direct messages too."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        request, texts = await request_of(interaction)
        await show(interaction, await self._panels.privacy.panel(request, texts))

    @app_commands.command(description=described("command_help"))
    async def help(self, interaction: Interaction) -> None:
        """Tell what can be said."""
        await interaction.response.defer(ephemeral=True)
        texts = Texts(language_of(str(interaction.locale)))
        await self._respond(interaction, self._router.help(texts), texts, ephemeral=True)

    @app_commands.command(description=described("command_status"))
    @app_commands.guild_only()
    async def status(self, interaction: Interaction) -> None:
        """Tell how the bot is doing."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        request, texts = await request_of(interaction)
        health = await self._health(request.guild_id, request.channel_id)
        reply = await self._router.status(request.viewer, texts, health)
        await respond(interaction, reply.text, ephemeral=True)

    # Menus

    async def remember_this(self, interaction: Interaction, message: discord.Message) -> None:
        """Open the form to remember a message, filled in."""
        request, texts = await request_of(interaction)
        assert interaction.client.user is not None
        kind = author_kind(message, interaction.client.user.id)
        if kind.value != "member" or not text_of(message).strip():
            await show(interaction, Page(text=texts("remember_people")))
            return
        author = member_of(message.author, request.guild_id)
        await show(
            interaction, self._panels.memories.teach(request, author, MessageId(message.id), text_of(message), texts)
        )

    async def why(self, interaction: Interaction, message: discord.Message) -> None:
        """Tell what one of the bot's answers was given."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        request, texts = await request_of(interaction)
        if interaction.client.user is None or message.author.id != interaction.client.user.id:
            await show(interaction, Page(text=texts("why_not_mine")))
            return
        await show(interaction, await self._panels.memories.why(request, MessageId(message.id), texts))

    async def what(self, interaction: Interaction, user: discord.Member) -> None:
        """Tell what is known of somebody."""
        await self._show(interaction, user)


async def failed(interaction: Interaction, error: app_commands.AppCommandError) -> None:
    """Answer a command that went wrong."""
    cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
    texts = Texts(language_of(str(interaction.locale)))
    text = trouble(cause, texts)
    if interaction.response.is_done():
        await respond(interaction, text, ephemeral=True)
    elif interaction.type is not discord.InteractionType.autocomplete:
        await interaction.response.send_message(text, ephemeral=True)


def _choice(fact: Fact) -> app_commands.Choice[str]:
    return app_commands.Choice(name=fit(f"#{fact.fact_id} {fact.value}", 100), value=str(fact.fact_id))
