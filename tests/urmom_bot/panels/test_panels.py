"""What members and moderators press, through the real discord.py: every flow, as they would go through it."""

import json

import pytest

from memory import operator
from memory.store.catalogue import TABLES
from tests.builders import Clock, Opener, Server, choose, query, served, viewer_of
from urmom_bot.languages import languages
from urmom_bot.stand_ins import DiscordStandIn, GeminiStandIn, User, World
from urmom_bot.stand_ins.world import MANAGE_GUILD, MANAGE_MESSAGES, Sent
from urmom_bot.talk import Texts


def people(server: Server, *names: str) -> list[User]:
    return [server.discord.join(server.guild, name) for name in names]


def empower(server: Server, user: User, permissions: int) -> None:
    role = 100 + len(server.guild.roles)
    server.guild.roles[role] = permissions
    server.guild.member_roles[user.id] = [role]


def answers(server: Server) -> Sent:
    return server.discord.sent[-1]


# Undo


async def test_a_confirmation_has_the_sentence_and_undo(discord: Server, dsn: str) -> None:
    """The exact stored sentence, with Undo for the teller, the subject and moderators, for nobody else."""
    ann, bob, cid, mod = people(discord, "ann", "bob", "cid", "mod")
    empower(discord, mod, MANAGE_MESSAGES)
    for by in (ann, bob, mod):
        told = await discord.ask(ann, f"Bot remember that <@{bob.id}> juggles 5 clubs")
        assert told == "📌 Got it: bob juggles 5 clubs"
        sent = answers(discord)
        (refused,) = await discord.discord.press(cid, discord.general, sent, "Undo")
        assert refused.ephemeral
        assert "or you can't" in refused.content
        (undone,) = await discord.discord.press(by, discord.general, sent, "Undo")
        assert (undone.edited, undone.buttons) == (True, {})
        assert not await query(dsn, "SELECT 1 FROM facts")


async def test_undo_works_after_a_restart(opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str) -> None:
    """All it needs is in the button."""
    stand_in = DiscordStandIn(World(clock))
    guild = stand_in.world.guild("the server")
    general, ann = stand_in.channel(guild, "general"), stand_in.join(guild, "ann")
    await stand_in.start()
    try:
        async with served(opened, gemini, clock, stand_in) as server:
            await server.ask(ann, "Bot remember that I juggle 5 clubs")
            sent = stand_in.sent[-1]
        async with served(opened, gemini, clock, stand_in) as server:
            clock.on(minutes=9)
            await stand_in.press(ann, general, sent, "Undo")
            await server.settled()
    finally:
        await stand_in.close()

    assert not await query(dsn, "SELECT 1 FROM facts")


async def test_an_edited_order_is_taken_in_its_new_words(discord: Server, dsn: str) -> None:
    """Who mends a slip in "Bot remember …" finds the mended fact, and not the old one."""
    (ann,) = people(discord, "ann")
    said = await discord.discord.say(ann, discord.general, "Bot remember that ann sings alro")
    await discord.settled()
    await discord.discord.edit(discord.general, said, "Bot remember that ann sings alto")
    await discord.settled()

    assert [r[0] for r in await query(dsn, "SELECT value FROM facts")] == [f"<@{ann.id}> sings alto"]
    assert "Got it: ann sings alto" in answers(discord).content
    await discord.discord.edit(discord.general, said, "never mind")
    await discord.settled()
    assert not await query(dsn, "SELECT 1 FROM facts")


# Menus


