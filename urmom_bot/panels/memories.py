"""What is known of somebody, page by page: facts, summaries and history, each with its source and its buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from memory import (
    EVERYONE,
    Change,
    Fact,
    Member,
    MemoryManager,
    NotRemembered,
    Standing,
    Statement,
    Why,
    fit,
    jump_link,
)
from urmom_bot.panels.page import Button, Choice, Field, Form, Page
from urmom_bot.talk.finding import FOUND, fact_line
from urmom_bot.talk.requests import Request
from urmom_bot.talk.talker import Talker, undo_button
from urmom_bot.talk.texts import Words

A_PAGE = 4
"""Facts of a page: one row of buttons each, and one to turn the page."""

LINES = 8
"""Changes of a page of history."""

FACT_SHOWN = 300
"""Characters of a fact on a page; the whole is in the form to correct it."""


WHY_FOUND = 10
"""Links to what a search found for an answer, of those that are shown."""


class Memories:
    """Shows, confirms, corrects, strikes, restores."""

    def __init__(self, memory: MemoryManager, talker: Talker, *, reply_days: int) -> None:
        self._memory = memory
        self._reply_days = reply_days
        self._talker = talker
        self.presses = {
            "show": self._show,
            "confirm": self._confirm,
            "correct": self._correct,
            "corrected": self._corrected,
            "strike": self._strike,
            "strikeday": self._strike_day,
            "restore": self._restore,
            "teach": self._taught,
        }

    async def show(self, said: Request, about: Member, words: Words, *, tab: str = "facts", page: int = 0) -> Page:
        """A page about somebody: their facts, their summaries, or what was changed."""
        if tab == "days":
            return await self._days(said, about, words, page)
        if tab == "history":
            return await self._history(said, about, words, page)
        return await self._facts(said, about, words, page)

    def _own(self, said: Request, about: Member) -> bool:
        return said.alone and said.speaker.user_id == about.user_id

    async def _facts(self, said: Request, about: Member, words: Words, page: int) -> Page:
        own = self._own(said, about)
        facts = await self._memory.facts(said.guild, about.user_id, audience=said.audience, own=own)
        groups = [(_group(fact), fact) for fact in facts]
        ordered = [fact for _, fact in sorted(groups, key=lambda g: (g[0], g[1].created_at, g[1].fact_id))]
        page, pages = _turned(page, len(ordered))
        shown = ordered[page * A_PAGE : (page + 1) * A_PAGE]
        members = await self._memory.members(said.guild, {f.stated_by for f in shown})
        sources = await self._memory.sources(said.guild, [f.fact_id for f in shown])
        lines = [words("show_facts", name=about.display_name, count=len(ordered), page=page + 1, pages=pages)]
        heading = None
        for fact in shown:
            if heading != (heading := _group(fact)):
                lines.append(
                    words(("show_by_self", "show_by_others", "show_inferred")[heading], name=about.display_name)
                )
            line = fact_line(_shortened(fact), members, self._memory.standing(fact), words)
            if (times := len(sources.get(fact.fact_id, ()))) > 1:
                line += " " + words("mark_told", times=times)
            lines.append(line)
        if not ordered:
            lines.append(words("know_nothing", name=about.display_name))
        if stale := sum(self._memory.standing(fact) is Standing.STALE for fact in ordered):
            lines.append(words("show_stale", count=stale))
        rows = tuple(self._buttons(said, fact, page, words) for fact in shown if said.allowed(fact))
        return Page(text="\n".join(lines), rows=(*rows, self._turn(about, "facts", page, pages, words)), replaces=True)

    def _buttons(self, said: Request, fact: Fact, page: int, words: Words) -> tuple[Button, ...]:
        number, place = str(fact.fact_id), str(page)
        stale = self._memory.standing(fact) is not Standing.CURRENT
        return (
            Button(
                label=words("button_confirm", number=number),
                action="confirm",
                args=(number, place),
                style="success" if stale else "secondary",
            ),
            Button(label=words("button_correct", number=number), action="correct", args=(number, place)),
            Button(label=words("button_strike", number=number), action="strike", args=(number, place), style="danger"),
        )

    def _turn(self, about: Member, tab: str, page: int, pages: int, words: Words) -> tuple[Button, ...]:
        whose = str(about.user_id)
        tabs = [
            Button(label=words(f"tab_{name}"), action="show", args=(whose, name, "0"))
            for name in ("facts", "days", "history")
            if name != tab
        ]
        return (
            Button(label="◀", action="show", args=(whose, tab, str(page - 1)), disabled=page == 0),
            Button(label="▶", action="show", args=(whose, tab, str(page + 1)), disabled=page + 1 >= pages),
            *tabs,
        )

    async def _days(self, said: Request, about: Member, words: Words, page: int) -> Page:
        texts = await self._memory.summaries(said.guild, about.user_id, audience=said.audience)
        page, pages = _turned(page, len(texts))
        lines = [words("show_days", name=about.display_name, count=len(texts), page=page + 1, pages=pages)]
        rows = []
        for text in texts[page * A_PAGE : (page + 1) * A_PAGE]:
            places = [m for n in text.evidence[:3] if (m := await self._memory.message(said.guild, n))]
            links = " ".join(words("mark_link", link=jump_link(said.guild, m.channel_id, m.message_id)) for m in places)
            name = words("day_before" if text.level != "day" else "day_of", date=text.day.isoformat())
            lines.append(f"**{name}**: {text.text} {links}".strip())
            if text.level == "day" and said.speaker.user_id == about.user_id:
                args = (text.day.isoformat(), str(text.audience), str(page))
                label = words("button_strike_day", date=text.day.isoformat())
                rows.append((Button(label=label, action="strikeday", args=args, style="danger"),))
        if not texts:
            lines.append(words("show_no_days"))
        return Page(text="\n".join(lines), rows=(*rows, self._turn(about, "days", page, pages, words)), replaces=True)

    async def _history(self, said: Request, about: Member, words: Words, page: int) -> Page:
        changes = await self._memory.changes(said.guild, about.user_id, limit=LINES + 1, skip=page * LINES)
        ids = {n for change in changes for n in (*change.fact_ids, *change.details.get("replaced", ()))}
        facts = await self._memory.some_facts(said.guild, ids)
        members = await self._memory.members(said.guild, {change.actor_id for change in changes})
        lines = [words("show_history", name=about.display_name, page=page + 1)]
        lines += [
            self._change_line(said, change, facts, members, words)
            for change in changes[:LINES]
            if self._own(said, about) or self._told_to_others(said, change, facts)
        ]
        retired = await self._memory.retired(
            said.guild, about.user_id, audience=said.audience, own=self._own(said, about)
        )
        rows = [
            (
                Button(
                    label=fit(words("button_restore", number=fact.fact_id, fact=fact.value), 80),
                    action="restore",
                    args=(str(fact.fact_id), str(page)),
                ),
            )
            for fact in retired[page * A_PAGE : (page + 1) * A_PAGE]
            if said.allowed(fact)
        ]
        if not changes and not retired:
            lines.append(words("show_no_history"))
        pages = page + (2 if len(changes) > LINES or len(retired) > (page + 1) * A_PAGE else 1)
        turn = self._turn(about, "history", page, pages, words)
        return Page(text="\n".join(lines), rows=(*rows, turn), replaces=True)

    def _told_to_others(self, said: Request, change: Change, facts: Mapping[int, Fact]) -> bool:
        """Whether a change is for others than the person to see: what is private or told elsewhere is not."""
        about = [facts[n] for n in change.fact_ids if n in facts]
        private = change.action in ("pending", "consent", "forget_day")
        return not private and all(said.may_hear(fact) for fact in about)

    def _change_line(
        self, said: Request, change: Change, facts: Mapping[int, Fact], members: Mapping[int, Member], words: Words
    ) -> str:
        by = members.get(change.actor_id)
        told = [
            f"#{n} “{fit(facts[n].value, 120)}”" if n in facts and said.may_hear(facts[n]) else f"#{n}"
            for n in change.fact_ids[:3]
        ]
        line = words(
            "change_line",
            date=f"{change.at:%Y-%m-%d %H:%M}",
            who=by.display_name if by else words("someone"),
            action=words(f"action_{change.action}"),
            facts=", ".join(told),
        )
        return line + (" " + words("mark_undone") if change.undone_at else "")

    # Presses

    async def _show(self, said: Request, args: tuple[str, ...], _answers: Mapping[str, str], words: Words) -> Page:
        about = await self._talker.member(said.guild, int(args[0]))
        return await self.show(said, about, words, tab=args[1], page=int(args[2]))

    async def _pressed(self, said: Request, number: str) -> Fact | None:
        fact = await self._memory.fact(said.guild, int(number))
        return fact if fact is not None and said.may_hear(fact) and said.allowed(fact) else None

    async def _again(self, said: Request, fact: Fact, page: str, words: Words, *, tab: str = "facts") -> Page:
        about = await self._talker.member(said.guild, fact.user_id)
        return await self.show(said, about, words, tab=tab, page=int(page))

    async def _confirm(self, said: Request, args: tuple[str, ...], _answers: Mapping[str, str], words: Words) -> Page:
        fact = await self._pressed(said, args[0])
        if fact is None or await self._memory.confirm(fact, by=said.speaker.user_id) is None:
            return Page(text=words("no_such_fact", number=args[0]))
        page = await self._again(said, fact, args[1], words)
        return _first(page, words("confirmed", number=fact.fact_id))

    async def _correct(
        self, said: Request, args: tuple[str, ...], _answers: Mapping[str, str], words: Words
    ) -> Page | Form:
        fact = await self._pressed(said, args[0])
        if fact is None:
            return Page(text=words("no_such_fact", number=args[0]))
        return Form(
            title=fit(words("form_correct", number=fact.fact_id), 45),
            action="corrected",
            args=args,
            fields=(Field(name="sentence", label=words("field_sentence"), kind="text", value=fact.value),),
        )

    async def _corrected(self, said: Request, args: tuple[str, ...], answers: Mapping[str, str], words: Words) -> Page:
        fact = await self._pressed(said, args[0])
        if fact is None:
            return Page(text=words("no_such_fact", number=args[0]))
        statement = Statement(
            guild_id=said.guild,
            user_id=fact.user_id,
            stated_by=said.speaker.user_id,
            quote=answers["sentence"],
            channel_id=fact.channel_id,
            message_id=-said.message_id,
            audience=fact.audience,
            moderates=said.may_moderate,
        )
        try:
            done = await self._memory.correct(fact, statement)
        except NotRemembered as refused:
            about = await self._talker.member(said.guild, refused.whom or fact.user_id)
            why = Why.SENSITIVE if refused.why is Why.CONFIRM else refused.why
            matter = words(f"matter_{refused.matter or 'other'}")
            return Page(text=words(f"not_{why.value}", name=about.display_name, matter=matter))
        page = await self._again(said, fact, args[1], words)
        return _first(page, words("corrected", number=fact.fact_id, fact=done.fact.value))

    async def _strike(self, said: Request, args: tuple[str, ...], _answers: Mapping[str, str], words: Words) -> Page:
        fact = await self._pressed(said, args[0])
        if fact is None:
            return Page(text=words("no_such_fact", number=args[0]))
        about = await self._talker.member(said.guild, fact.user_id)
        done = await self._memory.forgetting.forget_facts(
            said.guild,
            about,
            [fact],
            by=said.speaker.user_id,
            moderates=said.may_moderate,
            audience=said.audience,
        )
        told = await self._talker.told_forgotten(said, done, about, words)
        page = await self._again(said, fact, args[1], words)
        return _first(page, told.text, told.buttons)

    async def _strike_day(
        self, said: Request, args: tuple[str, ...], _answers: Mapping[str, str], words: Words
    ) -> Page:
        day, audience = date.fromisoformat(args[0]), int(args[1])
        undo = None
        if audience in said.audiences:
            undo = await self._memory.forgetting.strike_day(
                said.guild,
                said.speaker,
                day,
                audience,
                await self._memory.time_zone(said.guild),
                by=said.speaker.user_id,
            )
        if undo is None:
            return Page(text=words("keep_not"))
        page = await self.show(said, said.speaker, words, tab="days", page=int(args[2]))
        return _first(page, words("day_struck", date=args[0]), (undo_button(undo, words),))

    async def _restore(self, said: Request, args: tuple[str, ...], _answers: Mapping[str, str], words: Words) -> Page:
        fact = await self._pressed(said, args[0])
        if fact is None:
            return Page(text=words("no_such_fact", number=args[0]))
        if await self._memory.restore(fact, by=said.speaker.user_id) is None:
            return Page(text=words("restore_not"))
        page = await self._again(said, fact, args[1], words, tab="history")
        return _first(page, words("restored", fact=fact.value))

    # Teaching by form

    def teach(self, said: Request, about: Member, message_id: int, text: str, words: Words) -> Form:
        """The form for "Remember this", filled in with whom, what, and who may see it."""
        here = "here" if said.audience != EVERYONE else "everyone"
        mine = about.user_id == said.speaker.user_id
        choices = [Choice(value=here, label=words(f"choice_{here}"), chosen=True)]
        choices += [Choice(value="me", label=words("choice_me"))] if mine else []
        return Form(
            title=words("form_remember"),
            action="teach",
            args=(str(message_id), str(about.user_id)),
            fields=(
                Field(name="about", label=words("field_about"), kind="member", value=str(about.user_id)),
                Field(name="sentence", label=words("field_sentence"), kind="text", value=fit(text, 1_000)),
                Field(name="audience", label=words("field_audience"), kind="choice", choices=tuple(choices)),
            ),
        )

    async def _taught(self, said: Request, args: tuple[str, ...], answers: Mapping[str, str], words: Words) -> Page:
        about = await self._talker.member(said.guild, int(answers.get("about") or args[1]))
        if about.display_name.startswith("<@") and answers.get("about name"):
            about = replace(about, display_name=answers["about name"], username=answers["about name"])
        author = await self._talker.member(said.guild, int(args[1]))
        members = dict(await self._memory.members(said.guild))
        members[about.user_id] = about
        told = await self._talker.remember(
            said,
            about,
            answers["sentence"],
            words,
            members,
            by=author,
            source=int(args[0]),
            for_me=answers.get("audience") == "me" and about.user_id == said.speaker.user_id,
        )
        return Page(text=told.text, rows=(told.buttons,) if told.buttons else ())

    # Why

    async def why(self, said: Request, reply_id: int, words: Words) -> Page:
        """What one of the bot's answers was given: facts and sources, and for oneself, what was kept back."""
        found = await self._memory.given_to(said.guild, reply_id)
        if found is None:
            return Page(text=words("why_unknown", days=self._reply_days))
        _, given = found
        if not given:
            return Page(text=words("why_nothing"))
        whom = [int(user_id) for user_id in given if user_id != FOUND]
        facts = await self._memory.some_facts(said.guild, [n for about in given.values() for n in about["facts"]])
        members = await self._memory.members(said.guild, {*whom, *(f.stated_by for f in facts.values())})
        lines = [words("why")]
        for user_id in whom:
            lines += await self._why_of(said, user_id, given[str(user_id)], members, words)
        if FOUND in given:
            links = await self._links(said, given[FOUND]["messages"][:WHY_FOUND])
            lines.append(words("why_found", links=" ".join(links) or words("why_no_links")))
        return Page(text="\n".join(lines))

    async def _links(self, said: Request, message_ids: Sequence[int]) -> list[str]:
        """The addresses of messages, of those that are still there and may be read."""
        links = []
        for message_id in message_ids:
            message = await self._memory.message(said.guild, message_id)
            if message is not None and message.audience in said.audiences:
                links.append(jump_link(said.guild, message.channel_id, message.message_id))
        return [link for link in links if link]

    async def _why_of(
        self, said: Request, user_id: int, about: Mapping[str, Any], members: Mapping[int, Member], words: Words
    ) -> Sequence[str]:
        facts = await self._memory.some_facts(said.guild, about["facts"])
        told = [f for f in facts.values() if f.retired_at is None and said.may_hear(f)]
        name = members[user_id].display_name if user_id in members else words("someone")
        lines = [f"**{name}**"]
        lines += [fact_line(_shortened(f), members, self._memory.standing(f), words) for f in told[:10]]
        levels = [level for level in about.get("levels", ()) if level != "facts"]
        if levels:
            links = " ".join(await self._links(said, about["messages"][:5]))
            named = ", ".join(
                words("level_" + level.replace(" ", "_").replace("-", "_")) for level in dict.fromkeys(levels)
            )
            lines.append(words("why_summaries", levels=named, links=links or words("why_no_links")))
        if gone := len(about["facts"]) - len(told):
            lines.append(words("why_gone", count=gone))
        if about.get("kept_back") and user_id == said.speaker.user_id:
            lines.append(words("why_kept_back", count=about["kept_back"]))
        return lines if len(lines) > 1 else [*lines, words("why_nothing")]


def _group(fact: Fact) -> int:
    """Told by the person, told by others, drawn from talk."""
    if fact.source.value == "inferred":
        return 2
    return int(fact.stated_by != fact.user_id)


def _turned(page: int, count: int) -> tuple[int, int]:
    pages = max(1, -(-count // A_PAGE))
    return min(max(page, 0), pages - 1), pages


def _shortened(fact: Fact) -> Fact:
    return replace(fact, value=fit(fact.value, FACT_SHOWN))


def _first(page: Page, line: str, buttons: tuple[Button, ...] = ()) -> Page:
    """A page with news above it, and the buttons that go with them in its last row's place where rows are full."""
    rows = page.rows
    if buttons:
        last = (*buttons, *(b for b in rows[-1] if not b.disabled))[:5] if rows else buttons
        rows = (*rows[:-1], last)
    return Page(text=f"{line}\n\n{page.text}", rows=rows, files=page.files, replaces=page.replaces)
