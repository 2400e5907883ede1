"""Text as data: cleaning, measuring, cutting, fingerprints. Pure."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from memory.ids import ChannelId, UserId

_UNWANTED = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]"
)
_SENTENCE_END = re.compile(r"[.!?…;](?=\s|$)|[。！？]")
_USER = re.compile(r"<@!?(\d{1,20})>")
_CHANNEL = re.compile(r"<#(\d{1,20})>")
_ROLE = re.compile(r"<@&\d{1,20}>")
_BETWEEN_PARTICULARS = re.compile(r"[\s,;()“”\"]+")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_EMOJI = re.compile(r"<a?(:\w+:)\d{1,20}>")


def clean(text: str) -> str:
    """`text` without what a database refuses or an eye cannot see (NUL, lone surrogates, direction marks)."""
    return _UNWANTED.sub("", text)


def one_line(text: str) -> str:
    """`text` on one line, single-spaced."""
    return " ".join(clean(text).split())


def fit(text: str, limit: int) -> str:
    """`text` within `limit` characters: cut after a sentence, else after a word, marked with an ellipsis."""
    text = one_line(text)
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    ends = [match.end() for match in _SENTENCE_END.finditer(head)]
    if ends and ends[-1] >= limit // 2:
        return head[: ends[-1]]
    space = head.rfind(" ")  # a script without spaces, or an address, is cut where it must be
    return (head[:space] if space >= limit // 2 else head).rstrip(" ,;:") + "…"


_QUOTES = str.maketrans(dict.fromkeys('“”„‟«»‹›"', "'"))
_CUT_MARK = re.compile(r"<[@#:a]?[^<>\s]*…?$")


def fit_quote(text: str, limit: int) -> str:
    """`text` within `limit` characters as it may stand between quotation marks: it can't end them, nor stand outside.

    No mention is cut in two.
    """
    short = fit(text, limit)
    if short.endswith("…"):
        short = _CUT_MARK.sub("…", short)
    return short.translate(_QUOTES)


def tokens(text: str) -> int:
    """An estimate of the tokens in `text`: bytes rather than characters, so that other scripts are not undercounted."""
    return int(len(text.encode("utf-8", "replace")) / 3.6) + 1


def fingerprint(*parts: str) -> str:
    """A short content address of `parts`; differs when any of them differs."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode("utf-8", "replace")
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return digest.hexdigest()[:32]


def readable(text: str, people: Mapping[UserId, str], channels: Mapping[ChannelId, str]) -> str:
    """`text` with Discord's marks made readable: mentions become names, so no id reaches a model."""
    return _USER.sub(lambda m: "@" + people.get(UserId(int(m[1])), "someone"), with_channels(text, channels))


def with_channels(text: str, channels: Mapping[ChannelId, str]) -> str:
    """`text` with the names of channels in place of their ids, and people's ids in their one form."""
    text = _CHANNEL.sub(lambda m: "#" + channels.get(ChannelId(int(m[1])), "a-channel"), _USER.sub(r"<@\1>", text))
    return _EMOJI.sub(r"\1", _ROLE.sub("@a-role", text))


def with_names(text: str, names: Mapping[UserId, str]) -> str:
    """A stored text as it leaves memory: names in place of ids; who has none is someone."""
    return _USER.sub(lambda m: names.get(UserId(int(m[1]))) or "someone", text)


def without_ids(text: str) -> str:
    """A stored text without the ids of people, for what looks at its words."""
    return _USER.sub(" ", text)


def numbers_in(text: str) -> set[str]:
    """The numbers that a text has, those of people's ids aside."""
    return set(re.findall(r"\d+", without_ids(text)))


def particulars_in(text: str) -> tuple[str, ...]:
    """The words of a text that have a digit, in order, none twice: versions, sizes, addresses; dates and ids aside."""
    words = (word.strip(".:-+/?!") for word in _BETWEEN_PARTICULARS.split(without_ids(text)))
    return tuple(dict.fromkeys(w for w in words if any(map(str.isdigit, w)) and not _DATE.fullmatch(w)))


def length(text: str) -> int:
    """How long a stored text is about when it leaves memory, in characters: an id counts as a name of eight."""
    return len(_USER.sub("12345678", text))


def mentioned(text: str) -> tuple[UserId, ...]:
    """The ids of the people `text` mentions, in order, none twice; what is too large for an id is none."""
    return tuple(dict.fromkeys(user_id for m in _USER.findall(text) if (user_id := UserId(int(m))) < 2**63))