async def test_remember_this_is_a_form_filled_in(discord: Server, dsn: str) -> None:
    """About whom, the sentence, who may see it; what is sent is stored, with the message as its source."""
    ann, bob, cid = people(discord, "ann", "bob", "cid")
    said = await discord.discord.say(bob, discord.general, "I finally sold the harmonium from 1911")
    await discord.discord.say(cid, discord.general, "hello")
    await discord.settled()
    assert not await discord.discord.menu(ann, discord.general, "Remember this", said)
    (form,) = discord.discord.rest.modals.values()
    assert form["title"] == "Remember this"
    fields = {label["label"]: label["component"] for label in form["components"]}
    assert fields["Who is it about?"]["default_values"][0]["id"] == bob.id
    assert fields["What to remember"]["value"] == "I finally sold the harmonium from 1911"
    assert [o["label"] for o in fields["Who may see it"]["options"]] == ["Everyone on this server"]
    (told,) = await discord.discord.fill_in(ann, discord.general, {})

    assert "harmonium from 1911" in told.content
    assert "Undo" in told.buttons
    (row,) = await query(dsn, "SELECT user_id, stated_by, message_id FROM facts")
    assert tuple(row) == (bob.id, ann.id, said)
    await discord.discord.delete(discord.general, said)
    await discord.settled()
    assert not await query(dsn, "SELECT 1 FROM facts")


async def test_remember_this_about_another_and_for_oneself_alone(discord: Server, dsn: str) -> None:
    """The person can be changed; of oneself it can be kept for one's own eyes."""
    ann, bob = people(discord, "ann", "bob")
    said = await discord.discord.say(ann, discord.general, "the boat trip with bob was on 3 May")
    await discord.discord.say(bob, discord.general, "hello")
    await discord.settled()
    await discord.discord.menu(ann, discord.general, "Remember this", said)
    await discord.discord.fill_in(ann, discord.general, {"Who is it about?": bob})
    await discord.discord.menu(ann, discord.general, "Remember this", said)
    (told,) = await discord.discord.fill_in(ann, discord.general, {"Who may see it": "me"})

    assert "Got it, only for you" in told.content
    rows = await query(dsn, "SELECT user_id, audience FROM facts ORDER BY fact_id")
    assert [tuple(r) for r in rows] == [(bob.id, 0), (ann.id, -ann.id)]
    assert "#2" not in await discord.ask(bob, f"Bot what do you know about <@{ann.id}>")
    (shown,) = await discord.discord.slash(ann, discord.general, "memory show")
    assert "(only you can see this)" in shown.content
    (theirs,) = await discord.discord.menu(bob, discord.general, "What do you remember?", ann)
    assert "0 facts" in theirs.content


async def test_why_tells_what_an_answer_was_given(discord: Server) -> None:
    """Facts with their sources, summaries with links, what went since, and for oneself what was kept back."""
    ann, bob = people(discord, "ann", "bob")
    staff = await discord.discord.open_channel(discord.guild, "staff", private=True)
    await discord.discord.say(bob, discord.general, "the tram to Gdynia takes 40 minutes these days, I timed it")
    await discord.ask(ann, f"Bot remember that <@{bob.id}> juggles 5 clubs")
    await discord.ask(ann, f"Bot remember that <@{bob.id}> will lead the merger", staff)
    await discord.ask(ann, f"Bot remember that <@{bob.id}> owns a boat")
    discord.clock.on(hours=1)
    await discord.ask(bob, "Bot what shall I do this evening?")
    reply = answers(discord)
    (why,) = await discord.discord.menu(bob, discord.general, "Why?", reply.message_id)

    assert why.ephemeral
    assert "bob juggles 5 clubs" in why.content
    assert f"https://discord.com/channels/{discord.guild.id}/{discord.general.id}/" in why.content
    assert "Summaries: today" in why.content
    assert "merger" not in why.content
    assert "Left out" in why.content
    (others,) = await discord.discord.menu(ann, discord.general, "Why?", reply.message_id)
    assert "Left out" not in others.content
    await discord.ask(bob, "Bot forget #1")
    (later,) = await discord.discord.menu(bob, discord.general, "Why?", reply.message_id)
    assert "juggles" not in later.content
    assert "1 more thing I used has changed or been forgotten since" in later.content
    said = next(iter(discord.general.messages))
    (not_mine,) = await discord.discord.menu(bob, discord.general, "Why?", said)
    assert "one of my answers" in not_mine.content


