"""What is known of somebody, page by page: facts, days and history, each with its source and its buttons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from memory import EVERYONE, Fact, Member, MemoryManager, NotRemembered, Undo, Why
from memory.ids import AudienceId, MessageId, UserId
from memory.permissions import may_correct
from memory.rules.text import fit, one_line
from urmom_bot.actions import action
from urmom_bot.markup import Markup, joined, line, link, moment, person
from urmom_bot.panels.page import Button, Field, Form, Option, Page, button, buttons, page_of
from urmom_bot.panels.pressing import Pressed
from urmom_bot.talk import presenting
from urmom_bot.talk.forgetting import Forgetter
from urmom_bot.talk.presenting import FACT_SHOWN, fact_line
from urmom_bot.talk.remembering import Pointed, Rememberer
from urmom_bot.talk.requests import Request
from urmom_bot.talk.texts import Texts
from urmom_bot.viewing import Viewing
from urmom_bot.views import (
    ChangeView,
    DaysView,
    FactsView,
    FactView,
    HistoryView,
    Paging,
    Told,
    WhyMemberView,
    WhyView,
    undo_action,
)

FORM_CHARACTERS = 1_000
"""Characters of a message that the form to remember it is filled in with."""

TABS = ("facts", "days", "history")

HEADINGS = {Told.BY_SUBJECT: "show_by_self", Told.BY_OTHERS: "show_by_others", Told.INFERRED: "show_inferred"}
"""What stands above facts, by where they come from."""


class Memories:
    """Shows, confirms, corrects, strikes, restores."""

    def __init__(
        self,
        memory: MemoryManager,
        viewing: Viewing,
        rememberer: Rememberer,
        forgetter: Forgetter,
    ) -> None:
        self._memory = memory
        self._viewing = viewing
        self._rememberer = rememberer
        self._forgetter = forgetter

    async def show(self, request: Request, subject: Member, texts: Texts, *, tab: str = "facts", page: int = 0) -> Page:
        """A page about somebody: their facts, what is noted of their days, or what was changed."""
        match tab:
            case "days":
                return days_page(await self._viewing.days(request.viewer, subject, page), texts)
            case "history":
                return history_page(await self._viewing.history(request.viewer, subject, page), texts)
        return facts_page(await self._viewing.facts(request.viewer, subject, page), texts)

    async def why(self, request: Request, reply_id: MessageId, texts: Texts) -> Page:
        """What one of the bot's answers was given: facts and sources, and for oneself, what was kept back."""
        view = await self._viewing.why(request.viewer, reply_id)
        if view is None:
            return Page(text=texts("why_unknown", days=self._memory.retention.replies.days))
        return why_page(view, texts)

    def teach(self, request: Request, author: Member, message_id: MessageId, text: str, texts: Texts) -> Form:
        """The form for "Remember this", filled in with whom, what, and who may see it."""
        here = "here" if request.viewer.audience != EVERYONE else "everyone"
        choices = [Option(value=here, label=texts(f"choice_{here}"), chosen=True)]
        if author.user_id == request.speaker.user_id:
            choices.append(Option(value="me", label=texts("choice_me")))
        return Form(
            title=texts("form_remember"),
            action="teach",
            args=(str(message_id), str(author.user_id)),
            fields=(
                Field(name="about", label=texts("field_about"), kind="member", value=str(author.user_id)),
                Field(name="sentence", label=texts("field_sentence"), kind="text", value=fit(text, FORM_CHARACTERS)),
                Field(name="audience", label=texts("field_audience"), kind="choice", choices=tuple(choices)),
            ),
        )

    # Presses

    @action("show")
    async def _show(self, pressed: Pressed) -> Page:
        subject = await self._viewing.member(pressed.viewer.guild_id, pressed.user_id(0))
        return await self.show(pressed.request, subject, pressed.texts, tab=pressed.args[1], page=pressed.number(2))

    @action("details_of")
    @action("details")
    async def _details(self, pressed: Pressed) -> Page:
        subject = await self._viewing.member(pressed.viewer.guild_id, pressed.user_id(0))
        return replace(await self.show(pressed.request, subject, pressed.texts), replaces=False)

    @action("remember", changes=True, is_public=True)
    async def _remember(self, pressed: Pressed) -> Page:
        request, texts, fact = pressed.request, pressed.texts, pressed.form_values["fact"]
        subject = pressed.member(0)
        known = (await self._memory.guilds.find_named(request.guild_id, fact, [subject.user_id])).get(subject.user_id)
        subject = replace(subject, aliases=known.aliases if known else ())
        source_id = MessageId(-request.message_id)
        reply = await self._rememberer.remember(request, subject, fact, texts, source_id=source_id)
        return page_of(reply, texts, is_public=True)

    @action("forget", changes=True)
    async def _forget(self, pressed: Pressed) -> Page:
        subject = await self._named(pressed)
        reply = await self._forgetter.forget(pressed.request, subject, pressed.form_values["fact"], pressed.texts)
        return page_of(reply, pressed.texts)

    @action("forget_number", changes=True)
    async def _forget_number(self, pressed: Pressed) -> Page:
        reply = await self._forgetter.forget_number(pressed.request, pressed.number(0), pressed.texts)
        return page_of(reply, pressed.texts)

    @action("forget_key", changes=True)
    async def _forget_key(self, pressed: Pressed) -> Page:
        subject = await self._named(pressed)
        reply = await self._forgetter.forget_key(pressed.request, subject, pressed.form_values["key"], pressed.texts)
        return page_of(reply, pressed.texts)

    async def _named(self, pressed: Pressed) -> Member:
        """The member that it is about, with the aliases they are known by."""
        subject = pressed.member(0)
        known = await self._memory.guilds.members(pressed.viewer.guild_id, [subject.user_id])
        return replace(subject, aliases=known[subject.user_id].aliases if subject.user_id in known else ())

    async def _again(self, pressed: Pressed, user_id: UserId, *, tab: str = "facts") -> Page:
        """The page whose button was pressed, as it is now."""
        subject = await self._viewing.member(pressed.viewer.guild_id, user_id)
        return await self.show(pressed.request, subject, pressed.texts, tab=tab, page=pressed.number(1))

    @action("confirm", changes=True, denied="no_such_fact")
    async def _confirm(self, pressed: Pressed) -> Page:
        fact = await self._memory.facts.confirm(pressed.viewer, pressed.number(0))
        if fact is None:
            return _no_such_fact(pressed)
        page = await self._again(pressed, fact.user_id)
        return _first(page, pressed.texts("confirmed", number=fact.fact_id))

    @action("correct", opens_form=True, denied="no_such_fact")
    async def _correct(self, pressed: Pressed) -> Page | Form:
        fact = await self._fact(pressed)
        if fact is None or not may_correct(pressed.viewer, fact):
            return _no_such_fact(pressed)
        texts = pressed.texts
        return Form(
            title=fit(texts("form_correct", number=fact.fact_id), 45),
            action="corrected",
            args=pressed.args,
            fields=(Field(name="sentence", label=texts("field_sentence"), kind="text", value=fact.value),),
        )

    @action("corrected", changes=True, denied="no_such_fact")
    async def _corrected(self, pressed: Pressed) -> Page:
        fact, texts = await self._fact(pressed), pressed.texts
        if fact is None:
            return _no_such_fact(pressed)
        try:
            done = await self._memory.facts.correct(
                pressed.viewer,
                fact.fact_id,
                pressed.form_values["sentence"],
                message_id=MessageId(-pressed.request.message_id),
            )
        except NotRemembered as refused:
            if refused.why is Why.CONFIRM and fact.user_id == pressed.viewer.user_id:
                return Page(text=texts("correct_sensitive"))
            who = await self._viewing.member(fact.guild_id, refused.user_id or fact.user_id)
            why = Why.SENSITIVE if refused.why is Why.CONFIRM else refused.why
            return Page(text=presenting.objected(why, presenting.named(who), texts, matter=refused.matter))
        page = await self._again(pressed, fact.user_id)
        undo = () if done.entry_id is None else buttons((undo_action(Undo(entry_id=done.entry_id)),), texts)
        return _first(page, texts("corrected", number=done.fact.fact_id, fact=done.fact.value), undo)

    @action("strike", style="danger", changes=True, denied="no_such_fact")
    async def _strike(self, pressed: Pressed) -> Page:
        fact, viewer = await self._fact(pressed), pressed.viewer
        if fact is None:
            return _no_such_fact(pressed)
        subject = await self._viewing.member(viewer.guild_id, fact.user_id)
        done = await self._memory.forgetting.strike(viewer, subject, [fact])
        if done.refused:
            return _no_such_fact(pressed)
        told = presenting.forgotten(viewer, done, subject, (), (), pressed.texts)
        page = await self._again(pressed, fact.user_id)
        return _first(page, told.text, buttons(told.actions, pressed.texts))

    @action("strike_day", style="danger", changes=True)
    async def _strike_day(self, pressed: Pressed) -> Page:
        return await self._strike_days(pressed, "day")

    @action("strike_week", style="danger", changes=True)
    async def _strike_week(self, pressed: Pressed) -> Page:
        return await self._strike_days(pressed, "week")

    @action("strike_month", style="danger", changes=True)
    async def _strike_month(self, pressed: Pressed) -> Page:
        return await self._strike_days(pressed, "month")

    async def _strike_days(self, pressed: Pressed, period: str) -> Page:
        first, audience = date.fromisoformat(pressed.args[0]), AudienceId(pressed.number(1))
        undo = await self._memory.forgetting.strike_days(pressed.viewer, period, first, audience)
        if undo is None:
            return Page(text=pressed.texts("keep_not"))
        speaker = pressed.request.speaker
        page = await self.show(pressed.request, speaker, pressed.texts, tab="days", page=pressed.number(2))
        struck = pressed.texts("day_struck", days=pressed.texts.period(period, first))
        return _first(page, struck, buttons((undo_action(undo),), pressed.texts))

    @action("restore", changes=True, denied="restore_not")
    async def _restore(self, pressed: Pressed) -> Page:
        fact = await self._fact(pressed)
        if fact is None:
            return _no_such_fact(pressed)
        restored = await self._memory.facts.restore(pressed.viewer, fact.fact_id)
        if restored is None:
            return Page(text=pressed.texts("restore_not"))
        page = await self._again(pressed, fact.user_id, tab="history")
        return _first(page, pressed.texts("restored", fact=fact.value))

    @action("teach", changes=True)
    async def _taught(self, pressed: Pressed) -> Page:
        request, texts, answers = pressed.request, pressed.texts, pressed.form_values
        subject = await self._viewing.member(request.guild_id, UserId(int(answers.get("about") or pressed.args[1])))
        if subject.display_name.startswith("<@") and (name := answers.get("about name")):
            subject = replace(subject, display_name=name, username=name)
        pointed, source_id = await self._pointed(pressed), None
        if pointed is None:  # other words than were written are those of who put them there
            source_id = MessageId(-request.message_id)
        is_private = answers.get("audience") == "me" and subject.user_id == request.speaker.user_id
        told = await self._rememberer.remember(
            request, subject, answers["sentence"], texts, pointed=pointed, source_id=source_id, is_private=is_private
        )
        return Page(text=told.text, rows=(buttons(told.actions, texts),) if told.actions else ())

    async def _pointed(self, pressed: Pressed) -> Pointed | None:
        """The message that the form was filled in with, where its words are still what was written."""
        guild_id, author_id = pressed.request.guild_id, pressed.user_id(1)
        message = await self._memory.messages.get(pressed.viewer, pressed.message_id(0))
        if message is None or message.user_id != author_id:
            choice = await self._memory.privacy.choice(guild_id, author_id)
            if choice.keeps_messages:
                return None
            author = await self._viewing.member(guild_id, author_id)  # whose words are nobody's to take
            return Pointed(message_id=pressed.message_id(0), text="", author=author)
        if one_line(fit(message.text, FORM_CHARACTERS)) != one_line(pressed.form_values["sentence"]):
            return None
        author = await self._viewing.member(guild_id, author_id)
        return Pointed(message_id=message.message_id, text="", author=author)

    async def _fact(self, pressed: Pressed) -> Fact | None:
        """The fact whose button was pressed, where the viewer may hear it."""
        return await self._memory.facts.get(pressed.viewer, pressed.message_id(0))


