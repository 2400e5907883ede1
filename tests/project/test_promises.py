"""Promises of the product that a mutant once broke without a test noticing: each has one here."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory.ai.client import MODEL, USER, Prompt
from memory.ai.parsing import Text
from memory.records import Message, Statement
from memory.rules.safety import secrets_in
from tests.builders import G, Talk, query, tell, viewer_of

PHRASE = "legal winner thank year wave sausage worth useful legal winner thank yellow"
"""Twelve words whose checksum is right (a published test vector)."""


async def test_an_import_brings_back_nothing_that_was_forgotten(talk: Talk, dsn: str) -> None:
    """An export from before it was forgotten tells it again; the rest of the export is stored."""
    memory, ann = talk.app.memory, talk.member(1)
    await talk.say(1, "hello")
    statement = Statement(
        guild_id=G, user_id=1, stated_by=1, quote="Ann plays the theremin", message_id=5, channel_id=7
    )
    await tell(memory, statement, ann, ann)
    await memory.forgetting.forget(await viewer_of(memory, G, 1), ann, "Ann plays the theremin")
    texts = ("I play the theremin every night", "ANN plays the there\u00admin", "the tram is late")
    at = talk.clock.now - timedelta(hours=1)
    export = [
        Message(guild_id=G, message_id=100 + n, channel_id=7, user_id=1, text=text, timestamp=at)
        for n, text in enumerate(texts)
    ]
    assert await memory.messages.import_batch(export, [ann]) == 1
    rows = await query(dsn, "SELECT message_text FROM chat_history WHERE message_id >= 100 AND message_id < 200")
    assert [row[0] for row in rows] == ["the tram is late"]


@pytest.mark.parametrize(
    ("turns", "contents"),
    [
        ([], [(USER, "data")]),
        ([(USER, "a"), (MODEL, "b")], [(USER, "a"), (MODEL, "b"), (USER, "data")]),
        ([(USER, "a"), (MODEL, "b"), (MODEL, "c")], [(USER, "a"), (MODEL, "b\nc"), (USER, "data")]),
        ([(MODEL, "b"), (USER, "a")], [(USER, "a\ndata")]),
        ([(MODEL, "b")], [(USER, "data")]),
        ([(USER, "a"), (USER, "c")], [(USER, "a\nc\ndata")]),
    ],
)
def test_the_bots_words_stand_in_no_turn_of_a_user(
    turns: list[tuple[str, str]], contents: list[tuple[str, str]]
) -> None:
    """Turns alternate, a user's first; what has no turn of its own before it is left out."""
    prompt = Prompt(name="p", instructions="i", data="data", result=Text, guild_id=1, turns=tuple(turns))
    assert prompt.contents == contents
    assert not any("b" in text for role, text in prompt.contents if role == USER)


@pytest.mark.parametrize(
    ("text", "is_it"),
    [
        (PHRASE, True),
        (f"so {PHRASE} it is", True),
        (" ".join(PHRASE.split()[:11]), False),
        (PHRASE.replace("yellow", "zoo"), False),
        ("my seed: " + PHRASE.replace("yellow", "zoo"), True),
        (PHRASE.replace(" ", ", "), True),
        (PHRASE.replace(" ", "\n"), True),
    ],
)
def test_a_phrase_of_exactly_twelve_words_is_a_wallets(text: str, is_it: bool) -> None:
    """Twelve with a right checksum, or beside a word for a wallet; eleven are words."""
    assert bool([found for found in secrets_in(text) if len(found.split()) >= 10 or len(found) > 50]) == is_it
