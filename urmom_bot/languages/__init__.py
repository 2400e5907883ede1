"""The languages of the bot: a folder each, found by listing them.

A folder has `texts.ftl` (what the bot says), `privacy.md` (the text of PRIVACY.md), `vocabulary.toml` (the words of
what people ask for), `language.toml` (what else the bot knows of the language), and `examples.jsonl` (sentences with
what they ask for) with `weights.json`, which `python -m training` fits to them.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from operator import attrgetter
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict

DEFAULT = "en"
"""The language that stands in for any other."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Speaker(_Part):
    """How people speak of themselves. `name_is` and `first_person` are patterns."""

    subjects: tuple[str, ...] = ()
    """Words for oneself that a verb follows ("I")."""
    begins: tuple[str, ...] = ()
    """Words a statement about oneself begins with."""
    first_person: str = ""
    """A verb of the first person at the start of a statement, where the language leaves "I" out."""
    surely: tuple[str, ...] = ()
    """How such a verb ends, and hardly any noun that a statement begins with."""
    verbs: tuple[str, ...] = ()
    """Such verbs, whole, which tell of the speaker wherever they stand before a name."""
    verb_endings: tuple[str, ...] = ()
    """How a verb of the speaker's ends at the start of a statement, where hardly any other word does."""
    owning: tuple[str, ...] = ()
    """What stands between a thing and whose it is ("perro de Kim")."""
    has_said: str = ""
    """A pattern of what people call their own words ("I told you")."""
    everything: tuple[str, ...] = ()
    """Words before that, if they mean all of them."""
    name_is: tuple[str, ...] = ()
    """What stands before one's own name."""
    after_name: tuple[str, ...] = ()
    """What may follow it."""
    called: str
    """How somebody says what they are called; `{}` is the name."""


class PersonNames(_Part):
    """What tells a name from other words."""

    never: tuple[str, ...] = ()
    """Words that may stand capitalised where a name does."""
    before: tuple[str, ...] = ()
    """Words that may stand before the name that a statement begins with."""
    both: tuple[str, ...] = ()
    either: tuple[str, ...] = ()
    oneself: tuple[str, ...] = ()
    """Patterns of what stands between several names."""
    never_called: tuple[str, ...] = ()
    """Words after "call me" that are no name."""
    server: tuple[str, ...] = ()
    """How people name the server itself."""
    for_everyone: tuple[str, ...] = ()
    """What stands around a fact about the server ("the raid is on Friday, for everyone")."""
    things: tuple[str, ...] = ()
    """Words that a statement begins with that is about no person ("the meeting is on Friday")."""
    events: tuple[str, ...] = ()
    """Patterns of how a statement begins that is about an event with a name of its own ("quiz night is on Monday")."""
    messages: tuple[str, ...] = ()
    nouns_have_capitals: bool = False
    """Whether every noun has one, so that it shows no name."""


class Said(_Part):
    """How what is said to the bot tells itself from what is said of a bot."""

    opens: tuple[str, ...] = ()
    """Patterns of how it begins, where it is said to somebody."""
    tells_of_bots: tuple[str, ...] = ()
    """Patterns of how it begins, where the bot's name is part of what it is about ("bot lane", "bot feels")."""
    you: tuple[str, ...] = ()
    """Words by which somebody is spoken to."""
    not_after: tuple[str, ...] = ()
    compounds: tuple[str, ...] = ()
    """Patterns of what makes another thing of the bot's bare name before it ("bot lane")."""
    """Patterns of the word before a name that makes it somebody spoken of ("the bot")."""


class Requests(_Part):
    """The words around what a model wants kept or dropped, folded."""

    speakers: tuple[str, ...] = ()
    """Who says that they do it themselves ("I remember that …")."""
    asks_to_keep: tuple[str, ...] = ()
    denials: tuple[str, ...] = ()
    not_to_forget: tuple[str, ...] = ()
    polite: tuple[str, ...] = ()
    polite_questions: tuple[str, ...] = ()
    """How a question begins that is a request."""


def _phrases(written: object) -> object:
    """The phrases of a list, which is written with commas between them."""
    return tuple(filter(None, map(str.strip, written.split(",")))) if isinstance(written, str) else written


Phrases = Annotated[tuple[str, ...], BeforeValidator(_phrases)]


