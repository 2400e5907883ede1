"""What is stored about the one who asks, what they let be kept, their export, and the end of it all."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from memory import Consent, MemoryManager, Receipt, Stored, with_names
from urmom_bot.panels.page import Button, Field, Form, Page, Style
from urmom_bot.talk.requests import Request
from urmom_bot.talk.texts import Words, policy

EVERYWHERE = 0

_ENDS: tuple[tuple[str, Style], ...] = (("export", "secondary"), ("erase", "danger"))

CONFIRMED = {"en": "erase", "es": "borrar", "ru": "удалить", "fr": "effacer"}
"""The word to type before everything is erased; the English one counts in any language."""


class Privacy:
    """The panel of /privacy, in a server or in direct messages. Everything in it is about whoever presses."""

    def __init__(self, memory: MemoryManager, *, lives: Mapping[str, int]) -> None:
        self._memory = memory
        self._values = dict(lives)
        self.retention_days = lives["retention"]
        self.presses = {
            "privacy": self._open,
            "policy": self._policy,
            "consent": self._consent,
            "export": self._export,
            "erase": self._erase,
            "erased": self._erased,
        }

    def policy(self, words: Words) -> str:
        """What is stored, for how long, and how to stop it."""
        return policy(words.language, **self._values)

    async def panel(self, said: Request, words: Words) -> Page:
        """What is stored, and what can be done about it."""
        user_id = said.speaker.user_id
        guilds = await self._memory.guilds_of(user_id)
        lines = [self.policy(words), ""]
        for stored in await self._memory.forgetting.stored(guilds[:10], user_id):
            lines.append(self._stored(said, stored, words))
        if not guilds:
            lines.append(words("privacy_nothing"))
        consent, ignored = await self._memory.consent(said.guild_id or EVERYWHERE, user_id)
        place = words("place_here") if said.guild_id else words("place_everywhere")
        lines.append(words("privacy_consent", place=place, consent=words(f"consent_{consent.value}")))
        if ignored:
            lines.append(words("privacy_ignored"))
        rows = [self._choices(said.guild_id, consent, words)] if said.guild_id else []
        rows.append(self._choices(EVERYWHERE, None if said.guild_id else consent, words))
        places = [said.guild_id, EVERYWHERE] if said.guild_id else [EVERYWHERE]
        rows.append(
            tuple(
                Button(label=words(f"button_{action}_{_where(place)}"), action=action, args=(str(place),), style=style)
                for place in places
                for action, style in _ENDS
            )
        )
        return Page(text="\n".join(lines), rows=tuple(rows))

    def _stored(self, said: Request, stored: Stored, words: Words) -> str:
        counts = stored.counts
        name = words("place_here") if stored.guild_id == said.guild_id else said.guild_names.get(stored.guild_id)
        return words(
            "privacy_stored",
            place=name or words("place_other", guild=stored.guild_id),
            messages=counts["messages"],
            facts=counts["facts_by_me"] + counts["facts_by_others"],
            by_others=counts["facts_by_others"],
            retired=counts["facts_retired"],
            about_others=counts["facts_about_others"],
            summaries=counts["summaries"],
            oldest=f"{stored.oldest:%Y-%m-%d}" if stored.oldest else "–",
            newest=f"{stored.newest:%Y-%m-%d}" if stored.newest else "–",
        )

    def _choices(self, guild_id: int, now: Consent | None, words: Words) -> tuple[Button, ...]:
        return tuple(
            Button(
                label=words(f"button_consent_{consent.value}_{_where(guild_id)}"),
                action="consent",
                args=(str(guild_id), consent.value),
                style="primary" if consent is now else "secondary",
            )
            for consent in Consent
        )

    # Presses

    async def _open(self, said: Request, _args: tuple[str, ...], _answers: Mapping[str, str], words: Words) -> Page:
        return await self.panel(said, words)

    async def _policy(self, _said: Request, _args: tuple[str, ...], _answers: Mapping[str, str], words: Words) -> Page:
        button = Button(label=words("button_privacy"), action="privacy")
        return Page(text=self.policy(words), rows=((button,),))

    async def _places(self, said: Request, place: str) -> list[int]:
        """The guild pressed for, or all that know the presser."""
        if int(place) != EVERYWHERE:
            return [said.guild] if said.guild_id == int(place) else []
        known = await self._memory.guilds_of(said.speaker.user_id)
        return list(dict.fromkeys([*known, *([said.guild_id] if said.guild_id else [])]))

    async def _consent(self, said: Request, args: tuple[str, ...], _answers: Mapping[str, str], words: Words) -> Page:
        consent = Consent(args[1])
        places = await self._places(said, args[0])
        if int(args[0]) == EVERYWHERE:
            places = [EVERYWHERE, *places]
        receipts = await self._memory.forgetting.choose(places, said.speaker, consent, by=said.speaker.user_id)
        where = words(f"place_{_where(int(args[0]))}")
        text = words(f"consent_now_{consent.value}", place=where)
        if receipts:
            text += "\n" + words("receipt_attached")
        return Page(text=text, files=_receipts(receipts))

    async def _export(self, said: Request, args: tuple[str, ...], _answers: Mapping[str, str], words: Words) -> Page:
        files = {}
        user_id = said.speaker.user_id
        exports = [
            await self._memory.forgetting.export(guild_id, user_id) for guild_id in await self._places(said, args[0])
        ]
        if exports:
            whole = exports[0] if len(exports) == 1 else exports
            files[f"urmom-bot-{user_id}.json"] = json.dumps(whole, ensure_ascii=False, indent=1)
            files[f"urmom-bot-{user_id}.md"] = "\n".join(map(readable_export, exports))
        return Page(text=words("export_done" if files else "privacy_nothing"), files=files)

    async def _erase(
        self, said: Request, args: tuple[str, ...], _answers: Mapping[str, str], words: Words
    ) -> Page | Form:
        word = CONFIRMED[words.language]
        return Form(
            title=words("form_erase"),
            action="erased",
            args=args,
            fields=(Field(name="word", label=words("field_erase", word=word), longest=20),),
        )

    async def _erased(self, said: Request, args: tuple[str, ...], answers: Mapping[str, str], words: Words) -> Page:
        if answers["word"].strip().casefold() not in (CONFIRMED[words.language], CONFIRMED["en"]):
            return Page(text=words("erase_not"))
        receipts = [
            await self._memory.forgetting.erase(guild_id, said.speaker, by=said.speaker.user_id)
            for guild_id in await self._places(said, args[0])
        ]
        clean = all(receipt.clean for receipt in receipts)
        return Page(text=words("erased" if clean else "erased_left"), files=_receipts(receipts))


def _where(guild_id: int) -> str:
    return "everywhere" if guild_id == EVERYWHERE else "here"


def _receipts(receipts: Sequence[Receipt]) -> dict[str, str]:
    if not receipts:
        return {}
    return {"receipt.json": json.dumps([receipt.as_json() for receipt in receipts], indent=2)}


def readable_export(export: Mapping[str, Any]) -> str:
    """An export as a page of Markdown."""
    people = {int(user_id): name for user_id, name in export["people"].items()}
    shown = partial(with_names, names=people)
    names = [n for row in export["names"] for n in (row["display_name"], row["username"]) if n]

    lines = [f"# {', '.join(dict.fromkeys(names)) or export['user_id']}", "", f"Server {export['guild_id']}", ""]
    lines += ["## Facts", ""]
    for fact in export["facts"]:
        state = f" (no longer: {fact['retired_because']})" if fact["retired_at"] else ""
        lines.append(f"- {shown(fact['value'])} — told by {fact['stated_by']} on {fact['created_at'][:10]}{state}")
    lines += ["", "## Days", ""] + [f"- {row['at'][:10]}: {shown(row['text'])}" for row in export["notes"]]
    lines += [f"- before {row['end_date']}: {shown(row['summary'])}" for row in export["days_before"]]
    lines += ["", "## Messages", ""]
    lines += [f"- {row['timestamp'][:16]} {row['message_text']}" for row in export["messages"]]
    return "\n".join(lines) + "\n"