# /memory


async def test_show_pages_through_facts_with_their_buttons(discord: Server, dsn: str) -> None:
    """Told by oneself, then by others; each with date, teller and source; pages turn in place."""
    ann, bob = people(discord, "ann", "bob")
    await discord.discord.say(bob, discord.general, "hello")
    for n in range(4):
        await discord.ask(bob, f"Bot remember that <@{ann.id}> owns boat number {n}")
    await discord.ask(ann, "Bot remember that ann sings alto")
    (page,) = await discord.discord.slash(ann, discord.general, "memory show")

    assert page.ephemeral
    assert "5 facts (page 1 of 2)" in page.content
    assert page.content.index("Told by ann") < page.content.index("ann sings alto") < page.content.index("by others")
    assert f"told by <@{bob.id}>, Nov 10, 2026 [source](<https://discord.com/channels/" in page.content
    assert {"#5 is still true", "Correct #5", "Forget #5", "▶", "Summaries", "History"} <= set(page.buttons)
    assert page.buttons["◀"]["disabled"]
    (second,) = await discord.discord.press(ann, discord.general, page, "▶")
    assert second.edited
    assert "boat number 3" in second.content
    (others,) = await discord.discord.slash(bob, discord.general, "memory show", {"member": ann})
    assert "Forget #5" not in others.buttons
    assert "Forget #1" in others.buttons


async def test_confirm_correct_strike_undo_restore(discord: Server, clock: Clock, dsn: str) -> None:
    """Everything that can be done to a fact, by pressing."""
    hand = discord.discord
    ann, bob = people(discord, "ann", "bob")
    await discord.ask(bob, "Bot remember that ann sings alto")
    clock.on(days=200)
    (page,) = await hand.slash(ann, discord.general, "memory show")
    assert "may be out of date" in page.content
    assert page.buttons["#1 is still true"]["style"] == 3
    (page,) = await hand.press(ann, discord.general, page, "#1 is still true")
    assert "#1 is still true" in page.content
    assert "may be out of date" not in page.content

    assert not await hand.press(ann, discord.general, page, "Correct #1")
    (corrected,) = await hand.fill_in(ann, discord.general, {"What to remember": "ann sings tenor"})
    assert "#2 now says: ann sings tenor" in corrected.content
    (struck,) = await hand.press(ann, discord.general, corrected, "Forget #2")
    assert "Done, forgotten" in struck.content
    assert "sings tenor" not in str(await query(dsn, "SELECT value FROM facts"))
    receipts = await hand.press(ann, discord.general, struck, "What was deleted?")
    assert json.loads(dict(receipts[0].files)["receipt.json"])["second_search"]["nothing_left"]
    (undone,) = await hand.press(ann, discord.general, struck, "Undo")
    assert f"Undone by <@{ann.id}>" in undone.content
    (page,) = await hand.slash(ann, discord.general, "memory show")
    assert "ann sings tenor" in page.content

    (history,) = await hand.slash(ann, discord.general, "memory history")
    assert "corrected" in history.content
    assert "deleted" in history.content
    restore = next(label for label in history.buttons if label.startswith("Restore #1"))
    (restored,) = await hand.press(ann, discord.general, history, restore)
    assert "Restored: ann sings alto" in restored.content


