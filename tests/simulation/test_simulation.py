"""A short run of the simulated world; `python -m tests.simulation --minutes 30` goes on, and `--reverts` as well."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.databases import Databases
from tests.simulation.machine import machine
from tests.simulation.reverts import REVERTS
from tests.simulation.stories import STORIES, breaks


@pytest.mark.timeout(300)
@pytest.mark.filterwarnings("ignore:Unclosed connection:ResourceWarning")  # a killed process closes nothing
def test_what_must_be_true_stays_true(databases: Databases) -> None:
    """The same few worlds each time: what they show is not chance."""
    steps: Counter[str] = Counter()
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        machine(databases.server, databases.template, steps),
        settings=settings(
            max_examples=3,
            stateful_step_count=30,
            derandomize=True,
            deadline=None,
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert steps.total() > 40


@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")  # a killed process closes nothing
@pytest.mark.filterwarnings("ignore:Unclosed connection:ResourceWarning")
@pytest.mark.parametrize("name", ["ledger", "retention", "archives", "cursor"])  # the others wait for deadlines
def test_what_a_mend_mends_is_found_without_it(databases: Databases, name: str) -> None:
    """On a busy machine a kill may come too late once: then the story is played again."""
    assert any(breaks(databases.server, databases.template, name, revert=True) for _ in range(3))


def test_each_mend_has_its_story() -> None:
    assert STORIES.keys() == REVERTS.keys()
