"""What is said of what was told just now: "no, the 13th", "not tea but coffee", "so does Bob", "that's wrong". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from memory.rules.dates import is_month, is_weekday
from memory.rules.folding import bare as letter_of
from memory.rules.folding import folded
from memory.rules.keywords import is_chatter, is_common
from memory.rules.likeness import has_phrase
from memory.rules.support import is_turned
from memory.rules.wordlists import by_language, listed_words, table
from urmom_bot.languages import collect, languages
from urmom_bot.talk import commands, grammar
from urmom_bot.talk.vocabulary import LAUGHTER, ONESELF, is_laughter, vocabulary

MAX_WORDS = 30
"""Words of a correction at the most."""

MAX_NEW = 4
"""Words that take the place of others at the most."""

MAX_BARE = 4
"""Words at the most of what says nothing but what is meant in place of what."""

MAX_SUBJECT = 3
"""Words of whom a statement is about at the most."""

MAX_CHANGED = 2
"""A statement put anew has other words in one place, so many at the most."""

_NUMBER = re.compile(r"(?<![\w<@#&!])\d\w*(?:[.:/-]\w+)*")
_DAY_AND_MONTH = re.compile(r"(?:[12]?\d|3[01])\.(?:0?\d|1[0-2])\.(?!\d)")
_ORDINAL = re.compile(r"-?(?:st|nd|rd|th|e|er|го|е)", re.IGNORECASE)


def reworded(statement: str, correction: str, language: str, *, is_marked: bool = False) -> str | None:
    """A statement as a correction wants it; None if it corrects nothing in it, or leaves open what.

    `language` is that of the order that told it: "no" denies in Spanish and corrects in English. If `is_marked`, it is
    clear that something is wrong, as by a word that corrects.
    """
    if not (parts := _parts(statement, correction, language)):
        return None
    text, rest = parts
    rest = _with_figures(rest, language) if _NUMBER.search(statement) else rest
    exchanged = _exchanged(statement, rest or text, language, is_marked=is_marked or bool(rest))
    if exchanged is not None:
        return exchanged
    if not rest:
        return on_another_date(statement, _changed(text, language), language)
    if not is_marked and (named := _with_subject(statement, rest, language)) is not None:
        return _restated(statement, named, language, is_meant=True)
    for claim in dict.fromkeys((rest, _pointing(language).sub("", rest, count=1))):  # "no, it's Tuesday"
        renewed = _on_another_day(statement, claim, language) or _on_a_day_at_an_hour(statement, claim, language)
        day = _without_article(claim, language)
        is_day = not day.isdecimal() or day != claim.strip(" !")  # "no, 5" may be anything
        renewed = renewed or (_on_a_day(statement, day, language) if is_day else None)
        renewed = renewed or _renumbered(statement, claim, language)
        renewed = renewed or _restated(statement, claim, language, is_meant=_means(language, text))
        if renewed := renewed or _continued(statement, claim, language):
            return renewed
    return None


def on_another_date(statement: str, new: str, language: str) -> str | None:
    """A statement with another weekday, day or hour in place of its only one; None if it has none or several."""
    relative = set(languages()[language].grammar.relative)
    if relative & _words(statement) or relative & _words(new):  # "every Friday" is not "this Saturday"
        return None
    if (moved := _on_another_day(statement, new, language)) is not None:
        return moved
    if (moved := _on_a_day_at_an_hour(statement, new, language)) is not None:
        return moved
    if (moved := _on_a_day(statement, new, language)) is not None:
        return moved
    if _NUMBER.search(new):  # "el sábado 20" is no Saturday on the 25th
        statement = _WEEKDAY_BEFORE.sub(lambda m: "" if is_weekday(m[1]) else m[0], statement)
    number = _NUMBER.search(statement)
    return _renumbered(statement, new, language) if number and _is_date(number, statement, language) else None


_WEEKDAY_BEFORE = re.compile(r"(?<!\w)([^\W\d_]+) (?=\d{1,2}\b)")


def _on_a_day(statement: str, new: str, language: str) -> str | None:
    """With a day of the month in place of its only weekday ("on Friday", "the 21st")."""
    days = [match for match in _WORD.finditer(statement) if is_weekday(match[0])]
    if len(days) != 1 or not re.fullmatch(languages()[language].grammar.day_of_month, new):
        return None
    words = languages()[language].grammar
    before, after = statement[: days[0].start()].split(), statement[days[0].end() :]
    if after.strip() and _bare(after.split()[0]) not in words.before_hours:
        return None  # "Friday night"
    if before and _bare(before[-1]) in words.before_weekdays:
        before.pop()
    elif before and words.on_a_day.startswith(f"{_bare(before[-1])} "):
        return None  # "the Friday raid"
    return " ".join((*before, words.on_a_day.format(new))) + after


def _on_a_day_at_an_hour(statement: str, new: str, language: str) -> str | None:
    """With another weekday and another hour in place of its own ("saturday at 9"); one without an hour gets it.

    None unless the new words are a day and an hour and nothing else, and the statement's only number is an hour.
    """
    words = new.split()
    day = next((n for n, word in enumerate(words, 1) if is_weekday(_bare(word))), len(words))
    hours = list(_NUMBER.finditer(statement))
    if not _is_hour(words[day:], language) or len(hours) > 1:
        return None
    if hours and not _is_hour([*statement[: hours[0].start()].split()[-1:], hours[0][0]], language):
        return None
    after = statement[hours[0].end() :].split()[:1] if hours else []
    if any(_bare(word) in _HOURS or not _says_little(word) for word in after):
        return None  # "8 pm", "at 7 dollars"
    is_same_day = _bare(words[day - 1]) in map(_bare, statement.split())
    moved = statement if is_same_day else _on_another_day(statement, " ".join(words[:day]), language)
    if moved is None:
        return None
    if old_hour := _NUMBER.search(moved):
        hour = words[-1].strip(" .!")
        unit = old_hour[0].lstrip("0123456789.:/-") if hour.isdecimal() else ""  # "8pm": "9pm"
        return f"{moved[: old_hour.start()]}{hour}{unit}{moved[old_hour.end() :]}"
    last = next(match for match in _WORD.finditer(moved) if is_weekday(match[0]))
    return f"{moved[: last.end()]} {' '.join(words[day:])}{moved[last.end() :]}"


def _is_hour(words: Sequence[str], language: str) -> bool:
    """Whether words are an hour and nothing else: "at 9", "a las 9", "9pm", "8:30"."""
    if not words or (number := _NUMBER.fullmatch(words[-1].strip(" .!"))) is None:
        return False
    unit, before = number[0].lstrip("0123456789.:/-"), [_bare(word) for word in words[:-1]]
    grammar = languages()[language].grammar
    is_behind = (
        bool(before)
        and before[-1] in grammar.before_hours
        and {*before} <= {*grammar.beside_numbers, *grammar.before_hours}
    )
    if _ORDINAL.fullmatch(unit):
        return False
    return is_behind or (not before[1:] and (unit.casefold() in _HOURS or ":" in number[0]))


def _without_article(claim: str, language: str) -> str:
    """What stands behind an article, or behind the word before a day of the month ("am 13.")."""
    small = {*by_language("words.toml")[language]["articles"], *languages()[language].grammar.on_a_day.split()}
    first, _, rest = claim.strip(" !").partition(" ")
    return rest if first.casefold() in small else claim.strip(" !")


def has_date(statement: str, language: str) -> bool:
    """Whether a statement has a weekday, a day of a month or an hour."""
    is_day = any(is_weekday(word[0]) for word in _WORD.finditer(statement))
    return is_day or any(_is_date(number, statement, language) for number in _NUMBER.finditer(statement))


def _is_date(number: re.Match[str], statement: str, language: str) -> bool:
    """Whether a number is a day or an hour, and no count ("on the 14th", "at 8", "le 14")."""
    words = languages()[language].grammar
    unit, before = number[0].lstrip("0123456789.:/-"), statement[: number.start()].split()[-1:]
    if len(number[0]) - len(unit) > MAX_DIGITS:  # a year
        return False
    after = _bare("".join(statement[number.end() :].split()[:1]))
    is_day = _ORDINAL.fullmatch(unit) is not None or statement[number.end() :][:2].strip() == "."
    is_hour = unit.casefold() in _HOURS or after in _HOURS or ":" in number[0]
    stands_alone = not after or _says_little(after)
    if before and is_month(_bare(before[0])):  # "june 14"
        return True
    is_behind = bool(before) and _bare(before[0]) in (*words.before_hours, *words.before_days)
    return is_day or is_hour or is_month(after) or (is_behind and stands_alone)


_HOURS = frozenset(["am", "pm", "h", "uhr", "o'clock", "часов"])
"""What stands behind an hour."""

MAX_DIGITS = 5
"""Digits and signs of a day or an hour ("18:30")."""


def told_anew(statement: str, correction: str, language: str) -> str | None:
    """A statement that a correction tells anew as a sentence ("no wait, I work days"); None for another."""
    text, rest = _parts(statement, correction, language) or ("", "")
    return _restated(statement, rest, language, is_meant=_means(language, text)) if rest else None


def with_last_word(statement: str, correction: str, language: str) -> str | None:
    """A short statement with the word that somebody meant in place of its last ("I like figs", "I meant dates").

    The word may also be a name: then the fact is about somebody else.
    """
    text, word = _parts(statement, correction, language) or ("", "")
    *before, last = statement.rstrip(" .!").split() or [""]
    if _with_article(word) and before and _says_little(before[-1]):  # "la cerveza", told of "el vino"
        article, _, word = word.partition(" ")
        before = [*before[:-1], article]
    is_word = _WORD.fullmatch(word) is not None and not _says_little(word) and not is_turned(word)
    is_thing = is_word and last[:1].isupper() == word[:1].isupper() and not word.casefold().endswith(_MANNERS)
    is_short = 2 <= len(before) <= MAX_BEFORE and _WORD.fullmatch(last) is not None
    is_before = is_short and before[-1][-2:] == word[-2:] != last[-2:]  # "schwarzen", told of "grünen Tee"
    is_alike = is_thing and is_short and not is_before and not is_weekday(last) and not is_month(last)
    return " ".join((*before, word)) if is_alike and _means(language, text) else None


def _with_figures(text: str, language: str) -> str:
    """A text with figures for the days of a month ("the sixth")."""
    days = {word.strip(): str(day) for day, word in enumerate(languages()[language].grammar.days.split(","), 1)}
    either = "|".join(sorted(map(re.escape, filter(None, days)), key=len, reverse=True))
    pattern = rf"(?<![\w-])(?:{either})(?![\w-])"
    return re.sub(pattern, lambda m: days[m[0].lower()], text, flags=re.IGNORECASE) if either else text


_MANNERS = ("ly", "mente", "ment", "haft", "lich")
"""How words end that say how something is meant ("I mean seriously")."""

MAX_BEFORE = 5
"""Words of a short statement before its last."""


_DROPS = (commands.TakeBack, commands.ForgetLast)


def _parts(statement: str, correction: str, language: str) -> tuple[str, str] | None:
    """A message that may be a correction, and what follows the words that open one; None where it can be none."""
    text = " ".join(correction.split()).strip(" .!")
    if not text or not statement.strip() or grammar.is_question(correction) or len(text.split()) > MAX_WORDS:
        return None
    opening = _opening(text, language)
    rest = text[opening.end() :].strip() if opening is not None else text
    if any(isinstance(grammar.parse_listed(clause), _DROPS) for clause in re.split(r"[,;.]\s", rest) if clause):
        return None  # "oops, undo that", "delete that, I don't sing"
    for bare in (rest, vocabulary(language).without_tail(rest)):
        if (closing := _closing(language).search(bare)) is not None and (claim := bare[: closing.start()].strip(" ,")):
            claim = _openings(language)[0].sub("", claim, count=1) if opening is None else claim
            return text if opening is not None else f"{closing[0].strip(' ,')} {claim}", claim
    return text, bare if opening is not None else ""


def added(text: str, language: str) -> tuple[str, bool] | None:
    """What a message tells besides what was told just now ("he also has a dog", "and a frog").

    None if it has no word that says so. The second value is whether that is a word like "also".
    """
    of, plain = languages()[language].grammar, " ".join(text.split()).strip(" .!")
    joints, also = ("|".join(sorted(words, key=len, reverse=True)) for words in (of.adding, of.besides))
    if not joints or not also:
        return None
    bare = re.sub(rf"\A(?:{joints}),? (?=\S)", "", plain, flags=re.IGNORECASE)
    claim, count = re.subn(rf"(?<!\w)(?:{also})(?!\w),? ?", "", bare, flags=re.IGNORECASE)
    claim = claim.strip(" ,.!")
    is_added = (count > 0 or bare != plain) and 1 < len(claim.split()) <= MAX_WORDS
    return (claim, count > 0) if is_added else None


def another(statement: str, thing: str, language: str) -> str | None:
    """A statement with another thing in the place of its last one ("bob has a dog", "a frog"); None if it has none."""
    articles = set(by_language("words.toml")[language]["articles"])
    old, new = statement.split(), thing.split()
    at = next((n for n in range(len(old) - 1, 0, -1) if _bare(old[n]) in articles), None)
    if at is None or _bare(new[0]) not in articles or len(new) > MAX_CHANGED + 1 or len(old) - at > MAX_CHANGED + 1:
        return None
    return " ".join((*old[:at], *new))


def without_opening(text: str, language: str) -> tuple[str, bool]:
    """A message without the words that open a correction ("no, the first"), and whether it has any."""
    plain = " ".join(text.split())
    opening = _opening(plain, language)
    return (plain[opening.end() :].strip(), True) if opening is not None else (plain, False)


def objects(text: str) -> bool:
    """Whether a message says that what was just saved about its writer is wrong or is to go, and nothing else."""
    if len(text.split()) > MAX_OBJECTION:
        return False
    rest = behind_objection(text)
    if rest and len(rest) < len(text) and objects(rest):  # "what nonsense, that's not true"
        return True
    return any(_objecting().fullmatch(core.strip(" .!,").replace("’", "'")) for core in grammar.cores(text))


MAX_OBJECTION = 12
"""Words at the most of what says nothing but that something is wrong."""


def denied_verb(text: str) -> str | None:
    """The verb of a message that denies something and says nothing else ("нет, не люблю"); None for another."""
    found = _any_match("denying", text)
    return found["verb"] if found is not None else None


def is_verb_of(verb: str, statement: str) -> bool:
    """Whether a verb stands behind the first word of a statement, perhaps in another form.

    Verbs of thinking and the like ("I don't know") are about something else.
    """
    words = re.findall(r"\w+", statement.casefold())[1 : MAX_VERB + 1]
    if verb.casefold() in collect("grammar.thinking") or len(verb) < MIN_STEM:
        return False
    return any(word[:MIN_STEM] == verb.casefold()[:MIN_STEM] for word in words)


MAX_VERB = 2
"""Words between the first of a statement and the end of its verb, at the most."""


MIN_STEM = 3
"""Letters that the forms of a verb have in common at the least."""


def agreed_name(text: str) -> str | None:
    """The name that a message agrees to ("sí, soy Celeste"): empty for a mere "yes", None for anything else."""
    found = _any_match("agreeing", text)
    return None if found is None else found.groupdict().get("name") or ""


def _any_match(name: str, text: str) -> re.Match[str] | None:
    """A message as one of the patterns of a list, in any language."""
    plain = text.strip(" .!,").replace("’", "'")
    found = (_any_of(name, language).fullmatch(plain) for language in languages())
    return next((match for match in found if match is not None), None)


def says_untrue(text: str) -> bool:
    """Whether a message says somewhere that something is untrue ("delete that, it's wrong")."""
    parts = re.split(r"[,.;!]\s", text)[:MAX_PARTS]
    return has_phrase(text, "untrue") or begins_with_objection(text) or any(map(objects, parts))


MAX_PARTS = 4
"""Parts of a message at the most, each of which is looked at by itself."""


def objects_for_another(text: str) -> bool:
    """Whether a message says so and names somebody else ("not me, just Bob"). The caller checks that it is a name."""
    patterns = re.compile("|".join(collect("grammar.objecting_for")), re.IGNORECASE)
    return any(patterns.fullmatch(core.strip(" .!,").replace("’", "'")) for core in grammar.cores(text))


def was_joking(text: str) -> bool:
    """Whether a message says that what its writer said before was a joke, and nothing else."""
    return any(_joking().fullmatch(core.strip(" .!,)").replace("’", "'")) for core in grammar.cores(text))


@cache
def _joking() -> re.Pattern[str]:
    return re.compile(rf"(?:{LAUGHTER}[ ,!.]+)?(?:{'|'.join(collect('grammar.joking'))})", re.IGNORECASE)


def brings_back(text: str) -> bool:
    """Whether a message asks for what is gone, and nothing else ("put it back", "redo that")."""
    return _is_all("bringing_back", text)


def insists(text: str) -> bool:
    """Whether a message begins by saying that something is meant after all ("yes, delete it")."""
    words = "|".join(map(re.escape, collect("grammar.insisting")))
    return re.match(rf"(?:{words})(?!\w)", text.strip(), re.IGNORECASE) is not None


def restores(text: str) -> bool:
    """Whether a message asks for something back, and names it or not ("bring the boat back")."""
    return any(re.search(f"(?<!\\w)(?:{pattern})", text, re.IGNORECASE) for pattern in collect("grammar.restoring"))


def confirms(text: str) -> bool:
    """Whether a message says that what was just told about its writer is true, and nothing else."""
    parts = [part for part in re.split(r"[,.;!]", text.strip(" .!,)"))[:MAX_PARTS] if part.strip()]
    surely = [_any_match("confirming", part) is not None for part in parts]
    return any(surely) and all(sure or _any_match("agreeing", part) for sure, part in zip(surely, parts, strict=True))


def means_oneself(text: str) -> bool:
    """Whether a message says that its writer was meant, and nothing else ("nah, it was me")."""
    return _is_all("meant_oneself", text)


def _is_all(name: str, text: str) -> bool:
    """Whether a message is one of the patterns of a list, perhaps behind what opens a correction."""
    plain = [core.strip(" .!,)").replace("’", "'") for core in (*grammar.cores(text), text)]
    for language in languages():
        bare = [without_opening(core, language)[0] for core in plain]
        if any(_any_of(name, language).fullmatch(core) for core in (*plain, *bare)):
            return True
    return False


@cache
def _any_of(name: str, language: str) -> re.Pattern[str]:
    patterns = getattr(languages()[language].grammar, name)
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns) or "(?!)", re.IGNORECASE)


def begins_with_objection(text: str) -> bool:
    """Whether a message says so before it says something else ("that's wrong, delete it")."""
    return behind_objection(text) is not None


def behind_objection(text: str) -> str | None:
    """What follows where a message says so first; None where it does not."""
    found = _objecting().match(text.strip(" .!,").replace("’", "'"))
    if found is None or found.string[found.end() : found.end() + 1].isalnum():
        return None
    return found.string[found.end() :].strip(" ,.;:!–—-")


@cache
def _objecting() -> re.Pattern[str]:
    names = ("correcting", "interjections"), ("objecting",)
    opening, patterns = ("|".join(word for name in each for word in collect(f"grammar.{name}")) for each in names)
    return re.compile(rf"(?:(?:{opening})[,!. ]+){{0,3}}(?:{patterns})(?:[ ,!.]+{LAUGHTER}){{0,2}}", re.IGNORECASE)


def forgets_after_all(text: str) -> bool:
    """Whether a message takes back what was told a moment ago, behind a word that corrects ("no, forget it")."""
    for language in languages():
        opening = _opening(text.strip(), language)
        if opening is not None and vocabulary(language).begins_with_order(text.strip()[opening.end() :], "drop"):
            return True
    return False


def ends_in_denial(text: str) -> bool:
    """Whether a message's last word denies something ("kim doesn't")."""
    words = text.strip(" .!?,").split()
    return len(words) > 1 and (is_turned(words[-1]) or words[-1].casefold() in _SHORT_DENIALS)


