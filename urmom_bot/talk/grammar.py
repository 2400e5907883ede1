"""Commands in plain words, in four languages, understood without any AI. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import OSA

_FLAGS = re.IGNORECASE | re.DOTALL


@dataclass(frozen=True, kw_only=True)
class Remember:
    """Remember a statement; or, with `this`, what was replied to or said before, about `subject`."""

    statement: str
    subject: str | None = None
    this: bool = False
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Forget:
    """Forget a statement, a fact by its number, or everything about somebody; `subject` is whom a statement is of."""

    statement: str = ""
    number: int | None = None
    everything: bool = False
    subject: str | None = None
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Know:
    """Tell what is known of `subject`."""

    subject: str
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class SetJokes:
    """Let jokes be made about the speaker, or not."""

    wanted: bool
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class SetZone:
    """Let a time zone decide the guild's days."""

    name: str
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Reset:
    """End the conversation, so that the next message begins another."""

    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Help:
    """Say what can be said."""

    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class ShowPrivacy:
    """Open what is stored about the speaker, and what they let be kept."""

    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class CatchUp:
    """Tell what the speaker missed."""

    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class TakeBack:
    """Undo what the speaker had done last; with `drop` it may as well be only something that was begun."""

    drop: bool = False
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Meant:
    """Do what the speaker asked for last again, for `subject`."""

    subject: str
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Thanks:
    """Say thanks."""

    language: str = "en"


Command = (
    CatchUp | ShowPrivacy | Remember | Forget | Know | SetJokes | SetZone | Reset | Help | TakeBack | Meant | Thanks
)

# What may stand before a command ("please", "could you"), by language.
_POLITE = {
    "en": r"(?:please[, ]+|can you |could you |would you |pls )*",
    "es": r"(?:por favor[, ]+|puedes |podrías |podés )*",
    "ru": r"(?:пожалуйста[, ]+|можешь )*",
    "fr": r"(?:s'il te pla[iî]t[, ]+|stp[, ]+|peux-tu |tu peux )*",
}

_ABOUT = r"(?P<who>[^:]+?))?(?:: (?P<what>.+))?"
_THIS = {
    "en": r"remember (?:this|that|it)(?: (?:about|of|for) " + _ABOUT,
    "es": r"(?:recuerda|record[áa]|acu[ée]rdate de) (?:esto|eso)(?: (?:sobre|de|acerca de) " + _ABOUT,
    "ru": r"запомни(?:те)? (?:это|то)(?: (?:про|обо|об|о) " + _ABOUT,
    "fr": r"(?:souviens-toi de|retiens|rappelle-toi) (?:ceci|cela|ça)(?: (?:sur|à propos de|concernant) " + _ABOUT,
}

_BARE = {
    "en": r"remember",
    "es": r"recuerda|record[áa]",
    "ru": r"запомни(?:те)?",
    "fr": r"retiens|souviens-toi",
}

_SOMEBODY = r"(?P<who>(?!(?:the|this|that|my|our|то|это)\b)[^\s:,]{2,40}(?: [^\s:,]{1,40})?) ?: (?P<what>.+)"
_OF_SOMEBODY = {
    "en": r"(?:remember|note) about " + _SOMEBODY,
    "es": r"(?:recuerda|record[áa]|an[óo]ta) (?:sobre|acerca de) " + _SOMEBODY,
    "ru": r"(?:запомни|запиши|сохрани)(?:те)? (?:про|обо|об|о) " + _SOMEBODY,
    "fr": r"(?:retiens|note) (?:sur|à propos de) " + _SOMEBODY,
}

_REMEMBER = {
    "en": r"(?:remember|memori[sz]e|note|don'?t forget)(?:,? please,?)?+(?: that(?!['’]s\b| time\b)|,|:)?+ "
    r"(?P<what>(?!when\b|(?:that |the )?time\b|(?:that['’]s )?(?:how|what|who|why)\b|to\b|me\b).+)",
    "es": r"(?:recuerda|record[áa]|acu[ée]rdate(?: de)?|acordate(?: de)?|an[óo]ta)(?:,? por favor,?)?(?: que|,|:)"
    r" (?P<what>.+)",
    "ru": r"(?:(?:запомни|запиши|сохрани)(?:те)?|помни|не забудь)(?:,? пожалуйста,?)?(?:,? что|,|:)? "
    r"(?P<what>(?!(?:как|кто|кого|где|когда|почему|зачем)\b).+)",
    "fr": r"(?:souviens-toi|rappelle-toi|retiens|note)(?:,? s['’]il te pla[iî]t,?)?(?: que |,? qu['’]|, |: )"
    r"(?P<what>.+)",
}

