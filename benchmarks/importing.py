"""How fast an export is imported: `python -m benchmarks.importing [--messages 1000000] [--json]`.

Messages a second and the most memory that the command takes. The command is a process of its own, on a database that
keeps what it commits; the export is made for it, of 1,000 people in one channel.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil

from benchmarks.figures import tell
from urmom_bot.app import database
from urmom_bot.config import Settings

PEOPLE = 1_000


def export(path: Path, messages: int) -> None:
    """Write an export of DiscordChatExporter's form."""
    began = datetime.now(UTC) - timedelta(days=20)
    with path.open("w", encoding="utf-8") as file:
        file.write('{"guild": {"id": "4194304", "name": "a server"},')
        file.write('"channel": {"id": "8388608", "type": "GuildTextChat", "name": "talk"}, "messages": [')
        for n in range(messages):
            at = began + timedelta(seconds=n * 1.5)
            record = {
                "id": str((int(at.timestamp() * 1_000) - 1_420_070_400_000) << 22 | n & 0xFFF),
                "type": "Default",
                "timestamp": at.isoformat(),
                "timestampEdited": None,
                "content": f"the kiln in hall {n % 97} of Gdynia is at {n % 1_300} degrees since the {n % 28}th",
                "author": {"id": str(n % PEOPLE + 1), "name": f"person{n % PEOPLE}", "isBot": False},
                "attachments": [],
                "embeds": [],
                "reference": None,
            }
            file.write(("," if n else "") + json.dumps(record))
        file.write("]}")


async def measure(messages: int) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "export.json"
        export(path, messages)
        settings = Settings(_env_file=None, data_dir=Path(folder), database_url=None)
        async with database(settings) as dsn:
            environment = dict(os.environ) | {"DATABASE_URL": dsn, "DATA_DIR": folder, "LOG_LEVEL": "ERROR"}
            began, most = time.perf_counter(), 0
            started = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "urmom_bot", "import", "--json", str(path)),
                env=environment,
                stdout=asyncio.subprocess.PIPE,
            )
            process = psutil.Process(started.pid)
            ended = asyncio.create_task(started.communicate())
            while not ended.done():
                try:
                    most = max(most, process.memory_info().rss)
                except psutil.NoSuchProcess:
                    break
                await asyncio.sleep(0.05)
            told = json.loads((await ended)[0])
            took = time.perf_counter() - began
    assert told["stored"] == messages, told
    return {"messages": messages, "messages_a_second": round(messages / took), "most_mib": round(most / 2**20)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    tell("Importing", asyncio.run(measure(arguments.messages)), as_json=arguments.json)