_SHORT_DENIALS = frozenset(["doesnt", "dont", "isnt", "didnt", "wasnt", "hasnt", "cant", "wont"])
"""English denials as people type them."""


def likewise(text: str, language: str) -> str | None:
    """Of whom a message says that what was told in a language holds of them too ("so does bob"), as it names them."""
    words, rest = languages()[language].grammar, text.strip(" .!,").split()
    while rest and is_laughter(rest[-1].casefold().strip("!,")):
        rest.pop()
    plain = " ".join(rest).rstrip(" .!,)")
    if any(re.fullmatch(pattern, plain, re.IGNORECASE) for pattern in words.likewise_me):
        return ONESELF
    found = (re.fullmatch(pattern, plain, re.IGNORECASE) for pattern in words.likewise)
    return next((match["who"].strip(",.") for match in found if match is not None), None)


def opens_another(text: str) -> bool:
    """Whether a message begins like a question that goes on from another ("and bob")."""
    opening, _, rest = text.strip().partition(" ")
    return bool(rest) and _bare(opening) in frozenset(collect("grammar.further"))


def _exchanged(statement: str, correction: str, language: str, *, is_marked: bool) -> str | None:
    """With other words for some of its own ("not tea but coffee", "I have three cats, not two").

    The second form says that something is wrong only behind a word for that, if it begins as the statement does, or if
    it is all that is said ("coffee, not tea"): "obviously not tea" is talk.
    """
    words = languages()[language].grammar
    begins = _bare(correction.split()[0]) == _bare(statement.split()[0])
    first = correction.split()[0]
    is_manner = _bare(first).endswith(_MANNERS) and not is_month(_bare(first))
    is_bare = first.endswith(",") and len(correction.split()) <= MAX_BARE and not is_manner
    for pattern in (*words.instead, *words.instead_bare, *(words.rather if is_marked or begins or is_bare else ())):
        if (found := re.fullmatch(pattern, correction, re.IGNORECASE)) is None:
            continue
        denied = _from_alike(found["old"], found["new"])
        old, new = _behind(found["new"], denied), _behind(f"{statement} {denied}", found["new"])
        if _NUMBER.search(old) and _NUMBER.search(new) and (numbered := _renumbered(statement, new, language)):
            return numbered
        is_bare_pair = found.re.pattern in words.instead_bare
        if is_bare_pair and (_with_article(old) != _with_article(new) or is_chatter(new)):
            continue
        if _with_article(old) and not _with_article(new):  # "not in Leeds, York"
            old = old.split(" ", 1)[1]
        if _with_article(old) and _with_article(new):  # "la bière" has another article than "le vin"
            keeps = not _places(statement, old)
            old, new = (old.split(" ", 1)[1], new.split(" ", 1)[1]) if keeps else (old, new)
        spots = _places(statement, old)
        if len(spots) != 1:
            continue
        before, after = statement[: spots[0]], statement[spots[0] + len(old) :]
        if (shorter := new.rsplit(" ", 1)) and _bare(shorter[-1]) == _bare(" ".join(after.split()[:1])):
            new = " ".join(shorter[:-1])  # "three cats" in place of "two" before "cats"
        is_own = _meaningful(new) & _meaningful(statement) or _meaningful(old) & _meaningful(found["new"])
        words_of_new = new.split()[1 if _with_article(old) and _with_article(new) else 0 :]
        is_manner = any(
            _bare(word).endswith(_MANNERS) and not is_month(word) for word in words_of_new if word.islower()
        )
        is_filler = is_manner or any(_bare(word) in words.vocatives for word in words_of_new)
        is_new = len(new.split()) <= MAX_NEW and not any(map(_says_little, words_of_new)) and not is_filler
        if not new or is_own or not is_new or _opening(new, language) or not _joins(before, new, language):
            continue
        return f"{_before_sound(before, new, language)}{new}{after}"
    return None