_FORGET = {
    "en": r"forget(?! it,| i asked\b)(?:,? please,?)?+(?: that| about|,|:)?+ "
    r"(?P<what>(?!(?:not|if|whether|how|why|neither)\b|(?:everything|anything|all|nothing) (?:but|except)\b).+)",
    "es": r"(?:olvida|olvid[áa]|olv[íi]date(?: de)?)(?: que|,|:)? (?P<what>.+)",
    "ru": r"(?:забудь(?:те)?(?:,? пожалуйста,?)?(?:,? что| про| о|,|:)?|(?:удали|сотри)(?:те)?(?:,? что| про))"
    r" (?P<what>.+)",
    "fr": r"oublie(?: que |[,]? qu['’]|, |: | )(?P<what>.+)",
}

_EVERYTHING = {
    "en": r"(?:everything|all)(?: that)?(?: you know)? (?:about|of) (?P<who>.+)",
    "es": r"todo(?: lo que sabes)? (?:sobre|de) (?P<who>.+)",
    "ru": r"вс[её](?:,? что (?:ты )?знаешь)? (?:про|обо|об|о) (?P<who>.+)",
    "fr": r"tout(?: ce que tu sais)? (?:sur|de|à propos de) (?P<who>.+)",
}

_KNOW = {
    "en": r"(?:so )?wh?at (?:(?:do|did|else do) )?(?:you|u|ya) (?:know|remember|have|got)(?: stored)? "
    r"(?:about|bout|of|on) (?P<who>.+)",
    "es": r"¿? ?qu[ée] (?:sabes|sab[ée]s|recuerdas|record[áa]s) (?:de|sobre|acerca de) (?P<who>.+)",
    "ru": r"(?:что|ч[её]|чо) (?:(?:ты |вы )?(?:знаешь|знаете|помнишь|помните|занешь|знаеш|знаишь)|тебе известно)"
    r" (?:про|обо|об|о) (?P<who>.+)",
    "fr": r"(?:que sais-tu|qu['’]est-ce que tu sais|tu sais quoi|que te rappelles-tu) "
    r"(?:sur|de|d['’]|à propos de) ?(?P<who>.+)",
}

_NO_JOKES = {
    "en": r"(?:no (?:more )?jokes about me|(?:stop|don'?t|do not) (?:joke|joking|make jokes|making jokes) about me)",
    "es": r"(?:(?:sin|no m[áa]s|nada de) (?:chistes|bromas) (?:sobre m[íi]|de m[íi]|conmigo))",
    "ru": r"(?:(?:без|хватит|не надо) шуток (?:про|обо) (?:меня|мне)|не шути(?:те)? (?:про меня|обо мне|надо мной))",
    "fr": r"(?:pas de blagues? sur moi|plus de blagues? sur moi)",
}

_JOKES = {
    "en": r"jokes about me are (?:ok|okay|fine|welcome|allowed)(?: again)?|"
    r"(?:you can|you may) joke about me(?: again)?",
    "es": r"(?:puedes|pod[ée]s) (?:bromear sobre m[íi]|hacer chistes sobre m[íi])",
    "ru": r"(?:можно|можешь) шутить (?:про меня|обо мне|надо мной)|шутки (?:про меня|обо мне) (?:можно|разрешаю)",
    "fr": r"tu peux (?:blaguer|plaisanter) sur moi",
}

_ZONE = {
    "en": r"(?:set )?(?:the )?time ?zone(?: is| to|:)? (?P<zone>[\w/+-]+(?: [\w/+-]+){0,2})",
    "es": r"(?:la )?zona horaria(?: es|:)? (?P<zone>[\w/+-]+(?: [\w/+-]+){0,2})",
    "ru": r"часовой пояс:? (?P<zone>[\w/+-]+(?: [\w/+-]+){0,2})",
    "fr": r"(?:le )?fuseau horaire(?: est|:)? (?P<zone>[\w/+-]+(?: [\w/+-]+){0,2})",
}

