"""The steps of the small world as Hypothesis takes them, in an order of its choosing."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from tests.simulation.world import CONFLICTS, GUILDS, PEOPLE, PLACES, SHARDS, Simulation, owned_task

GUILD = st.integers(0, GUILDS - 1)
PROCESS = st.integers(0, len(SHARDS) - 1)
PERSON = st.integers(0, PEOPLE - 1)
PLACE = st.integers(0, 2 + PLACES)
PICK = st.integers(0, 30)


def machine(server: str, template: str, steps: Counter[str]) -> type[RuleBasedStateMachine]:
    """The machine over databases of `server`, cloned from `template`; it counts its steps."""

    class Machine(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self._runner = asyncio.Runner()
            self._runner.get_loop().set_task_factory(owned_task)
            self._world = Simulation(server, template)

        def _do(self, name: str, work: Coroutine[Any, Any, None]) -> None:
            steps[name] += 1
            self._runner.run(work)

        @initialize()
        def begin(self) -> None:
            self._runner.run(self._world.start())

        @rule(g=GUILD, who=PERSON, where=PLACE)
        def say(self, g: int, who: int, where: int) -> None:
            self._do("say", self._world.say(g, who, where))

        @rule(pick=PICK)
        def edit(self, pick: int) -> None:
            self._do("edit", self._world.edit(pick))

        @rule(pick=PICK)
        def delete(self, pick: int) -> None:
            self._do("delete", self._world.delete(pick))

        @rule(g=GUILD, who=PERSON, where=PLACE)
        def remember(self, g: int, who: int, where: int) -> None:
            self._do("remember", self._world.remember(g, who, where))

        @rule(pick=PICK)
        def forget(self, pick: int) -> None:
            self._do("forget", self._world.forget(pick))

        @rule(pick=PICK)
        def moderate(self, pick: int) -> None:
            self._do("moderate", self._world.moderate(pick))

        @rule(per_second=st.sampled_from([2, 10, None]))
        def limit(self, per_second: int | None) -> None:
            self._do("429", self._world.limit(per_second))

        @rule(pick=PICK)
        def delete_order(self, pick: int) -> None:
            self._do("delete an order", self._world.delete_order(pick))

        @rule(g=GUILD, who=PERSON, about=PERSON, where=PLACE)
        def ask(self, g: int, who: int, about: int, where: int) -> None:
            self._do("ask", self._world.ask(g, who, about, where))

        @rule(g=GUILD, who=PERSON, where=PLACE)
        def chat(self, g: int, who: int, where: int) -> None:
            self._do("chat", self._world.chat(g, who, where))

        @rule(g=GUILD, who=PERSON, where=PLACE)
        def look(self, g: int, who: int, where: int) -> None:
            self._do("look", self._world.look(g, who, where))

        @rule(pick=PICK)
        def undo(self, pick: int) -> None:
            self._do("undo", self._world.undo(pick))

        @rule(g=GUILD, who=PERSON)
        def rename(self, g: int, who: int) -> None:
            self._do("rename", self._world.rename(g, who))

        @rule(minutes=st.sampled_from([1, 8, 61, 24 * 60]))
        def pass_time(self, minutes: int) -> None:
            self._do("time", self._world.pass_time(minutes))

        @rule(out=st.booleans())
        def quota(self, out: bool) -> None:
            self._do("quota", self._world.quota(out))

        @rule(kind=st.sampled_from(["quota", "refused", "cut off", "empty", "error", "late"]))
        def fault(self, kind: str) -> None:
            self._do("fault of the model", self._world.fault(kind))

        @rule(status=st.sampled_from([500, 502, 503]))
        def refuse(self, status: int) -> None:
            self._do("fault of Discord", self._world.refuse(status))

        @rule(forget=st.booleans())
        def drop(self, forget: bool) -> None:
            self._do("gateway lost", self._world.drop(forget))

        @rule(code=st.sampled_from(CONFLICTS), after=st.integers(1, 60))
        def conflict(self, code: str, after: int) -> None:
            self._do("conflict", self._world.conflict(code, after))

        @rule(g=PROCESS)
        def cut(self, g: int) -> None:
            self._do("database away", self._world.cut(g))

        @rule(g=PROCESS)
        def mend(self, g: int) -> None:
            self._do("database back", self._world.mend(g))

        @rule(g=PROCESS)
        def cut_off(self, g: int) -> None:
            self._do("Discord away", self._world.cut_off(g))

        @rule(g=PROCESS)
        def reach(self, g: int) -> None:
            self._do("Discord back", self._world.reach(g))

        @rule(g=PROCESS, seconds=st.sampled_from([-300, -30, 0, 30, 300]))
        def skew(self, g: int, seconds: float) -> None:
            self._do("skewed clock", self._world.skew(g, seconds))

        @rule(g=GUILD, is_thread=st.booleans())
        def open_place(self, g: int, is_thread: bool) -> None:
            self._do("thread" if is_thread else "channel", self._world.open_place(g, is_thread))

        @rule(g=GUILD, where=PLACE)
        def archive(self, g: int, where: int) -> None:
            self._do("archive", self._world.archive(g, where))

        @rule(g=PROCESS)
        def kill(self, g: int) -> None:
            self._do("kill", self._world.kill(g))

        @rule(g=GUILD, where=PLACE, again=st.booleans())
        def be_away(self, g: int, where: int, again: bool) -> None:
            self._do("absence", self._world.be_away(g, where, again))

        @rule(g=PROCESS)
        def freeze(self, g: int) -> None:
            self._do("freeze", self._world.freeze(g))

        @rule(g=GUILD, who=PERSON, where=PLACE, after=st.integers(1, 25))
        def sleep(self, g: int, who: int, where: int, after: int) -> None:
            self._do("sleep", self._world.sleep(g, who, where, after))

        @rule(g=GUILD, who=PERSON, where=PLACE)
        def overlap(self, g: int, who: int, where: int) -> None:
            self._do("overlap", self._world.overlap(g, who, where))

        @rule(g=GUILD, who=PERSON, where=PLACE, minutes=st.sampled_from([1, 15]))
        def outage(self, g: int, who: int, where: int, minutes: float) -> None:
            self._do("outage", self._world.outage(g, who, where, minutes))

        @rule(g=PROCESS)
        def stop(self, g: int) -> None:
            self._do("stop", self._world.stop(g))

        @rule(g=PROCESS)
        def up(self, g: int) -> None:
            self._do("start", self._world.up(g))

        @rule()
        def look_at_everything(self) -> None:
            self._do("check", self._world.check())

        def teardown(self) -> None:
            try:
                if self._world.processes:
                    self._runner.run(self._world.check())
            finally:
                self._runner.run(self._world.close())
                self._runner.close()

    return Machine