def _before_sound(before: str, new: str, language: str) -> str:
    """What stands before words, with the article that their first sound wants ("an elf", "a half-elf")."""
    pairs, head, last = languages()[language].grammar.sounding, *_last_word(before)
    forms = {**pairs, **{vowel: plain for plain, vowel in pairs.items()}}
    is_vowel = letter_of(new[0]) in "aeiou"
    is_odd = any(re.match(each, new, re.IGNORECASE) for each in languages()[language].grammar.sounding_otherwise)
    wants_other = not is_odd and last in (pairs if is_vowel else pairs.values())
    return f"{head}{forms[last]} " if wants_other and before.endswith(" ") else before


def _last_word(text: str) -> tuple[str, str]:
    """A text before its last word, and that."""
    head, _, last = text.rstrip().rpartition(" ")
    return f"{head} " if head else "", last


def _joins(before: str, new: str, language: str) -> bool:
    """Whether words may stand behind others as they are: no "de l'kendo", no "du escalade"."""
    last, sounds = before.split()[-1:] or [""], letter_of(new[0]) in "aeiouhy"
    if last[0].endswith(("'", "’")) and before[-1:] in "'’":
        return sounds
    return not (sounds and _bare(last[0]) in languages()[language].grammar.elided)


def _places(statement: str, words: str) -> list[int]:
    """Where words stand in a statement, whatever their accents ("el té" in "me gusta el te")."""
    plain, sought = ("".join(map(letter_of, text)) for text in (statement, words))
    return [found.start() for found in re.finditer(rf"(?<!\w){re.escape(sought)}(?!\w)", plain)]


