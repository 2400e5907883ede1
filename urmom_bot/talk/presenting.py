"""Views and what was done, as the bot's own words in a language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memory import Fact, Forgotten, Given, Member, NotRemembered, Receipt, Remembered, Undo, Viewer, Why
from memory.permissions import may_hear
from memory.records import GivenMember
from memory.rules.ageing import Standing
from memory.rules.text import fit
from urmom_bot.actions import Action
from urmom_bot.markup import Markup, foreign, joined, line, link, person
from urmom_bot.talk.requests import Reply
from urmom_bot.talk.texts import Texts
from urmom_bot.views import FactView, Told, fact_actions, receipt_action, undo_action

FACT_SHOWN = 300
"""Characters of a fact in a list; the whole is in the form that corrects it."""

JUST_TOLD = "told"
"""Stands for the fallback level where an answer tells a fact that was just taught."""

MAX_DOUBTED = 2
"""Facts at the most of which somebody who tells another is asked whether they are still true."""

MAX_OFFERED_FACTS = 4
"""Facts that a deletion in other words offers at the most."""


def fact_line(fact: FactView, texts: Texts) -> Markup:
    """A fact with its number; below it, in small print, its teller, date, source, and what keeps it from being told.

    A fact is one line and never small print: it cannot pass for where it comes from.
    """
    teller = texts("teller_self")
    if fact.teller_id and fact.told is not Told.BY_SUBJECT:
        teller = person(fact.teller_id)
    day = fact.told_at.date()
    told = texts("fact_line", number=fact.fact_id, fact=fact.text, teller=teller, date=day)
    marks = [texts(f"mark_{fact.standing.value}")] if fact.standing is not Standing.CURRENT else []
    marks += [texts("mark_private")] if fact.is_private else []
    marks += [source_mark(fact.link, texts)] if fact.link else []
    return joined((told, *marks), " ")


def source_mark(address: str, texts: Texts) -> Markup:
    """A link to the message that something stands in."""
    return link(texts("mark_link"), address)


def fact_lines(facts: Sequence[FactView], texts: Texts) -> Markup:
    """Facts, one after the other."""
    return joined(fact_line(fact, texts) for fact in facts)


def remembered(viewer: Viewer, done: Remembered, subject: Member, texts: Texts) -> Reply:
    """The exact sentence that is stored, what it took the place of, what may be over because of it, and Undo."""
    name = "already_known" if done.known else "remembered_as_said" if done.as_said else "remembered"
    if subject.is_server and not done.known:
        name = "remembered_server"
    lines = [texts("remembered_private" if done.fact.private else name, name=named(subject), fact=done.fact.value)]
    if done.replaced and not done.fact.private:  # these words are for them alone
        lines.append(texts("replaced", facts=_quoted(done.replaced, texts)))
    doubtful = () if done.fact.private else done.doubtful[:MAX_DOUBTED]
    if doubtful:
        numbered = (line("#{} {}", f.fact_id, texts("quoted", text=f.value)) for f in doubtful)
        lines.append(texts("still_true", facts=joined(numbered, " ")))
    if done.alias is not None:
        lines.append(line("-# {}", texts("alias_waits", alias=done.alias, name=named(subject))))
    told = GivenMember(fact_ids=(done.fact.fact_id,), fallback=JUST_TOLD)
    undo = (undo_action(Undo(entry_id=done.entry_id)),) if done.entry_id is not None else ()
    return Reply(
        text=joined(lines),
        actions=(*undo, *strike_actions(viewer, doubtful)),
        given=Given(members={subject.user_id: told}),
    )


def named(member: Member) -> Markup:
    """What somebody is called; by their id where no name is known."""
    return person(member.user_id) if member.display_name == f"<@{member.user_id}>" else foreign(member.display_name)


def _quoted(facts: Iterable[Fact], texts: Texts) -> Markup:
    return joined((texts("quoted", text=fact.value) for fact in facts), " ")


def refused(why: NotRemembered, name: str, texts: Texts) -> Markup:
    """Why a statement is not stored."""
    return objected(why.why, name, texts, matter=why.matter)


def objected(why: Why, name: str, texts: Texts, *, matter: str | None = None) -> Markup:
    """The sentence for a reason not to store a statement about somebody called `name`."""
    return texts(f"not_{why.value}", name=name, matter=texts(f"matter_{matter or 'other'}"))


def nothing_found(viewer: Viewer, subject: Member, texts: Texts) -> Markup:
    """The answer where nothing is stored that was to be deleted. Without a name it may be of whoever asks."""
    if viewer.is_person(subject.user_id):
        return texts("nothing_like_that")
    return texts("nothing_to_forget", name=named(subject))


def back_again(facts: Sequence[Fact], texts: Texts) -> Markup:
    """The answer to an undone deletion: the facts that are back."""
    return texts("back_again", facts=_quoted(facts, texts))


def forgotten(
    viewer: Viewer,
    done: Forgotten,
    subject: Member,
    candidates: Sequence[FactView],
    nearest: Sequence[FactView],
    texts: Texts,
) -> Reply:
    """What a request to forget did, the receipt in a line, and Undo; facts the viewer may not hear are only counted."""
    name = named(subject)
    lines = []
    shown = [fact for fact in done.removed if may_hear(viewer, fact.audience)]
    further = done.further + len(done.removed) - len(shown)
    if shown:
        lines.append(texts("forgotten", name=name, facts=_quoted(shown, texts)))
    if stay := [fact for fact in done.told_by_others if may_hear(viewer, fact.audience)]:
        lines.append(texts("forgotten_source", name=name, facts=_quoted(stay, texts)))
    elif done.receipt is not None and not shown:
        deleted = "forgotten_hidden" if done.removed or done.further else "forgotten_talk"
        lines.append(texts(deleted if done.receipt.clean else "forgotten_partly", name=name))
    more = further if shown else further - 1  # without any that may be shown, "that" is one of them
    if more > 0:
        lines.append(texts("forgotten_more", count=more))
    if done.receipt is not None and not done.receipt.clean:  # else it waits behind its button
        lines.append(texts("forgotten_left"))
    if kept := [fact for fact in done.refused if may_hear(viewer, fact.audience)]:
        whose = {} if subject.is_server else {"name": name}
        text = "not_yours_server" if subject.is_server else "not_yours"
        lines.append(texts(text, facts=_quoted(kept, texts), **whose))
    if len(candidates) == 1:
        lines.append(texts("forget_one", facts=fact_lines(candidates, texts)))
    elif candidates:
        number = candidates[0].fact_id
        lines.append(texts("candidates", name=name, facts=fact_lines(candidates, texts), number=number))
    if not lines:
        lines.append(nothing_found(viewer, subject, texts))
    if nearest:
        lines.append(texts("nearest", facts=fact_lines(nearest, texts), number=nearest[0].fact_id))
    actions = (undo_action(done.undo), receipt_action(done.undo)) if done.undo is not None else ()
    return Reply(text=joined(lines), actions=(*actions, *strike_actions(viewer, (*done.candidates, *done.nearest))))


def strike_actions(viewer: Viewer, facts: Sequence[Fact]) -> tuple[Action, ...]:
    """A button for each of the first facts that deletes it, where the viewer may."""
    return tuple(a for f in facts[:MAX_OFFERED_FACTS] for a in fact_actions(viewer, f) if a.name == "strike")


def receipt_line(receipt: Receipt, texts: Texts) -> Markup:
    """A receipt in a line."""
    removed = counted(receipt.removed, texts) or Markup("0")
    if receipt.clean:
        return texts("receipt_clean", removed=removed, tables=len(receipt.found))
    left = counted({table: n for table, n in receipt.found.items() if n}, texts)
    return texts("receipt_left", removed=removed, left=left)


def counted(rows: Mapping[str, int], texts: Texts) -> Markup:
    """How many rows of which tables, by the names of what they hold."""
    return joined((line("{}: {}", texts("table_" + table), n) for table, n in rows.items()), ", ")


def label(action: Action, texts: Texts) -> str:
    """What stands on the button of an action."""
    return fit(texts.plain(f"button_{action.name}", **(action.label or {})), 80)