_PRIVACY = {
    "en": r"(?:my )?privacy|(?:delete|erase|remove|wipe) "
    r"(?:everything|all(?: (?:of )?(?:my|the) (?:data|memories|messages))?)"
    r"(?: (?:that )?(?:you (?:have|know|stored|remember)|about|of|on) .*)?"
    r"|(?:delete|erase|remove|wipe|export) my (?:data|memory|memories)"
    r"|(?:stop|do not|don'?t) (?:track|remember|record|spy|log|stor)(?:e|ing|ering)?(?: on)? (?:me|anything about me)"
    r"|forget me|opt (?:me )?out|opt-out|what do you (?:store|keep)(?: about me)?",
    "es": r"(?:mi )?privacidad|(?:borra|borr[áa]|elimina|elimin[áa]) (?:todo(?: .*)?|mis datos)"
    r"|olv[íi]da(?:te de )?m[íi]|deja de (?:recordarme|seguirme|registrarme)|no me recuerdes",
    "ru": r"приватность|конфиденциальность|(?:удали|сотри)(?:те)? (?:вс[её](?: .*)?|мои данные)"
    r"|забудь(?:те)? меня|не (?:запоминай|следи)(?:те)? (?:меня|за мной)|перестань (?:меня запоминать|следить за мной)",
    "fr": r"(?:ma )?(?:vie priv[ée]e|confidentialit[ée])|(?:supprime|efface)s? (?:tout(?: .*)?|mes donn[ée]es)"
    r"|oublie[- ]moi|ne te souviens pas de moi|arr[êe]te de (?:me suivre|m['’]enregistrer)",
}

_MISSED = {
    "en": r"(?:so )?(?:what (?:did|have|had) (?:i|we) (?:miss|missed|been missing)"
    r"|what'?s new(?: here)?|(?:fill me in|catch me up)|what happened"
    r" (?:here )?while i was (?:away|gone|out|asleep|sleeping|offline))",
    "es": r"¿? ?(?:qué me (?:he )?perd[íi](?:do)?|ponme al d[íi]a|qué hay de nuevo|qué ha pasado(?: aquí)?)",
    "ru": r"(?:что я (?:пропустил|пропустила|пропустили)|что (?:тут |здесь )?(?:было|нового|произошло|случилось)"
    r"(?:,? пока меня не было)?"
    r"|введи меня в курс)",
    "fr": r"(?:qu['’]est-ce que j['’]ai (?:raté|loupé|manqué)|j['’]ai (?:raté|loupé|manqué) quoi|quoi de neuf"
    r"|mets-moi au courant|qu['’]ai-je (?:raté|loupé|manqué))",
}

_RESET = {
    "en": r"reset|start (?:over|again)|new conversation|let'?s start over|clear (?:this|the|our) (?:conversation|chat)",
    "es": r"reinicia(?:r)?|reset|empecemos de nuevo|empieza de nuevo|nueva conversaci[óo]n|borr[óo]n y cuenta nueva",
    "ru": r"сброс|начн[её]м сначала|начни сначала|нов(?:ый|ая) (?:разговор|беседа)|сбрось (?:разговор|беседу)",
    "fr": r"r[ée]initialise(?:r)?|recommen[çc]ons(?: à z[ée]ro)?|nouvelle conversation|on repart (?:de|à) z[ée]ro",
}

_HELP = {
    "en": r"help|commands|what can you do",
    "es": r"ayuda|(?:tú )?qu[ée] (?:puedes|sabes) hacer",
    "ru": r"помощь|помоги|справка|команды|что (?:ты )?(?:умеешь|можешь)(?: делать)?",
    "fr": r"aide|aide-moi|que (?:sais|peux)-tu faire|tu (?:sais|peux) faire quoi",
}

