"""Replies through the real discord.py: what they are given, what they link, and what comes without an AI."""

from __future__ import annotations

import asyncio
import json

import pytest

from memory import Query, Recalled, Viewer, public
from memory.services.replies import ReplyService
from tests.builders import Clock, Opener, Server, choose, query, served
from urmom_bot.stand_ins import Asked, Fault, GeminiStandIn

WORD = "zarquon"


def replies(gemini: GeminiStandIn, **answer: object) -> None:
    """Let the model reply so; the rest as before."""
    played = gemini.answer
    gemini.answer = lambda asked: json.dumps({"answer": "well", **answer}) if asked.name == "A reply" else played(asked)


def last_prompt(server: Server) -> Asked:
    return [asked for asked in server.gemini.asked if asked.name == "A reply"][-1]


async def small_talk(server: Server, user: object, lines: int = 32) -> None:
    for n in range(lines):
        server.clock.on(seconds=20)
        await server.discord.say(user, server.general, f"tram number {n} is late")  # type: ignore[arg-type]
    await server.settled()


async def test_what_lies_outside_the_last_lines_is_found_and_linked(discord: Server) -> None:
    """Told a while ago: the line stands in the prompt with its number, and the answer links it. One call."""
    hand = discord.discord
    ann, bob, cid = (hand.join(discord.guild, name) for name in ("ann", "bob", "cid"))
    await discord.ask(ann, "my kiln does not heat any more")
    await discord.ask(bob, "ann: check the relay first")
    told = max(await query_ids(discord))
    await small_talk(discord, cid)
    before = len(discord.gemini.asked)
    number: list[int] = []

    def answer(asked: Asked) -> str:
        if asked.name != "A reply":
            return json.dumps({"notes": []})
        line = next(ln for ln in asked.sections["found"].splitlines() if "check the relay" in ln)
        number.append(int(line.split()[0]))
        return json.dumps({"answer": "bob said: the relay", "sources": [number[0], 99, number[0]]})

    discord.gemini.answer = answer
    answered = await discord.ask(ann, "Bot what was I to look at?")
    assert answered.splitlines()[0] == "bob said: the relay"
    assert answered.splitlines()[1].startswith("-# ↪ [bob, Nov 10, 2026](<https://discord.com/channels/")
    assert answered.count(str(told)) == 1
    assert "check the relay" not in last_prompt(discord).sections["recent"]
    assert [a.name for a in discord.gemini.asked[before:]].count("A reply") == 1
    assert {a.name for a in discord.gemini.asked[before:]} <= {"A reply", "Notes of a day"}
    assert len(number) == 1


async def test_a_name_breaks_no_link(discord: Server) -> None:
    """Whatever somebody is called, a source's link leads where the program says."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    eve = hand.join(discord.guild, "eve", nick="eve](<https://evil.example>) [x")
    await hand.say(eve, discord.general, "ann: the kiln needs a new relay")
    await small_talk(discord, eve)
    replies(discord.gemini, sources=list(range(1, 60)))
    answered = await discord.ask(ann, "Bot what of my kiln and its relay?")
    for link in answered.splitlines()[1].removeprefix("-# ↪ ").split(" · "):
        assert link.startswith("[eveevil.example x @eve, Nov 10, 2026")
        assert link.count("](") == link.count("](<https://discord.com/channels/") == 1


async def query_ids(server: Server) -> list[int]:
    return [
        m.message_id for m in await server.app.memory.messages.recent(public(server.guild.id), server.general.id, 2**62)
    ]


async def test_the_message_that_is_answered_stands_in_the_prompt(discord: Server) -> None:
    """With the lines around it, also where it is the bot's own."""
    hand = discord.discord
    ann, bob = (hand.join(discord.guild, name) for name in ("ann", "bob"))
    for text in ("the first line", "the second line", "my kiln does not heat", "the fourth line", "the fifth line"):
        discord.clock.on(seconds=5)
        said = await hand.say(bob, discord.general, text)
        if text.startswith("my"):
            asked_about = said
    await small_talk(discord, bob)
    replies(discord.gemini)
    await discord.ask(ann, "Bot what should he do about this?", reply_to=asked_about)
    lines = last_prompt(discord).sections["answered"].splitlines()
    assert [line.split(" ", 2)[-1] for line in lines if line.startswith("*")] == ["bob: my kiln does not heat"]
    assert len(lines) == 5

    own = hand.sent[-1].message_id
    await discord.ask(ann, "and then?", reply_to=own)
    assert any(line.startswith("* ") and line.endswith(" you > ann: well") for line in
               last_prompt(discord).sections["answered"].splitlines())  # fmt: skip


