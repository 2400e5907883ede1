"""The commands, as a user calls them."""

import asyncio
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from rich.console import Console
from rich.text import Text

from memory import operator
from tests.builders import NOON, query, settings_for
from tests.urmom_bot.cli.test_chat import Typed
from tests.urmom_bot.cli.test_import import GUILD, export, record
from tests.urmom_bot.cli.test_process import finished, spawn
from urmom_bot.app import open_app
from urmom_bot.cli.arguments import complete_member, complete_topic, offer
from urmom_bot.cli.chat import chat
from urmom_bot.cli.chatlog import ChatLine, picture
from urmom_bot.cli.console import as_called
from urmom_bot.stand_ins import GeminiStandIn


async def test_the_demo_plays_through(tmp_path: Path) -> None:
    """Nine days in chapters, every expectation met, exit 0; in a pipe it waits for nobody."""
    code, told = await finished(await spawn("demo", "--pictures", str(tmp_path / "drawn"), HOME=str(tmp_path)))

    assert code == 0, told[-3_000:]
    assert "the model's answers were written for this demo" in " ".join(told.split())
    for chapter in range(1, 10):
        assert f"\n{chapter}. " in told
    assert "said “" not in told  # sentences, none of them quoted for want of a written one
    assert "Press Enter" not in told
    assert "What next?" in told
    assert ", 0 not, in" in told
    assert "Traceback" not in told
    assert "│  Undo" in told, "buttons look like buttons"
    assert "more messages" in told, "of talk among people little is shown"
    assert len(told.splitlines()) < 380, "two minutes to read"
    for asked in ("Notes of a day", "Historical summaries", "Wording a fact", "A joke", "A reply"):
        assert asked in told, asked
    for name, words in (("remembering", "Undo"), ("deleting", "is deleted.")):
        picture = (tmp_path / "drawn" / f"{name}.svg").read_text()
        assert picture.startswith("<svg")
        assert words in picture
        assert set(re.findall(r"https?://[^\s\"<]+", picture)) <= {"http://www.w3.org/2000/svg"}
        kept = (Path(__file__).parents[3] / "docs" / "pictures" / f"{name}.svg").read_text()
        assert picture == kept, "drawn anew by: urmom-bot demo --pictures docs/pictures"


async def test_one_chapter_of_the_demo(tmp_path: Path) -> None:
    """It alone is shown; one that there is not is named, and a folder that cannot be written too."""
    code, told = await finished(await spawn("demo", "--chapter", "8", HOME=str(tmp_path)))
    assert code == 0, told[-3_000:]
    assert "8. Deleted is gone" in told
    assert "7. " not in told
    code, told = await finished(await spawn("demo", "--chapter", "77", HOME=str(tmp_path)))
    assert (code, "The demo has 10 chapters." in told) == (16, True)
    (tmp_path / "a file").write_text("")
    code, told = await finished(await spawn("demo", "--pictures", str(tmp_path / "a file"), HOME=str(tmp_path)))
    assert (code, "Cannot write to" in told) == (14, True)


def test_a_message_is_drawn(tmp_path: Path) -> None:
    """Whatever people write is text in the picture: nothing of it is drawn as marks."""
    line = ChatLine(who="<b>", text=Text("a & b " + "<script>" * 40), at=NOON, channel="general", quoted="ann: <i>")
    drawn = picture([line], "a title")

    assert "<script>" not in drawn
    assert drawn.count("&lt;script&gt;") > 20
    assert drawn.count('<text x="72"') > 4, "it is wrapped"
    assert ElementTree.fromstring(drawn).tag.endswith("svg")


async def test_memory_search(dsn: str, tmp_path: Path) -> None:
    """What was said, best first, as rows or JSON; nothing found, and an unknown server, are said."""
    lines = [record(n, content=text) for n, text in enumerate(("the kiln is hot", "the tram is late", "kilns again"))]
    settings = {"DATABASE_URL": dsn}
    code, told = await finished(await spawn("import", str(export(tmp_path / "e.json", lines)), **settings))
    assert code == 0, told
    search = ("memory", "search", "--guild", str(GUILD))
    code, told = await finished(await spawn(*search, "what of the kiln?", "--as", "ann", "--json", **settings))
    assert code == 0, told
    assert "kiln" in json.loads(told)[0]["text"]
    assert json.loads(told)[0]["messages"]
    code, told = await finished(await spawn(*search, "what of kilns?", "--limit", "1", **settings))
    assert code == 0
    assert "message" in told
    assert ("kiln" in told) + ("tram" in told) == 1
    code, told = await finished(await spawn("memory", "search", "--guild", "9", "kiln?", **settings))
    assert (code, "Nothing is stored for server 9" in told) == (16, True)


