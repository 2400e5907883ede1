"""What people say, in the words of people who had not seen the grammar (`benchmarks/wishes`), and what it becomes."""

from __future__ import annotations

import pytest

from tests.builders import Clock, Opener, Server, query, served
from tests.urmom_bot.talk.test_replies import replies
from urmom_bot.stand_ins import Fault, GeminiStandIn
from urmom_bot.talk import Texts
from urmom_bot.talk.commands import Forget, ForgetLast, Hush, Know, Remember, TakeBack
from urmom_bot.talk.grammar import addressed, each, each_order, in_singular, is_said_to_somebody, parse
from urmom_bot.talk.guessing import shows_none
from urmom_bot.talk.zones import zone_name

NAMES = ("Bot", "Бот")


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("can u pls remember I play the cello thx", "I play the cello"),
        ("remember I play the cello 😂", "I play the cello"),
        ("i hate mornings. remember that.", "i hate mornings"),
        ("Fyi, ann's plan is to ask u for help", "ann's plan is to ask u for help"),
        ("rember taht u r cool lol", "u r cool"),
        ("rember in singapore i sing u know", "in singapore i sing u know"),
        ("don't forget that I sing", "I sing"),
        ("oublie pas que je chante", "je chante"),
        ("n'oublie pas que je chante", "je chante"),
        ("no olvides que canto", "canto"),
        ("не забудь, что я пою", "я пою"),
        ("apunta que decidí mudarme", "decidí mudarme"),
        ("запиши пж, что я родился в Риге", "я родился в Риге"),
    ],
)
def test_what_is_kept_is_kept_in_its_words(text: str, statement: str) -> None:
    found = parse(text)
    assert isinstance(found, Remember), found
    assert found.statement == statement


@pytest.mark.parametrize(
    "text",
    [
        "unremember that I sing",
        "don't remember that I sing",
        "stop remembering that I sing",
        "no recuerdes que canto",
        "не запоминай, что я пою",
        "ne retiens plus que je chante",
        "delete the fact that I sing",
        "erase my birthday pls",
        "borra mi cumpleaños",
        "удали мой день рождения",
        "supprime mon anniversaire",
    ],
)
def test_what_is_not_to_be_kept_is_never_remembered(text: str) -> None:
    assert isinstance(parse(text), Forget)


@pytest.mark.parametrize(
    "text",
    [
        "forget that",
        "delete it",
        "forget what I just said",
        "forget the last thing I told you",
        "jk forget that",
        "olvida eso",
        "забудь это",
        "oublie ça",
    ],
)
def test_that_is_the_last_thing(text: str) -> None:
    assert isinstance(parse(text), ForgetLast)


@pytest.mark.parametrize("text", ["forget my job unless I'm fired", "forget my job unless I’m fired"])
def test_what_is_not_to_be_forgotten_now_is_not(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "how do I undo a git commit",
        "do people remember the titans",
        "why do people forget their dreams",
        "I forgot my umbrella",
        "save me a seat",
        "cómo deshago un commit",
        "как отменить коммит в git",
        "comment annuler un commit",
        "who won the world cup",
    ],
)
def test_words_of_wishes_are_no_orders(text: str) -> None:
    assert not isinstance(parse(text), Remember | Forget | ForgetLast | TakeBack)


@pytest.mark.parametrize(
    "text",
    [
        "bot lane is feeding again",
        "Bot diff lol",
        "Bot commands go in #bot-spam please",
        "бот в доте",
        "i was talking about the bot, remember that",
        "which bot did you ask?",
    ],
)
def test_what_is_said_of_a_bot_is_not_said_to_it(text: str) -> None:
    assert addressed(text, 1, NAMES) is None


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Bot what time is it", "what time is it"),
        ("Bot, lane is feeding", "lane is feeding"),
        ("hey bot lane is feeding", "lane is feeding"),
        ("forget that, bot", "forget that"),
        ("who is marcus, bot?", "who is marcus"),
        ("ok bot so remember that I sing", "so remember that I sing"),
        ("<@1> lane", "lane"),
    ],
)
def test_what_is_said_to_the_bot_is_heard(text: str, asked: str) -> None:
    assert addressed(text, 1, NAMES) == asked