async def test_words_of_who_opted_out_are_sent_to_no_model(discord: Server) -> None:
    """Not even where somebody replies to them."""
    hand = discord.discord
    ann, bob = (hand.join(discord.guild, name) for name in ("ann", "bob"))
    replies(discord.gemini)
    (panel,) = await hand.slash(bob, discord.general, "privacy")
    await choose(hand, bob, discord.general, panel, "Here: nothing")
    said = await hand.say(bob, discord.general, f"I have a {WORD}")
    await discord.ask(ann, "Bot what does he mean?", reply_to=said)
    assert WORD not in last_prompt(discord).data
    assert "answered" not in last_prompt(discord).sections


async def test_recent_lines_have_times_and_marks(discord: Server) -> None:
    """Who answers whom, and when; what was spoken with the bot stands in the turns before, and only there."""
    hand = discord.discord
    ann, bob = (hand.join(discord.guild, name) for name in ("ann", "bob"))
    replies(discord.gemini)
    first = await hand.say(bob, discord.general, "the kiln is cold")
    discord.clock.on(minutes=3)
    await hand.say(ann, discord.general, "so light it", reply_to=first)
    await discord.ask(ann, "Bot hello")
    await discord.ask(ann, "Bot and now?")
    lines = last_prompt(discord).sections["recent"].splitlines()
    assert lines[0] == "12:00 bob: the kiln is cold"
    assert lines[1] == "12:03 ann > bob: so light it"
    assert len(lines) == 2
    (role, asked), (other, _) = last_prompt(discord).turns
    assert (role, asked, other) == ("user", "ann: hello", "model")


async def test_nobody_elses_memory_enters(discord: Server) -> None:
    """Not that of who happens to write; nor of a member whose name is an everyday word, unless they are mentioned."""
    hand = discord.discord
    ann, bob = (hand.join(discord.guild, name) for name in ("ann", "bob"))
    today = hand.join(discord.guild, "today")
    await discord.ask(bob, "Bot remember that I collect kilns")
    await discord.ask(today, "Bot remember that I collect anvils")
    await discord.ask(ann, "Bot remember that I collect violins")
    await discord.ask(bob, "the weather is grim")
    replies(discord.gemini)
    await discord.ask(ann, "Bot how are you today, in this weather?")
    assert "grim" in last_prompt(discord).data
    assert "violins" in last_prompt(discord).sections["people"]
    assert "kilns" not in last_prompt(discord).data
    assert "anvils" not in last_prompt(discord).data
    await discord.ask(ann, f"Bot what about <@{today.id}> and bob?")
    assert "anvils" in last_prompt(discord).sections["people"]
    assert "kilns" in last_prompt(discord).sections["people"]


