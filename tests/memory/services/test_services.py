"""Services called directly, past every panel: without the right to it, a viewer changes nothing and learns nothing."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from memory import (
    Channel,
    Consent,
    Fact,
    MemoryManager,
    Mode,
    NotAllowed,
    NotRemembered,
    Statement,
    Teachers,
    Undo,
    Viewer,
    operator,
)
from memory.permissions import public
from tests.builders import Clock, G, Talk, query, tell, viewer_of

MIRRORED = {
    "messages": "ingest catch_up edit extend delete flush was_deleted import_batch cursors newest edits_between count"
    " last_written last_texts hold_order keep_off_record caught_up stored_after begin_channels whole remove_again",
    "captions": "list_waiting set_aside describe",
    "facts": "standing",
    "forgetting": "",
    "privacy": "choice guilds_of is_own_export",
    "guilds": "list rules time_zone mode base_role audiences public members server find_named find_by_names find_alike"
    " channels restricted update_channel update_layout channel_deleted on_members_left on_members_joined on_bot_removed"
    " on_bot_joined on_guild_named greet state set_state"
    " layouts away claim_next_member_check shards_begun shards_whole shards_whole_until is_due",
    "inbox": "listen enter beat leave claim_shards record claim check working finish drop park open state direct last"
    " parked retry_parked drop_parked to_retry reopen unpark",
    "replies": "record begin is_valid",
    "access": "check_link use_link session reopen end end_all",
    "insight": "",
    "conversations": "detected note_cost keep_going confirm_told_again close",
    "topics": "",
}
"""What happens in Discord, where nobody asks; what a bot notes of itself; names, counts and settings."""


def test_every_service_takes_a_viewer(talk: Talk) -> None:
    """The first argument of whatever asks for somebody says who asks."""
    for name, mirrored in MIRRORED.items():
        service = getattr(talk.app.memory, name)
        without = {
            method
            for method, function in inspect.getmembers(type(service), inspect.isfunction)
            if not method.startswith("_") and next(iter([*inspect.signature(function).parameters][1:]), "") != "viewer"
        }
        assert without == set(mirrored.split()), name


async def told(talk: Talk, *, audience: int = 0, by: int = 2) -> Fact:
    statement = Statement(
        guild_id=G,
        user_id=1,
        stated_by=by,
        quote="Ann sings alto",
        audience=audience,
        channel_id=7,
        message_id=40 + abs(audience),
    )
    return (await tell(talk.app.memory, statement, talk.member(1), talk.member(by))).fact


Try = Callable[[MemoryManager, Viewer, Talk, Fact], Awaitable[object]]

BY_A_STRANGER: dict[str, Try] = {
    "confirm": lambda m, v, t, f: m.facts.confirm(v, f.fact_id),
    "correct": lambda m, v, t, f: m.facts.correct(v, f.fact_id, "Ann sings bass", message_id=-1),
    "restore": lambda m, v, t, f: m.facts.restore(v, f.fact_id),
    "receipt": lambda m, v, t, f: m.facts.receipt(v, 1),
    "taught_by": lambda m, v, t, f: m.facts.taught_by(v, 2, t.clock.now - timedelta(days=1)),
    "roll_back": lambda m, v, t, f: m.forgetting.roll_back(v, t.member(2), t.clock.now - timedelta(days=1)),
    "choose": lambda m, v, t, f: m.privacy.choose(v, t.member(1), Consent.OFF, G),
    "ignore": lambda m, v, t, f: m.privacy.ignore(v, t.member(1), True),
    "jokes": lambda m, v, t, f: m.privacy.set_jokes(v, t.member(1), False),
    "stored": lambda m, v, t, f: m.privacy.stored(v, 1, G),
    "export": lambda m, v, t, f: m.privacy.export(v, 1, G),
    "restore_export": lambda m, v, t, f: m.privacy.restore_export(v, {}),
    "erase": lambda m, v, t, f: m.privacy.erase(v, t.member(1), G),
    "erase everywhere": lambda m, v, t, f: m.privacy.erase(v, t.member(1), 0),
    "purge_channel": lambda m, v, t, f: m.privacy.purge_channel(v, 7),
    "audit": lambda m, v, t, f: m.privacy.audit(v, limit=5),
    "note_look": lambda m, v, t, f: m.privacy.note_look(v, 1),
    "activity": lambda m, v, t, f: m.insight.activity(v),
    "spending": lambda m, v, t, f: m.insight.spending(v),
    "numbers": lambda m, v, t, f: m.insight.numbers(v),
    "who taught": lambda m, v, t, f: m.insight.teachers(v, t.clock.now),
    "sizes": lambda m, v, t, f: m.insight.table_sizes(v),
    "a link for nobody": lambda m, v, t, f: m.access.make_link(public(G), "en"),
    "teachers": lambda m, v, t, f: m.guilds.set_teachers(v, Teachers.SELF),
    "log": lambda m, v, t, f: m.guilds.set_log_channel(v, 7),
    "base role": lambda m, v, t, f: m.guilds.set_base_role(v, 7),
    "mode": lambda m, v, t, f: m.guilds.set_mode(v, 7, Mode.OFF),
    "zone": lambda m, v, t, f: m.guilds.set_time_zone(v, "Europe/Paris"),
    "talks": lambda m, v, t, f: m.conversations.active(v),
    "topics export": lambda m, v, t, f: m.topics.export(v),
    "topics import": lambda m, v, t, f: m.topics.restore(v, "a.md", "# A\n- x (2026-01-01)\n"),
    "speak as another": lambda m, v, t, f: m.facts.remember(
        v, Statement(guild_id=G, user_id=3, stated_by=2, quote="I sail"), t.member(3), t.member(2)
    ),
    "speak elsewhere": lambda m, v, t, f: m.facts.remember(
        v, Statement(guild_id=G, user_id=3, stated_by=3, quote="I sail", audience=8), t.member(3), t.member(3)
    ),
    "hold for another": lambda m, v, t, f: m.facts.await_confirmation(
        v, Statement(guild_id=G, user_id=2, stated_by=2, quote="I sail")
    ),
}


@pytest.mark.parametrize("what", BY_A_STRANGER)
async def test_a_stranger_changes_nothing(talk: Talk, dsn: str, what: str) -> None:
    """Cid is neither whom it is about nor who told it, and has no rights; everything stays as it was."""
    memory = talk.app.memory
    await talk.say(1, "hello")
    fact = await told(talk)
    tables = ("facts", "fact_sources", "chat_history", "guild_settings", "channel_settings", "consents", "audit")

    async def everything() -> list[object]:
        return [await query(dsn, f"SELECT * FROM {table} ORDER BY 1, 2") for table in tables]

    before = await everything()
    with pytest.raises(NotAllowed):
        await BY_A_STRANGER[what](memory, await viewer_of(memory, G, 3), talk, fact)
    assert await everything() == before


async def test_a_managers_rights_end_at_their_server(talk: Talk) -> None:
    """Who manages one guild erases nobody in another that knows the member, not even by asking for all."""
    for guild_id in (G, G + 1):
        await talk.app.memory.guilds.update_channel(Channel(guild_id=guild_id, channel_id=7, name="general"))
        await talk.say(1, "hello", guild_id=guild_id)
    manager = await viewer_of(talk.app.memory, G, 3, may_manage=True)
    for guild_id in (G + 1, 0):
        with pytest.raises(NotAllowed):
            await talk.app.memory.privacy.erase(manager, talk.member(1), guild_id)
        with pytest.raises(NotAllowed):
            await talk.app.memory.privacy.stored(manager, 1, G + 1)
    assert await talk.app.memory.messages.count(G + 1) == 1


async def test_what_is_not_heard_does_not_exist(talk: Talk) -> None:
    """A fact told elsewhere is not got by its number, has no sources, and is struck by no moderator from here."""
    memory = talk.app.memory
    await memory.guilds.update_channel(Channel(guild_id=G, channel_id=8, name="eight", audience=8))
    fact = await told(talk, audience=8)
    moderator = await viewer_of(memory, G, 3, may_moderate=True)
    assert await memory.facts.get(moderator, fact.fact_id) is None
    assert await memory.facts.sources(moderator, [fact]) == {}
    given = memory.replies.given_by(moderator, await memory.replies.contexts(moderator, [1]))
    assert (given.members[1].kept_back, given.fact_ids) == (1, set())
    assert (await memory.forgetting.strike(moderator, talk.member(1), [fact])).receipt is None
    for may in (memory.facts.confirm, memory.facts.restore):
        with pytest.raises(NotAllowed):
            await may(moderator, fact.fact_id)
    inside = await viewer_of(memory, G, 3, audience=8, may_moderate=True)
    assert (await memory.facts.get(inside, fact.fact_id)) is not None
    assert (await memory.forgetting.strike(inside, talk.member(1), [fact])).receipt is not None


async def test_a_restricted_fact_retires_no_public_one(talk: Talk) -> None:
    """What is told to few takes nothing away from everyone."""
    memory = talk.app.memory
    await memory.guilds.update_channel(Channel(guild_id=G, channel_id=8, name="eight", audience=8))
    for number, (quote, audience) in enumerate((("city: Riga", 0), ("city: Oslo", 8))):
        statement = Statement(
            guild_id=G, user_id=1, stated_by=1, quote=quote, audience=audience, channel_id=7, message_id=50 + number
        )
        await tell(memory, statement, talk.member(1), talk.member(1))
    assert len(await memory.facts.list(await viewer_of(memory, G, 2), 1)) == 1
    assert len(await memory.facts.list(await viewer_of(memory, G, 2, audience=8), 1)) == 2


async def test_what_was_held_is_its_speakers_and_for_them_alone(talk: Talk) -> None:
    """Another's key opens nothing; once kept, it is private wherever it was pressed; once dropped, it is gone."""
    memory = talk.app.memory
    ann, bob = await viewer_of(memory, G, 1), await viewer_of(memory, G, 2)
    statement = Statement(guild_id=G, user_id=1, stated_by=1, quote="I have asthma", channel_id=7, message_id=60)
    statement = replace(statement, is_confirmed=True)
    undo = await memory.facts.await_confirmation(ann, statement)
    assert await memory.facts.confirm_pending(bob, undo, talk.member(2)) is None
    assert (
        await memory.facts.confirm_pending(ann, Undo(entry_id=undo.entry_id + 1, key=undo.key), talk.member(1)) is None
    )
    kept = await memory.facts.confirm_pending(ann, undo, talk.member(1))
    assert kept is not None
    assert kept.fact.audience == -1
    again = await memory.facts.await_confirmation(ann, statement)
    assert not await memory.facts.discard_pending(bob, again)
    assert await memory.facts.discard_pending(ann, again)
    assert not await memory.facts.discard_pending(ann, again)


