"""What is said after something was done: undo, never mind, I meant Bob; and whose "forget pizza" is."""

import pytest

from tests.builders import Clock, Opener, Server, query, served
from urmom_bot.stand_ins import GeminiStandIn
from urmom_bot.stand_ins.world import MANAGE_GUILD


@pytest.mark.parametrize("words", ["Bot undo", "Bot oops, wrong one", "Бот отмени это", "Bot, take that back please"])
async def test_what_was_just_remembered_is_undone_in_words(discord: Server, dsn: str, words: str) -> None:
    """By who had it remembered, in the same channel."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(ann, "Bot remember that I play the cello")
    await discord.ask(bob, words)
    assert await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")
    assert await discord.ask(ann, "Bot thanks!") != ""
    await discord.ask(ann, words)
    assert not await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")
    assert "Undone" not in await discord.ask(ann, "Bot undo")


async def test_what_was_just_forgotten_is_undone_in_words(discord: Server, dsn: str) -> None:
    """With the key that nobody else has, and for ten minutes."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I love pizza")
    await discord.ask(ann, "Bot forget pizza")
    assert not await query(dsn, "SELECT 1 FROM facts")
    await discord.ask(ann, "Bot undo")
    assert await query(dsn, "SELECT 1 FROM facts")
    await discord.ask(ann, "Bot forget pizza")
    discord.clock.on(minutes=11)
    await discord.ask(ann, "Bot undo")
    assert not await query(dsn, "SELECT 1 FROM facts")


@pytest.mark.parametrize("words", [["Bot never mind"], ["Bot forget chess", "Bot undo"]])
async def test_what_was_erased_does_not_come_back_by_the_way(discord: Server, dsn: str, words: list[str]) -> None:
    """Neither by "never mind", nor by an "undo" after another order; the button still stands."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I love pizza")
    await discord.ask(ann, "Bot forget pizza")
    for said in words:
        assert "Undone" not in await discord.ask(ann, said)
    assert not await query(dsn, "SELECT 1 FROM facts")


async def test_a_look_at_what_is_left_comes_before_undo(discord: Server, dsn: str) -> None:
    """Whoever deletes something, looks and regrets it gets it back by "undo"."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I love pizza")
    await discord.ask(ann, "Bot forget pizza")
    await discord.ask(ann, "Bot what do you know about me")
    await discord.ask(ann, "Bot undo")
    assert await query(dsn, "SELECT 1 FROM facts")


async def test_who_was_meant_is_said_afterwards(discord: Server, dsn: str) -> None:
    """What was stored of the wrong one is undone; a bare name answers the question whom it is about."""
    hand = discord.discord
    ann, bob, bobby = (hand.join(discord.guild, name) for name in ("ann", "bobcat", "bobolink"))
    for member in (bob, bobby):
        await discord.ask(member, "hello")
    await discord.ask(ann, "Bot remember that bobcat owns a kayak")
    await discord.ask(ann, "Bot no, I meant bobolink")
    rows = await query(dsn, "SELECT user_id FROM facts WHERE retired_at IS NULL")
    assert [row["user_id"] for row in rows] == [bobby.id]

    assert "bobcat" in await discord.ask(ann, "Bot what do you know about bob")
    assert "kayak" in await discord.ask(ann, "Bot bobolink")


