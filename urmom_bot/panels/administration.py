"""What managers of a server may do: look first, then confirm. Every use is in the audit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from memory import Member, MemoryManager, Mode, Teachers
from memory.ids import ChannelId, UserId
from memory.permissions import may_administer, require
from memory.rules.text import fit
from urmom_bot.actions import Action, action
from urmom_bot.languages import languages
from urmom_bot.markup import Markup, channel, joined, line, moment, person, role, unlisted
from urmom_bot.panels.page import Button, Form, Page, button, buttons
from urmom_bot.panels.pressing import Pressed, confirmation, is_confirmed
from urmom_bot.talk import presenting
from urmom_bot.talk.requests import Request
from urmom_bot.talk.texts import Texts
from urmom_bot.viewing import Viewing
from urmom_bot.views import AuditLineView, AuditView, undo_action

SETTINGS = (
    *("language", "names", "bare_names", "character", "captions", "read_ahead", "jokes", "retention_days"),
    *("daily_requests", "recap", "birthdays"),
)
"""What else managers decide, by the names of `GuildRules`."""

PREVIEW_FACTS = 10
"""Facts that a preview shows."""


class Administration:
    """Settings, ignoring, purging, rolling back, the audit. Memory raises NotAllowed for everybody but managers."""

    def __init__(self, memory: MemoryManager, viewing: Viewing) -> None:
        self._memory = memory
        self._viewing = viewing

    async def base_role(self, request: Request, likely: int | None, texts: Texts) -> Page:
        """Which role counts as everyone, and the one that it is likely to be."""
        require(may_administer(request.viewer))
        known = await self._memory.guilds.base_role(request.guild_id)
        lines = [texts("base_role_is", role=role(known)) if known else texts("base_role_none")]
        if likely is not None and likely != known:
            lines.append(texts("base_role_likely", role=role(likely)))
        return Page(text=joined(lines))

    async def purge_channel(self, request: Request, channel_id: ChannelId, texts: Texts) -> Page:
        """Ask before everything of a channel goes."""
        require(may_administer(request.viewer))
        text = texts("purge_channel_sure", channel=channel(channel_id))
        return Page(text=text, rows=((button(_purge_channel(channel_id), texts),),))

    async def purge_member(self, request: Request, subject: Member, texts: Texts) -> Page:
        """Show what is stored about somebody, and ask before it goes."""
        require(may_administer(request.viewer))
        (stored,) = await self._memory.privacy.stored(request.viewer, subject.user_id, request.guild_id)
        text = texts(
            "purge_member_sure",
            name=presenting.named(subject),
            messages=stored.counts["messages"],
            facts=stored.counts["facts_by_me"] + stored.counts["facts_by_others"],
            summaries=stored.counts["summaries"],
        )
        label = {"name": fit(subject.display_name, 40)}
        purge = Action(name="purge_member", args=(str(subject.user_id),), label=label)
        return Page(text=text, rows=((button(purge, texts),),))

    async def rollback(self, request: Request, teacher: Member, hours: float, texts: Texts) -> Page:
        """Show what somebody taught of late, and ask before it goes."""
        since = request.at - timedelta(hours=hours)
        await self._memory.privacy.note_look(request.viewer, teacher.user_id)
        count, shown = await self._viewing.taught(request.viewer, teacher, since, PREVIEW_FACTS)
        if not count:
            return Page(text=texts("rollback_none", name=presenting.named(teacher)))
        lines = [
            texts("rollback_sure", name=presenting.named(teacher), count=count),
            presenting.fact_lines(shown, texts),
        ]
        args = (str(teacher.user_id), str(int(since.timestamp())))
        rollback = Action(name="rollback", args=args, label={"count": count})
        return Page(text=joined(lines), rows=((button(rollback, texts),),))

    async def audit(self, request: Request, page: int, texts: Texts) -> Page:
        """What was done by those who manage the server, newest first."""
        return audit_page(await self._viewing.audit(request.viewer, page), texts)

    # Presses

    @action("set_teachers", changes=True, may=may_administer, denied="manage_denied")
    async def _set_teachers(self, pressed: Pressed) -> Page:
        teachers = Teachers(pressed.args[0])
        await self._memory.guilds.set_teachers(pressed.viewer, teachers)
        return _logged(pressed.texts(f"teachers_{teachers.value}"))

    @action("set_log", changes=True, may=may_administer, denied="manage_denied")
    async def _set_log(self, pressed: Pressed) -> Page:
        channel_id = pressed.channel_id(0) or None
        await self._memory.guilds.set_log_channel(pressed.viewer, channel_id)
        texts = pressed.texts
        return _logged(texts("log_set", channel=channel(channel_id)) if channel_id else texts("log_off"))

    @action("set_base_role", changes=True, may=may_administer, denied="manage_denied")
    async def _set_base_role(self, pressed: Pressed) -> Page:
        role_id = pressed.number(0) or None
        await self._memory.guilds.set_base_role(pressed.viewer, role_id)
        texts = pressed.texts
        return _logged(texts("base_role_set", role=role(role_id)) if role_id else texts("base_role_none"))

    @action("set_mode", changes=True, may=may_administer, denied="manage_denied")
    async def _set_mode(self, pressed: Pressed) -> Page:
        channel_id, mode = pressed.channel_id(0), Mode(pressed.args[1])
        await self._memory.guilds.set_mode(pressed.viewer, channel_id, mode)
        text = pressed.texts(f"mode_{mode.value}", channel=channel(channel_id))
        offered = [] if mode is Mode.REMEMBER else [button(_purge_channel(channel_id), pressed.texts)]
        return _logged(text, *offered)

    @action("ignore", changes=True, may=may_administer, denied="manage_denied")
    async def _ignore(self, pressed: Pressed) -> Page:
        subject, is_ignored = pressed.member(0), pressed.args[4] == "yes"
        await self._memory.privacy.ignore(pressed.viewer, subject, is_ignored)
        return _logged(pressed.texts("ignored" if is_ignored else "unignored", name=presenting.named(subject)))

    @action("rollback", style="danger", changes=True, may=may_administer, denied="manage_denied")
    async def _rolled_back(self, pressed: Pressed) -> Page:
        teacher = await self._viewing.member(pressed.viewer.guild_id, pressed.user_id(0))
        since = datetime.fromtimestamp(pressed.number(1), UTC)
        done = await self._memory.forgetting.roll_back(pressed.viewer, teacher, since)
        if done is None:
            return Page(text=pressed.texts("rollback_none", name=presenting.named(teacher)))
        undo, count = done
        text = pressed.texts("rolled_back", name=presenting.named(teacher), count=count)
        return Page(text=text, rows=(buttons((undo_action(undo),), pressed.texts),), replaces=True, log=text)

    @action("purge_member", style="danger", opens_form=True, may=may_administer, denied="manage_denied")
    async def _purge_member(self, pressed: Pressed) -> Form:
        subject = await self._viewing.member(pressed.viewer.guild_id, pressed.user_id(0))
        label = pressed.texts("button_purge_member", name=fit(subject.display_name, 20))
        return _purge_form("purged_member", label, pressed)

    @action("purged_member", changes=True, may=may_administer, denied="manage_denied")
    async def _purged_member(self, pressed: Pressed) -> Page:
        if not is_confirmed(pressed):
            return Page(text=pressed.texts("erase_not"))
        subject = await self._viewing.member(pressed.viewer.guild_id, pressed.user_id(0))
        (receipt,) = await self._memory.privacy.erase(pressed.viewer, subject, pressed.viewer.guild_id)
        count = sum(receipt.removed.values())
        text = pressed.texts("purged_member", name=presenting.named(subject), count=count)
        return Page(text=text, replaces=True, log=text)

    @action("purge_channel", style="danger", opens_form=True, may=may_administer, denied="manage_denied")
    async def _purge_channel(self, pressed: Pressed) -> Form:
        return _purge_form("purged_channel", pressed.texts("button_purge_channel"), pressed)

    @action("purged_channel", changes=True, may=may_administer, denied="manage_denied")
    async def _purged_channel(self, pressed: Pressed) -> Page:
        if not is_confirmed(pressed):
            return Page(text=pressed.texts("erase_not"))
        removed = await self._memory.privacy.purge_channel(pressed.viewer, pressed.channel_id(0))
        text = pressed.texts("purged_channel", channel=channel(pressed.channel_id(0)), count=sum(removed.values()))
        return Page(text=text, replaces=True, log=text)

    @action("audit", may=may_administer, denied="manage_denied")
    async def _audit(self, pressed: Pressed) -> Page:
        return await self.audit(pressed.request, pressed.number(0), pressed.texts)


def _purge_channel(channel_id: ChannelId) -> Action:
    return Action(name="purge_channel", args=(str(channel_id),))


def _purge_form(name: str, title: str, pressed: Pressed) -> Form:
    """Ask for the word without which nothing is purged."""
    word = confirmation("field_erase", pressed.texts)
    return Form(title=fit(title, 45), action=name, args=pressed.args, fields=(word,), removes=title)


def _logged(text: Markup, *offered: Button) -> Page:
    """What was decided, for the server's log channel too."""
    return Page(text=text, rows=(offered,) if offered else (), log=text)


