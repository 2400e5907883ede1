"""/memory-admin: what those who manage a server may do. Discord hides it from others; code refuses them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from memory import Mode, NotAllowed, Teachers
from memory.ids import ChannelId, GuildId
from memory.rules.audiences import likely_base_role
from urmom_bot.cogs.interactions import described, guild_of, pressed, request_of, show
from urmom_bot.cogs.translate import layout_of, member_of
from urmom_bot.panels import Page, Panels, member_args
from urmom_bot.talk import Request, Texts

Interaction = discord.Interaction[Any]
SomeChannel = app_commands.AppCommandChannel | app_commands.AppCommandThread


class AdministrationCog(commands.Cog):
    """Settings, ignoring, purging, rolling back, the audit."""

    admin = app_commands.Group(
        name="memory-admin",
        description=described("command_admin"),
        guild_only=True,
        default_permissions=discord.Permissions(manage_guild=True),
    )

    def __init__(self, panels: Panels) -> None:
        self._panels = panels
        self._panel = panels.administration

    async def _answer(self, interaction: Interaction, ask: Callable[[Request, Texts], Awaitable[Page]]) -> None:
        """Show what a command gives a manager, and tell the log channel; others are told that it is not for them."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        request, texts = await request_of(interaction)
        try:
            page = await ask(request, texts)
        except NotAllowed:
            page = Page(text=texts("manage_denied"))
        await show(interaction, page)
        await interaction.client.flow.presses.log(request, page)

    @app_commands.command(description=described("command_settings"))
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_guild=True)
    async def settings(self, interaction: Interaction) -> None:
        """Open the page of what the server decides."""
        await self._answer(interaction, self._panels.settings.page)

    @admin.command(description=described("command_teachers"))
    @app_commands.describe(who=described("option_teachers"))
    async def teachers(self, interaction: Interaction, who: Teachers) -> None:
        """Decide who may teach facts about others."""
        await pressed(interaction, "set_teachers", (who.value,))

    @admin.command(name="base-role", description=described("command_base_role"))
    @app_commands.describe(role=described("option_base_role"))
    async def base_role(self, interaction: Interaction, role: discord.Role | None = None) -> None:
        """Decide which role every member has once they are let in; @everyone where there is none."""
        guild = interaction.guild
        assert guild is not None
        if role is None:

            async def ask(request: Request, texts: Texts) -> Page:
                return await self._panel.base_role(request, likely_base_role(layout_of(guild, None)), texts)

            await self._answer(interaction, ask)
            return
        await pressed(interaction, "set_base_role", (str(0 if role.is_default() else role.id),))

    @admin.command(description=described("command_channel"))
    @app_commands.describe(mode=described("option_mode"), channel=described("option_channel"))
    async def channel(self, interaction: Interaction, mode: Mode, channel: SomeChannel | None = None) -> None:
        """Decide what the bot does in a channel."""
        channel_id = channel.id if channel else interaction.channel_id or 0
        await pressed(interaction, "set_mode", (str(channel_id), mode.value))

    @admin.command(description=described("command_ignore"))
    @app_commands.describe(member=described("option_whom"), ignored=described("option_ignored"))
    async def ignore(self, interaction: Interaction, member: discord.Member, ignored: bool = True) -> None:
        """Neither answer nor remember somebody, or do so again."""
        subject = member_args(member_of(member, GuildId(member.guild.id)))
        await pressed(interaction, "ignore", (*subject, "yes" if ignored else "no"))

    @admin.command(name="purge-channel", description=described("command_purge_channel"))
    @app_commands.describe(channel=described("option_channel"))
    async def purge_channel(self, interaction: Interaction, channel: SomeChannel) -> None:
        """Ask before everything of a channel goes."""
        await self._answer(
            interaction, lambda request, texts: self._panel.purge_channel(request, ChannelId(channel.id), texts)
        )

    @admin.command(name="purge-member", description=described("command_purge_member"))
    @app_commands.describe(user=described("option_whom"))
    async def purge_member(self, interaction: Interaction, user: discord.User) -> None:
        """Show what is stored about somebody, who may have left, and ask before it goes."""
        subject = member_of(user, guild_of(interaction))
        await self._answer(interaction, lambda request, texts: self._panel.purge_member(request, subject, texts))

    @admin.command(description=described("command_rollback"))
    @app_commands.describe(user=described("option_teacher"), hours=described("option_hours"))
    async def rollback(
        self, interaction: Interaction, user: discord.User, hours: app_commands.Range[int, 1, 8_760]
    ) -> None:
        """Show what somebody taught of late, and ask before it goes."""
        teacher = member_of(user, guild_of(interaction))
        await self._answer(interaction, lambda request, texts: self._panel.rollback(request, teacher, hours, texts))

    @admin.command(description=described("command_audit"))
    async def audit(self, interaction: Interaction) -> None:
        """Show what was done by those who manage the server."""
        await self._answer(interaction, lambda request, texts: self._panel.audit(request, 0, texts))

    @admin.command(name="log", description=described("command_log"))
    @app_commands.describe(channel=described("option_log"))
    async def set_log(self, interaction: Interaction, channel: discord.TextChannel | None = None) -> None:
        """Decide where uses of these commands are told; nowhere without a channel."""
        await pressed(interaction, "set_log", (str(channel.id if channel else 0),))