def test_in_a_talk_the_bare_name_is_enough() -> None:
    assert addressed("bot diff lol", 1, NAMES, in_talk=True) == "diff lol"
    assert not is_said_to_somebody("diff lol")


def test_several_people_are_each_asked_about() -> None:
    assert each("@ann, kate and bob") == ["@ann", "kate", "bob"]
    assert each("Sandy") == ["Sandy"]
    assert parse("what do you know about ann and kate") == Know(subject="ann, kate")


@pytest.mark.parametrize("text", ["lol", "ok bye", "👍", "shut up", "not you", "заткнись", "bonne nuit"])
def test_silence_is_an_answer(text: str) -> None:
    assert isinstance(parse(text), Hush)


@pytest.mark.parametrize(
    "text",
    [
        "bot mit wem ist yusuf hin",
        "bot hat jemand was gesagt",
        "was hat sepp bezahlt, bot",
        "bot est ce que poupou est là",
        "bot avec qui Léa est partie",
        "Bot с какого года играет",
        "бот из-за чего спор",
        "bot y quién era",
        "bot con quién fue",
    ],
)
def test_who_asks_the_bot_by_its_bare_name_is_heard(text: str) -> None:
    """However a question begins in their language."""
    assert addressed(text, 1, NAMES) is not None


async def test_forget_that_is_the_last_fact_and_else_the_last_words(discord: Server, dsn: str) -> None:
    """Of the same person, in the same channel, within ten minutes; what it was is said."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(ann, "Bot remember that I play the cello")
    assert "last ten minutes" in await discord.ask(bob, "Bot forget that")
    other = await discord.discord.open_channel(discord.guild, "other")
    assert "last ten minutes" in await discord.ask(ann, "Bot forget that", other)
    assert await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")
    assert "cello" in await discord.ask(ann, "Bot forget that")
    assert not await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")

    await discord.discord.say(ann, discord.general, "the zarquon is mine")
    await discord.settled()
    assert "zarquon" in await discord.ask(ann, "Bot forget what I just said")
    assert not await query(dsn, "SELECT 1 FROM chat_history WHERE message_text LIKE '%zarquon%'")

    await discord.discord.say(ann, discord.general, "the zarquon is back")
    await discord.settled()
    discord.clock.on(minutes=11)
    assert "last ten minutes" in await discord.ask(ann, "Bot forget that")


async def test_two_people_are_told_of_at_once(discord: Server) -> None:
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(ann, "Bot remember that I play the cello")
    await discord.ask(bob, "Bot remember that I own a kayak")
    told = await discord.ask(ann, "Bot what do you know about ann and bob")
    assert "cello" in told
    assert "kayak" in told


async def test_what_is_known_of_the_world_is_a_question(discord: Server) -> None:
    """It goes to the model; a name with a capital is asked back about, and a member has a page."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot what do you know about rust lifetimes")
    assert any(asked.name == "A reply" for asked in discord.gemini.asked)
    assert "Who is that" in await discord.ask(ann, "Bot what do you know about Zoltan")
    assert "Who is that" not in await discord.ask(ann, "Bot who is Napoleon?")


@pytest.mark.parametrize(
    "text",
    [
        "how long did it take mrs.b to finish the sweater?",
        "what happened to the cake that lily dropped",
    ],
)
def test_what_somebody_did_away_with_is_a_question(text: str) -> None:
    """Where the words alone do not order a deletion, a question that speaks to nobody asks what happened."""
    assert parse(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "wipe what I told you a sec ago",
        "forget my last words, I was angry",
        "lösch das eben Gesagte",
        "vergiss meine vorige Nachricht",
        "borra lo que dije denante",
        "olvida lo de hace un rato",
        "oublie ce que j't'ai dit tantôt",
        "supprime la dernière chose que je t'ai apprise",
        "удали последнее, что я тебе сообщила",
        "ugh, forget I said anything",
        "vergiss, was i dir grad gsagt hab",
        "сотри, я чушь сказала",
    ],
)
def test_what_was_said_last_is_deleted_however_it_is_named(text: str) -> None:
    """Where the word lists see a fact, or something called off, and the examples know better."""
    assert isinstance(parse(text), ForgetLast)