def audit_page(view: AuditView, texts: Texts) -> Page:
    """The audit, a line each."""
    page = view.paging.page
    numbers = {id(one): n for n, one in enumerate([one for one in view.lines if one.undo][:5], 1)}
    lines = [texts("audit", page=page + 1), *(_audit_line(one, texts, numbers.get(id(one))) for one in view.lines)]
    if not view.lines:
        lines.append(texts("audit_empty"))
    turn = (
        Button(label="◀", action="audit", args=(str(page - 1),), disabled=page == 0),
        Button(label="▶", action="audit", args=(str(page + 1),), disabled=not view.paging.has_next),
    )
    undos = tuple(
        Button(label=f"{texts.plain('button_undo')} ({n})", action=one.undo.name, args=one.undo.args)
        for one in view.lines
        if one.undo and (n := numbers.get(id(one)))
    )
    return Page(text=joined(lines), rows=(turn, undos) if undos else (turn,), replaces=True)


def _audit_line(one: AuditLineView, texts: Texts, number: int | None) -> Markup:
    parts = [
        *([f"({number})"] if number else []),
        moment(one.at, "f"),
        _who(one.actor_id, one.actor_name),
        texts(f"action_{one.action}"),
        *([_who(one.subject_id, one.subject_name)] if one.subject_id else []),
        *details_of(one, texts),
        *([texts("mark_undone")] if one.is_undone else []),
    ]
    return joined(parts, " ")


