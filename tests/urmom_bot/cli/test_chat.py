"""`urmom-bot chat`: what can be done in Discord can be done at its prompt."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.console import Console

from tests.builders import query, settings_for
from tests.urmom_bot.cli.test_process import spawn
from urmom_bot.cli.chat import chat
from urmom_bot.stand_ins import GeminiStandIn


class Typed:
    """Lines that are typed one after the other."""

    interactive = False

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = iter(lines)

    async def next(self, _prompt: str) -> str | None:
        return next(self._lines, None)


@pytest.fixture
def talk(dsn: str, gemini: GeminiStandIn):  # type: ignore[no-untyped-def]
    async def played(*lines: str, ai: bool = True) -> str:
        """What is printed for some lines, in place of a terminal."""
        printed = io.StringIO()
        settings = settings_for(gemini if ai else None, database_url=dsn)
        await chat(settings, Console(file=printed, width=200), "a test", Typed(lines))
        return printed.getvalue()

    return played


async def test_chat_in_the_terminal(dsn: str, tmp_path: Path) -> None:
    """Several people at one prompt, the real bot; what was said yesterday is known today, and no server's concern."""
    for lines, expected in (
        ("ann: Bot remember that ann sings alto\nbob: hello there\n", "ann sings alto"),
        ("bob: Bot what do you know about @ann\n:quit\nnever read", "alto"),
        ("bob: Bot how are you", "no AI is set up"),
    ):
        process = await spawn("chat", DATABASE_URL=dsn, DATA_DIR=str(tmp_path))
        out, err = await process.communicate(lines.encode())
        assert process.returncode == 0, err.decode()
        assert expected in out.decode()
        assert "Traceback" not in err.decode()
    assert (tmp_path / "chat" / "postgres").is_dir()
    assert not await query(dsn, "SELECT 1 FROM facts")


async def test_buttons_are_pressed(talk) -> None:  # type: ignore[no-untyped-def]
    """By number or by what is on them; one that is not there is named, and one for others cannot be pressed."""
    told = await talk("ann: Bot remember that @bob owns a kiln", ":press 1")
    assert "1 [Undo]" in told
    assert "bot (edited): 📌 Undone by @ann" in told
    told = await talk("ann: Bot remember that @bob owns a tram", ":press redo", ":press und")
    assert "There is no such button. Choose from: 1 Undo." in told
    assert "Undone by @ann" in told
    told = await talk("ann: /privacy", ":press everywhere: noth")
    assert "From now on" in told or "nothing" in told.rsplit(":press", 1)[1]
    told = await talk("ann: /privacy", "bob: :press 1")
    assert "bot (only you see this)" in told
    assert "The last answer that you can see has no buttons." in told


async def test_menus_and_forms(talk) -> None:  # type: ignore[no-untyped-def]
    """A menu opens what Discord opens: a form is filled in field by field."""
    told = await talk(
        "bob: the new kiln stands in Gdynia",
        "ann: :menu remember",
        "@bob",
        "bob keeps a kiln in Gdynia",
        "",
        "ann: Bot what do you know about @bob",
        ":menu why",
        ":menu what @bob",
    )
    assert "Got it" in told
    assert "bob keeps a kiln in Gdynia" in told
    assert "bob: bob" not in told
    assert "What I used for that answer" in told
    assert told.count("bot (only you see this)") == 3
    told = await talk(":menu who", ":menu why 12", ":menu why")
    assert "The menus are remember, why, what" in told
    assert "There is no message 12" in told
    assert "There is no message yet." in told


async def test_a_form_is_filled_in_or_closed(talk) -> None:  # type: ignore[no-untyped-def]
    """What a choice does not have is asked for again; who cancels, or ends, changes nothing and may go on."""
    told = await talk("/settings", ":press language", "Klingon", "esp", ":cancel", ":press ai", "7", "/settings")
    assert "One of: whatever people write / English / " in told
    assert told.count("The form is closed; nothing was changed.") == 1
    assert "0 of 7" in told
    assert "Language: whatever people write" in told.rsplit("/settings", 1)[1]
    told = await talk("/settings", ":press ai")
    assert "The form is closed" in told


