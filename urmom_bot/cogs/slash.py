"""Slash commands: /memory show, remember, forget; /help; /status."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC

import discord
from discord import app_commands
from discord.ext import commands

from memory import Fact, Member, MemoryManager, fit
from urmom_bot.cogs.speech import respond, trouble
from urmom_bot.cogs.translate import audience_of, member_of
from urmom_bot.talk import Incoming, Talker, Words, language_of

CHOICES = 25
"""Choices that an autocomplete may offer (Discord)."""


class Slash(commands.Cog):
    """The same things that plain words do, by command."""

    memory = app_commands.Group(name="memory", description="What I remember of people here", guild_only=True)

    def __init__(self, memory: MemoryManager, talker: Talker) -> None:
        self._memory = memory
        self._talker = talker

    @memory.command(description="What I know about you, or about somebody else here")
    @app_commands.describe(member="Whom; yourself, if you leave it out")
    async def show(self, interaction: discord.Interaction, member: discord.Member | None = None) -> None:
        """Tell a member's context and facts, to the one who asks."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        said, words = _said(interaction)
        about = member_of(member or interaction.user, said.guild)
        reply = await self._talker.know(said, about, await self._memory.members(said.guild), words)
        await respond(interaction, reply.text, ephemeral=True)

    @memory.command(description="Remember something about somebody")
    @app_commands.describe(member="About whom", fact="What to remember, in a sentence")
    async def remember(
        self,
        interaction: discord.Interaction,
        member: discord.Member,
        fact: app_commands.Range[str, 1, 1000],
    ) -> None:
        """Store a fact, before everyone's eyes."""
        await interaction.response.defer(thinking=True)
        said, words = _said(interaction)
        members = dict(await self._memory.members(said.guild))
        about = members[member.id] = replace(
            member_of(member, said.guild), aliases=members[member.id].aliases if member.id in members else ()
        )
        reply = await self._talker.remember(said, about, fact, words, members)
        for sent in await respond(interaction, reply.text, ephemeral=False):
            await self._memory.keep_off_record(said.guild, sent)

    @memory.command(description="Forget something I was told")
    @app_commands.describe(fact="Which fact; type to choose one of yours", member="About whom; yourself by default")
    async def forget(self, interaction: discord.Interaction, fact: str, member: discord.Member | None = None) -> None:
        """Retire a fact, chosen or described."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        said, words = _said(interaction)
        if re.fullmatch(r"#?[0-9]{1,18}", fact.strip()):
            reply = await self._talker.forget_number(said, int(fact.strip().lstrip("#")), words)
        else:
            about = member_of(member or interaction.user, said.guild)
            known = (await self._memory.members(said.guild, [about.user_id])).get(about.user_id, about)
            reply = await self._talker.forget(said, known, fact, words)
        await respond(interaction, reply.text, ephemeral=True)

    @forget.autocomplete("fact")
    async def _facts(self, interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        """The member's facts that match what was typed so far."""
        said, _ = _said(interaction)
        chosen = getattr(interaction.namespace, "member", None)
        about = chosen.id if chosen is not None else interaction.user.id
        facts = await self._memory.facts(said.guild, about, audience=said.audience)
        typed = current.casefold()
        found = [f for f in facts if typed in f.value.casefold() and said.allowed(f)]
        return [_choice(fact) for fact in found[-CHOICES:]]

    @app_commands.command(description="What I can do, and how to say it")
    async def help(self, interaction: discord.Interaction) -> None:
        """Tell what can be said."""
        await interaction.response.defer(ephemeral=True)
        reply = self._talker.help(Words(language_of(str(interaction.locale))))
        await respond(interaction, reply.text, ephemeral=True)

    @app_commands.command(description="How I am doing: version, messages stored, AI quota")
    @app_commands.guild_only()
    async def status(self, interaction: discord.Interaction) -> None:
        """Tell how the bot is doing."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        assert interaction.guild_id is not None
        words = Words(language_of(str(interaction.locale)))
        reply = await self._talker.status(interaction.guild_id, words)
        await respond(interaction, reply.text, ephemeral=True)


async def failed(interaction: discord.Interaction, error: app_commands.AppCommandError) -> None:
    """Answer a command that went wrong."""
    cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
    words = Words(language_of(str(interaction.locale)))
    text = trouble(cause, words)
    if interaction.response.is_done():
        await respond(interaction, text, ephemeral=True)
    elif interaction.type is not discord.InteractionType.autocomplete:
        await interaction.response.send_message(text, ephemeral=True)


def _said(interaction: discord.Interaction) -> tuple[Incoming, Words]:
    assert interaction.guild_id is not None
    language = language_of(str(interaction.locale))
    speaker: Member = member_of(interaction.user, interaction.guild_id)
    said = Incoming(
        guild_id=interaction.guild_id,
        channel_id=interaction.channel_id or 0,
        message_id=interaction.id,
        speaker=speaker,
        text="",
        at=interaction.created_at.astimezone(UTC),
        audience=audience_of(interaction.channel, interaction.channel_id or interaction.id),
        may_moderate=interaction.permissions.manage_messages,
        may_manage=interaction.permissions.manage_guild,
        language=language,
    )
    return said, Words(language)


def _choice(fact: Fact) -> app_commands.Choice[str]:
    return app_commands.Choice(name=fit(f"#{fact.fact_id} {fact.value}", 100), value=str(fact.fact_id))
