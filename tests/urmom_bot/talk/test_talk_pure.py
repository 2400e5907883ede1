"""Words and people, without any AI."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import AuthorKind, Member
from memory.rules.calendar import zone_called
from urmom_bot.talk import Texts, addressed, guess_language, language_of, split
from urmom_bot.talk.commands import (
    Forget,
    Help,
    Know,
    Meant,
    Remember,
    SetJokes,
    SetZone,
    ShowPrivacy,
    TakeBack,
    Thanks,
)
from urmom_bot.talk.grammar import parse
from urmom_bot.talk.people import Resolved, alias, distinct, resolve_name, speaks_of_oneself, subject
from urmom_bot.talk.texts import bot_name, call_it
from urmom_bot.talk.zones import zone_name

BOT = 99


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Bot remember that gruzilkin is Sergey", "remember that gruzilkin is Sergey"),
        ("Bot, remember this about Florent", "remember this about Florent"),
        ("bot: help", "help"),
        ("BOT!", ""),
        ("hey bot, what's up", "what's up"),
        ("<@99> hello", "hello"),
        ("hello <@!99>, how are you", "hello , how are you"),
        ("привет, Bot, как дела", "как дела"),
        ("Bots are cool", None),
        ("Bot's down again", None),
        ("the Bot is down", None),
        ("robot dance", None),
        ("", None),
        ("<@98> remember", None),
        ("@everyone look", None),
    ],
)
def test_who_is_spoken_to(text: str, said: str | None) -> None:
    """By mention anywhere, by name at the start and as a word of its own; otherwise not."""
    assert addressed(text, BOT, ["Bot"]) == said


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("remember that gruzilkin is Sergey", Remember(statement="gruzilkin is Sergey")),
        ("please remember gruzilkin likes pizza.", Remember(statement="gruzilkin likes pizza.")),
        ("Remember that I have 2 cats", Remember(statement="I have 2 cats")),
        ("don't forget that Ann sings", Remember(statement="Ann sings")),
        ("remember this about Florent", Remember(statement="", subject="Florent", this=True)),
        ("remember this", Remember(statement="", this=True)),
        ("remember that", Remember(statement="", this=True)),
        ("remember", Remember(statement="")),
        ("remember this about Florent: he likes chess", Remember(statement="he likes chess", subject="Florent")),
        ("remember this: Ann likes tea", Remember(statement="Ann likes tea")),
        ("remember when we were young", None),
        ("remember that party?", None),
        ("remember that time bob sang", None),
        ("remember the time we sang", None),
        ("remember that time flies for bob", None),
        ("forget that, does bob like tea?", None),
        ("forget not that I like jazz", None),
        ("forget if bob likes chess", None),
        ("forget how bob likes chess", Forget(statement="how bob likes chess")),
        ("forget everything but that bob likes chess", None),
        ("forget all except that bob likes chess", None),
        ("forget neither that bob likes chess", None),
        ("forget that bob likes chess, said eve", None),
        ("forget that bob likes chess but keep it", None),
        ("forget that bob likes chess? haha", None),
        ("forget that bob likes chess, tomorrow", None),
        ("forget that bob likes chess, if eve asks", None),
        ("forget that bob likes chess when I die", None),
        ("forget about everything except that bob likes chess", None),
        ("forget please everything but that bob likes chess", None),
        ("forget about how I met Anna", Forget(statement="how I met Anna")),
        ("remember please who is there", None),
        ("forget that I have an exam tomorrow", Forget(statement="I have an exam tomorrow")),
        ("forget that I once lived in Paris", Forget(statement="I once lived in Paris")),
        ("forget that I get migraines when it rains", Forget(statement="I get migraines when it rains")),
        ("forget my IFTTT account", Forget(statement="my IFTTT account")),
        ("forget that Ifeoma is my boss", Forget(statement="Ifeoma is my boss")),
        ("forget what I said yesterday", Forget(statement="what I said yesterday")),
        ("remember that my doctor said no", Remember(statement="my doctor said no")),
        (
            "remember we meet on Sunday whether it rains or not",
            Remember(statement="we meet on Sunday whether it rains or not"),
        ),
        (
            "remember I have a snake and keep it in the bedroom",
            Remember(statement="I have a snake and keep it in the bedroom"),
        ),
        ("recuerda que odio la mentira", Remember(statement="odio la mentira", language="es")),
        ("remember that's what friends are for", None),
        ("remember that bob sings badly, just kidding", None),
        ("remember that bob sings badly /s", None),
        ("forget that I sing (jk)", None),
        ("recuerda que Ana canta mal, es broma", None),
        ("запомни, что Аня поёт плохо, шутка", None),
        ("запомни, как Аня поёт", None),
        ("remember that bob is kidding a lot", Remember(statement="bob is kidding a lot")),
        ("do you remember me", Know(subject="me", is_plain=False)),
        ("recuerda que Ana toca el chelo", Remember(statement="Ana toca el chelo", language="es")),
        ("recordá que vivo en Rosario", Remember(statement="vivo en Rosario", language="es")),
        ("recuerda esto sobre Ana", Remember(statement="", subject="Ana", this=True, language="es")),
        ("запомни, что Аня поёт", Remember(statement="Аня поёт", language="ru")),
        ("запомни это про Аню", Remember(statement="", subject="Аню", this=True, language="ru")),
        ("retiens que Anne chante", Remember(statement="Anne chante", language="fr")),
        ("souviens-toi qu'Anne chante", Remember(statement="Anne chante", language="fr")),
        ("retiens ceci à propos de Anne", Remember(statement="", subject="Anne", this=True, language="fr")),
        ("forget that gruzilkin likes pizza", Forget(statement="gruzilkin likes pizza")),
        ("forget about my allergy", Forget(statement="my allergy")),
        ("forget #12", Forget(numbers=(12,))),
        ("forget everything about me", Forget(statement="me", everything=True)),
        ("forget it all", ShowPrivacy()),
        ("olvida que Ana canta", Forget(statement="Ana canta", language="es")),
        ("olvida todo sobre mí", Forget(statement="mí", everything=True, language="es")),
        ("забудь, что Аня поёт", Forget(statement="Аня поёт", language="ru")),
        ("забудь №7", Forget(numbers=(7,), language="ru")),
        ("oublie que Anne chante", Forget(statement="Anne chante", language="fr")),
        ("what do you know about @user", Know(subject="@user")),
        ("what do you know about me?", Know(subject="me")),
        ("¿qué sabes de mí?", Know(subject="me", language="es")),
        ("что ты знаешь обо мне?", Know(subject="me", language="ru")),
        ("что ты помнишь о Сергее", Know(subject="Сергее", language="ru")),
        ("que sais-tu de Anne ?", Know(subject="Anne", language="fr")),
        ("no jokes about me", SetJokes(wanted=False)),
        ("you can joke about me again", SetJokes(wanted=True)),
        ("без шуток про меня", SetJokes(wanted=False, language="ru")),
        ("time zone Europe/Berlin", SetZone(name="Europe/Berlin")),
        ("help", Help()),
        ("помощь", Help(language="ru")),
        ("how are you?", None),
        ("who is Ann", Know(subject="Ann", is_plain=False)),
    ],
)
def test_documented_commands_need_no_ai(text: str, command: object) -> None:
    """The grammar understands what the help promises, in four languages, and leaves talk alone."""
    assert parse(text) == command


@given(st.text(max_size=300))
def test_any_text_is_parsed(text: str) -> None:
    """No text makes the grammar fail, or hang."""
    parse(text)
    addressed(text, BOT, ["Bot", text[:5]])


def member(user_id: int, name: str, *aliases: str, kind: AuthorKind = AuthorKind.MEMBER, **more: str) -> Member:
    return Member(
        guild_id=1,
        user_id=user_id,
        display_name=name,
        username=more.get("username", name.lower()),
        aliases=aliases,
        author_kind=kind,
    )


PEOPLE = {
    m.user_id: m
    for m in (
        member(1, "Ann"),
        member(2, "Sergey K", "Серёга", username="gruzilkin"),
        member(3, "Anna Maria"),
        member(4, "Florent"),
        member(5, "ann bot", kind=AuthorKind.BOT),
        member(6, "Max"),
        member(7, "max", username="max_power"),
    )
}
ANN = PEOPLE[1]


@pytest.mark.parametrize(
    ("name", "who"),
    [
        ("<@2>", 2),
        ("me", 1),
        ("мне", 1),
        ("@gruzilkin", 2),
        ("GRUZILKIN", 2),
        ("серёга", 2),
        ("Ann", 1),
        ("flo", 4),
        ("florend", 4),
        ("2", 2),
        ("“Florent”", 4),
        ("nobody", None),
        ("²", None),
        ("<@55>", None),
        ("", None),
    ],
)
def test_names_become_people(name: str, who: int | None) -> None:
    """Mention, id, any of the names, the start of one, a slip of the finger; a stranger is nobody."""
    found = resolve_name(name, ANN, PEOPLE)

    assert (found.member.user_id if found.member else None) == who


def test_an_ambiguous_name_asks_back() -> None:
    """Two of a name are never guessed between."""
    assert {m.user_id for m in resolve_name("max", ANN, PEOPLE).could_be} == {6, 7}
    assert resolve_name("max", ANN, PEOPLE).member is None


@pytest.mark.parametrize(
    ("statement", "who"),
    [
        ("gruzilkin is Sergey", 2),
        ("<@4> likes <@2>", 4),
        ("I have two cats", 1),
        ("I'm allergic to Florent", 1),
        ("my cat is called Florent", 1),
        ("Anna Maria sings", 3),
        ("Ann's birthday is in May", 1),
        ("yo vivo en Rosario", 1),
        ("у меня две кошки", 1),
        ("j'habite à Lyon", 1),
        ("the best cook here is Florent", 4),
        ("it is raining", None),
        ("Max has a boat", None),
        ("the deployment happens on Friday", None),
        ("у Florent есть кот", 4),
        ("annotations are hard", None),
        ("tomorrow I marry Florent", None),
        ("Серёга teaches Florent", None),
        ("a new server is coming", None),
    ],
)
def test_whom_a_statement_is_about(statement: str, who: int | None) -> None:
    """The one it starts with, the speaker, the only one it names; else nobody is guessed."""
    found = subject(statement, ANN, PEOPLE)

    assert (found.member.user_id if found.member else None) == who


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("gruzilkin is Sergey", "Sergey"),
        ("<@2> is Sergey.", "Sergey"),
        ("gruzilkin — это Сергей", "Сергей"),
        ("gruzilkin se llama Sergio", "Sergio"),
        ("gruzilkin is a baker", None),
        ("gruzilkin is tired", None),
        ("Sergey K is called Serge", "Serge"),
        ("gruzilkin likes Sergey", None),
        ("gruzilkin is He", None),
    ],
)
def test_names_that_a_statement_gives(statement: str, name: str | None) -> None:
    """ "X is Y" names X where Y is one capitalised word."""
    assert alias(statement, PEOPLE[2], PEOPLE[1]) == name


def test_a_statement_without_words_is_about_nobody() -> None:
    """Nor does it ask back."""
    assert subject("", ANN, PEOPLE) == Resolved()


@given(st.text(st.sampled_from("ab .\n`~#"), max_size=3_000), st.integers(60, 400))
def test_no_part_is_too_long_and_no_word_is_lost(text: str, limit: int) -> None:
    """Parts hold their limit, and every letter of the text is in them."""
    parts = split(text, limit)

    assert all(0 < len(part) <= limit for part in parts)
    assert "".join(re.sub(r"[\s`~]", "", part) for part in parts) == re.sub(r"[\s`~]", "", text)


def test_fences_are_kept_whole() -> None:
    """A block that must be cut is closed and opened again in its language."""
    code = "\n".join(f"print({n})" for n in range(60))
    parts = split(f"Look:\n```python\n{code}\n```\nDone.", 200)

    assert len(parts) > 3
    for part in parts:
        assert part.count("```") % 2 == 0, part
    assert all(part.startswith("```python\n") for part in parts[1:-1])


@pytest.mark.parametrize("text", ["```" + "a" * 1_992 + " " + "b" * 500, "```" + "a" * 3_000, "~~~" * 2_000])
def test_odd_fences_neither_hang_nor_overflow(text: str) -> None:
    """Whatever stands behind a fence, parts end and hold their limit."""
    assert all(len(part) <= 2_000 for part in split(text))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("what is going on here", "en"),
        ("¿qué pasa?", "es"),
        ("что происходит", "ru"),
        ("je ne sais pas qui est là", "fr"),
        ("日本語", "en"),
        ("", "en"),
    ],
)
def test_the_bots_own_words_follow_the_speakers_language(text: str, language: str) -> None:
    """Guessed from the text; English stands in for what has no catalogue."""
    assert guess_language(text) == language
    assert language_of("es-419") == "es"
    assert language_of("ja") == "en"
    assert Texts("ja")("jokes_off") == Texts("en")("jokes_off")
    assert json.dumps(Texts(language)("know_nothing", name="X"))


def test_two_people_with_one_name_are_told_apart() -> None:
    """In a prompt nobody speaks under another's name."""
    people = {1: member(1, "ann"), 2: member(2, "Ann", username="mallory"), 3: member(3, "Bob")}

    assert distinct(people) == {1: "ann (ann)", 2: "Ann (mallory)", 3: "Bob"}


