"""What answers in place of a model: it quotes instead of understanding, so that the rest can be seen at work.

It reads a prompt the way a model would have to, from its words alone, and answers in the form
asked for. It is no measure of what a real model writes.
"""

from __future__ import annotations

import json
import re
from typing import Any

from memory import fit
from urmom_bot.stand_ins.gemini import Asked

_SMALL_TALK = re.compile(
    r"(hi|hey|hello|morning|good morning|gm|gn|lol|ok|okay|thanks|thx|ty|yes|no|yep|nope|brb|nice|same)\W*",
    re.IGNORECASE,
)
_LINE = re.compile(r"(\d+) (u\d+)(?: >(\d+))?: (.*)")
_MARK = re.compile(r"@(u\d+)")


def extractive(asked: Asked) -> str:
    """Answer a prompt by quoting from it."""
    answers = {
        "Daily summaries": _daily,
        "Historical summaries": _historical,
        "Contexts": _merge,
        "Facts as one text": _blob,
        "Wording a fact": _wording,
        "Which facts are meant": _forget,
        "What is wanted": _route,
        "A joke": _joke,
        "A reply": _reply,
    }
    made = answers[asked.name](asked.sections)
    return made if isinstance(made, str) else json.dumps(made, ensure_ascii=False)


def _names(lines: str) -> dict[str, str]:
    found = {}
    for line in lines.splitlines():
        mark, _, names = line.partition(" ")
        found[mark] = names.split(" (also:")[0]
    return found


def _worth(text: str) -> bool:
    return len(text) > 15 and not _SMALL_TALK.fullmatch(text)


def _telling(text: str) -> tuple[int, int]:
    """How much a line tells: figures and names first, then length."""
    return len(re.findall(r"\d+|\b[A-Z]\w+", text)), len(text)


def _daily(sections: dict[str, str]) -> dict[str, Any]:
    names = _names(sections.get("members", ""))
    earlier = dict(line.split(": ", 1) for line in sections.get("earlier", "").splitlines() if ": " in line)
    said: dict[str, list[tuple[int, str]]] = {}
    for line in sections.get("messages", "").splitlines():
        if (m := _LINE.fullmatch(line)) and _worth(m[4]):
            text = _MARK.sub(lambda mark: f"@{names.get(mark[1], mark[1])}", m[4])
            said.setdefault(m[2], []).append((int(m[1]), text))
    members = []
    for mark, lines in said.items():
        best = sorted(sorted(lines, key=lambda line: _telling(line[1]), reverse=True)[:2])
        quoted = "; ".join(f"“{fit(text, 125)}”" for _, text in best)
        start = f"{fit(earlier[mark], 150)} Then:" if mark in earlier else f"{names.get(mark, mark)} said:"
        members.append({"member": mark, "summary": f"{start} {quoted}", "evidence": [n for n, _ in best]})
    return {"members": members}


def _blocks(sections: dict[str, str]) -> list[tuple[str, str, list[str]]]:
    blocks = []
    for block in sections.get("members", "").split("\n\n"):
        head, *lines = block.splitlines()
        mark, _, names = head.partition(" ")
        blocks.append((mark, names.split(" (also:")[0], lines))
    return blocks


def _historical(sections: dict[str, str]) -> dict[str, Any]:
    accounts = []
    for mark, name, lines in _blocks(sections):
        share = (470 - len(name)) // max(len(lines), 1) - 8
        days = []
        for line in reversed(lines):
            date, _, note = line.partition(": ")
            quotes = re.findall(r"“(.*?)”", note) or [note]
            days.append(f"{date[-5:]} {fit(max(quotes, key=_telling), share)}")
        accounts.append({"member": mark, "summary": f"{name}: {'; '.join(days)}"})
    return {"members": accounts}


def _merge(sections: dict[str, str]) -> dict[str, Any]:
    merged = []
    for mark, _, lines in _blocks(sections):
        facts, today, before = [*(line.split(": ", 1)[1] if ": " in line else "" for line in lines), "", "", ""][:3]
        room = max(740 - len(facts), 100)
        today = fit(today, max(room - len(before), room // 3))
        told = f"{facts} Today: {today} Before: {fit(before, room - len(today))}"
        merged.append({"member": mark, "context": told})
    return {"members": merged}


def _blob(sections: dict[str, str]) -> dict[str, Any]:
    facts = [line.split(": ", 1)[1] for line in sections.get("facts", "").splitlines() if ": " in line]
    return {"text": " ".join(facts)[:380]}


def _wording(sections: dict[str, str]) -> dict[str, Any]:
    about = sections["about"].split(" (also:")[0]
    speaker = sections["speaker"].split(" (also:")[0]
    text = sections.get("said", "").strip()
    if not _worth(text) and sections.get("before"):
        text = sections["before"].splitlines()[-1]
    for pattern, words in (
        (r"\bI am\b|\bI'm\b", f"{speaker} is"),
        (r"\bI have\b", f"{speaker} has"),
        (r"\bI (like|love|prefer|hate|play|work|live|use|need|want)\b", rf"{speaker} \1s"),
        (r"\bmy\b", f"{speaker}'s"),
        (r"\bI\b", speaker),
    ):
        text = re.sub(pattern, words, text)
    naming = re.fullmatch(rf"{re.escape(about)} is ([A-Z]\w+)\.?", text)
    return {
        "sentence": text if about.lower() in text.lower() else f"{about}: {text}",
        "key": "name" if naming else "note",
        "domain": "personal",
        "alias": naming[1] if naming else None,
    }


def _forget(sections: dict[str, str]) -> dict[str, Any]:
    asked = {w[:5] for w in re.findall(r"\w{4,}", sections["request"].lower())}
    asked -= {w[:5] for w in re.findall(r"\w{4,}", sections["about"].lower())}
    hits = []
    for line in sections.get("facts", "").splitlines():
        number, _, fact = line.partition(": ")
        shared = asked & {w[:5] for w in re.findall(r"\w{4,}", fact.lower())}
        if asked and len(shared) >= max(1, len(asked) * 0.6):
            hits.append(int(number))
    return {"facts": hits, "sure": len(hits) <= 1}


def _route(sections: dict[str, str]) -> dict[str, Any]:
    return {"action": "chat", "subject": "", "statement": ""}


def _joke(sections: dict[str, str]) -> str:
    return f"Ur mom read “{fit(sections['message'], 90)}” and said: finally, somebody my size."


def _reply(sections: dict[str, str]) -> str:
    known = sections.get("people", "").splitlines()
    told = "; ".join(fit(line, 160) for line in known[:2]) if known else "nothing yet"
    return f"(stand-in model) I was given this about the people here: {told}"
