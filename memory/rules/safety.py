"""What must not be stored as it is told: secrets, orders to the bot, sensitive matters. Pure.

Recognised by code, whatever a model thinks of it. Secrets are found by detect-secrets and
python-stdnum; orders and sensitive matters by words, as a net that errs on the side of asking.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
from detect_secrets.plugins.base import BasePlugin
from stdnum import iban, luhn

from memory.records import Why

REDACTED = "[secret]"
"""What stands in a prompt in place of a secret."""

_NOT_IN_CHAT = frozenset(
    ["Public IP (ipv4)", "Base64 High Entropy String", "Hex High Entropy String", "Secret Keyword"]
)
"""Detectors made for source code, which see secrets in ordinary talk."""

_OURS = frozenset(["Basic Auth Credentials", "NPM tokens"])
"""Detectors whose patterns take a time that grows with the square of a text; `_KEYS` has them in another form."""

WINDOW = 4_000
"""Characters that are looked at together: the longest message that Discord takes. Longer texts go in windows."""

_OVERLAP = 300
"""Characters that two windows share, so that what lies across their border is found."""

_MARK = re.compile(
    r"<(?:@[!&]?|#|a?:\w{1,32}:|t:-?|id:)\w{1,32}(?::[tTdDfFR])?>|</[\w -]{1,100}:\d{1,20}>"
    r"|https?://(?:(?:ptb|canary)\.)?discord(?:app)?\.com/channels/(?:@me|\d{1,20})(?:/\d{1,20}){1,2}"
    r"|https?://(?:cdn|media)\.discordapp\.(?:com|net)/[^\s<>]{1,500}"
)
"""What Discord puts into a text in place of people, roles, channels, emoji, moments, commands, messages and files."""

# Keys that detect-secrets 1.5 does not know, or not in the form they have today.
_KEYS = re.compile(
    r"\b(?:sk-(?:proj-|ant-|live-|test-|or-v1-)?[\w-]{20,}|AIza[\w-]{30,}|gh[pousr]_\w{30,}|github_pat_\w{30,}"
    r"|glpat-[\w-]{18,}|hf_\w{30,}|xai-\w{30,}|ya29\.[\w-]{30,}|xox[abprs]-[\w-]{10,}|npm_\w{30,})"
)
_LOGIN = re.compile(r"://[^\s:/@{}]{1,100}:[^\s/@{}]{1,200}@|:_authToken=\S{8,200}")
_PASSWORD = re.compile(
    r"(?i)\b(?:pass ?words?|passwort|passwd|pwd|pw|passphrase|passcode|pin(?: code)?|(?:door|gate|alarm|access) code"
    r"|api[ _-]?key|secret key|access token|contrase[ñn]a|senha|clave|пароль|пин-?код|mot de passe|mdp)(?:['’]s)?+\b"
    r"(?: (?:is|ist|é|are|was|for \S{1,40} is|es|del? \S{1,40} es|de \S{1,40} est|est|от \S{1,40}|для \S{1,40})\b)?+"
    r"\s?+(?:[:=—–-]{1,3}+|(?:is|ist|es|est)\b)?+\s?+[\"'“«`]?+"
    r"(?P<secret>[^\s\"'”»`]{4,200})"
)
_BLANKS = re.compile(r"\s{2,}")
_DIGITS = re.compile(r"(?<!\d)\d(?:[ .-]?\d){11,18}(?!\d)")
_SSN = re.compile(r"(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}+")

# What must be there for any of them to match: most talk has nothing of it, and is passed over quickly.
_LONG_WORD = re.compile(r"[A-Za-z0-9+/_=-]{14}")
_LONG_NUMBER = re.compile(r"\d(?:[ .-]?\d){8}")
_OF_PASSWORDS = (
    "pass",
    "pwd",
    "pw",
    "pin",
    "code",
    "senha",
    "key",
    "token",
    "clave",
    "contrase",
    "парол",
    "пин",
    "mdp",
)


@cache
def detectors() -> tuple[tuple[str, Callable[[str], Iterable[str]]], ...]:
    """The detectors of others that are used: each one's name, and the function that finds secrets in a text."""
    known: Mapping[str, type[BasePlugin]] = get_mapping_from_secret_type_to_class()
    used = [(name, plugin) for name, plugin in known.items() if name not in _NOT_IN_CHAT | _OURS]
    return tuple((name, plugin().analyze_string) for name, plugin in used)


def without_marks(text: str) -> str:
    """`text` without Discord's marks: their numbers are no secrets, and their names no words."""
    return _MARK.sub(" ", text) if "<" in text or "://" in text else text


