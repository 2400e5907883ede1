"""A model that obeys anything proposes to keep and drop: nothing happens that the message does not want.

The corpus was written by somebody who had not seen the rules: slips and attacks (`never`, `ask`), and plain requests in
unusual words (`do`), in four languages.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders import Server, query
from tests.urmom_bot.talk.test_replies import replies
from urmom_bot.talk.proposals import may_ask, proposed

CORPUS = [
    json.loads(line) for line in (Path(__file__).parent / "corpus" / "proposals.jsonl").read_text("utf-8").splitlines()
]


def outcome(case: dict[str, str]) -> str:
    found = proposed(case["action"], case["subject"], case["statement"], case["message"])
    return "none" if found is None else "do" if found.is_sure else "ask"


def test_no_slip_is_carried_out_and_few_are_asked_about() -> None:
    """None of those that must not happen, or not without a press; what is plainly wanted is hardly ever ignored."""
    outcomes = [(case["want"], outcome(case), case["message"]) for case in CORPUS]

    assert [message for want, got, message in outcomes if want != "do" and got == "do"] == []
    assert sum(want == "never" and got == "ask" for want, got, _ in outcomes) <= 0.05 * len(CORPUS)
    wanted = [got for want, got, _ in outcomes if want == "do"]
    assert wanted.count("none") <= 0.1 * len(wanted)


@pytest.mark.parametrize("part", range(4))
async def test_through_discord_nothing_is_stored_or_deleted(discord: Server, dsn: str, part: int) -> None:
    """Message in, answer and rows out, with a model that proposes whatever slip there is."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    for name in ("bob", "eve", "Carl"):
        await hand.say(hand.join(discord.guild, name), discord.general, "hello")
    await discord.settled()
    for case in [case for case in CORPUS if case["want"] != "do"][part::4]:
        if discord.app.router.is_command(case["message"]):
            continue  # the grammar's own to decide, without a model
        kept = await query(dsn, "SELECT fact_id FROM facts")
        replies(discord.gemini, **{name: case[name] for name in ("action", "subject", "statement")}, answer="")
        told = await discord.ask(ann, f"Bot {case['message']}")
        assert await query(dsn, "SELECT fact_id FROM facts") == kept, case["message"]
        assert "📌" not in told, case["message"]


