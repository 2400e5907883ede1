"""/memory-admin: what those who manage a server may do. Discord hides it from others; code refuses them."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from memory import Mode, Teachers, likely_base_role
from urmom_bot.cogs.interactions import described, log_for, said_of, show
from urmom_bot.cogs.translate import layout_of, member_of
from urmom_bot.talk import Page, Panels

Interaction = discord.Interaction[Any]
Place = app_commands.AppCommandChannel | app_commands.AppCommandThread


class Moderation(commands.Cog):
    """Settings, ignoring, purging, rolling back, the audit."""

    admin = app_commands.Group(
        name="memory-admin",
        description=described("command_admin"),
        guild_only=True,
        default_permissions=discord.Permissions(manage_guild=True),
    )

    def __init__(self, panels: Panels) -> None:
        self._panel = panels.moderation

    async def _answer(self, interaction: Interaction, page: Page) -> None:
        await show(interaction, page)
        await log_for(interaction.client, (await said_of(interaction))[0], page)

    @admin.command(description=described("command_teachers"))
    @app_commands.describe(who=described("option_teachers"))
    async def teachers(self, interaction: Interaction, who: Teachers) -> None:
        """Who may teach facts about others."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        said, words = await said_of(interaction)
        await self._answer(interaction, await self._panel.set_teachers(said, who, words))

    @admin.command(name="base-role", description=described("command_base_role"))
    @app_commands.describe(role=described("option_base_role"))
    async def base_role(self, interaction: Interaction, role: discord.Role | None = None) -> None:
        """Which role every member has once they are let in; @everyone where there is none."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        said, words = await said_of(interaction)
        guild = interaction.guild
        assert guild is not None
        none = role is not None and role.is_default()
        chosen = role.id if role is not None and not none else None
        likely = likely_base_role(layout_of(guild, None))
        await self._answer(interaction, await self._panel.set_base_role(said, chosen, likely, words, none=none))
        if role is not None:
            interaction.client.dispatch("base_role", guild)

    @admin.command(description=described("command_channel"))
    @app_commands.describe(mode=described("option_mode"), channel=described("option_channel"))
    async def channel(self, interaction: Interaction, mode: Mode, channel: Place | None = None) -> None:
        """What the bot does in a channel."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        said, words = await said_of(interaction)
        place = channel.id if channel else said.channel_id
        await self._answer(interaction, await self._panel.set_mode(said, place, mode, words))

    @admin.command(description=described("command_ignore"))
    @app_commands.describe(member=described("option_whom"), ignored=described("option_ignored"))
    async def ignore(self, interaction: Interaction, member: discord.Member, ignored: bool = True) -> None:
        """Neither answer nor remember somebody, or do so again."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        said, words = await said_of(interaction)
        about = member_of(member, said.guild)
        await self._answer(interaction, await self._panel.ignore(said, about, ignored, words))

    @admin.command(name="purge-channel", description=described("command_purge_channel"))
    @app_commands.describe(channel=described("option_channel"))
    async def purge_channel(self, interaction: Interaction, channel: Place) -> None:
        """Ask before everything of a channel goes."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        said, words = await said_of(interaction)
        await self._answer(interaction, await self._panel.purge_channel(said, channel.id, words))

    @admin.command(name="purge-member", description=described("command_purge_member"))
    @app_commands.describe(user=described("option_whom"))
    async def purge_member(self, interaction: Interaction, user: discord.User) -> None:
        """Show what is stored about somebody, who may have left, and ask before it goes."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        said, words = await said_of(interaction)
        await self._answer(interaction, await self._panel.purge_member(said, member_of(user, said.guild), words))

    @admin.command(description=described("command_rollback"))
    @app_commands.describe(user=described("option_teacher"), hours=described("option_hours"))
    async def rollback(
        self, interaction: Interaction, user: discord.User, hours: app_commands.Range[int, 1, 8_760]
    ) -> None:
        """Show what somebody taught of late, and ask before it goes."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        said, words = await said_of(interaction)
        await self._answer(interaction, await self._panel.rollback(said, member_of(user, said.guild), hours, words))

    @admin.command(description=described("command_audit"))
    async def audit(self, interaction: Interaction) -> None:
        """What was done by those who manage the server."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        said, words = await said_of(interaction)
        await self._answer(interaction, await self._panel.audit(said, 0, words))

    @admin.command(name="log", description=described("command_log"))
    @app_commands.describe(channel=described("option_log"))
    async def set_log(self, interaction: Interaction, channel: discord.TextChannel | None = None) -> None:
        """Where uses of these commands are told; nowhere without a channel."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        said, words = await said_of(interaction)
        await self._answer(interaction, await self._panel.set_log(said, channel.id if channel else None, words))