class ShortWords(_Part):
    """The words of a wish that tells nothing: one of its `heads`, or one of its `verbs` and one of its `objects`.

    Words of `also` and filler may stand beside them.
    """

    heads: Phrases = ()
    verbs: Phrases = ()
    objects: Phrases = ()
    also: Phrases = ()
    reasoned: Phrases = ()
    """Give it also where a reason stands before or behind ("that was the wrong kate, reverse it")."""


class QuestionWords(_Part):
    """The words of asking what is known of somebody."""

    heads: Phrases
    """Ask it and nothing else ("know about")."""
    soft: Phrases = ()
    """Ask it where they name somebody, and may begin any other question ("who is")."""
    own: Phrases
    """Name the speaker."""
    both: Phrases
    """Stand between several names."""
    words: Phrases
    """Stand beside those."""
    blockers: Phrases = ()
    """Make it another question ("what about")."""


class OrderWords(_Part):
    """The words of an order that tells something."""

    heads: Phrases
    """Give it, whatever follows ("remember")."""
    weak: Phrases = ()
    """Give it before a join, or before what a statement begins with ("save")."""
    cues: Phrases = ()
    """Announce a statement, and give no order behind one ("fyi")."""
    words: Phrases = ()
    """Stand between an order and its statement."""
    pronouns: Phrases = ()
    """Stand there too, or for a statement before the order ("this")."""
    all: Phrases = ()
    """Tell that everything about somebody is meant."""
    joins: Phrases = ()
    """Stand right before a statement ("that")."""
    closers: Phrases = ()
    """Give it behind a statement, with no sign between."""
    links: Phrases = ()
    """Stand between a statement and an order behind it ("and", "so")."""
    starts: Phrases = ()
    """What a statement begins with."""
    sources: Phrases = ()
    """Stand behind a statement, and make the weakest order one ("from your memory")."""
    blockers: Phrases = ()
    """Make it no order ("remember when")."""


class WordLists(_Part):
    """The words of what people say to the bot, as phrases."""

    filler: Phrases
    """Says nothing, and stands before or between what is said."""
    lead: Phrases
    """Asks somebody to do what follows ("can you")."""
    modal: Phrases = ()
    """Words that such asking is made of besides; with them it counts where somebody is spoken to."""
    tail: Phrases
    """Says nothing, and stands behind what is said."""
    unfinished: Phrases = ()
    """No sentence ends with these words: what stands behind one is said ("plays lol")."""
    naming: Phrases = ()
    """Nor with these, before what else is laughter ("my cat is called lol")."""
    you: Phrases = ()
    """Speak to somebody."""
    short: dict[str, ShortWords]
    know: QuestionWords
    orders: dict[str, OrderWords]

    @property
    def pronouns(self) -> tuple[str, ...]:
        """What stands for what was said ("forget that")."""
        return tuple(word for order in self.orders.values() for word in order.pronouns)


class Wishes(_Part):
    """What is said for each command: patterns of the whole message, with `who`, `what`, `name` and `zone` as groups.

    `%about%` and `%somebody%` stand for what the grammar reads as a person and what is said of them.
    """

    meant: tuple[str, ...]
    bare: tuple[str, ...]
    this: tuple[str, ...]
    of_somebody: tuple[str, ...]
    no_jokes: tuple[str, ...]
    jokes: tuple[str, ...]
    zone: tuple[str, ...]
    introducing: tuple[str, ...] = ()
    """With a `name` that counts if parents give it ("I'm Annie")."""
    zone_if_known: tuple[str, ...] = ()
    """As `zone`, where something else may be meant: it counts for names that zones have."""
    missed: tuple[str, ...]
    reset: tuple[str, ...]
    help: tuple[str, ...]
    settings: tuple[str, ...] = ()
    """Asks for the server's settings, or for a change of one ("turn off the recap")."""
    of_oneself: tuple[str, ...]
    called: tuple[str, ...] = ()


class Clauses(_Part):
    """How a language tells something in a clause whose verb stands last."""

    openings: tuple[str, ...]
    """Patterns of the words before it ("dass")."""
    joint: str
    """The word between two subjects."""
    articles: tuple[str, ...]
    """Words that a subject of two words begins with."""
    plurals: tuple[str, ...]
    """Words that begin a subject of several."""
    one: str
    """The verbs of one person, as they stand at its end."""
    several: str
    """Those of several."""
    prefixes: tuple[str, ...]
    """What parts from a verb."""
    parting: tuple[str, ...]
    """More verbs that something parts from."""
    speaker: str
    """The word by which somebody speaks of themselves."""
    own_endings: tuple[str, ...]
    """How any verb ends that follows it."""
    other_endings: tuple[str, ...]
    """How any verb ends that follows somebody's name."""
    within: tuple[str, ...]
    """Words of a clause that has another in it ("wenn"), and of a subject that is no name ("jeder")."""
    leading: tuple[str, ...]
    """Words that begin what is no subject ("am Montag")."""