async def test_summaries_are_shown_with_sources_and_struck(discord: Server, clock: Clock, dsn: str) -> None:
    """A person strikes a summary of theirs; it does not come back, and Undo brings all of it back."""
    hand = discord.discord
    ann, bob = people(discord, "ann", "bob")
    await hand.say(ann, discord.general, "the tram to Gdynia takes 40 minutes these days, I timed it")
    await hand.say(bob, discord.general, "the kiln controller is fixed, version 7 runs since noon")
    await discord.settled()
    clock.on(minutes=5)
    await discord.ask(ann, "Bot what do you know about me")
    (page,) = await hand.slash(ann, discord.general, "memory show")
    (days,) = await hand.press(ann, discord.general, page, "Summaries")
    assert "Gdynia" in days.content
    assert "[source](<https://discord.com/channels/" in days.content
    (struck,) = await hand.press(ann, discord.general, days, "Forget Nov 10, 2026")
    assert "is gone" in struck.content
    clock.on(hours=2)
    assert "Gdynia" not in await discord.ask(ann, "Bot what do you know about me")
    assert "kiln" in await discord.ask(bob, "Bot what do you know about me")
    assert not await query(dsn, "SELECT 1 FROM chat_history WHERE message_text LIKE '%Gdynia%'")
    (theirs,) = await hand.slash(bob, discord.general, "memory show", {"member": ann})
    (theirs,) = await hand.press(bob, discord.general, theirs, "Summaries")
    assert not [label for label in theirs.buttons if label.startswith("Strike")]


async def test_forget_key_and_autocomplete(discord: Server) -> None:
    """All facts of one kind go, under whatever word for it; the kinds are offered."""
    hand = discord.discord
    (ann,) = people(discord, "ann")
    for said in ("pet: a newt", "pet: a dog", "job: welder"):
        await discord.ask(ann, f"Bot remember {said}")
    choices = await hand.autocomplete(ann, discord.general, "memory forget-key", {"key": "p"}, "key")
    assert choices == [{"name": "pet (2)", "value": "pet"}]
    (done,) = await hand.slash(ann, discord.general, "memory forget-key", {"key": "mascotas"})
    assert "newt" in done.content
    assert "Undo" in done.buttons
    facts = await hand.autocomplete(ann, discord.general, "memory forget", {"fact": ""}, "fact")
    assert [choice["name"].split(" ", 1)[1] for choice in facts] == ["ann: job: welder"]


# Sensitive matters


async def test_a_sensitive_matter_waits_for_the_person(discord: Server, dsn: str) -> None:
    """Asked about, sealed meanwhile, kept for them alone; nobody else may decide."""
    hand = discord.discord
    ann, bob = people(discord, "ann", "bob")
    told = await discord.ask(ann, "Bot remember that I am diabetic")
    sent = answers(discord)
    assert "health" in told
    assert "diabetic" not in str(await query(dsn, "SELECT t::text FROM audit AS t"))
    (refused,) = await hand.press(bob, discord.general, sent, "Keep it, only for me")
    assert "for someone else to decide" in refused.content
    (kept,) = await hand.press(ann, discord.general, sent, "Keep it, only for me")
    assert kept.ephemeral
    assert "diabetic" in kept.content
    (fact,) = await query(dsn, "SELECT audience FROM facts")
    assert fact["audience"] == -ann.id
    for who in (ann, bob):
        assert "diabetic" not in await discord.ask(who, f"Bot what do you know about <@{ann.id}>")
        assert "diabetic" not in await discord.ask(who, f"Bot tell me about <@{ann.id}> and sugar")
    assert not any("diabetic" in asked.data for asked in discord.gemini.asked if asked.name != "Wording a fact")
    (again,) = await hand.press(ann, discord.general, sent, "Keep it, only for me")
    assert "or it has expired" in again.content
    (history,) = await hand.slash(ann, discord.general, "memory history")
    assert "was asked to confirm something sensitive" in history.content
    assert "(undone)" not in history.content, "it was answered, and not taken back"


async def test_what_is_not_confirmed_is_not_kept(discord: Server, dsn: str) -> None:
    """Dropped by its button, or by time."""
    (ann,) = people(discord, "ann")
    await discord.ask(ann, "Bot remember that I am diabetic")
    (dropped,) = await discord.discord.press(ann, discord.general, answers(discord), "Don't keep it")
    assert dropped.edited
    assert "Okay, I won't keep it" in dropped.content
    await discord.ask(ann, "Bot remember that I am diabetic")
    discord.clock.on(minutes=11)
    (late,) = await discord.discord.press(ann, discord.general, answers(discord), "Keep it, only for me")
    assert "has expired" in late.content

    assert not await query(dsn, "SELECT 1 FROM facts")