async def test_who_appears_in_what_was_found_is_remembered(discord: Server) -> None:
    """Somebody who is not named, and whom the lines found are about."""
    hand = discord.discord
    ann, bob = (hand.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(bob, "Bot remember that I collect violins")
    for text in ("the kiln is cold", "the kiln is hot", "the kiln is broken"):
        await discord.ask(bob, text)
    await small_talk(discord, ann)
    replies(discord.gemini)
    await discord.ask(ann, "Bot whose kiln was it?")
    assert "violins" in last_prompt(discord).sections["people"]


@pytest.mark.parametrize("planted", ["restricted", "deleted", "opted out", "forgotten"])
async def test_nobody_is_given_what_they_may_not_hear(discord: Server, planted: str) -> None:
    """A word from a channel they cannot read, from who opted out, deleted or forgotten: in no prompt and no list."""
    hand = discord.discord
    ann, bob = (hand.join(discord.guild, name) for name in ("ann", "bob"))
    place = discord.general
    if planted == "restricted":
        place = await hand.open_channel(discord.guild, "staff", private=True)
    said = await hand.say(bob, place, f"ann: I have a {WORD} in the yard")
    await discord.settled()
    if planted == "deleted":
        await hand.delete(discord.general, said)
    elif planted == "opted out":
        (panel,) = await hand.slash(bob, discord.general, "privacy")
        await choose(hand, bob, discord.general, panel, "Here: nothing")
    elif planted == "forgotten":
        await discord.ask(bob, f"Bot forget that I have a {WORD} in the yard")
    await small_talk(discord, ann, 5)
    replies(discord.gemini)
    for question in (f"Bot who has a {WORD}?", "Bot what did bob tell me?", "Bot what did I miss?"):
        told = await discord.ask(ann, question)
        assert WORD not in told.replace(question, "")
    assert all(WORD not in line for line in last_prompt(discord).sections.get("found", "").splitlines())
    (found,) = await hand.slash(ann, discord.general, "recall", {"question": f"what of the {WORD}?"})
    assert WORD not in found.content


async def test_a_reply_goes_with_what_was_found_for_it(discord: Server, dsn: str) -> None:
    """A deleted message takes the words of the answers that were given it; why an answer came can be asked."""
    hand = discord.discord
    ann, bob = (hand.join(discord.guild, name) for name in ("ann", "bob"))
    said = await hand.say(bob, discord.general, "ann: the kiln needs a new relay")
    await small_talk(discord, bob)
    discord.gemini.answer = lambda asked: json.dumps(
        {"answer": "a relay, says bob"} if asked.name == "A reply" else {"notes": []}
    )
    await discord.ask(ann, "Bot what did bob say about my kiln?")
    reply = hand.sent[-1].message_id
    (why,) = await hand.menu(ann, discord.general, "Why?", reply)
    assert f"/{said}" in why.content
    kept = "SELECT message_text FROM chat_history WHERE message_id = $1"
    assert (await query(dsn, kept, reply))[0][0] == "a relay, says bob"
    await hand.delete(discord.general, said)
    await discord.settled()
    assert (await query(dsn, kept, reply))[0][0] == ""


@pytest.mark.parametrize("trouble", ["quota", "away", "none"])
async def test_without_ai_a_question_gets_the_lines_found(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str, trouble: str
) -> None:
    """Dated and linked; what asks for nothing gets one line."""
    async with served(opened, gemini, clock, ai=trouble != "none", memory_wait=0.5) as server:
        hand = server.discord
        ann, bob = (hand.join(server.guild, name) for name in ("ann", "bob"))
        await server.ask(ann, "Bot remember that I collect violins")
        said = await hand.say(bob, server.general, "ann: the kiln needs a [new](https://evil.example) relay")
        await small_talk(server, bob, 3)
        gemini.quota_out = trouble == "quota"
        if trouble == "away":
            gemini.faults.extend(Fault(kind="error", code=400) for _ in range(8))
        told = (await server.ask(ann, "Bot what did bob tell me about my kiln?")).splitlines()
        assert told[1] == "But I did find this, said here:"
        assert f"• <t:{int(clock.now.timestamp()) - 65}:f> bob: ann: the kiln needs a \\[new\\](<https://" in told[2]
        assert told[2].endswith(f"/{said}>)")
        assert "violins" not in told[2]
        assert all(" bob: " in line for line in told[2:])
        kept = await query(dsn, "SELECT message_text FROM chat_history WHERE message_id = $1", hand.sent[-1].message_id)
        assert [row[0] for row in kept] == [""]  # it only repeats others: nobody finds it again
        if trouble != "away":
            assert "violins" not in await server.ask(ann, "Bot tell me a joke")


async def test_a_search_that_takes_too_long_keeps_no_reply(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory, search and writing share one deadline; the answer comes with what is there."""
    replies(gemini)

    async def forever(self: ReplyService, viewer: Viewer, asked: Query, *, limit: int = 50) -> Recalled:
        await asyncio.sleep(3_600)
        return Recalled()

    monkeypatch.setattr(ReplyService, "recall", forever)
    async with served(opened, gemini, clock, memory_wait=0.2) as server:
        ann = server.discord.join(server.guild, "ann")
        assert await server.ask(ann, "Bot how are you?") == "well"


async def test_an_answer_without_words_is_said_to_be_unusable(discord: Server) -> None:
    """Nothing is never an answer; plain words are, whatever form was asked for."""
    ann = discord.discord.join(discord.guild, "ann")
    replies(discord.gemini, answer=" ")
    assert "couldn't make sense" in await discord.ask(ann, "Bot hm?")
    discord.gemini.answer = lambda asked: "just words" if asked.name == "A reply" else '{"notes": []}'
    assert await discord.ask(ann, "Bot hm?") == "just words"


async def test_what_was_asked_for_is_found_by_command(discord: Server) -> None:
    """/recall answers in the asker's language, to them alone, without any AI."""
    hand = discord.discord
    ann, bob = (hand.join(discord.guild, name) for name in ("ann", "bob"))
    said = await hand.say(bob, discord.general, "ann: Lisbon was lovely, <@1> knows")
    replies(discord.gemini, answer="bob says Lisbon was lovely")
    await discord.ask(ann, "Bot tell me of Lisbon")
    before = len(discord.gemini.asked)
    (found,) = await hand.slash(ann, discord.general, "recall", {"question": "what did Bob say about Lisbon?"})
    assert found.ephemeral
    assert found.content.startswith("Here's what I found:\n• <t:")
    assert "bob: ann: Lisbon was lovely" in found.content
    assert "bob says" not in found.content  # what the bot itself said is no source
    assert f"/{said}>)" in found.content
    (nothing,) = await hand.slash(ann, discord.general, "recall", {"question": "unobtainium?"}, locale="fr")
    assert nothing.content == "Je n'ai rien trouvé là-dessus ici."
    assert len(discord.gemini.asked) == before


async def test_what_was_missed_by_who_never_wrote(discord: Server) -> None:
    """The last day, and not "since you last wrote"."""
    hand = discord.discord
    ann, bob = (hand.join(discord.guild, name) for name in ("ann", "bob"))
    assert "Nothing happened here in the last day." in await discord.ask(bob, "Bot what did I miss?")
    cat = hand.join(discord.guild, "cat")
    await hand.say(ann, discord.general, "the kiln reached 1,240 degrees at last")
    await discord.settled()
    told = await discord.ask(cat, "Bot what did I miss?")
    assert told.startswith("In the last day, people have been talking in <#")


async def test_what_was_said_to_one_stands_first_with_links(discord: Server) -> None:
    """Above what happened besides, each with its link."""
    hand = discord.discord
    ann, bob = (hand.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(ann, "good night, does anybody have a spare fuse?")
    discord.clock.on(hours=2)
    said = await hand.say(bob, discord.general, f"<@{ann.id}> I have a fuse for you")
    await hand.say(bob, discord.general, "the kiln reached 1,240 degrees at last")
    await discord.settled()
    told = (await discord.ask(ann, "Bot what did I miss?")).splitlines()
    assert told[1] == "**Addressed to you**"
    assert "I have a fuse for you" in told[2]
    assert f"/{said}>)" in told[2]
    assert told[3] == "**Also**"
    assert "1,240 degrees" in told[4]


async def test_who_opted_out_is_told_why_nothing_is_kept(discord: Server, dsn: str) -> None:
    """And others, who teach something about them, are told of them."""
    hand = discord.discord
    ann, bob = (hand.join(discord.guild, name) for name in ("ann", "bob"))
    (panel,) = await hand.slash(bob, discord.general, "privacy")
    await choose(hand, bob, discord.general, panel, "Here: nothing")
    assert "You asked me not to remember you" in await discord.ask(bob, "Bot remember that I own a boat")
    told = await discord.ask(ann, f"Bot remember that <@{bob.id}> owns a boat")
    assert "You asked" not in told
    assert "bob" in told
    assert not await query(dsn, "SELECT 1 FROM facts")


@pytest.mark.parametrize(
    ("words", "start"),
    [
        ("what did I miss?", "Since you last wrote (<t:"),
        ("¿qué me perdí?", "Desde la última vez que escribiste (<t:"),
        ("что я пропустила?", "С твоего последнего сообщения (<t:"),
        ("qu'est-ce que j'ai raté ?", "Depuis ton dernier message (<t:"),
    ],
)
async def test_what_was_missed(discord: Server, words: str, start: str) -> None:
    """In four languages: where people talked, with links, and what was noted of it."""
    hand = discord.discord
    ann, bob = (hand.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(ann, "good night")
    discord.clock.on(hours=2)
    said = await hand.say(bob, discord.general, "the kiln reached 1,240 degrees at last")
    await discord.settled()
    told = await discord.ask(ann, f"Bot {words}")
    assert told.startswith(start)
    place = discord.general.id
    assert f"<#{place}> ([1](<https://discord.com/channels/{discord.guild.id}/{place}/{said}>))" in told
    assert "1,240 degrees" in told.splitlines()[1]
    discord.clock.on(hours=1)
    before = len(discord.gemini.asked)
    again = await discord.ask(ann, f"Bot {words}")
    assert "\n" not in again
    assert len(discord.gemini.asked) == before


async def test_names_are_found_among_very_many(discord: Server) -> None:
    """Slips of the finger, former names and starts of names, without the names of everybody being read."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    florent = hand.join(discord.guild, "florentine")
    await discord.ask(florent, "hello")
    for n in range(12):
        await discord.ask(hand.join(discord.guild, f"walker{n}"), "hello")
    for name in ("florentine", "floren", "FLORENTIEN", "flórentine"):
        told = await discord.ask(ann, f"Bot remember that {name} likes tea" if name == "florentine" else
                                 f"Bot what do you know about {name}")  # fmt: skip
        assert "likes tea" in told, name
    assert "anyone called" in await discord.ask(ann, "Bot what do you know about Xylophon")