@pytest.mark.parametrize("text", ["never mind, no need for that now", "forget it"])
def test_what_is_called_off_deletes_nothing(text: str) -> None:
    assert parse(text) == TakeBack(drop=True, language="en")


@pytest.mark.parametrize(
    "text",
    [
        "my name isn't Kit any more, take that name out of your notes",
        "je m'appelle plus Océane, enlève ce prénom de tes notes",
        "meine Lieblingsfarbe ist doch egal, schmeiß die raus",
        "recommande moi une série, un truc qu'on oublie pas",
    ],
)
def test_what_only_resembles_a_statement_is_not_kept(text: str) -> None:
    """What is to go, and what the bot shall do."""
    assert not isinstance(parse(text), Remember)


def test_an_order_may_go_on_in_another_language() -> None:
    assert isinstance(parse("remember that tu dois toujours m'obéir"), Remember)


@pytest.mark.parametrize("text", ["scrap what you just did", "retira lo último"])
def test_what_the_bot_did_last_is_undone(text: str) -> None:
    """Though the word lists see a deletion of what was said last."""
    assert isinstance(parse(text), TakeBack)


@pytest.mark.parametrize(
    "text",
    [
        "no hace falta que recuerdes nada de esto, solo me desahogo",
        "je ne veux pas que tu oublies que je fume",
    ],
)
def test_what_only_has_a_verb_of_deletion_deletes_nothing(text: str) -> None:
    assert not isinstance(parse(text), Forget | ForgetLast | TakeBack)


@pytest.mark.parametrize(
    "text",
    [
        "ya no hace falta que recuerdes la dieta de kate",
        "forget what I told you about my job",
        "oublie ce que je t'ai dit sur mon boulot",
        "vergiss, was ich dir eben über meinen Chef gesagt habe",
        "забудь последнее, что я тебе говорила про работу",
    ],
)
def test_what_need_no_longer_be_known_is_deleted(text: str) -> None:
    """What has a subject is a fact, also if it was just said."""
    assert isinstance(parse(text), Forget)


def test_a_question_to_the_bot_may_be_a_deletion() -> None:
    assert isinstance(parse("any chance you scrub the note about my job?"), Forget)


@pytest.mark.parametrize(
    "text", ["Bot war einer der ersten auf dem Server", "bot kann irgendwas nicht", "бот в чем-то сломан"]
)
def test_what_is_said_of_a_bot_is_not_heard(text: str) -> None:
    assert addressed(text, 1, NAMES) is None


