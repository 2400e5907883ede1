"""The project's own promises: pins, settings, documents, packages."""

import importlib
import logging
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from testcontainers.community.postgres import PostgresContainer

from memory.store.usage import Limits
from tests.builders import container, docker_answers, query
from urmom_bot.config import GONE, LIMITS, Settings
from urmom_bot.languages import languages
from urmom_bot.talk.texts import Texts, policy

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "benchmarks" / "README.md"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def pins() -> dict[str, str]:
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
    return {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)}


def test_constraints_are_in_step_with_the_project() -> None:
    """Every dependency is pinned to a version that the project admits, and no pin carries an address."""
    pinned = pins()
    wanted = [*PROJECT["dependencies"], *(r for extra in PROJECT["optional-dependencies"].values() for r in extra)]
    for text in wanted:
        requirement = Requirement(text)
        name = canonicalize_name(requirement.name)
        assert name in pinned, f"{name} is not pinned"
        assert pinned[name] in requirement.specifier, f"{name} {pinned[name]} is not {requirement.specifier}"
    assert not re.search(r"://|@|--", (ROOT / "constraints.txt").read_text())


def test_no_dependency_is_unused() -> None:
    """Each is imported by what is installed; what is not, is data."""
    sources = [
        path.read_text() for name in ("urmom_bot", "memory", "migrations") for path in (ROOT / name).rglob("*.py")
    ]
    found = {name for text in sources for name in re.findall(r"^\s*(?:from|import) (\w+)", text, re.MULTILINE)}
    distributions = packages_distributions()
    used = {canonicalize_name(dist) for module in found for dist in distributions.get(module, ())}
    wanted = {canonicalize_name(Requirement(text).name) for text in PROJECT["dependencies"]}
    assert wanted - used == {"tzdata"}


def test_a_command_loads_only_what_it_needs() -> None:
    """SDKs and alembic take most of a second: the key in use, and a database of an older schema, load them."""
    asked = (
        "import sys, urmom_bot.cli; print(*{'alembic', 'google.genai', 'openai', 'opentelemetry.sdk'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_garbage_is_collected_once_a_command_is_loaded() -> None:
    """And what was loaded is left out of it."""
    asked = """
import contextlib, gc, sys
from urmom_bot.__main__ import main
sys.argv = ["urmom-bot", "--version"]
with contextlib.suppress(SystemExit):
    main()
print(gc.isenabled(), gc.get_freeze_count() > 50_000)
"""
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1:] == ["True True"]


def test_every_setting_is_explained() -> None:
    """.env.example has each setting once, with its default and a line of why, and no other."""
    text = (ROOT / ".env.example").read_text()
    lines = text.splitlines()
    found = {
        line.split("=")[0]: (line.split("=", 1)[1], lines[n - 1])
        for n, line in enumerate(lines)
        if "=" in line and not line.startswith("#")
    }
    assert set(found) == {name.upper() for name in Settings.model_fields}
    for name, field in Settings.model_fields.items():
        value, _ = found[name.upper()]
        if name == "data_dir" or field.default is None:
            assert value == "", name
        elif isinstance(field.default, float):
            assert float(value) == field.default, name
        else:
            assert value == str(field.default), name
    explained = re.findall(r"^# .+\n(?:[A-Z_]+=.*\n)+", text, re.MULTILINE)
    assert sum(block.count("\n") - 1 for block in explained) == len(found)


def test_the_example_is_usable_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Copied to .env unchanged, it means the defaults."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    assert Settings(_env_file=ROOT / ".env.example") == Settings(_env_file=None)  # type: ignore[call-arg]


