"""Undo, receipts, and what waits for a confirmation."""

from __future__ import annotations

import json
from collections.abc import Mapping

from memory import MemoryManager, NotRemembered, Undo
from urmom_bot.panels.page import Page
from urmom_bot.talk.requests import Request
from urmom_bot.talk.talker import Talker, remembered
from urmom_bot.talk.texts import Words


class Changes:
    """Takes changes back, shows what they removed, and keeps what was confirmed."""

    def __init__(self, memory: MemoryManager, talker: Talker) -> None:
        self._memory = memory
        self._talker = talker
        self.presses = {"undo": self._undo, "receipt": self._receipt, "keep": self._keep, "drop": self._drop}

    async def _undo(self, said: Request, args: tuple[str, ...], _answers: Mapping[str, str], words: Words) -> Page:
        undo = Undo(entry_id=int(args[0]), key=args[1])
        change = await self._memory.forgetting.undo(
            said.guild,
            undo,
            by=said.speaker.user_id,
            moderates=said.may_moderate or said.may_manage,
            manages=said.may_manage,
        )
        if change is None:
            return Page(text=words("undo_not"))
        return Page(text=words("undone", name=said.speaker.display_name), replaces=True)

    async def _receipt(self, said: Request, args: tuple[str, ...], _answers: Mapping[str, str], words: Words) -> Page:
        change = await self._memory.change(said.guild, int(args[0]))
        if change is None or not (said.may_moderate or said.speaker.user_id in (change.actor_id, change.user_id)):
            return Page(text=words("receipt_none"))
        found = change.details.get("second_search", {})
        receipt = {
            "guild": str(change.guild_id),
            "member": str(change.user_id),
            "action": change.action,
            "at": change.at.isoformat(),
            "removed": change.details.get("removed", {}),
            "second_search": {"found": found, "nothing_left": not any(found.values())},
        }
        return Page(text=words("receipt_is"), files={"receipt.json": json.dumps(receipt, indent=2)})

    async def _keep(self, said: Request, args: tuple[str, ...], _answers: Mapping[str, str], words: Words) -> Page:
        undo = Undo(entry_id=int(args[0]), key=args[1])
        statement = await self._memory.forgetting.held(said.guild, undo, by=said.speaker.user_id)
        if statement is None:
            return Page(text=words("keep_not"))
        try:
            done = await self._memory.remember(statement, said.speaker, said.speaker)
        except NotRemembered as refused:
            return Page(text=words(f"not_{refused.why.value}", name=said.speaker.display_name, matter=""))
        told = remembered(done, said.speaker, words)
        return Page(text=told.text, rows=(told.buttons,) if told.buttons else ())

    async def _drop(self, said: Request, args: tuple[str, ...], _answers: Mapping[str, str], words: Words) -> Page:
        undo = Undo(entry_id=int(args[0]), key=args[1])
        dropped = await self._memory.forgetting.held(said.guild, undo, by=said.speaker.user_id)
        return Page(text=words("dropped" if dropped else "keep_not"), replaces=dropped is not None)
