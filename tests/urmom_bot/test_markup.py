"""Foreign text leaves by one door, disarmed for each face."""

from __future__ import annotations

import ast
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from rich.console import Console

from urmom_bot.markup import (
    Markup,
    channel,
    foreign,
    in_terminal,
    joined,
    line,
    link,
    moment,
    person,
    plain,
    role,
    terminal,
)
from urmom_bot.talk import Texts

ROOT = Path(__file__).parents[2]

ATTACKS = (
    "[free nitro](https://evil.example/x)",
    "[a](<https://evil.example>)",
    "[a]( https://evil.example )",
    "x](https://evil.example)[y",
    "📌 Forgotten: everything about bob",
    "📍📌 done",
    "# headline",
    "-# small print",
    "> quote",
    "1. list",
    "**bold** __under__ ~~gone~~ ||hidden|| `code` ```block```",
    "@everyone @here <@123> <@&123> <#123> <:x:1> </erase:1> <t:1:R> <id:home>",
    "join discord.gg/abc or https://discord.com/invite/abc",
    "two\nlines\r\n# and a headline",
    "a\u202eb\u2066c\u200bd\x00e\x1b[31m",
    "ann is a thief — told by themselves, Nov 9, 2026 [source](https://evil.example)",
    "\\[x](https://evil.example)",
    "\\\\[x](https://evil.example)",
)

_MASK = re.compile(r"(?<!\\)(?:\\\\)*\[[^\]]*\]\(")


def seen(text: str) -> str:
    """What Discord shows of markup: escapes taken away."""
    return re.sub(r"\\([^0-9A-Za-z\s])", r"\1", text)


@pytest.mark.parametrize("text", ATTACKS)
def test_foreign_text_is_only_text(text: str) -> None:
    """No link behind other words, no mark, no mention, no ping, no heading, no line of its own, no pin."""
    told = foreign(text)

    assert not _MASK.search(told)
    assert "\n" not in told
    assert not re.search(r"[📌📍\u202e\u2066\x00\x1b]", told)
    assert not re.search(r"(?<!\\)<(?!https?://)", told)
    assert not re.search(r"(?<!\\)(?:\*\*|__|~~|\|\||`)", told)
    assert not re.match(r"[#>-]|1\. ", told)
    assert not re.search(r"@(?:everyone|here)\b", told)
    assert "discord.gg" not in told
    assert "discord.com/invite" not in told


@pytest.mark.parametrize(
    "text",
    [
        "ann plays snake_case_games",
        "it's 5 o'clock (sharp)",
        "C# & C++, 3 < 4",
        "see https://a.example/x_y_z?q=1, ok?",
        "日本語",
        "naïve – “quoted”",
        "a - b",
        "3.5 km",
    ],
)
def test_what_people_write_is_shown_as_they_wrote_it(text: str) -> None:
    """Names, prices and addresses are the same to the eye; an address stays whole."""
    assert seen(foreign(text)).replace("<https", "https").replace(">", "") == text.replace(">", "")
    assert "x_y_z" not in text or "<https://a.example/x_y_z?q=1>" in foreign(text)


def test_what_is_no_markup_is_escaped_on_the_way_in() -> None:
    """Among the bot's own words anything else is foreign, whoever puts it there; markup is put in as it is."""
    evil = ATTACKS[0]
    made = (
        line("{} {}", evil, person(5)),
        joined([evil, person(5)], " "),
        Texts("en")("know", name=evil, context=person(5)),
    )
    for told in made:
        assert isinstance(told, Markup)
        assert not _MASK.search(told)
        assert "<@5>" in told
    assert link("a](https://evil.example)", "https://x.example") == "[aevil.example](<https://x.example>)"
    assert moment(datetime(2026, 11, 10, tzinfo=UTC), "f") == "<t:1794268800:f>"


def test_a_label_and_a_terminal_have_no_marks_of_ours() -> None:
    """A button shows signs as they are; a terminal gets no control characters and no marks of the library's."""
    assert plain("📌 a*b\n[c]") == "a*b [c]"
    assert Texts("en").plain("button_restore", number=1, fact="a*b") == "Restore #1: a*b"
    console = Console(record=True, width=200)
    console.print(terminal("[link=https://evil.example]x[/link] \x1b[31mred [bold]y"))
    shown = console.export_text()
    assert "[link=https://evil.example]x[/link]" in shown
    assert "\x1b" not in shown
    assert "[bold]y" in shown


def test_markup_is_made_in_one_place() -> None:
    """Only the door and the catalogue say that a text is markup; of a model's, whoever had it pass the gate."""
    makers: dict[str, set[str]] = {}
    for path in sorted((ROOT / "urmom_bot").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            name, given = node.func.id, node.args
            if (
                name == "Markup"
                and given
                and not isinstance(given[0], ast.Constant | ast.IfExp)
                and ast.unparse(given[0]) != "BY_CODE"
            ):
                makers.setdefault(name, set()).add(path.name)
            if name == "from_model":
                makers.setdefault(name, set()).add(path.name)
            if name == "line":
                template = given[0]
                is_fixed = isinstance(template, ast.Constant) or (
                    isinstance(template, ast.IfExp) and isinstance(template.body, ast.Constant)
                )
                assert is_fixed, f"{path.name}:{node.lineno}: the words of a line are written where it is made"
    assert makers == {"Markup": {"markup.py", "texts.py"}, "from_model": {"chatting.py", "jokes.py"}}


@pytest.mark.parametrize("text", ATTACKS)
def test_a_terminal_shows_what_was_written(text: str) -> None:
    """Foreign text reads the same as before it was escaped, without any style; only addresses lose their brackets."""
    shown = in_terminal(foreign(text), {}, {})
    bare = re.sub(r"[<>\u200b]", "", plain(text))
    if not re.search(r"discord(?:\.gg|\.com)", text):  # invites are taken out
        assert re.sub(r"[<>\u200b]", "", shown.plain) == bare
    assert not [span for span in shown.spans if "bold" in str(span.style) or "dim" in str(span.style)]


def test_a_terminal_has_a_face_of_its_own() -> None:
    """Names for ids, moments in UTC, the words of links, bold and small print as styles; no mark is left."""
    at = datetime(2026, 11, 10, 9, 30, tzinfo=UTC)
    told = joined(
        (
            line("**{}**: {}", "Ann", person(1)),
            line("{} in {} at {} or {}", person(2), channel(3), moment(at), moment(at, "f")),
            line("-# told by {} {}", role(4), link("so [they] say", "https://discord.com/channels/1/2/3")),
            foreign("2 * 3 <https://a.b/c_d> **not bold**"),
        )
    )
    shown = in_terminal(told, {1: "ann"}, {3: "general"})
    assert shown.plain == (
        "Ann: @ann\n@someone in #general at 09:30 UTC or 2026-11-10 09:30 UTC\n"
        "told by @a-role so they say\n2 * 3 https://a.b/c_d **not bold**"
    )
    styled = {shown.plain[span.start : span.end]: str(span.style).strip() for span in shown.spans}
    assert styled == {
        "Ann": "bold",
        "told by ": "dim",
        "@a-role": "dim",
        " ": "dim",
        "so they say": "dim",
    }


def test_bold_may_go_on_over_lines() -> None:
    """As in a text that chooses its words by a number."""
    shown = in_terminal(Markup("kept for **30\ndays**, then gone"), {}, {})
    assert [shown.plain[s.start : s.end] for s in shown.spans if "bold" in str(s.style)] == ["30", "days"]
