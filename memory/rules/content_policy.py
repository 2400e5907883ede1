"""The one gate: whatever a model, a form or a file brings passes it before it is stored or told. It fails closed. Pure.

- `reason_to_reject`: what speaks against keeping what a person states, whomever it is about.
- `is_not_to_be_noted`: what is kept of nobody, whoever wrote it.
- `may_be_quoted`: what of today's talk may be told word for word before a model has read it.
- `keep_allowed_sentences`: of an account that a model wrote, the sentences that may stand.
- `clean_answer`: a model's answer as members may read it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date

from memory.records import Why
from memory.rules.folding import disguises, folded, surface
from memory.rules.keywords import CYRILLIC, is_everyday, sentences_of
from memory.rules.safety import is_order, is_readable, is_shaming, redacted, secrets_in
from memory.rules.safety.links import defused, has_disguised_link, invites_in, links_in
from memory.rules.support import borne_out
from memory.rules.suppression import name_forms
from memory.rules.text import without_ids
from memory.rules.wordlists import table

BY_CODE = "📌"
"""What the bot's own confirmations begin with. No text of a model or a member keeps it: only code confirms."""

ANSWER_CHARACTERS = 8_000
"""An answer's length at the most."""

ACCOUNT_CHARACTERS = 1_600
"""An account's length at the most: of those that are asked for, none has more than half of it."""

_TECHNICAL = re.compile(
    r"(?i)\b(?:(?:re-?|un)?enabled?|disabled?|disabling|votes?|voted|trans|income|credits?|apache)\b"
    r"|\bdealt (?:long |mostly |only )?with\b(?! (?:\w+ )?(?:drugs?|weed|coke|pills?|meth|crack|speed|heroin|cash)\b)"
    r"|\bfar (?:right|left)(?= (?:rather|corner|hand|of the (?:screen|page|desk|room|panel|bar|window)))"
)
"""Words that mean something sensitive of people, and something else in most talk."""


def reason_to_reject(text: str) -> Why | None:
    """What speaks against keeping a text, whomever it is about: a secret in it, an order to the bot, an invite."""
    if secrets_in(text):
        return Why.SECRET
    if invites_in(text):
        return Why.LINK
    return Why.ORDER if is_order(text) else None


def is_not_to_be_noted(text: str) -> bool:
    """Whether a text is of a kind that is never noted: sensitive, unlawful, secret, or an order."""
    plain = without_ids(text)
    return is_shaming(_TECHNICAL.sub(" ", plain)) or bool(secrets_in(plain)) or is_order(plain, in_account=True)


_PRIVATE = re.compile(
    r"(?i)\|\||^\s*>|(?<=[\w+-])@[\w-]{1,63}\.\w|\bsecrets?\b|\bconfidential|\bbetween (?:us|you and me)\b"
    r"|\bdo ?n.?t tell\b"
    r"|\bsecret[oa]s?\b|\bentre (?:nosotr[oa]s|t[uú] y yo|nous)\b|\bno (?:le |se lo )?(?:digas|cuentes)\b"
    r"|\bgeheim|\bunter uns\b|\bsag\w{0,3} (?:es |das )?(?:niemand|keinem)|\ben secret\b|\bne (?:le |la )?dis\b"
    r"|секрет|между нами|никому не|не говори"
)
"""Spoilers, quotations, addresses, and what somebody asks to keep to oneself, in five languages."""


def may_be_quoted(text: str) -> bool:
    """Whether a message may be told word for word beside its conversation, though no model looked at it first.

    Stricter than for a note: nothing sensitive, no order, no link or address, nothing that is asked to be kept secret,
    and nothing in a script that the lists of words don't know.
    """
    plain = without_ids(text)
    return (
        is_readable(plain)
        and not is_shaming(plain)
        and reason_to_reject(plain) is None
        and not (links_in(plain) or has_disguised_link(plain) or _PRIVATE.search(plain))
    )


def keep_allowed_sentences(text: str, sources: str, day: date | None) -> str:
    """Of an account that a model wrote, the sentences that its sources bear out and that are noted of nobody's life.

    Dates near `day` may have been worked out; without it, each must be in the sources.
    """
    borne = borne_out(text[:ACCOUNT_CHARACTERS], sources, day)
    return " ".join(
        sentence
        for sentence in sentences_of(borne)
        if not (is_not_to_be_noted(sentence) or links_in(sentence) or invites_in(sentence))
    )


def clean_answer(text: str, given: str, others: Collection[str], asked: str = "") -> str:
    """A model's answer as members may read it; empty where nothing of it may be read.

    Without secrets; with the links alone that stand in what it was `given`, and those not live; without what is
    sensitive or unlawful about any of `others`, by their names; and without the form of the bot's own confirmations.
    Where `asked`, what is answered, names one of them, a short answer is about them without naming them again.
    """
    return defused(_without_shame(_in_shown_form(text), others, asked), given).strip()


def may_shame(text: str, asked: str) -> bool:
    """Whether a model's answer, or the question, has words of something sensitive or unlawful.

    If not, `clean_answer` needs no names.
    """
    return _is_shaming(_SIGNS.sub("", asked)) or _is_shaming(_SIGNS.sub("", _in_shown_form(text)))


