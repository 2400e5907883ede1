"""The simulated world for as long as you like: `python -m tests.simulation [--minutes 30] [--seed 1] [--steps 40]`.

Each seed makes some worlds. What breaks is printed with its steps, shrunk to the fewest that do; the exit code is 1
then. `--seed` begins with that one. `--reverts` plays the story of each mend of `reverts.py` instead, with the mend and
without it: it must break without it, and only then.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from memory.store.embedded import embedded
from memory.store.schema import migrate
from tests.builders import run_sql
from tests.databases import database_in
from tests.simulation.machine import machine
from tests.simulation.reverts import REVERTS
from tests.simulation.stories import breaks

TEMPLATE = "urmom_template"

WORLDS = 10
"""Worlds of one seed; Hypothesis makes the first of them of the simplest steps."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=40, help="Steps of one world.")
    parser.add_argument("--reverts", action="store_true", help="Do without each mend: what it mends must be found.")
    parser.add_argument("--no-shrinking", action="store_true", help="Print the first steps that break, as they are.")
    chosen = parser.parse_args()
    logging.disable(logging.CRITICAL)  # faults are planted by the dozen
    warnings.simplefilter("ignore")
    phases = (Phase.generate,) if chosen.no_shrinking else (Phase.generate, Phase.shrink)
    steps: Counter[str] = Counter()
    number, until = chosen.seed, time.monotonic() + 60 * chosen.minutes
    folder = tempfile.TemporaryDirectory(prefix="urmom-bot-tests-")
    with folder as path, embedded(Path(path), durable=False) as server:
        run_sql(server, f"CREATE DATABASE {TEMPLATE}")
        asyncio.run(migrate(database_in(server, TEMPLATE)))
        if chosen.reverts:
            sys.exit(_play_stories(server))
        while time.monotonic() < until:
            world = seed(number)(machine(server, TEMPLATE, steps))
            try:
                run_state_machine_as_test(  # type: ignore[no-untyped-call]
                    world,
                    settings=settings(
                        max_examples=WORLDS,
                        stateful_step_count=chosen.steps,
                        deadline=None,
                        database=None,
                        phases=phases,
                        suppress_health_check=list(HealthCheck),
                    ),
                )
            except BaseException:
                print(f"seed {number}, after {steps.total()} steps in all:", file=sys.stderr)
                raise
            number += 1
            print(f"seeds {chosen.seed} to {number - 1}: {steps.total()} steps", file=sys.stderr, flush=True)
    print(json.dumps({"seeds": number - chosen.seed, "steps": steps.total(), **dict(sorted(steps.items()))}))


def _play_stories(server: str) -> int:
    """Play the story of each mend; 1 where one breaks with its mend, or does not without it."""
    wrong = 0
    for name in REVERTS:
        whole, without = (breaks(server, TEMPLATE, name, revert=revert) for revert in (False, True))
        said = [f"{'breaks' if broke else 'clean'} {how} it" for broke, how in ((whole, "with"), (without, "without"))]
        print(f"{name}: {', '.join(said)}", flush=True)
        wrong |= whole or not without
    return wrong


if __name__ == "__main__":
    main()