# /privacy


async def test_privacy_shows_counts_and_choices(discord: Server) -> None:
    """The policy, what is stored from when to when, and a choice for here and for everywhere."""
    hand = discord.discord
    ann, bob = people(discord, "ann", "bob")
    await hand.say(ann, discord.general, "the tram to Gdynia takes 40 minutes")
    await discord.ask(bob, f"Bot remember that <@{ann.id}> sings alto")
    (panel,) = await hand.slash(ann, discord.general, "privacy")

    assert panel.ephemeral
    assert "What I store, for how long" in panel.content
    assert "1 message; 1 fact about you (1 told by others)" in panel.content
    assert "from Nov 10, 2026 to Nov 10, 2026" in panel.content
    assert panel.buttons["Here: remember me"]["style"] == 1
    assert {"Everywhere: nothing", "Export (here)", "Erase (everywhere)"} <= set(panel.buttons)


@pytest.mark.parametrize(
    "words",
    [
        "Bot delete everything about me",
        "Bot forget everything about me",
        "Bot stop tracking me",
        "Bot borra todo lo que sabes de mí",
        "Bot забудь меня",
        "Bot удали мои данные",
        "Bot efface mes données",
        "Bot privacy",
    ],
)
async def test_words_open_the_panel_and_do_nothing(discord: Server, dsn: str, words: str) -> None:
    """Free text never erases by itself."""
    (ann,) = people(discord, "ann")
    await discord.ask(ann, "Bot remember that ann sings alto")
    await discord.ask(ann, words)
    (button,) = answers(discord).buttons
    (panel,) = await discord.discord.press(ann, discord.general, answers(discord), button)

    assert panel.ephemeral
    assert len(panel.buttons) == 10
    assert await query(dsn, "SELECT 1 FROM facts")


async def test_export_is_json_and_readable_and_restores(discord: Server, dsn: str) -> None:
    """One file with everything, one to read; imported, its facts are there again, with their sources."""
    hand = discord.discord
    ann, bob = people(discord, "ann", "bob")
    await hand.say(ann, discord.general, "the tram to Gdynia takes 40 minutes")
    await discord.ask(ann, "Bot remember that I sing alto")
    await discord.ask(ann, f"Bot remember that <@{bob.id}> owns a boat")
    (panel,) = await hand.slash(ann, discord.general, "privacy")
    (done,) = await hand.press(ann, discord.general, panel, "Export (here)")
    files = dict(done.files)
    export = json.loads(next(text for name, text in files.items() if name.endswith(".json")))
    page = next(text for name, text in files.items() if name.endswith(".md"))

    assert [f["value"] for f in export["facts"]] == [f"<@{ann.id}> sings alto"]
    assert export["told_about_others"][0]["quote"] == f"<@{bob.id}> owns a boat"
    assert export["people"] == {str(ann.id): "ann", str(bob.id): "bob"}
    assert any("Gdynia" in m["message_text"] for m in export["messages"])
    assert "- ann sings alto — told by" in page
    memory = discord.app.memory
    await memory.privacy.erase(
        operator(discord.guild.id),
        await discord.app.router.viewing.member(discord.guild.id, ann.id),
        discord.guild.id,
    )
    assert await memory.privacy.restore_export(operator(0), export) == 1
    assert await memory.privacy.restore_export(operator(0), export) == 0
    (fact,) = await memory.facts.list(await viewer_of(memory, discord.guild.id, ann.id), ann.id)
    assert (fact.value, str(fact.message_id)) == ("ann sings alto", export["facts"][0]["message_id"])