def _from_alike(old: str, new: str) -> str:
    """What is denied, from the word on with which its correction begins, or from its last article ("me gusta el té",
    "la cerveza": "el té")."""
    words, opening = old.split(), _bare(new.split()[0])
    starts = [at for at, word in enumerate(words) if at and _bare(word) == opening]
    if not starts and _says_little(opening):
        starts = [at for at, word in enumerate(words[:-1]) if at and _says_little(_bare(word))]
    return " ".join(words[starts[-1] :]) if starts else old


def _with_article(words: str) -> bool:
    """Whether words are something with an article or a word like it before it."""
    first, _, rest = words.partition(" ")
    return bool(rest) and _says_little(first)


def _behind(text: str, words: str) -> str:
    """What follows the words that a text has as well ("I play bass" beside "I play drums": "bass")."""
    known, rest = _words(text), words.strip(" ,").split()
    while len(rest) > 1 and _bare(rest[0]) in known:
        rest.pop(0)
    return " ".join(rest)


def _on_another_day(statement: str, rest: str, language: str) -> str | None:
    """With the weekday or month behind a word that corrects ("no, Thursday"), if both have just one of its kind.

    Beside it stand words of the statement and articles alone.
    """
    words = [_bare(word) for word in rest.split()]
    known = _words(statement) | frozenset(languages()[language].grammar.beside_numbers)
    has_day = any(character.isdigit() for character in statement)  # "my name is April" has none
    for is_one in (is_weekday, is_month) if has_day else (is_weekday,):
        old = [match for match in _WORD.finditer(statement) if is_one(match[0])]
        new = [word.strip(" ,.!") for word in rest.split() if is_one(_bare(word))]
        is_another = len(old) == len(new) == 1 and _bare(old[0][0]) != _bare(new[0])
        if is_another and known.issuperset(word for word in words if not is_one(word)):
            before = _with_form_of(statement[: old[0].start()], words[: words.index(_bare(new[0]))])
            return f"{before}{new[0]}{statement[old[0].end() :]}"
    return None


