"""One word for one thing: the words that others took the place of do not come back as names in the code."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]

REPLACED = {
    "said": "text, Request",
    "telling": "keyword, source",
    "tellings": "source",
    "veto": "suppression",
    "rung": "fallback level",
    "cast": "participants",
    "departure": "removal",
    "departures": "removal",
    "placed": "channel",
    "place": "guild, channel",
    "places": "guild, channel",
    "whom": "subject, user_id",
    "about": "subject",
    "made_from": "fingerprint, provenance",
    "leans_on": "provenance",
    "rests_on": "provenance",
    "holds": "provenance",
    "Words": "Texts",
    "Incoming": "Request",
    "Talker": "Router",
    "Entry": "SearchHit",
    "InboxEntry": "InboxItem",
    "objection": "reason_to_reject",
    "rooms_of": "readable_audiences_of",
}
"""A name that was used for too much, and what says it now."""

NO_VERBS = {"of", "some", "every", "one", "other", "others", "take", "put", "out", "left", "back", "hold"}
"""What a function is not called: a preposition, a numeral, or a verb that says nothing."""

VAGUE = {
    *("READY", "MOST", "FURTHEST", "TOGETHER", "AGAIN", "CALM", "BEAT", "AWAY", "FRESH", "LONGEST", "SHORTEST"),
    *(
        "AT_ONCE",
        "REST",
        "TWICE",
        "LATELY",
        "WORTH",
        "LOOSE",
        "SHOWN",
        "KEPT",
        "FEW",
        "MANY",
        "FEWEST",
        "RARE",
        "OFTEN",
    ),
    *("NEAR", "LOW", "HIGH", "SLOW", "HELD", "TRIES", "FOUND", "LOOKED_AT", "ASKED", "ASKED_FOR", "MET", "AROUND"),
}
"""What a constant is not called: an adjective or participle tells neither what it counts nor in which direction."""

CLASSES_OF_DISCORD = {"Channel", "Guild", "Member", "Message", "Role", "User"}
"""What the stand-in for Discord calls as Discord does, and memory too."""


def test_no_replaced_word_is_a_name() -> None:
    """Parameters, variables, attributes, functions and classes of memory and the bot."""
    found = defaultdict(set)
    for folder in ("memory", "urmom_bot"):
        for path in (ROOT / folder).rglob("*.py"):
            for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
                if token.type == tokenize.NAME and token.string in REPLACED:
                    found[token.string].add(f"{path.relative_to(ROOT)}:{token.start[0]}")
    assert not found, {word: (REPLACED[word], sorted(lines)[:5]) for word, lines in found.items()}


def test_functions_are_called_by_what_they_do() -> None:
    """`find`, `list_for`, `claim`: a caller reads the call and knows what comes back."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for folder in ("memory", "urmom_bot")
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name in NO_VERBS
    ]
    assert not found


def test_ids_have_types_of_their_own() -> None:
    """A channel's id cannot be passed where a user's belongs: no parameter or field that is called an id is a number.

    Discord's stand-in has numbers, as Discord has; and the terminal's own list of lines, which it numbers itself.
    """
    ids = re.compile(r"\b(?:\w*_)?(guild|user|channel|message)_ids?: (?:\w+\[)?int\b|\baudiences?: (?:\w+\[)?int\b")
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for folder in ("memory", "urmom_bot")
        for path in (ROOT / folder).rglob("*.py")
        if "stand_ins" not in path.parts and path.name != "chat.py"
        for line in path.read_text(encoding="utf-8").splitlines()
        if ids.search(line)
    ]
    assert not found


def test_no_two_classes_have_one_name() -> None:
    """A reader who meets a name knows which class it is."""
    classes = defaultdict(list)
    for folder in ("memory", "urmom_bot"):
        for path in (ROOT / folder).rglob("*.py"):
            for name in re.findall(r"^class (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
                classes[name].append(str(path.relative_to(ROOT)))
    twice = {name: where for name, where in classes.items() if len(where) > 1 and name not in CLASSES_OF_DISCORD}
    assert not twice


def test_the_door_has_some_forty_names() -> None:
    """Who knocks at memory need not read a hundred names."""
    import memory

    assert 25 <= len(memory.__all__) <= 45


def test_constants_say_what_they_bound() -> None:
    """`MAX_ABSENCE`, `RETRY_PAUSE`: the name has the thing and the direction."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} {name.id}"
        for folder in ("memory", "urmom_bot")
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        for name in ast.walk(target)
        if isinstance(name, ast.Name) and name.id.lstrip("_") in VAGUE and not name.id.startswith("_")
    ]
    assert not found