class GrammarWords(_Part):
    """The commands in plain words, as patterns."""

    shorts: dict[str, str] = {}
    """Words of a command as people shorten them."""
    parts: dict[str, str] = {}
    """What several patterns have in common, by the name that stands for it between two `%`."""
    fact: tuple[str, ...]
    """What a fact is called before its number."""
    verbs: tuple[str, ...]
    """The first words of commands that are understood with a slip of the finger."""
    no_slips: tuple[str, ...]
    """Words much like those that are others."""
    unmeant: tuple[str, ...] = ()
    """How somebody ends what they do not mean, or tell of another. `%end%` and `%close%` end a message."""
    not_now: tuple[str, ...] = ()
    """How somebody ends who wants something forgotten later, on a condition, or not after all."""
    interjections: tuple[str, ...] = ()
    """Patterns of what says nothing beside a word that corrects or objects ("no wait", "haha no way")."""
    correcting: tuple[str, ...] = ()
    """Patterns of what opens a correction ("no", "sorry")."""
    meaning: tuple[str, ...] = ()
    """Patterns of what opens what somebody meant ("I meant")."""
    third_persons: dict[str, str] = {}
    """Words for somebody who was just named, each with the verb that it holds ("she's" holds "is")."""
    tastes: tuple[str, ...] = ()
    """Verbs of what somebody likes, of which one may be said in the place of another ("I hate cats")."""
    third_asked: tuple[str, ...] = ()
    """Words for who was named that stand for them in a question alone ("qué sabes de el")."""
    personal: tuple[str, ...] = ()
    """Verbs that tell of a person though none is named ("tiene un perro"), in a language that leaves them out."""
    impersonal: tuple[str, ...] = ()
    """Patterns of statements that begin with such a word, and mean nobody who was named ("il pleut")."""
    third_objects: tuple[str, ...] = ()
    """Words for them that aren't the subject ("about her")."""
    third_owners: dict[str, str] = {}
    """Words for what is theirs, each with how a name stands in its place; empty where that takes more than a word."""
    adding: tuple[str, ...] = ()
    """What opens something told besides what was told just now ("and")."""
    besides: tuple[str, ...] = ()
    """Patterns of words that say so anywhere in it ("also")."""
    leaves_out_subjects: bool = False
    """Whether a statement may have no subject but in its verb."""
    closing: tuple[str, ...] = ()
    """Patterns of what closes a correction without a comma ("it's Tuesday actually")."""
    pointing: tuple[str, ...] = ()
    """Patterns of "it is", before what something is instead ("no, it's Tuesday")."""
    before_days: tuple[str, ...] = ()
    """Words before the day of a month ("le 14")."""
    relative: tuple[str, ...] = ()
    """Words before a day that make it another one ("next Monday", "every Monday")."""
    has_cases: bool = False
    """Whether a noun ends in another way where its case changes."""
    moving: tuple[str, ...] = ()
    """Patterns of a plan that is moved, with the groups `what` and `new` ("the raid moved to Friday").

    The group is `now` where a bare number may be the clock or an age ("the raid is at 9 now").
    """
    cancelling: tuple[str, ...] = ()
    """Patterns of a plan that is off, with the group `what` ("dinner is cancelled")."""
    renewing: tuple[str, ...] = ()
    """The same without the plan ("it moved to Tuesday")."""
    instead: tuple[str, ...] = ()
    """Patterns of "not tea but coffee", with the groups `old` and `new`."""
    rather: tuple[str, ...] = ()
    """Patterns of "coffee, not tea", which are talk without a word that corrects."""
    light: tuple[str, ...] = ()
    """Words that many statements begin with, whatever they are about ("I have a")."""
    before_hours: tuple[str, ...] = ()
    """Words that an hour stands behind ("at 5")."""
    beside_numbers: tuple[str, ...] = ()
    """Words beside a corrected number that say nothing else ("the")."""
    also: tuple[str, ...] = ()
    """Words by which something is added and not corrected."""
    clauses: Clauses | None = None
    """How statements are told in clauses, where their verb then stands last."""
    kept: tuple[str, ...] = ()
    """Patterns of orders to delete nothing ("don't forget that")."""
    last_said: tuple[str, ...] = ()
    """Patterns that a deletion's words begin with where it means the last thing somebody said ("my last message")."""
    joking: tuple[str, ...] = ()
    """Patterns of what takes back what somebody just told, as a joke."""
    objecting: tuple[str, ...] = ()
    """Patterns of what says that something just saved is wrong, or is to go."""
    forgot: tuple[str, ...] = ()
    """Patterns of how somebody says, with accents, that they forgot something themselves."""
    told_ends: tuple[str, ...] = ()
    """Patterns of the verb that stands behind whom it is about ("was Kim über mich gesagt hat")."""
    told_about: tuple[str, ...] = ()
    """Patterns of the words between "everything" and whom somebody told it about ("I told you about")."""
    told_by: tuple[str, ...] = ()
    """Patterns of all that somebody told, with the group `who` ("Kim told you")."""
    likewise: tuple[str, ...] = ()
    """Patterns of "so does Bob", with the group `who`: what was just told holds of them as well."""
    likewise_me: tuple[str, ...] = ()
    """Patterns of "same here": what was just told holds of whoever says it."""
    interrupting: tuple[str, ...] = ()
    """Patterns of what opens second thoughts (", wait"), with the sign before it."""
    needless: tuple[str, ...] = ()
    """Patterns of what says that something need not be done ("you don't need to remember this")."""
    confirming: tuple[str, ...] = ()
    """Patterns of "yes, that's me", said after somebody else told something about the speaker."""
    agreeing: tuple[str, ...] = ()
    """Patterns of a mere yes, which agrees to a name."""
    thinking: tuple[str, ...] = ()
    """Verbs of such a denial that deny no fact ("I don't know")."""
    denying: tuple[str, ...] = ()
    """Patterns of "no, I don't sing", with the group `verb`."""
    vocatives: tuple[str, ...] = ()
    """Words by which somebody is spoken to, or which say nothing behind a comma ("mate", "sadly")."""
    fixed: tuple[str, ...] = ()
    """Words that make a set phrase with a preposition before them ("in general")."""
    bringing_back: tuple[str, ...] = ()
    """Patterns of "put it back" and "redo that"."""
    insisting: tuple[str, ...] = ()
    """Words by which an order is given again after all ("yes, delete it")."""
    restoring: tuple[str, ...] = ()
    """Patterns of words that ask for something back, whatever they name."""
    meant_oneself: tuple[str, ...] = ()
    """Patterns of "it was me", said after something was told about somebody else."""
    all_listed: tuple[str, ...] = ()
    """Patterns of "both" and "all of them": all that was listed a moment ago."""
    instead_bare: tuple[str, ...] = ()
    """Patterns of such pairs without a word that says so: both have an article, or neither ("tea no, coffee")."""
    sounding: dict[str, str] = {}
    """Words that are others before a vowel, each with that ("a": "an")."""
    sounding_otherwise: tuple[str, ...] = ()
    """Patterns of words that begin with another sound than their first letter ("unicycle", "hour")."""
    elided: tuple[str, ...] = ()
    """Words that are others before a vowel ("du": "de l'")."""
    singular: tuple[tuple[str, str], ...] = ()
    """Patterns of verbs as several people do something, each with what replaces it for one; the first that fits."""
    subject_words: tuple[str, ...] = ()
    """What stands before whom or what something is about ("about")."""
    together: tuple[str, ...] = ()
    """Words of several people that are left out where the same is of one ("both")."""
    stating: tuple[str, ...] = ()
    """Patterns of a verb behind its subject, or of a word that stands before it, as in "Kim never sings"."""
    behind_is: tuple[str, ...] = ()
    """Words behind an "is" or "has" that is drawn to the name before it ("Kim's got a cat")."""
    contrasting: tuple[str, ...] = ()
    """Words that stand between two statements, as "and" does."""
    clause: tuple[str, ...] = ()
    """Words of `that` which open a clause and are no article."""
    reporting: tuple[str, ...] = ()
    """Patterns of words by which somebody says, thinks or hopes what follows, and of "if"."""
    saying: tuple[str, ...] = ()
    """Patterns of verbs that are followed by somebody's own words ("told")."""
    pronouns: tuple[str, ...] = ()
    """Words for somebody or something that was named before: "he", "it"."""
    beside_ordinals: tuple[str, ...] = ()
    """Words that may stand beside "first" where it is one of several: "the", "one"."""
    objecting_for: tuple[str, ...] = ()
    """Patterns of "not me, just Bob", which names a member."""
    ordinals: tuple[str, ...] = ()
    """Patterns of "first", "second" and so on, in order."""
    last_listed: tuple[str, ...] = ()
    """Patterns of "last", of several that were listed."""
    middle_listed: tuple[str, ...] = ()
    """Patterns of "middle"."""
    amounts: tuple[str, ...] = ()
    """Patterns of "two", "three" and so on, in order."""
    days: str = ""
    """The days of a month in words, from the first, with commas between them."""
    further: tuple[str, ...] = ()
    """Words that open another question ("and bob?")."""
    then: tuple[str, ...] = ()
    """Words that open another order ("and then forget …")."""
    in_place: tuple[str, ...] = ()
    """What stands behind the verb of an order that comes in place of another ("mejor")."""
    in_exchange: tuple[str, ...] = ()
    """What stands at the end of one ("instead")."""
    placeholders: tuple[str, ...] = ()
    """What a fact is called behind what it is about ("the bus one")."""
    on_a_day: str = "{}"
    """A day of the month in the place of a weekday ("the 21st")."""
    catching_up: tuple[str, ...] = ()
    """Words by which people ask what they missed, also since a day."""
    day_of_month: str = ""
    """A pattern of such a day, as it is no hour."""
    before_weekdays: tuple[str, ...] = ()
    """What stands before a weekday, and before no day of the month."""
    saving: tuple[str, ...] = ()
    """Verbs of an order to keep a kind of fact and its value ("save my job: nurse")."""
    dependent: tuple[str, ...] = ()
    """Patterns of words behind which "and forget …" may belong to the fact ("people who drink and forget …")."""
    that: tuple[str, ...] = ()
    """Words between an order and what it tells ("remember that …")."""
    wishes: Wishes


