"""Secrets in a text: passwords, codes, keys, tokens, numbers of accounts and papers. Pure.

Found in three ways: by their own shape (prefixes of services, checksums, entropy), by the words beside them, in many
languages, and by lists (the words of wallets' phrases). Shapes that other libraries know are left to them:
detect-secrets, python-stdnum, and the word lists of mnemonic.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
from detect_secrets.plugins.base import BasePlugin
from mnemonic import Mnemonic
from stdnum import iban, luhn

from memory.rules.folding import View, plain, view, windows
from memory.rules.safety.lexicon import UNSPACED, Lexicon
from memory.rules.wordlists import listed_words, table

REDACTED = "[secret]"
"""What stands in a prompt in place of a secret."""

Span = tuple[int, int]

_NOT_IN_CHAT = frozenset(
    ["Public IP (ipv4)", "Base64 High Entropy String", "Hex High Entropy String", "Secret Keyword"]
)
"""Detectors made for source code, which see secrets in ordinary talk."""

_OURS = frozenset(["Basic Auth Credentials", "NPM tokens"])
"""Detectors whose patterns take a time that grows with the square of a text; `_TOKEN` and `_LOGIN_URL` have them."""


def secret_spans(text: str) -> tuple[int, ...]:
    """Where secrets stand in `text`: start and end of each, in order, one after the other."""
    found: list[Span] = []
    for offset, part in windows(text):
        seen = view(part)
        found += [(offset + start, offset + end) for start, end in (seen.span(*span) for span in _found(seen))]
    spans: list[int] = []
    for start, end in sorted(found):
        if spans and start <= spans[-1]:
            spans[-1] = max(spans[-1], end)
        elif end > start:
            spans += (start, end)
    return tuple(spans)


def secrets_in(text: str) -> tuple[str, ...]:
    """The secrets in `text`, as they are written."""
    spans = secret_spans(text)
    return tuple(text[start:end] for start, end in zip(spans[::2], spans[1::2], strict=True))


def redacted(text: str, spans: Sequence[int] | None = None) -> str:
    """`text` with every secret in it replaced; `spans` tells where they are, where that is known already."""
    spans = secret_spans(text) if spans is None else spans
    for start, end in reversed([span for span in zip(spans[::2], spans[1::2], strict=True) if span[1] <= len(text)]):
        text = text[:start] + REDACTED + text[end:]
    return text


def _found(seen: View) -> Iterator[Span]:
    """The secrets of a text, as stretches of the view of it."""
    for span in _candidates(seen):
        start, end = span
        while start < end and seen.plain[start].isspace():
            start += 1
        if seen.plain[start:end].strip() and not seen.plain.startswith(REDACTED, start):
            yield start, end


def _candidates(seen: View) -> Iterator[Span]:
    text, folded = seen.plain, seen.folded
    has_digits = _DIGIT.search(text) is not None
    if _LONG_WORD.search(text):
        yield from _by_shape(text, folded)
    if any(sign in text for sign in "=:-"):
        yield from _in_place(text)
    if has_digits:
        yield from _numbers(text)
        yield from _told_codes(seen)
    if "://" in text or "@" in text:
        yield from _logins(text)
    yield from _by_words(seen, has_digits=has_digits)
    yield from _phrases(folded)


# By shape

_DIGIT = re.compile(r"\d")

_LONG_WORD = re.compile(r"[A-Za-z0-9+/_=.:-]{12}")

_TOKEN = re.compile(
    r"(?<![A-Za-z0-9])(?:sk-[\w-]{16,200}|[srp]k_(?:live|test)_\w{16,200}|AIza[\w-]{30,60}|gh[pousr]_\w{30,80}"
    r"|github_pat_\w{30,120}|gl(?:pat|ptt|rt|soat|cbt|dt)-[\w-]{18,60}|hf_\w{30,60}|xai-\w{30,100}|gsk_\w{30,80}|"
    r"r8_\w{30,50}"
    r"|pplx-\w{30,80}|ya29\.[\w-]{30,200}|GOCSPX-[\w-]{20,40}|xox[abeprs]-[\w-]{10,120}|xapp-[\w-]{20,150}|"
    r"npm_\w{30,50}"
    r"|pypi-[\w-]{20,250}|SG\.[\w-]{16,32}\.[\w-]{30,60}|key-[0-9a-f]{32}|[0-9a-f]{32}-us\d{1,2}|xkeysib-[\w-]{40,100}"
    r"|shp(?:at|ca|pa|ss)_[0-9a-fA-F]{20,40}|EAAA[\w-]{40,80}|sq0[a-z]{3}-[\w-]{20,60}|dop_v1_[0-9a-f]{40,64}|"
    r"dckr_pat_[\w-]{20,40}"
    r"|dapi[0-9a-f]{32}(?:-\d)?|glsa_\w{30,50}|glc_[\w=+/-]{30,150}|lin_api_\w{30,50}|ntn_\w{30,60}|"
    r"secret_[A-Za-z0-9]{30,50}"
    r"|sbp_[0-9a-f]{40}|NRAK-[A-Z0-9]{20,32}|hv[sbr]\.[\w-]{20,120}|[\w-]{10,20}\.atlasv1\.[\w-]{40,80}|"
    r"PMAK-[0-9a-f-]{40,70}"
    r"|AKIA[A-Z0-9]{12,20}|ASIA[A-Z0-9]{12,20}|LTAI[A-Za-z0-9]{12,30}|AKID[A-Za-z0-9]{13,40}|AQVN[\w-]{30,50}|"
    r"t1\.[\w-]{80,300}"
    r"|[MNO][\w-]{20,30}\.[\w-]{6,7}\.[\w-]{25,45}|\d{8,10}:AA[\w-]{30,40}|AAAA[\w-]{7}:[\w-]{100,200}|"
    r"figd_[\w-]{30,60}"
    r"|pat[A-Za-z0-9]{14}\.[0-9a-f]{40,70}|ATATT[\w=-]{40,250}|vercel_\w{20,40}|nfp_\w{30,50}|tfp_\w{30,60}|"
    r"dp\.[a-z]{2,4}\.\w{30,50}"
    r"|rnd_\w{20,40}|PRIVATE-[\w-]{20,60}|(?:AC|SK)[0-9a-f]{32}|eyJ[\w-]{10,2000}\.[\w-]{10,2000}(?:\.[\w-]{0,500})?)"
)
"""Keys of services, by how they begin."""

_WEBHOOK = re.compile(
    r"https?://(?:[\w.-]{0,40}discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/|hooks\.slack\.com/|"
    r"hooks\.zapier\.com/|[\w.-]{1,60}\.webhook\.office\.com/"
    r"|outlook\.office\.com/webhook/|api\.telegram\.org/bot|maker\.ifttt\.com/)[^\s<>]{10,300}"
)
_PARAMETER = re.compile(
    r"(?i)(?:^|[?&;\s,{\"'_-])(?:access[_-]?token|auth(?:orization)?|token|api[_-]?key|key|secret|sig(?:nature)?|"
    r"password|passwd|pwd|pass|sess(?:ion)?(?:[_-]?id)?"
    r"|sid|csrf(?:token)?|client[_-]?secret|account[_-]?key|secret[_-]?(?:id|key)|refresh[_-]?token|jwt|phpsessid|"
    r"jsessionid|connect\.sid|remember[_-]?me)"
    r"[\"']?\s?(?:=|:\s?[\"']|\"\s?:)\s?(?P<secret>[^\s\"'&;,<>]{6,300})"
)
_HEADER = re.compile(
    r"(?i)\b(?:authorization\s?[:=]\s?(?:bearer|basic|token|digest|apikey)?\s?|bearer\s{1,2}(?=\S{16})|"
    r"basic\s{1,2}(?=[A-Za-z0-9+/]{12,200}={0,2}(?:\s|$))"
    r"|x-(?:api|auth)[\w-]{0,20}\s?:\s?|(?:set-)?cookie\s?:\s?|sshpass -p\s?|(?:mysql|curl)\b[^\n]{0,60}?\s-(?:p|"
    r"u)\s?)(?P<secret>[^\s,<>]{4,400})"
)
_OTP = re.compile(r"(?i)otpauth://\S{1,300}|\bWIFI:[^\n]{0,60}?P:(?P<secret>[^;\n]{1,100})")
_ONE_TIME = re.compile(
    r"https?://[^\s<>]{3,200}?/(?:one-?time|magic|reset|verify|confirm|login|auth|token)[\w/-]{0,40}/[\w-]{20,200}"
)
_TOLD_CODE = re.compile(
    r"(?<!\w)(?:code|codigo|pin|nip|puk|код\w{0,2}|пин\w{0,2})(?!\w)[^.!?\n\d]{0,60}?"
    r"(?P<secret>(?<![\w.])\d{3}[ -]?\d{1,6}(?![\w.])|(?<!\w)(?=[a-z]{0,7}\d)[a-z0-9]{5,8}(?!\w))"
)
_OPENS = re.compile(
    r"door|gate|alarm|safe\b|phone|movil|telefono|\btel\b|bank|banco|banque|steam guard|whatsapp|telegram|sms|verif|"
    r"2fa|otp|deverr|desbloq|porte|puerta|portal|tarjeta|carte|домофон|сейф|банк|смс|подтвержд|телефон|двер"
)
"""What a code is told of that opens something, or lets somebody in."""

_LICENCE = re.compile(
    r"(?<![\w-])(?=[A-Z0-9-]{0,40}\d)(?=[0-9-]{0,40}[A-Z])[A-Z0-9]{4,6}(?:-[A-Z0-9]{4,6}){3,6}(?![\w-])"
)
_WIF = re.compile(
    r"(?<!\w)[5KL][1-9A-HJ-NP-Za-km-z]{50,51}(?!\w)|(?<!\w)(?:xprv|yprv|zprv)[1-9A-HJ-NP-Za-km-z]{50,120}"
)

_RANDOM = re.compile(r"(?<![\w/.@#=+-])[A-Za-z0-9][A-Za-z0-9_+/=.~-]{19,400}(?![\w@])")
_HEX = re.compile(r"(?<![\w-])(?:0x)?[0-9a-fA-F]{32,128}(?![\w-])")
_UUID = re.compile(r"(?i)\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b")
_OF_FILES = re.compile(
    r"(?i)commit|sha-?\d{0,3}|md5|crc|checksum|hash|digest|build|prufsumme|somme de|suma de|контрольн|коммит|хеш|"
    r"ハッシュ|コミット|校验|哈希|提交"
)
_TRACKED = re.compile(r"tracking|seguimiento|suivi|трек-номер|sendungs")
_KEY = re.compile(
    r"token|key|secret|schlussel|cle\b|jeton|chave|clave|llave|chiave|klucz|anahtar|wallet|heroku|ключ|токен|"
    r"секрет|キー|トークン|鍵|密钥|令牌|密鑰|مفتاح|توكن"
)
_ENTROPY = 3.6
"""Bits a character from which a long word is random (detect-secrets: 4.5 for base64, 3 for hex)."""


@cache
def detectors() -> tuple[tuple[str, Callable[[str], Iterable[str]]], ...]:
    """The detectors of others that are used: each one's name, and the function that finds secrets in a text."""
    known: Mapping[str, type[BasePlugin]] = get_mapping_from_secret_type_to_class()
    used = [(name, plugin) for name, plugin in known.items() if name not in _NOT_IN_CHAT | _OURS]
    return tuple((name, plugin().analyze_string) for name, plugin in used)


