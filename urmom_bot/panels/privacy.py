"""What is stored about the one who asks, what they let be kept, their export, and the end of it all."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from memory import Consent, MemoryManager, Receipt
from memory.ids import ALL_GUILDS, GuildId, UserId
from memory.records import Chosen
from memory.rules.text import with_names
from urmom_bot.actions import ACTIONS, action
from urmom_bot.markup import Markup, foreign, joined
from urmom_bot.panels.page import Button, Form, Page, buttons
from urmom_bot.panels.page_links import PageLinks
from urmom_bot.panels.pressing import Pressed, confirmation, is_confirmed
from urmom_bot.talk.requests import Request
from urmom_bot.talk.texts import Texts, policy
from urmom_bot.viewing import Viewing
from urmom_bot.views import PrivacyView, StoredView, undo_action


class Privacy:
    """The panel of /privacy, in a server or in direct messages. Everything in it is about whoever presses."""

    def __init__(self, memory: MemoryManager, viewing: Viewing, links: PageLinks, contact: str = "") -> None:
        self._memory = memory
        self._viewing = viewing
        self._links = links
        self._contact = contact

    async def panel(self, request: Request, texts: Texts) -> Page:
        """What is stored, and what can be done about it."""
        view = await self._viewing.privacy(request.viewer, request.guild_names)
        lines = [
            await self._policy_in(request, texts),
            Markup(),
            *(_stored_line(stored, texts) for stored in view.stored),
        ]
        if not view.stored:
            lines.append(texts("privacy_nothing"))
        where = texts(f"where_{_where(view.here or ALL_GUILDS)}")
        lines.append(texts("privacy_consent", where=where, consent=texts(f"consent_{view.consent.value}")))
        if view.is_ignored:
            lines.append(texts("privacy_ignored"))
        rows = _rows(view, texts)
        if self._links.address and not request.is_direct:
            rows = (*rows[:-1], (*rows[-1], Button(label=texts("button_page"), action="page")))
        return Page(text=joined(lines), rows=rows)

    async def _policy_in(self, request: Request, texts: Texts) -> Markup:
        """The policy with what the server decided itself."""
        own = None if request.is_direct else (await self._memory.guilds.rules(request.guild_id)).retention_days
        kept = self._memory.retention
        return policy(
            texts.language,
            foreign(self._contact) if self._contact else "",
            retention=kept.messages.days if own is None else min(own, kept.messages.days),
            summaries=kept.summaries.days,
            years=kept.months.days // 365,
            conclusions=kept.conclusions.days,
            replies=kept.replies.days,
            grace=kept.after_leaving.days if kept.after_leaving is not None else 0,
        )

    # Presses

    @action("privacy", style="primary")
    async def _open(self, pressed: Pressed) -> Page:
        return await self.panel(pressed.request, pressed.texts)

    @action("policy", style="primary")
    async def _policy(self, pressed: Pressed) -> Page:
        button = Button(label=pressed.texts("button_privacy"), action="privacy")
        return Page(text=await self._policy_in(pressed.request, pressed.texts), rows=((button,),))

    @action("consent", changes=True)
    async def _consent(self, pressed: Pressed) -> Page:
        """Let more be kept at one press. What removes anything is asked about, also by a button of an older panel."""
        consent = Consent(pressed.args[1])
        if consent is not Consent.ON:
            return await self._consent_sure(pressed)
        return await self._chosen(pressed, consent)

    @action("consent_ask")
    async def _consent_sure(self, pressed: Pressed) -> Page:
        """Say what a choice would remove, before anything goes."""
        texts, guild_id, consent = pressed.texts, _guild(pressed), Consent(pressed.args[1])
        viewer, names = pressed.viewer, pressed.request.guild_names
        stored = () if guild_id is None else (await self._viewing.privacy(viewer, names)).stored
        lines = [_stored_line(view, texts) for view in stored if guild_id in (ALL_GUILDS, view.guild_id)]
        where = texts(f"where_{_where(_pressed_guild(pressed))}")
        text = joined((texts(f"consent_sure_{consent.value}", where=where), *lines))
        choose = Button(
            label=texts(f"button_consent_{consent.value}_{_where(_pressed_guild(pressed))}"),
            action="consent_word",
            args=pressed.args,
            style="danger",
        )
        return Page(text=text, rows=((choose,),))

    @action("consent_word", opens_form=True)
    async def _consent_form(self, pressed: Pressed) -> Form:
        texts = pressed.texts
        word = confirmation("field_consent_direct" if pressed.request.is_direct else "field_consent", texts)
        removes = texts(f"consent_{Consent(pressed.args[1]).value}_do")
        return Form(title=texts("form_consent"), action="consented", args=pressed.args, fields=(word,), removes=removes)

    @action("consented", changes=True)
    async def _consented(self, pressed: Pressed) -> Page:
        if not is_confirmed(pressed):
            return Page(text=pressed.texts("erase_not"))
        return await self._chosen(pressed, Consent(pressed.args[1]))

    async def _chosen(self, pressed: Pressed, consent: Consent) -> Page:
        guild_id, texts, chosen = _guild(pressed), pressed.texts, Chosen()
        if guild_id is not None:
            chosen = await self._memory.privacy.choose(pressed.viewer, pressed.request.speaker, consent, guild_id)
        lines = [texts(f"consent_now_{consent.value}", where=texts(f"where_{_where(_pressed_guild(pressed))}"))]
        if chosen.undo is not None:
            lines.append(texts("consent_undo"))
        if chosen.receipts:
            lines.append(texts("receipt_attached"))
        rows = ((buttons((undo_action(chosen.undo),), texts)),) if chosen.undo is not None else ()
        return Page(text=joined(lines), files=_receipts(chosen.receipts), rows=rows)

    @action("export")
    async def _export(self, pressed: Pressed) -> Page:
        guild_id, user_id = _guild(pressed), pressed.viewer.user_id
        exports = [] if guild_id is None else await self._memory.privacy.export(pressed.viewer, user_id, guild_id)
        if not exports:
            return Page(text=pressed.texts("privacy_nothing"))
        whole = exports[0] if len(exports) == 1 else exports
        files = {
            f"urmom-bot-{user_id}.json": json.dumps(whole, ensure_ascii=False, indent=1),
            f"urmom-bot-{user_id}.md": "\n".join(map(readable_export, exports)),
        }
        return Page(text=pressed.texts("export_done"), files=files)

    @action("erase", style="danger", opens_form=True)
    async def _erase(self, pressed: Pressed) -> Page | Form:
        texts = pressed.texts
        word = confirmation("field_erase", texts)
        title = texts("form_erase")
        return Form(title=title, action="erased", args=pressed.args, fields=(word,), removes=title)

    @action("erased", changes=True)
    async def _erased(self, pressed: Pressed) -> Page:
        texts, guild_id = pressed.texts, _guild(pressed)
        if not is_confirmed(pressed):
            return Page(text=texts("erase_not"))
        speaker = pressed.request.speaker
        receipts = [] if guild_id is None else await self._memory.privacy.erase(pressed.viewer, speaker, guild_id)
        clean = all(receipt.clean for receipt in receipts)
        return Page(text=texts("erased" if clean else "erased_left"), files=_receipts(receipts))


def _pressed_guild(pressed: Pressed) -> GuildId:
    return GuildId(pressed.number(0))


def _guild(pressed: Pressed) -> GuildId | None:
    """The guild a button is for, or everywhere; None where it is for another guild than the one it is pressed in."""
    guild_id = _pressed_guild(pressed)
    return guild_id if guild_id in (ALL_GUILDS, pressed.viewer.guild_id) else None


def _stored_line(view: StoredView, texts: Texts) -> Markup:
    stored, counts = view.stored, view.stored.counts
    name = texts("where_here") if view.is_here else view.guild_name
    return texts(
        "privacy_stored",
        where=name or texts("where_other", guild=view.guild_id),
        messages=counts["messages"],
        facts=counts["facts_by_me"] + counts["facts_by_others"],
        by_others=counts["facts_by_others"],
        retired=counts["facts_retired"],
        about_others=counts["facts_about_others"],
        summaries=counts["summaries"],
        oldest=stored.oldest.date() if stored.oldest else "–",
        newest=stored.newest.date() if stored.newest else "–",
    )


def _rows(view: PrivacyView, texts: Texts) -> tuple[tuple[Button, ...], ...]:
    """Rows to choose what is kept, here and everywhere, and one to export or erase it."""
    here = [view.here] if view.here is not None else []
    rows = [_choices(guild_id, view.consent, texts) for guild_id in here]
    rows.append(_choices(ALL_GUILDS, None if here else view.consent, texts))
    ends = [
        Button(
            label=texts(f"button_{name}_{_where(guild_id)}"),
            action=name,
            args=(str(guild_id),),
            style=ACTIONS[name].style,
        )
        for guild_id in (*here, ALL_GUILDS)
        for name in ("export", "erase")
    ]
    return (*rows, tuple(ends))


def _choices(guild_id: GuildId, now: Consent | None, texts: Texts) -> tuple[Button, ...]:
    return tuple(
        Button(
            label=texts(f"button_consent_{consent.value}_{_where(guild_id)}"),
            action="consent" if consent is Consent.ON else "consent_ask",
            args=(str(guild_id), consent.value),
            style="primary" if consent is now else "secondary",
        )
        for consent in Consent
    )


def _where(guild_id: GuildId) -> str:
    return "everywhere" if guild_id == ALL_GUILDS else "here"


def _receipts(receipts: Sequence[Receipt]) -> dict[str, str]:
    if not receipts:
        return {}
    return {"receipt.json": json.dumps([receipt.as_json() for receipt in receipts], indent=2)}


def readable_export(export: Mapping[str, Any]) -> str:
    """An export as a page of Markdown."""
    people = {UserId(int(user_id)): name for user_id, name in export["people"].items()}
    shown = partial(with_names, names=people)
    names = [n for row in export["names"] for n in (row["display_name"], row["username"]) if n]

    lines = [f"# {', '.join(dict.fromkeys(names)) or export['user_id']}", "", f"Server {export['guild_id']}", ""]
    lines += ["## Facts", ""]
    for fact in export["facts"]:
        state = f" (no longer: {fact['retired_because']})" if fact["retired_at"] else ""
        lines.append(f"- {shown(fact['value'])} — told by {fact['stated_by']} on {fact['created_at'][:10]}{state}")
    lines += ["", "## Days", ""] + [f"- {row['at'][:10]}: {shown(row['text'])}" for row in export["notes"]]
    lines += [f"- before {row['end_date']}: {shown(row['summary'])}" for row in export["days_before"]]
    lines += ["", "## Conclusions", ""] + [f"- {r['at'][:10]}: {shown(r['text'])}" for r in export["conclusions"]]
    lines += ["", "## Messages", ""]
    lines += [f"- {row['timestamp'][:16]} {row['message_text']}" for row in export["messages"]]
    return "\n".join(lines) + "\n"