class Language(_Part):
    """A language, as its folder has it."""

    code: str
    """Its code of two letters, the name of its folder."""
    name: str
    """What it calls itself."""
    confirmation: str
    """The word that is typed before anything is erased."""
    letters: str = ""
    """Letters that only it has, as in a pattern's brackets."""
    signs: str = ""
    """Signs that only it has, among letters that others have too."""
    common: tuple[str, ...] = ()
    """Words by which a short message tells its language."""
    greetings: tuple[str, ...] = ()
    """Patterns of what may stand before the bot's name."""
    asking: tuple[str, ...] = ()
    """Patterns of the words a question begins with."""
    time_zones: dict[str, str] = {}
    """What people call time zones besides cities and countries ("pacific"), each with the zone's name."""
    address: Said = Said()
    speaker: Speaker
    names: PersonNames
    requests: Requests
    grammar: GrammarWords
    vocabulary: WordLists

    @property
    def texts(self) -> str:
        """Its catalogue of texts, in Fluent."""
        return _read(self.code, "texts.ftl")

    @property
    def privacy(self) -> str:
        """The text of PRIVACY.md."""
        return _read(self.code, "privacy.md").strip()


def _read(code: str, name: str) -> str:
    return (files(__name__) / code / name).read_text(encoding="utf-8")


@cache
def languages() -> dict[str, Language]:
    """Every language by its code, the default one first. Raises ValueError where a folder's file is wrong."""
    found = (folder.name for folder in files(__name__).iterdir() if _is_language(folder.name))
    codes = sorted(found, key=lambda code: (code != DEFAULT, code))
    return {code: Language.model_validate(_data(code)) for code in codes}


def _data(code: str) -> dict[str, Any]:
    """What the files of a language's folder say."""
    words = tomllib.loads(_read(code, "vocabulary.toml"))
    return {**tomllib.loads(_read(code, "language.toml")), "code": code, "vocabulary": words}


def _is_language(name: str) -> bool:
    return len(name) == 2 and (files(__name__) / name / "language.toml").is_file()


@cache
def collect(part: str) -> tuple[str, ...]:
    """What all languages have of a list, named by its path ("speaker.begins")."""
    return tuple(word for language in languages().values() for word in attrgetter(part)(language))
