"""Sensitive matters and shaming or unlawful acts in a text, by words in many languages. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from memory.rules.folding import pieces
from memory.rules.safety.lexicon import Hit, Lexicon
from memory.rules.wordlists import lines, table

_ORDINARY = frozenset(["things", "around", "stage", "work", "institutes"])
"""The lists of what sensitive words are said of, where they mean no person."""

_UNLAWFUL = "unlawful"
"""The list of unlawful and shaming acts."""


def matter_of(text: str) -> str | None:
    """The sensitive matter that `text` touches, or None."""
    text = _DATED.sub("", text)
    return next(filter(None, (_matter_of(piece, list(lexicon().find(piece))) for piece in pieces(text))), None)


_DATED = re.compile(r" \(\d{4}-\d\d-\d\d\)")
"""The date behind a word such as "tomorrow": no age, and no part of a number to call."""


def is_unlawful(text: str) -> bool:
    """Whether a text tells of an unlawful or shaming act, as far as words show it."""
    return any(_UNLAWFUL in _named(piece, list(lexicon().find(piece))) for piece in pieces(text))


def is_shaming(text: str) -> bool:
    """Whether a text touches a sensitive matter or tells of an unlawful act: both by one look."""
    for piece in pieces(_DATED.sub("", text)):
        hits = list(lexicon().find(piece))
        if _matter_of(piece, hits) is not None or _UNLAWFUL in _named(piece, hits):
            return True
    return False


_SCRIPTS = re.compile(
    r"[a-z\u00c0-\u024f\u1e00-\u1eff\u0400-\u04ff\u0600-\u06ff\u3040-\u30ff\u3400-\u9fff]", re.IGNORECASE
)


def is_readable(text: str) -> bool:
    """Whether the lists of words know the script of a text: where they do not, only a model can tell what it is of."""
    letters = [character for character in text if character.isalpha()]
    return 2 * sum(_SCRIPTS.match(letter) is not None for letter in letters) >= len(letters)


@cache
def lexicon() -> Lexicon:
    """The words of sensitive matters, and of unlawful acts."""
    return Lexicon({**table("sensitive.toml"), _UNLAWFUL: " ".join(lines("unlawful.txt")), **table("ordinary.toml")})


_SAID_OF_MUCH = re.compile(
    r"(?:enganchad\w a|adict\w a|viciad\w em|suchtig nach|accro (?:au|a la|aux)|uzalezn\w{1,6} od|"
    r"dipendente da)(?! .{0,14}(?:drog|alco|alko|coc|kok|hero|jueg|gluck|spiel|gambl|apost|jogo|gioc|pill|pastill|"
    r"tablett|leki|naszo|porn|sex|crack|met|opi|hasc|cannab|narko|hazard))|"
    r"(?:depressed (?:that|because) (?:the|it)\b|(?:is )?addicted to (?!a?lco|drug|coc|her|opi|meth|"
    r"pain|gambl|sex|por|pill|ket|crack|xan)|hooked on p(?!ain|ill|or)|transitioned from"
    r"|suicidal (?:below|under|traffic|driv)|stole (?:the show|my heart|second|home|a (?:look|glance|kiss))|"
    r"conservative (?:estimate|guess)|liberal (?:with|use|amount)|democrat\w* (?:vote|process)|"
    r"cheats on no(?:body| one)|"
    r"union (?:jack|square|station|of)|the european union|soviet union|voted for (?:pizza|"
    r"tacos|the (?:blue|red|first|second|longer|new|movie|name|logo))|sober (?:look|design)|a stroke of|"
    r"orthodox (?:way|approach|method))"
    r"|(?:allerg\w+|alergic\w+|аллерг\w+|alergi\w+)(?: (?:to|a|al|a las?|a los|au|aux|a la|на|l'))? "
    r"(?:mornings?|mondays?|work(?:ing)?|bullshit|drama|meetings|homework|losing|fun|понедельник\w*|работ\w+|утр\w+"
    r"|lunes|madrug\w+|trabaj\w+|mode|lundis?|matins?|travail|efforts?)"
    r"|is expecting (?!a (?:baby|child|boy|girl)|twins|triplets|her|their|in (?:\w+)$|again|$)"
    r"|malad\w+ de (?:voir|savoir|rire)|боле\w+ за |голосу\w+ за (?:карт|пицц|эту|тот|то |синий|красн)"
)
"""Words of sensitive matters as people say them of ordinary ones."""

_REACH = 48
"""Characters between such a word and a sensitive one that it excuses, at the most."""

_BREAK = re.compile(r"[.;:!?\n]|, | (?:and|but|y|и|а|но|et|mais|und|aber|ve|ama) ")
_NEAR = 6
"""Words between a thing and what is said of it, at the most."""


def _named(piece: str, hits: Sequence[Hit]) -> set[str]:
    """The lists with words in a text that are not said of an animal, a thing, a work or a part in a play."""
    beside = [hit for hit in hits if hit.name in _ORDINARY]
    kinds = {hit.name for hit in beside}
    if {"work", "institutes"} <= kinds:
        return set()
    found: set[str] = set()
    for hit in hits:
        if hit.name in found or hit.name in _ORDINARY or _SAID_OF_MUCH.match(piece, hit.start):
            continue
        if not any(_excuses(one, hit, piece) for one in beside if abs(one.start - hit.start) < _REACH):
            found.add(hit.name)
    return found


def _excuses(one: Hit, hit: Hit, piece: str) -> bool:
    """Whether what stands beside a word tells that it means no person."""
    if one.end <= hit.start:
        between = piece[one.end : hit.start]
        return (
            one.name != "work" and not _BREAK.search(between) and (one.name == "stage" or between.count(" ") <= _NEAR)
        )
    between = piece[hit.end : one.start]
    return one.name in ("things", "around") and not _BREAK.search(between) and between.count(" ") <= _NEAR


_AGE = r"(?:[1-9]|1[0-7])"
_AGE_WORDS = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|"
    r"seventeen|dos|tres|cuatro|cinco|siete|ocho|nueve|diez|once|doce|trece|catorce|quince"
    r"|два|три|четыре|пять|шесть|семь|восемь|девять|десять|двенадцать|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|treize|"
    r"zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|dreizehn|dois|seis|sete|oito|nove|dez|doze|treze"
    r"|quattro|cinque|sei|sette|otto|dieci|undici|dodici|tredici|trzy|cztery|piec|szesc|siedem|osiem|dziewiec|"
    r"dziesiec|jedenascie|dwanascie|uc|dort|bes|alti|yedi|sekiz|dokuz"
    r"|[一二三四五六七八九十]{1,2}|ثلاث|اربع|خمس|ست|سبع|ثماني|تسع|عشر)"
)
_YEARS = (
    r"(?:yo\b|anos|anitos|годик\w*|ans\b|лет\b|года?\b|jahre?|anni|lat\b|lata\b|yas\w{0,6}|歳|才|岁|سنوات|"
    r"سنين|سنة|اعوام)"
)
_CHILD = (
    r"(?:daughter|son(?! \w{1,15} (?:le|la|les|a|est|de|en|du|dans)\b)|"
    r"kid|child|boy|girl|niece|nephew|little (?:brother|sister)|hij[ao]|nin[ao]|sobrin[ao]|cri[ao]\b|"
    r"gamine?|gosse|"
    r"сын\w{0,2}|доч\w{1,4}|ребен\w{1,3}|ребён\w{1,3}|племянни\w{1,3}|fille|fils|petite?|sohn\w{0,2}|tochter|"
    r"(?:sein|ihr|mein|unser|das) kind|"
    r"neffe|nichte|filh[ao]|figli[ao]"
    r"|cork[aiu]|syn(?:a|u|em|ek|owi)?\b|dzieck\w{1,2}|kizi\w{0,4}|oglu\w{0,4}|cocugu\w{0,3}|息子|娘|女儿|儿子|孩子|ابن\w{0,3}|ابنة|"
    r"بنت\w{0,3}|طفل\w{0,2})"
)
_MINOR = re.compile(
    rf"(?<!\d){_AGE}(?:[ -]years?[ -]old|[ -]?yo\b|\s?{_YEARS})|\b(?:[1-9]|1[0-2])th grade\b|\b(?:aged?|turn(?:s|"
    rf"ed|ing)) {_AGE}(?!\d)"
    r"|\b(?:i am|i'm|is|tengo|tiene|j'ai|a) (?:1[0-7])(?: years?| anos| ans|[.!]?$)"
    rf"|(?<![a-zа-яё])(?:grand|step|god|enkel)?{_CHILD}.{{0,24}}?(?:(?<!\d){_AGE}(?!\d)|(?<!\w){_AGE_WORDS}(?!\w)|{_AGE_WORDS}{_YEARS})"
    r"|\b(?:i am|i'm|im|j'ai|tengo|мне|ich bin) (?:[6-9]|1[0-7])"
    r"(?=,? (?:but|and|y|et|и|но|а|я|yo|lol|en|au|in|mais|pero)\b|[,.!]|$)"
    r"|\bв (?:перв|втор|треть|четверт|пят|шест|седьм|восьм|девят|десят)\w{2} классе\b"
    r"|\bis only (?:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen)\b"
    r"|[一二三四五六七八九]岁|[一二三四五六七八九十]歳"
)
_SINCE = re.compile(
    r"\b(?:depuis(?: (?:mes|ses|l['’ ]?age de))?|il y a) \d{1,2} ans\b"
    r"|\b(?:desde (?:hace|los|que tenia)|hace) \d{1,2} anos\b|\b(?:seit|vor) (?:uber |fast )?\d{1,2} jahren\b"
    r"|\bс \d{1,2} лет\b|\b\d{1,2} (?:лет|года?) назад\b"
)
"""For how long something has been so, which would be an age without the word before it."""

_NOT_AGES = re.compile(
    r"(?<!\w)(?:experience|experiencia|опыт\w{0,3}|ago|hace|назад|il y a|seit|vor|married|together|working|works|"
    r"has lived|lives here)(?!\w)|車|车"
)

_MONEY = re.compile(
    r"\b(?:earn|earns|earning|make|makes|gano|gana|cobro|cobra|gagne|touche|зарабатыва\w{1,4}|получаю|получает|"
    r"verdient|verdiene|ganha|ganho|guadagna|guadagno|zarabia\w{0,2}|kazaniyor\w{0,2})\b.{0,25}"
    r"(?:\d\s?k\b|\d.{0,12}(?:€|\$|euros?|dollars?|dolares|pesos|pounds|rubles|руб\w{0,4}|usd|eur|zl\b|tl\b|reais|"
    r"lira|a (?:year|month)|par mois|al mes|al mese|por mes|im monat|miesiecznie|в месяц|ayda))"
    r"|\b(?:salary|зп|зарплат\w|оклад\w?|sueldo|salaire|gehalt|stipendio|pensja)\b.{0,20}\d"
    r"|\bowes?\b.{0,20}\d ?(?:grand|k\b)|\d ?(?:grand|k)\b.{0,20}\b(?:credit cards?|in the red|overdraft)"
    r"|(?<!technical )(?<!tech )\bdebts?\b.{0,15}\d|(?:一个月|月|年)挣|月給.{0,6}\d"
    r"|\b(?:owes?|debe|doit|schuldet|deve|winien|borclu)\b.{0,30}(?:\d{3,7}|thousand|mil\b|mille|tausend|mila|"
    r"tysiecy|bin\b)"
)
_IN_DEBT = re.compile(r"\d.{0,20}(?<!technical )(?<!tech )\b(?:of|in) debts?\b")
_STREET = re.compile(
    r"\b(?:lives?|living|moved in|stays?|vive|viven|habite\w{0,2}|wohnt|wohne|mora|moro|vivo|abita|abito|"
    r"mieszka\w{0,2}|живет|живёт|живу|проживает|oturuyor|address is|direccion|adresse|endereco|indirizzo|"
    r"adres\w{0,4})\b[^.!?\n]{0,30}?"
    r"\b(?:\d{1,5}[a-z]?,? (?:\w{2,20} ){1,3}(?:road|street|st|avenue|ave|lane|drive|close|court|terrace|way|place|"
    r"square|crescent|gardens|boulevard)|(?:calle|avenida|plaza|paseo|rue|avenue|boulevard|place|via|viale|corso|"
    r"piazza|rua|travessa|praca|ulic\w{1,2}|ul\.|улиц\w{1,2}|ул\.|проспект\w{0,2}|"
    r"переулк\w{0,2})\s[^\n]{2,40}?\d{1,4})"
    r"|\b\d{1,4},? (?:bis |ter )?rue (?:de|du|des|d')|\b\w{3,25}(?:strasse|straße|gasse|allee|platz|damm|ring|"
    r"weg)\s\d{1,4}|\b\w{2,20}(?: \w{2,20})? (?:sokak|sokagi|caddesi|cad|mahallesi|"
    r"bulvari)\w{0,3},?\s?(?:no:? ?)?\d{1,4}|\bdaire \d{1,4}"
    r"|\d{1,2}丁目|番地|\d{1,4}号(?:室|院|楼)|\d单元|住在[^。]{2,30}\d|شارع [^\n]{2,30}\d"
    r"|\bflat \d{1,3}\b[^\n]{0,20}(?:road|"
    r"street)|\b(?:road|street|lane|avenue),? (?:flat|apartment|apt) \d"
)


_PHONE = re.compile(
    r"(?<![\w.,:/-])(?:\+|00)\d(?:[ ().-]{0,2}\d){8,13}(?![\w/-]|[.,]\d)"
    r"|\b(?:phone|telephone|mobile|cell(?:phone)?|whatsapp|telegram|signal|landline|call (?:me|him|her|them|us)|"
    r"text (?:me|him|her|them)"
    r"|reach (?:me|him|her|them)|phone number|(?:my|his|her|their) (?:new )?number|telefono|movil|celular|numero|"
    r"llam\w{1,4}|телефон\w{0,3}|номер\w{0,3}|мобильн\w{2,3}|"
    r"звони\w{0,3}|telephone|portable|appel\w{1,4}|joindre|handy\w{0,6}|telefonnummer|rufnummer|telefone|telefono|telefon\w{0,3})\b"
    r"[^.!?\n\d]{0,30}(?<![\w.,:/-])\(?\d(?:[ ().-]{0,2}\d){5,12}(?![\w/-]|[.,]\d)"
)


def _matter_of(piece: str, hits: Sequence[Hit]) -> str | None:
    if _PHONE.search(piece):
        return "phone"
    if _MONEY.search(piece) or ("debt" in piece and _IN_DEBT.search(piece)):
        return "finances"
    of_things = any(hit.name == "things" for hit in hits)
    if not of_things and _MINOR.search(_SINCE.sub(" ", piece)) and not _NOT_AGES.search(piece):
        return "minor"
    if _STREET.search(piece):
        return "address"
    return next(iter(sorted(_named(piece, hits) - {_UNLAWFUL})), None)
