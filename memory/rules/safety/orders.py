"""Orders to the bot in a text: what tells it how to behave, rather than something about a person. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cache

from memory.rules.folding import pieces
from memory.rules.house_rules import asks_of_members, rule_language
from memory.rules.safety.lexicon import UNSPACED, Hit, Lexicon
from memory.rules.wordlists import lines, table

_LEET = str.maketrans("0134578@$!", "oieastbasi")
_SPELLED_OUT = re.compile(r"(?<!\S)[^\W\d_](?: [^\W\d_]){7,60}(?!\S)")
"""Letters one by one: nobody tells of a person so."""

_FORWARDS = re.compile(r"\b(?:the|is|are|was|my|and|that|with|has|have|from)\b")
"""Words that stand in hardly any text written backwards."""

_TELLS = re.compile(
    r"you (?:should|must|have to|need to|better|gotta) (?:all )?know\b"
    r"|you (?:must|have to|need to) be (?:at least |over |above )?\d{1,2}"
    r"(?:\+|(?= years?\b| or (?:older|over)| to join|[.,;!]|$))"
)
"""Tells something, though it has the words of an order: what everybody should know, or how old they must be."""

_MADE = re.compile(
    r"\b(?:wrote|writes?|writing|built|builds?|building|made|makes?|making|coded?|codes|coding|develop\w{0,3}|maintain\w{0,3}|"
    r"host(?:s|ed|ing)?|creat\w{1,3}|programm\w{0,3}|program\w{0,2}|design\w{0,3}|invented|broke|fixe?[sd]?|fixing|"
    r"restart\w{0,3}|add(?:s|ed)?|likes?|loves?|hates?|uses?|tested|tests?) (?:\w{1,12} ){0,3}$"
)
"""What stands before a bot that somebody made or keeps, and that is not told what to do."""

_FIGURES_IN_WORDS = re.compile(r"[a-z][01345@$!][a-z]|\b[01345][a-z]{2}|[a-z]{2}[0134]\b")

_CLAUSE = re.compile(
    r"(?:^|[.;:!?\n] ?|, |[—–-] |(?<!\w)(?:and|then|also|that|but|so|y|luego|и|потом|et|puis|und|dann|e|poi|potem|ve) )"
    r"(?:(?:please|pls|kindly|bot|hey bot|also|just|por favor|пожалуйста|s'il te plait|bitte|per favore|prosze|"
    r"lutfen|من فضلك),? )?",
    re.MULTILINE,
)
"""The beginning of a clause, where an order stands and a habit does not."""

_CLAUSE_END = r"[.;:!?\n]|, |(?<!\w)(?:and|y|и|et|und) "
_THEN = re.compile(r"[,:،，]|\b(?:then|just|please|entonces|alors|dann|allora|wtedy|то)\b|[\u0600-\u06ff]")
_SAYS = re.compile(r"(?:says|said|think|thinks) $")
_REACH = 90
"""Characters within which a clause that depends on something goes on."""


@cache
def lexicon() -> Lexicon:
    """The parts of orders."""
    return Lexicon(table("orders.toml"))


@cache
def formats() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The patterns of orders that have a form of their own, each with its line of the list."""
    return tuple((f"orders.txt: {line}", re.compile(line, re.MULTILINE)) for line in lines("orders.txt"))


def is_order(text: str, *, in_account: bool = False) -> bool:
    """Whether a statement tells the bot how to behave, in plain words, in a disguise, or in a format of its own.

    An account of talk (`in_account`) quotes what people were told to do: there a verb of command counts only at its
    very beginning.
    """
    return any(
        _SPELLED_OUT.search(piece) is not None
        or any(_is_order(form, in_account) for form in _disguises(_account(piece) if in_account else piece))
        for piece in pieces(text)
    )


_TOLD_OF = re.compile(
    r"\b(?:without|despite) (?:any |having )?(?:root|admin(?:istrator)?)(?: (?:access|rights|privileges))?\b"
    r"|\b(?:runs?|running|starts?|started|as a user) with (?:root|admin(?:istrator)?) (?:access|rights|privileges)\b"
    r"|\bthe bot's (?=!|info(?:[.,;]|$| by\b)|(?:\w{1,20} |!\w{1,20} ){1,2}"
    r"(?:text|page|factoid|reply|answer|link|help|info|notices?)\b)"
    r"|\b(?:through|by way of) the bot\b|\bthe bot is (?=/msg \w{1,30}(?:[.,;]|$))"
    r"|\b(?:gk|kde)?sudo (?:gives?|grants?|gets?) (?:you )?root "
    r"(?:rights|privileges|permissions|access)\b"
)
"""What accounts of talk tell of, and orders as well: rights on a machine that somebody lacks or a command gives, and
what a bot of the channel has to say of a thing, or how it is."""

