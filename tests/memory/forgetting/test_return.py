"""What was forgotten does not come back through a reply: not by its prompt, its answer, or an answer that was kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory.rules.folding import plain
from tests.builders import Server
from tests.urmom_bot.talk.test_replies import last_prompt, replies

AGAIN = (
    "Ann lives in Zürich, she told me",
    "so ann l\u00adives in Zu\u0308rich then",
    "ann: ＺＵＲＩＣＨ!",
    "ann lives in Z ü r i c h",
    "_ann_ is in **Zürich** these days",
)


async def forgotten(server: Server) -> tuple[object, object]:
    """Ann has her town forgotten; the two who talk."""
    hand = server.discord
    ann, bob = (hand.join(server.guild, name) for name in ("ann", "bob"))
    await hand.say(bob, server.general, "good morning")
    await server.ask(ann, "Bot remember that I live in Zürich")
    assert "forgotten" in await server.ask(ann, "Bot forget that ann lives in Zürich")
    return ann, bob


@pytest.mark.parametrize("again", AGAIN)
async def test_what_others_write_again_reaches_no_prompt(discord: Server, again: str) -> None:
    """Among the last lines, and as the message that is answered; what else they write does."""
    _, bob = await forgotten(discord)
    await discord.discord.say(bob, discord.general, "the bakery is open again")
    said = await discord.discord.say(bob, discord.general, again)
    await discord.settled()
    await discord.ask(bob, "Bot what is new?")
    assert "the bakery is open again" in last_prompt(discord).sections["recent"]
    assert again not in last_prompt(discord).sections["recent"]
    await discord.ask(bob, "Bot is that so?", reply_to=said)
    assert "rich" not in last_prompt(discord).sections.get("answered", "").casefold()


@pytest.mark.parametrize(
    ("told", "again"),
    [
        ("I drink coffee", "bob drinks coffee"),
        ("I collect stamps", "bob collects stamps"),
        ("I have a son", "bob has a son"),
        ("I own a boat", "bob owns a boat"),
        ("I collect knives", "bob collected a knife"),
        ("I love dancing", "bob loved to dance"),
    ],
)
async def test_another_form_of_the_words_tells_it_again(discord: Server, dsn: str, told: str, again: str) -> None:
    """Others cannot have it stored, and a model cannot say it; what has nothing to do with it, they can."""
    hand = discord.discord
    bob, eve, carol = (hand.join(discord.guild, name) for name in ("bob", "eve", "carol"))
    for member in (bob, eve, carol):
        await hand.say(member, discord.general, "hello")
    await discord.ask(bob, f"Bot remember that {told}")
    await discord.ask(bob, "Bot forget #1")
    assert "unless bob tells me" in await discord.ask(eve, f"Bot remember that {again}")
    replies(discord.gemini, answer=f"{again}. The kiln is lit.")
    assert await discord.ask(carol, "Bot is bob in the shed?") == "The kiln is lit."
    assert "Got it" in await discord.ask(eve, "Bot remember that bob plays the oboe")


@pytest.mark.parametrize("again", AGAIN)
async def test_no_answer_tells_it_again(discord: Server, again: str) -> None:
    """Whatever a model writes: the sentence goes, the rest stays; to her too; by a pronoun too."""
    ann, bob = await forgotten(discord)
    replies(discord.gemini, answer=f"{again}. The bakery is open.\nIt sells bread.")
    for asker, question in ((bob, "Bot where does ann live, and what is open?"), (ann, "Bot what is open?")):
        told = await discord.ask(asker, question)
        assert told == "The bakery is open.\nIt sells bread."
    replies(discord.gemini, answer="She lives in Zürich.")
    assert await discord.ask(bob, "Bot and where does ann live?") == "I can't say anything about that."
    replies(discord.gemini, answer="Zürich! That is where ann lives.")
    assert "Zürich" not in await discord.ask(bob, "Bot so where?")


async def test_who_speaks_of_it_themselves_is_answered(discord: Server) -> None:
    """She brings it up: no answer is cut for her. And a town is a town where nobody speaks of her."""
    ann, bob = await forgotten(discord)
    replies(discord.gemini, answer="In Zürich it rains today.")
    assert "Zürich" in await discord.ask(ann, "Bot I live in Zürich, how is the weather there?")
    assert "Zürich" in await discord.ask(bob, "Bot how is the weather down there?")


async def test_a_kept_answer_does_not_tell_it(discord: Server) -> None:
    """The answer was kept before it was forgotten, and did not say what it rests on."""
    hand = discord.discord
    ann, bob = (hand.join(discord.guild, name) for name in ("ann", "bob"))
    await hand.say(ann, discord.general, "hello")
    await discord.ask(ann, "Bot remember that I play the oboe")
    replies(discord.gemini, answer="Ann lives in Zürich.")
    question = "Bot what is it that ann does there?"
    assert "Zürich" in await discord.ask(bob, question)
    await discord.ask(ann, "Bot remember that I live in Zürich")
    await discord.ask(ann, "Bot forget that ann lives in Zürich")
    replies(discord.gemini, answer="I do not know.")
    assert "Zürich" not in await discord.ask(bob, question)


async def test_a_kept_answer_is_for_whoever_asked_alone(discord: Server) -> None:
    """One that was steered is told to nobody else, in this channel or another."""
    hand = discord.discord
    ann, bob, eve = (hand.join(discord.guild, name) for name in ("ann", "bob", "eve"))
    await hand.say(ann, discord.general, "hello")
    await discord.ask(ann, "Bot remember that I play the oboe")
    question = "Bot which instrument does ann play?"
    replies(discord.gemini, answer="Ann plays the fool.")
    assert "fool" in await discord.ask(eve, question)
    calls = len(discord.gemini.asked)
    assert "fool" in await discord.ask(eve, question)
    assert len(discord.gemini.asked) == calls
    replies(discord.gemini, answer="Ann plays the oboe.")
    assert "fool" not in await discord.ask(bob, question)


CORPUS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "project/corpus/forgotten.jsonl").read_text("utf-8").splitlines()
]
"""Ways of saying again what somebody had forgotten, by a writer who had not seen the code."""

EVERY = 9
"""One in so many is sent through Discord; 1 sends all of them and takes minutes."""


@pytest.mark.parametrize("case", CORPUS, ids=lambda case: case["subject"])
async def test_of_a_corpus_hardly_anything_returns(discord: Server, case: dict[str, Any]) -> None:
    """Message in, answer out, with a model that says it again; what is about something else stays whole."""
    hand = discord.discord
    whose, bob = (hand.join(discord.guild, name) for name in (case["subject"], "bob"))
    await hand.say(bob, discord.general, "good morning")
    await hand.say(whose, discord.general, case["forgotten"])
    await discord.settled()
    await discord.ask(whose, f"Bot forget that {case['forgotten']}")

    async def shown(text: str, question: str) -> str:
        discord.clock.on(minutes=5)
        replies(discord.gemini, answer=text)
        return plain(await discord.ask(bob, question))

    about = f"Bot number {{}}, what is new with <@{whose.id}>?"
    kept, again = case["survive"][::EVERY], case["again"][::EVERY]  # what is talked of lately is looked at more closely
    told = [await shown(text, f"Bot number {n}, say something else") for n, text in enumerate(kept, 50)]
    cut = [text for text, answer in zip(kept, told, strict=True) if plain(text) not in answer]
    told = [await shown(text, about.format(n)) for n, text in enumerate(again)]
    returned = [text for text, answer in zip(again, told, strict=True) if plain(text) in answer]
    assert returned == []
    assert cut == []