def _in_shown_form(text: str) -> str:
    """An answer without secrets and without the signs that are the code's alone."""
    told = without_pins(redacted(_LINE_ENDS.sub("\n", text[:ANSWER_CHARACTERS])))
    return _SMALL_PRINT.sub(r"\1", told)


_PIN = re.compile(f"[{BY_CODE}" + r"\N{ROUND PUSHPIN}\N{BLACK PUSHPIN}]|:(?:round_)?pushpin:", re.IGNORECASE)
"""The mark of what code confirms, as a sign and by its name, which Discord shows as the sign."""


def without_pins(text: str) -> str:
    """A text without the mark of what code confirms, also where the mark comes about by taking another away."""
    while (told := _PIN.sub("", text)) != text:
        text = told
    return text


_LINE_ENDS = re.compile(r"\r\n?|[\v\f\x85\u2028\u2029]")
"""What ends a line as well as the usual sign does."""

_SMALL_PRINT = re.compile(r"(?m)^((?:[^\S\n]|[>*+.)\d-]){0,20}?)(?:-#(?:[^\S\n]+|$|(?=-#)))+")
"""What begins a line of small print, also in a list or a quotation: it is the code's alone."""

_SIGNS = re.compile(r"[*`~|#>]|(?<![^\W_])_+|_+(?![^\W_])")
"""Signs of Markdown: between them a name is as much a name as without."""

MAX_ELLIPSIS_WORDS = 5
"""Words of an answer that leaves out whom it is about, at the most ("Yes, in prison.")."""

_GOES_ON = re.compile(r"\s{0,20}(?:$|[-*+•>|#`]|\d{1,2}[.)]|[^\W\d_]{2,24}\s?:|[a-zà-öø-ÿа-яё])")
"""How a line or a sentence goes on about whoever was named before: a point of a list, a field, in lower case."""


def _without_shame(text: str, others: Collection[str], asked: str) -> str:
    """A text without the sentences that tell something sensitive or unlawful of any of `others`.

    A name counts in any markup, and for the lines and sentences that go on about it; one in what was `asked`, for
    what answers in a few words ("Is bob in prison?" – "Yes."). A few words with a name go, too, after what shames.
    """
    forms = {form for name in others if not is_everyday(name) for form in (name, *name_forms(name))}
    names = [folded(surface(form)) for form in forms if not is_everyday(form)]
    named = _pattern(names)
    question, read = _SIGNS.sub("", asked), _SIGNS.sub("", text)
    is_asked = bool(names) and _names(question, named)
    asks_for_shame = bool(names) and _is_shaming(question)
    if not names or not (is_asked or _names(read, named)) or not (asks_for_shame or _is_shaming(read)):
        return text
    shown: list[str] = []
    is_about, is_pending = is_asked, asks_for_shame
    for line in text.split("\n"):
        sentences = sentences_of(line) or [line]
        kept: list[str] = []
        for sentence in sentences:
            plain = _SIGNS.sub("", sentence)
            is_short = len(plain.split()) <= MAX_ELLIPSIS_WORDS
            if is_named := _names(plain, named):
                is_about = True
            elif plain.strip() and not _goes_on(sentence):
                is_about = is_short and (is_asked or (is_about and sentence is not sentences[0]))
            shames = _is_shaming(plain)
            answers_it = is_short and ((is_asked and asks_for_shame) or (is_named and is_pending))
            if not (is_about and (shames or answers_it)):
                kept.append(sentence)
                is_pending = shames or (is_pending and is_short)  # what shames, then whom ("Who has cancer? Bob.")
        if len(kept) == len(sentences):
            shown.append(line)
        elif kept:
            shown.append(" ".join(kept))
    return "\n".join(shown)


_CASE = re.compile(r"[аяйьеоию]$")
"""What a Russian name ends with that changes with its case."""


def _pattern(names: Collection[str]) -> re.Pattern[str]:
    """Any of the names, as it is or with its letters spaced out."""
    spaced = {r"[ .]".join(map(re.escape, name)) for name in names if name.isalpha()}
    cases = {
        rf"{re.escape(_CASE.sub('', name))}\w{{0,3}}"
        for name in names
        if len(_CASE.sub("", name)) > 2 and all(map(CYRILLIC.match, name))
    }
    whole = sorted({*map(re.escape, names), *cases}, key=len, reverse=True)
    listed = "|".join([*whole, *sorted(spaced)])
    return re.compile(rf"(?<![^\W_])(?:{listed})(?![^\W_])")


def _names(plain: str, named: re.Pattern[str]) -> bool:
    """Whether a sentence names one of those looked for, also with its letters spaced out."""
    read = surface(plain)
    return any(named.search(folded(reading)) for reading in (read, *disguises(read)))


def _goes_on(sentence: str) -> bool:
    """Whether a sentence or line goes on about whoever was named before it."""
    first = re.match(r"\s{0,20}(\w{1,8})\b", sentence)
    return _GOES_ON.match(sentence) is not None or (first is not None and first[1].casefold() in _PRONOUNS)


_PRONOUNS = frozenset(table("words.toml")["pronouns"])


def _is_shaming(text: str) -> bool:
    """Whether a text tells something sensitive or unlawful of people."""
    return is_shaming(_TECHNICAL.sub(" ", text))
