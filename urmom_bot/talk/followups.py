"""What was asked for last: so that "undo", "never mind" and "I meant Bob" are understood after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from cachetools import TTLCache

from memory import Undo
from memory.ids import ChannelId, GuildId, UserId
from urmom_bot.talk import commands
from urmom_bot.talk.requests import Reply, Request

FOLLOWUP_WINDOW = timedelta(minutes=10)
"""How long after it something can be taken back or corrected in words: as long as the Undo button stands."""

MAX_KEPT_COMMANDS = 10_000
"""Commands that are kept at the most, one for each member and channel."""

_Whose = tuple[GuildId, ChannelId, UserId]


@dataclass(frozen=True, kw_only=True)
class Done:
    """A command that somebody gave, and what came of it."""

    command: commands.Command | None
    """None where a button or a slash command did it."""
    request: Request
    undo: Undo | None = None
    """Takes back what it changed; None where it changed nothing."""
    asks_whom: bool = False
    """Whether it was answered by the question whom it means."""
    held: Undo | None = None
    """What waits for a yes or no; None where nothing does."""
    offered: tuple[int, ...] = ()
    """The facts of which it was answered that each can be deleted."""
    listed: tuple[int, ...] = ()
    """The facts that were listed last, in their order: those an answer offered, or what it knew about somebody."""
    fruitless: commands.Command | None = None
    """The order before this question, if it came to nothing: then "undo" means that order, and undoes nothing."""
    is_final: bool = False
    """Whether it deleted what nothing brings back."""
    is_private: bool = False
    """Whether it had to be confirmed: its words are not said again."""

    orders: tuple[tuple[str, commands.Command], ...] = ()
    """All orders of the same message, with their words; empty where it is the only one."""
    beside: tuple[Undo, ...] = ()
    """What takes back the other orders of the same message."""
    in_place_of: Done | None = None
    """What was told before it was put right."""
    is_pressed_deletion: bool = False
    """Whether a button deleted something."""

    @property
    def has_deleted(self) -> bool:
        """Whether it deleted something, or was to."""
        return self.is_pressed_deletion or isinstance(self.command, commands.Forget | commands.ForgetLast)

    @property
    def is_as_said(self) -> bool:
        """Whether the words of its request say what was done: it was not put right since, nor done about another."""
        other = self.command.subject if isinstance(self.command, commands.Remember) else None
        return self.command is not None and self.in_place_of is None and (not other or other in self.request.text)

    @property
    def waits(self) -> bool:
        """Whether it waits for an answer."""
        return self.asks_whom or self.held is not None


ORDERED = commands.Remember | commands.Correct | commands.Forget | commands.ForgetLast
"""The commands that store or delete, if they find what they are about."""


def _offered(command: commands.Command, reply: Reply) -> tuple[int, ...]:
    """The facts that an answer asks about: which of them to delete."""
    strikes = (action for action in reply.actions if action.name == "strike")
    return tuple(int(action.args[0]) for action in strikes) if isinstance(command, commands.Forget) else ()


def _fruitless(before: Done | None) -> commands.Command | None:
    """The last order, where it came to nothing, also if its writer has asked something since."""
    if before is None or before.undo is not None or before.is_final or before.waits:
        return None
    return before.command if isinstance(before.command, ORDERED) else before.fruitless


class Followups:
    """The last command of each member in each channel, and the last that changed something; in this process alone."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        def kept() -> TTLCache[Any, Any]:
            return TTLCache(MAX_KEPT_COMMANDS, FOLLOWUP_WINDOW.total_seconds(), timer=lambda: clock().timestamp())

        self._last: TTLCache[_Whose, Done] = kept()
        self._changed: TTLCache[_Whose, Done] = kept()
        self._newest: TTLCache[tuple[GuildId, ChannelId], Done] = kept()
        self._newest_but_questions: TTLCache[tuple[GuildId, ChannelId], Done] = kept()
        self._talk: TTLCache[_Whose, Request] = kept()
        self._joined: TTLCache[int, tuple[Undo, ...]] = kept()
        self._undone: TTLCache[_Whose, Done] = kept()
        self._held: TTLCache[int, Done] = kept()

    def note(self, request: Request, command: commands.Command, reply: Reply) -> None:
        """Keep a command and what it came to."""
        undo, held = (entry(reply, name) for name in ("undo", "drop"))
        done = Done(
            command=command,
            request=request,
            undo=undo,
            asks_whom=reply.asks_whom,
            held=held,
            offered=(offered := _offered(command, reply)),
            listed=offered or reply.listed or self._listed_before(request, command),
            fruitless=_fruitless(self.last(request)) if isinstance(command, commands.Know) else None,
            is_final=reply.is_final,
        )
        self._last[_whose(request)] = done
        self._newest[request.guild_id, request.channel_id] = done
        if not isinstance(command, commands.Know):
            self._newest_but_questions[request.guild_id, request.channel_id] = done
        self._talk.pop(_whose(request), None)
        if isinstance(command, ORDERED):
            self._undone.pop(_whose(request), None)
        if held is not None:
            self._held[held.entry_id] = done
        if undo is not None or isinstance(command, commands.SetJokes | commands.SetZone):
            self._changed[_whose(request)] = done

    def _listed_before(self, request: Request, command: commands.Command) -> tuple[int, ...]:
        """What was listed before facts were picked from it: another may be picked."""
        last = self.last(request)
        return last.listed if last is not None and isinstance(command, commands.Forget) and command.numbers else ()

    def press(self, request: Request, undo: Undo | None, *, deletes: bool = False) -> None:
        """Keep what a button or a slash command changed, or deleted: a typed "undo" means that, and nothing from
        before."""
        changed = self._changed.get(_whose(request))
        if undo is not None and changed is not None and changed.undo == undo:
            return
        self.drop(request)
        if undo is not None:
            done = Done(command=None, request=request, undo=undo, is_pressed_deletion=deletes)
            self._last[_whose(request)] = self._changed[_whose(request)] = done

    def show_list(self, request: Request, listed: tuple[int, ...]) -> None:
        """Keep which facts a button showed, in their order, as what was listed last."""
        whose, here = _whose(request), (request.guild_id, request.channel_id)
        last = self._last.get(whose)
        if last is None:
            return
        shown = replace(last, listed=listed)
        self._last[whose] = shown
        if self._changed.get(whose) is last:
            self._changed[whose] = shown
        for newest in (self._newest, self._newest_but_questions):
            if newest.get(here) is last:
                newest[here] = shown

    def confirm(self, held: Undo, reply: Reply) -> None:
        """Keep what came of a command that waited for a yes and got it by a button."""
        done, undo = self._held.pop(held.entry_id, None), entry(reply, "undo")
        if done is not None and undo is not None:
            done = replace(done, undo=undo, held=None, is_private=True)
            self._last[_whose(done.request)] = self._changed[_whose(done.request)] = done

    def join(self, request: Request, undos: Sequence[Undo], orders: Sequence[tuple[str, commands.Command]]) -> None:
        """Keep all orders of a message as one: "undo" takes back each."""
        changed, last = self._changed.get(_whose(request)), self._last.get(_whose(request))
        if changed is None or not undos:
            return
        beside = tuple(undo for undo in undos if undo != changed.undo)
        self._changed[_whose(request)] = replace(changed, request=request, beside=beside, orders=tuple(orders))
        if last is not None and (last is changed or not (last.undo or last.waits or last.offered)):
            self._last[_whose(request)] = self._changed[_whose(request)]
        for undo in undos:
            self._joined[undo.entry_id] = tuple(other for other in undos if other != undo)

    def carry(self, request: Request, beside: Sequence[Undo]) -> None:
        """Keep the other orders of a message beside the newest change, which took the place of one of them."""
        changed = self._changed.get(_whose(request))
        if changed is not None and beside:
            self._last[_whose(request)] = self._changed[_whose(request)] = replace(changed, beside=tuple(beside))

    def joined(self, undo: Undo) -> Sequence[Undo]:
        """What takes back the other orders of the message of a change."""
        return self._joined.get(undo.entry_id, ())

    def pass_on(self, request: Request, *, is_question: bool = False) -> None:
        """Keep that something else was said to the bot last in the channel: an objection may be about that."""
        passed = Done(command=None, request=request)
        self._newest[request.guild_id, request.channel_id] = passed
        if not is_question:
            self._newest_but_questions[request.guild_id, request.channel_id] = passed
        self._talk[_whose(request)] = request

    def talk(self, request: Request) -> Request | None:
        """What whoever writes said to the bot last in the channel, if it was no command."""
        return self._talk.get(_whose(request))

    def drop_talk(self, request: Request) -> None:
        """Let go of it."""
        self._talk.pop(_whose(request), None)

    def keep_before(self, request: Request, before: Done) -> None:
        """Keep what the newest command took the place of."""
        newest = self._changed.get(_whose(request))
        if newest is not None:
            self._last[_whose(request)] = self._changed[_whose(request)] = replace(newest, in_place_of=before)

    def last(self, request: Request) -> Done | None:
        """What whoever writes asked for last in the channel, where that was lately."""
        return self._last.get(_whose(request))

    def told(self, request: Request) -> Done | None:
        """What whoever writes asked for last, or had changed before if that only asked what is known."""
        last = self.last(request)
        return self.changed(request) if last is not None and isinstance(last.command, commands.Know) else last

    def last_of(self, guild_id: GuildId, channel_id: ChannelId, user_id: UserId) -> Done | None:
        """What a member asked for last in a channel, where that was lately."""
        return self._last.get((guild_id, channel_id, user_id))

    def is_newest(self, done: Done) -> bool:
        """Whether nobody else has said anything to the bot in the channel since."""
        return _is_of(self.newest(done.request), done)

    def is_newest_but_questions(self, done: Done) -> bool:
        """Whether others have only asked the bot something in the channel since."""
        return _is_of(self.newest_but_questions(done.request), done)

    def newest_but_questions(self, request: Request) -> Done | None:
        """What was said to the bot last in the channel, by whomever, but questions."""
        return self._newest_but_questions.get((request.guild_id, request.channel_id))

    def newest(self, request: Request) -> Done | None:
        """What was asked for last in the channel, by whomever."""
        return self._newest.get((request.guild_id, request.channel_id))

    def changed(self, request: Request) -> Done | None:
        """What whoever writes had changed last in the channel, whatever they asked since."""
        return self._changed.get(_whose(request))

    def drop_newest(self, request: Request) -> None:
        """Let go of what was asked for last; what was changed before it can still be taken back."""
        self._last.pop(_whose(request), None)

    def keep_undone(self, request: Request, done: Done) -> None:
        """Keep a command that was undone: it can be asked for again."""
        self._undone[_whose(request)] = done

    def undone(self, request: Request) -> Done | None:
        """What whoever writes had undone, if they ordered nothing since."""
        return self._undone.get(_whose(request))

    def drop(self, request: Request) -> None:
        """Let go of it: it was taken back."""
        if self.newest(request) in (self.last(request), self.changed(request)):
            self._newest.pop((request.guild_id, request.channel_id), None)
            self._newest_but_questions.pop((request.guild_id, request.channel_id), None)
        self._last.pop(_whose(request), None)
        self._changed.pop(_whose(request), None)


def _is_of(newest: Done | None, done: Done) -> bool:
    return newest is None or newest.request.viewer.user_id == done.request.viewer.user_id


def entry(reply: Reply, name: str) -> Undo | None:
    """The entry that a button of an answer is about."""
    return next((Undo(entry_id=int(a.args[0]), key=a.args[1]) for a in reply.actions if a.name == name), None)


def _whose(request: Request) -> _Whose:
    return request.guild_id, request.channel_id, request.viewer.user_id


def redirected(done: Done, subject: str, request: Request) -> tuple[commands.Command, Request] | None:
    """The same command again, about `subject`, as it was given; None where a command is about nobody."""
    again = replace(done.request, mentioned=(*done.request.mentioned, *request.mentioned), viewer=request.viewer)
    match done.command:
        case commands.Remember() | commands.Know():
            return replace(done.command, subject=subject), again
        case commands.Forget(numbers=(), everything=False):
            return replace(done.command, subject=subject), again
        case commands.Forget(everything=True):
            return replace(done.command, statement=subject), again
    return None
