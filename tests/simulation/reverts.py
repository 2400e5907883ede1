"""The mends of what was once lost, doubled or brought back, each with how to do without it.

`python -m tests.simulation --reverts` plays the story of each (`stories.py`), which must go wrong then.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from memory.services.messages import MessageService


async def _nothing(*_: object, **__: object) -> None:
    """Do nothing."""


_ingest = MessageService.ingest


async def _moving(*given: Any, **more: Any) -> bool:
    return await _ingest(*given, **(more | {"advances_read_position": True}))


def _not_looked_through(archives: Any, guild_id: int, *_: object) -> None:
    archives._done(guild_id)


REVERTS: dict[str, dict[str, object]] = {
    # A channel that nothing is known of is taken for silent.
    "ledger": {"urmom_bot.flow.catching_up.CatchingUp._begin_channels": _nothing},
    # A process goes on whatever others took over from it, on connections that stay open.
    "fencing": {
        "memory.store.processes.application_name": lambda _process_id: "nobody",
        "memory.store.database.Database._held": lambda _database: None,
        "memory.services.inbox.InboxService.check": _nothing,
    },
    # Each process carries out what it is given, in the order in which it got it.
    "order": {"memory.store.inbox.EARLIER_ORDER_SQL": "SELECT false WHERE $1::bigint < 0 AND $2::bigint < 0"},
    # Deletions of more than a day before the absence are not found.
    "retention": {"urmom_bot.flow.catching_up.CatchingUp._compare_all": lambda *_: None},
    # What was put off is a question like any other.
    "promises": {"urmom_bot.flow.inbox.Inbox.was_put_off": lambda *_: False},
    # Each machine goes by its own clock.
    "time": {"tests.simulation.world.Skewed.follow": lambda *_: None},
    # Threads that were archived meanwhile are not asked after.
    "archives": {"urmom_bot.flow.archives.Archives.look_through": _not_looked_through},
    # What is stored as it comes moves the cursor over what is missing before it.
    "cursor": {"memory.services.messages.MessageService.ingest": _moving},
}


@contextmanager
def without(name: str | None) -> Iterator[None]:
    """While the world is played without a mend; None is for all of them in place."""
    with pytest.MonkeyPatch.context() as patches:
        for target, value in REVERTS[name].items() if name else ():
            patches.setattr(target, value)
        yield
