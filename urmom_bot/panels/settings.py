"""What those who manage a server decide about the bot, on one page: *Set up* when it joins, `/settings` later."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memory import MemoryManager, Mode, Teachers
from memory.ids import ChannelId, GuildId
from memory.permissions import may_administer, require
from memory.records import GuildRules
from memory.rules.calendar import zone_called
from memory.rules.text import fit, one_line
from urmom_bot.actions import action
from urmom_bot.languages import languages
from urmom_bot.markup import Markup, channel, joined, line
from urmom_bot.panels.page import Button, Field, Form, Option, Page
from urmom_bot.panels.page_links import PageLinks
from urmom_bot.panels.pressing import Pressed
from urmom_bot.talk.characters import MAX_CHARACTERS, READY_CHARACTERS, is_allowed
from urmom_bot.talk.requests import Request
from urmom_bot.talk.texts import Texts
from urmom_bot.talk.zones import zone_name
from urmom_bot.viewing import Viewing
from urmom_bot.views import ChannelRights, SettingsView

ANY = "any"
"""In place of a language: the one people write in."""

USUAL, OWN = "usual", "own"
"""In place of a ready character: the bot's usual tone, and words of the server's own."""

MAX_NAMED_CHANNELS = 5
"""Channels of a kind that the page names; of the rest it tells how many there are."""

NAMES, LONGEST_NAME = 5, 32
"""Names that a server gives the bot at the most, and the characters of each."""


class WrongAnswer(ValueError):
    """Something was filled in that cannot be: the text that says so, with its values."""

    def __init__(self, name: str, **values: object) -> None:
        super().__init__(name)
        self.name = name
        self.values = values


class ServerSettings:
    """The page of a server's settings. Memory raises NotAllowed for everybody but managers."""

    def __init__(self, memory: MemoryManager, viewing: Viewing, links: PageLinks, *, names: Sequence[str]) -> None:
        self._memory = memory
        self._viewing = viewing
        self._links = links
        self._retention = memory.retention.messages.days
        self._names = names
        self.rights_in: Callable[[GuildId], Sequence[ChannelRights]] = lambda _guild_id: ()
        """The channels of a guild in which the bot lacks rights, as Discord tells of them now."""

    async def page(self, request: Request, texts: Texts, *, replaces: bool = False, log: Markup | None = None) -> Page:
        """All that is decided, and what can be. Raises NotAllowed."""
        require(may_administer(request.viewer))
        view = await self._viewing.settings(request.viewer, self.rights_in(request.guild_id))
        rules, facts = view.rules, view.facts
        on = {True: texts("settings_on"), False: texts("settings_off")}
        is_on = rules.mode is Mode.REMEMBER
        most = rules.daily_requests
        lines = [
            texts("settings_title"),
            texts("settings_memory", state=on[is_on]) if is_on else texts("settings_memory_off"),
            texts("settings_facts", facts=facts.facts, faded=facts.faded, stale=facts.stale),
            texts("settings_retention", days=self._days(rules.retention_days)),
            texts("settings_language", language=_language(rules.language, texts)),
            texts("settings_zone", zone=view.zone),
            texts("settings_names", names=", ".join((*self._names, *rules.names))),
            texts("settings_bare_names", state=on[rules.bare_names]),
            texts("settings_character", character=_character(rules.character, texts)),
            texts("settings_captions", state=on[rules.captions]),
            texts("settings_read_ahead", state=on[rules.read_ahead]),
            texts("settings_teachers", who=texts(f"who_{rules.teachers.value}")),
            texts("settings_jokes", state=on[rules.jokes]),
            texts("settings_recap", state=on[rules.recap]),
            texts("settings_birthdays", state=on[rules.birthdays]),
            *_post_lines(rules, texts),
            texts("settings_budget", used=view.used_today)
            if most is None
            else texts("settings_budget_of", used=view.used_today, most=most),
            *_channel_lines(view, texts),
        ]
        row = (
            Button(
                label=texts("button_memory_off" if is_on else "button_memory_on"),
                action="set_memory",
                args=("no" if is_on else "yes",),
                style="secondary" if is_on else "success",
            ),
            Button(
                label=texts("button_jokes_off" if rules.jokes else "button_jokes_on"),
                action="set_guild_jokes",
                args=("no" if rules.jokes else "yes",),
            ),
            *(
                Button(label=texts(f"button_settings_{form}"), action=f"settings_{form}")
                for form in ("general", "channel", "budget")
            ),
        )
        calls = Button(
            label=texts("button_bare_names_off" if rules.bare_names else "button_bare_names_on"),
            action="set_bare_names",
            args=("no" if rules.bare_names else "yes",),
        )
        captions = Button(
            label=texts("button_captions_off" if rules.captions else "button_captions_on"),
            action="set_captions",
            args=("no" if rules.captions else "yes",),
        )
        ahead = Button(
            label=texts("button_read_ahead_off" if rules.read_ahead else "button_read_ahead_on"),
            action="set_read_ahead",
            args=("no" if rules.read_ahead else "yes",),
        )
        sounds = Button(label=texts("button_settings_character"), action="settings_character")
        more: tuple[Button, ...] = (calls, captions, ahead, sounds)
        if self._links.address:
            more += (Button(label=texts("button_page"), action="page"),)
        posts = (
            Button(label=texts("button_settings_posts"), action="settings_posts"),
            Button(label=texts("button_recap_preview"), action="recap_preview"),
        )
        return Page(text=joined(lines), rows=(row, more, posts), replaces=replaces, log=log)

    def _days(self, own: int | None) -> int:
        return self._retention if own is None else min(own, self._retention)

    # Presses

    @action("settings", may=may_administer, denied="manage_denied")
    async def _open(self, pressed: Pressed) -> Page:
        return await self.page(pressed.request, pressed.texts)

    async def _saved(self, pressed: Pressed) -> Page:
        return await self.page(pressed.request, pressed.texts, replaces=True, log=pressed.texts("settings_saved"))

    async def decide(self, pressed: Pressed, **values: object) -> Page:
        """Decide what is not so already, and show the page with it."""
        rules = await self._memory.guilds.rules(pressed.viewer.guild_id)
        if new := {name: value for name, value in values.items() if getattr(rules, name) != value}:
            await self._memory.guilds.decide(pressed.viewer, **new)
        return await self._saved(pressed)

    @action("set_memory", changes=True, may=may_administer, denied="manage_denied")
    async def _set_memory(self, pressed: Pressed) -> Page:
        mode = Mode.REMEMBER if pressed.args[0] == "yes" else Mode.TALK
        return await self.decide(pressed, mode=mode.value)

    @action("set_guild_jokes", changes=True, may=may_administer, denied="manage_denied")
    async def _set_jokes(self, pressed: Pressed) -> Page:
        return await self.decide(pressed, jokes=pressed.args[0] == "yes")

    @action("set_bare_names", changes=True, may=may_administer, denied="manage_denied")
    async def _set_bare_names(self, pressed: Pressed) -> Page:
        return await self.decide(pressed, bare_names=pressed.args[0] == "yes")

    @action("set_captions", changes=True, may=may_administer, denied="manage_denied")
    async def _set_captions(self, pressed: Pressed) -> Page:
        return await self.decide(pressed, captions=pressed.args[0] == "yes")

    @action("set_read_ahead", changes=True, may=may_administer, denied="manage_denied")
    async def _set_read_ahead(self, pressed: Pressed) -> Page:
        return await self.decide(pressed, read_ahead=pressed.args[0] == "yes")

    @action("settings_general", opens_form=True, may=may_administer, denied="manage_denied")
    async def _general_form(self, pressed: Pressed) -> Form:
        texts, guild_id = pressed.texts, pressed.viewer.guild_id
        rules = await self._memory.guilds.rules(guild_id)
        choices = [Option(value=ANY, label=texts("language_any"), chosen=rules.language is None)]
        choices += [
            Option(value=code, label=language.name, chosen=rules.language == code)
            for code, language in languages().items()
        ]
        teachers = [Option(value=x.value, label=texts(f"who_{x.value}"), chosen=rules.teachers is x) for x in Teachers]
        return Form(
            title=texts("form_general"),
            action="set_general",
            fields=(
                Field(name="language", label=texts("field_language"), kind="choice", choices=tuple(choices)),
                Field(
                    name="zone",
                    label=texts("field_zone"),
                    value=(await self._memory.guilds.time_zone(guild_id)).key,
                    longest=60,
                ),
                Field(
                    name="names",
                    label=texts("field_names"),
                    value=", ".join(rules.names),
                    longest=NAMES * (LONGEST_NAME + 2),
                    is_optional=True,
                ),
                Field(name="teachers", label=texts("field_teachers"), kind="choice", choices=tuple(teachers)),
                Field(
                    name="retention",
                    label=texts("field_retention", most=self._retention),
                    value=str(self._days(rules.retention_days)),
                    longest=5,
                ),
            ),
        )

    @action("set_general", changes=True, may=may_administer, denied="manage_denied")
    async def _set_general(self, pressed: Pressed) -> Page:
        answers = pressed.form_values
        try:
            names = tuple(dict.fromkeys(name.strip() for name in answers["names"].split(",") if name.strip()))
            if len(names) > NAMES or any(len(name) > LONGEST_NAME or len(name) < 2 for name in names):
                raise WrongAnswer("settings_names_wrong", most=NAMES)
            days = _number(answers["retention"], 1, self._retention, "settings_retention_wrong")
            zoned = _zone(answers["zone"])
        except WrongAnswer as wrong:
            return Page(text=pressed.texts(wrong.name, **wrong.values))
        if zoned != (await self._memory.guilds.time_zone(pressed.viewer.guild_id)).key:
            await self._memory.guilds.set_time_zone(pressed.viewer, zoned)
        return await self.decide(
            pressed,
            language=answers["language"] if answers["language"] in languages() else None,
            names=names,
            teachers=Teachers(answers["teachers"]).value,
            retention_days=None if days == self._retention else days,
        )

    @action("settings_character", opens_form=True, may=may_administer, denied="manage_denied")
    async def _character_form(self, pressed: Pressed) -> Form:
        texts, now = pressed.texts, (await self._memory.guilds.rules(pressed.viewer.guild_id)).character
        chosen = now if now in READY_CHARACTERS else OWN if now else USUAL
        return Form(
            title=texts("form_character"),
            action="set_character",
            fields=(
                Field(
                    name="ready",
                    label=texts("field_character"),
                    kind="choice",
                    choices=tuple(
                        Option(value=name, label=texts(f"character_{name}"), chosen=name == chosen)
                        for name in (USUAL, *READY_CHARACTERS, OWN)
                    ),
                ),
                Field(
                    name="own",
                    label=texts("field_character_own"),
                    kind="text",
                    value=now if chosen == OWN else "",
                    longest=MAX_CHARACTERS,
                    is_optional=True,
                ),
            ),
        )

    @action("set_character", changes=True, may=may_administer, denied="manage_denied")
    async def _set_character(self, pressed: Pressed) -> Page:
        ready, own = pressed.form_values["ready"], one_line(pressed.form_values["own"])
        character = own if ready == OWN else "" if ready == USUAL else ready
        if not is_allowed(character):
            return Page(text=pressed.texts("settings_character_wrong", most=MAX_CHARACTERS))
        return await self.decide(pressed, character=character)

    @action("settings_channel", opens_form=True, may=may_administer, denied="manage_denied")
    async def _channel_form(self, pressed: Pressed) -> Form:
        texts, here = pressed.texts, pressed.request.channel_id
        known = (await self._memory.guilds.channels(pressed.viewer.guild_id)).get(here)
        now = known.mode if known is not None else Mode.REMEMBER
        modes = [Option(value=mode.value, label=texts(f"what_{mode.value}"), chosen=mode is now) for mode in Mode]
        wants = known is None or known.captions
        yes = Option(value="yes", label=texts("captions_yes"), chosen=wants)
        no = Option(value="no", label=texts("captions_no"), chosen=not wants)
        return Form(
            title=texts("form_channel"),
            action="set_channel",
            fields=(
                Field(name="channel", label=texts("field_channel"), kind="channel", value=str(here)),
                Field(name="mode", label=texts("field_mode"), kind="choice", choices=tuple(modes)),
                Field(name="captions", label=texts("field_captions"), kind="choice", choices=(yes, no)),
            ),
        )

    @action("set_channel", changes=True, may=may_administer, denied="manage_denied")
    async def _set_channel(self, pressed: Pressed) -> Page:
        mode, captions = Mode(pressed.form_values["mode"]), pressed.form_values["captions"] == "yes"
        channel_id = ChannelId(int(pressed.form_values["channel"]))
        await self._memory.guilds.set_mode(pressed.viewer, channel_id, mode, captions=captions)
        return await self._saved(pressed)

    @action("settings_budget", opens_form=True, may=may_administer, denied="manage_denied")
    async def _budget_form(self, pressed: Pressed) -> Form:
        most = (await self._memory.guilds.rules(pressed.viewer.guild_id)).daily_requests
        label = pressed.texts("field_budget")
        value = "" if most is None else str(most)
        return Form(
            title=pressed.texts("form_budget"),
            action="set_budget",
            fields=(Field(name="most", label=label, value=value, longest=6, is_optional=True),),
        )

    @action("set_budget", changes=True, may=may_administer, denied="manage_denied")
    async def _set_budget(self, pressed: Pressed) -> Page:
        typed = pressed.form_values["most"].strip()
        try:
            most = _number(typed, 0, 999_999, "settings_budget_wrong") if typed else None
        except WrongAnswer as wrong:
            return Page(text=pressed.texts(wrong.name, **wrong.values))
        return await self.decide(pressed, daily_requests=most)


