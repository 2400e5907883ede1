"""Ways that forgetting was got around, each closed: what came back, leaked, or was lost."""

import json
import re
from datetime import timedelta

import pytest

from memory import Consent, Statement, Undo, public
from tests.builders import Clock, G, Opener, Server, Talk, choose, query, served, tell, viewer_of
from tests.memory.forgetting.test_forgetting import WORD, found_in
from urmom_bot.app import App
from urmom_bot.stand_ins import Fault, GeminiStandIn, User
from urmom_bot.stand_ins.gemini import Asked
from urmom_bot.stand_ins.world import MANAGE_GUILD, MANAGE_MESSAGES


def people(server: Server, *names: str) -> list[User]:
    return [server.discord.join(server.guild, name) for name in names]


def empower(server: Server, user: User, permissions: int = MANAGE_GUILD | MANAGE_MESSAGES) -> None:
    server.guild.roles[9] = permissions
    server.guild.member_roles[user.id] = [9]


async def opt_out(server: Server, user: User, consent: Consent = Consent.OFF) -> None:
    about = await server.app.router.viewing.member(server.guild.id, user.id)
    await server.app.memory.privacy.choose(
        await viewer_of(server.app.memory, server.guild.id, user.id), about, consent, server.guild.id
    )


async def erase(server: Server, user: User) -> None:
    about = await server.app.router.viewing.member(server.guild.id, user.id)
    await server.app.memory.privacy.erase(
        await viewer_of(server.app.memory, server.guild.id, user.id), about, server.guild.id
    )


# Leaks


async def test_forget_key_tells_nobody_what_they_may_not_hear(discord: Server, dsn: str) -> None:
    """Neither private facts nor those of another channel are named or taken by others, moderators included."""
    ann, bob, mod = people(discord, "ann", "bob", "mod")
    empower(discord, mod)
    staff = await discord.discord.open_channel(discord.guild, "staff", private=True)
    await discord.ask(ann, f"Bot remember that ann leads the {WORD} merger", staff)
    said = await discord.discord.say(ann, discord.general, "zanzibar is where I keep my savings")
    await discord.settled()
    await discord.discord.menu(ann, discord.general, "Remember this", said)
    await discord.discord.fill_in(ann, discord.general, {"Who may see it": "me"})
    for who in (bob, mod):
        (told,) = await discord.discord.slash(who, discord.general, "memory forget-key", {"key": "note", "member": ann})
        assert WORD not in told.content
        assert "zanzibar" not in told.content
    assert len(await query(dsn, "SELECT 1 FROM facts")) == 2
    (mine,) = await discord.discord.slash(ann, discord.general, "memory forget-key", {"key": "note"})
    assert WORD not in mine.content
    assert "also forgot one more fact" in mine.content
    assert not await query(dsn, "SELECT 1 FROM facts")


async def test_what_only_the_model_finds_sensitive_is_kept_for_the_person_alone(
    discord: Server, gemini: GeminiStandIn, dsn: str
) -> None:
    """Confirming it makes it private, whatever the word lists say."""
    (ann,) = people(discord, "ann")
    wording = {"sentence": "ann has it in her bones.", "key": "note", "domain": "personal", "sensitive": True}
    gemini.answer = lambda asked: json.dumps(wording)
    await discord.ask(ann, "Bot remember that ann has it in her bones")
    sent = discord.discord.sent[-1]
    await discord.discord.press(ann, discord.general, sent, "Keep it, only for me")

    assert [row[0] for row in await query(dsn, "SELECT audience FROM facts")] == [-ann.id]


async def test_a_moderator_cannot_probe_what_is_private(discord: Server) -> None:
    """An answer about what is not theirs to hear is the same whether it is there or not."""
    ann, mod = people(discord, "ann", "mod")
    empower(discord, mod)
    said = await discord.discord.say(ann, discord.general, "zanzibar")
    await discord.settled()
    await discord.discord.menu(ann, discord.general, "Remember this", said)
    await discord.discord.fill_in(
        ann, discord.general, {"Who may see it": "me", "What to remember": "ann hides gold in the cellar"}
    )
    told = [
        (await discord.discord.slash(mod, discord.general, "memory forget", {"fact": words, "member": ann}))[0].content
        for words in ("ann hides gold in the cellar", "ann hides silver in the attic")
    ]

    assert told[0] == told[1]
    (history,) = await discord.discord.slash(mod, discord.general, "memory history", {"member": ann})
    assert "told" not in history.content