def secrets_in(text: str) -> tuple[str, ...]:
    """The passwords, keys, tokens and numbers of cards and accounts in `text`."""
    found: dict[str, None] = {}
    plain = without_marks(text)
    for part in _windows(_BLANKS.sub(" ", plain) if _BLANKS.search(plain) else plain):
        found |= dict.fromkeys(_secrets_in(part))
    return tuple(secret for secret in found if not secret.startswith(REDACTED))


def _secrets_in(text: str) -> Iterator[str]:
    folded = text.lower()
    if any(word in folded for word in _OF_PASSWORDS):
        yield from (m["secret"] for m in _PASSWORD.finditer(text) if _like_a_password(m))
    if "://" in text or ":_authToken" in text:
        yield from (_whole(text, m[0]) for m in _LOGIN.finditer(text))
    if _LONG_NUMBER.search(text):
        yield from (m[0] for m in _SSN.finditer(text))
        yield from (m[0] for m in _DIGITS.finditer(text) if _card(m[0]))
    for match in _IBAN.finditer(text):
        if (account := _account(match[0])) is not None:
            yield account
    if _LONG_WORD.search(text):
        yield from (m[0] for m in _KEYS.finditer(text))
        for _, analyze in detectors():
            for secret in analyze(text):
                yield _whole(text, secret)
    if "PRIVATE KEY" in text and "-----BEGIN" in text:
        yield text[text.index("-----BEGIN") :]


def _whole(text: str, secret: str) -> str:
    """A secret with all that is written together with it."""
    start = text.find(secret)
    if start < 0:
        return secret
    end = start + len(secret)
    before = text[:start].rsplit(None, 1)[-1] if start and not text[start - 1].isspace() else ""
    after = text[end:].split(None, 1)[0] if end < len(text) and not text[end].isspace() else ""
    return f"{before}{secret}{after}"


def _card(digits: str) -> bool:
    plain = re.sub(r"\D", "", digits)
    if len(plain) in (17, 18) and plain == digits:  # an id of Discord's; cards of that length are written in groups
        return False
    return 13 <= len(plain) <= 19 and plain[0] in "23456" and len(set(plain)) > 1 and bool(luhn.is_valid(plain))


def _account(text: str) -> str | None:
    """The account number that `text` begins with, which other words may follow."""
    if iban.is_valid(text):
        return text
    ends = [n for n, c in enumerate(text) if c == " "]
    return next((text[:end] for end in reversed(ends) if iban.is_valid(text[:end])), None)


_SAID_OF_PASSWORDS = frozenset(
    (
        *("different", "required", "incorrect", "forgotten", "something", "obviously", "probably", "protected"),
        *("encrypted", "stronger", "expired", "necessary", "important", "terrible", "ridiculous", "everywhere"),
    )
)


_LINK = re.compile(r"(?i)\b(?:is|ist|é|es|est)$")


def _like_a_password(match: re.Match[str]) -> bool:
    """Whether what follows the word is a value: "my password is hunter2", not "the password is wrong"."""
    secret, between = match["secret"].rstrip(".,!?"), match[0][: match.start("secret") - match.start()]
    if between.endswith(('"', "“", "«", "`")):
        return True
    if _LINK.search(between.rstrip()) and len(secret) >= 14 and secret.isalpha():
        return secret.casefold() not in _SAID_OF_PASSWORDS
    if between.rstrip().rstrip("\"'“«`").rstrip().endswith((":", "=")):
        return len(secret) >= 4 and "://" not in secret
    return any(c.isdigit() for c in secret) or bool(re.search(r"[^\w.,!?'’-]", secret))


def secret_spans(text: str) -> tuple[int, ...]:
    """Where secrets stand in `text`: start and end of each, in order, one after the other."""
    found: list[tuple[int, int]] = []
    for secret in secrets_in(text):
        written = r"\s+".join(map(re.escape, secret.split()))
        found += [match.span() for match in re.finditer(written, text)]
    spans: list[int] = []
    for start, end in sorted(found):
        if spans and start <= spans[-1]:
            spans[-1] = max(spans[-1], end)
        else:
            spans += (start, end)
    return tuple(spans)


def redacted(text: str, spans: Sequence[int] | None = None) -> str:
    """`text` with every secret in it replaced; `spans` tells where they are, where that is known already."""
    spans = secret_spans(text) if spans is None else spans
    for start, end in reversed([span for span in zip(spans[::2], spans[1::2], strict=True) if span[1] <= len(text)]):
        text = text[:start] + REDACTED + text[end:]
    return text