async def test_import_and_memory_show(dsn: str, tmp_path: Path, gemini: GeminiStandIn) -> None:
    """An export is imported, a member's context shown with its parts and cost, by name and as JSON."""
    path = export(
        tmp_path / "e.json",
        [record(n, content=f"the kiln controller number {n} from Riga has arrived") for n in range(3)],
    )
    settings = {"DATABASE_URL": dsn, "GEMINI_API_KEY": "k", "GOOGLE_GEMINI_BASE_URL": gemini.url}
    code, told = await finished(await spawn("import", str(path), "--json", **settings))
    assert code == 0, told
    counts = json.loads(told.strip().splitlines()[-1])
    assert {k: counts[k] for k in ("read", "stored", "known", "skipped")} == {
        "read": 3,
        "stored": 3,
        "known": 0,
        "skipped": 0,
    }
    show = ("memory", "show", "--guild", str(GUILD), "--now", "2026-11-01T20:00")
    code, told = await finished(await spawn(*show, "--user", "ann", "--json", **settings))
    assert code == 0, told
    shown = json.loads(told)
    assert "kiln controller" in shown["context"]
    assert shown["parts"][0]["level"] == "current day"
    assert shown["parts"][0]["messages"]
    assert shown["spent"]["calls"] == 1
    code, told = await finished(await spawn(*show, "--user", "70", DATABASE_URL=dsn))
    assert code == 0, told
    assert "2026-11-01 (3)" in told
    code, told = await finished(await spawn(*show, "--user", "zork", **settings))
    assert (code, "Traceback" in told) == (16, False)
    assert "zork" in told


async def test_a_broken_import_exits_with_one(dsn: str, tmp_path: Path) -> None:
    """What was wrong is told, the good file is stored, and the exit says that something was wrong."""
    bad = tmp_path / "bad.json"
    bad.write_text("no export")
    good = export(tmp_path / "good.json", [record(1)])
    code, told = await finished(await spawn("import", str(bad), str(good), DATABASE_URL=dsn))

    assert code == 1
    assert "bad.json is not a JSON export" in told
    assert "1 stored" in told


async def test_what_a_stand_in_makes_is_not_kept(dsn: str, tmp_path: Path) -> None:
    """A look with a stand-in leaves nothing behind that could later pass for a model's."""
    path = export(tmp_path / "e.json", [record(n, content=f"the kiln controller {n} from Riga") for n in range(3)])
    await finished(await spawn("import", str(path), DATABASE_URL=dsn))
    show = ("memory", "show", "--guild", str(GUILD), "--user", "ann", "--now", "2026-11-01T20:00")
    code, told = await finished(await spawn(*show, "--stand-in", DATABASE_URL=dsn))
    assert code == 0, told
    assert "Today: " in told
    code, told = await finished(await spawn(*show, DATABASE_URL=dsn))
    assert code == 0, told
    assert "Today: " not in told
    assert "“the kiln controller 2 from Riga”" in told, "no model read it, so it is told word for word"
    assert not await query(dsn, "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'sandbox%'")
    code, told = await finished(await spawn("--version"))
    assert (code, told.strip().count(".")) == (0, 2)


