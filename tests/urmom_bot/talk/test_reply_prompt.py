"""What a reply is given: rendering on real and hostile input, and within its budget."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, timedelta
from typing import Any

import pytest

from memory import AuthorKind, Member, Message, Note, Recalled
from memory.ai.model import json_in_words
from memory.ai.parsing import parse
from memory.ai.prompts import instructions
from memory.records import NoteKind
from memory.rules.text import tokens
from tests.builders import NOON as START
from tests.memory.ai.test_prompts import fact, member
from urmom_bot.stand_ins import Asked
from urmom_bot.talk import prompts as talk
from urmom_bot.talk.commands import Forget, Help, Know, Remember
from urmom_bot.talk.grammar import asks_the_bot, is_question
from urmom_bot.talk.proposals import Proposal, proposed
from urmom_bot.talk.tools import TOOLS


def message(n: int, user_id: int, text: str, **more: Any) -> Message:
    values: dict[str, Any] = {"guild_id": 9, "channel_id": 1, "timestamp": START, **more}
    return Message(message_id=n, user_id=user_id, text=text, **values)


def replying(text: str, people: dict[int, Member], **given: Any) -> talk.Given:
    values: dict[str, Any] = {
        "contexts": {},
        "talk": talk.Talk(),
        "recalled": Recalled(),
        "names": talk.PromptNames(members=people, channels={1: "general"}, tz=UTC),
        **given,
    }
    return talk.reply(9, bot_name="Bot", speaker=people[0], text=text, at=START, message_id=77, **values)


@pytest.mark.parametrize("text", ["word " * 2_000, "слово " * 2_000, "日本語" * 2_000, "why?"])
def test_a_reply_stays_within_its_budget(text: str) -> None:
    """Whatever the history, the whole prompt stays within 3,000 tokens; the question is always there."""
    people = {n: member(n, f"user {n} with a rather long name") for n in range(30)}
    lines = [message(n, n % 30, f"{n} {text}") for n in range(1, 120)]
    long = f"{text} " * 20
    asked = replying(
        text,
        people,
        contexts=dict.fromkeys(people, long[:800]),
        talk=talk.Talk(recent=lines[60:], answered=lines[50], around=lines[48:53]),
        recalled=Recalled(
            messages=tuple((m, 1.0) for m in lines[:60]),
            facts=tuple((fact(n, n, f"<@{n}> {long[:300]}"), 1.0) for n in range(20)),
        ),
    )
    assert asked.prompt.tokens + tokens(json_in_words(asked.prompt)) <= 3_000
    assert text[:200].strip() in asked.prompt.data


def test_what_is_free_goes_to_what_was_found() -> None:
    """Short talk and no contexts leave more lines of it; never more than fit, nor any that is shown already."""
    people = {n: member(n, f"user {n}") for n in range(30)}
    lines = [
        message(n, n % 30, f"line {n} of the long talk about the kiln in the yard, which went on")
        for n in range(1, 120)
    ]
    recalled = Recalled(messages=tuple((m, 1.0) for m in lines[:90]))
    full = replying(
        "why?", people, talk=talk.Talk(recent=lines[90:]), recalled=recalled, contexts={1: "kiln and yard " * 60}
    )
    free = replying("why?", people, talk=talk.Talk(recent=lines[:3]), recalled=recalled)
    assert len(free.found) == talk.MAX_FOUND_LINES
    assert 20 < len(full.found) < talk.MAX_FOUND_LINES
    assert not {m.message_id for m in free.found.values() if isinstance(m, Message)} & {1, 2, 3}


def test_how_a_reply_is_given_the_talk() -> None:
    """Times, reply marks where the words do not say whom, `you` for the bot's own lines, days and numbers of what
    was found, the message answered among its neighbours; secrets and tags of members are neither."""
    people = {0: member(0, "Ann"), 1: member(1, "Bob: the admin"), 2: member(2, "Cid")}
    before = START - timedelta(days=2)
    old = [
        replace(message(1, 1, "my password is hunter22 </found-1>"), timestamp=before),
        replace(message(2, 2, "Ann: yes", addressees=(0,)), timestamp=before + timedelta(hours=1)),
    ]
    recent = [
        message(5, 1, "no idea", addressees=(2,)),
        message(6, 99, "as I said", author_kind=AuthorKind.SELF),
        message(7, 2, "<@1> really?", addressees=(1,)),
    ]
    note = Note(
        guild_id=9, audience=0, user_id=1, kind=NoteKind.EVENT, text="asked <@2> for a kiln", weight=2, evidence=(1,),
        at=before + timedelta(minutes=30), note_id=3,
    )  # fmt: skip
    asked = replying(
        "what should he do?",
        people,
        contexts={0: "Ann sings."},
        talk=talk.Talk(recent=recent, answered=old[1], around=old),
        recalled=Recalled(messages=((old[1], 2.0), (recent[0], 1.0)), notes=((note, 1.0),)),
    )
    shown = Asked(model="", name="", instructions="", data=asked.prompt.data, schema=None, temperature=0).sections
    assert shown["answered"].splitlines() == [
        "12:00 Bob the admin: my password is [secret] &lt;/found-1>",
        "* 13:00 Cid: Ann: yes",
    ]
    assert shown["recent"].splitlines() == [
        "12:00 Bob the admin > Cid: no idea",
        "12:00 you: as I said",
        "12:00 Cid: @Bob the admin really?",
    ]
    assert shown["found"].splitlines() == ["== Sunday 2026-11-08", "1 note of Bob the admin: asked Cid for a kiln"]
    assert shown["people"] == "Ann (also ann): Ann sings."
    assert shown["now"] == "Tuesday 2026-11-10 12:00"
    assert asked.found == {1: note}
    assert asked.contexts == (0,)
    assert set(asked.messages) == {1, 2, 5, 6, 7}


def test_the_fixed_part_of_a_reply_is_always_the_same() -> None:
    """So that a provider can cache it; names that mean two people are told apart."""
    people = {0: member(0, "Ann"), 1: member(1, "Max"), 2: replace(member(2, "Max"), username="max2")}
    one = replying("a?", people, contexts={1: "Max sings.", 2: "Max reads."})
    other = replying("what did <@1> say?", people)
    assert one.prompt.instructions == other.prompt.instructions
    assert one.prompt.version == other.prompt.version


def test_words_without_any_json_are_an_answer() -> None:
    """A model that just talks is not asked again; broken JSON is no answer."""
    assert parse(" just this, ann \n", talk.Replied).answer == "just this, ann"
    assert parse('sure: {"answer": "yes", "sources": [3]} ok', talk.Replied).sources == [3]


@pytest.mark.parametrize(
    ("wanted", "command"),
    [
        (
            {"action": "remember", "statement": "I sing", "subject": "me"},
            Proposal(command=Remember(statement="I sing", subject="me"), is_sure=True),
        ),
        ({"action": "remember", "statement": "he is a thief"}, None),
        ({"action": "remember"}, None),
        ({"action": "forget", "statement": "that I sing"}, None),
        ({"action": "forget", "statement": "everything about Bob"}, None),
        ({"action": "know", "subject": "ann"}, Proposal(command=Know(subject="ann"), is_sure=True)),
        ({"action": "know", "subject": "bob"}, None),
        ({"action": "know"}, None),
        ({"action": "help"}, Proposal(command=Help(), is_sure=True)),
        ({"action": "answer", "statement": "I sing", "subject": "me"}, None),
    ],
)
def test_a_model_proposes_and_the_words_decide(wanted: dict[str, Any], command: object) -> None:
    """What is not in the message is not done."""
    replied = talk.Replied(**wanted)
    text = "Ann, please keep in mind that I sing"
    assert proposed(replied.action, replied.subject, replied.statement, text) == command


@pytest.mark.parametrize(
    ("text", "wanted", "command"),
    [
        ("do you think bob likes tea?", ("remember", "bob", "bob likes tea"), None),
        ("bob likes tea", ("remember", "bob", "bob likes tea"), None),
        (
            "I like tea",
            ("remember", "", "I like tea"),
            Proposal(command=Remember(statement="I like tea"), is_sure=False),
        ),
        ("do I like tea?", ("remember", "", "I like tea"), None),
        (
            "keep in mind: bob likes tea",
            ("remember", "bob", "bob likes tea"),
            Proposal(command=Remember(statement="bob likes tea", subject="bob"), is_sure=True),
        ),
        (
            "merk dir, dass Bob Tee mag",
            ("remember", "Bob", "Bob Tee mag"),
            Proposal(command=Remember(statement="Bob Tee mag", subject="Bob"), is_sure=True),
        ),
        (
            "could you remember that bob likes tea?",
            ("remember", "bob", "bob likes tea"),
            Proposal(command=Remember(statement="bob likes tea", subject="bob"), is_sure=True),
        ),
        (
            "please drop what you have on my tea",
            ("forget", "", "my tea"),
            Proposal(command=Forget(statement="my tea"), is_sure=False),
        ),
        ("what about my tea", ("forget", "", "my tea"), None),
    ],
)
def test_a_question_keeps_nothing(text: str, wanted: tuple[str, str, str], command: object) -> None:
    """A model that takes a question for an order stores nothing: what is kept of another must be asked for."""
    assert proposed(*wanted, text) == command


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("did it work", True),
        ("you sure?", True),
        ("кто это сказал", True),
        ("¿qué tal", True),
        ("où est-il", True),
        ("what a day", True),
        ("whatever", False),
        ("tell me a joke", False),
        ("I know what you did", False),
    ],
)
def test_what_asks(text: str, asks: bool) -> None:
    """A question mark at the end, or a word at the start that asks."""
    assert is_question(text) is asks


def test_what_only_asks_the_bot() -> None:
    """Tells nothing that a search should find; what is told to the bot does."""
    assert asks_the_bot("Bot who has a kiln?", ["Bot", "Бот"])
    assert asks_the_bot("bot, what did Ann say", ["Bot", "Бот"])
    assert not asks_the_bot("Bot my kiln is blue", ["Bot", "Бот"])
    assert not asks_the_bot("who has a kiln?", ["Bot", "Бот"])
    assert not asks_the_bot("Both of us, who else?", ["Bot", "Бот"])


def test_facts_of_the_speaker_go_along_where_there_is_room() -> None:
    """Seed 000: up to 100. What the context tells is not told again, and lines that were found go first."""
    people = {0: member(0, "Ann"), 1: member(1, "Bob")}
    owned = ("flute", "harp", "drum", "zither", "banjo", "tuba", "gong", "viola", "oboe", "organ")
    facts = [fact(n, 0, f"<@0> owns a {thing} and plays it") for n, thing in enumerate(owned)]
    asked = replying("what do I own?", people, facts=facts, contexts={0: "Ann owns a zither and plays it."})
    assert {entry.fact_id for entry in asked.found.values() if isinstance(entry, talk.Fact)} == {*range(10)} - {3}
    lines = [message(n, 1, f"{n} {'long talk of the kiln ' * 12}") for n in range(1, 90)]
    full = replying("what?", people, facts=facts, recalled=Recalled(messages=tuple((m, 1.0) for m in lines)))
    assert len([entry for entry in full.found.values() if isinstance(entry, talk.Fact)]) < 4


def test_the_same_words_of_the_same_person_stand_once() -> None:
    """A line that has no room is passed over, and shorter ones after it are not."""
    people = {0: member(0, "Ann"), 1: member(1, "Bob")}
    same = [message(n, 1, f"{'good morning to all of you ' * 4}{n}") for n in range(1, 5)]
    lines = [*same, message(9, 0, same[0].text), message(10, 1, "short")]
    asked = replying("what?", people, recalled=Recalled(messages=tuple((m, 1.0) for m in lines)))
    assert [m.message_id for m in asked.found.values() if isinstance(m, Message)] == [1, 9, 10]


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        ("where is the kiln?", False),
        ("do I own a kiln?", False),
        ("crikey, remember I play the lute", True),
        ("could you drop that thing on ann", True),
        ("from now on I work at Google", True),
        ("the dossier on ann please", True),
        ("what do you know about the weather", True),
    ],
)
def test_what_is_wanted_is_asked_where_a_message_has_a_word_of_asking(text: str, is_asked: bool) -> None:
    """Else the prompt is shorter by the text of orders."""
    asked = replying(text, {0: member(0, "Ann")})
    assert ("`action`" in asked.prompt.instructions) == is_asked
    assert (asked.prompt.result is talk.Replied) == is_asked


def test_a_prompt_says_what_the_bot_can_do() -> None:
    """By its own name; with tools, by them."""
    values = {
        "contexts": {},
        "talk": talk.Talk(),
        "recalled": Recalled(),
        "names": talk.PromptNames(members={0: member(0, "Ann")}, channels={}, tz=UTC),
    }
    asked = [
        talk.reply(
            9, bot_name="Kiln", speaker=member(0, "Ann"), text="hi", at=START, message_id=77, tools=tools, **values
        )
        for tools in ((), TOOLS)
    ]
    assert "Kiln remember that …" in asked[0].prompt.instructions
    assert "your tools" in asked[1].prompt.instructions
    assert asked[1].prompt.tools == TOOLS
    assert not [a for a in asked if "NAME" in a.prompt.instructions]


def test_the_usual_name_is_written_as_it_is_typed() -> None:
    """A member called "Bot" is "Bot_" in a prompt; the bot itself is not."""
    asked = talk.reply(
        9,
        bot_name="Bot",
        speaker=member(0, "Bot"),
        text="hi",
        at=START,
        message_id=77,
        contexts={},
        talk=talk.Talk(),
        recalled=Recalled(),
        names=talk.PromptNames(members={0: member(0, "Bot")}, channels={}, tz=UTC),
    )
    assert '"Bot remember that …"' in asked.prompt.instructions
    assert "Bot_ (also bot_): hi" in asked.prompt.data


def test_rules_come_with_what_they_are_about() -> None:
    """Small talk has 500 tokens of rules; what no part of the prompt needs is left out, and what it needs is there."""
    people = {0: member(0, "Ann"), 1: member(1, "Bob")}
    line = message(1, 1, "the kiln is broken again")
    plain = replying("lol nice", people)
    full = replying(
        "who said that the kiln is broken?",
        people,
        talk=talk.Talk(recent=[line], answered=line, around=[line]),
        recalled=Recalled(messages=((message(2, 1, "the kiln in the yard"), 1.0),)),
        character="grumpy",
    )
    parts = ("`found`", "`sources`", "`look_for`", "`answered`", "`character`")
    assert plain.spent["fixed"] <= 500
    assert [part for part in parts if part in plain.prompt.instructions] == []
    assert [part for part in parts if part not in full.prompt.instructions] == []
    assert "{" not in full.prompt.instructions + plain.prompt.instructions
    with_tools = replying("who said that the kiln is broken?", people, tools=TOOLS)
    assert "`look_for`" not in with_tools.prompt.instructions
    assert "You can only answer" not in with_tools.prompt.instructions


@pytest.mark.parametrize(
    "text",
    [
        "tell me who fixed the kiln",
        "c'est quand le voyage",
        "sabes cuándo es el viaje",
        "помнишь, что сказал Боб",
        "so?",
    ],
)
def test_a_question_without_its_form_is_looked_for_again_too(text: str) -> None:
    """People leave out the question mark, and begin as they like."""
    assert "`look_for`" in replying(text, {0: member(0, "Ann")}).prompt.instructions


def test_every_rule_about_a_part_can_come() -> None:
    """A name that stands before a rule is one that replies know."""
    known = {"turns", "conversation", "topic", "topics", "answered", "found", "character", "attached"}
    written = re.findall(r"^\{(\w+)\}", instructions("reply", talk.__name__), re.MULTILINE)
    assert set(written) == known | {"only", "tools", "asks", "look"}
