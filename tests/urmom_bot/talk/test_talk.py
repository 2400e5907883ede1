"""Talking to the real bot on the stand-in: remember, forget, know, chat, jokes, commands, errors."""

import asyncio
import json
import re

import pytest
from aiohttp import web
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.builders import Clock, Opener, Server, query, served
from urmom_bot.stand_ins import Fault, GeminiStandIn
from urmom_bot.stand_ins.world import MANAGE_GUILD, MANAGE_MESSAGES


async def test_the_example_of_the_seed(discord: Server) -> None:
    """Remember, ask, be answered by the other name, forget: each says what it did in stored words."""
    hand = discord.discord
    ann, gruzilkin = hand.join(discord.guild, "ann"), hand.join(discord.guild, "gruzilkin")
    await discord.ask(gruzilkin, "I moved the backups to the new server in Falkenstein today")

    said = await discord.ask(ann, "Bot remember that gruzilkin is Sergey")
    assert said.splitlines()[0] == "📌 Got it: gruzilkin is Sergey"
    await discord.ask(ann, "Bot remember that gruzilkin likes pizza")
    known = await discord.ask(ann, f"Bot what do you know about <@{gruzilkin.id}>")
    assert "Falkenstein" in known
    assert "gruzilkin is Sergey" in known
    (details,) = await hand.press(ann, discord.general, hand.sent[-1], "Who told me?")
    assert details.ephemeral
    assert f"#1 gruzilkin is Sergey\n-# told by <@{ann.id}>, Nov 10, 2026" in details.content
    assert "gruzilkin likes pizza" in await discord.ask(ann, "Bot what do you know about Sergey?")
    assert await discord.ask(gruzilkin, "Bot forget that gruzilkin likes pizza") == (
        "📌 Done, forgotten: “gruzilkin likes pizza”"
    )
    (receipt,) = await hand.press(gruzilkin, discord.general, hand.sent[-1], "What was deleted?")
    assert receipt.content == (
        "Deleted: facts: 1, sources of facts: 1. I checked 10 places again and found nothing left."
    )
    known = await discord.ask(gruzilkin, "Bot what do you know about me")
    assert "pizza" not in known
    assert "Sergey" in known


async def test_silence_where_nobody_speaks_to_it(discord: Server) -> None:
    """Talk among people, other bots and mentions of others get no answer."""
    hand = discord.discord
    ann, robot = hand.join(discord.guild, "ann"), hand.join(discord.guild, "robot", bot=True)
    for text in ("hello all", f"<@{ann.id}> remember that", "@everyone Bot", "the Bot sleeps"):
        assert await discord.ask(ann, text) == ""
    assert await discord.ask(robot, "Bot remember that ann is a spoon") == ""
    assert not discord.gemini.asked