def _character(character: str, texts: Texts) -> Markup:
    name = character if character in READY_CHARACTERS else OWN if character else USUAL
    return line("{}: “{}”", texts("character_own"), character) if name == OWN else texts(f"character_{name}")


def _language(language: str | None, texts: Texts) -> str:
    return texts("language_any") if language is None else languages()[language].name


def _number(typed: str, least: int, most: int, text: str) -> int:
    """A number that was typed. Raises WrongAnswer where it is none, or out of bounds."""
    typed = typed.strip()
    if not (typed.isascii() and typed.isdecimal()) or not least <= int(typed) <= most:
        raise WrongAnswer(text, least=least, most=most)
    return int(typed)


def _zone(typed: str) -> str:
    try:
        return zone_called(zone_name(typed)).key
    except ValueError as unknown:
        raise WrongAnswer("zone_unknown", zone=fit(typed.strip(), 40)) from unknown


def _channel_lines(view: SettingsView, texts: Texts) -> list[Markup]:
    """The channels in which the bot does less than it may, and those in which it may not do what it should."""
    lines = [
        texts(f"settings_mode_{mode.value}", channels=_listed([channel(c) for c in channels], texts))
        for mode, channels in view.modes.items()
    ]
    if view.rules.captions and view.without_captions:
        here = _listed([channel(c) for c in view.without_captions], texts)
        lines.append(texts("settings_no_captions", channels=here))
    lacking = {one: line("{} ({})", channel(one.channel_id), ", ".join(one.missing)) for one in view.lacking}
    unread = [told for one, told in lacking.items() if not one.may_read]
    unwritten = [told for one, told in lacking.items() if one.may_read]
    if unread:
        lines.append(texts("settings_cannot_read", channels=_listed(unread, texts)))
    if unwritten:
        lines.append(texts("settings_cannot_write", channels=_listed(unwritten, texts)))
    return lines if unread or unwritten else [*lines, texts("settings_all_channels")]


def _post_lines(rules: GuildRules, texts: Texts) -> list[Markup]:
    """Where the bot posts, where it does."""
    if rules.post_channel is None or not (rules.recap or rules.birthdays):
        return []
    return [texts("settings_posts_in", channel=channel(rules.post_channel))]


def _listed(shown: Sequence[Markup], texts: Texts) -> Markup:
    more = len(shown) - MAX_NAMED_CHANNELS
    told = joined(shown[:MAX_NAMED_CHANNELS], ", ")
    return line("{} {}", told, texts("settings_more", count=more)) if more > 0 else told