def _with_form_of(text: str, words: Sequence[str]) -> str:
    """A text whose last word has the form of the last of `words`, if these are forms of one in Russian ("в", "во")."""
    last, form = "".join(text.split()[-1:]), "".join(words[-1:])
    is_other_form = form == f"{last}о" or last == f"{form}о"
    return f"{text.rstrip().removesuffix(last)}{form} " if is_other_form else text


_WORD = re.compile(r"[^\W\d_]+")


def _renumbered(statement: str, rest: str, language: str) -> str | None:
    """With the number behind a word that corrects ("no, the 13th"), if both have one and no other.

    Beside it stand words of the statement and articles alone: "no, 13 people came" is about something else.
    """
    old, new = list(_NUMBER.finditer(statement)), _NUMBER.findall(rest)
    if len(old) != 1 or len(new) != 1 or old[0][0] == new[0]:
        return None
    known = _words(statement) | frozenset(languages()[language].grammar.beside_numbers)
    if any(bare and bare not in known for bare in map(_bare, rest.replace(new[0], " ").split())):
        return None
    hours = {*languages()[language].grammar.before_hours}.intersection(_words(rest.partition(new[0])[0]))
    if hours and not _is_date(old[0], statement, language):
        return None  # "son las 9", told of "2 hermanos"
    units = [number.lstrip("0123456789.:/-") for number in (old[0][0], new[0])]
    is_day = [_ORDINAL.fullmatch(unit) is not None for unit in units]
    before = statement[: old[0].start()].split()[-1:]
    is_hour = bool(before) and _bare(before[0]) in languages()[language].grammar.before_hours
    if is_day[1] and not is_day[0] and (units[0] or is_hour):
        return None  # "the 14th" is no hour
    had, has = ("" if _ORDINAL.fullmatch(unit) else unit.casefold() for unit in units)
    if has not in ("", had):
        return None
    unit = units[0] if had and not units[1] else ""
    next_word = _WORD.match(statement, old[0].end() + 1)
    is_of_month = next_word is not None and is_month(next_word[0]) and "-" in new[0]  # "21-е", "14 декабря"
    if (is_of_month or _DAY_AND_MONTH.match(statement, old[0].start())) and re.fullmatch(r"\d{1,2}\D{0,2}", new[0]):
        day = re.sub(r"\D", "", new[0])  # of the same month
        return f"{statement[: old[0].start()]}{day}{old[0][0].lstrip('0123456789')}{statement[old[0].end() :]}"
    return f"{statement[: old[0].start()]}{new[0]}{unit}{statement[old[0].end() :]}"