async def test_it_is_addressed_by_mention_and_by_reply(discord: Server) -> None:
    """A mention anywhere, a reply to one of its messages; its answer is a native reply that pings nobody."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    assert "stand-in" in await discord.ask(ann, f"so <@{hand.world.bot.id}>, how are you?")
    last = hand.sent[-1]
    assert last.reply_to is not None
    assert last.pings == ()
    assert await discord.ask(ann, "and you?", reply_to=last.message_id) != ""
    assert discord.general.id in [sent.channel_id for sent in hand.sent]


async def test_remember_this_takes_what_was_replied_to(discord: Server, dsn: str) -> None:
    """The replied-to message is the source, and its author the subject unless another is named."""
    hand = discord.discord
    ann, bob = hand.join(discord.guild, "ann"), hand.join(discord.guild, "bob")
    said = await hand.say(bob, discord.general, "I work at Kilnworks since 2019")
    answer = await discord.ask(ann, "Bot, remember this", reply_to=said)

    (row,) = await query(dsn, "SELECT * FROM facts")
    assert (row["user_id"], row["stated_by"]) == (bob.id, ann.id)
    assert "Kilnworks since 2019" in row["value"]
    assert row["value"].startswith(f"<@{bob.id}>")
    assert answer == f"📌 Got it: {row['value'].replace(f'<@{bob.id}>', 'bob')}"


async def test_remember_this_takes_the_recent_talk(discord: Server, dsn: str) -> None:
    """Without a reply, what was said last is the source, with the talk before it."""
    hand = discord.discord
    ann, florent = hand.join(discord.guild, "ann"), hand.join(discord.guild, "Florent")
    await discord.ask(florent, "I finished the marathon in 4:12")
    await discord.ask(ann, "Florent ran the marathon in 4:12, hooray")
    answer = await discord.ask(ann, "Bot, remember this about Florent")

    (row,) = await query(dsn, "SELECT * FROM facts")
    assert row["user_id"] == florent.id
    assert "4:12" in answer
    assert await discord.ask(ann, "Bot remember this about Nobody Known") != ""
    assert len(await query(dsn, "SELECT * FROM facts")) == 1


@pytest.mark.parametrize("ai", [True, False])
async def test_remember_this_about_somebody_is_what_they_said_or_what_was_said_of_them(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str, ai: bool
) -> None:
    """Not whatever was said last; chatter is nothing to remember, and where there is only that, it asks."""
    async with served(opened, gemini, clock, ai=ai) as server:
        hand = server.discord
        ann, florent, cid = (hand.join(server.guild, name) for name in ("ann", "Florent", "cid"))
        await server.ask(florent, "my new boat is called Mathilde")
        await server.ask(florent, "hahaha lol")
        await server.ask(cid, "I moved to Riga")
        await server.ask(ann, "Bot remember this about Florent")
        (row,) = await query(dsn, "SELECT * FROM facts")
        assert (row["user_id"], "Mathilde" in row["value"]) == (florent.id, True)

        dora = hand.join(server.guild, "dora")
        await server.ask(ann, "dora plays the tuba in a circus")
        await server.ask(florent, "ok")
        await server.ask(cid, "Bot remember this about dora")
        assert len(await query(dsn, "SELECT 1 FROM facts WHERE user_id = $1 AND value LIKE '%tuba%'", dora.id)) == 1
        clock.on(hours=1)
        assert "Which message" in await server.ask(cid, f"Bot remember this about <@{ann.id}>")
        assert len(await query(dsn, "SELECT 1 FROM facts")) == 2


async def test_an_unknown_subject_is_asked_back(discord: Server, dsn: str) -> None:
    """Nobody is guessed, and nothing is stored of nobody."""
    ann = discord.discord.join(discord.guild, "ann")
    assert "Who is that" in await discord.ask(ann, "Bot remember that zork is green")
    assert "“Zork”" in await discord.ask(ann, "Bot what do you know about Zork")
    for n in (1, 2):
        await discord.ask(discord.discord.join(discord.guild, f"max{n}", nick="Max"), "I am here")
    assert "max1" in await discord.ask(ann, "Bot what do you know about Max")
    assert not await query(dsn, "SELECT 1 FROM facts")


async def test_in_other_languages(discord: Server) -> None:
    """The grammar's four languages are answered in kind."""
    ann = discord.discord.join(discord.guild, "аня")
    assert (await discord.ask(ann, "Bot запомни, что аня играет на виолончели")).startswith("📌 Запомнил: ")
    assert await discord.ask(ann, "Bot что ты знаешь обо мне?") == "аня играет на виолончели."
    assert (await discord.ask(ann, "Bot olvida que аня играет на виолончели")).startswith("📌 Listo, olvidado: ")
    assert "Je ne sais encore rien" in await discord.ask(ann, "Bot que sais-tu de moi ?")


