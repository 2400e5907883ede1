"""What every part of memory works with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from memory.generations import Generations
from memory.guilds import Guilds
from memory.naming import Naming
from memory.observer import Observer
from memory.single_flight import SingleFlight
from memory.store import Store
from memory.store.cipher import TextCipher
from memory.suppressions import Suppressions


@dataclass(frozen=True, kw_only=True)
class Core:
    """The tables, the time, and what the levels and services of one memory share."""

    store: Store
    clock: Callable[[], datetime]
    generations: Generations
    """Drops what is cached of a guild when its past changes."""
    naming: Naming
    suppressions: Suppressions
    guilds: Guilds
    cipher: TextCipher
    """Encrypts the words of conversations."""
    flights: SingleFlight
    observer: Observer