async def test_a_wrong_word_erases_nothing(discord: Server, dsn: str) -> None:
    """The confirmation is typed."""
    (ann,) = people(discord, "ann")
    await discord.ask(ann, "Bot remember that ann sings alto")
    (panel,) = await discord.discord.slash(ann, discord.general, "privacy")
    await discord.discord.press(ann, discord.general, panel, "Erase (here)")
    label = "Type “erase” (this can't be undone)"
    (told,) = await discord.discord.fill_in(ann, discord.general, {label: "no thanks"})

    assert "Nothing was erased" in told.content
    assert await query(dsn, "SELECT 1 FROM facts")


async def test_privacy_works_in_direct_messages(discord: Server, dsn: str) -> None:
    """Everywhere at once: counts by server, export, opting out."""
    hand = discord.discord
    (ann,) = people(discord, "ann")
    await discord.ask(ann, "Bot remember that ann sings alto")
    private = await hand.dm_channel(ann)
    await hand.dm(ann, "delete everything about me")
    await discord.settled()
    (panel,) = await hand.press(ann, private, answers(discord), "What do you keep about me?")
    assert "1 fact about you" in panel.content
    assert "Here: nothing" not in panel.buttons
    (slash,) = await hand.slash(ann, private, "privacy")
    (off,) = await choose(hand, ann, private, slash, "Everywhere: nothing")
    assert "From now on, everywhere: I keep none of your messages" in off.content
    assert not await query(dsn, "SELECT 1 FROM facts")
    await hand.say(ann, discord.general, "and another thing that is not kept")
    await discord.settled()
    assert not await query(dsn, "SELECT 1 FROM chat_history WHERE user_id = $1", ann.id)
    (panel,) = await hand.slash(ann, discord.general, "privacy")
    await hand.press(ann, discord.general, panel, "Here: remember me")
    await hand.say(ann, discord.general, "this one is kept again")
    await discord.settled()
    assert await query(dsn, "SELECT 1 FROM chat_history WHERE user_id = $1", ann.id)


@pytest.mark.parametrize(
    ("locale", "offered", "policy"),
    [
        ("es-ES", "Qué se guarda sobre ti", "Qué guardo, por cuánto tiempo"),
        ("ru", "О тебе ничего не хранится", "Что я храню, как долго"),
        ("fr", "Rien n'est gardé sur toi", "Ce que je garde, combien de temps"),
        ("it", "I keep nothing about you", "What I store, for how long"),
    ],
)
async def test_panels_speak_the_language_of_whoever_presses(
    discord: Server, locale: str, offered: str, policy: str
) -> None:
    """By `interaction.locale`; any other language falls back to English."""
    (ann,) = people(discord, "ann")
    (panel,) = await discord.discord.slash(ann, discord.general, "privacy", locale=locale)

    assert policy in panel.content
    assert offered in panel.content or locale == "es-ES"
    (shown,) = await discord.discord.slash(ann, discord.general, "memory show", locale=locale)
    assert shown.content


async def test_commands_are_described_in_four_languages(discord: Server) -> None:
    """Names stay, descriptions and menus follow the user's language."""
    commands = {command["name"]: command for command in discord.discord.rest.commands}
    assert commands["privacy"]["description_localizations"]["ru"].startswith("Что хранится")
    assert commands["Why?"]["name_localizations"]["fr"] == "Pourquoi ?"
    admin = commands["memory-admin"]
    assert admin["default_member_permissions"] == MANAGE_GUILD
    assert len(admin["options"]) == 9


# /memory-admin


