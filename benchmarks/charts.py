"""Draws the last results beside their targets: `python -m benchmarks.charts` writes `benchmarks/results/charts.svg`.

The results are the objects that the benchmarks print with `--json`, kept in `benchmarks/results` by their names.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from pathlib import Path

FOLDER = Path(__file__).parent / "results"
WIDTH, LEFT, ROW, BAR = 760, 330, 26, 300
"""Pixels: of the picture, of the names, of a row, and of a bar that is as long as its target."""


@dataclass(frozen=True)
class Bar:
    """One figure and its target; `more` where more is better."""

    benchmark: str
    key: str
    told: str
    target: float
    unit: str = ""
    more: bool = False


BARS = (
    Bar("gateway", "bare_ratio", "bursts, of a bare bot's speed", 0.8, more=True),
    Bar("gateway", "lag_p99_ms", "write lag at 1,000 messages/s, p99", 200, "ms"),
    Bar("gateway", "start_s", "start to connected", 2, "s"),
    Bar("gateway", "rss_at_rest_mib", "memory at rest", 130, "MiB"),
    Bar("ingest", "copy_ratio_1", "storing, of COPY's speed, one server", 0.5, more=True),
    Bar("ingest", "copy_ratio_1000", "storing, 1,000 servers mixed", 0.25, more=True),
    Bar("ingest", "copy_ratio_5000", "storing, 5,000 servers mixed", 0.25, more=True),
    Bar("contexts", "warm_us", "a context again", 20, "µs"),
    Bar("contexts", "cold_ms", "a context after a restart", 5, "ms"),
    Bar("contexts", "cold_20_ms", "20 contexts after a restart", 15, "ms"),
    Bar("contexts", "no_ai_ms", "a context without AI", 5, "ms"),
    Bar("growth", "remember_ms_1000000", "remember, 1,000,000 messages", 100, "ms"),
    Bar("growth", "forget_ms_1000000", "forget, 1,000,000 messages", 500, "ms"),
    Bar("growth", "edit_ms_1000000", "an edit, 1,000,000 messages", 20, "ms"),
    Bar("crowd", "beyond_the_model_s", "20 cold replies at once, over one call", 1, "s"),
    Bar("loop", "longest_ms", "longest hold of the event loop", 50, "ms"),
    Bar("importing", "messages_a_second", "messages imported in a second", 11_000, more=True),
    Bar("importing", "most_mib", "memory of an import of 1,000,000", 120, "MiB"),
    Bar("recovery", "first_reply_s", "first reply after a restart", 1, "s"),
    Bar("recovery", "gaps_closed_s", "nothing missing, 1,000 servers", 60, "s"),
    Bar("ai_cost", "calls", "AI calls, five days asked daily", 40),
    Bar("ai_cost", "prompt_tokens", "prompt tokens, asked daily", 60_000),
    Bar("ai_cost", "hourly_prompt_tokens", "prompt tokens, asked hourly", 120_000),
    Bar("ai_cost", "remember_tokens", "prompt tokens of a remember", 600),
)


def row(bar: Bar, value: float, top: int) -> str:
    """A bar, green where it keeps its target, and a line where the target is."""
    part = min(value / bar.target, 1.35)
    is_kept = value >= bar.target if bar.more else value <= bar.target
    color = "#3a9d5d" if is_kept else "#d0703c"
    told = f"{value:,g} {bar.unit}".strip() + f" ({'≥' if bar.more else '≤'} {bar.target:,g})"
    return (
        f'<text x="{LEFT - 10}" y="{top + 15}" text-anchor="end">{escape(bar.told)}</text>'
        f'<rect x="{LEFT}" y="{top + 4}" width="{BAR * 0.7 * part:.0f}" height="14" fill="{color}"/>'
        f'<line x1="{LEFT + BAR * 0.7:.0f}" x2="{LEFT + BAR * 0.7:.0f}" y1="{top}" y2="{top + 22}" stroke="#888"/>'
        f'<text x="{LEFT + BAR * 0.7 * 1.4:.0f}" y="{top + 15}">{escape(told)}</text>'
    )


def main() -> None:
    rows = []
    for bar in BARS:
        source = FOLDER / f"{bar.benchmark}.json"
        if source.exists() and bar.key in (found := json.loads(source.read_text(encoding="utf-8"))):
            rows.append(row(bar, found[bar.key], 10 + ROW * len(rows)))
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{20 + ROW * len(rows)}"'
        ' font-family="sans-serif" font-size="13"><rect width="100%" height="100%" fill="#fff"/>'
        + "".join(rows)
        + "</svg>\n"
    )
    (FOLDER / "charts.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