async def test_a_manager_who_looks_is_in_the_audit(talk: Talk, dsn: str) -> None:
    """At what is stored of another, and at the audit itself; the member who looks at themselves is not."""
    memory = talk.app.memory
    await talk.say(1, "hello")
    manager = await viewer_of(memory, G, 3, may_manage=True)
    await memory.privacy.stored(await viewer_of(memory, G, 1), 1, G)
    assert not await query(dsn, "SELECT 1 FROM audit")
    await memory.privacy.stored(manager, 1, G)
    assert len(await memory.privacy.audit(manager, limit=5)) == 1
    assert len(await memory.privacy.audit(manager, limit=5, skip=1)) == 1
    rows = await query(dsn, "SELECT actor_id, user_id, action FROM audit ORDER BY entry_id")
    assert [tuple(row) for row in rows] == [(3, 1, "look"), (3, None, "look")]


async def test_the_operator_acts_as_the_subject(talk: Talk, clock: Clock) -> None:
    """What is forgotten at the command line goes everywhere and stays forgotten, and is noted as the operator's."""
    memory = talk.app.memory
    await memory.guilds.update_channel(Channel(guild_id=G, channel_id=8, name="eight", audience=8))
    await talk.say(1, "I sing alto", channel_id=8, audience=8)
    fact = await told(talk)
    done = await memory.forgetting.strike(operator(G), talk.member(1), [fact])
    assert done.receipt is not None
    assert done.receipt.removed["chat_history"] == 1
    assert done.undo is not None
    moderator = await viewer_of(memory, G, 3, may_moderate=True)
    assert await memory.forgetting.undo(moderator, done.undo) is None
    with pytest.raises(NotRemembered):
        await told(talk)
    assert await memory.forgetting.undo(operator(G), done.undo) is not None
    assert clock.now