async def test_what_is_undone_or_corrected_follows_its_channel(discord: Server) -> None:
    """A channel that closed meanwhile keeps what was told there to itself."""
    ann, bob = people(discord, "ann", "bob")
    plans = await discord.discord.open_channel(discord.guild, "plans")
    for said in ("ann leads the merger", "ann signs on Friday"):
        await discord.ask(ann, f"Bot remember that {said}", plans)
    (page,) = await discord.discord.slash(ann, plans, "memory show")
    await discord.discord.press(ann, plans, page, "Correct #2")
    await discord.discord.fill_in(ann, plans, {"What to remember": "ann signs on Monday"})
    await discord.ask(ann, "Bot forget that ann leads the merger", plans)
    sent = discord.discord.sent[-1]
    await discord.discord.hide(plans)
    await discord.settled()
    await discord.discord.press(ann, plans, sent, "Undo")

    known = await discord.ask(bob, f"Bot what do you know about <@{ann.id}>")
    assert "merger" not in known
    assert "Monday" not in known


async def test_what_was_told_behind_a_door_outlives_its_repetition(discord: Server) -> None:
    """Whoever repeats in public what somebody told in a restricted channel takes nothing from them by undoing it."""
    bob, carol = people(discord, "bob", "carol")
    den = await discord.discord.open_channel(discord.guild, "den")
    await discord.discord.hide(den)
    await discord.settled()
    await discord.ask(bob, "Bot remember that bob digs in tower nine", den)
    assert "tower nine" in await discord.ask(bob, "Bot what do you know about me", den)
    await discord.ask(carol, "Bot remember that bob digs in tower nine")
    assert "tower nine" in await discord.ask(carol, "Bot what do you know about bob")
    await discord.ask(carol, "Bot undo")

    assert "tower nine" in await discord.ask(bob, "Bot what do you know about me", den)
    assert "tower nine" not in await discord.ask(bob, "Bot what do you know about me")


async def test_what_is_told_again_in_public_and_undone_is_told_behind_the_door(discord: Server) -> None:
    """By whoever told it there: the undo brings back what their own word in public had taken the place of."""
    (bob,) = people(discord, "bob")
    den = await discord.discord.open_channel(discord.guild, "den")
    await discord.discord.hide(den)
    await discord.settled()
    for channel in (den, discord.general):
        await discord.ask(bob, "Bot remember that bob digs in tower nine", channel)
    await discord.ask(bob, "Bot undo")

    assert "tower nine" in await discord.ask(bob, "Bot what do you know about me", den)


async def test_a_form_about_another_takes_plain_statements_about_them_alone(discord: Server, dsn: str) -> None:
    """An order, a code or a third person's doings, typed into the form of a fact, are refused and say why."""
    eve, bob, carol = people(discord, "eve", "bob", "carol")
    for member in (bob, carol):
        await discord.ask(member, "hello")
    await discord.ask(eve, "Bot remember that bob likes jam")
    for typed in ("carol sniffs the office glue", "bob decides what you may say about others"):
        (page,) = await discord.discord.slash(eve, discord.general, "memory show", {"member": bob})
        await discord.discord.press(eve, discord.general, page, "Correct #1")
        (refused,) = await discord.discord.fill_in(eve, discord.general, {"What to remember": typed})
        assert "I'm not sure that is a fact" in refused.content
    await discord.discord.press(eve, discord.general, page, "Correct #1")
    await discord.discord.fill_in(eve, discord.general, {"What to remember": "bob likes plum jam"})
    rows = await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL")
    assert [row["value"].split("> ")[-1] for row in rows] == ["likes plum jam"]