@cache
def order_patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The patterns that recognise orders, each with its line of the list."""
    text = (files("memory.wordlists") / "orders.txt").read_text(encoding="utf-8")
    return tuple(
        (f"orders.txt:{n}", re.compile(line, re.MULTILINE))
        for n, line in enumerate(text.splitlines(), 1)
        if line and not line.startswith("#")
    )


@cache
def _bare(character: str) -> str:
    """A character in lower case without its accents (but й and ё as they are written); of none, an empty text."""
    if unicodedata.category(character) == "Cf":
        return ""
    return "".join(
        c
        if "\u0400" <= c <= "\u04ff"
        else "".join(d for d in unicodedata.normalize("NFKD", c) if not unicodedata.combining(d))
        for c in unicodedata.normalize("NFKC", character).casefold()
    )


def _plain(text: str) -> str:
    """Lower case without accents, look-alikes, Discord's marks and doubled blanks or line breaks."""
    composed = unicodedata.normalize("NFC", without_marks(text))
    plain = "".join(map(_bare, composed)).replace("’", "'")
    return "\n".join(filter(None, (" ".join(line.split()) for line in plain.splitlines())))


def _windows(plain: str) -> Iterator[str]:
    """A text in pieces of a message's length."""
    for start in range(0, len(plain) or 1, WINDOW):
        yield plain[start : start + WINDOW + _OVERLAP]


def is_order(text: str) -> bool:
    """Whether a statement tells the bot how to behave, rather than something about a person."""
    return any(pattern.search(part) for part in _windows(_plain(text)) for _, pattern in order_patterns())


@cache
def sensitive_patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The patterns that recognise sensitive matters, each with its matter."""
    raw = tomllib.loads((files("memory.wordlists") / "sensitive.toml").read_text(encoding="utf-8"))
    made = []
    for matter, words in raw.items():
        forms = [_form(word) for word in words.split()]
        any_form = "|".join(sorted(set(forms), key=len, reverse=True))
        made.append((matter, re.compile(rf"(?<!\w)(?:{any_form})(?!\w)")))
    return tuple(made)


@cache
def unlawful_pattern() -> re.Pattern[str]:
    """The pattern that recognises unlawful and shaming acts."""
    text = (files("memory.wordlists") / "unlawful.txt").read_text(encoding="utf-8")
    words = " ".join(line for line in text.splitlines() if not line.startswith("#")).split()
    return re.compile(rf"(?<!\w)(?:{'|'.join(sorted(map(_form, words), key=len, reverse=True))})(?!\w)")


def _form(word: str) -> str:
    return re.escape(_plain(word).replace("_", " ")).replace(r"\*", r"\w*")


def is_unlawful(text: str) -> bool:
    """Whether a text tells of an unlawful or shaming act, as far as words show it."""
    return any(unlawful_pattern().search(part) for part in _windows(_plain(text)))


_CHILD_AGE = re.compile(
    r"(?<!\d)(?:[1-9]|1[0-7])(?:[ -]years?[ -]old|[ -]?yo\b| anos| ans\b| лет\b| года?\b)"
    r"|\b(?:[1-9]|1[0-2])th grade\b|\b(?:aged?|turn(?:s|ed|ing)) (?:[1-9]|1[0-7])(?!\d)"
    r"|\b(?:i am|i'm|is|tengo|tiene|j'ai|a) (?:1[0-7])(?: years?| anos| ans|[.!]?$)"
)


_NO_CHILD = re.compile(
    r"\b(?:dogs?|cats?|pupp\w+|kittens?|horses?|pets?|cars?|bikes?|house|flat|laptop|pc|phone|server|company|project|repo|bot"
    r"|perr\w+|gat\w+|coche|casa|кот\w*|кошк\w*|собак\w*|машин\w*|chiens?|chats?|voiture|maison|experience|experiencia|опыт\w*)\b"
)


_MONEY = re.compile(
    r"\b(?:earn|earns|earning|make|makes|gano|gana|cobro|cobra|gagne|touche|зарабатыва\w+|получаю|получает)\b.{0,25}"
    r"(?:\d\s?k\b|\d.{0,12}(?:€|\$|euros?|dollars?|dolares|pesos|pounds|rubles|руб\w*|usd|eur|a (?:year|month)|par mois"
    r"|al mes|в месяц))|(?<!technical )(?<!tech )\bdebts?\b.{0,15}\d"
    r"|\d.{0,20}(?<!technical )(?<!tech )\b(?:of|in) debts?\b"
)


def matter_of(text: str) -> str | None:
    """The sensitive matter that `text` touches, or None."""
    return next(filter(None, map(_matter_of, _windows(_plain(text)))), None)


def _matter_of(plain: str) -> str | None:
    if _MONEY.search(plain):
        return "finances"
    if _CHILD_AGE.search(plain) and not _NO_CHILD.search(plain):
        return "minor"
    return next((matter for matter, words in sensitive_patterns() if words.search(plain)), None)


def objection(text: str) -> Why | None:
    """What speaks against keeping a text, whomever it is about: a secret in it, or an order to the bot."""
    if secrets_in(text):
        return Why.SECRET
    return Why.ORDER if is_order(text) else None
