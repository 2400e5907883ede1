"""The words of conversations at rest: encrypted where keys are set, as they are where none is."""

from __future__ import annotations

from collections.abc import Sequence

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from memory.store.cascade import SEALED


class TextCipher:
    """Encrypts with the first of its keys and reads with any: a new key goes first, the old one stays for a while."""

    def __init__(self, keys: Sequence[str] = ()) -> None:
        """Keys as Fernet has them, 32 bytes in URL-safe base64. Raises ValueError where one is not."""
        self._fernet = MultiFernet([Fernet(key) for key in keys]) if keys else None

    @property
    def is_set(self) -> bool:
        """Whether anything is encrypted."""
        return self._fernet is not None

    def encrypt(self, text: str) -> str:
        """A text as it is stored."""
        return text if self._fernet is None else self._fernet.encrypt(text.encode()).decode()

    def decrypt(self, stored: str) -> str | None:
        """The text of what is stored; None where no key opens it."""
        if not stored.startswith(SEALED):
            return stored
        try:
            return None if self._fernet is None else self._fernet.decrypt(stored.encode()).decode()
        except InvalidToken:
            return None