async def test_meant_without_anything_before_is_talk(discord: Server) -> None:
    """And a name alone too."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot I meant bob")
    assert [asked.name for asked in discord.gemini.asked] == ["A reply"]


async def test_forget_is_about_who_says_it(opened: Opener, gemini: GeminiStandIn, clock: Clock, dsn: str) -> None:
    """Where nobody is named; a name that nobody has is asked after."""
    async with served(opened, gemini, clock, ai=False) as server:
        ann = server.discord.join(server.guild, "ann")
        await server.ask(ann, "Bot remember that I love pizza")
        assert "Zoltan" in await server.ask(ann, "Bot forget that Zoltan loves pizza")
        await server.ask(ann, "Bot forget pizza")
    assert not await query(dsn, "SELECT 1 FROM facts")
    assert not gemini.asked


async def test_whom_is_meant_takes_the_place_of_who_was_named(discord: Server, dsn: str) -> None:
    """In the words too, and of "my"; where the grammar cannot put it so, it asks to say it again, and keeps nothing."""
    ann, _, carla = (discord.discord.join(discord.guild, name) for name in ("ann", "bob", "carla"))
    await discord.ask(ann, "Bot remember that bob likes jazz")
    assert "carla likes jazz" in await discord.ask(ann, "Bot no, I meant carla")
    rows = await query(dsn, "SELECT user_id, value FROM facts WHERE retired_at IS NULL")
    assert [(row[0], row[1]) for row in rows] == [(carla.id, f"<@{carla.id}> likes jazz")]
    await discord.ask(ann, "Bot remember about bob: sings alto")
    assert "carla: sings alto" in await discord.ask(ann, "Bot no, I meant carla")
    await discord.ask(ann, "Bot my birthday is 3 May")
    assert "carla's birthday is 3 May" in await discord.ask(ann, "Bot no, I meant carla")
    await discord.ask(ann, "Bot remember that nobody but me liked the Bobby film")
    assert "say it again" in await discord.ask(ann, "Bot no, I meant carla")
    assert not [r for r in await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL") if "Bobby" in r[0]]


async def test_thanks_cost_nothing(discord: Server) -> None:
    """They get a friendly line, and no model is asked."""
    ann = discord.discord.join(discord.guild, "ann")
    assert await discord.ask(ann, "Bot thanks!") == "You're welcome!"
    assert not discord.gemini.asked


async def test_what_is_no_name_after_the_question_is_talk(discord: Server) -> None:
    """Whoever was asked whom they mean may as well go on with something else."""
    ann = discord.discord.join(discord.guild, "ann")
    assert "Who is that" in await discord.ask(ann, "Bot what do you know about Zoltan")
    assert "Who is that" not in await discord.ask(ann, "Bot how are you today")
    assert [asked.name for asked in discord.gemini.asked] == ["A reply"]


async def test_never_mind_in_private_is_talk(discord: Server) -> None:
    """Nothing is remembered there that could be taken back."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.discord.dm(ann, "never mind")
    await discord.settled()
    assert [asked.name for asked in discord.gemini.asked] == ["A reply"]


async def test_what_a_model_shortened_is_not_listed_besides(discord: Server) -> None:
    """What is known is told once, in sentences; the facts one by one wait behind the button, and are counted."""
    ann = discord.discord.join(discord.guild, "ann")
    for n in range(14):
        await discord.ask(ann, f"Bot remember that I own kiln number {n} in the long hall behind the harbour of Gdynia")
    told = await discord.ask(ann, "Bot what do you know about me")
    assert "#1 " not in told
    listed = sum(f"kiln number {n} " in told for n in range(14))
    assert f"… and {14 - listed} more things. *Who told me?* lists everything." in told
    assert "Who told me?" in discord.discord.sent[-1].buttons
    assert "Contexts" in [asked.name for asked in discord.gemini.asked] or "Facts as one text" in [
        asked.name for asked in discord.gemini.asked
    ]


PHONE = "Bot remember that my phone number is 07700 900123"


async def facts(dsn: str) -> list[str]:
    rows = await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL ORDER BY fact_id")
    return [row["value"].partition(" ")[2] for row in rows]


async def test_undo_after_a_confirmation_means_what_was_confirmed(discord: Server, dsn: str) -> None:
    """Not what was taught before it."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I play the tuba")
    await discord.ask(ann, PHONE)
    await discord.discord.press(ann, discord.general, discord.discord.sent[-1], "Keep it, only for me")
    assert len(await facts(dsn)) == 2
    told = await discord.ask(ann, "Bot undo")
    assert "Undone" in told
    assert "07700" not in told
    assert await facts(dsn) == ["plays the tuba"]


async def test_undo_says_what_it_undid(discord: Server) -> None:
    """In the words of what was told, unless somebody deleted them since."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot lol thx, remember that I play the tuba pls")
    assert await discord.ask(ann, "Bot undo") == "📌 Undone by ann: “I play the tuba”"
    await discord.ask(ann, "Bot remember that I play the cello")
    order = next(n for n, m in discord.general.messages.items() if "cello" in m["content"] and not m["author"]["bot"])
    await discord.discord.delete(discord.general, order)
    await discord.settled()
    assert "cello" not in await discord.ask(ann, "Bot undo")


