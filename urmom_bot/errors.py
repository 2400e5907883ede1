"""What keeps the bot from starting, and the exit codes that say so."""

from __future__ import annotations


class StartupError(Exception):
    """Something only the one who runs the bot can mend: a sentence on what to do, and an exit code."""

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self.code = code


NO_TOKEN, BAD_TOKEN, NO_INTENT, NO_DATABASE, NO_FOLDER = range(10, 15)
NEWER_DATABASE, BAD_SETTINGS, NO_DISCORD, WRONG_KEY, NO_BACKUP, NOT_READY = range(15, 21)
"""Exit codes of `urmom-bot run` and the other commands, one for each thing to mend."""
