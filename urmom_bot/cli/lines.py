"""The lines of the terminal, or of what is piped into it."""

from __future__ import annotations

import asyncio
import queue
import sys
import threading
from contextlib import suppress


class Lines:
    """Lines of the input, read by a thread that does not outlive the program: Ctrl-C ends it."""

    def __init__(self) -> None:
        self.interactive = sys.stdin.isatty()
        if self.interactive:
            with suppress(ImportError):  # Windows has none
                import readline  # noqa: F401 (`input` edits lines and goes back to earlier ones by it)
        self._wanted: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._read: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._is_over = False
        threading.Thread(target=self._serve, daemon=True).start()

    async def next(self, prompt: str) -> str | None:
        """The next line, or None at the end, however often it is asked for."""
        if self._is_over:
            return None
        self._wanted.put(prompt if self.interactive else "")
        line = await self._read.get()
        self._is_over = line is None
        return line

    def _serve(self) -> None:
        while True:
            prompt = self._wanted.get()
            try:
                line: str | None = input(prompt)
            except EOFError:
                line = None
            self._loop.call_soon_threadsafe(self._read.put_nowait, line)
            if line is None:
                return