async def test_undo_before_the_confirmation_drops_what_waits(discord: Server, dsn: str) -> None:
    """And leaves what was taught before; the button is of no use then."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I play the tuba")
    await discord.ask(ann, PHONE)
    waiting = discord.discord.sent[-1]
    assert await discord.ask(ann, "Bot undo") == "Okay, I won't keep it."
    await discord.discord.press(ann, discord.general, waiting, "Keep it, only for me")
    assert await facts(dsn) == ["plays the tuba"]


async def test_forget_that_means_what_was_confirmed_for_oneself_alone(discord: Server, dsn: str) -> None:
    """It goes, and nothing of it is shown in the channel."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I play the tuba")
    await discord.ask(ann, PHONE)
    await discord.discord.press(ann, discord.general, discord.discord.sent[-1], "Keep it, only for me")
    told = await discord.ask(ann, "Bot forget that")
    assert await facts(dsn) == ["plays the tuba"]
    assert "gone" in told
    assert "07700" not in told
    assert "one more" not in told


async def test_a_name_that_somebody_else_gives_waits_for_its_member(discord: Server) -> None:
    """The answer says so, and how they agree; nothing of it where they say it themselves, or it is no name."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    said = await discord.ask(ann, "Bot remember that bob is Robert")
    assert "“Robert” works for everyone once bob agrees" in said
    assert "once" not in await discord.ask(ann, "Bot remember that bob is a welder")
    assert "once" not in await discord.ask(bob, "Bot remember that bob is Bobby")


async def test_what_is_not_there_is_of_nobody_by_name(discord: Server) -> None:
    """The words may be of the speaker or of nobody the bot knows; of somebody named it says of whom."""
    ann, _ = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    assert await discord.ask(ann, "Bot forget that zed likes pizza") == "I don't have anything like that."
    assert (await discord.ask(ann, "Bot forget that bob likes pizza")).endswith("like that about bob.")


async def test_who_is_ignored_is_told_by_whom(discord: Server) -> None:
    """They did not ask for it themselves."""
    hand = discord.discord
    manager, bob = (hand.join(discord.guild, name) for name in ("sam", "bob"))
    discord.guild.roles[9], discord.guild.member_roles[manager.id] = MANAGE_GUILD, [9]
    await hand.slash(manager, discord.general, "memory-admin ignore", {"member": bob, "ignored": True})
    (said,) = await hand.slash(bob, discord.general, "memory remember", {"member": bob, "fact": "plays golf"})
    assert "manage this server told me to ignore you" in said.content


async def test_undo_means_what_a_slash_command_did_last(discord: Server, dsn: str) -> None:
    """Not what was typed before it; and where that can't be undone, nothing is."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember job: welder")
    await discord.ask(ann, "Bot remember that I love pizza")
    await discord.discord.slash(ann, discord.general, "memory forget-key", {"key": "job", "member": ann})
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 1
    assert "Undone" in await discord.ask(ann, "Bot undo")
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 2
    await discord.ask(ann, "Bot remember that I play the cello")
    panel = len(discord.discord.sent)
    await discord.discord.slash(ann, discord.general, "memory show", {"member": ann})
    await discord.discord.press(ann, discord.general, discord.discord.sent[panel], "#1 is still true")
    assert "Undone" not in await discord.ask(ann, "Bot undo")
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 3


async def test_a_choice_about_jokes_is_undone_in_words(discord: Server, dsn: str) -> None:
    """And what was stored before it stays."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I love pizza")
    await discord.ask(ann, "Bot no jokes about me")
    assert "no jokes about me" in await discord.ask(ann, "Bot undo")
    assert await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")
    assert not await query(dsn, "SELECT 1 FROM members WHERE NOT jokes")


async def test_a_time_zone_is_not_skipped_by_undo(discord: Server, dsn: str) -> None:
    """It can't be undone in words, and what was stored before it isn't undone instead."""
    boss = discord.discord.join(discord.guild, "boss")
    discord.guild.roles[9], discord.guild.member_roles[boss.id] = MANAGE_GUILD, [9]
    await discord.ask(boss, "Bot remember that I love pizza")
    await discord.ask(boss, "Bot time zone please Berlin")
    assert "Undone" not in await discord.ask(boss, "Bot undo")
    assert await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")


async def test_what_waits_is_dropped_before_anything_older_goes(discord: Server, dsn: str) -> None:
    """ "Don't save it" means what the bot asks about."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I love pizza")
    await discord.ask(ann, "Bot remember that I am diabetic")
    assert "won't keep it" in await discord.ask(ann, "Bot don't save it")
    assert await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")