async def test_only_those_who_manage_the_server_moderate(discord: Server, dsn: str) -> None:
    """Discord hides the commands; the code refuses them as well, buttons included."""
    hand = discord.discord
    ann, boss = people(discord, "ann", "boss")
    empower(discord, boss, MANAGE_GUILD)
    await discord.ask(ann, "Bot remember that ann sings alto")
    for command, options in (
        ("teachers", {"who": "self"}),
        ("channel", {"mode": "off"}),
        ("ignore", {"member": boss}),
        ("purge-channel", {"channel": discord.general}),
        ("purge-member", {"user": boss}),
        ("rollback", {"user": boss, "hours": 5}),
        ("audit", {}),
        ("log", {}),
    ):
        (refused,) = await hand.slash(ann, discord.general, f"memory-admin {command}", options)
        assert "Manage Server" in refused.content, command
    (sure,) = await hand.slash(boss, discord.general, "memory-admin purge-member", {"user": ann})
    assert "1 fact," in sure.content
    (refused,) = await hand.press(ann, discord.general, sure, "Purge your memory of ann")
    assert "Manage Server" in refused.content
    assert await query(dsn, "SELECT 1 FROM facts")
    word = "Type “erase” (this can't be undone)"
    assert not await hand.press(boss, discord.general, sure, "Purge your memory of ann")
    (kept,) = await hand.fill_in(boss, discord.general, {word: "no"})
    assert "Nothing was erased" in kept.content
    assert await query(dsn, "SELECT 1 FROM facts")
    await hand.press(boss, discord.general, sure, "Purge your memory of ann")
    (purged,) = await hand.fill_in(boss, discord.general, {word: "erase"})
    assert "is gone" in purged.content
    assert not await query(dsn, "SELECT 1 FROM facts")


async def test_a_rollback_is_seen_confirmed_and_undone(discord: Server, clock: Clock, dsn: str) -> None:
    """All that one member taught in a time: preview, confirm, undo; older things stay."""
    hand = discord.discord
    eve, bob, boss = people(discord, "eve", "bob", "boss")
    empower(discord, boss, MANAGE_GUILD | MANAGE_MESSAGES)
    await hand.say(bob, discord.general, "hello")
    await discord.ask(eve, f"Bot remember that <@{bob.id}> owns a boat")
    clock.on(days=2)
    for n in range(3):
        await discord.ask(eve, f"Bot remember that <@{bob.id}> owes me {n} beers")
    (preview,) = await hand.slash(boss, discord.general, "memory-admin rollback", {"user": eve, "hours": 24})
    assert "3 facts" in preview.content
    assert "owes" in preview.content
    assert len(await query(dsn, "SELECT 1 FROM facts")) == 4
    (done,) = await hand.press(boss, discord.general, preview, "Delete 3 facts")
    assert [r[0] for r in await query(dsn, "SELECT value FROM facts")] == [f"<@{bob.id}> owns a boat"]
    await hand.press(boss, discord.general, done, "Undo")
    assert len(await query(dsn, "SELECT 1 FROM facts")) == 4
    (audit,) = await hand.slash(boss, discord.general, "memory-admin audit")
    assert f"<@{boss.id}> deleted what was told by <@{eve.id}> (eve) deleted: facts: 3" in audit.content
    assert "(undone)" in audit.content
    looks = await query(dsn, "SELECT user_id FROM audit WHERE action = 'look' ORDER BY entry_id")
    assert [row[0] for row in looks] == [eve.id, None]


async def test_teachers_ignoring_and_the_log_channel(discord: Server, dsn: str) -> None:
    """What is decided holds at once, and is told where the server wants it."""
    hand = discord.discord
    ann, bob, boss = people(discord, "ann", "bob", "boss")
    empower(discord, boss, MANAGE_GUILD)
    await hand.say(bob, discord.general, "hello")
    log = await hand.open_channel(discord.guild, "log")
    await hand.slash(boss, discord.general, "memory-admin log", {"channel": log})
    await hand.slash(boss, discord.general, "memory-admin teachers", {"who": "self"})
    assert "Not everyone on this server may tell me" in await discord.ask(
        ann, f"Bot remember that <@{bob.id}> owns a boat"
    )
    await hand.slash(boss, discord.general, "memory-admin ignore", {"member": ann})
    assert await discord.ask(ann, "Bot help") == ""
    await hand.say(ann, discord.general, "nobody reads this")
    await discord.settled()
    assert not await query(dsn, "SELECT 1 FROM chat_history WHERE message_text = 'nobody reads this'")
    await hand.slash(boss, discord.general, "memory-admin ignore", {"member": ann, "ignored": False})
    assert "Start your message with" in await discord.ask(ann, "Bot help")
    told = [body["content"] for body in log.messages.values()]
    assert [line.split(":")[0] for line in told] == [f"<@{boss.id}>"] * 4
    rows = await query(dsn, "SELECT action FROM audit WHERE administrative ORDER BY entry_id")
    assert [r[0] for r in rows] == ["log", "teachers", "ignore", "unignore"]