# What people say of themselves by which they want to be known, with no word that asks to remember it.
_OF_ONESELF = {
    "en": r"(?P<what>(?:my name is|my name's|i am called|i'm called|im called|i go by) (?:(?!not\b)[^?]){2,60}"
    r"|(?:my (?:birthday|bday|nickname|pronouns|favou?rite [\w ]{2,30}) (?:is|are)|my birthday's) [^?]{2,80})"
    r"|(?:you can )?call me (?P<name>[^\W\d_][\w'’-]{1,30})(?: please)?",
    "es": r"(?P<what>(?:me llamo|mi nombre es|me dicen|mi cumpleaños es|mi apodo es) [^?]{2,60})"
    r"|ll[áa]mame (?P<name>[^\W\d_][\w'’-]{1,30})",
    "ru": r"(?P<what>(?:меня зовут|моё имя|мое имя|(?:мой|у меня) (?:день рожд[её]н[иь]я|д\.?р\.?)|я родил(?:ся|ась)"
    r"|моя кличка) [^?]{2,60})"
    r"|(?:зови|называй)(?:те)? меня (?P<name>[^\W\d_][\w'’-]{1,30})",
    "fr": r"(?P<what>(?:je m['’]appelle|mon nom est|mon prénom est|mon anniversaire est|mon surnom est) [^?]{2,60})"
    r"|appelle-moi (?P<name>[^\W\d_][\w'’-]{1,30})",
}
_CALLED = {"en": "I am called {}", "es": "me llamo {}", "ru": "меня зовут {}", "fr": "je m'appelle {}"}
_NO_NAMES = frozenset(["back", "later", "tomorrow", "when", "if", "now", "maybe", "crazy", "назад", "потом", "luego"])
"""Words after "call me" that are no name."""

_UNDO = {
    "en": r"(?:no,? )?(?:undo|revert|take (?:that|it) back|scratch that|oops,? undo)(?: (?:that|it|this|please))*",
    "es": r"deshaz(?:lo)?|deshacer|revi[ée]rtelo|anula eso",
    "ru": r"отмени(?:ть)?(?: это)?|верни(?: (?:это|как было))?",
    "fr": r"annule(?:r|-le)?(?: (?:ça|cela))?|d[ée]fais(?:-le)?(?: (?:ça|cela))?|reviens en arrière",
}

_DROP = {
    "en": r"(?:oh |no,? |ok(?:ay)?,? )?(?:never ?mind|nvm|forget (?:it|about it)|cancel(?: (?:that|it))?"
    r"|stop(?: (?:it|that))?|drop it|don'?t bother|leave it)",
    "es": r"(?:no,? )?(?:olv[íi]dalo|d[ée]jalo|no importa|da igual|cancela(?:r|lo)?|para|basta)",
    "ru": r"(?:ой,? |нет,? )?(?:не ?важно|забей|проехали|отмена|не надо|ладно,? не надо|хватит|стоп|забудь)",
    "fr": r"(?:non,? )?(?:laisse(?: tomber)?|oublie(?: ça)?|tant pis|peu importe|c['’]est rien|stop|arr[êe]te)",
}

_MEANT = {
    "en": r"(?:no+,? |nope,? |sorry,? |wait,? )*(?:(?:i|we) meant?|i was talking about"
    r"|not (?:him|her|them|me),?(?: but)?) (?P<who>(?!to\b|that\b|what\b)\S+(?: \S+){0,2})",
    "es": r"(?:no,? |perdón,? )*(?:me refer[íi]a a|quise decir|quer[íi]a decir(?: a)?) (?P<who>\S+(?: \S+){0,2})",
    "ru": r"(?:(?:нет,? |не,? |прости,? )*(?:я )?(?:имел|имела)(?: я)? в ?виду|(?:нет|не),? я (?:про|обо|об|о)"
    r"|не [^\s,]{2,40},? а) (?P<who>(?!что\b)\S+(?: \S+){0,2})",
    "fr": r"(?:non,? |pardon,? )*(?:je (?:parlais de|voulais dire|pensais à)) (?P<who>(?!que\b)\S+(?: \S+){0,2})",
}

_THANKS = {
    "en": r"(?:ok(?:ay)?,? |great,? |cool,? |nice,? )?(?:many |much )?(?:thanks|thank (?:you|u)|thx|ty|tysm|cheers)"
    r"(?: (?:a lot|so much|very much|buddy|mate|man|bro|bot|again|for (?:that|it|this|the help)))*",
    "es": r"(?:muchas |mil )?gracias(?: (?:bot|por (?:todo|eso|la ayuda)))?",
    "ru": r"(?:большое )?(?:спасибо|спс|благодарю)(?: (?:большое|тебе|огромное|бот))*",
    "fr": r"(?:un grand )?merci(?: (?:beaucoup|bien|bot|à toi|pour (?:tout|ça)))*",
}