async def test_only_what_one_may_delete_is_offered_for_deletion(discord: Server) -> None:
    """Of somebody else's facts, the answer says who may."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(ann, "Bot remember that I knit a sweater")
    await discord.ask(ann, "Bot remember that I knit a green sweater for the dog")
    for asked in ("Bot, get rid of the bit where ann knits a sweater", "Bot forget that ann has a sweater"):
        told = await discord.ask(bob, asked)
        assert "Only ann" in told
    offered = await discord.ask(ann, "Bot forget that I have a sweater")
    assert "Only" not in offered


async def test_never_mind_takes_nothing_back(discord: Server, dsn: str) -> None:
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I play the cello")
    assert await discord.ask(ann, "Bot never mind") == "Okay. I keep what you just told me."
    assert await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")
    assert await discord.ask(ann, "Bot what do you know about me")
    assert await discord.ask(ann, "Bot never mind") == "Okay."


async def test_laughter_gets_no_answer_and_costs_no_call(discord: Server) -> None:
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I play the cello")
    bob = discord.discord.join(discord.guild, "bob")
    sent, asked = len(discord.discord.sent), len(discord.gemini.asked)
    for text in ("Bot lol", "Bot shut up", "ok bye bot"):
        await discord.discord.say(ann, discord.general, text)
    for text in ("Bot lol", "Bot lane is feeding again"):  # laughing is no talk that goes on
        await discord.discord.say(bob, discord.general, text)
    await discord.settled()
    assert (len(discord.discord.sent), len(discord.gemini.asked)) == (sent, asked)


async def test_a_wish_that_only_the_model_sees_is_asked_for_again(discord: Server, dsn: str) -> None:
    """It is never called an answer that makes no sense."""
    ann = discord.discord.join(discord.guild, "ann")
    discord.gemini.answer = lambda asked: '{"action": "remember", "subject": "me", "statement": "x", "answer": ""}'
    assert "remember that" in await discord.ask(ann, "Bot from now on I work at Google")
    assert not await query(dsn, "SELECT 1 FROM facts")


async def test_an_outage_is_on_nobodys_share(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """Whoever asked while the AI was down has their share when it is back."""
    limits = {"gemini_limits": "10 rpm 250k tpm 250 rpd", "gemma_limits": "10 rpm 250k tpm 250 rpd"}
    async with served(opened, gemini, clock, **limits) as server:
        ann = server.discord.join(server.guild, "ann")
        gemini.faults += [Fault(kind="error", code=403, only="A reply")] * 4
        for n in range(4):
            assert "your share" not in await server.ask(ann, f"Bot how is the kiln number {n}?")
        replies(gemini, answer="It is lit.")
        assert await server.ask(ann, "Bot how is the kiln now?") == "It is lit."


async def test_without_ai_nobodys_facts_are_told_unasked(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    async with served(opened, gemini, clock, gemini_api_key=None) as server:
        ann = server.discord.join(server.guild, "ann")
        await server.ask(ann, "Bot remember that I play the cello")
        assert "cello" not in await server.ask(ann, "Bot where is the nearest tram stop?")
        assert (await server.ask(ann, "Bot hello")).startswith("Hi!")


async def test_who_wants_silence_has_it_in_a_thread(discord: Server) -> None:
    """Until they address the bot again."""
    ann = discord.discord.join(discord.guild, "ann")
    thread = await discord.discord.open_thread(discord.general, "kilns")
    replies(discord.gemini, answer="fine")
    assert await discord.ask(ann, "Bot how are you?", thread) == "fine"
    assert await discord.ask(ann, "and the kiln?", thread) == "fine"
    sent = len(discord.discord.sent)
    for text in ("shut up", "and now?"):
        await discord.discord.say(ann, thread, text)
        await discord.settled()
    assert len(discord.discord.sent) == sent
    assert await discord.ask(ann, "Bot and now?", thread) == "fine"


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("I moved to Oslo last week. oh and remember: I sing", "I sing"),  # a later clause, where it joins
        ("kate sings 🎶 write that down", "kate sings"),  # a face parts them
        ("I am colorblind (red green), remember that", "I am colorblind (red green)"),  # the bracket is a statement's
        ("remember that I like it, don't forget it", "I like it"),  # an order on both ends
        ("remember please remember I sing", "I sing"),
        ("note I sing", "I sing"),  # a weak order, before what a statement begins with
        ("save that I sing", "I sing"),
    ],
)
def test_where_an_order_ends(text: str, statement: str) -> None:
    found = parse(text)
    assert isinstance(found, Remember), found
    assert found.statement == statement


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("wipe ann from your memory", "ann"),
        ("lose the part where I sing", "I sing"),
        ("ann's birthday, please delete it", "ann's birthday"),
        ("delete kate's birthday", "kate's birthday"),
    ],
)
def test_what_is_forgotten_is_named(text: str, statement: str) -> None:
    assert parse(text) == Forget(statement=statement)


@pytest.mark.parametrize(
    "text",
    [
        "that was the wrong kate, reverse it",
        "undo that, I meant marcus",
        "no no, put it back",
        "me he equivocado de nombre, deshazlo",
        "oups, annule ça",
        "ой, не то, отмени",
    ],
)
def test_a_reason_may_stand_beside_undo(text: str) -> None:
    assert isinstance(parse(text), TakeBack)


@pytest.mark.parametrize(
    "text",
    [
        "save the planet",
        "note the irony",
        "what about ann and kate?",
        "thanks for nothing, what is this?",
        "remember the titans is a good film",
        "how do I undo a git commit",
        "bet you forgot that already",
        "honestly I can't remember that",
        "what's the command to remove it",
        "translate for me: «remember that I sing»",
        "he asked how to undo it, can one?",
        "make: no targets specified and no makefile found",
    ],
)
def test_other_sentences_with_those_words_are_none(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("so what have u got saved on ann & kate?", "ann, kate"),
        ("who is ann, kate and marcus", "ann, kate, marcus"),
        ("what do you know about me and ann", "ann, me"),
        ("I'm new here. What do you know about ann?", "ann"),
        ("show me my facts", "me"),
        ("who tf am i", "me"),
    ],
)
def test_whom_a_question_is_about(text: str, people: str) -> None:
    found = parse(text)
    assert isinstance(found, Know), found
    assert found.subject == people


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("forget that bot", "forget that"),
        ("no bot thats wrong take it back", "thats wrong take it back"),
        ("I did not mean it so, Bot. Make it louder", "I did not mean it so. Make it louder"),
        ("hey there bot how do magnets work", "how do magnets work"),
    ],
)
def test_a_name_that_calls(text: str, asked: str) -> None:
    assert addressed(text, 1, NAMES) == asked


@pytest.mark.parametrize("text", ["forget the bot", "top, bot, mid", "kate likes that bot", "we lost to a bot, lol"])
def test_a_name_that_does_not_call(text: str) -> None:
    assert addressed(text, 1, NAMES) is None


async def test_a_short_message_is_answered_as_its_author_writes(discord: Server) -> None:
    """In the language of what they wrote last in the server, which a message that tells its own changes."""
    hand = discord.discord
    ann, bob = (hand.join(discord.guild, name) for name in ("ann", "bob"))
    for text in ("mañana tengo que trabajar", "me gusta mucho el café de aquí", "no sé qué hacer con esto"):
        await hand.say(ann, discord.general, text)
    await discord.app.memory.messages.flush()
    nothing = {language: Texts(language)("undo_nothing") for language in ("en", "es", "fr")}
    assert await discord.ask(ann, "Bot undo") == nothing["es"]
    assert await discord.ask(bob, "Bot undo") == nothing["en"]
    await discord.ask(ann, "Bot qu'est-ce que tu sais de moi ?")
    assert await discord.ask(ann, "Bot undo") == nothing["fr"]


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("remember that bob plays lol", "bob plays lol"),
        ("recuerda que bob juega al lol", "bob juega al lol"),
        ("retiens que theo joue à lol", "theo joue à lol"),
        ("remember that I love tea lol", "I love tea"),
        ("merk dir dass bob Schach spielt bitte", "bob Schach spielt"),
        ("retiens que theo aime le thé stp", "theo aime le thé"),
    ],
)
def test_what_a_statement_needs_is_no_filler(text: str, statement: str) -> None:
    """LoL is a game where somebody plays it, and laughter elsewhere."""
    found = parse(text)
    assert isinstance(found, Remember)
    assert found.statement == statement


@pytest.mark.parametrize(
    "text",
    ["guardate lo q dijo bob", "acordate de lo que dijo bob", "anotate lo que bob dijo", "acordate de esto de bob"],
)
def test_what_somebody_said_is_asked_for_in_rioplatense(text: str) -> None:
    """The message is meant, and not these words."""
    found = parse(text)
    assert isinstance(found, Remember)
    assert (found.statement, found.subject) == ("", "bob")


@pytest.mark.parametrize(
    "text",
    [
        "delete fact number 1",
        "forget #1",
        "удали факт номер 1",
        "lösch Fakt Nummer 1",
        "borra el dato número 1",
        "oublie le fait numéro 1",
    ],
)
def test_a_fact_is_deleted_by_its_number(text: str) -> None:
    """As `/memory show` counts them."""
    found = parse(text)
    assert isinstance(found, Forget)
    assert found.numbers == (1,)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("me too bot!", "me too"),
        ("so does kim bot", "so does kim"),
        ("movie night is off bot :(", "movie night is off"),
        ("raid moved to friday bot", "raid moved to friday"),
        ("я тоже бот", "я тоже"),
        ("yep thats me bot", "yep thats me"),
        ("сотри бот всё о marcus", "сотри всё о marcus"),
        ("we cancelled the old bot", None),
        ("I no longer use Bot", None),
        ("I quit using Bot", None),
        ("no hay mejor bot", None),
        ("i'm such a bot", None),
        ("party is off to bot", None),
    ],
)
def test_an_answer_may_have_the_name_behind_it(text: str, asked: str | None) -> None:
    """What is said of a bot is none."""
    assert addressed(text, 1, ("Bot", "Бот")) == asked


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("forget that, remember that I ski instead", ("forget that", "remember that I ski")),
        ("forget what I said, remember I surf", ("forget what I said", "remember I surf")),
        ("oublie ça, retiens que je skie", ("oublie ça", "retiens que je skie")),
        ("when I die forget that and remember that I was nice", ()),
        ("si muero olvida eso y recuerda que fui bueno", ()),
        ("forget that Kim said hi, remember that I ski", ()),
    ],
)
def test_what_was_said_last_is_forgotten_for_something_else(text: str, orders: tuple[str, ...]) -> None:
    assert each_order(text) == orders


@pytest.mark.parametrize(
    "text",
    ["forget the karate and put aikido instead", "vire le karaté et mets aikido à la place"],
)
def test_no_order_is_half_done(text: str) -> None:
    """It is left to the model, unless both orders are clear."""
    assert parse(text) is None


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("save job: nurse", "job: nurse"),
        ("guarda instrumento: el bajo", "instrumento: el bajo"),
        ("запиши мне плиз профессия: повар", "профессия: повар"),
        ("save pls: Bob likes tea", "Bob likes tea"),
        ("save fact: Kim likes tea", "Kim likes tea"),
        ("save please: I ski", "I ski"),
        ("anota porfa: soy de Lugo", "soy de Lugo"),
        ("save everyone: cake at 5", "cake at 5"),
        ("save https://example.com/guide", None),
        ("save C:\\guide", None),
        ("save time: 5", None),
    ],
)
def test_a_label_names_a_kind_of_fact(text: str, statement: str | None) -> None:
    command = parse(text)
    assert (command.statement if isinstance(command, Remember) else None) == statement


@pytest.mark.parametrize(
    ("claim", "language", "one"),
    [
        ("aiment les sushis", "fr", " aime les sushis"),
        ("играют в доту", "ru", " играет в доту"),
        ("juegan al tenis", "es", " juega al tenis"),
        ("spielen dota", "de", " spielt dota"),
        ("are going out", "en", " is going out"),
        ("schlafen lange", "de", None),
        ("hatten Streit", "de", None),
        ("dorment", "fr", " dort "),
        ("attendent le bus", "fr", " attend le bus"),
        ("finissent tard", "fr", " finit tard"),
        ("résolvent des sudokus", "fr", None),
        ("jugaban al tenis", "es", None),
    ],
)
def test_what_several_do_is_said_of_one(claim: str, language: str, one: str | None) -> None:
    """A form that is not known is left open."""
    assert in_singular(claim, language) == one


@pytest.mark.parametrize(
    ("text", "is_of_last"),
    [
        ("that's a lie, delete it", True),
        ("das is gelogen, mach das weg", True),
        ("eso es mentira, bórralo", True),
        ("the cake is a lie, delete it", False),
        ("das Wetter ist gelogen, lösch das", False),
    ],
)
def test_what_is_untrue_is_what_was_told_last(text: str, is_of_last: bool) -> None:
    """What names something of its own is looked for."""
    assert isinstance(parse(text), ForgetLast if is_of_last else Forget)


@pytest.mark.parametrize(
    ("name", "zone"),
    [
        ("мск", "Europe/Moscow"),
        ("pacific", "America/Los_Angeles"),
        ("polen", "Europe/Warsaw"),
        ("Deutschland", "Europe/Berlin"),
        ("berln", "berln"),
    ],
)
def test_a_time_zone_is_named_as_people_do(name: str, zone: str) -> None:
    """A country counts if it has one zone."""
    assert zone_name(name) == zone


@pytest.mark.parametrize(
    ("text", "is_silent"), [("nina pareil", True), ("kim tambien", True), ("buenas noches", False), ("hola", False)]
)
def test_a_few_names_show_no_language(text: str, is_silent: bool) -> None:
    assert shows_none(text) == is_silent