def _by_shape(text: str, folded: str) -> Iterator[Span]:
    for pattern in (_TOKEN, _WEBHOOK, _LICENCE, _WIF):
        yield from (_whole(text, *m.span()) for m in pattern.finditer(text))
    if "PRIVATE KEY" in text and "-----BEGIN" in text:
        yield text.index("-----BEGIN"), len(text)
    is_tracked = _TRACKED.search(folded) is not None
    for match in _RANDOM.finditer(text):
        if is_random(match[0]) and not (is_tracked and match[0].isupper()):
            yield match.span()
    is_key = _KEY.search(folded) is not None
    of_files = _OF_FILES.search(folded) is not None
    for match in _HEX.finditer(text):
        if not of_files and (is_key or match[0].startswith("0x")) and len(set(match[0])) > 6:
            yield match.span()
    if is_key:
        yield from (m.span() for m in _UUID.finditer(text))
    for _, analyze in detectors():
        for secret in analyze(text):
            start = text.find(secret)
            if start >= 0:
                yield _whole(text, start, start + len(secret))


def _in_place(text: str) -> Iterator[Span]:
    """What stands in a place for secrets: of a header, an address, a command, a code to scan."""
    for pattern in (_PARAMETER, _HEADER, _OTP, _ONE_TIME):
        for match in pattern.finditer(text):
            told = match.groupdict().get("secret")
            start, end = match.span("secret") if told else match.span()
            if not _is_prose(text[start:end]):
                yield start, end