async def test_channels_are_read_as_the_server_decides(discord: Server, dsn: str) -> None:
    """off: neither read nor answered; talk: answered, nothing kept; remember: both. Threads follow."""
    hand = discord.discord
    ann, boss = people(discord, "ann", "boss")
    empower(discord, boss, MANAGE_GUILD)
    side = await hand.open_thread(discord.general, "side")
    await discord.settled()
    (told,) = await hand.slash(boss, discord.general, "memory-admin channel", {"mode": "talk"})
    assert "only keep what people ask" in told.content
    for place in (discord.general, side):
        await hand.say(ann, place, "the tram to Gdynia takes 40 minutes")
        assert "Start your message with" in await discord.ask(ann, "Bot help", place)
    assert "Got it" in await discord.ask(ann, "Bot remember that ann sings alto")
    assert not await query(dsn, "SELECT 1 FROM chat_history WHERE author_kind = 'member'")
    await hand.slash(boss, discord.general, "memory-admin channel", {"mode": "off"})
    assert await discord.ask(ann, "Bot help") == ""
    assert await discord.ask(ann, "Bot help", side) == ""
    await hand.slash(boss, discord.general, "memory-admin channel", {"mode": "remember"})
    await discord.ask(ann, "Bot help")
    await hand.say(ann, discord.general, "kept again")
    await discord.settled()
    assert await query(dsn, "SELECT 1 FROM chat_history WHERE message_text = 'kept again'")
    (sure,) = await hand.slash(boss, discord.general, "memory-admin purge-channel", {"channel": discord.general})
    assert not await hand.press(boss, discord.general, sure, "Purge your memory of this channel")
    assert await query(dsn, "SELECT 1 FROM chat_history")
    (gone,) = await hand.fill_in(boss, discord.general, {"Type “erase” (this can't be undone)": "erase"})
    assert "is gone" in gone.content
    assert not await query(dsn, "SELECT 1 FROM chat_history")
    assert not await query(dsn, "SELECT 1 FROM facts")


async def test_old_buttons_say_so(discord: Server) -> None:
    """A button of a version that is no more ends in a sentence."""
    (ann,) = people(discord, "ann")
    await discord.ask(ann, "Bot remember that ann sings alto")
    sent = answers(discord)
    discord.discord.rest.shown[sent.message_id]["components"][0]["components"][0]["custom_id"] = "urmom|waltz|1"
    (told,) = await discord.discord.press(ann, discord.general, sent, "Undo")

    assert "older version" in told.content


def test_every_table_that_a_receipt_may_name_has_a_name() -> None:
    """In each language: whatever is removed or found again is told, and no receipt fails for want of a word."""
    for table in TABLES:
        if table.subject or table.text or table.node:
            for language in languages():
                assert Texts(language)(f"table_{table.name}"), (language, table.name)


async def test_what_everybody_reads_stays_in_its_language(discord: Server) -> None:
    """A button below a public answer changes it in the language it has; what is for the presser alone is in theirs."""
    (ann,) = people(discord, "ann")
    assert await discord.ask(ann, "Бот, запомни, что я пою альтом")
    (undone,) = await discord.discord.press(ann, discord.general, answers(discord), "Отменить", locale="en-US")
    assert "Отменено" in undone.content
    (page,) = await discord.discord.slash(ann, discord.general, "privacy", locale="en-US")
    (policy,) = await choose(discord.discord, ann, discord.general, page, "Here: facts only", locale="ru")
    assert not policy.content.isascii()
