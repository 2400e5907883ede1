"""What Undo needs, kept as ciphertext whose key is given to whoever asked and stored nowhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cryptography.fernet import Fernet, InvalidToken


class Seal:
    """One fresh key, and what is encrypted with it."""

    def __init__(self) -> None:
        self._key = Fernet.generate_key()

    @property
    def key(self) -> str:
        """The key, for the button."""
        return self._key.decode()

    def close(self, content: Mapping[str, Any]) -> bytes:
        """Encrypt what must be readable again only with the key."""
        return Fernet(self._key).encrypt(json.dumps(content).encode())


def opened(sealed: bytes, key: str) -> dict[str, Any]:
    """What was sealed. Raises ValueError where the key is another's."""
    try:
        content: dict[str, Any] = json.loads(Fernet(key.encode()).decrypt(sealed))
    except InvalidToken as wrong:
        raise ValueError("the key does not open this") from wrong
    return content