async def test_tab_offers_members_and_topics_and_never_fails(
    dsn: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", dsn)
    monkeypatch.setattr("logging.disable", lambda _: None)  # the process of a shell's Tab ends with it
    lines = ("ann: the tram is late", "anna: hello")
    await chat(settings_for(None, database_url=dsn), Console(file=io.StringIO()), "a test", Typed(lines))
    ((guild,),) = await query(dsn, "SELECT DISTINCT guild_id FROM chat_history")
    page = "# Kiln\n\n- we fire at night (2026-11-01)\n"
    async with open_app(settings_for(None, database_url=dsn)) as built:
        await built.memory.topics.restore(operator(guild), "kiln.md", page)
    context = SimpleNamespace(params={})

    async def offered(complete: Callable[..., list[tuple[str, str]]], begun: str) -> list[str]:
        return [word for word, _ in await asyncio.to_thread(complete, context, begun)]

    assert await offered(complete_member, "an") == ["ann", "anna"]
    context.params["guild"] = str(guild)
    assert await offered(complete_member, "ANNA") == ["anna"]
    assert await offered(complete_topic, "k") == ["Kiln"]
    monkeypatch.setenv("DATABASE_URL", "postgresql://127.0.0.1:1/none")
    assert await offered(complete_member, "an") == []
    assert [offer(7, name) for name in ("kate", "Big Kate", "a;b")] == [("kate", "7"), ("7", "Big Kate"), ("7", "a;b")]


async def test_an_operator_exports_forgets_and_erases(dsn: str, tmp_path: Path) -> None:
    """For requests from outside Discord: one JSON file and a page, receipts as JSON, and facts that come back."""
    settings = {"DATABASE_URL": dsn}
    lines = ("ann: Bot remember that ann sings alto", "ann: Bot remember that ann owns a boat", "ann: the tram is late")
    key = settings_for(None).suppression_key
    assert key is not None
    settings["SUPPRESSION_KEY"] = key.get_secret_value()
    await chat(settings_for(None, database_url=dsn), Console(file=io.StringIO()), "a test", Typed(lines))
    guild = str((await query(dsn, "SELECT guild_id FROM facts"))[0][0])
    whom = ("--guild", guild, "--user", "ann")
    code, told = await finished(await spawn("memory", "export", *whom, "--to", str(tmp_path), **settings))
    assert code == 0, told
    (file,) = tmp_path.glob("*.json")
    (page,) = tmp_path.glob("*.md")
    assert "- ann sings alto — told by" in page.read_text()
    told = json.loads(file.read_text())
    assert {f["value"].split("> ")[1] for f in told["facts"]} == {"sings alto", "owns a boat"}
    ((told_of, name),) = told["people"].items()
    assert name == "ann"
    assert "ann sings alto" in file.with_suffix(".md").read_text()

    forget = ("memory", "forget", *whom, "ann owns a boat")
    code, told = await finished(await spawn(*forget, **settings))
    assert (code, "add --yes" in told) == (16, True), told
    assert len(await query(dsn, "SELECT 1 FROM facts")) == 2
    code, told = await finished(await spawn(*forget, "--yes", "--json", **settings))
    assert code == 0, told
    receipt = json.loads(told)
    assert (receipt["removed"]["facts"], receipt["second_search"]["nothing_left"]) == (1, True)
    code, told = await finished(await spawn("memory", "erase", *whom, "--yes", "--json", **settings))
    assert code == 0, told
    assert json.loads(told)["second_search"]["nothing_left"]
    assert not await query(dsn, "SELECT 1 FROM chat_history WHERE author_kind = 'member'")
    code, told = await finished(await spawn("memory", "import", str(file), **settings))
    assert (code, "1 of 2 facts" in told) == (0, True), told  # the boat was forgotten, and stays so
    assert "didn't write the file" not in told
    restored = await query(dsn, "SELECT facts.value FROM facts JOIN fact_sources USING (guild_id, fact_id)")
    assert [row[0] for row in restored] == [f"<@{told_of}> sings alto"]
    foreign = tmp_path / "foreign.json"
    foreign.write_text(json.dumps({**json.loads(file.read_text()), "signature": "0" * 64}))
    code, told = await finished(await spawn("memory", "import", str(foreign), **settings))
    assert code == 0, told
    assert "didn't write the file, or not for that server: facts are saved as told by you" in " ".join(told.split())
    bad = tmp_path / "bad"
    bad.write_text("[]")
    code, told = await finished(await spawn("memory", "import", str(bad), **settings))
    assert (code, "Traceback" in told) == (16, False)
    code, told = await finished(await spawn("memory", "forget", *whom, "the colour of the moon", "--yes", **settings))
    assert (code, "Traceback" in told) == (16, False)


def test_commands_can_be_pasted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that no PATH has is shown as it was called; a name alone stays a name."""
    text = "run `urmom-bot setup`, or urmom-bot doctor; urmom-bot: no"
    monkeypatch.setattr("sys.argv", [".venv/bin/urmom-bot", "demo"])
    monkeypatch.setenv("PATH", "/nowhere")
    assert as_called(text) == "run `.venv/bin/urmom-bot setup`, or .venv/bin/urmom-bot doctor; urmom-bot: no"
    monkeypatch.setattr("shutil.which", lambda _: "/usr/bin/urmom-bot")
    assert as_called(text) == text