@pytest.mark.parametrize("name", ["ann\u3164", "аnn", "ａｎｎ", "a\u00adnn", "ANN", "𝐚𝐧𝐧"])
def test_names_that_look_alike_are_told_apart(name: str) -> None:
    """A filler, a letter of another script, another width: each is shown with a username, which nobody else has."""
    people = {
        n: Member(guild_id=1, user_id=n, display_name=d, username=u) for n, d, u in ((1, "ann", "a"), (2, name, "eve"))
    }
    assert distinct(people) == {1: "ann (a)", 2: f"{name} (eve)"}


def test_what_is_no_person_is_called_what_it_is() -> None:
    """A webhook can take anybody's name and username."""
    people = {
        1: Member(guild_id=1, user_id=1, display_name="Ann", username="ann"),
        2: Member(guild_id=1, user_id=2, display_name="Ann", username="ann", author_kind=AuthorKind.WEBHOOK),
        3: Member(guild_id=1, user_id=3, display_name="dice", username="dice", author_kind=AuthorKind.BOT),
    }
    assert distinct(people) == {1: "Ann (ann)", 2: "Ann (ann, webhook)", 3: "dice (bot)"}


@pytest.mark.parametrize(
    ("statement", "language", "oneself"),
    [
        ("toco el violín", "es", True),
        ("soy enfermera", "es", True),
        ("no como carne", "es", True),
        ("vivo en Madrid", "es", True),
        ("la casa es grande", "es", False),
        ("Marco vive en Roma", "es", False),
        ("люблю чай", "ru", True),
        ("живу в Москве", "ru", True),
        ("Москва большая", "ru", False),
        ("nací el 5 de julio", "es", True),
        ("decidí usar vim", "es", True),
        ("fui cocinero", "es", True),
        ("café con leche para todos", "es", False),
        ("aquí no se fuma", "es", False),
        ("родился 5 июля", "ru", True),
        ("решила бросить курить", "ru", True),
        ("недавно женился", "ru", True),
        ("школа начинается в восемь", "ru", False),
        ("канал закрыт", "ru", False),
        ("go by tram", "en", False),
    ],
)
def test_languages_without_i_are_understood(statement: str, language: str, oneself: bool) -> None:
    """Spanish and Russian leave the pronoun out."""
    assert speaks_of_oneself(statement, language) is oneself


