"""What somebody told before changes with what they say next, though nobody says "remember"."""

from __future__ import annotations

import pytest

from tests.builders import Server, query
from urmom_bot.stand_ins import GeminiStandIn

LIVE = "SELECT quote FROM facts WHERE retired_at IS NULL ORDER BY fact_id"


async def live(dsn: str) -> list[str]:
    return [row[0] for row in await query(dsn, LIVE)]


@pytest.mark.parametrize(
    ("told", "now"),
    [
        ("Bot remember that I live in Leeds", "i moved to hull"),
        ("Bot remember that I drink tea", "I don't drink tea anymore"),
        ("Bot remember that raid night is thursday", "raid night is friday now"),
        ("Bot remember that I drink tea every day", "I don't drink tea anymore"),
        ("Bot recuerda que vivo en Rosario", "ahora vivo en córdoba"),
        ("Bot merk dir dass ich in Berlin wohne", "ich wohn jetzt in dresden"),
        ("Bot retiens que j'habite à Paris", "j'habite maintenant à lyon"),
        ("Бот запомни что я живу в Москве", "я переехал в питер"),
    ],
)
async def test_a_change_said_to_the_bot_is_kept(discord: Server, dsn: str, told: str, now: str) -> None:
    """The old fact is told as replaced, and "undo" brings it back."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, told)
    (before,) = await live(dsn)
    answer = await discord.ask(ann, f"Bot {now}")
    assert now.split()[-1] in answer
    assert before.split()[-1] in answer
    assert await live(dsn) == [now]
    await discord.ask(ann, "Bot undo")
    assert await live(dsn) == [before]


async def test_what_is_over_in_a_fact_that_says_more_is_asked(discord: Server, gemini: GeminiStandIn, dsn: str) -> None:
    """It is kept beside the fact, which goes by a button."""
    gemini.quota_out = True
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember I have a cat and a dog")
    answer = await discord.ask(ann, "Bot I don't have a cat anymore")
    shown = discord.discord.sent[-1]
    assert "Is this still true?" in answer
    assert await live(dsn) == ["I have a cat and a dog", "I don't have a cat anymore"]
    await discord.discord.press(ann, discord.general, shown, "Forget #1")
    await discord.settled()
    assert await live(dsn) == ["I don't have a cat anymore"]


@pytest.mark.parametrize(
    "said", ["I don't like mondays", "do I live in Hull now?", "it's raining now", "bob doesn't drink tea anymore"]
)
async def test_other_talk_changes_nothing(discord: Server, dsn: str, said: str) -> None:
    """It is answered as talk."""
    ann, _ = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(ann, "Bot remember that I live in Leeds")
    await discord.ask(ann, "Bot remember that I drink tea")
    await discord.ask(ann, f"Bot {said}")
    assert len(await live(dsn)) == 2


async def test_what_was_told_just_now_is_put_right_without_the_address(discord: Server, dsn: str) -> None:
    """By whom told it, in the same channel, soon, and not in an answer to somebody."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(ann, "Bot remember I work nights")
    await discord.discord.say(bob, discord.general, "no wait i work days")
    await discord.settled()
    assert await live(dsn) == ["I work nights"]
    await discord.discord.say(ann, discord.general, "no i was at work all day")
    await discord.settled()
    assert await live(dsn) == ["I work nights"]
    await discord.discord.say(ann, discord.general, "no wait i work days")
    await discord.settled()
    assert await live(dsn) == ["i work days"]


@pytest.mark.parametrize(
    ("told", "asked", "said"),
    [
        ("raid is at 8pm", "ann, how many pizzas, 3?", "no, 4"),
        ("raid is on friday", "are you free on friday", "no, thursday"),
        ("I like figs", "what did you mean", "I meant dates"),
        ("I work nights", "so you work nights", "no wait i work days"),
    ],
)
async def test_what_is_said_to_others_changes_no_fact(
    discord: Server, dsn: str, told: str, asked: str, said: str
) -> None:
    """Once somebody else has written, a correction needs the bot's name."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(ann, f"Bot remember that {told}")
    await discord.discord.say(bob, discord.general, asked)
    await discord.discord.say(ann, discord.general, said)
    await discord.settled()
    assert await live(dsn) == [told]
    if said.startswith("no"):
        await discord.ask(ann, f"Bot {said}")
        assert await live(dsn) != [told]


@pytest.mark.parametrize("said", ["no, 9pm", "I meant dates", "not figs but dates", ".\u3000."])
async def test_without_the_address_only_a_whole_sentence_corrects(discord: Server, dsn: str, said: str) -> None:
    """A number, a day or a word may be about anything."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I eat figs at 8pm")
    await discord.discord.say(ann, discord.general, said)
    await discord.settled()
    assert await live(dsn) == ["I eat figs at 8pm"]


async def test_what_is_private_is_not_said_again(discord: Server, gemini: GeminiStandIn, dsn: str) -> None:
    """A fact for its owner alone goes without a word about it in the channel."""
    gemini.quota_out = True
    ann = discord.discord.join(discord.guild, "ann")
    for told in ("I'm allergic to hazelnuts", "I'm not allergic to hazelnuts"):
        await discord.ask(ann, f"Bot remember that {told}")
        answer = await discord.ask(ann, "Bot yes")
    assert await live(dsn) == ["I'm not allergic to hazelnuts"]
    assert "replaces" not in answer