def _restated(statement: str, rest: str, language: str, *, is_meant: bool) -> str | None:
    """As it is told anew behind a word that corrects ("no, I live in Oslo"): the same but for a word or two.

    What is the same says much ("live"), unless they say what they meant: "no, I have a question" is talk.
    """
    old, new = ([_bare(word) for word in text.split()] for text in (statement, rest))
    changed = [n for n, (one, other) in enumerate(zip(old, new, strict=False)) if one != other]
    if len(old) != len(new) or not changed or changed[0] == 0 or changed[-1] - changed[0] >= MAX_CHANGED:
        return None
    light = frozenset(languages()[language].grammar.light)
    same = [word for n, word in enumerate(new) if n not in changed]
    is_about_it = is_meant or not light.issuperset(same)
    fixed = _fixed(language)
    if any(new[n] in fixed and old[n] not in fixed and _says_little(new[n - 1]) for n in changed):
        return None  # "I live in denial"
    tastes = languages()[language].grammar.tastes
    is_verb_alone = len(changed) == 1 and all(words[changed[0]] in tastes for words in (old, new))  # "I hate cats"
    if is_turned(rest) and not is_turned(statement):
        return None  # "he doesn't"
    says_much = is_verb_alone or not any(_says_little(new[n]) for n in changed)
    return rest if is_about_it and says_much else None