# Pages


def facts_page(view: FactsView, texts: Texts) -> Page:
    """Facts under headings that say where they come from."""
    paging = view.paging
    lines = [texts("show_facts", name=view.name, count=view.count, page=paging.page + 1, pages=paging.pages)]
    heading: Told | None = None
    for fact in view.facts:
        if heading is not fact.told:
            heading = fact.told
            lines.append(texts(HEADINGS[heading], name=view.name))
        told = [texts("mark_told", times=fact.times_told)] if fact.times_told > 1 else []
        lines.append(joined((fact_line(_shortened(fact), texts), *told), " "))
    if not view.count:
        lines.append(texts("know_nothing", name=view.name))
    if view.stale:
        lines.append(texts("show_stale", count=view.stale))
    rows = tuple(_fact_row(fact, texts) for fact in view.facts if fact.actions)
    listed = tuple(fact.fact_id for fact in view.facts if not fact.is_private)  # nobody else counts those
    rows = (*rows, _turn(view.user_id, "facts", paging, texts))
    return Page(text=joined(lines), rows=rows, replaces=True, listed=listed)


def _fact_row(fact: FactView, texts: Texts) -> tuple[Button, ...]:
    """What may be done with a fact; to confirm it is what a faded one waits for."""
    fades = fact.standing.value != "current"
    return tuple(
        button(action, texts, style="success" if fades and action.name == "confirm" else None)
        for action in fact.actions
    )