_VERBS = (
    *("remember", "forget", "memorize"),
    *("recuerda", "olvida"),
    *("запомни", "забудь"),
    *("retiens", "oublie", "souviens-toi"),
)
"""The first words of the commands that are understood with a slip of the finger."""

_NO_SLIPS = frozenset(
    [
        *("remembers", "remembered", "forgets", "forgot", "forged", "forge", "member", "forger", "gorget"),
        *("unremember", "derecuerda"),
        *("recuerdo", "recuerdas", "recuerdan", "olvido", "olvidas", "olvidar", "recuerde", "olvide"),
        *("запомнил", "запомнила", "запомнит", "запомню", "забуду", "забуди", "забыть", "забыл", "будь"),
        *("retient", "retenir", "retient-", "oublié", "oublier", "oublies", "oubli", "publie", "souviens"),
    ]
)
"""Words much like those that are others."""

_UNMEANT = re.compile(
    r"(?:[\s,.;!–—(-](?:(?:just|only) (?:kidding|joking)|j/?k|not really|kidding)"
    r"|[,.;–—(-] ?(?:or (?:maybe )?not|not|mentira|no es cierto)|[\s,.;–—(-](?:era|es) (?:una )?broma"
    r"|[\s,.;–—(-](?:это )?(?:шутка|шучу)|[\s,.;–—(-](?:c['’]est une blague|je plaisante)"
    r"|\s/(?:s|j|jk|sarcasm))[\s).!😂🤣😜😉]*$"
    r"|(?:[(;–—] ?|, | - )(?:as if|dream on|хотя нет|mejor no|en fait non|or better not|don['’]?t)[\s).!]*$"
    r"|(?:[(–—] ?| - )(?:psych|joke|lol|broma|blague)[\s).!]*$|, psych!+$"
    r"|[—–;.,] ?(?:хотя нет|non,? en fait|en fait non|actually,? no\b|no,? wait|wait,? no|scratch that|ay,? no)"
    r"|, said \w{2,30}[\s.!]*$|\?\s*(?:haha|lol|jk|no|nah|nope|never|rather)\b",
    _FLAGS,
)
"""How somebody ends what they do not mean, or tell of another."""

_NOT_NOW = re.compile(
    r"\b(?:unless|maybe|perhaps)\b[\w ,'’]{0,40}[\s.!]*$|,? (?:if|when|once) (?:you|u|we|i (?:die|ask|say))\b"
    r"|, ?(?:if|when|once|tomorrow|next (?:week|month|year))\b|,? (?:but|and) keep it[\s.!]*$",
    _FLAGS,
)
"""How somebody ends who wants something forgotten later, on a condition, or not after all."""

_QUOTES = re.compile(r"[\"“«„][^\"”»“]{3,}[\"”»“]\W*\w")
"""How somebody begins who tells what another said."""

_NUMBERED = re.compile(r"(?:fact |hecho |факт |fait )?(?:#|№|no\.? ?)?(\d{1,12})", re.IGNORECASE)


def addressed(text: str, bot_id: int, names: Iterable[str]) -> str | None:
    """What is said to the bot, without the address; None where it is not addressed by mention or name.

    A mention counts anywhere, a name at the start alone and as a word of its own: "Bot, …", "bot …".
    """
    text = text.strip()
    mention, start = _mention(bot_id), _start(frozenset(names))
    if mention.search(text):
        return " ".join(mention.sub(" ", text).split()).lstrip(" ,:;!–—-")
    found = start.match(text)
    return text[found.end() :].lstrip(" \n\t,:;!–—-") if found else None


@lru_cache(maxsize=100)
def _mention(bot_id: int) -> re.Pattern[str]:
    return re.compile(rf"<@!?{bot_id}>")


@lru_cache(maxsize=10_000)
def _start(names: frozenset[str]) -> re.Pattern[str]:
    """The beginning of what is said to somebody of these names, the longest first."""
    ways = "|".join(re.escape(name) for name in sorted(filter(None, names), key=len, reverse=True)) or "(?!)"
    return re.compile(rf"(?:hey |hi |hola |привет,? |salut )?@?(?:{ways})(?![\w'’-])", _FLAGS)


