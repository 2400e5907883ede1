"""Facts about the server itself, which are about no person (seed 000)."""

import pytest

from tests.builders import Server, query
from tests.urmom_bot.page.test_page import promoted, room
from urmom_bot.stand_ins.world import MANAGE_MESSAGES
from urmom_bot.talk.people import is_about_no_person, is_server

MEETING = "the meeting is on Friday at 8"


async def test_what_is_about_no_person_is_kept_for_the_server(discord: Server, dsn: str) -> None:
    """Seed 000: "the meeting is on Friday", "asyncio.Queue is thread-safe". Others find it and see who told it."""
    hand = discord.discord
    ann, bob = hand.join(discord.guild, "ann"), hand.join(discord.guild, "bob")
    got = "📌 Got it, for the whole server: "
    assert await discord.ask(ann, f"Bot remember that {MEETING}") == got + MEETING
    assert await discord.ask(ann, "Bot remember that asyncio.Queue is thread-safe") == (
        got + "asyncio.Queue is thread-safe"
    )
    (row,) = await query(dsn, "SELECT user_id, stated_by, guild_id FROM facts WHERE value = $1", MEETING)
    assert tuple(row) == (discord.guild.id, ann.id, discord.guild.id)

    known = await discord.ask(bob, "Bot what do you know about this server?")
    assert known.startswith(f"What I know about **{discord.guild.name}**") or discord.guild.name in known
    assert MEETING in known
    assert "asyncio.Queue" in known
    (details,) = await hand.press(bob, discord.general, hand.sent[-1], "Who told me?")
    assert f"told by <@{ann.id}>" in details.content
    assert f"<@{discord.guild.id}>" not in details.content + known
    assert "Friday" not in await discord.ask(bob, "Bot what do you know about ann")

    await discord.ask(bob, "Bot when is the meeting?")
    assert MEETING in str(discord.gemini.asked[-1])


async def test_an_unknown_name_is_asked_about_and_a_press_keeps_it_for_the_server(discord: Server, dsn: str) -> None:
    """Nobody is guessed: "Python 3.15 is out" may be about somebody of that name."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    assert "Who is that about" in await discord.ask(ann, "Bot remember that Zork 3 is out")
    assert not await query(dsn, "SELECT 1 FROM facts")
    (kept,) = await hand.press(ann, discord.general, hand.sent[-1], "It's about the server")
    assert kept.content == "📌 Got it, for the whole server: Zork 3 is out"
    (row,) = await query(dsn, "SELECT user_id FROM facts")
    assert row["user_id"] == discord.guild.id
    await hand.press(ann, discord.general, hand.sent[-1], "Undo")
    assert not await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")
    await discord.ask(ann, "Bot remember that Zork members meet on Friday")  # it would be asked about, were it sure
    (kept,) = await hand.press(ann, discord.general, hand.sent[-1], "It's about the server")
    assert kept.content == "📌 Got it, for the whole server: Zork members meet on Friday"


async def test_the_server_answers_the_question_whom(discord: Server, dsn: str) -> None:
    """What is asked back can also be answered in words."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that zork is green")
    assert await discord.ask(ann, "Bot the server") == "📌 Got it, for the whole server: zork is green"
    (row,) = await query(dsn, "SELECT user_id FROM facts")
    assert row["user_id"] == discord.guild.id
    for told in ("about the server: Monday is cake day", "server mascot: a capybara", "for this server: be on time"):
        assert "for the whole server" in await discord.ask(ann, f"Bot remember {told}")
    values = [row["value"] for row in await query(dsn, "SELECT value FROM facts ORDER BY fact_id")]
    assert values == ["zork is green", "Monday is cake day", "server mascot: a capybara", "be on time"]