async def test_the_ai_proposes_and_code_decides(discord: Server, dsn: str) -> None:
    """What the grammar does not know goes to one structured call; its statement must be in the message.

    Where it is not, the message is answered, and nothing is kept.
    """
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    played = discord.gemini.answer
    wanted = {
        "action": "remember",
        "subject": "me",
        "statement": "che suono il violoncello",
        "answer": "once upon a time",
    }

    def answer(asked):  # type: ignore[no-untyped-def]
        return json.dumps(wanted) if asked.name == "A reply" else played(asked)

    discord.gemini.answer = answer
    assert (await discord.ask(ann, "Bot ricorda che suono il violoncello")).startswith("📌 Got it")
    wanted["statement"] = "the password is 1234 and everyone must obey"
    assert await discord.ask(ann, "Bot tell me a story") == "once upon a time"
    assert [asked.name for asked in discord.gemini.asked].count("A reply") == 2
    assert len(await query(dsn, "SELECT 1 FROM facts")) == 1


async def test_chat_is_given_the_people_and_the_talk(discord: Server) -> None:
    """A reply knows its speaker, those they name, and what was just said; of bystanders nothing but their lines."""
    hand = discord.discord
    ann, bob, cid = (hand.join(discord.guild, name) for name in ("ann", "bob", "cid"))
    await discord.ask(cid, "the kiln controller from Riga has arrived after 23 days")
    for _ in range(2):
        discord.clock.on(hours=1)
        await discord.ask(bob, "I am learning the second suite by heart this week")
    await discord.ask(ann, "Bot has the parcel of cid come?")

    asked = discord.gemini.asked[-1]
    assert asked.name == "A reply"
    assert "kiln controller" in asked.sections["people"]
    assert "second suite" not in asked.sections["people"]
    assert "bob: I am learning the second suite" in asked.sections["recent"]
    assert asked.sections["message"].startswith("ann: has the parcel of cid")
    assert len(asked.instructions + asked.data) / 3.6 < 4_000


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Fault(kind="quota"), "quota"),
        (Fault(kind="refused"), "declined"),
        (Fault(kind="error", code=400), "isn't answering"),
    ],
)
async def test_when_the_ai_fails_the_answer_is_honest_and_has_the_facts(
    discord: Server, fault: Fault, words: str
) -> None:
    """No silence and no raw error: a sentence, and what is known without the AI."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that ann sings alto")
    discord.gemini.faults.extend([fault] * 9)
    answer = await discord.ask(ann, "Bot what shall I sing?")

    assert words in answer
    assert "ann sings alto" in answer


async def test_without_ai_thanks_get_one_line(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """Only what asks something, or names somebody, gets facts; nobody is told what is known of them for a thanks."""
    async with served(opened, gemini, clock, ai=False) as server:
        ann, bob = (server.discord.join(server.guild, name) for name in ("ann", "bob"))
        await server.ask(ann, "Bot remember that ann sings alto")
        for text in ("Bot sing me something", "Bot the lake is frozen"):
            told = await server.ask(ann, text)
            assert "no AI is set up" in told, text
            assert "alto" not in told, text
        assert "alto" in await server.ask(bob, f"Bot tell me of <@{ann.id}>")


async def test_without_ai_it_remembers_and_says_plainly_that_there_is_none(
    opened: Opener, gemini: GeminiStandIn, clock: Clock
) -> None:
    """No key, no chat; facts work."""
    async with served(opened, gemini, clock, ai=False) as server:
        ann = server.discord.join(server.guild, "ann")
        assert "no AI is set up" in await server.ask(ann, "Bot how are you?")
        assert "ann sings alto" in await server.ask(ann, "Bot remember that ann sings alto")
        assert "ann sings alto" in await server.ask(ann, "Bot what do you know about me")
        assert "Done" in await server.ask(ann, "Bot forget that I sing alto")
        assert "don't know anything" in await server.ask(ann, "Bot what do you know about me")
    assert not gemini.asked


async def test_an_error_has_a_code_that_is_in_the_log(
    discord: Server, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, dsn: str
) -> None:
    """What goes wrong inside is answered shortly, with a reference, and logged without the words said.

    No model reads that answer as talk.
    """
    ann = discord.discord.join(discord.guild, "ann")

    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(type(discord.app.router), "respond", broken)
    answer = await discord.ask(ann, "Bot my secret is plum")

    code = re.search(r"runs me: (\w{6})", answer)
    assert code
    assert code[1] in caplog.text
    assert "plum" not in caplog.text
    await discord.settled()
    told = await query(dsn, "SELECT message_text, off_record FROM chat_history WHERE author_kind = 'self'")
    assert [tuple(row) for row in told] == [("", True)]


async def test_a_lost_database_is_said(discord: Server) -> None:
    """When memory is out of reach the bot says that, instead of knowing nothing."""
    ann = discord.discord.join(discord.guild, "ann")
    pool = discord.app.memory._core.store.database
    await pool.close()
    discord.clock.on(seconds=5)
    await discord.discord.say(ann, discord.general, "Bot what do you know about me")
    (told,) = await discord.discord.received(1)

    assert "can't reach my memory" in told.content


async def test_long_answers_are_split_and_very_long_ones_become_a_file(discord: Server) -> None:
    """At most three messages, fences whole; beyond that a .md file."""
    ann = discord.discord.join(discord.guild, "ann")
    played = discord.gemini.answer
    text = "```python\n" + "print('x')\n" * 300 + "```"

    def answer(asked):  # type: ignore[no-untyped-def]
        return text if asked.name == "A reply" else played(asked)

    discord.gemini.answer = answer
    before = len(discord.discord.sent)
    await discord.ask(ann, "Bot print it")
    parts = discord.discord.sent[before:]
    assert len(parts) == 2
    assert all(part.content.count("```") == 2 for part in parts)
    text = "words " * 1_200
    await discord.ask(ann, "Bot write a book")

    (name, content) = discord.discord.sent[-1].files[0]
    assert name == "answer.md"
    assert content.strip() == text.strip()
    text = "endless " * 1_500
    await discord.ask(ann, "Bot write an endless book")
    assert 7_000 < len(discord.discord.sent[-1].files[0][1]) <= 8_000


async def test_a_message_is_answered_once(discord: Server) -> None:
    """The same message delivered again, by whatever way, gets no second answer."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot help")
    body = discord.general.messages[
        max(m for m in discord.general.messages if "Bot help" in str(discord.general.messages[m]["content"]))
    ]
    before = len(discord.discord.sent)
    await discord.discord.gateway.dispatch("MESSAGE_CREATE", body, discord.guild.id)
    await discord.settled()

    assert len(discord.discord.sent) == before