def days_page(view: DaysView, texts: Texts) -> Page:
    """What is noted of each day, with links to what shows it."""
    paging = view.paging
    lines = [texts("show_days", name=view.name, count=view.count, page=paging.page + 1, pages=paging.pages)]
    for day in view.days:
        name = texts.period(day.period, day.day)
        sources = [presenting.source_mark(address, texts) for address in day.links]
        lines.append(joined((line("**{}**: {}", name, day.text), *sources), " "))
    if not view.count:
        lines.append(texts("show_no_days"))
    rows = tuple(buttons(day.actions, texts) for day in view.days if day.actions)
    return Page(text=joined(lines), rows=(*rows, _turn(view.user_id, "days", paging, texts)), replaces=True)


def history_page(view: HistoryView, texts: Texts) -> Page:
    """What was changed, by whom; what holds no more can be restored."""
    lines = [texts("show_history", name=view.name, page=view.paging.page + 1)]
    lines += [_change_line(change, texts) for change in view.changes]
    if not view.changes and not view.restorable:
        lines.append(texts("show_no_history"))
    rows = tuple(buttons(fact.actions, texts) for fact in view.restorable)
    turn = _turn(view.user_id, "history", view.paging, texts)
    return Page(text=joined(lines), rows=(*rows, turn), replaces=True)