async def test_commands_that_discord_would_not_send(talk) -> None:  # type: ignore[no-untyped-def]
    """Are told with what there is, and reach nobody."""
    lines = ("/memory", "/recall", "/topic show", "/settings language", "/foo", "/memory bar", "/recall query:x")
    told = await talk(*lines)
    assert "Which? /memory show, /memory history" in told
    assert told.count("Write /recall question:….") == 2
    assert "Write /topic show name:…." in told
    assert "There is no /settings language." in told
    assert "There is no /foo. Commands: " in told
    assert "There is no /memory bar. Commands: /memory show" in told
    assert "bot:" not in told


async def test_what_an_option_may_be(talk) -> None:  # type: ignore[no-untyped-def]
    """Yes and no are what people write for them; what can be chosen is told."""
    told = await talk(
        "bob: hello",
        "sam: /memory-admin ignore member:@bob ignored:true",
        "sam: /memory-admin ignore member:@bob ignored:False",
        "sam: /memory-admin teachers who:nobody",
        "sam: /memory show member:bob",
        "sam: /memory-admin log channel:general",
        "sam: /memory-admin rollback user:@bob hours:many",
    )
    assert told.index("ignore bob from now on") < told.index("won't ignore bob any more")
    assert "who is one of: anyone, self, moderators." in told
    assert "member is a person: write member:@bob." in told
    assert "channel is a channel: write channel:#general." in told
    assert "hours is a whole number." in told
    assert "Something went wrong" not in told


async def test_messages_are_answered_edited_and_deleted(talk) -> None:  # type: ignore[no-untyped-def]
    """By the number before each."""
    told = await talk(
        "ann: the kiln is hot",
        "bob: :reply 1 Bot remember this about @ann",
        "ann: :delete 1",
        "bob: Bot what do you know about @ann",
        ":react 🤡 9",
        ":reply 1 yes",
    )
    assert "Got it: ann: the kiln is hot" in told
    assert "I don't know anything about ann yet." in told
    assert "There is no message 9" in told
    assert "Message 1 was deleted" in told


async def test_channels_threads_and_private_talk(talk) -> None:  # type: ignore[no-untyped-def]
    """What was told in a restricted channel is not told outside it."""
    told = await talk(
        "#staff ann: Bot remember that ann owns a secret kiln",
        "Bot what do you know about me",
        "#general bob: Bot what do you know about @ann",
        ":thread plans",
        "ann: Bot what do you know about me",
        "#dm bob: Bot what do you know about @ann",
        "#nowhere hello",
    )
    assert "#staff ann: Bot what do you know about me" in told
    assert told.count("owns a secret kiln") == 3  # what was said, what was stored, and what is told there
    assert told.count("I don't know anything about") == 2
    assert "#plans ann:" in told
    assert "There is no #nowhere. You can go to #general, #staff, #plans and #dm." in told


async def test_what_the_model_was_sent_and_what_it_cost(talk, gemini: GeminiStandIn) -> None:  # type: ignore[no-untyped-def]
    """The whole prompt of the last message, and calls with tokens by what they were for."""
    told = await talk("Bot how is the kiln", ":prompt", ":cost", "hello", ":prompt", ":prompts")
    (asked,) = (a for a in gemini.asked if a.name == "A reply")
    assert "reply, to gemma-4-31b-it" in told
    assert asked.data.splitlines()[0] in told
    assert told.count("how is the kiln") > 1
    assert f"The last message took {len(gemini.asked)} of these calls" in told
    assert "The model was not asked." in told
    assert "There is no :prompts" in told


async def test_time_moves(talk) -> None:  # type: ignore[no-untyped-def]
    """By days and minutes, for everybody in the talk."""
    told = await talk(":tomorrow", ":later 90", ":later soon", "Bot remember that I own a kiln", "/memory show")
    assert told.count("in this chat only") == 2
    assert "By how many minutes?" in told
    assert "Got it" in told


async def test_commands_of_the_bot(talk) -> None:  # type: ignore[no-untyped-def]
    """Slash commands with what they are given; who begins manages the server, others do not."""
    told = await talk(
        "ann: /memory remember member:@bob fact:owns a red kiln",
        "bob: /memory show",
        "bob: /memory-admin channel mode:talk channel:#staff",
        "sam: /memory-admin channel mode:talk channel:#staff",
        "sam: /memory-admin base-role role:@everyone",
        "/nothing",
    )
    assert "Got it: bob: owns a red kiln" in told
    assert "bob: 1 fact" in told
    assert "Manage Server" in told
    assert "#staff" in told.rsplit("Manage Server", 1)[1]
    assert "went wrong" not in told
    assert "There is no /nothing" in told