@pytest.mark.parametrize(
    ("first", "correction"),
    [
        ("Bot remember that ann_k plays drums", "Bot no wait that was {}"),
        ("Bot merk dir dass ann_k Schlagzeug spielt", "Bot ne warte das war {}"),
        ("Bot recuerda que ann_k toca la batería", "Bot no, era {}"),
        ("Bot retiens que ann_k joue de la batterie", "Bot non, c'était {}"),
        ("Бот запомни, что ann_k играет на барабанах", "Бот нет, это был {}"),
    ],
)
@pytest.mark.parametrize("name", ["tim", "mia", "Felix", "jonas", "pedro"])
async def test_a_correction_does_not_depend_on_the_name(
    discord: Server, dsn: str, first: str, correction: str, name: str
) -> None:
    """The right one gets the fact, the wrong one loses it (the table in docs/for-members.md)."""
    bob, _, right = (discord.discord.join(discord.guild, who) for who in ("bob", "ann_k", name))
    await discord.ask(right, "hello")
    await discord.ask(bob, first)
    await discord.ask(bob, correction.format(name.lower()))
    rows = await query(dsn, "SELECT user_id FROM facts WHERE retired_at IS NULL")
    assert [row["user_id"] for row in rows] == [right.id]


@pytest.mark.parametrize(
    ("first", "correction", "right"),
    [
        ("Bot remember my exam is on december 12", "Bot no, the 13th", "exam is on december 13th"),
        ("Bot remember my sister visits on may 3", "Bot no wait, may 4th", "sister visits on may 4th"),
        ("Bot remember that I finish work at 5pm", "Bot sorry I meant 6", "work at 6pm"),
        ("Bot remember my train leaves may 16th", "Bot i meant 17", "train leaves may 17"),
        ("Bot merk dir, ich habe 3 Katzen", "Bot nein, 4", "4 Katzen"),
        ("Bot merk dir dass ich am 3. Mai umziehe", "Bot nein, am 4. Mai", "ich ziehe am 4. Mai um"),
        ("Bot recuerda que mi cumple es el 3 de mayo", "Bot perdón, el 4", "el 4 de mayo"),
        ("Bot retiens que je pars le 12 juin", "Bot non, le 13", "je pars le 13 juin"),
        ("Бот запомни что у меня экзамен 12 декабря", "Бот нет, 13-го", "13-го декабря"),
    ],
)
async def test_a_number_is_corrected(discord: Server, dsn: str, first: str, correction: str, right: str) -> None:
    """The fact has the right one, and the one with the wrong is gone."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, first)
    answer = await discord.ask(ann, correction)
    (value,) = await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL")
    assert right in value[0]
    assert right in answer


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ("Bot remember my exam is on december 12", "Bot what happens on the 13th?"),
        ("Bot remember I have 2 cats and 3 dogs", "Bot no, 4"),  # which?
        ("Bot remember I like tea", "Bot no, the 13th"),
        ("Bot what do you know about me", "Bot no, the 13th"),
        ("Bot remember my exam is on december 12", "Bot no, room 4 on december 13"),
        ("Bot remember my exam is on december 12", "Bot lol 13 people came to see it yesterday evening in town"),
    ],
)
async def test_another_number_corrects_nothing(discord: Server, dsn: str, first: str, said: str) -> None:
    """Where it is not clear which is wrong, or no correction."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, first)
    before = await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL")
    await discord.ask(ann, said)
    assert await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL") == before


@pytest.mark.parametrize(
    ("first", "correction", "right"),
    [
        ("Bot remember that I live in Riga", "Bot sorry, I live in Oslo", "lives in Oslo"),
        ("Bot remember that I like tea", "Bot no not tea, coffee", "likes coffee"),
        ("Bot remember that I like tea", "Bot not tea but coffee", "likes coffee"),
        ("Bot recuerda que soy de Guadalajara", "Bot no, quise decir que soy de Zapopan", "soy de Zapopan"),
        ("Bot recuerda que me gusta el té", "Bot no es té sino café", "gusta el café"),
        ("Бот запомни что я люблю суши", "Бот ой не суши а роллы", "люблю роллы"),
        ("Бот запомни что у меня кот барсик", "Бот нет у меня кот мурзик", "кот мурзик"),
        ("Bot retiens que mon chat s'appelle Biscotte", "Bot non mon chat s'appelle Brioche", "Brioche"),
        ("Bot retiens que je suis né le 12 mai", "Bot jme suis trompé je suis né le 13 mai", "le 13 mai"),
        ("Bot merk dir: ich trinke gern tee", "Bot nein nicht tee sondern kaffee", "kaffee"),
    ],
)
async def test_what_was_told_is_put_right(discord: Server, dsn: str, first: str, correction: str, right: str) -> None:
    """One fact is left, with the right words."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, first)
    await discord.ask(ann, correction)
    assert [right in row["value"] for row in await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL")] == [
        True
    ]


@pytest.mark.parametrize(
    "said",
    [
        "Bot no, I like coffee too",
        "Bot no, do you like tea?",
        "Bot no, the weather is bad",
        "Bot actually that is fine",
        "Bot I like jam",
        "Bot no, room 4 likes tea",
        "Bot not coffee but water",
    ],
)
async def test_other_words_put_nothing_right(discord: Server, dsn: str, said: str) -> None:
    """What is added, asked, about somebody else or not said to be wrong leaves the fact as it is."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I like tea")
    await discord.ask(ann, said)
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL AND value LIKE '% likes tea'")) == 1