def _change_line(change: ChangeView, texts: Texts) -> Markup:
    facts = [
        line("#{} {}", n, texts("quoted", text=fit(text, 120))) if text is not None else line("#{}", n)
        for n, text in change.facts
    ]
    told = texts(
        "change_line",
        date=moment(change.at, "f"),
        who=person(change.actor_id) if change.actor_id else texts("someone"),
        action=texts(f"action_{change.action}"),
        facts=joined(facts, ", "),
    )
    return line("{} {}", told, texts("mark_undone")) if change.is_undone else told


def why_page(view: WhyView, texts: Texts) -> Page:
    """What an answer was given, member by member."""
    if not view.members and view.found_links is None:
        return Page(text=texts("why_nothing"))
    lines = [texts("why")]
    for member in view.members:
        lines += _why_lines(member, texts)
    if view.found_links is not None:
        lines.append(texts("why_found", links=_addresses(view.found_links, texts)))
    return Page(text=joined(lines))


def _addresses(links: Sequence[str], texts: Texts) -> Markup:
    """The addresses of messages, numbered."""
    return joined((link(n, address) for n, address in enumerate(links, 1)), " ") if links else texts("why_no_links")


def _why_lines(member: WhyMemberView, texts: Texts) -> list[Markup]:
    lines = [line("**{}**", member.name or texts("someone"))]
    lines += [fact_line(_shortened(fact), texts) for fact in member.facts[:10]]
    if member.levels:
        levels = [texts("level_" + level.replace(" ", "_").replace("-", "_")) for level in member.levels]
        links = _addresses(member.links, texts)
        lines.append(texts("why_summaries", levels=joined(levels, ", "), links=links))
    if member.gone:
        lines.append(texts("why_gone", count=member.gone))
    if member.kept_back:
        lines.append(texts("why_kept_back", count=member.kept_back))
    return lines if len(lines) > 1 else [*lines, texts("why_nothing")]


def _turn(user_id: UserId, tab: str, paging: Paging, texts: Texts) -> tuple[Button, ...]:
    """The row that turns the page and changes the tab."""
    subject, page = str(user_id), paging.page
    tabs = [
        Button(label=texts(f"tab_{name}"), action="show", args=(subject, name, "0")) for name in TABS if name != tab
    ]
    return (
        Button(label="◀", action="show", args=(subject, tab, str(page - 1)), disabled=page == 0),
        Button(label="▶", action="show", args=(subject, tab, str(page + 1)), disabled=not paging.has_next),
        *tabs,
    )


def _shortened(fact: FactView) -> FactView:
    return replace(fact, text=fit(fact.text, FACT_SHOWN))


def _no_such_fact(pressed: Pressed) -> Page:
    return Page(text=pressed.texts("no_such_fact", number=pressed.args[0]))


def _first(page: Page, news: Markup, more: tuple[Button, ...] = ()) -> Page:
    """A page with news above it, and the buttons that go with them in its last row's place where rows are full."""
    rows = page.rows
    if more:
        last = (*more, *(b for b in rows[-1] if not b.disabled))[:5] if rows else more
        rows = (*rows[:-1], last)
    return replace(page, text=joined((news, page.text), "\n\n"), rows=rows, news=news, news_actions=more)
