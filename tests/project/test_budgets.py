"""One member at full speed, in every way that costs a call, leaves the quota of a free key to others."""

from __future__ import annotations

from tests.builders import Clock, Opener, query, served
from urmom_bot.stand_ins import GeminiStandIn

FREE = {
    "gemini_limits": "10 rpm 250k tpm 250 rpd",
    "gemma_limits": "30 rpm 15k tpm 14400 rpd",
    "memory_wait": 0.1,
}
"""The limits of a free key, as `.env.example` has them; a day: 250 and 14,400 requests."""


async def test_one_member_leaves_the_quota_to_others(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Long chats, remembers, questions in threads, jokes and edits within one minute; then another is answered."""
    async with served(opened, gemini, clock, **FREE) as server:
        hand, general = server.discord, server.general
        eve, ann = hand.join(server.guild, "eve"), hand.join(server.guild, "ann")
        threads = [await hand.open_thread(general, f"t{n}", private=True) for n in range(12)]
        written = [await hand.say(eve, general, f"line number {n} of a long story about the kiln") for n in range(12)]
        for n in range(13):
            await server.ask(eve, f"Bot tell me more of {n} " + "and of the kiln and its bricks " * 40)
        for n in range(15):
            await server.ask(eve, f"Bot remember that I own {n} bricks")
        for thread in threads:
            await hand.say(eve, thread, "my thread about the kiln")
            await server.ask(eve, "Bot what of the kiln?", thread)
        for number in written:
            await hand.react(eve, general, number, "🤡")
            await hand.edit(general, number, "it was another story")
        told = await server.ask(eve, "Bot what of the kiln?")
        assert "your share" in told
        used = await query(dsn, "SELECT * FROM ai_usage WHERE guild_id = 0")
        flash, gemma = "gemini-flash-latest", "gemma-4-31b-it"
        for row in used:
            a_minute, a_day = {flash: (10, 250), gemma: (30, 14_400)}[row["model"]]
            assert row["requests"] <= (0.2 * a_minute if row["span"] == "minute" else 0.05 * a_day)
            if (row["model"], row["span"]) == (gemma, "minute"):
                assert row["tokens_in"] + row["tokens_out"] <= 3_500  # a fifth, or one reply, which is always free
        assert {row["model"] for row in used} == {flash, gemma}
        before = len(gemini.asked)
        assert "share" not in await server.ask(ann, "Bot good morning, how is the kiln?")
        assert any(prompt.name == "A reply" for prompt in gemini.asked[before:])
