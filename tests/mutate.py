"""Change rules one at a time and see whether a test breaks: `python -m tests.mutate MODULE [MODULE …] --count 20`.

Mutants are drawn at random: a comparison turned, `and` for `or`, a `not` less, another number, True for False, a
statement left out. Each is tried against the tests that import the module, or those named with `--tests`; a survivor
is printed with its line. The file is put back whatever happens.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]

TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


def mutants(tree: ast.Module) -> Iterator[tuple[ast.AST, str, ast.AST]]:
    """Each node that can be changed, how it is changed, and what takes its place."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(ops=[op, *more]) if type(op) in TURNED:
                yield node, "comparison", ast.Compare(node.left, [TURNED[type(op)](), *more], node.comparators)
            case ast.BoolOp(op=ast.And()):
                yield node, "and -> or", ast.BoolOp(ast.Or(), node.values)
            case ast.BoolOp(op=ast.Or()):
                yield node, "or -> and", ast.BoolOp(ast.And(), node.values)
            case ast.UnaryOp(op=ast.Not()):
                yield node, "not", node.operand
            case ast.Constant(value=bool(value)):
                yield node, "bool", ast.Constant(not value)
            case ast.Constant(value=int(value)):
                yield node, "number", ast.Constant(value + 1)
            case ast.If():
                yield node, "if never", ast.If(ast.Constant(False), node.body, node.orelse)


def tests_of(module: str) -> list[str]:
    """The test files that import a module, or the names of it from its package."""
    package, _, name = module.rpartition(".")
    pattern = re.compile(rf"\bfrom {re.escape(module)} import|\bfrom {re.escape(package)} import [^\n]*\b{name}\b")
    found = [path for path in ROOT.glob("tests/**/test_*.py") if pattern.search(path.read_text(encoding="utf-8"))]
    return [str(path.relative_to(ROOT)) for path in sorted(found)]


def killed(tests: list[str]) -> bool:
    """Whether a test fails now."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:randomly", "--no-header", *tests]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=900, check=False)
    return done.returncode not in (0, 5)


def tried(module: str, count: int, tests: list[str], dice: random.Random) -> tuple[int, list[str]]:
    """How many mutants of a module were tried, and those that no test noticed."""
    path = ROOT / (module.replace(".", "/") + ".py")
    source = path.read_text(encoding="utf-8")
    chosen = tests or tests_of(module)
    tree = ast.parse(source)
    found = list(mutants(tree))
    drawn = dice.sample(found, min(count, len(found)))
    survivors = []
    try:
        for node, how, instead in drawn:
            segment = ast.get_source_segment(source, node)
            written = ast.unparse(ast.fix_missing_locations(ast.copy_location(instead, node)))
            if segment is None or isinstance(node, ast.If):
                if not isinstance(node, ast.If):
                    continue
                segment, written = ast.get_source_segment(source, node.test) or "", "False"
            line, column = (node.test if isinstance(node, ast.If) else node).lineno, 0
            start = len("".join(source.splitlines(keepends=True)[: line - 1]).encode())
            column = (node.test if isinstance(node, ast.If) else node).col_offset
            raw = source.encode()
            at = start + column
            if raw[at : at + len(segment.encode())] != segment.encode():
                continue
            changed = raw[:at] + f"({written})".encode() + raw[at + len(segment.encode()) :]
            path.write_bytes(changed)
            is_killed = killed(chosen)
            print(f"{module}:{line} {how}: {'killed' if is_killed else 'SURVIVED'}", flush=True)
            if not is_killed:
                survivors.append(f"{module}:{line} {how}: {segment[:90]!r} -> {written[:90]!r}")
    finally:
        path.write_text(source, encoding="utf-8")
    return len(drawn), survivors


def main() -> None:
    """Draw, try and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="+")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", nargs="*", default=[])
    given = parser.parse_args()
    dice, all_tried, survivors = random.Random(given.seed), 0, []
    for module in given.modules:
        count, left = tried(module, given.count, given.tests, dice)
        all_tried += count
        survivors += left
    print(f"{all_tried} mutants, {len(survivors)} survived")
    for one in survivors:
        print(f"  {one}")


if __name__ == "__main__":
    main()
