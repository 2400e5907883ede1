"""The door of memory: a program outside this project uses it with a few lines, and nothing but that door."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def example() -> str:
    """The program in the architecture's document."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert found
    return found[1]


def test_a_program_of_a_few_lines_remembers_and_forgets(example: str, dsn: str, tmp_path: Path) -> None:
    """As the document has it, run by itself on a database of its own."""
    assert len(example.strip().splitlines()) < 40
    assert set(re.findall(r"^(?:from|import) (memory[\w.]*)", example, re.MULTILINE)) == {"memory"}
    program = tmp_path / "program.py"
    program.write_text(example)
    done = subprocess.run([sys.executable, program, dsn], capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    told, forgotten = done.stdout.strip().splitlines()
    assert "plays the tuba" in told
    assert forgotten == "None"