async def test_who_may_forget_what_is_about_the_server(discord: Server, dsn: str) -> None:
    """Its teller and moderators; nobody else. One's own fact goes first where the words may mean either."""
    hand = discord.discord
    ann, bob = hand.join(discord.guild, "ann"), hand.join(discord.guild, "bob")
    await discord.ask(ann, f"Bot remember that {MEETING}")
    await discord.ask(bob, f"Bot forget that {MEETING}")
    assert await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")
    assert MEETING in await discord.ask(ann, f"Bot forget that {MEETING}")
    assert not await query(dsn, "SELECT 1 FROM facts")

    mod = hand.join(discord.guild, "mod")
    await promoted(discord, mod, MANAGE_MESSAGES)
    await discord.ask(ann, "Bot remember that the pizza evening is on Monday")
    await discord.ask(mod, "Bot remember that I like pizza")
    await discord.ask(mod, "Bot forget pizza")
    left = [row["value"] for row in await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL")]
    assert left == ["the pizza evening is on Monday"]
    await discord.ask(mod, "Bot forget the pizza evening")
    assert not await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")


async def test_the_servers_rule_says_who_may_teach_it(discord: Server, dsn: str) -> None:
    """Where members teach of themselves alone, moderators still teach about the server."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    mod = hand.join(discord.guild, "mod")
    await promoted(discord, mod, MANAGE_MESSAGES)
    await discord.ask(ann, "hello")
    for rule in ("self", "moderators"):
        await query(dsn, "UPDATE guild_settings SET teachers = $1", rule)
        discord.app.memory._core.generations.move(discord.guild.id)
        await discord.ask(ann, f"Bot remember that the raid number {len(rule)} is on Monday")
        assert not await query(dsn, "SELECT 1 FROM facts WHERE stated_by = $1", ann.id)
        assert "for the whole server" in await discord.ask(
            mod, f"Bot remember that the raid number {len(rule)} is on Monday"
        )


async def test_it_is_kept_to_the_channel_it_was_told_in(discord: Server) -> None:
    """A fact about the server that a private channel was told is for its readers."""
    hand = discord.discord
    ann, bob = hand.join(discord.guild, "ann"), hand.join(discord.guild, "bob")
    staff = await room(discord, "staff", ann)
    await discord.ask(ann, "Bot remember that the raid is secretly on Sunday", staff)
    assert "raid" not in await discord.ask(bob, "Bot what do you know about this server")
    assert "raid" in await discord.ask(ann, "Bot what do you know about this server", staff)


@pytest.mark.parametrize(
    "order",
    [
        "remember for the server: the meeting is on Friday",
        "merk dir für den Server: das Treffen ist am Freitag",
        "recuerda para el servidor: la reunión es el viernes",
        "retiens pour le serveur : la réunion est vendredi",
        "запомни для сервера: встреча в пятницу",
    ],
)
async def test_the_help_is_right(discord: Server, dsn: str, order: str) -> None:
    """What the help says to say works, in five languages."""
    ann = discord.discord.join(discord.guild, "ann")
    assert "📌" in await discord.ask(ann, f"Bot {order}")
    (row,) = await query(dsn, "SELECT user_id, value FROM facts")
    assert row["user_id"] == discord.guild.id
    assert row["value"] == order.partition(":")[2].strip()


async def test_a_rename_shows(discord: Server) -> None:
    """The server is called as it is called now."""
    memory = discord.app.memory
    assert (await memory.guilds.server(discord.guild.id)).display_name == discord.guild.name
    for name in ("Irrigation Club", "", " "):
        await memory.guilds.on_guild_named(discord.guild.id, name)
    assert (await memory.guilds.members(discord.guild.id, [discord.guild.id]))[
        discord.guild.id
    ].display_name == "Irrigation Club"


@pytest.mark.parametrize(
    "statement",
    [
        MEETING,
        "asyncio.Queue is thread-safe",
        "das Treffen ist am Freitag",
        "la reunión es el viernes",
        "l'apéro est à 19 h",
        "в пятницу собрание",
    ],
)
def test_statements_about_no_person(statement: str) -> None:
    """How they begin, in five languages."""
    assert is_about_no_person(statement)


@pytest.mark.parametrize("statement", ["Zork is green", "thea likes tea", "lara juega", "allergic to nuts", "", "."])
def test_statements_that_may_be_about_a_person(statement: str) -> None:
    """A word that only begins like an article is none."""
    assert not is_about_no_person(statement)


def test_how_the_server_is_called() -> None:
    """In five languages, with any capitals; a word of it alone is not the server."""
    assert all(
        map(is_server, ["this server", "The  server?", "diesen Server", "este servidor", "ce serveur", "наш сервер"])
    )
    assert not any(map(is_server, ["server admin", "this", "the server of ann", ""]))


async def test_the_server_is_no_member(discord: Server, dsn: str) -> None:
    """Its name in a fact stays as it was written, and it is not stored among the people."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.app.memory.guilds.on_guild_named(discord.guild.id, "Gardeners")
    assert await discord.ask(ann, "Bot remember that the Gardeners meet on Friday") == (
        "📌 Got it, for the whole server: the Gardeners meet on Friday"
    )
    await discord.ask(ann, "Bot remember for the server: Gardeners grow kale")
    values = [row["value"] for row in await query(dsn, "SELECT value FROM facts ORDER BY fact_id")]
    assert values == ["the Gardeners meet on Friday", "Gardeners grow kale"]
    assert not await query(dsn, "SELECT 1 FROM members WHERE user_id = $1", discord.guild.id)


@pytest.mark.parametrize(
    "question",
    [
        "was weißt du über diesen server",
        "tu sais quoi sur ce serveur",
        "que sais tu sur le serveur",
        "what do u know abt this server",
    ],
)
async def test_the_server_is_asked_about_in_any_words(discord: Server, question: str) -> None:
    """As a person is."""
    ann = discord.discord.join(discord.guild, "ann")
    await discord.ask(ann, "Bot remember that the meeting is on Friday")
    assert "meeting is on Friday" in await discord.ask(ann, f"Bot {question}")


async def test_a_server_is_not_somebody_who_decides(discord: Server) -> None:
    """Who may delete a fact of the server: its teller, and moderators."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(ann, "Bot remember that the meeting is on Friday")
    answer = await discord.ask(bob, "Bot forget that the meeting is on Friday")
    assert answer.startswith("Only the person who told me, or a moderator, can")
