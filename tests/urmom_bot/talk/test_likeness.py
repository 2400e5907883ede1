"""What the word lists miss is understood by its likeness to the examples, and what they refuse stays refused."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from urmom_bot.languages import languages
from urmom_bot.talk.commands import Forget, ForgetLast, Know, Remember, TakeBack
from urmom_bot.talk.grammar import addressed, parse, parse_listed
from urmom_bot.talk.likeness import BOT, VERSION, Model, likely, model, tokens_of

FOLDER = Path(__file__).parents[3] / "urmom_bot" / "languages"


@pytest.mark.parametrize("language", languages())
def test_the_weights_are_those_of_the_examples(language: str) -> None:
    """Who adds an example fits the weights anew: `python -m training`."""
    examples = (FOLDER / language / "examples.jsonl").read_bytes()
    weights = json.loads((FOLDER / language / "weights.json").read_text(encoding="utf-8"))
    assert weights["examples"] == hashlib.sha256(examples).hexdigest()


@pytest.mark.parametrize("language", languages())
def test_examples_can_be_learned_from(language: str) -> None:
    """Each is there once, and what is to be kept stands in its text as it is."""
    read = [
        json.loads(line) for line in (FOLDER / language / "examples.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert len({one["text"].casefold() for one in read}) == len(read)
    assert all(one["content"] in one["text"] for one in read if one["wish"] == "remember")


def test_weights_of_other_features_are_refused() -> None:
    with pytest.raises(ValueError, match="python -m training"):
        Model.from_json(json.dumps({"version": VERSION + 1}))


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("get this into your brain, i dont eat pork", Remember(statement="i dont eat pork")),
        ("jake and kate are engaged!!! put it in your memory rn", Remember(statement="jake and kate are engaged")),
        ("please you can cancel the last change? I made error", TakeBack()),
        ("what have you been storing about me all this time", Know(subject="me", is_plain=False)),
        ("the thing i said a sec ago, delete", ForgetLast()),
    ],
)
def test_what_the_lists_miss_is_understood(text: str, command: object) -> None:
    assert parse_listed(text) is None
    assert parse(text) == command


@pytest.mark.parametrize(
    "text",
    [
        "ich will nicht, dass du dir merkst, dass ich rauche",
        "ich möchte wirklich nicht dass du dir merkst, dass ich rauche",
        "я не хочу, чтобы ты помнил, что я курю",
        "no quiero que guardes que fumo",
        "je ne veux pas que tu gardes que je fume",
        "не надо запоминать, что я курю",
        "kate is vegan. dont save that",
        "i smoke, but i dont want you to keep that",
    ],
)
def test_what_nobody_wants_kept_is_not_stored(text: str) -> None:
    """However sure the models are of an order, a denial beside it is not overlooked."""
    assert not isinstance(parse(text), Remember)


@pytest.mark.parametrize(
    "text",
    [
        "i dont want you to forget that i smoke",
        "ich will nicht, dass du vergisst, dass ich rauche",
        "no quiero que olvides que fumo",
        "je ne veux pas que tu oublies que je fume",
        "я не хочу, чтобы ты забыл, что я курю",
    ],
)
def test_what_nobody_wants_forgotten_is_not_forgotten(text: str) -> None:
    """The same the other way round, in each language."""
    assert not isinstance(parse(text), Forget)


def test_an_order_is_heard_behind_other_words() -> None:
    """Without a comma at the name, and beside a denial that is not of the order."""
    assert addressed("new year new me, so bot nuke my whole profile", 1, ("Bot",)) is not None
    found = parse("i don't do ballet anymore so chuck out the bit where i do ballet")
    assert found == Forget(statement="i do ballet", is_sure=False)


PLAIN_ORDERS = {
    "de": ("merk dir, dass ", "vergiss, dass "),
    "en": ("remember that ", "forget that "),
    "es": ("recuerda que ", "olvida que "),
    "fr": ("retiens que ", "oublie que "),
    "ru": ("запомни, что ", "забудь, что "),
}


@pytest.mark.parametrize(
    "text",
    [
        "if i told you to forget everything about me would you",
        "did you forget what i said",
        "cancel culture is silly",
        "don't you go and forget what i just said",
        "never ever undo that one",
        "i don't want that you keep in mind i smoke",
        "please dont note that im in therapy",
        "remember the titans is a good film",
        "how do i undo a git commit",
    ],
)
def test_what_the_lists_take_for_an_order_and_is_none_is_not_carried_out(text: str) -> None:
    """An order that nobody gave is worse than one that is asked for twice."""
    assert not isinstance(parse(text), TakeBack | Forget | ForgetLast | Remember)


def test_what_is_only_like_an_order_to_forget_is_asked_about() -> None:
    """A deletion that the word lists did not parse is not carried out by itself."""
    found = parse("chuck out the bit where kate hates cilantro")
    assert isinstance(found, Forget)
    assert not found.is_sure


@pytest.mark.parametrize("language", sorted(PLAIN_ORDERS))
def test_no_plain_order_is_refused_for_what_it_tells(language: str) -> None:
    """What sounds like no order is refused, though the word lists take it for one; never for the words it is about."""
    lines = (FOLDER / language / "examples.jsonl").read_text(encoding="utf-8").splitlines()
    told = [one["text"] for one in map(json.loads, lines) if one["wish"] == "ordinary"][::6]
    for order in PLAIN_ORDERS[language]:
        listed = {text: parse_listed(order + text) for text in told}
        assert sum(command is not None for command in listed.values()) > len(told) / 2
        assert [text for text, command in listed.items() if type(parse(order + text)) is not type(command)] == []


@pytest.mark.parametrize(
    "text",
    [
        "I moved to Bergen last week and it rains every day",
        "remember that bob sings badly, just kidding",
        '"forget that bob plays chess" said ann',
        "forget neither that bob likes chess",
        "note the irony",
        "what about ann and kate?",
        "what did kate say about my kiln?",
        "Nice job! Keep it up, and you'll make a difference.",
    ],
)
def test_talk_and_what_the_lists_refuse_is_no_order(text: str) -> None:
    assert parse(text) is None


def test_a_statement_whose_person_only_the_order_names_is_left_to_ai() -> None:
    """It would be kept as one about whoever says it."""
    assert parse("add to marcus's file: broke his wrist skating") is None


def test_an_order_of_few_words_stays_what_the_lists_say() -> None:
    assert parse("olvídalo") == TakeBack(drop=True, language="es")
    assert not isinstance(parse("forget what I said yesterday"), ForgetLast)


def test_a_question_about_people_keeps_whom_the_lists_found() -> None:
    """Whom it may be about besides counts only where that is nobody."""
    found = parse("check your memory for marcus and tell me what comes up")
    assert isinstance(found, Know)
    assert "marcus" in (found.subject, found.otherwise)


@pytest.mark.parametrize(
    "text", ["what model of printer has koshari got?", "who are all those disks of puff's actually for, a company?"]
)
def test_what_asks_for_a_detail_is_a_question(text: str) -> None:
    """It has words that nobody uses to ask what is known of somebody."""
    assert parse(text) is None


def test_a_name_in_the_middle_of_a_sure_order_addresses_the_bot() -> None:
    assert addressed("it's important to me that you know this bot: I never drink alcohol", 1, ("Bot",)) is not None
    assert addressed("the bot in my game forgot everything I own again", 1, ("Bot",)) is None


def test_names_and_the_bot_are_no_words() -> None:
    """A model must not learn whose names the examples happen to have."""
    known = model("en")
    assert known is not None
    assert not {"ann", "kate", "marcus", "sergey", "luna", "jake"} & known.vocabulary.words
    assert known.vocabulary.plain(tokens_of(f"{BOT}, <@12> grins")) == [BOT, ",", "<name>", "<name>"]


def test_a_text_too_long_is_not_looked_at() -> None:
    assert likely("word " * 61, "en") is None
