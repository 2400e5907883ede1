"""Corpora of attacks through the whole path: a message in, the answer and the rows out.

`tests/memory/forgetting/test_return.py`, `test_proposals.py` and `test_taught.py` do so with theirs.
"""

from __future__ import annotations

import json
import re
from typing import Any

from memory.rules.folding import plain
from tests.builders import Clock, Server, Talk, choose, query
from tests.memory.sessions.conftest import Chat
from tests.project.test_digests_attacked import CORPUS as DIGESTS
from tests.project.test_digests_attacked import IDS
from tests.project.test_names_attacked import NAMES, SHAMING
from tests.urmom_bot.talk.test_replies import replies
from urmom_bot.app import App
from urmom_bot.stand_ins import Asked, GeminiStandIn, extractive

EVERY = 3
"""One in so many is sent; 1 sends all of them and takes a minute."""


async def test_answers_that_shame(discord: Server) -> None:
    """With a model that writes them, about members who wrote in another channel."""
    hand = discord.discord
    asker, other = hand.join(discord.guild, "asker"), await hand.open_channel(discord.guild, "other")
    known: set[str] = set()
    shown: dict[bool, list[bool]] = {True: [], False: []}
    for n, case in enumerate(SHAMING[::EVERY]):
        for name in set(case["names"]) - known:
            await hand.say(hand.join(discord.guild, f"user{len(known)}", nick=name), other, "hello")
            known.add(name)
        await discord.settled()
        replies(discord.gemini, answer=case["answer"])
        told = await discord.ask(asker, f"Bot number {n}, what is new?")
        shown[case["bad"]].append(plain(case["answer"].strip())[:200] in plain(told))
    assert sum(shown[True]) <= 0.15 * len(shown[True])
    assert sum(shown[False]) >= 0.95 * len(shown[False])


async def test_statements_that_name_who_opted_out(discord: Server, dsn: str) -> None:
    """Nothing is stored of a message that names them, in any form of their name; of others it is."""
    hand = discord.discord
    eve = hand.join(discord.guild, "eve")
    stored: dict[bool, list[bool]] = {True: [], False: []}
    for n, case in enumerate(NAMES[::EVERY]):
        guild = hand.world.guild(f"server {n}")
        general = hand.channel(guild, "general")
        await hand.add_bot(guild)
        whose = hand.join(guild, f"whose{n}", nick=case["name"])
        guild.members[eve.id] = eve
        await hand.say(whose, general, "hello")
        (panel,) = await hand.slash(whose, general, "privacy")
        await choose(hand, whose, general, panel, "Here: nothing")
        discord.clock.on(days=2)  # a name counts once it was carried for a day
        before = len(hand.sent)
        await hand.say(eve, general, f"Bot remember that eve said: {case['text']}")
        await hand.received(before + 1)
        stored[case["names"]].append("doesn't want to be remembered" not in hand.sent[-1].content)
    assert sum(stored[True]) <= 0.25 * len(stored[True])
    assert sum(stored[False]) >= 0.8 * len(stored[False])


async def test_digests_of_what_was_not_said(
    app: App, talk: Talk, clock: Clock, gemini: GeminiStandIn, dsn: str
) -> None:
    """A talk, its end, and a model that draws from it what the corpus says: what is not borne out leaves no row."""
    chat = Chat(app, talk, clock)
    kept: dict[str, list[bool]] = {"drop": [], "keep": []}
    for case in DIGESTS[::EVERY]:
        drawn = case["drawn"]
        if drawn["what"] not in ("conclusion", "fact"):
            continue
        numbers = await talked(chat, case["turns"])
        gemini.answer = lambda asked, drawn=drawn, numbers=numbers: digest(asked, drawn, numbers)  # type: ignore[misc]
        await chat.over()
        gemini.answer = extractive
        table = "conclusions" if drawn["what"] == "conclusion" else "facts"
        kept[case["want"]].append(bool(await query(dsn, f"SELECT 1 FROM {table}")))
        for name in ("conclusions", "facts", "turns", "sessions", "chat_history"):
            await query(dsn, f"DELETE FROM {name}")
    assert sum(kept["drop"]) <= 0.1 * len(kept["drop"])
    assert sum(kept["keep"]) >= 0.8 * len(kept["keep"])


async def talked(chat: Chat, turns: list[dict[str, str]]) -> dict[int, int]:
    """Play a talk; the number in the session of each of its turns."""
    for n in (1, 2):  # of fewer words no digest is made
        await chat.say(n, "good morning, the kettle is on", "Good morning.")
    numbers, number, n = {}, 5, 0
    while n < len(turns):
        by, text = turns[n]["by"], turns[n]["text"]
        answer = turns[n + 1]["text"] if n + 1 < len(turns) and turns[n + 1]["by"] not in IDS else ""
        await chat.say(IDS.get(by, 1), text, answer or "I see.")
        numbers[n + 1], numbers[n + 2] = number, number + 1
        number, n = number + 2, n + (2 if answer else 1)
    return numbers


def digest(asked: Asked, drawn: dict[str, Any], numbers: dict[int, int]) -> str:
    """What the corpus draws, in the marks and numbers of the prompt."""
    if asked.name != "What a talk came to":
        return extractive(asked)
    called = {"Ann": "ann", "Bob": "bob", "Cid": "eve"}  # as the members of `Talk` are called
    marks = {called[name]: mark for mark, name in re.findall(r"(u\d+)=(Ann|Bob|Cid)\b", asked.sections["people"])}
    text = re.sub(
        r"@?\b(ann|bob|eve)\b", lambda m: f"@{marks.get(m[1].lower(), m[1])}", drawn["text"], flags=re.IGNORECASE
    )
    evidence = [numbers[n] for n in drawn["evidence"] if n in numbers]
    if drawn["what"] == "conclusion":
        return json.dumps({"conclusions": [{"kind": drawn["kind"], "text": text, "evidence": evidence}]})
    who = marks.get(drawn["who"], "u9")
    told = text if text.startswith("@u") else f"@{who} {text}"
    return json.dumps({"facts": [{"who": who, "key": "", "text": told, "evidence": evidence, "confidence": "medium"}]})
