"""A short run of the simulated world; `python -m tests.simulation --minutes 30` goes on."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.databases import Databases
from tests.simulation.machine import machine


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