async def test_nobody_keeps_a_secret_about_another(talk: Talk) -> None:
    """What is for oneself alone is about oneself: a private fact about Bob would be one that Bob cannot see."""
    memory = talk.app.memory
    ann = await viewer_of(memory, G, 1)
    statement = Statement(guild_id=G, user_id=2, stated_by=1, quote="Bob sails", audience=-1)
    with pytest.raises(NotAllowed):
        await memory.facts.remember(ann, statement, talk.member(2), talk.member(1))


async def test_a_fact_is_struck_as_what_it_is_about(talk: Talk) -> None:
    """A teller who hands in a fact about Ann as one about themselves gets no further than a teller."""
    memory = talk.app.memory
    fact = await told(talk)
    bob = await viewer_of(memory, G, 2)
    assert (await memory.forgetting.strike(bob, talk.member(2), [fact])).receipt is None
    assert await memory.facts.list(await viewer_of(memory, G, 1), 1)


async def test_sources_are_those_that_are_heard(talk: Talk) -> None:
    """What was told again in a restricted channel is a source there alone."""
    memory = talk.app.memory
    await memory.guilds.update_channel(Channel(guild_id=G, channel_id=8, name="eight", audience=8))
    fact = await told(talk)
    again = Statement(
        guild_id=G, user_id=1, stated_by=2, quote="Ann sings alto", audience=8, channel_id=8, message_id=70
    )
    assert (await tell(memory, again, talk.member(1), talk.member(2))).fact.fact_id == fact.fact_id
    for audience, times in ((0, 1), (8, 2)):
        viewer = await viewer_of(memory, G, 3, audience=audience)
        assert len((await memory.facts.sources(viewer, [fact]))[fact.fact_id]) == times