_ADDRESS = re.compile(
    r"(?<![\w.])(?:https?://)?(?:[\w-]{1,40}\.){1,4}(?:com|org|net|edu|gov|info|io|de|fr|es|ru|uk|eu|it|pl)"
    r"(?:/[^\s,;)]{0,200})?(?!\w)"
)
_ADVERTISES = re.compile(
    r"\b(?:ask(?!s (?:if|whether)\b|ed (?:if|whether|what|how|where|why|who|for (?:someone|help|advice))\b)"
    r"|want|need|should|must|recommend|best|serve|suggest|pregunt|demand|frag|спрос|спраш)"
)
"""What stands beside an address in an order to name it to people."""


_TYPED = re.compile(
    r"\"((?:(?:gk)?sudo|su|apt(?:-get|itude)?|cd|ls|cat|grep|chmod|chown|mv|cp|rm|kill(?:all)?|man|u?mount|dmesg|ls\w{1,4}"
    r"|shutdown|reboot|top|ps|/\w{1,20})\b[^\"]{0,80})\"(?= in (?:a|the) (?:terminal|shell|console)\b)"
)
"""A command that was typed in a terminal."""


def _account(piece: str) -> str:
    """An account of talk without what orders have as well; addresses stay where it seems to advertise them."""
    piece = _TYPED.sub(lambda typed: typed[0] if is_order(typed[1]) else "…", _TOLD_OF.sub("…", piece))
    return piece if _ADVERTISES.search(piece) else _ADDRESS.sub("…", piece)


def _disguises(piece: str) -> list[str]:
    """A text, and what it says backwards, without its blanks, and with letters in place of figures."""
    found = [piece]
    if not _FORWARDS.search(piece):
        found.append(piece[::-1])
    if UNSPACED.search(piece) and " " in piece:
        found.append(piece.replace(" ", ""))
    if _FIGURES_IN_WORDS.search(piece):
        found.append(piece.translate(_LEET))
    return found


def _is_order(piece: str, in_account: bool) -> bool:
    """Whether the parts of an order stand in a text as they stand in one.

    A clause that begins with a verb of command; a clause that depends on something and goes on with one; a second
    person who is told what to do; what is the bot's own, a wish, a right over the bot; or a format.
    """
    hits: dict[str, list[Hit]] = {}
    for hit in lexicon().find(piece):
        hits.setdefault(hit.name, []).append(hit)
    if any(_is_told_to(piece, hit) for hit in hits.get("must", ())):
        return True
    if any(not _MADE.search(piece[max(hit.start - 40, 0) : hit.start]) for hit in hits.get("bot", ())):
        return True
    if any(hits.get(name) for name in ("yours", "wish", "rights")):
        return True
    if (hits.get("say") or hits.get("may_say")) and _commands(piece, hits, in_account):
        return True
    return any(pattern.search(piece) for _, pattern in formats())


def _is_told_to(piece: str, hit: Hit) -> bool:
    """Whether the second person of a hit is told to do something, and not only quoted or told of something."""
    return not (_SAYS.search(piece[max(hit.start - 7, 0) : hit.start]) or _TELLS.match(piece, hit.start))


def _commands(piece: str, hits: Mapping[str, list[Hit]], in_account: bool) -> bool:
    """Whether a verb of command begins a clause, or follows on one that depends on something."""
    begins = {0} if in_account else {m.end() for m in _CLAUSE.finditer(piece)}
    always = sorted(hits.get("always", ()), key=lambda hit: hit.start)
    for hit in always:  # "always answer" begins where "always" does
        if hit.start in begins:
            begins.add(hit.end + 1)
    told = {hit.start for hit in hits.get("told", ())} if in_account else set()
    allowed = told | _conduct(piece, begins)
    if any(hit.start in begins and hit.start not in allowed for hit in hits.get("say", ())):
        return True
    for verb in hits.get("may_say", ()):
        near = [h for h in always if h.end <= verb.start <= h.end + 1 or verb.end < h.start <= verb.end + 12]
        if near and (verb.start in begins):
            return True
    says = [] if in_account else [hit.start for hit in hits.get("say", ())]
    return any(_depends(piece, hit, start) for hit in hits.get("when", ()) for start in says)


def _conduct(piece: str, begins: Collection[int]) -> set[int]:
    """Where clauses begin that ask something of a server's members; nowhere in a text that is no rule of it."""
    if rule_language(piece) is None:
        return set()
    ends = {start: re.search(_CLAUSE_END, piece[start:]) for start in begins}
    clauses = {start: piece[start : start + end.start()] if end else piece[start:] for start, end in ends.items()}
    return {start for start, clause in clauses.items() if asks_of_members(clause)}


def _depends(piece: str, when: Hit, start: int) -> bool:
    """Whether a verb of command belongs to a clause that depends on something: after it, or at the very beginning."""
    if start == 0:
        return start < when.start <= _REACH
    is_near = when.end < start <= when.end + _REACH and not re.search(r"[.!?\n]", piece[when.end : start])
    return is_near and _THEN.search(piece, when.end, start + 1) is not None