def _is_prose(value: str) -> bool:
    """Whether what stands in a key's place is a word of a sentence."""
    return value.isalpha() and value.islower() and len(value) < 12


def is_random(word: str) -> bool:
    """Whether a long word is one that nobody would think of: letters and figures in no order, no address, no file."""
    if _HEX.fullmatch(word) or _UUID.fullmatch(word) or word.count("/") > 3 or word.startswith(("http", "www.")):
        return False
    body = word.rstrip("=.")
    parts = [part for part in re.split(r"[-_./=+~]", body) if part]
    longest = max(parts, key=len, default="")
    if len(longest) < 12 and not (len(parts) > 1 and sum(map(_is_mixed, parts)) >= 2 and len(body) >= 24):
        return False
    if re.fullmatch(r"[A-Za-z]+\d{0,4}", longest) and not _changes(longest) > 5:
        return False
    counts = Counter(body)
    entropy = -sum(n / len(body) * math.log2(n / len(body)) for n in counts.values())
    digits = sum(c.isdigit() for c in body)
    return (
        entropy >= _ENTROPY
        and digits >= max(3, len(body) // 12)
        and _changes(body) >= len(body) // 6
        and digits < 0.9 * len(body)
    )


def _is_mixed(part: str) -> bool:
    return len(part) >= 4 and any(c.isdigit() for c in part) and any(c.isalpha() for c in part)


def _changes(word: str) -> int:
    """How often a word goes from one kind of sign to another."""
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" for c in word]
    return sum(a != b for a, b in pairwise(kinds))


def _whole(text: str, start: int, end: int) -> Span:
    """A secret with all that is written together with it."""
    while start > 0 and not text[start - 1].isspace() and text[start - 1] not in "\"'“«(`=":
        start -= 1
    while end < len(text) and not text[end].isspace() and text[end] not in "\"'”»)`,":
        end += 1
    return start, end


# Numbers

_CARD = re.compile(r"(?<![\d.,-])\d(?:[ .-]?\d){11,18}(?![\d-])")
_SSN = re.compile(r"(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])")
_IBAN = re.compile(r"(?i)(?<![^\W\d_])[a-z]{2}\d{2}(?: ?[a-z0-9]){11,30}+")


_FEWEST_DIGITS = 9
"""Digits of a social security number; a card has more. An account may have fewer, with letters."""


def _told_codes(seen: View) -> Iterator[Span]:
    """What somebody calls the code of something that it opens."""
    if _OPENS.search(seen.folded):
        for match in _TOLD_CODE.finditer(seen.folded):
            start, end = match.span("secret")
            told = seen.plain[start:end]
            if told.isupper() or not any(map(str.isalpha, told)):
                yield start, end


def _numbers(text: str) -> Iterator[Span]:
    has_many = len(_DIGIT.findall(text)) >= _FEWEST_DIGITS
    yield from (m.span() for m in _SSN.finditer(text)) if has_many else ()
    for match in _CARD.finditer(text) if has_many else ():
        ends = [len(match[0]), *(n for n in range(len(match[0]) - 1, 12, -1) if match[0][n] in " .-")]
        if (end := next((end for end in ends if _is_card(match[0][:end])), None)) is not None:
            yield match.start(), match.start() + end
    for match in _IBAN.finditer(text):
        if (length := _account(match[0])) is not None:
            yield match.start(), match.start() + length


def _is_card(number: str) -> bool:
    figures = re.sub(r"\D", "", number)
    if len(figures) in (17, 18) and figures == number:  # an id of Discord's; cards of that length are written in groups
        return False
    return 13 <= len(figures) <= 19 and figures[0] in "23456" and len(set(figures)) > 1 and luhn.is_valid(figures)


def _account(text: str) -> int | None:
    """The length of the account number that `text` begins with, which other words may follow."""
    ends = [len(text), *(n for n in range(len(text) - 1, 13, -1) if text[n] == " ")]
    return next((end for end in ends if iban.is_valid(text[:end], check_country=False)), None)


_LOGIN_URL = re.compile(
    r"://[^\s:/@{}]{0,100}:(?P<secret>[^\s/@{}]{1,200})@|:_authToken=(?P<token>\S{8,200})|"
    r"https?://[0-9a-f]{32}(?::[0-9a-f]{32})?@\S{1,200}"
)
_PAIR = re.compile(
    r"(?<![\w/])[\w.+-]{1,60}@[\w-]{1,40}(?:\.[\w-]{2,20}){1,3}\s{0,2}(?:[/:|,;]|"
    r"\w{1,12}:?\s)?\s{0,2}(?:[^\W\d_]{1,10}:?\s){0,2}(?P<secret>[^\s,;]{4,80})"
)


def _logins(text: str) -> Iterator[Span]:
    for match in _LOGIN_URL.finditer(text):
        yield _whole(text, *(match.span("secret") if match["secret"] else match.span()))
    for match in _PAIR.finditer(text):
        between = text[match.start() : match.start("secret")].rstrip()
        if between.endswith(("/", ":", "|")) or is_value(match["secret"]):
            yield match.span("secret")


# By the words beside them


def _lists() -> Mapping[str, str]:
    return table("secrets.toml")


@cache
def lexicon() -> Lexicon:
    """The words beside which secrets stand."""
    beside = ("password", "code", "lock", "token", "number", "login", "entry")
    return Lexicon({name: _lists()[name] for name in beside}, open_ended=True)


@cache
def _set(name: str) -> frozenset[str]:
    return frozenset(_lists()[name].split())


_LINK = re.compile(
    r"\s{0,2}(?:[:=：]|[-–—]{1,2}(?=\s)|->|(?:is|was|are|ist|es|est|e|é|sao|son|sont|sind|это|to|jest|c'est|lautet|"
    r"lauten|heisst|heißt|reads|goes|هي|هو)(?!\w)|是|は|が|为|為|:)\s{0,2}"
)
"""What stands between a word for a secret and the secret."""

_CLAUSE = re.compile(r"[\n!?;。！？]|\.(?=\s|$)|,\s(?=(?:and|but|y|pero|и|а|но|et|mais|und|aber|e|ma|i|ale|ve|ama)\s)")
_WORD = re.compile(r"[^\s,;。、，\u3040-\u30ff\u3400-\u9fff]+|[\u3040-\u30ff\u3400-\u9fff]+")
_SPACED_OUT = re.compile(r"(?<!\S)(?:\S\s){5,60}\S(?!\S)")
_REACH = 140
"""Characters after a word for a secret in which it stands."""

_ORDINARY = re.compile(
    r"(?i)\d{1,4}(?:st|nd|rd|th|s|er|e|º|ª|am|pm|h|hs|kg|g|km|m|cm|mm|p|k|gb|mb|tb|€|\$|%|x|px|min|мин|ч|см|кг)?|"
    r"v?\d{1,3}(?:\.\d{1,4}){1,4}"
    r"|\d{1,2}[:h]\d\d(?:[:ap]\S{0,3})?|\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?|[A-Za-z]{1,3}\d{1,3}|#[0-9a-f]{3,8}|"
    r"\w{1,12}/[^\W\d]{1,12}"
    r"|(?:covid|mp|ps|rtx|gtx|h|utf|ipv|web|y|g|b|t|md|sha|base|win|windows|ubuntu|python|i|r|c)[-_ ]?\d{1,5}|"
    r"c\+\+|\d{1,3}(?:,\d{3}){1,4}"
    r"|\d{1,4}[^\W\d_]{4,12}|[^\W\d_]{2,12}-\d{1,4}|\d{1,4}-[^\W\d_]{2,12}"
)
"""What has figures or signs in it and is no secret: amounts, times, dates, versions, sizes, names of things."""

_FILE = re.compile(
    r"(?i)\.(?:mp[34]|png|jpe?g|gif|pdf|txt|zip|exe|json|py|md|docx?|html?|com|net|org|io|example|dev|app|ru|de|fr|"
    r"es|it|pl|br|tr|jp|cn)(?:/|$)"
)
_KEYS_PRESSED = re.compile(r"(?i)(?:ctrl|control|alt|shift|cmd|super|fn|strg|f\d{1,2})[+-]")
_PATH_GIVEN = re.compile(r"[a-z]{1,12}=/[a-z]+/")
_SHORT_HASH = re.compile(r"[0-9a-f]{7,40}")


def _is_ordinary(word: str) -> bool:
    """Whether a word with figures or signs is an amount, a date, an address, a file or a hash."""
    if word.startswith(("/", "\\", "~", "-", "$")) or _KEYS_PRESSED.match(word) or _PATH_GIVEN.match(word):
        return True
    if len(word) > 100 or "://" in word or "@" in word:
        return "://" in word or ("@" in word and "." in word.partition("@")[2])
    return bool(_ORDINARY.fullmatch(word) or _SHORT_HASH.fullmatch(word) or _FILE.search(word))


def is_value(word: str) -> bool:
    """Whether a word looks like a password: figures or signs among its letters, and no date, amount or address."""
    bare = word.strip("\"'“”«»`.,!?()[]{}…")
    if word.endswith(":") or len(bare) < 5 or "<" in bare or ">" in bare or _is_ordinary(bare):
        return False
    letters, figures = sum(c.isalpha() for c in bare), sum(c.isdigit() for c in bare)
    if letters and figures:
        return True
    return bool(
        letters and re.search(r"[^\W_][!@#$%^&*_+?~.=][^\W_]", bare) and re.search(r"[!@#$%^&*_+?~=]|\.\w+\.", bare)
    )


def _by_words(seen: View, *, has_digits: bool) -> Iterator[Span]:
    folded = seen.folded
    hits = list(lexicon().find(folded))
    if has_digits and _LEET_WORD.search(folded):
        hits += [hit for hit in lexicon().find(folded.translate(_LEET)) if hit.name == "password"]
    for run in _SPACED_OUT.finditer(seen.plain):
        joined = run[0].replace(" ", "").lower()
        if any(word in joined for word in _SPELLED):
            yield run.span()
    for name, reader in _READERS.items() if hits else ():
        last = -1
        for hit in [hit for hit in hits if hit.name == name][:_MOST]:
            if hit.end > last and (has_digits or name not in ("lock", "number")):
                yield from reader(seen, hit.start, hit.end)
                last = hit.end
    if len(hits) > _MOST:  # so many words for secrets: whatever looks like one is taken for one
        yield from (w.span() for w in _WORD.finditer(seen.plain) if is_value(w[0]))


def _after_login(seen: View, begin: int, start: int) -> Iterator[Span]:
    """What a login goes with: a value of a password's kind, or what stands after a user's name."""
    yield from _values(seen, start, signs=2)
    for pattern in (_ADMIN, _USER):
        if (pair := pattern.search(seen.folded, start, min(start + _REACH, len(seen.folded)))) is not None:
            yield pair.span("secret")


def _beside_token(seen: View, begin: int, start: int) -> Iterator[Span]:
    """The strings around a word for a key."""
    yield from _strings(seen, start)
    yield from _strings(seen, max(begin - 80, 0), begin)
    yield from _values(seen, start, signs=2)


def _around_password(seen: View, begin: int, start: int) -> Iterator[Span]:
    yield from _after_password(seen, begin, start)
    yield from _before_password(seen, begin, start)


def _of_papers(seen: View, begin: int, start: int) -> Iterator[Span]:
    """Numbers after a word for a paper or an account."""
    for number in _PAPER.finditer(seen.plain, start, min(start + 60, len(seen.plain))):
        if sum(c.isdigit() for c in number[0]) >= 6:
            yield number.span()


_MOST = 24
"""Words for secrets of one kind beside which secrets are looked for in a text."""

_LEET_WORD = re.compile(r"[a-z][01345@$][a-z]|[a-z][01345@$]{2}[a-z]")
_SPELLED = (
    "password",
    "passwort",
    "парол",
    "contrasena",
    "contraseña",
    "senha",
    "haslo",
    "hasło",
    "motdepasse",
    "sifre",
    "şifre",
    "密码",
    "パスワード",
)
_ADMIN = re.compile(
    r"\b(?:admin|root|guest)\b(?:,? ?/ ?|,? (?:and |et |y |e |und |i |и )?(?:then|puis|luego|despues|depois|poi|"
    r"dann|potem|потом|sonra) )(?P<secret>\S{4,60})"
)
_USER = re.compile(r"(?<![\w/.@])[a-z][\w.-]{1,30}:(?P<secret>(?!//)[^\s/]{6,60})")
_LEET = str.maketrans("01345@$", "oieasas")
_PAPER = re.compile(
    r"(?<![A-Za-z0-9-])[A-Z]{0,3}\d(?:[ ./-]?\d){4,18}[A-Z]{0,2}(?![A-Za-z0-9-])|"
    r"(?<![A-Za-z0-9])[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z](?![A-Za-z0-9])"
    r"|(?<![A-Za-z0-9])[A-Z]{1,4}\d{2,8}[A-Z0-9]{0,8}(?![A-Za-z0-9])"
)


def _clause(seen: View, start: int, reach: int = _REACH) -> int:
    """Where the clause that begins at a place ends, within reach."""
    end = min(len(seen.folded), start + reach)
    found = _CLAUSE.search(seen.folded, start, end)
    return found.start() if found else end


def _values(seen: View, start: int, *, signs: int = 1) -> Iterator[Span]:
    """The words of a clause that look like passwords; with `signs` 2, only those with figures and capitals or signs."""
    for word in list(_WORD.finditer(seen.plain, start, min(len(seen.plain), start + _REACH)))[:14]:
        if is_value(word[0]) and (signs == 1 or _is_strong(word[0])):
            yield word.span()


def _is_strong(word: str) -> bool:
    kinds = (
        any(c.isdigit() for c in word),
        any(c.isupper() for c in word[1:]),
        any(c in "!@#$%^&*_+?~=" for c in word[1:]),
    )
    return len(word) >= 6 and sum(kinds) >= 2


def _after_password(seen: View, begin: int, start: int) -> Iterator[Span]:
    """What a word for a password is followed by, where that is one: a value, or words after a link."""
    if seen.folded[max(begin - 1, 0) : begin] in ("/", "\\", ".") or _PASSING.match(seen.folded, begin):
        return  # a file of that name, or the verb
    if _OF_RULES.match(seen.folded, start) or _RULES_OF.search(seen.folded, max(begin - 24, 0), begin):
        return
    if _ERROR.search(seen.folded, max(begin - 12, 0), begin) and seen.folded[start : start + 1] in tuple("\"”'’"):
        yield from _values(seen, start)
        return  # what a program says
    values = list(_values(seen, start))
    yield from values
    if UNSPACED.match(seen.folded, begin):
        yield from (m.span() for m in _LATIN.finditer(seen.plain, start, min(len(seen.plain), start + 40)))
    yield from (run.span() for run in _SPACED_OUT.finditer(seen.plain, start, min(len(seen.plain), start + _REACH)))
    if (asked := _ASKED.match(seen.folded, start)) is not None and not _is_comment(asked["secret"]):
        yield asked.span("secret")
    near = min(start + _REACH, len(seen.folded))
    for told in (_ANSWER.search(seen.folded, start, near), *(p.match(seen.folded, start) for p in (_OWNED, _ARTICLE))):
        if told is not None and not _is_comment(told["secret"]):
            yield told.span("secret")
    end = _clause(seen, start)
    near_row = _NEAR_ROW.match(seen.folded, start)
    if near_row is not None and not _YEAR.fullmatch(near_row["secret"]):
        yield near_row.span("secret")
    is_for = None if _SETS.search(seen.folded, max(begin - 40, 0), begin) else _ASKS_TO.match(seen.folded, begin)
    link = _linked(seen, is_for.end() if is_for else start, end)
    while link is not None and _OR_TO.search(seen.folded, start, link):
        link = _linked(seen, link, end)  # "or to skip it" says none
    if link is None:
        if (alone := _last_word(seen, start, end)) is not None and not values:
            yield alone
        return
    words = list(_WORD.finditer(seen.folded, link, end))
    if not words or (
        _is_comment(words[0][0])
        and (
            len(words) == 1 or words[0][0].strip('"“«') not in _MAY_BEGIN or any(_is_comment(w[0]) for w in words[1:4])
        )
    ):
        yield from (w.span() for w in words[:8] if re.fullmatch(r"\d{4,12}", w[0]))
        return
    last = 0 if is_value(words[0][0]) else min(len(words), 9) - 1
    yield words[0].start(), words[last].end()


_ERROR = re.compile(r"[\"“'‘](?:bad|wrong|invalid|incorrect) $")
_PASSING = re.compile(r"pass (?:an?|the|it|them|this|that|these|those|on|by|to|through|me|him|her|us)\b")
_ASKS_TO = re.compile(r"(?:password|passwd|pass|login)s?\)? to [^\W\d_]{2,20}(?= [^\W\d_])")
"""What a password is for ("the password to change settings"); in Polish "to" stands before the password itself."""

_OR_TO = re.compile(r"\b(?:or|and) to $")
_SETS = re.compile(r"\b(?:re)?(?:set|chang|updat|switch|mak|made)\w{0,4}\b")

_OF_RULES = re.compile(
    r"\s(?:polic\w{1,3}|manager|reset|rules?|field|prompt|length|hash\w{0,3}|protected|reklamow\w{1,2}|"
    r"encyklop\w{1,6}|managers|book|generator)(?!\w)"
)
_RULES_OF = re.compile(
    r"(?:word|polic\w{1,3} (?:on|of|for)|politica de|politique de|policy|gestor de|gerenciador de|gestionnaire de|"
    r"generator of) $"
)
_NEAR_ROW = re.compile(r"(?:\s[^\W\d_]{1,14}){0,3}?\s(?P<secret>\d{4,12})(?!\d|[.,:/-]\d)")
_LATIN = re.compile(r"(?<![A-Za-z0-9])[a-zA-Z][\w!@#$%^&*.+-]{4,40}")
_ASKED = re.compile(
    r"(?:\s[^\s?]{1,20}+){0,5}+\s?\?\s(?:(?:pues|well|it's|so|na|also|it is|to|"
    r"это) )?(?P<secret>[^\s,.]{4,40})(?=[,.]|\s*$)"
)
_ANSWER = re.compile(
    r"\b(?:answer|antwort|respuesta|reponse|resposta|risposta|odpowiedz|ответ|cevap|cevabi)(?: is|:| es| ist| to|"
    r" est)?\s(?P<secret>[^\s,.]{3,40})"
)
_OWNED = re.compile(
    r"(?<=si)\s(?P<secret>[^\W\d_]{4,30}+(?<!yor)(?<!du)(?<!ti)(?<!di)(?<!tu)(?<!mis)(?<!mus)(?<!dir))(?=[,.]|\s*$)"
)
_ARTICLE = re.compile(r"\s(?:ال\w{2,15})\s(?P<secret>[\u0621-\u064a]{4,20})(?=\s|$)")


def _linked(seen: View, start: int, end: int) -> int | None:
    """Where what is linked to a word for a secret begins, a few words between them; None where nothing is."""
    at = start
    for _ in range(7):
        if (link := _LINK.match(seen.folded, at, end)) is not None:
            return link.end()
        word = re.compile(r"\s{0,2}[^\s:=：]{1,30}").match(seen.folded, at, end)
        if word is None or (at == start and _is_comment(word[0].strip()) and word[0].strip() in _STOPS):
            return None
        if UNSPACED.match(word[0].strip()):  # no blanks between words: the link is among the next signs
            return next((m.end() for m in _LINK.finditer(seen.folded, at, min(end, at + 14)) if m[0].strip()), None)
        at = word.end()
    return None


_MAY_BEGIN = frozenset(["correct", "right", "good", "great", "easy", "secret", "new", "old", "long", "short", "strong"])
"""Words that a sentence about a password goes on with, and a phrase that is one may begin with."""

_STOPS = listed_words("stops.txt")
_PREPOSITION = re.compile(
    r"\s(?:от|для|к|на|do|dla|for|to|pour|de|del|fur|furs|von|no|"
    r"na)\s\S{2,20}(?:\s\S{2,20})?\s(?P<secret>[^\W\d_]{5,30})$|\s(?P<own>[^\W\d_]{8,30})$"
)


def _last_word(seen: View, start: int, end: int) -> Span | None:
    """The last word of a clause, in languages where no verb stands before it ("пароль от вайфая макароны")."""
    found = _PREPOSITION.search(seen.folded[start:end].rstrip(" ."))
    if found is None or (
        not re.search(r"[\u0400-\u04ff]|[\u0131]", seen.plain[max(start - 30, 0) : end]) and "sifre" not in seen.folded
    ):
        return None
    name = "secret" if found["secret"] else "own"
    if _is_comment(found[name]) or re.search(
        r"(?:ли|ла|ло|ть|ся|сь|ет|ют|ен|ый|ой|ая|yor|di|du|ti|mis|mus|mali)$", found[name]
    ):
        return None
    return start + found.start(name), start + found.end(name)


_BEFORE = re.compile(
    r"(?:^|[\n.;,:!?]\s)(?P<secret>[^\s,;:.!?]{4,40}(?:\s[^\s,;:.!?]{2,30}){0,3}?)\s(?:is|es|est|ist|e|é|это|—|-)\s"
    r"(?:(?:my|the|his|her|our|their|your|\w{1,20}'s|mi|la|el|su|mon|ma|le|sa|mein|das|unser|a|minha|il|mia|moje|"
    r"мой|наш)\s){1,2}(?:\w{1,12}\s){0,2}$"
)


def _before_password(seen: View, start: int, end: int) -> Iterator[Span]:
    """What stands before a word for a password, where it is said to be one ("sunshine is my password")."""
    after = seen.folded[end : end + 30].strip()
    if after and not re.match(
        r"(?:for|to|of|del|de|pour|fur|per|do|para|no|на|от|для|at|on|in|here|now)\b|[.,;!?)]|$", after
    ):
        return
    for word in _WORD.finditer(seen.plain, max(start - 50, 0), start):
        if is_value(word[0]) and _is_mixed(word[0].strip(".,!?")) and word.start() > max(start - 50, 0):
            yield word.span()
    found = _BEFORE.search(seen.folded, max(start - 160, 0), start)
    if (
        found is not None
        and not _is_comment(found["secret"].split()[0])
        and not found["secret"].split()[0].endswith("ing")
    ):
        yield found.span("secret")


def _is_comment(word: str) -> bool:
    word = word.strip("\"'“”«»`.,!?()")
    return word in _set("comment") or (
        len(word) > 5 and word.endswith(("ed", "ing", "able", "ible")) and word.isalpha()
    )


_STRING = re.compile(r"(?<![\w@#/])[A-Za-z0-9][\w+/=.~:$!-]{9,400}")


def _strings(seen: View, start: int, end: int | None = None) -> Iterator[Span]:
    """Strings beside a word for a key that have letters and figures in no order."""
    stop = min(len(seen.plain), start + _REACH) if end is None else end
    for match in _STRING.finditer(seen.plain, start, stop):
        word = match[0].rstrip(".,:!")
        if _is_ordinary(word) and not (len(word) >= 16 and _SHORT_HASH.fullmatch(word)):
            continue
        if _OF_FILES.search(seen.folded, max(match.start() - 40, 0), match.start()):
            continue
        mixed = any(c.isdigit() for c in word) and any(c.isalpha() for c in word)
        if mixed and (_changes(word) >= 4 or len(word) >= 16) and len(set(word)) > 5 and "://" not in word:
            yield match.start(), match.start() + len(word)


_ROW = re.compile(
    r"(?<![\w.,/])\d(?:[ .,/*-]{0,2}\d){3,11}(?![\w/]|[.,]\d)[#*]?|(?<!\w)(?:[A-Z]?\d{2,6}[A-Zа-яё]\d{1,6}|"
    r"\d{3,6}[A-Zа-яё#*]|[A-Z]\d{4,8})(?!\w)|(?<=[^\W\d_])\d{4,8}(?!\d)"
)
_THREE = re.compile(r"\s?(?:is|es|est|ist|:|=|to|это|は|是|هو)?\s?(?P<secret>\d{3,4})(?![\w.,-]?\d)(?!\s[^\W\d_]{2,})")
_TURNS = re.compile(r"\d{1,2}\D{1,20}\d{1,2}\D{1,20}\d{1,2}(?!\d)")
_NOT_A_CODE = re.compile(
    r"(?:bar|post(?:al)?|zip|area|country|dress|error|status|promo|discount|source|color|colour|qr|genetic|civil|"
    r"penal|tax|exit|morse|vest|fonte|colore|rabatt|kreskow\w{0,2}|bidi|barras|postal)\s?$"
)
_YEAR = re.compile(r"(?:19|20)\d\d")


def _after_code(seen: View, begin: int, start: int) -> Iterator[Span]:
    """A row of figures, or of figures in words, after a word for a code."""
    if _NOT_A_CODE.search(seen.folded[max(begin - 14, 0) : begin]):
        return
    if UNSPACED.match(seen.folded, begin):
        yield from (m.span() for m in _LATIN.finditer(seen.plain, start, min(len(seen.plain), start + 30)))
    if (three := _THREE.match(seen.plain, start)) is not None:
        yield three.span("secret")
        return
    end = _clause(seen, start, 70)
    for row in _ROW.finditer(seen.plain, start, min(len(seen.plain), end + 2)):
        if not _YEAR.fullmatch(row[0]) or _LINK.match(seen.folded, start):
            yield row.span()
            return
    if (turns := _TURNS.search(seen.plain, start, end)) is not None and _LINK.search(
        seen.folded, start, turns.start() + 1
    ):
        yield turns.span()
        return
    words = list(_WORD.finditer(seen.folded, start, end))
    spelled = [w for w in words for part in re.split("[-–]", w[0]) if part.strip(".!") in _set("figures")]
    if len(spelled) >= 3:
        yield spelled[0].start(), spelled[-1].end()
    for word in words[:8]:
        if is_value(seen.plain[word.start() : word.end()]) and _linked(seen, start, end) is not None:
            yield word.span()


def _rows(seen: View, begin: int, start: int) -> Iterator[Span]:
    """Figures after something that is locked: four and more of them, or three numbers."""
    end = _clause(seen, start, 60)
    for row in _ROW.finditer(seen.plain, start, end):
        if not _YEAR.fullmatch(row[0]) or row.start() <= start + 2:
            yield row.span()
            return
    if (turns := _TURNS.search(seen.plain, start, end)) is not None:
        yield turns.span()


def _typed(seen: View, begin: int, start: int) -> Iterator[Span]:
    """What is typed in: a value near a word of typing, on either side of it."""
    for word in _WORD.finditer(seen.plain, max(begin - 60, 0), min(start + 60, len(seen.plain))):
        if is_value(word[0]):
            yield word.span()


_READERS: Mapping[str, Callable[[View, int, int], Iterator[Span]]] = {
    "password": _around_password,
    "login": _after_login,
    "token": _beside_token,
    "code": _after_code,
    "lock": _rows,
    "number": _of_papers,
    "entry": _typed,
}
"""What is looked for beside the words of each list."""


# Phrases of wallets

_PHRASE = 12
"""Words of the shortest phrase that is a key (BIP 39)."""


_DISTINCT = 8
"""Different words that a phrase has at the least."""

_LONGEST_RUN = 40
"""Words in a row above which they are a list, and no phrase among other words."""


@cache
def _wallet_words() -> frozenset[str]:
    """The words of wallets' phrases, in all languages that have them."""
    found: set[str] = set()
    for language in Mnemonic.list_languages():
        found |= {plain(word) for word in Mnemonic(language).wordlist}
    return frozenset(found)


_LETTERS = re.compile(r"[^\W\d_]+")
_OF_WALLETS = re.compile(
    r"seed|mnemonic|recovery|wallet|phrase|semilla|recuper|сид|кошел|портмон|portefeuille|geldborse|carteira|"
    r"portafogl|portfel|cuzdan|リカバリー|シード|ウォレット|助记词|钱包|助記|محفظ|عبارة"
)


def _phrases(folded: str) -> Iterator[Span]:
    """Twelve and more words in a row of wallets' phrases: with a right checksum, or beside a word for a wallet."""
    if folded.count(" ") + folded.count("\n") + folded.count(",") < _PHRASE - 1:
        return
    known = _wallet_words()
    if sum(word in known for word in _LETTERS.findall(folded)) < _PHRASE:
        return
    is_told = _OF_WALLETS.search(folded) is not None
    run: list[re.Match[str]] = []
    for word in (*_LETTERS.finditer(folded), None):
        if word is not None and word[0] in known:
            run.append(word)
            continue
        if len(run) >= _PHRASE and (is_told or (len(run) <= _LONGEST_RUN and _checks([w[0] for w in run]))):
            yield run[0].start(), run[-1].end()
        run = []


def _checks(words: Sequence[str]) -> bool:
    """Whether a stretch of words is a phrase whose checksum is right."""
    english = _english()
    known = _english_words()
    return any(
        english.check(" ".join(words[start : start + length]))
        for length in (12, 15, 18, 21, 24)
        for start in range(len(words) - length + 1)
        if len(set(words[start : start + length])) >= _DISTINCT and set(words[start : start + length]) <= known
    )


@cache
def _english_words() -> frozenset[str]:
    return frozenset(_english().wordlist)


@cache
def _english() -> Mnemonic:
    return Mnemonic("english")