@pytest.mark.parametrize(
    "said", ["Bot not tea but sk-ant-api03-abcdefghijklmnopqrstuvwx", "Bot not tea but my HIV test"]
)
async def test_what_cannot_be_put_right_stays(discord: Server, dsn: str, said: str) -> None:
    """If the right words may not be stored, or not without a question, the fact is as it was."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I am happy")
    await discord.ask(ann, said)
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL AND value LIKE '% is happy'")) == 1


async def test_a_correction_is_taken_back(discord: Server, dsn: str) -> None:
    """ "Undo" saves again what was told first; a second one takes that back too."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I like tea")
    await discord.ask(ann, "Bot not tea but coffee")
    assert "tea" in await discord.ask(ann, "Bot undo")
    (value,) = await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL")
    assert value[0].endswith("tea")
    await discord.ask(ann, "Bot undo")
    assert not await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL")


async def test_what_somebody_had_deleted_is_not_put_right(discord: Server, dsn: str) -> None:
    """Nor is anything three minutes later."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("annabel", "bobcat"))
    await discord.ask(bob, "hello")
    await discord.ask(ann, "Bot remember that bobcat likes tea")
    (number,) = await query(dsn, "SELECT fact_id FROM facts")
    await discord.ask(bob, f"Bot forget #{number[0]}")
    await discord.ask(ann, "Bot not tea but coffee")
    assert not await query(dsn, "SELECT value FROM facts")

    await discord.ask(ann, "Bot remember that I like tea")
    discord.clock.on(minutes=4)
    await discord.ask(ann, "Bot not tea but coffee")
    (value,) = await query(dsn, "SELECT value FROM facts")
    assert value[0].endswith("tea")


async def test_what_somebody_had_deleted_comes_back_by_no_undo(discord: Server, dsn: str) -> None:
    """Neither the fact as it was put right, nor as it was told first."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("annabel", "bobcat"))
    await discord.ask(bob, "hello")
    await discord.ask(ann, "Bot remember that bobcat likes tea")
    await discord.ask(ann, "Bot not tea but coffee")
    (number,) = await query(dsn, "SELECT fact_id FROM facts WHERE retired_at IS NULL")
    await discord.ask(bob, f"Bot forget #{number[0]}")
    await discord.ask(ann, "Bot undo")
    assert not await query(dsn, "SELECT value FROM facts")


async def test_what_was_kept_in_private_is_put_right_by_no_words_in_public(discord: Server, dsn: str) -> None:
    """It would be gone until they say yes again."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I am diabetic")
    await discord.ask(ann, "Bot yes")
    await discord.ask(ann, "Bot not diabetic but celiac")
    (value,) = await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL")
    assert "diabetic" in value[0]


async def test_what_is_about_nobody_is_not_taken_from_another(discord: Server, dsn: str) -> None:
    """ "That wasn't Bob" after a fact about the server changes nothing and says so."""
    ann, _ = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(ann, "Bot remember that bob likes tea")
    await discord.ask(ann, "Bot remember that the meeting is on Friday")
    assert "changed nothing" in await discord.ask(ann, "Bot no, that was bob")
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 2


@pytest.mark.parametrize(
    "question", ["Bot and about me?", "Bot et sur moi", "Bot y bob", "Bot and bob", "Бот а про меня"]
)
async def test_another_question_is_no_answer(discord: Server, dsn: str, question: str) -> None:
    """To the question whom a fact is about."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(bob, "hello")
    await discord.ask(ann, "Bot remember that zoe likes tea")
    await discord.ask(ann, question)
    assert not await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")