_ASKS = re.compile(
    r"\?\s*$|^\W*(?:who|whom|whose|what|when|where|which|why|how|did|does|do|is|was|were|are|has|have|had|can|could"
    r"|qué|quién|quiénes|cuándo|dónde|cuál|cómo|por qué|cuánt\w+|qui|quoi|quand|où|quel\w*|pourquoi|comment|combien"
    r"|кто|кого|кому|что|когда|где|какой|какая|какое|какие|почему|как|сколько)\b",
    re.IGNORECASE,
)


def is_question(text: str) -> bool:
    """Whether a text asks something, in any of four languages."""
    return _ASKS.search(text.strip()) is not None


def asks_the_bot(text: str, names: Iterable[str]) -> bool:
    """Whether a message only asks the bot something: it tells nothing, and would be found for the same question."""
    asked = addressed(text, 0, names)
    return asked is not None and is_question(asked)


def parse(text: str) -> Command | None:
    """The command that `text` is, or None where it is none that the grammar knows."""
    line = " ".join(text.split())
    if _QUOTES.match(line):
        return None
    bare = line.rstrip(" .!?…")
    for language, polite in _POLITE.items():

        def match(
            pattern: dict[str, str], whole: str, *, polite: str = polite, language: str = language
        ) -> re.Match[str] | None:
            return re.fullmatch(polite + f"(?:{pattern[language]})", whole, _FLAGS)

        if match(_PRIVACY, bare):
            return ShowPrivacy(language=language)
        if match(_THANKS, bare):
            return Thanks(language=language)
        if match(_UNDO, bare):
            return TakeBack(language=language)
        if match(_DROP, bare):
            return TakeBack(drop=True, language=language)
        if found := match(_MEANT, bare):
            return Meant(subject=found["who"].strip(), language=language)
        if match(_BARE, bare):
            return Remember(statement="", language=language)
        if found := match(_THIS, bare):
            what = (found["what"] or "").strip()
            return Remember(statement=what, subject=found["who"], this=not what, language=language)
        is_asked = not line.endswith("?") and _UNMEANT.search(line) is None
        if is_asked and (found := match(_OF_SOMEBODY, line)):
            return Remember(statement=found["what"].strip(), subject=found["who"].strip(), language=language)
        if is_asked and (found := match(_REMEMBER, line)):
            return Remember(statement=found["what"].strip(), language=language)
        if is_asked and _NOT_NOW.search(line) is None and (found := match(_FORGET, bare)):
            return _forget(found["what"].strip(), language)
        if found := match(_KNOW, bare):
            return Know(subject=found["who"].strip(), language=language)
        if match(_NO_JOKES, bare):
            return SetJokes(wanted=False, language=language)
        if match(_JOKES, bare):
            return SetJokes(wanted=True, language=language)
        if found := match(_ZONE, bare):
            return SetZone(name=found["zone"], language=language)
        if match(_MISSED, bare):
            return CatchUp(language=language)
        if match(_RESET, bare):
            return Reset(language=language)
        if match(_HELP, bare):
            return Help(language=language)
        if is_asked and (found := match(_OF_ONESELF, bare)):
            name = found["name"] or ""
            if found["what"] or name.casefold() not in _NO_NAMES:
                statement = found["what"] or _CALLED[language].format(name)
                return Remember(statement=statement.strip(), language=language)
    mended = _mended(line)
    return parse(mended) if mended != line else None


def _mended(line: str) -> str:
    """A line whose first word is a verb of a command with a slip of the finger, with the verb in its place."""
    first, blank, rest = line.partition(" ")
    word = first.casefold().rstrip(",:")
    blank = first[len(word) :] + blank
    if not rest or word in _VERBS or word in _NO_SLIPS or len(word) < 5:
        return line
    near = [verb for verb in _VERBS if OSA.distance(word, verb) <= (2 if len(verb) > 7 else 1)]
    return f"{near[0]}{blank}{rest}" if len(near) == 1 else line


def _forget(what: str, language: str) -> Forget:
    if number := _NUMBERED.fullmatch(what):
        return Forget(number=int(number[1]), language=language)
    for pattern in _EVERYTHING.values():
        if found := re.fullmatch(pattern, what, _FLAGS):
            return Forget(statement=found["who"], everything=True, language=language)
    return Forget(statement=what, language=language)
