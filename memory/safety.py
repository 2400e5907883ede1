"""What must not be stored as it is told: secrets, orders to the bot, sensitive matters. Pure.

Recognised by code, whatever a model thinks of it. Secrets are found by detect-secrets and
python-stdnum; orders and sensitive matters by words, as a net that errs on the side of asking.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
from detect_secrets.plugins.base import BasePlugin
from stdnum import iban, luhn

REDACTED = "[secret]"
"""What stands in a prompt in place of a secret."""

_NOT_IN_CHAT = frozenset(
    ["Public IP (ipv4)", "Base64 High Entropy String", "Hex High Entropy String", "Secret Keyword"]
)
"""Detectors made for source code, which see secrets in ordinary talk."""

# Keys that detect-secrets 1.5 does not know, or not in the form they have today.
_KEYS = re.compile(
    r"\b(?:sk-(?:proj-|ant-|live-|test-|or-v1-)?[\w-]{20,}|AIza[\w-]{30,}|gh[pousr]_\w{30,}|github_pat_\w{30,}"
    r"|glpat-[\w-]{18,}|hf_\w{30,}|xai-\w{30,}|ya29\.[\w-]{30,}|xox[abprs]-[\w-]{10,})"
)
_PASSWORD = re.compile(
    r"(?i)\b(?:pass ?words?|passwort|passwd|pwd|pw|passphrase|passcode|pin(?: code)?|(?:door|gate|alarm|access) code"
    r"|api[ _-]?key|secret key|access token|contrase[ñn]a|senha|clave|пароль|пин-?код|mot de passe|mdp)(?:['’]s)?\b"
    r"(?:[^\S\n]+(?:is|ist|é|are|was|for \S+ is|es|del? \S+ es|de \S+ est|est|от \S+|для \S+))?"
    r"\s*(?:[:=—–-]+|\bis\b|\bes\b|\best\b)?\s*"
    r"[\"'“«`]?(?P<secret>[^\s\"'”»`]{4,})"
)
_DIGITS = re.compile(r"(?<!\d)\d(?:[ .-]?\d){11,18}(?!\d)")
_SSN = re.compile(r"(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{1,4}){3,8}\b")
_HINT = re.compile(
    r"[A-Za-z0-9+/_=-]{14,}|://\S+@|\d(?:[ .-]?\d){8}"
    r"|(?i:pass|pwd|pw\b|pin|code|senha|key|token|clave|contrase|парол|пин|mdp)"
)


@cache
def _detectors() -> tuple[BasePlugin, ...]:
    known: Mapping[str, type[BasePlugin]] = get_mapping_from_secret_type_to_class()
    return tuple(plugin() for name, plugin in known.items() if name not in _NOT_IN_CHAT)


def secrets_in(text: str) -> tuple[str, ...]:
    """The passwords, keys, tokens and numbers of cards and accounts in `text`."""
    if not _HINT.search(text):
        return ()
    found = [m["secret"] for m in _PASSWORD.finditer(text) if _like_a_password(m)]
    found += [m[0] for m in _KEYS.finditer(text)]
    found += [m[0] for m in _SSN.finditer(text)]
    found += [m[0] for m in _DIGITS.finditer(text) if _card(m[0])]
    found += [m[0] for m in _IBAN.finditer(text) if iban.is_valid(m[0])]
    for detector in _detectors():
        for secret in detector.analyze_string(text):
            whole = re.search(rf"\S*{re.escape(secret)}\S*", text)
            found.append(whole[0] if whole else secret)
    if "PRIVATE KEY" in text and "-----BEGIN" in text:
        found.append(text[text.index("-----BEGIN") :])
    return tuple(dict.fromkeys(secret for secret in found if not secret.startswith(REDACTED)))


def _card(digits: str) -> bool:
    plain = re.sub(r"\D", "", digits)
    return 13 <= len(plain) <= 19 and plain[0] in "23456" and len(set(plain)) > 1 and bool(luhn.is_valid(plain))


_SAID_OF_PASSWORDS = frozenset(
    (
        *("different", "required", "incorrect", "forgotten", "something", "obviously", "probably", "protected"),
        *("encrypted", "stronger", "expired", "necessary", "important", "terrible", "ridiculous", "everywhere"),
    )
)


def _like_a_password(match: re.Match[str]) -> bool:
    """Whether what follows the word is a value: "my password is hunter2", not "the password is wrong"."""
    secret, between = match["secret"].rstrip(".,!?"), match[0][: match.start("secret") - match.start()]
    if re.search(r"[\"“«`]$", between):
        return True
    if re.search(r"(?i)\b(?:is|ist|é|es|est)\s*$", between) and len(secret) >= 14 and secret.isalpha():
        return secret.casefold() not in _SAID_OF_PASSWORDS
    if re.search(r"[:=]\s*[\"'“«`]?$", between):
        return len(secret) >= 4 and "://" not in secret
    return any(c.isdigit() for c in secret) or bool(re.search(r"[^\w.,!?'’-]", secret))


def redacted(text: str) -> str:
    """`text` with every secret in it replaced."""
    for secret in sorted(secrets_in(text), key=len, reverse=True):
        text = text.replace(secret, REDACTED)
    return text


@cache
def _orders() -> re.Pattern[str]:
    text = (files("memory.words") / "orders.txt").read_text(encoding="utf-8")
    patterns = [line for line in text.splitlines() if line and not line.startswith("#")]
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE | re.MULTILINE)


def _plain(text: str) -> str:
    """Lower case without accents (but й and ё as they are written), look-alikes and doubled spaces."""
    folded = unicodedata.normalize("NFKC", "".join(c for c in text if unicodedata.category(c) != "Cf")).casefold()
    bare = [
        c
        if "\u0400" <= c <= "\u04ff"
        else "".join(d for d in unicodedata.normalize("NFKD", c) if not unicodedata.combining(d))
        for c in folded
    ]
    return re.sub(r"[^\S\n]+", " ", "".join(bare).replace("’", "'")).strip()


def is_order(text: str) -> bool:
    """Whether a statement tells the bot how to behave, rather than something about a person."""
    return _orders().search(_plain(text)) is not None


@cache
def _sensitive() -> dict[str, re.Pattern[str]]:
    raw = tomllib.loads((files("memory.words") / "sensitive.toml").read_text(encoding="utf-8"))
    made = {}
    for matter, words in raw.items():
        forms = [re.escape(_plain(w).replace("_", " ")).replace(r"\*", r"\w*") for w in words.split()]
        made[matter] = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(set(forms), key=len, reverse=True))})(?!\w)")
    return made


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
    plain = _plain(text)
    if _MONEY.search(plain):
        return "finances"
    if _CHILD_AGE.search(plain) and not _NO_CHILD.search(plain):
        return "minor"
    return next((matter for matter, words in _sensitive().items() if words.search(plain)), None)