async def test_two_mentions_are_two_people(discord: Server, dsn: str) -> None:
    """Both are answered, and an undone order names them."""
    ann, bob, kim = (discord.discord.join(discord.guild, name) for name in ("ann", "bobcat", "kimono"))
    for who, what in ((bob, "tea"), (kim, "jam")):
        await discord.ask(who, f"Bot remember that I like {what}")
    answer = await discord.ask(ann, f"Bot what do you know about <@{bob.id}> and <@{kim.id}>")
    assert "tea" in answer
    assert "jam" in answer
    await discord.ask(ann, f"Bot remember that <@{bob.id}> likes rice")
    assert "@bobcat" in await discord.ask(ann, "Bot undo")


@pytest.mark.parametrize(
    "order",
    [
        "Bot delete everything I said",
        "Bot oublie tout ce que je t'ai dit",
        "Bot olvidate todo lo que te dije",
        "Bot efface tout ce que j'ai dit",
        "Бот сотри все что я тебе говорила",
        "Bot lösch alles was ich gesagt hab",
        "Bot arrête de retenir des choses sur moi",
        "Bot no te acuerdes más de mí",
        "Бот не надо меня запоминать",
        "Бот не запоминай меня больше",
    ],
)
async def test_all_of_mine_is_the_panels_to_delete(discord: Server, dsn: str, order: str) -> None:
    """Words alone delete nothing of it, and no single fact or message instead."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I like tea")
    message = await discord.ask(ann, order)
    assert "📌" not in message
    assert await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")
    (choice,) = await query(dsn, "SELECT count(*) FROM consents")
    assert choice[0] == 0


@pytest.mark.parametrize("words", ["Bot delete that", "Bot supprime ça", "Бот удали это"])
async def test_that_is_what_was_just_told_about_oneself(discord: Server, dsn: str, words: str) -> None:
    """Not an older fact of one's own; but if one wrote something since, that is meant."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("annabel", "bobcat"))
    await discord.ask(ann, "Bot remember that I like tea")
    await discord.ask(bob, f"Bot remember that <@{ann.id}> fears spiders")
    await discord.ask(ann, words)
    assert [row[0].split()[-1] for row in await query(dsn, "SELECT value FROM facts")] == ["tea"]

    await discord.ask(bob, f"Bot remember that <@{ann.id}> fears snakes")
    await discord.discord.say(ann, discord.general, "I had a long day at the harbour")
    await discord.ask(ann, words)
    assert [row[0].split()[-1] for row in await query(dsn, "SELECT value FROM facts")] == ["snakes"]


@pytest.mark.parametrize("words", ["Bot forget #{} and #{}", "Bot vergiss #{} und #{}", "Bot forget #{}, #{}"])
async def test_several_numbers_delete_several(discord: Server, dsn: str, words: str) -> None:
    """Up to three at once, with one Undo; what is not there or not theirs is not."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("annabel", "bobcat"))
    for what in ("rice", "jam"):
        await discord.ask(ann, f"Bot remember that I like {what}")
    first, second = [row[0] for row in await query(dsn, "SELECT fact_id FROM facts ORDER BY fact_id")]
    await discord.ask(bob, words.format(first, second))
    assert len(await query(dsn, "SELECT 1 FROM facts")) == 2
    answer = await discord.ask(ann, words.format(first, second))
    assert "rice" in answer
    assert "jam" in answer
    assert not await query(dsn, "SELECT 1 FROM facts")
    await discord.ask(ann, "Bot undo")
    assert len(await query(dsn, "SELECT 1 FROM facts")) == 2


async def test_one_candidate_is_a_question_about_it(discord: Server, dsn: str) -> None:
    """And no choice of one."""
    ann = discord.discord.join(discord.guild, "annabel")
    for what in ("I have a dog called rex", "I play chess"):
        await discord.ask(ann, f"Bot remember that {what}")
    assert "Should I forget this?" in await discord.ask(ann, "Bot forget my dog")


async def test_a_weekday_is_nobody(discord: Server) -> None:
    """A question what was said about it goes to the AI; one about a name that nobody has is asked back about."""
    ann = discord.discord.join(discord.guild, "annabel")
    assert "anyone called" not in await discord.ask(ann, "Bot what was said about Friday?")
    assert "anyone called" in await discord.ask(ann, "Bot what do you know about Freddie?")


@pytest.mark.parametrize(
    "said", ["bot forgot that my bike is red lol", "bot forgot what i said lol", "bot doesnt know who i am"]
)
async def test_a_forgetful_bot_is_no_order(discord: Server, dsn: str, said: str) -> None:
    """Nothing is deleted, even in the middle of a talk with it."""
    ann = discord.discord.join(discord.guild, "annabel")
    await discord.ask(ann, "Bot remember that my bike is red")
    await discord.discord.say(ann, discord.general, said)
    await discord.settled()
    assert await query(dsn, "SELECT 1 FROM facts")


@pytest.mark.parametrize(
    "denied",
    [
        "Bot do not delete everything I said",
        "Bot no borres todo lo que dije",
        "Bot no borres eso",
        "Bot efface pas ça",
        "Bot don't delete that",
        "Бот не удаляй все что я написала",
        "Bot lösch nicht alles was ich gesagt hab",
        "Bot remember everything I said",
    ],
)
async def test_what_is_not_to_be_deleted_stays(discord: Server, dsn: str, denied: str) -> None:
    """Neither a fact nor a message goes."""
    ann = discord.discord.join(discord.guild, "annabel")
    await discord.discord.say(ann, discord.general, "the harbour was cold today")
    await discord.ask(ann, "Bot remember that I like tea")
    await discord.ask(ann, denied)
    assert await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")
    assert await query(dsn, "SELECT 1 FROM chat_history WHERE message_text LIKE '%harbour%'")


async def test_one_fact_in_its_own_words_is_the_one_meant(discord: Server, dsn: str) -> None:
    """Others that begin alike are not asked about, in the first person as in the third."""
    ann = discord.discord.join(discord.guild, "ann")
    for what in ("rice", "jam"):
        await discord.ask(ann, f"Bot remember that I like {what}")
    await discord.ask(ann, "Bot forget that I like jam")
    assert [row[0].split()[-1] for row in await query(dsn, "SELECT value FROM facts")] == ["rice"]


@pytest.mark.parametrize("yes", ["Bot yes", "Bot yes please", "Bot sí", "Bot si dale", "Bot oui", "Bot ja", "Бот да"])
async def test_a_yes_keeps_what_waits(discord: Server, dsn: str, yes: str) -> None:
    """By words as by the button; before that, nothing is stored, and another question is no yes."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I am diabetic")
    await discord.ask(ann, "Bot ok what do you know about me?")
    assert not await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")
    await discord.ask(ann, "Bot remember that I am diabetic")
    answer = await discord.ask(ann, yes)
    assert "📌" in answer
    assert "diabetic" not in answer  # others read it
    rows = await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL")
    assert ["diabetic" in row["value"] for row in rows] == [True]


