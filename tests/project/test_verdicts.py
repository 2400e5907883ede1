"""No rule changes what it says of a text unseen: see `verdicts.py`."""

from __future__ import annotations

from tests.project.verdicts import FILE, verdicts


def test_the_verdicts_are_those_that_were_read() -> None:
    """What each rule says of each text of the corpora; one that was changed on purpose is written and read anew."""
    before, now = FILE.read_text("utf-8").splitlines(), list(verdicts())
    lost, new = sorted(set(before) - set(now)), sorted(set(now) - set(before))
    assert not (lost or new), "\n".join(["python -m tests.project.verdicts", *lost[:20], "now:", *new[:20]])
