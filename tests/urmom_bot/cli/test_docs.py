"""The commands that README and docs show, each run as it stands there."""

from __future__ import annotations

import shlex
from pathlib import Path

from tests.project.test_commands import CALLS
from tests.urmom_bot.cli.test_import import GUILD, export, record
from tests.urmom_bot.cli.test_process import finished, spawn

WITHOUT_A_BOT = {"run": 10, "setup": 10, "doctor": 20, "health": 20}
"""Commands that need a token, a terminal or a bot that runs, each with the code it ends with where there is none."""

PLAYED_ELSEWHERE = ("demo", "chat", "service", "setup --token")
"""By `.ci/run`, and by the test files of their names."""

ASKS_FIRST = ("memory forget", "memory erase")
"""They ask whether to go on, and there is no terminal to ask in: they end with 16."""

ORDER = ("import", "servers", "memory export", "memory", "backup", "restore")


def place(call: str) -> int:
    """Where a call stands in an owner's first days."""
    return next((n for n, begin in enumerate(ORDER) if call.startswith(begin)), len(ORDER))


async def test_the_commands_of_the_docs_run(dsn: str, empty: str, tmp_path: Path) -> None:
    """In the order of an owner's first days: import, look, save, restore; each ends as it should."""
    export(tmp_path / "export.json", [record(n, content="Ann fixed the kiln") for n in range(3)])
    settings = {"HOME": str(tmp_path), "DATA_DIR": str(tmp_path / "data"), "HEALTH_PORT": "1"}
    for call in sorted({call for _, call in CALLS if not call.startswith(PLAYED_ELSEWHERE)}, key=place):
        file = (
            "a.backup" if "memory" not in call else next((path.name for path in tmp_path.glob(f"*{GUILD}*.json")), "")
        )
        words = [{"SERVER": str(GUILD), "NAME": "ann", "FILE": file}.get(word, word) for word in shlex.split(call)]
        database = empty if words[0] == "restore" else dsn
        code, told = await finished(await spawn(*words, cwd=str(tmp_path), DATABASE_URL=database, **settings))
        expected = 16 if call.startswith(ASKS_FIRST) else WITHOUT_A_BOT.get(call.split()[0], 0)
        assert (code, "Traceback" in told) == (expected, False), f"urmom-bot {call}: {code}\n{told}"