@pytest.mark.parametrize(
    "words",
    [
        "Bot that's not true, delete it",
        "Bot eso no es verdad, borralo",
        "Bot c faux efface le",
        "Бот это неправда, удали",
        "Bot das stimmt nicht, lösch das",
    ],
)
async def test_what_is_not_true_of_oneself_goes(discord: Server, dsn: str, words: str) -> None:
    """And not what one said last oneself."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.discord.say(ann, discord.general, "good morning everyone")
    await discord.ask(bob, "Bot remember that ann has a cat")
    assert "cat" in await discord.ask(ann, words)
    assert not await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")
    assert await query(dsn, "SELECT 1 FROM chat_history WHERE message_text = 'good morning everyone'")


@pytest.mark.parametrize(
    ("words", "told"),
    [("Bot never mind", "I keep what"), ("Bot olvidalo", "sigue guardado"), ("Bot vergiss es", "behalte ich")],
)
async def test_never_mind_says_what_stays(discord: Server, dsn: str, words: str, told: str) -> None:
    """Some mean that it is to go: an Undo stands beside it."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I love pizza")
    assert told in await discord.ask(ann, words)
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 1
    label = {"Bot never mind": "Undo", "Bot olvidalo": "Deshacer", "Bot vergiss es": "Rückgängig"}[words]
    await discord.discord.press(ann, discord.general, discord.discord.sent[-1], label)
    await discord.settled()
    assert not await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")


@pytest.mark.parametrize(
    "words", ["Bot ok what do you know about me", "Bot yes we should all go to the lake together", "Bot ok undo that"]
)
async def test_more_than_a_yes_is_no_yes(discord: Server, dsn: str, words: str) -> None:
    """Who goes on with something else has not answered."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I am diabetic")
    await discord.ask(ann, words)
    assert not await query(dsn, "SELECT 1 FROM facts WHERE value LIKE '%diabetic%'")


@pytest.mark.parametrize("where", ["long ago", "another channel", "before one's own"])
async def test_what_was_not_just_told_here_stays(discord: Server, dsn: str, where: str) -> None:
    """ "That's not true, delete it" reaches back ten minutes in this channel, and to the last fact first."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(ann, "hello")
    other = await discord.discord.open_channel(discord.guild, "other") if where == "another channel" else None
    await discord.ask(bob, "Bot remember that ann has a cat", **({"channel": other} if other else {}))
    if where == "long ago":
        discord.clock.on(minutes=11)
    if where == "before one's own":
        await discord.ask(ann, "Bot remember that I collect stamps")
    await discord.ask(ann, "Bot that's not true, delete it")
    rows = await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL")
    assert ["cat" in row["value"] for row in rows] == [True]


