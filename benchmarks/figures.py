"""How a benchmark tells its result."""

from __future__ import annotations

import json
from collections.abc import Mapping

from rich.console import Console
from rich.table import Table


def tell(title: str, result: Mapping[str, object], *, as_json: bool) -> None:
    """Print figures by their names: one JSON object, or a table to read."""
    if as_json:
        print(json.dumps(result))
        return
    table = Table("what", "result", title=title)
    for name, value in result.items():
        table.add_row(name.replace("_", " "), f"{value:,}" if isinstance(value, int | float) else str(value))
    Console().print(table)