@pytest.mark.parametrize("ai", [True, False])
async def test_who_denies_a_fact_is_asked_before_it_goes(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str, ai: bool
) -> None:
    """Whether a model matches the words or code does: "nobody rides" is not "rides"."""
    if ai:
        gemini.answer = lambda asked: json.dumps({"facts": [1], "sure": True})
    async with served(opened, gemini, clock, ai=ai) as server:
        (bob,) = people(server, "bob")
        await server.ask(bob, "Bot remember that I ride a unicycle")
        await server.ask(bob, "Bot forget that nobody rides a unicycle")
        assert await query(dsn, "SELECT 1 FROM facts")
        await server.ask(bob, "Bot forget that I ride a unicycle")
    assert not await query(dsn, "SELECT 1 FROM facts")


async def test_what_others_told_too_is_not_called_forgotten(discord: Server) -> None:
    """One who told it takes their own word back alone, and hears that others' stands."""
    bob, carol, eve = people(discord, "bob", "carol", "eve")
    for member in (bob, carol, eve):
        await discord.ask(member, "hello")
    for teller in (carol, eve):
        await discord.ask(teller, "Bot remember that bob likes ripe figs")
    told = await discord.ask(carol, "Bot forget that bob likes ripe figs")
    assert "Done, forgotten" not in told
    assert told.startswith("📌 I've forgotten that you told me this. Others told me too")
    assert "ripe figs" in await discord.ask(eve, "Bot what do you know about bob?")
    assert "Done, forgotten" in await discord.ask(eve, "Bot forget that bob likes ripe figs")


