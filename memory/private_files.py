"""Files and folders that their owner alone can read: what members wrote goes nowhere else on the machine."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

FOLDER, PASSED_THROUGH, FILE = 0o700, 0o711, 0o600


def make_folder(path: Path) -> None:
    """Make a folder, and those above it that are missing; one that is there keeps its mode. Raises OSError."""
    for missing in reversed([one for one in (path, *path.parents) if not one.exists()]):
        missing.mkdir(mode=FOLDER, exist_ok=True)


def close_folder(path: Path) -> None:
    """Make a folder that only its owner enters, as far as the user may. Raises OSError where it cannot be made.

    Root's own stays open to be passed through: the embedded database runs there as a user of its own.
    """
    make_folder(path)
    with suppress(PermissionError):
        path.chmod(FOLDER if os.name == "nt" or os.geteuid() != 0 else PASSED_THROUGH)


def write(path: Path, text: str) -> None:
    """Write a file whole, or not at all; one that is there is replaced. Raises OSError."""
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE)
    try:
        with os.fdopen(file, "w", encoding="utf-8") as opened:
            opened.write(text)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