def _with_subject(statement: str, rest: str, language: str) -> str | None:
    """What is said of "her", with the verb that a statement has of somebody, said of them ("no, she's a vet").

    None for what has another verb, or none: that may be said of anybody ("no, she lies").
    """
    (first, *words), old, of = rest.split(), statement.split(), languages()[language].grammar
    held = of.third_persons.get(first.casefold().replace("’", "'"))
    begins = old[0].casefold() if old else ""
    is_thing = begins in by_language("words.toml")[language]["articles"]
    if held is None or is_thing or any(re.fullmatch(pattern, rest, re.IGNORECASE) for pattern in of.impersonal):
        return None
    words = [*held.split(), *words]
    at = next((n for n, word in enumerate(old[1 : MAX_SUBJECT + 1], 1) if words[:1] == [word]), None)
    return " ".join((*old[:at], *words)) if at is not None else None


def _fixed(language: str) -> frozenset[str]:
    return frozenset(languages()[language].grammar.fixed)


def _kinds(words: Iterable[str]) -> list[tuple[bool, bool]]:
    return [(is_weekday(word), is_month(word)) for word in words]


def _continued(statement: str, rest: str, language: str) -> str | None:
    """With other words behind those with which a short correction begins ("no, at Asda", "no, to the 12th").

    These words are in the statement, and none of the new ones is; a number takes the place of a number alone. Set
    phrases ("in general") put nothing right.
    """
    old, new = statement.split(), rest.split()
    bare, begin = [_bare(word) for word in old], [_bare(word) for word in new]
    for size in range(len(new) - 1, 0, -1):
        changed = begin[size:]
        at = next((n for n in range(len(old) - size, 0, -1) if bare[n : n + size] == begin[:size]), None)
        end = at + size + len(changed) if at is not None else 0
        is_light = all(map(_says_little, begin[:size])) or size > 1
        if at is None or not is_light or end > len(old) or len(changed) > MAX_CHANGED:
            continue
        if end < len(old) and not _says_little(bare[end]):
            continue  # more of the same would be left
        replaced = bare[at + size : end]
        is_fixed = not _fixed(language).isdisjoint(changed) and _fixed(language).isdisjoint(replaced)
        if is_fixed or _kinds(replaced) != _kinds(changed):
            continue  # "in general"
        is_alike = all(
            bool(_NUMBER.search(one)) == bool(_NUMBER.search(other)) == (len(changed) == 1 and one[:1].isdigit())
            for one, other in zip(bare[at + size : end], changed, strict=True)
        )
        is_new = not any(word in bare or _says_little(word) for word in changed)
        if is_alike and is_new and not any(is_common(word) and word.islower() for word in new[size:]):
            return " ".join((*old[: at + size], *(word.strip(",.!") for word in new[size:]), *old[end:]))
    return None