def _who(user_id: UserId, username: str | None) -> Markup:
    """Somebody by their id, which nobody else can take, with their username where it is known."""
    return line("{} ({})", person(user_id), username) if username else person(user_id)


def _setting(name: str, value: object, texts: Texts) -> object:
    """A setting and what it was set to, in the words of the settings."""
    if str(value) in ("True", "False"):
        shown = texts(f"settings_{name}", state=texts("settings_on" if str(value) == "True" else "settings_off"))
    elif name == "language" and str(value) in languages():
        shown = texts("settings_language", language=languages()[str(value)].name)
    elif name == "names" and isinstance(value, list):
        shown = texts("settings_names", names=", ".join(map(str, value)))
    elif name == "character":
        shown = texts("settings_character", character=str(value))
    elif name == "retention_days" and str(value).isdecimal():
        shown = texts("settings_retention", days=int(str(value)))
    else:
        return f"{name}: {value}"
    return unlisted(shown)


def details_of(one: AuditLineView, texts: Texts) -> list[object]:
    """What was decided, or how much went."""
    removed = one.details.get("removed")
    told: list[object] = [str(one.details[name]) for name in ("teachers", "mode") if name in one.details]
    decided = one.details.get("after")
    after = decided if isinstance(decided, dict) else {}
    told += [_setting(name, after.get(name, one.details[name]), texts) for name in SETTINGS if name in one.details]
    channels = [str(one.details.get(name)) for name in ("channel", "log_channel", "post_channel")]
    told += [channel(ChannelId(int(number))) for number in channels if number.isdecimal()]
    if isinstance(removed, dict) and removed:
        told.append(texts("receipt_removed", removed=presenting.counted(removed, texts)))
    return told
