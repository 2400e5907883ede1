"""Names: whom an answer shames in any markup, who opted out in any form of their name, and whom a key does not mean.

The corpora were written by somebody who had not seen the rules.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memory.rules.content_policy import clean_answer
from memory.rules.suppression import Fingerprints, Suppressed
from tests.builders import Server, query
from tests.urmom_bot.talk.test_replies import replies

FOLDER = Path(__file__).parent / "corpus"
SHAMING = [json.loads(line) for line in (FOLDER / "shaming.jsonl").read_text("utf-8").splitlines()]
NAMES = [json.loads(line) for line in (FOLDER / "names.jsonl").read_text("utf-8").splitlines()]
FINGERPRINTS = Fingerprints(bytes(32))


def is_whole(text: str, names: list[str]) -> bool:
    return clean_answer(text, "", names) == text.strip()


def test_no_markup_hides_whom_an_answer_shames() -> None:
    """Nine of ten are cut, and what shames nobody stays whole."""
    assert [case["answer"] for case in SHAMING if not case["bad"] and not is_whole(case["answer"], case["names"])] == []
    bad = [is_whole(case["answer"], case["names"]) for case in SHAMING if case["bad"]]
    assert sum(bad) <= 0.1 * len(bad)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("_bob_ has cancer. He likes tea.", "He likes tea."),
        ("**Bob**:\n- has cancer\n- likes tea", "**Bob**:\n- likes tea"),
        ("bob\nhas cancer", "bob"),
        ("Bob is nice. He has cancer.", "Bob is nice."),
        ("b o b has cancer", ""),
        ("**B**ob has cancer", ""),
        ("Bob likes tea.\nCancer is a common illness.", "Bob likes tea.\nCancer is a common illness."),
        ("carl has cancer", "carl has cancer"),
        ("-# bob has cancer", ""),
        ("Hi.\nbob has cancer.\n    one.  Two.", "Hi.\n    one.  Two."),
    ],
)
def test_how_far_a_name_reaches(text: str, shown: str) -> None:
    """In any emphasis, over points of a list, lower-case lines and pronouns, and no further."""
    assert clean_answer(text, "", ["bob"]) == shown


@pytest.mark.parametrize(
    ("asked", "text", "shown"),
    [
        ("tell me about @bob", "He was in prison for theft.", ""),
        ("tell me about <@22>", "Prison. Cancer.", ""),
        ("is bob okay?", "Yes, he has cancer. Tea helps.", "Tea helps."),
        ("is bob okay?", "The cancer study came out in the paper of Friday.", None),
        ("is bob okay?", "Alas, in prison for theft.", ""),
        ("is bob okay?", "The cancer ward is over there.", None),
        ("is anybody okay?", "He was in prison for theft.", None),
        ("", "<@22> has AIDS", ""),
        ("", "<@!22> has AIDS", ""),
        ("", "ca**nc**er is what bob has: ᴄᴀɴᴄᴇʀ", ""),
    ],
)
def test_whom_a_question_names_an_answer_is_about(asked: str, text: str, shown: str | None) -> None:
    """For pronouns and a few words; a name is as good as a mention."""
    assert clean_answer(text, "", ["bob", "<@22", "<@!22"], asked) == (text if shown is None else shown)


async def test_through_discord_an_answer_shames_nobody(discord: Server) -> None:
    """With a model that tells everything."""
    hand = discord.discord
    ann, bob = hand.join(discord.guild, "ann"), hand.join(discord.guild, "bob")
    await hand.say(bob, discord.general, "hello")
    await discord.settled()
    replies(discord.gemini, answer="Here you go, about _bob_:\n- has cancer\n- plays the oboe")
    assert await discord.ask(ann, "Bot how is bob doing?") == "Here you go, about _bob_:\n- plays the oboe"


async def test_who_is_away_or_elsewhere_is_shamed_no_more(discord: Server) -> None:
    """A member whom nothing in the prompt names, by name and by mention, after hours and from another channel."""
    hand = discord.discord
    ann, bob, zoe = (hand.join(discord.guild, name) for name in ("ann", "bob", "zoe"))
    other = await hand.open_channel(discord.guild, "other")
    await hand.say(bob, discord.general, "hello")
    await hand.say(zoe, other, "hello")
    await discord.settled()
    discord.clock.on(hours=5)
    for n, shaming in enumerate(("bob has cancer.", f"<@{bob.id}> has cancer.", "zoe has cancer.")):
        replies(discord.gemini, answer=f"{shaming} The kiln is lit since ten.")
        assert await discord.ask(ann, f"Bot what now {n}?") == "The kiln is lit since ten."


def test_who_opted_out_is_recognised_in_every_form() -> None:
    """Cases, prefixes, honorifics; of what only looks like a name, hardly anything."""

    def names(case: dict[str, object]) -> bool:
        return Suppressed(FINGERPRINTS, [], {1: FINGERPRINTS.of_name(str(case["name"]))}).names(str(case["text"]))

    missed = [case for case in NAMES if case["names"] and not names(case)]
    taken = [case for case in NAMES if not case["names"] and names(case)]
    assert len(missed) <= 0.2 * len(NAMES) / 2
    assert len(taken) <= 0.15 * len(NAMES) / 2


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Γιώργος", "μίλησα με τον Γιώργο"),
        ("Mehmet", "Mehmet'ten geldi"),
        ("Zeynep", "Zeynepler gelmiyor"),
        ("محمد", "كتبت لمحمد"),
        ("أحمد", "وقال احمد"),
        ("李伟", "小李来了"),
        ("田中太郎", "田中さんです"),
        ("김민수", "민수씨가 왔다"),
        ("Éléonore", "c'est d'Éléonore"),
        ("Сергей", "видел Сергея"),
    ],
)
def test_a_form_of_a_name(name: str, text: str) -> None:
    """Each language's own."""
    assert Suppressed(FINGERPRINTS, [], {1: FINGERPRINTS.of_name(name)}).names(text)


@pytest.mark.parametrize("nick", ["job", "The deadline", "favourite colour"])
async def test_a_nickname_takes_nobody_s_keys(discord: Server, dsn: str, nick: str) -> None:
    """Who calls themselves by a kind of fact is not whom others tell of."""
    hand = discord.discord
    ann, eve = hand.join(discord.guild, "ann"), hand.join(discord.guild, "eve", nick=nick)
    await hand.say(eve, discord.general, "hello")
    await discord.settled()
    await discord.ask(ann, f"Bot remember {nick}: Friday")
    assert [row[0] for row in await query(dsn, "SELECT user_id FROM facts")] == [ann.id]