async def test_a_fact_that_a_model_overlooks_is_offered(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Rather than denied, or called deleted because a message said it too."""
    async with served(opened, gemini, clock) as server:
        bob, carol = people(server, "bob", "carol")
        await server.discord.say(carol, server.general, "I ride horses every Sunday")
        await server.settled()
        await server.ask(bob, "Bot remember that carol rides horses")
        gemini.answer = lambda asked: json.dumps({"facts": [], "sure": True})
        told = await server.ask(carol, "Bot forget that I ride horses")
        assert "what I found about it" not in told
        assert "rides horses" in told
        assert "don't have anything" not in told


# What came back


@pytest.mark.parametrize("way", ["erase", "off", "explicit", "edit", "channel"])
async def test_undo_does_not_bring_back_what_went_for_good(discord: Server, dsn: str, way: str) -> None:
    """Erased, opted out, edited, or with its channel: what was held goes as well."""
    (ann,) = people(discord, "ann")
    room = await discord.discord.open_channel(discord.guild, "room")
    said = await discord.discord.say(ann, room, f"my cat is called {WORD}")
    await discord.settled()
    discord.clock.on(minutes=1)
    await discord.ask(ann, f"Bot forget that my cat is called {WORD}")
    sent = discord.discord.sent[-1]
    match way:
        case "erase":
            await erase(discord, ann)
        case "edit":
            await discord.discord.edit(room, said, "nothing to see")
        case "channel":
            await discord.discord.close_channel(room)
        case _:
            await opt_out(discord, ann, Consent(way))
    await discord.settled()
    await discord.discord.press(ann, discord.general, sent, "Undo")
    await discord.settled()

    assert await found_in(dsn, WORD) == {}


async def test_the_undo_of_another_brings_back_nothing_of_who_erased(discord: Server, dsn: str) -> None:
    """A rollback that is undone after the person erased all."""
    ann, eve, boss = people(discord, "ann", "eve", "boss")
    empower(discord, boss)
    await discord.discord.say(ann, discord.general, "hello")
    await discord.ask(eve, f"Bot remember that ann breeds {WORD}")
    (preview,) = await discord.discord.slash(boss, discord.general, "memory-admin rollback", {"user": eve, "hours": 5})
    (done,) = await discord.discord.press(boss, discord.general, preview, "Delete 1 fact")
    (refused,) = await discord.discord.press(eve, discord.general, done, "Undo")
    assert "or you can't" in refused.content
    await erase(discord, ann)
    await discord.discord.press(boss, discord.general, done, "Undo")

    assert await found_in(dsn, WORD) == {}


async def test_this_goes_with_the_message_it_points_to(discord: Server, dsn: str) -> None:
    """ "Remember this" hangs on the words it took, not on the order."""
    ann, bob = people(discord, "ann", "bob")
    for reply in (True, False):
        said = await discord.discord.say(ann, discord.general, f"my cat is called {WORD} and is 8")
        await discord.settled()
        await discord.ask(bob, "Bot remember this about ann", **({"reply_to": said} if reply else {}))
        assert "facts" in await found_in(dsn, WORD)
        await discord.discord.delete(discord.general, said)
        await discord.settled()
        assert await found_in(dsn, WORD) == {}


async def test_a_deletion_while_an_order_is_worded_loses_nothing_else(
    discord: Server, gemini: GeminiStandIn, dsn: str
) -> None:
    """The fact goes, what it would have replaced stays, no alias is left, and the answer says so."""
    (ann,) = people(discord, "ann")
    await discord.ask(ann, "Bot remember city: Lima")
    gemini.faults.append(Fault(kind="late", seconds=0.7))
    asked = len(gemini.asked)
    gemini.answer = lambda _: json.dumps({"sentence": "ann is Zorblaxine", "key": "location", "alias": "Zorblaxine"})
    said = await discord.discord.say(ann, discord.general, "Bot remember city: Zorblaxine")
    while len(gemini.asked) == asked:
        await _moment()
    await discord.discord.delete(discord.general, said)
    await discord.settled()

    assert await found_in(dsn, WORD) == {}
    assert "That message is gone" in discord.discord.sent[-1].content
    live = await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL")
    assert len(live) == 1
    assert "Lima" in live[0][0]


async def test_a_deletion_as_an_order_is_stored_undoes_what_it_replaced(
    discord: Server, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the moment between the last look and the write: the fact goes again, and the one before holds again."""
    (ann,) = people(discord, "ann")
    await discord.ask(ann, "Bot remember city: Lima")
    messages, looks = discord.app.memory.facts._messages, iter([False, False, True])
    monkeypatch.setattr(type(messages), "was_deleted", lambda *_: next(looks, True))
    told = await discord.ask(ann, "Bot remember city: Zorblaxine")

    assert "That message is gone" in told
    assert await found_in(dsn, WORD) == {}
    (live,) = await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL")
    assert "Lima" in live["value"]


async def _moment() -> None:
    import asyncio

    await asyncio.sleep(0.01)


async def test_a_reply_made_while_its_words_were_deleted_is_not_kept(
    discord: Server, gemini: GeminiStandIn, dsn: str
) -> None:
    """The model answers late with what was deleted: the words are not stored."""
    ann, bob = people(discord, "ann", "bob")
    said = await discord.discord.say(ann, discord.general, f"my cat is called {WORD}")
    await discord.settled()
    discord.clock.on(minutes=1)
    answer = gemini.answer

    def late(asked: Asked) -> str:
        return f"oh, {WORD}!" if asked.name == "A reply" else answer(asked)

    gemini.answer = late
    gemini.faults.append(Fault(kind="late", seconds=0.7, only="A reply"))
    await discord.discord.say(bob, discord.general, "Bot tell me a story about cats")
    while not any(asked.name == "A reply" for asked in gemini.asked):
        await _moment()
    await discord.discord.delete(discord.general, said)
    await discord.settled()

    assert await found_in(dsn, WORD) == {}


async def test_a_reply_goes_with_any_message_of_the_days_it_was_given(
    discord: Server, gemini: GeminiStandIn, dsn: str
) -> None:
    """Also where the model cited another message."""
    (ann,) = people(discord, "ann")
    await discord.discord.say(ann, discord.general, "good morning everybody, here I am")
    said = await discord.discord.say(ann, discord.general, f"my cat is called {WORD} and has 4 paws")
    await discord.settled()
    discord.clock.on(hours=2)
    answer = gemini.answer

    def uncited(asked: Asked) -> str:
        made = answer(asked)
        if asked.name == "Notes of a day":
            told = json.loads(made)
            return json.dumps({"notes": [re.sub(r" \d+:", " 1:", line) for line in told["notes"]]})
        return made

    gemini.answer = uncited
    assert WORD in await discord.ask(ann, "Bot and how is it all going with me")
    assert "chat_history" in await found_in(dsn, WORD)
    await discord.discord.delete(discord.general, said)
    await discord.settled()

    assert await found_in(dsn, WORD) == {}


async def test_an_edit_or_deletion_of_what_is_not_stored_reaches_its_fact(discord: Server, dsn: str) -> None:
    """An order in a channel that is only talked in, or by somebody of whom facts alone are kept."""
    ann, boss = people(discord, "ann", "boss")
    empower(discord, boss)
    await discord.discord.slash(boss, discord.general, "memory-admin channel", {"mode": "talk"})
    for change in ("edit", "delete"):
        said = await discord.discord.say(ann, discord.general, f"Bot remember that my cat is called {WORD}")
        await discord.settled()
        assert "facts" in await found_in(dsn, WORD)
        if change == "edit":
            await discord.discord.edit(discord.general, said, "never mind")
        else:
            await discord.discord.delete(discord.general, said)
        await discord.settled()
        assert await found_in(dsn, WORD) == {}


async def test_a_message_purged_by_age_takes_its_summaries_when_deleted(app: App, talk: Talk, clock: Clock) -> None:
    """What can not be read again keeps what doesn't rest on the message."""
    said = await talk.say(1, f"my cat is called {WORD} and ate 3 socks", at=clock.now - timedelta(minutes=5))
    await talk.say(1, "the tram to Gdynia takes 40 minutes", at=clock.now - timedelta(minutes=4))
    await talk.say(2, "the kiln is fixed in Tallinn", at=clock.now - timedelta(minutes=3))
    await app.memory.replies.contexts(public(G), [1])
    clock.on(days=40)
    await talk.say(1, "much later")
    await app.memory.guilds.update_channel(_place())
    await app.memory.upkeep()
    await app.memory.messages.delete(G, [said])
    await app.memory.messages.flush()

    (left,) = await app.memory.privacy.days(await viewer_of(app.memory, G, 1), 1)
    assert WORD not in left.text
    assert "tram" in left.text
    assert "kiln" in (await app.memory.privacy.days(await viewer_of(app.memory, G, 2), 2))[0].text


def _place():  # type: ignore[no-untyped-def]
    from memory import Channel

    return Channel(guild_id=G, channel_id=7, name="general")


async def test_forget_takes_what_holds_no_more_and_what_was_told_elsewhere(discord: Server, dsn: str) -> None:
    """By the person's own word; named are only those that may be told there."""
    (ann,) = people(discord, "ann")
    staff = await discord.discord.open_channel(discord.guild, "staff", private=True)
    await discord.ask(ann, f"Bot remember that my cat is called {WORD}", staff)
    await discord.ask(ann, f"Bot remember that my cat is called {WORD} the first")
    (page,) = await discord.discord.slash(ann, discord.general, "memory show")
    await discord.discord.press(ann, discord.general, page, "Correct #2")
    await discord.discord.fill_in(ann, discord.general, {"What to remember": f"ann's cat is called {WORD} the second"})
    told = await discord.ask(ann, f"Bot forget that ann's cat is called {WORD} the second")

    assert "2 more" in told
    assert await found_in(dsn, WORD) == {}


async def test_a_struck_day_does_not_come_back(discord: Server, clock: Clock) -> None:
    """However many messages it was made from."""
    (ann,) = people(discord, "ann")
    for n in range(14):
        await discord.discord.say(ann, discord.general, f"the tram number {n} to Gdynia took {n + 30} minutes today")
    await discord.settled()
    clock.on(minutes=1)
    await discord.ask(ann, "Bot what do you know about me")
    (page,) = await discord.discord.slash(ann, discord.general, "memory show")
    (days,) = await discord.discord.press(ann, discord.general, page, "Summaries")
    await discord.discord.press(ann, discord.general, days, "Forget Nov 10, 2026")
    clock.on(hours=2)

    assert "Gdynia" not in await discord.ask(ann, "Bot what do you know about me")


# Consent


@pytest.mark.parametrize("consent", [Consent.OFF, Consent.EXPLICIT])
async def test_words_of_who_is_not_remembered_are_not_taken_by_others(
    discord: Server, dsn: str, consent: Consent
) -> None:
    """By menu and by reply; nor do statements about others name them; nor does an answer to them stay."""
    ann, bob = people(discord, "ann", "bob")
    await discord.discord.say(ann, discord.general, "hello")
    await discord.discord.say(bob, discord.general, "hello")
    await discord.settled()
    await opt_out(discord, ann, consent)
    said = await discord.discord.say(ann, discord.general, f"my cat {WORD} scratched bob")
    await discord.settled()
    await discord.discord.menu(bob, discord.general, "Remember this", said)
    (told,) = await discord.discord.fill_in(bob, discord.general, {"Who is it about?": bob})
    assert "doesn't want to be remembered" in told.content
    assert "doesn't want" in await discord.ask(bob, "Bot remember this about me", reply_to=said)
    if consent is Consent.OFF:
        discord.clock.on(days=1)
        assert "Someone you named" in await discord.ask(bob, f"Bot remember that bob fears ann's {WORD}")
        assert not await query(dsn, "SELECT 1 FROM members WHERE user_id = $1", ann.id)
        await discord.ask(ann, "Bot no jokes about me")
        assert not await query(dsn, "SELECT 1 FROM members WHERE user_id = $1", ann.id)
    await discord.ask(ann, f"Bot is {WORD} a good name for a cat?")
    assert await found_in(dsn, WORD) == {}


async def test_a_silent_member_who_opted_out_and_then_writes_stops_nothing(
    discord: Server, clock: Clock, dsn: str
) -> None:
    """New digests of names reach every build."""
    ann, bob = people(discord, "ann", "bob")
    private = await discord.discord.dm_channel(ann)
    (panel,) = await discord.discord.slash(ann, private, "privacy")
    await choose(discord.discord, ann, private, panel, "Everywhere: nothing")
    await discord.discord.say(bob, discord.general, "the tram to Gdynia takes 40 minutes these days")
    await discord.settled()
    clock.on(minutes=1)
    await discord.ask(bob, "Bot what do you know about me")
    await discord.discord.say(ann, discord.general, "here I am for the first time")
    await discord.discord.say(bob, discord.general, "the kiln controller is fixed, version 7 runs since noon")
    await discord.settled()
    clock.on(hours=2)

    assert "kiln" in await discord.ask(bob, "Bot what do you know about me")


# What was lost


async def test_forgetting_a_number_takes_no_unrelated_message(app: App, talk: Talk) -> None:
    """A number, or a word like "I'm", is in many messages that tell something else."""
    for text in ("lunch is at 12 tomorrow, ok?", "hey I'm late, sorry", "wait, what? I'm confused by the docs"):
        await talk.say(1, text)
    for request in ("I have 12 cats", "when I'm home I drink absinthe"):
        await app.memory.forgetting.forget(await viewer_of(app.memory, G, 1, is_alone=True), talk.member(1), request)

    assert await app.memory.messages.count(G) == 3
    assert not await app.memory._core.suppressions.get(G)


async def test_undo_brings_back_all_that_went(app: App, talk: Talk) -> None:
    """Facts about others that came from the same message, too."""
    said = await talk.say(1, "I adopted a capybara when bob moved to Riga")
    for user, quote in ((1, "Ann adopted a capybara"), (2, "Bob moved to Riga")):
        told = Statement(guild_id=G, user_id=user, stated_by=1, quote=quote, message_id=said)
        await tell(app.memory, told, talk.member(user), talk.member(1))
    done = await app.memory.forgetting.forget(
        await viewer_of(app.memory, G, 1, is_alone=True), talk.member(1), "Ann adopted a capybara"
    )
    assert done.undo is not None
    assert not await app.memory.facts.list(await viewer_of(app.memory, G, 2), 2)
    assert await app.memory.forgetting.undo(await viewer_of(app.memory, G, 1), done.undo)

    assert [
        f.value for user in (1, 2) for f in await app.memory.facts.list(await viewer_of(app.memory, G, user), user)
    ] == [
        "Ann adopted a capybara",
        "Bob moved to Riga",
    ]
    assert await app.memory.messages.count(G) == 1


async def test_an_edit_beside_a_mention_keeps_the_fact(discord: Server, dsn: str) -> None:
    """The words that told it are still there, marks and all."""
    ann, bob = people(discord, "ann", "bob")
    said = await discord.discord.say(ann, discord.general, f"Bot remember that <@{bob.id}> juggles 5 clubs")
    await discord.settled()
    (before,) = await query(dsn, "SELECT fact_id FROM facts")
    await discord.discord.edit(discord.general, said, f"Bot remember that <@{bob.id}> juggles 5 clubs, thanks!")
    await discord.settled()

    assert before["fact_id"] in [r[0] for r in await query(dsn, "SELECT fact_id FROM facts")]


async def test_taking_back_ones_own_telling_leaves_that_of_others(discord: Server, dsn: str) -> None:
    """Forget, undo and rollback by or of the first teller: the person's own word stands."""
    ann, bob, boss = people(discord, "ann", "bob", "boss")
    empower(discord, boss)
    await discord.discord.say(ann, discord.general, "hello")
    await discord.ask(bob, "Bot remember that ann has 4 boats")
    sent = discord.discord.sent[-1]
    await discord.ask(ann, "Bot remember that ann has 4 boats")
    await discord.discord.press(bob, discord.general, sent, "Undo")
    assert [r[0] for r in await query(dsn, "SELECT stated_by FROM facts")] == [ann.id]
    await discord.ask(bob, "Bot remember that ann has 4 boats")
    await discord.ask(bob, "Bot forget that ann has 4 boats")
    assert [r[0] for r in await query(dsn, "SELECT stated_by FROM facts")] == [ann.id]


async def test_a_teller_does_not_overrule_the_person_by_restoring(discord: Server) -> None:
    """What the person said in its place, only they take back."""
    ann, bob = people(discord, "ann", "bob")
    await discord.discord.say(ann, discord.general, "hello")
    await discord.ask(bob, "Bot remember that ann city: Lima")
    await discord.ask(ann, "Bot remember city: Riga")
    (page,) = await discord.discord.slash(bob, discord.general, "memory history", {"member": ann})
    assert not any(label.startswith("Restore") for label in page.buttons)
    (own,) = await discord.discord.slash(ann, discord.general, "memory history", {"member": ann})
    label = next(label for label in own.buttons if label.startswith("Restore"))
    (told,) = await discord.discord.press(bob, discord.general, own, label)

    assert "only they can take that back" in told.content
    facts = await discord.app.memory.facts.list(await viewer_of(discord.app.memory, discord.guild.id, ann.id), ann.id)
    assert len(facts) == 1
    assert "Riga" in facts[0].value


async def test_members_known_by_an_import_alone_are_not_taken_for_gone(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """The roll is called of those who wrote before the bot's eyes."""
    async with served(opened, gemini, clock) as server:
        ann, member = people(server, "ann")[0], server.app.router.viewing
        about = await member.member(server.guild.id, 4242)
        await server.app.memory.messages.import_batch([], [about])
        await server.discord.say(ann, server.general, "hello")
        await server.settled()
        del server.guild.members[ann.id]
        await server.app.memory.guilds.on_members_left(server.guild.id, [4242, ann.id])

        left = await query(dsn, "SELECT user_id FROM members WHERE left_at IS NOT NULL")
        assert [row["user_id"] for row in left] == [ann.id]


async def test_the_key_of_an_undo_is_needed(app: App, talk: Talk) -> None:
    """Without it there is nothing to read."""
    told = Statement(guild_id=G, user_id=1, stated_by=1, quote="Ann sings alto", message_id=5)
    await tell(app.memory, told, talk.member(1), talk.member(1))
    done = await app.memory.forgetting.forget(
        await viewer_of(app.memory, G, 1, is_alone=True), talk.member(1), "Ann sings alto"
    )
    assert done.undo is not None
    wrong = Undo(entry_id=done.undo.entry_id, key="A" * 43 + "=")

    assert await app.memory.forgetting.undo(await viewer_of(app.memory, G, 1), wrong) is None
    assert await app.memory.forgetting.undo(await viewer_of(app.memory, G, 1), done.undo) is not None


async def test_every_edit_of_an_order_is_taken(discord: Server, dsn: str) -> None:
    """Not the first alone."""
    (ann,) = people(discord, "ann")
    said = await discord.discord.say(ann, discord.general, "Bot remember that I play the oboe")
    await discord.settled()
    for instrument in ("banjo", "violin", "harp"):
        await discord.discord.edit(discord.general, said, f"Bot remember that I play the {instrument}")
        await discord.settled()
        assert [r[0] for r in await query(dsn, "SELECT value FROM facts")] == [f"<@{ann.id}> plays the {instrument}"]


async def test_this_does_not_hang_on_talk_that_it_took_nothing_from(discord: Server, dsn: str) -> None:
    """A person's name is in every line of theirs."""
    ann, bob = people(discord, "ann", "bob")
    other = await discord.discord.say(bob, discord.general, "lol what is that")
    await discord.discord.say(bob, discord.general, "I moved to Berlin last week")
    await discord.settled()
    await discord.ask(ann, "Bot remember this")
    await discord.discord.delete(discord.general, other)
    await discord.settled()

    assert len(await query(dsn, "SELECT 1 FROM facts")) == 1


async def test_striking_a_day_leaves_facts(discord: Server, clock: Clock, dsn: str) -> None:
    """What was told as a fact that day stays."""
    (ann,) = people(discord, "ann")
    await discord.discord.say(ann, discord.general, "the tram to Gdynia took 40 minutes today")
    await discord.ask(ann, "Bot remember that I play the oboe")
    clock.on(minutes=1)
    await discord.ask(ann, "Bot what do you know about me")
    (page,) = await discord.discord.slash(ann, discord.general, "memory show")
    (days,) = await discord.discord.press(ann, discord.general, page, "Summaries")
    await discord.discord.press(ann, discord.general, days, "Forget Nov 10, 2026")

    assert [r[0] for r in await query(dsn, "SELECT value FROM facts")] == [f"<@{ann.id}> plays the oboe"]


@pytest.mark.parametrize(
    "text",
    ["나는 서울에 살아요", "ガンダムが好き", "tôi uống trà Việt", "ich wohne in der Großstraße", "yo soy músico"],
)
async def test_forgetting_finds_words_of_any_script(app: App, talk: Talk, text: str) -> None:
    """Compared alike by the code and by the database."""
    await talk.say(1, text)
    done = await app.memory.forgetting.forget(await viewer_of(app.memory, G, 1, is_alone=True), talk.member(1), text)

    assert done.receipt is not None
    assert done.receipt.clean
    assert await app.memory.messages.count(G) == 0


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Oda", "**ODA** keeps brass sextants"),
        ("Oda", "did you see oda's sextants?"),
        ("Oda", "ask Oda.she has those sextants"),
        ("Том", "Том polishes sextants"),
        ("Éda K.", "it was Éda K. with the sextants"),
        ("oda_42", "oda_42: sextants again?"),
        ("山田", "山田 has sextants"),
        ("Oda", "<@1> loves sextants"),
    ],
)
async def test_the_words_of_others_are_found_however_the_name_is_written(
    app: App, talk: Talk, dsn: str, name: str, text: str
) -> None:
    """By the index that a search has, or, where it has no word for a name, by all messages."""
    await talk.say(1, "hello there", display_name=name)
    await talk.say(2, text)
    await talk.say(2, "sextants are nice in general")
    person = talk.member(1, display_name=name)
    await app.memory.forgetting.forget(await viewer_of(app.memory, G, 1), person, "the sextants")

    left = [row[0] for row in await query(dsn, "SELECT message_text FROM chat_history ORDER BY message_id")]
    assert left == ["hello there", "sextants are nice in general"]


async def test_erasing_oneself_leaves_the_notes_of_others(discord: Server, dsn: str) -> None:
    """At once: of a stretch that both wrote in, what was noted of the other stays, and nothing of the one who went."""
    ann, bob = people(discord, "ann", "bob")
    await discord.discord.say(ann, discord.general, f"I bred another {WORD} in the shed this morning")
    await discord.discord.say(bob, discord.general, "my tram to Gdynia took forty minutes again")
    await discord.settled()
    await discord.ask(ann, "Bot what do you know about bob?")
    before = await query(dsn, "SELECT user_id, text FROM notes")
    assert {row["user_id"] for row in before} == {ann.id, bob.id}
    await erase(discord, ann)
    after = await query(dsn, "SELECT user_id, text FROM notes")
    assert [tuple(row) for row in after] == [tuple(row) for row in before if row["user_id"] == bob.id]
    assert "Gdynia" in await discord.ask(bob, "Bot what do you know about bob?")