@pytest.mark.parametrize("name", sorted(LIMITS))
def test_an_empty_limit_is_none(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As .env.example says, in the environment and in .env; any other setting is its default when empty."""
    monkeypatch.setenv(name.upper(), "")
    assert getattr(Settings(_env_file=None), name) == Limits()  # type: ignore[call-arg]
    monkeypatch.setenv("BOT_NAME", "")
    monkeypatch.setenv("MEMORY_WAIT", "")
    monkeypatch.setenv("SHARD_IDS", "")
    settings = Settings(_env_file=None)  # type: ignore[call-arg]
    assert (settings.bot_name, settings.memory_wait, settings.shard_ids) == ("Bot, Бот", 1.0, None)


def test_an_empty_limit_in_the_file_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the environment does not set, the file does."""
    for name in LIMITS:
        monkeypatch.delenv(name.upper(), raising=False)
    (tmp_path / ".env").write_text("GEMINI_LIMITS=\nGEMMA_LIMITS=7 tpm\n")
    settings = Settings(_env_file=tmp_path / ".env")  # type: ignore[call-arg]
    assert settings.gemini_limits == Limits()
    assert settings.gemma_limits == Limits(tokens_per_minute=7)


def test_a_quota_by_its_old_names_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting for each number, as it was; what is not set is the default, and the new name counts before them."""
    for name in LIMITS:
        monkeypatch.delenv(name.upper(), raising=False)
    (tmp_path / ".env").write_text("GEMINI_REQUESTS_PER_MINUTE=\nGEMMA_TOKENS_PER_MINUTE=7\nAI_LIMITS=9 rpm\n")
    monkeypatch.setenv("AI_REQUESTS_PER_MINUTE", "3")
    settings = Settings(_env_file=tmp_path / ".env")  # type: ignore[call-arg]
    assert settings.gemini_limits == Limits(tokens_per_minute=250_000, requests_per_day=250)
    assert settings.gemma_limits == Limits(requests_per_minute=30, tokens_per_minute=7, requests_per_day=14_400)
    assert settings.ai_limits == Limits(requests_per_minute=9)


def test_a_setting_that_is_gone_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """From the environment and from .env: it has no effect, and the log says what holds instead."""
    (tmp_path / ".env").write_text("SMALL_TOKENS=9\nRETENTION_DAYS=20\n")
    monkeypatch.setenv("MEMBER_DAY_SHARE", "50")
    with caplog.at_level(logging.WARNING):
        settings = Settings(_env_file=tmp_path / ".env")  # type: ignore[call-arg]
    assert [line.getMessage() for line in caplog.records] == [
        "MEMBER_DAY_SHARE is no longer a setting: it is a quarter of MEMBER_SHARE. Remove it.",
        "SMALL_TOKENS is no longer a setting: it is 8000, or BATCH_TOKENS if that is less. Remove it.",
    ]
    assert settings.retention_days == 20
    assert not GONE.keys() & Settings.model_fields.keys()


async def test_a_container_is_used_where_docker_answers(server: str) -> None:
    """And its module is the one that is not deprecated: it is there where warnings are errors."""
    module = PostgresContainer.__module__.rpartition(".")[0] or PostgresContainer.__module__
    imported = [sys.executable, "-W", "error::DeprecationWarning", "-c", f"import {module}"]
    assert subprocess.run(imported, capture_output=True).returncode == 0
    if docker_answers() and "DATABASE_URL" not in os.environ:
        assert (await query(server, "SELECT current_user"))[0][0] == container().username


def test_settings_are_frozen_and_secrets_hidden() -> None:
    """Nothing changes a setting, and printing them shows no secret."""
    settings = Settings(_env_file=None, discord_token="plum")  # type: ignore[call-arg,arg-type]
    with pytest.raises(ValueError, match="frozen"):
        settings.bot_name = "x"  # type: ignore[misc]
    assert "plum" not in repr(settings)


def test_the_readmes_commands_are_two_lines() -> None:
    """One line runs the demo and one the tests, for a machine with nothing but Python."""
    block = re.search(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert block
    first, second = block[1].strip().splitlines()
    assert first.endswith("urmom-bot demo")
    assert second.endswith("pytest")
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o100


def anchors(text: str) -> set[str]:
    """What a link can point to in a document: its headings, as forges write them."""
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-") for title in titles}


def test_documents_speak_of_what_is_there() -> None:
    """Files that the documents link to exist, and exit codes are those of the code."""
    from urmom_bot import errors

    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)", text):
            found = document.parent / target if target else document
            assert found.exists(), f"{document.name}: {target}"
            assert not anchor or anchor in anchors(found.read_text(encoding="utf-8")), f"{document.name}: #{anchor}"
    operators = (ROOT / "docs" / "for-operators.md").read_text(encoding="utf-8")
    codes = {int(n) for n in re.findall(r"^\| (\d+) \|", operators, re.MULTILINE)}
    names = ("NO_TOKEN", "BAD_TOKEN", "NO_INTENT", "NO_DATABASE", "NO_FOLDER", "NEWER_DATABASE", "BAD_SETTINGS")
    assert codes == {getattr(errors, name) for name in (*names, "NO_DISCORD", "WRONG_KEY", "NO_BACKUP", "NOT_READY")}


def test_whatever_may_fail_is_let_fail_by_a_test() -> None:
    """Each row of the table names its test, which is there."""
    table = (
        (ROOT / "docs" / "for-operators.md")
        .read_text(encoding="utf-8")
        .split("## When something fails")[1]
        .split("## ")[0]
    )
    rows = re.findall(r"^\| .+ \|$", table, re.MULTILINE)[1:]
    assert len(rows) > 10
    for row in rows:
        where = re.search(r"\| `(\S+)::(\w+)` \|$", row)
        assert where, row
        assert f"def {where[2]}(" in (ROOT / "tests" / where[1]).read_text(encoding="utf-8"), row


def test_the_wheel_carries_everything(tmp_path: Path) -> None:
    """Words, prompts, the story and the migrations are in the wheel, and nothing of the tests."""
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    for needed in (
        "migrations/env.py",
        "migrations/versions/v0001_hierarchical_memory.py",
        "memory/ai/prompts/notes.md",
        "urmom_bot/talk/prompts/reply.md",
        "migrations/versions/v0002_forgetting.py",
        "memory/wordlists/keys.toml",
        "memory/wordlists/orders.txt",
        "memory/wordlists/sensitive.toml",
        "memory/wordlists/small.txt",
        "memory/languages/ru/dates.toml",
        "urmom_bot/languages/fr/texts.ftl",
        "urmom_bot/languages/ru/privacy.md",
        "urmom_bot/stand_ins/nine_days.txt",
    ):
        assert needed in names, needed
    assert not [name for name in names if name.startswith(("tests", "benchmarks", "docs"))]


def test_privacy_is_told_in_the_same_words_everywhere() -> None:
    """PRIVACY.md is the first page of /privacy with the defaults; every language has one that fits a message."""
    values = {"retention": 30, "summaries": 90, "years": 10, "conclusions": 365, "replies": 7, "grace": 30}

    assert (ROOT / "PRIVACY.md").read_text() == f"# Privacy\n\n{policy('en', **values)}\n"
    for language in languages():
        told = policy(language, **values)
        assert 800 < len(told) < 1_750, "with what is stored below it, it fits one message"
        assert "{" not in told
        assert policy(language, "ann@example.org", **values) == told.replace(
            Texts(language)("policy_contact"), "ann@example.org"
        )
        assert told.count("30") == 2, "each time once"


@pytest.mark.parametrize("path", sorted((ROOT / "benchmarks").glob("*.py")), ids=lambda path: path.stem)
def test_every_benchmark_can_be_begun(path: Path) -> None:
    """They are run by hand, so a name that the code no longer has would be missed until then."""
    importlib.import_module(f"benchmarks.{path.stem}")
