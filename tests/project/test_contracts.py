"""The import contracts bite: a violation of each, planted in a copy of the project, is reported."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

PLANTED = {
    "memory/levels/facts.py": "import asyncpg",
    "memory/missed.py": "import sqlalchemy",
    "memory/manager.py": "import openai",
    "memory/recall.py": "import os",
    "memory/permissions.py": "from memory.store.database import Database",
    "memory/rules/questions.py": "import asyncio",
    "memory/forgetting/plan.py": "from memory.store.people import PeopleStore",
    "memory/levels/notes.py": "from memory.levels.context import Contexts",
    "memory/levels/history.py": "from memory.services.facts import FactService",
    "memory/store/people.py": "from memory.levels.facts import Facts",
    "memory/store/audit.py": "from memory.store.replies import ReplyStore",
    "memory/store/messages.py": "from memory.store.facts import FactStore",
    "memory/store/blobs.py": "from memory.store.notes import NoteStore",
    "memory/store/usage.py": "from memory.ai.client import Prompt",
    "memory/store/another.py": "import json",
    "memory/loops.py": "import prometheus_client",
    "memory/topics.py": "import httpx",
    "memory/rules/text.py": "import subprocess",
    "memory/records/facts.py": "import socket",
    "memory/clock.py": "from urmom_bot.config import Settings",
    "urmom_bot/another.py": "import json",
    "urmom_bot/pace.py": "from urmom_bot.bot import Bot",
    "urmom_bot/journal.py": "from urmom_bot.cogs.speech import split",
    "urmom_bot/app.py": "from google import genai",
    "urmom_bot/config.py": "from memory.services.facts import FactService",
    "urmom_bot/talk/knowing.py": "import discord",
    "urmom_bot/panels/memories.py": "import discord",
    "urmom_bot/actions.py": "from urmom_bot.views import FactView",
    "urmom_bot/views.py": "import asyncio",
    "urmom_bot/importer.py": "import discord",
    "urmom_bot/cogs/conversation.py": "from urmom_bot.stand_ins import World",
    "urmom_bot/talk/people.py": "from memory.store import Store",
    "urmom_bot/talk/texts.py": "from urmom_bot.cogs.speech import split",
    "urmom_bot/viewing.py": "from urmom_bot.panels import Panels",
}
"""Where, and what must not be there."""


def test_a_violation_of_every_contract_is_reported(tmp_path: Path) -> None:
    """All planted at once, in one run: each line is named, and every contract is broken by one."""
    for folder in ("memory", "urmom_bot", "migrations"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for where, line in PLANTED.items():
        path = tmp_path / where
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        path.write_text(f"{before}\n{line}\n", encoding="utf-8")
    tool = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(tool, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    told = " ".join(done.stdout.split())

    assert done.returncode == 1, done.stderr
    assert "0 kept" in told
    for where, line in PLANTED.items():
        module, imported = where.removesuffix(".py").replace("/", "."), line.split()[1]
        if where.endswith("another.py"):  # it has no place
            assert module in told, where
        else:
            assert f"{module} -> {imported} " in told, where