async def test_a_manager_counts_in_their_own_server_alone(talk: Talk) -> None:
    """Asking for all guilds asks for each."""
    memory = talk.app.memory
    for guild_id in (G, G + 1):
        await memory.guilds.update_channel(Channel(guild_id=guild_id, channel_id=7, name="general"))
        await talk.say(1, "hello", guild_id=guild_id)
    manager = await viewer_of(memory, G, 3, may_manage=True)
    with pytest.raises(NotAllowed):
        await memory.privacy.stored(manager, 1, 0)
    assert len(await memory.privacy.stored(await viewer_of(memory, G, 1), 1, 0)) == 2


async def test_history_tells_others_nothing_of_what_is_gone(talk: Talk) -> None:
    """A private fact that was forgotten leaves no line that anybody else sees."""
    memory = talk.app.memory
    ann, cid = await viewer_of(memory, G, 1, is_alone=True), await viewer_of(memory, G, 3, is_alone=True)
    undo = await memory.facts.await_confirmation(
        ann, Statement(guild_id=G, user_id=1, stated_by=1, quote="I have asthma", is_confirmed=True)
    )
    kept = await memory.facts.confirm_pending(ann, undo, talk.member(1))
    assert kept is not None
    await memory.forgetting.strike(ann, talk.member(1), [kept.fact])
    assert await memory.facts.history(cid, 1, limit=9) == ([], False)
    assert len((await memory.facts.history(ann, 1, limit=9))[0]) == 3
