"""The one gate: whatever a model, a form or a file brings passes it before it is stored or told. It fails closed. Pure.

- `objection`: what speaks against keeping what a person states, whomever it is about.
- `is_not_to_be_noted`: what is kept of nobody, whoever wrote it.
- `passed`: of an account that a model wrote, the sentences that may stand.
- `answer`: a model's answer as members may read it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from datetime import date

from memory.records import Why
from memory.rules.keywords import sentences_of
from memory.rules.safety import is_order, is_unlawful, matter_of, redacted, secrets_in
from memory.rules.safety.links import defused, invites_in, links_in
from memory.rules.support import borne_out
from memory.rules.text import without_ids

BY_CODE = "📌"
"""What the bot's own confirmations begin with. No text of a model or a member keeps it: only code confirms."""

ANSWER_CHARACTERS = 24_000
"""An answer's length at the most."""

_TECHNICAL = re.compile(r"(?i)\b(?:(?:re-?|un)?enabled?|disabled?|disabling|votes?|voted|trans|income|credits?)\b")
"""Words that mean something sensitive of people, and something else in most talk."""


def objection(text: str) -> Why | None:
    """What speaks against keeping a text, whomever it is about: a secret in it, an order to the bot, an invite."""
    if secrets_in(text):
        return Why.SECRET
    if invites_in(text):
        return Why.LINK
    return Why.ORDER if is_order(text) else None


def is_not_to_be_noted(text: str) -> bool:
    """Whether a text is of a kind that is never noted (DESIGN.md §6): sensitive, unlawful, secret, or an order."""
    plain = without_ids(text)
    return (
        matter_of(_TECHNICAL.sub(" ", plain)) is not None
        or is_unlawful(plain)
        or bool(secrets_in(plain))
        or is_order(plain, in_account=True)
    )


def passed(text: str, sources: str, day: date) -> str:
    """Of an account that a model wrote, the sentences that its sources bear out and that are noted of nobody's life."""
    borne = borne_out(text, sources, day)
    return " ".join(
        sentence
        for sentence in sentences_of(borne)
        if not (is_not_to_be_noted(sentence) or links_in(sentence) or invites_in(sentence))
    )


def answer(text: str, given: str, others: Collection[str]) -> str:
    """A model's answer as members may read it; empty where nothing of it may be read.

    Without secrets; with the links alone that stand in what it was `given`, and those not live; without what is
    sensitive or unlawful about any of `others`, by their names; and without the form of the bot's own confirmations.
    """
    told = redacted(text[:ANSWER_CHARACTERS]).replace(BY_CODE, "")
    lines = (_line(line, others) for line in told.splitlines())
    return defused("\n".join(lines), given).strip()


def _line(line: str, others: Collection[str]) -> str:
    """A line without small print, which is the code's alone, and without the sentences that shame somebody."""
    plain = re.sub(r"^(\s{0,3})-#\s?", r"\1", line)
    if not _shames(plain, others):
        return plain
    return " ".join(sentence for sentence in sentences_of(plain) if not _shames(sentence, others))


def _shames(text: str, others: Iterable[str]) -> bool:
    """Whether a text that names one of `others` tells something sensitive or unlawful."""
    if not any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) for name in others):
        return False
    return matter_of(_TECHNICAL.sub(" ", text)) is not None or is_unlawful(text)
