"""The key under which what was forgotten is kept: outside the database, so that a dump of it alone tells nothing."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from memory.private_files import make_folder

NAME = "suppression.key"
"""The file in DATA_DIR."""

BYTES = 32


class BadKey(ValueError):
    """The key is not 64 hexadecimal digits."""


def parsed(text: str) -> bytes:
    """A key from its hexadecimal digits. Raises BadKey."""
    try:
        key = bytes.fromhex(text.strip())
    except ValueError as malformed:
        raise BadKey from malformed
    if len(key) != BYTES:
        raise BadKey
    return key


def key_in(folder: Path, first: bytes | None = None) -> bytes:
    """The key in `folder`, written there with `first` or a new one where there is none. Raises BadKey and OSError.

    Of several processes that start at once, all get the one that was written.
    """
    path = folder / NAME
    make_folder(folder)
    if not path.exists():
        fresh = path.with_name(f"{NAME}.{secrets.token_hex(4)}")
        file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(file, ((first or secrets.token_bytes(BYTES)).hex() + "\n").encode())
            os.fsync(file)
        finally:
            os.close(file)
        try:
            os.link(fresh, path)  # fails where another process was first; whole or not at all
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    return parsed(path.read_text(encoding="ascii"))