def test_a_former_name_finds_who_had_it() -> None:
    """After a rename people are found by the name they had; where somebody else has it now, it asks who is meant."""

    def known(user_id: int, name: str, *former: str) -> Member:
        return Member(guild_id=9, user_id=user_id, display_name=name, username=f"u{user_id}", former_names=former)

    ann, bob, cid = known(1, "Annika", "Ann", "Annie"), known(2, "Bob", "Annie"), known(3, "Ann")
    members = {1: ann, 2: bob}
    assert resolve_name("ann", bob, members).member == ann
    assert set(resolve_name("annie", bob, members).could_be) == {ann, bob}
    assert set(resolve_name("Ann", bob, {**members, 3: cid}).could_be) == {ann, cid}


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("My name is Katherine", "Katherine"),
        ("I'm called Kat", "Kat"),
        ("i go by Al these days", "Al"),
        ("меня зовут Катя", "Катя"),
        ("me llamo Ana María", "Ana María"),
        ("je m'appelle Luc", "Luc"),
        ("my name is", None),
    ],
)
def test_names_that_people_give_themselves(statement: str, name: str | None) -> None:
    """By their own word alone: said by another it names nobody."""
    assert alias(statement, ANN, ANN) == name
    assert alias(statement, PEOPLE[2], ANN) is None


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("remmeber that I like tea", Remember(statement="I like tea")),
        ("fogret that I like tea", Forget(statement="I like tea")),
        ("запомн что я люблю чай", Remember(statement="я люблю чай", language="ru")),
        ("member when we met", None),
        ("forgot my keys again", None),
        ("wat do u know about me", Know(subject="me")),
        ("call me Kat", Remember(statement="I am called Kat")),
        ("зови меня Катя", Remember(statement="меня зовут Катя", language="ru")),
        ("call me back tomorrow", None),
        ("call me back", None),
        ("my birthday is 3 May", Remember(statement="my birthday is 3 May")),
        ("is my birthday 3 May?", None),
        ("undo", TakeBack()),
        ("never mind", TakeBack(drop=True)),
        ("olvídalo", TakeBack(drop=True, language="es")),
        ("отмени это", TakeBack(language="ru")),
        ("laisse tomber", TakeBack(drop=True, language="fr")),
        ("no, I meant Bob", Meant(subject="Bob")),
        ("I meant to ask you something", None),
        ("thank you so much!", Thanks()),
        ("спасибо", Thanks(language="ru")),
        ("thanks for nothing, what is this?", None),
    ],
)
def test_words_with_slips_and_without_a_verb(text: str, command: object) -> None:
    """A slip of the finger, what people say of themselves, and what is said after something happened."""
    assert parse(text) == command