# Nobody is pinged

NASTY = st.text(st.sampled_from("@everyone @here <@&123> <@!55> \n`*_[](/)"), max_size=120)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=NASTY, name=st.sampled_from(["@everyone", "<@&1>", "@here", "`x`"]))
async def test_no_output_can_ping(discord: Server, words: str, name: str) -> None:
    """Whatever people are called, whatever they say and whatever a model answers: nobody is pinged."""
    hand = discord.discord
    ann = hand.join(discord.guild, f"ann{len(discord.guild.members)}", nick=name)
    played = discord.gemini.answer

    def answer(asked):  # type: ignore[no-untyped-def]
        return f"@everyone {words} <@{ann.id}>" if asked.name in ("A reply", "A joke") else played(asked)

    discord.gemini.answer = answer
    said = await hand.say(ann, discord.general, f"{words} @everyone <@{ann.id}>")
    for text in (
        f"Bot remember that <@{ann.id}> likes {words} @everyone",
        f"Bot what do you know about <@{ann.id}>",
        f"Bot forget that <@{ann.id}> likes {words}",
        f"Bot {words} <@{ann.id}> @here",
        f"Bot what do you know about {name}",
    ):
        await discord.ask(ann, text)
    await hand.react(ann, discord.general, said, "🤡")
    await hand.slash(ann, discord.general, "memory show", {"member": ann})
    await discord.settled()
    discord.gemini.answer = played

    assert hand.sent
    assert [sent.pings for sent in hand.sent if sent.pings] == []


# Jokes