def _bare(word: str) -> str:
    return word.strip(" ,.!;:").casefold()


def _words(text: str) -> set[str]:
    return {bare for word in text.split() if (bare := _bare(word))}


def _meaningful(text: str) -> set[str]:
    """The words of a text that tell something."""
    return {word for word in _words(text) if not _says_little(word)}


def _says_little(word: str) -> bool:
    """Whether a word puts nothing right: a small one, one to add something, or one for whom somebody speaks to."""
    if is_month(_bare(word)):  # "may" is small too
        return False
    return _little().fullmatch(folded(_bare(word))) is not None


def _means(language: str, text: str) -> bool:
    """Whether a correction says what somebody meant ("no, I meant …")."""
    opening = _opening(text, language)
    meaning = languages()[language].grammar.meaning
    return opening is not None and re.search("|".join(meaning), opening[0], re.IGNORECASE) is not None


def _opening(text: str, language: str) -> re.Match[str] | None:
    """What opens a correction, with what says nothing around it ("oh no wait,"); None where nothing corrects."""
    run, corrects = _openings(language)
    opening = run.match(text)
    found = corrects.search(text) if opening is not None else None
    return opening if opening is not None and found is not None and found.end() <= opening.end() else None


@cache
def _openings(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    words = languages()[language].grammar
    correcting = "|".join(dict.fromkeys((*words.meaning, *words.correcting)))
    either = "|".join((correcting, *words.interjections))
    run = rf"(?>(?:{either})(?!\w)[\s,.:;!–—-]*+)++"
    return re.compile(run, re.IGNORECASE), re.compile(rf"(?<!\w)(?:{correcting})(?!\w)", re.IGNORECASE)


@cache
def _closing(language: str) -> re.Pattern[str]:
    """What closes a correction ("the 14th I mean", "5 January, sorry")."""
    words = languages()[language].grammar
    meaning, correcting = "|".join((*words.meaning, *words.closing)), "|".join(words.correcting)
    return re.compile(rf"(?:(?:(?<!\w)(?:{meaning})|, (?:{correcting}))[ ,]*+)++$", re.IGNORECASE)


@cache
def _pointing(language: str) -> re.Pattern[str]:
    return re.compile(rf"\A(?:{'|'.join(languages()[language].grammar.pointing)})\s+(?=\S)", re.IGNORECASE)


def _changed(text: str, language: str) -> str:
    """What has changed since, where a message says so and nothing else ("it moved to Tuesday"); else nothing."""
    patterns = (re.compile(each, re.IGNORECASE) for each in languages()[language].grammar.renewing)
    found = next((match for pattern in patterns if (match := pattern.fullmatch(text)) is not None), None)
    return (new_date(found, language) or "") if found is not None else ""


def new_date(found: re.Match[str], language: str) -> str | None:
    """The day or hour of a match, empty where it has none; None for a number that may be the clock or an age."""
    new, now = (found.groupdict().get(name) for name in ("new", "now"))
    if now is None:
        return new or ""
    words, number = now.split(), _NUMBER.search(now)
    is_hour = bool(words) and _bare(words[0]) in languages()[language].grammar.before_hours
    is_day = number is not None and _ORDINAL.fullmatch(number[0].lstrip("0123456789")) is not None
    return now if is_hour or is_day or number is None else None


@cache
def _little() -> re.Pattern[str]:
    listed = (words for name in ("small.txt", "oneself.txt", "asking.txt") for words in listed_words(name))
    small = (re.escape(folded(word)) for word in (*listed, *collect("grammar.also"), *table("words.toml")["but"]))
    return re.compile("|".join((*small, *map(folded, collect("address.you")))), re.IGNORECASE)