@pytest.mark.parametrize(
    ("asked", "shown"), [("Сергея", "Sergey"), ("Серёжу", "Серёжа"), ("Аню", "Anya"), ("Sergei", "Сергей")]
)
def test_a_name_is_known_in_other_letters_and_cases(asked: str, shown: str) -> None:
    """Of one alphabet written in another, and with the endings that languages put to it."""
    member = Member(guild_id=1, user_id=9, display_name=shown, username="xyz9")
    assert resolve_name(asked, ANN, {1: ANN, 9: member}).member == member


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Berlin", "Europe/Berlin"),
        ("new york", "America/New_York"),
        ("europe/paris", "Europe/Paris"),
        ("Москва", "Europe/Moscow"),
        ("на Москву", "Europe/Moscow"),
        ("Берлине", "Europe/Berlin"),
        ("Nueva York", "America/New_York"),
        ("Londres", "Europe/London"),
        ("UTC+3", "Etc/GMT-3"),
        ("gmt -11:00", "Etc/GMT+11"),
        ("UTC", "UTC"),
        ("bitte Berlin", "Europe/Berlin"),
        ("auf europe/berlin", "Europe/Berlin"),
    ],
)
def test_a_time_zone_is_found_by_what_people_call_it(said: str, name: str) -> None:
    """Its name, its city in any of the bot's languages, or hours from UTC, whose names have the other sign."""
    assert zone_called(zone_name(said)).key == name


@pytest.mark.parametrize("said", ["Atlantis", "UTC+99", "", "Berlin or so"])
def test_what_is_no_time_zone(said: str) -> None:
    with pytest.raises(ValueError, match="is not a time zone"):
        zone_called(zone_name(said))


def test_the_bot_is_called_by_a_name_in_the_letters_of_the_language() -> None:
    """Of those it has; by the first where none is."""
    try:
        for names, russian, english in (
            (["Bot", "Бот"], "Бот", "Bot"),
            (["Kim"], "Kim", "Kim"),
            (["Ким"], "Ким", "Ким"),
        ):
            call_it(names)
            assert (bot_name("ru"), bot_name("en")) == (russian, english)
            assert f"«{russian}»" in Texts("ru")("help")
    finally:
        call_it(["Bot", "Бот"])
