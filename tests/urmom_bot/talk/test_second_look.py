"""Where no line says it, the bot looks again with the words that the line may have, once."""

from __future__ import annotations

import pytest

from tests.builders import Server
from tests.urmom_bot.talk.test_conversations import answers
from urmom_bot.stand_ins import Asked, Fault, User

WORDS = ["flux", "capacitor", "shed", "garage"]
SEEN = "the flux capacitor lives in the shed"


async def talked(discord: Server, *lines: str) -> User:
    """Lines that bob wrote, and so much talk after them that a prompt has no room for them; ann asks."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    for line in (*lines, *(f"{n} {'nothing of note happened in the kitchen today ' * 4}" for n in range(40))):
        await discord.discord.say(bob, discord.general, line)
    return ann


def looks(asked: Asked) -> dict[str, object]:
    """A reader who sees the line or says what to look for."""
    if SEEN not in asked.sections.get("found", ""):
        return {"answer": "I did not see it.", "look_for": WORDS}
    number = next(line.split()[0] for line in asked.sections["found"].splitlines() if SEEN in line)
    return {"answer": "In the shed.", "sources": [int(number)]}


async def test_a_line_with_other_words_is_found_at_the_second_look(discord: Server) -> None:
    """The second question has the first one and its answer before it, and the line's number is its own."""
    asked = answers(discord.gemini, looks)
    ann = await talked(discord, SEEN)
    reply = await discord.ask(ann, "Bot where do we keep that time gadget?")
    assert reply.startswith("In the shed.")
    assert "bob" in reply.partition("↪")[2]
    first, second = asked
    assert "look_for" in first.instructions
    assert [role for role, _ in second.turns] == ["user", "model"]
    assert second.turns[0][1] == first.data
    assert second.sections["message"] == first.sections["message"]
    assert not set(first.sections.get("found", "").splitlines()) & {
        line for line in second.sections["found"].splitlines() if not line.startswith("==")
    }


async def test_what_was_never_said_is_looked_for_once(discord: Server) -> None:
    asked = answers(discord.gemini, lambda _: {"answer": "I did not see it.", "look_for": WORDS})
    ann = await talked(discord, SEEN)
    assert await discord.ask(ann, "Bot where do we keep that time gadget?") == "I did not see it."
    assert len(asked) == 2


@pytest.mark.parametrize("words", [[], ["flux"], ["zzz", "yyy", "xxx"]])
async def test_without_words_or_lines_the_first_answer_stands(discord: Server, words: list[str]) -> None:
    """Too few words look for nothing, and where all the talk is in the prompt there is nothing else to show."""
    asked = answers(discord.gemini, lambda _: {"answer": "I did not see it.", "look_for": words})
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.discord.say(bob, discord.general, SEEN)
    assert await discord.ask(ann, "Bot where do we keep that time gadget?") == "I did not see it."
    assert len(asked) == 1


async def test_a_model_that_fails_then_leaves_the_first_answer(discord: Server) -> None:
    asked = answers(discord.gemini, lambda _: {"answer": "I did not see it.", "look_for": WORDS})
    ann = await talked(discord, SEEN)

    def fails(prompt: Asked) -> dict[str, object]:
        discord.gemini.faults += [Fault(kind="refused", only="A reply")]
        return {"answer": "I did not see it.", "look_for": WORDS}

    asked = answers(discord.gemini, fails)
    assert await discord.ask(ann, "Bot where do we keep that time gadget?") == "I did not see it."
    assert len(asked) == 1