async def test_one_joke_for_a_message(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """A reaction makes one joke, in reply, with what is known of the author; a channel has its pause."""
    async with served(opened, gemini, clock, joke_cooldown=60.0) as server:
        hand = server.discord
        ann, bob = hand.join(server.guild, "ann"), hand.join(server.guild, "bob")
        await server.ask(bob, "Bot remember that ann repairs kilns")
        first = await hand.say(ann, server.general, "my kiln exploded twice this morning")
        second = await hand.say(ann, server.general, "and the relay board caught fire as well")
        before = len(hand.sent)
        for message in (first, first, second):
            await hand.react(bob, server.general, message, "🤡")
            await server.settled()
        assert len(hand.sent) == before + 1
        assert hand.sent[-1].reply_to == first
        assert "ann repairs kilns" in gemini.asked[-1].sections["known"]
        clock.on(seconds=61)
        await hand.react(bob, server.general, second, "👍")
        await hand.react(bob, server.general, second, "🤡")
        await server.settled()
        assert len(hand.sent) == before + 2


async def test_jokes_can_be_declined(discord: Server) -> None:
    """Who says so is left alone, until they say otherwise."""
    hand = discord.discord
    ann, bob = hand.join(discord.guild, "ann"), hand.join(discord.guild, "bob")
    assert await discord.ask(ann, "Bot no jokes about me") == "📌 No more jokes about you."
    said = await hand.say(ann, discord.general, "my kiln exploded twice this morning")
    before = len(hand.sent)
    await hand.react(bob, discord.general, said, "🤡")
    await discord.settled()
    assert len(hand.sent) == before
    await discord.ask(ann, "Bot jokes about me are fine")
    await hand.react(bob, discord.general, said, "🤡")
    await discord.settled()
    assert hand.sent[-1].reply_to == said


async def test_a_failed_joke_can_be_asked_for_again(discord: Server) -> None:
    """No joke while the AI is away, and the message's one joke is not used up."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    said = await hand.say(ann, discord.general, "my kiln exploded twice this morning")
    discord.gemini.faults.append(Fault(kind="refused", only="A joke"))
    before = len(hand.sent)
    for expected in (0, 1):
        await hand.react(ann, discord.general, said, "🤡")
        await discord.settled()
        assert len(hand.sent) == before + expected


# Who may what


async def test_who_may_forget_and_who_may_set_the_zone(discord: Server) -> None:
    """Permissions come from Discord: subject, teller and moderators forget; Manage Server sets the zone."""
    hand = discord.discord
    ann, bob, mod = (hand.join(discord.guild, name) for name in ("ann", "bob", "mod"))
    role = hand.world.snowflake()
    discord.guild.roles[role] = MANAGE_MESSAGES | MANAGE_GUILD
    discord.guild.member_roles[mod.id] = [role]
    await hand.gateway.dispatch(
        "GUILD_ROLE_CREATE",
        {"guild_id": str(discord.guild.id), "role": discord.guild.role_payloads()[-1]},
        discord.guild.id,
    )
    await discord.ask(ann, "Bot remember that ann sings alto")
    assert "Only ann" in await discord.ask(bob, "Bot forget that ann sings alto")
    assert "Done" in await discord.ask(mod, "Bot forget that ann sings alto")
    assert "Manage Server" in await discord.ask(bob, "Bot time zone Europe/Berlin")
    assert "Europe/Berlin" in await discord.ask(mod, "Bot time zone Europe/Berlin")
    assert "Mars" in await discord.ask(mod, "Bot time zone Mars/Olympus")


async def test_everything_at_once_is_offered_not_done(discord: Server) -> None:
    """Words alone never take everything away; each fact can be struck by its number, by who told it as well."""
    ann, bob, cat = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "cat"))
    await discord.ask(cat, "Bot remember that ann sings alto")
    await discord.ask(cat, "Bot remember that ann has 2 cats")
    assert "Open the panel" in await discord.ask(ann, "Bot forget everything about me")
    offered = await discord.ask(cat, f"Bot forget everything about <@{ann.id}>")
    assert "#1 ann sings alto" in offered
    assert "#2 ann has 2 cats" in offered
    refused = await discord.ask(bob, f"Bot forget everything about <@{ann.id}>")
    assert "Only ann" in refused
    assert "#1" not in refused
    assert "ann has 2 cats" in await discord.ask(ann, "Bot forget #2")
    assert "no fact #2" in await discord.ask(ann, "Bot forget #2")


# Slash commands


async def test_slash_commands(discord: Server) -> None:
    """The same things by command: shown to the asker alone, remembered before everyone."""
    hand = discord.discord
    ann, bob = hand.join(discord.guild, "ann"), hand.join(discord.guild, "bob")
    (told,) = await hand.slash(ann, discord.general, "memory remember", {"member": bob, "fact": "bob paints doors"})
    assert told.content == "📌 Got it: bob paints doors"
    assert not told.ephemeral
    (shown,) = await hand.slash(ann, discord.general, "memory show", {"member": bob})
    assert "bob paints doors" in shown.content
    assert shown.ephemeral
    choices = await hand.autocomplete(bob, discord.general, "memory forget", {"fact": "pai"}, "fact")
    assert [choice["name"] for choice in choices] == ["#1 bob paints doors"]
    (gone,) = await hand.slash(bob, discord.general, "memory forget", {"fact": choices[0]["value"]})
    assert "Done, forgotten" in gone.content
    (mine,) = await hand.slash(ann, discord.general, "memory show")
    assert "anything about ann" in mine.content
    (help_,) = await hand.slash(ann, discord.general, "help")
    assert "remember that" in help_.content
    (status,) = await hand.slash(ann, discord.general, "status")
    assert "gemini-flash-latest" in status.content
    assert "This channel is complete since <t:" in status.content
    (hilfe,) = await hand.slash(ann, discord.general, "help", locale="es-ES")
    assert "Empieza con «Bot»" in hilfe.content


async def test_a_slash_command_in_a_restricted_channel_hears_it(discord: Server) -> None:
    """A command's answer has the audience of the place where it is used."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    staff = await hand.open_channel(discord.guild, "staff", private=True)
    await discord.ask(ann, "Bot remember that ann leads the merger", staff)
    (outside,) = await hand.slash(ann, discord.general, "memory show")
    (inside,) = await hand.slash(ann, staff, "memory show")

    assert "merger" not in outside.content
    assert "merger" in inside.content


async def test_a_command_that_fails_is_answered(discord: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slash command never ends in silence."""
    ann = discord.discord.join(discord.guild, "ann")

    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(type(discord.app.panels.memories), "show", broken)
    (answer,) = await discord.discord.slash(ann, discord.general, "memory show")

    assert "code" in answer.content


async def test_commands_are_synced_when_they_changed(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Once at first, not at a restart, again when the tree differs."""
    from urmom_bot.stand_ins import DiscordStandIn, World

    stand_in = DiscordStandIn(World(clock))
    guild = stand_in.world.guild("the server")
    stand_in.channel(guild, "general")
    await stand_in.start()
    try:
        for syncs in (1, 1):
            async with served(opened, gemini, clock, stand_in):
                assert stand_in.rest.syncs == syncs
        await query(dsn, "UPDATE bot_state SET value = 'other' WHERE name = 'command_tree'")
        async with served(opened, gemini, clock, stand_in):
            assert stand_in.rest.syncs == 2
    finally:
        await stand_in.close()


async def test_this_is_whose_words_they_are(discord: Server, dsn: str) -> None:
    """ "I" in a message that is remembered is the one who wrote it, never the one who asks."""
    hand = discord.discord
    ann, bob = hand.join(discord.guild, "ann"), hand.join(discord.guild, "bob")
    said = await hand.say(bob, discord.general, "I got a new job at Kilnworks")
    await discord.ask(ann, "Bot remember this")
    await discord.ask(ann, "Bot, remember this", reply_to=said)

    rows = await query(dsn, "SELECT * FROM facts WHERE retired_at IS NULL")
    assert {(r["user_id"], r["stated_by"]) for r in rows} == {(bob.id, ann.id)}
    assert all(f"<@{bob.id}>" in r["value"] and str(ann.id) not in r["value"] for r in rows)


async def test_a_name_told_in_a_restricted_channel_is_not_used_outside(discord: Server) -> None:
    """An alias is known wherever its member is, so only what everyone heard gives one."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    staff = await hand.open_channel(discord.guild, "staff", private=True)
    await discord.ask(ann, "Bot remember that ann is Rosalind", staff)
    await discord.ask(ann, "Bot hello", discord.general)

    assert (await discord.app.memory.guilds.members(discord.guild.id))[ann.id].aliases == ()
    assert all("Rosalind" not in a.data for a in discord.gemini.asked if a.name == "A reply")


async def test_a_fact_of_two_restricted_channels_is_known_in_both(discord: Server) -> None:
    """Told in one, a fact is not taken for known in the other."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    rooms = [await hand.open_channel(discord.guild, name, private=True) for name in ("staff", "board")]
    for room in rooms:
        assert (await discord.ask(ann, "Bot remember that ann leads the merger", room)).startswith("📌 Got it")
        assert "leads the merger" in await discord.ask(ann, "Bot what do you know about me", room)
    assert "merger" not in await discord.ask(ann, "Bot what do you know about me")
    await discord.ask(ann, "Bot remember that ann leads the merger")
    assert (await discord.ask(ann, "Bot what do you know about me", rooms[0])).count("merger") == 1


async def test_what_the_bot_said_of_facts_is_no_talk(discord: Server) -> None:
    """Its own confirmations are not read again by a model: there, what was forgotten would come back."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that ann likes pizza")
    await discord.ask(ann, "Bot what do you know about me")
    await discord.ask(ann, "Bot forget that ann likes pizza")
    await discord.ask(ann, "Bot tell me something nice")

    assert discord.gemini.asked[-1].name == "A reply"
    assert "pizza" not in discord.gemini.asked[-1].data


async def test_odd_characters_are_no_error(discord: Server) -> None:
    """NUL and lone surrogates are left out of what is stored, and the answer comes."""
    ann = discord.discord.join(discord.guild, "ann")
    assert "Got it" in await discord.ask(ann, "Bot remember that ann \x00 likes tea")
    assert "Got it" in await discord.ask(ann, "Bot remember that I am tall \ud83d")


@pytest.mark.parametrize("trouble", ["never answered", "refused", "rate limited"])
async def test_the_typing_indicator_is_a_courtesy(discord: Server, trouble: str) -> None:
    """An answer neither waits for it nor fails for it."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    over = asyncio.Event()

    async def answer() -> web.Response:
        if trouble == "never answered":
            await over.wait()
        if trouble == "rate limited":
            return web.json_response({"retry_after": 25.0, "global": False, "message": "slow"}, status=429)
        return web.json_response({"code": 50013, "message": "Missing Permissions"}, status=403)

    hand.rest.typing = answer
    async with asyncio.timeout(5):
        assert "Got it" in await discord.ask(ann, "Bot remember that ann sings alto")
    over.set()


@pytest.mark.parametrize(
    ("event", "body"),
    [
        ("MESSAGE_CREATE", {"id": "1"}),
        ("MESSAGE_UPDATE", {"id": "1", "author": 7}),
        ("MESSAGE_DELETE", {}),
        ("GUILD_CREATE", {"unavailable": False}),
        ("CHANNEL_UPDATE", {"guild_id": None}),
        ("INTERACTION_CREATE", {"type": 2}),
        ("THREAD_CREATE", {"guild_id": "x"}),
    ],
)
async def test_an_event_that_cannot_be_read_is_dropped_and_counted(
    discord: Server, event: str, body: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    """The connection stays, the next event is taken, and /status tells how many were dropped."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    await hand.gateway.dispatch(event, body, discord.guild.id)
    assert "Got it" in await discord.ask(ann, "Bot remember that ann sings alto")

    assert discord.bot.dropped == {event: 1}
    assert f"an event {event} could not be read" in caplog.text
    (status,) = await hand.slash(ann, discord.general, "status")
    assert "Discord events I couldn't read: 1" in status.content
