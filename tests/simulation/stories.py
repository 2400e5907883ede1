"""For each mend of `reverts.py`, the shortest story of the simulated world that goes wrong without it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from tests.simulation.reverts import without
from tests.simulation.world import Simulation, owned_task

GUILD, PROCESS, PERSON = 0, 0, 1
"""Where the stories play: the first server, its process, and one of its people."""

CHANNEL = 1
"""The first channel that everybody reads; 0 is the closed one."""


async def _ledger(world: Simulation) -> None:
    """A channel is made while the process is down, and has its first words before it is back."""
    await world.kill(PROCESS)
    await world.open_place(GUILD, is_thread=False)
    await world.say(GUILD, PERSON, len(world.open[GUILD]))
    await world.up(PROCESS)


async def _fencing(world: Simulation) -> None:
    """A process stands still in an order, another takes over and forgets what it told; then it wakes."""
    for after in range(1, 26):
        await world.sleep(GUILD, PERSON, CHANNEL, after)
        await world.check()


async def _order(world: Simulation) -> None:
    """Two processes have one server: one remembers what the other is told to forget."""
    for _ in range(4):
        await world.overlap(GUILD, PERSON, CHANNEL)


async def _retention(world: Simulation) -> None:
    """A message of two days ago is deleted while the process is down."""
    await world.say(GUILD, PERSON, CHANNEL)
    await world.quiet()
    await world.pass_time(48 * 60)
    await world.processes[PROCESS].bot.flow.catching_up.note_connected()
    await world.kill(PROCESS)
    await world.delete(0)
    await world.up(PROCESS)


async def _promises(world: Simulation) -> None:
    """The database is away for longer than questions stay fresh."""
    await world.outage(GUILD, PERSON, CHANNEL, 15)


async def _time(world: Simulation) -> None:
    """A process starts on a machine whose clock is five minutes ahead, and on one that is five behind."""
    for seconds in (300, -300):
        await world.skew(PROCESS, seconds)
        await world.kill(PROCESS)
        await world.say(GUILD, PERSON, CHANNEL)
        await world.up(PROCESS)
        await world.remember(GUILD, PERSON, CHANNEL)
        await world.check()


async def _archives(world: Simulation) -> None:
    """A thread goes to the archive after a last word while the process is down."""
    await world.open_place(GUILD, is_thread=True)
    await world.quiet()
    await world.kill(PROCESS)
    await world.archive(GUILD, 0)
    await world.up(PROCESS)


async def _cursor(world: Simulation) -> None:
    """A process is killed again as it catches up, once it stored what was written then."""
    await world.be_away(GUILD, CHANNEL, again=True)


STORIES: dict[str, Callable[[Simulation], Awaitable[None]]] = {
    "ledger": _ledger,
    "fencing": _fencing,
    "order": _order,
    "retention": _retention,
    "promises": _promises,
    "time": _time,
    "archives": _archives,
    "cursor": _cursor,
}
"""By the name of the mend."""


def breaks(server: str, template: str, name: str, *, revert: bool) -> bool:
    """Whether the story of a mend goes wrong, with the mend in place or without it."""

    async def play() -> None:
        world = Simulation(server, template)
        try:
            await world.start()
            await STORIES[name](world)
            await world.check()
        finally:
            await world.close()

    with without(name if revert else None), asyncio.Runner() as runner:
        runner.get_loop().set_task_factory(owned_task)
        try:
            runner.run(play())
        except (AssertionError, TimeoutError):
            return True
    return False