async def test_undo_means_what_was_asked_for_last(discord: Server, dsn: str) -> None:
    """Nothing older goes where that only asked back, or found nothing; the next "undo" reaches it."""
    ann = discord.discord.join(discord.guild, "ann")
    for ask in ("Bot remember that he owns a kayak", "Bot forget that I collect stamps"):
        await discord.ask(ann, "Bot remember that I love pizza")
        await discord.ask(ann, ask)
        await discord.ask(ann, "Bot undo")
        assert await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")
        assert "Undone" in await discord.ask(ann, "Bot undo")
        assert not await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")


async def test_jokes_about_others_are_theirs_to_refuse(discord: Server, dsn: str) -> None:
    """ "No jokes about Bob" changes nothing of one's own."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(bob, "hello")
    assert "No more jokes" not in await discord.ask(ann, "Bot no jokes about bob")
    assert "No more jokes" in await discord.ask(ann, "Bot no jokes about me")


async def test_a_message_is_no_fact(discord: Server, dsn: str) -> None:
    """ "Delete my last message" deletes that, and leaves the fact that was stored a moment ago."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that I love pizza")
    await discord.discord.say(ann, discord.general, "my secret plan is a boat")
    assert "my secret plan" in await discord.ask(ann, "Bot delete my last message")
    assert await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")


@pytest.mark.parametrize(
    "words", ["Bot it's about bobcat", "Bot about bobcat", "Бот это про bobcat", "Bot hablo de bobcat"]
)
async def test_the_question_whom_it_is_about_is_answered_in_a_few_words(discord: Server, dsn: str, words: str) -> None:
    """Not by what is known of them."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bobcat"))
    await discord.ask(bob, "hello")
    await discord.ask(ann, "Bot remember that he owns a kayak")
    await discord.ask(ann, words)
    rows = await query(dsn, "SELECT user_id FROM facts WHERE retired_at IS NULL")
    assert [row["user_id"] for row in rows] == [bob.id]


async def test_whom_a_russian_sentence_begins_with_is_whom_it_is_about(discord: Server, dsn: str) -> None:
    """In the dative too, and not the speaker."""
    kate, bob = (discord.discord.join(discord.guild, name) for name in ("катя", "боб"))
    await discord.ask(bob, "всем привет")
    await discord.ask(kate, "Бот запомни бобу нравится шаурма")
    rows = await query(dsn, "SELECT user_id FROM facts WHERE retired_at IS NULL")
    assert [row["user_id"] for row in rows] == [bob.id]


async def test_a_fact_in_another_form_is_offered_before_talk_goes(discord: Server, dsn: str) -> None:
    """ "Люблю" and "любит" are one word: the fact is offered, with a button, and nothing else is deleted."""
    kate, bob = (discord.discord.join(discord.guild, name) for name in ("катя", "боб"))
    await discord.ask(bob, "всем привет")
    await discord.ask(kate, "Бот запомни что боб любит сыр")
    before = len(discord.discord.sent)
    assert "боб любит сыр" in await discord.ask(bob, "Бот забудь что я люблю сыр")
    sent = discord.discord.sent[before]
    assert await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")
    await discord.discord.press(bob, discord.general, sent, next(label for label in sent.buttons if "#1" in label))
    assert not await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")


async def test_a_fact_about_the_server_is_told_without_a_colon(discord: Server, dsn: str) -> None:
    """By the words that it begins with, and by what people call the server."""
    ann = discord.discord.join(discord.guild, "ann")
    for said in (
        "Bot remember that raids are on thursdays",
        "Бот запомни для сервака: сбор в 8",
        "Bot merk dir: meeting ist am freitag",
    ):
        await discord.ask(ann, said)
    rows = await query(dsn, "SELECT user_id FROM facts WHERE retired_at IS NULL")
    assert len(rows) == 3
    assert all(row["user_id"] != ann.id for row in rows)


async def test_a_name_before_a_label_is_not_said_twice(discord: Server) -> None:
    """ "Ann: job: welder" has its heading."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember job: welder")
    assert (await discord.ask(ann, "Bot what do you know about me")).startswith("ann: job: welder")