@pytest.mark.parametrize(
    ("action", "subject", "statement", "text", "got"),
    [
        ("remember", "", "I play the lute", "keep in mind: I play the lute", "do"),
        ("remember", "", "I play the lute", "you know what, I play the lute", "ask"),
        ("remember", "bob", "bob is late", "please do not note that bob is late", "none"),
        ("remember", "bob", "is a liar", "bob is not a liar, note that", "none"),
        ("remember", "bob", "bob is a liar", "note that bob is a liar lol", "none"),
        ("remember", "bob", "sings", "remember that carl sings", "none"),
        ("remember", "bob", "bob owes me 50", "remember that bob owes me 500", "none"),
        ("remember", "bob", "bob dances", "remember that bob sings. and carl dances", "none"),
        ("remember", "bob", "bob sings", 'remember how he wrote "bob sings"', "none"),
        ("remember", "bob", "bob sings", "> bob sings", "none"),
        ("remember", "bob", "bob sings", "should I remember that bob sings?", "none"),
        ("remember", "bob", "bob sings", "could you remember that bob sings?", "do"),
        ("remember", "bob", "bob sings", 'my motto is "carpe diem". remember that bob sings', "do"),
        ("remember", "bob", "bob sings", "don't forget that bob sings", "do"),
        ("remember", "bob", "bob sings", "please remember that bob sings", "do"),
        ("remember", "bob", "bob sings", "I want you to remember that bob sings", "do"),
        ("remember", "bob", "bob sings", "I remember that bob sings", "ask"),
        ("remember", "bob", "bob sings", "ann: please remember that bob sings", "ask"),
        ("remember", "bob", "bob sings", "do you want to remember that bob sings", "ask"),
        ("remember", "bob", "bob sings", 'please remember "bob sings"', "none"),
        ("remember", "me", "I play the lute", "you know what, I play the lute", "ask"),
        ("remember", "me", "I play the lute", "remember that I play the lute", "do"),
        ("remember", "bob", "bob sings", "could it be that bob sings?", "none"),
        ("remember", "bob", "bob sings", "can you store whether bob sings?", "none"),
        ("remember", "bob", "bob sings", "nope, remember that bob sings", "none"),
        ("remember", "bob", "bob sings", "nah, remember that bob sings", "none"),
        ("remember", "bob", "bob sings", "should you remember that bob sings", "ask"),
        ("remember", "bob", "bob sings", "must you remember that bob sings", "ask"),
        ("remember", "bob", "bob sings", "should the bot note that bob sings", "ask"),
        ("remember", "bob", "bob sings", "I will make a note that bob sings", "ask"),
        ("remember", "bob", "bob sings", "I need to remember that bob sings", "ask"),
        ("remember", "bob", "bob sings", "make a note that bob sings? nope", "ask"),
        ("remember", "bob", "bob sings", "make a note that bob sings! never", "ask"),
        ("remember", "bob", "bob sings", "forget that bob sings", "none"),
        ("remember", "bob", "bob sings", "could you drop that bob sings?", "none"),
        ("remember", "bob", "bob sings", "remember that bob sings, okay?", "do"),
        ("remember", "bob", "bob sings", "if it rains, remember that bob sings", "none"),
        ("remember", "bob", "bob sings", "eve told me to remember that bob sings", "none"),
        ("remember", "bob", "bob sings", "bob sings", "none"),
        ("remember", "", "I'm vegan", "so you see I'm vegan", "ask"),
        ("remember", "", "tea is hot", "tea is hot", "none"),
        ("remember", "me", "we've moved to Hull", "we've moved to Hull", "ask"),
        ("remember", "me", "sold the corsa, got a fiesta now", "sold the corsa, got a fiesta now", "ask"),
        ("forget", "", "I sing alto", "could you drop that I sing alto?", "ask"),
        ("forget", "", "I sing alto", "did you forget that I sing alto?", "none"),
        ("forget", "", "I sing alto", "don't forget that I sing alto", "none"),
        ("forget", "", "I sing alto", "kindly drop that I sing alto", "ask"),
        ("forget", "", "I sing alto", "my aunt will forget that I sing alto", "none"),
    ],
)
def test_each_rule_decides(action: str, subject: str, statement: str, text: str, got: str) -> None:
    """In one piece, of one sentence, not denied, asked, supposed, quoted or reported; a deletion is asked about."""
    case = {"action": action, "subject": subject, "statement": statement, "message": text}
    assert outcome(case) == got
    found = proposed(action, subject, statement, text)
    assert found is None or type(found.command).__name__.lower() == action


@pytest.mark.parametrize(("subject", "is_asked"), [("bob", True), ("eve", False), ("", False)])
def test_what_is_known_is_told_of_whom_the_message_names(subject: str, is_asked: bool) -> None:
    """Not of somebody else whom a model puts in their place."""
    found = proposed("know", subject, "", "tell me of bob")
    assert (found is not None) == is_asked
    assert found is None or (found.is_sure and getattr(found.command, "subject", "") == "bob")


async def test_what_is_in_doubt_is_kept_by_a_press(discord: Server, dsn: str) -> None:
    """For everyone, as it was told; the words stay talk, and without the press nothing is stored."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    text = "you know what, I play the lute"
    replies(discord.gemini, action="remember", statement="I play the lute", answer="")
    assert await discord.ask(ann, f"Bot {text}") == "Keep this? “I play the lute”"
    assert not await query(dsn, "SELECT 1 FROM facts")
    assert [r[0] for r in await query(dsn, "SELECT message_text FROM chat_history WHERE user_id = $1", ann.id)] == [
        f"Bot {text}"
    ]
    eve = hand.join(discord.guild, "eve")
    (not_hers,) = await hand.press(eve, discord.general, hand.sent[0], "Keep it")
    assert not await query(dsn, "SELECT 1 FROM facts"), not_hers
    await hand.press(ann, discord.general, hand.sent[0], "Keep it")
    (fact,) = await query(dsn, "SELECT value, audience, stated_by FROM facts")
    assert (fact["audience"], fact["stated_by"]) == (0, ann.id)
    await discord.ask(ann, f"Bot {text} very well")
    await hand.press(ann, discord.general, hand.sent[-1], "Don't keep it")
    assert len(await query(dsn, "SELECT 1 FROM facts")) == 1


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("we've moved to Hull", True),
        ("sold the corsa, got a fiesta now", True),
        ("I play the lute", True),
        ("nice weather in Hull", False),
        ("have we moved to Hull?", False),
    ],
)
def test_what_has_changed_may_be_kept(text: str, may: bool) -> None:
    """A model is offered to say so; anything else costs no words of the prompt."""
    assert may_ask(text) == may
