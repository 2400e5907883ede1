"""What answers in place of a model: it quotes instead of understanding, so that the rest can be seen at work.

It reads a prompt the way a model would have to, from its words alone, and answers in the form
asked for. It is no measure of what a real model writes.
"""

from __future__ import annotations

import json
import re
from typing import Any

from memory.rules.text import fit
from memory.rules.third_person import predicate, together
from urmom_bot.stand_ins.gemini import Asked

_SMALL_TALK = re.compile(
    r"(hi|hey|hello|morning|good morning|gm|gn|lol|ok|okay|thanks|thx|ty|yes|no|yep|nope|brb|nice|same)\W*",
    re.IGNORECASE,
)
_LINE = re.compile(r"(\d+) (u\d+)(?: >(\d+))?: (.*)")


def extractive(asked: Asked) -> str:
    """Answer a prompt by quoting from it."""
    answers = {
        "Notes of a day": _notes,
        "Historical summaries": _historical,
        "Contexts": _merge,
        "Facts as one text": _blob,
        "Wording a fact": _wording,
        "Which facts are meant": _forget,
        "A joke": _joke,
        "A reply": _reply,
        "Segments of a talk": _segments,
        "What a talk came to": _digest,
        "A topic in parts": _split,
        "The recap of a week": _recap,
        "Captions": _captions,
        "Transcripts": _captions,
        "A proof": _prove,
    }
    made = answers[asked.name](asked.sections)
    return made if isinstance(made, str) else json.dumps(made, ensure_ascii=False)


def _captions(sections: dict[str, str]) -> dict[str, object]:
    numbers = map(int, re.findall(r"\d+", sections["files"]))
    return {"captions": [{"n": n, "text": f"something on picture {n}"} for n in numbers]}


def _prove(_sections: dict[str, str]) -> str:
    return "OK"


def _worth(text: str) -> bool:
    return len(text) > 15 and not _SMALL_TALK.fullmatch(text)


def _telling(text: str) -> tuple[int, int]:
    """How much a line tells: figures and names first, then length."""
    return len(re.findall(r"\d+|\b[A-Z]\w+", text)), len(text)


def _words(text: str) -> set[str]:
    """The beginnings of a text's words, so that "play" and "plays" are the same."""
    return {word[:4] for word in re.findall(r"\w{4,}", text.lower())}


def _notes(sections: dict[str, str]) -> dict[str, Any]:
    """Of each writer the two lines that tell most, quoted, each with its own number."""
    told: dict[str, list[tuple[int, str]]] = {}
    for line in sections.get("messages", "").splitlines():
        if (m := _LINE.fullmatch(line)) and _worth(m[4]) and m[4] != "(withheld)":
            told.setdefault(m[2], []).append((int(m[1]), m[4]))
    best = [
        (n, f"{mark} event {2 if re.search(r'[0-9]', text) else 1} {n}: said “{fit(text, 125)}”")
        for mark, lines in told.items()
        for n, text in sorted(lines, key=lambda line: _telling(line[1]), reverse=True)[:2]
    ]
    return {"notes": [line for _, line in sorted(best)]}


def blocks(sections: dict[str, str]) -> list[tuple[str, int, list[str]]]:
    """The members of a prompt: mark, most characters, and the lines about each."""
    blocks = []
    for block in sections.get("members", "").split("\n\n"):
        head, *lines = block.splitlines()
        blocks.append((head.partition(" ")[0], int(head.rpartition("limit=")[2]), lines))
    return blocks


_NOTE = re.compile(r"(\d+) (\w+) (u\d+|channel) (.*)")
_PARTS = {"decision": "decided", "plan": "decided", "advice": "helped"}


def _recap(sections: dict[str, str]) -> dict[str, Any]:
    """The notes as they are, and the first messages."""
    notes = [m for line in sections.get("notes", "").splitlines() if (m := _NOTE.fullmatch(line))]
    numbers = [line.partition(" ")[0] for line in sections.get("messages", "").splitlines()]
    lines = [
        {
            "part": _PARTS.get(m[2], "happened"),
            "notes": [int(m[1])],
            "text": m[4] if m[3] == "channel" else f"@{m[3]} {m[4]}",
        }
        for m in notes[:8]
    ]
    return {"lines": lines, "quotes": [int(n) for n in numbers[:3]]}


def _historical(sections: dict[str, str]) -> dict[str, Any]:
    accounts = []
    for mark, limit, lines in blocks(sections):
        share = limit // max(len(lines), 1) - 12
        days = []
        for line in reversed(lines):
            date, _, note = line.partition(": ")
            quotes = re.findall(r"“(.*?)”", note) or [note]
            days.append(f"{date[-10:]}: {fit(max(quotes, key=_telling), share).rstrip('.…')}…")
        accounts.append({"member": mark, "summary": " ".join(days)})
    return {"members": accounts}


def _merge(sections: dict[str, str]) -> dict[str, Any]:
    merged = []
    for mark, limit, lines in blocks(sections):
        texts = [*(line.split(": ", 1)[1] if ": " in line else "" for line in lines), "", "", ""][1:3]
        today, before = texts
        today = fit(today, max(limit - len(before) - 20, limit // 3))
        merged.append({"member": mark, "context": f"Today: {today} Before: {fit(before, limit - len(today) - 20)}"})
    return {"members": merged}


def _blob(sections: dict[str, str]) -> dict[str, Any]:
    facts = [line.split(": ", 1)[1] for line in sections.get("facts", "").splitlines() if ": " in line]
    return {"text": " ".join(facts)[:380]}


def _wording(sections: dict[str, str]) -> dict[str, Any]:
    subject, _, called = sections["about"].partition(" ")
    name = "|".join(map(re.escape, re.split(r" \(also: |, ", called.strip().removesuffix(")"))))
    speaker = sections["speaker"].partition(" ")[0]
    text = sections.get("said", "").strip()
    if not _worth(text) and sections.get("before"):
        text = sections["before"].splitlines()[-1]
    if (of_both := together(text, speaker)) is not None:
        return {"sentence": of_both, "key": "note", "domain": "personal", "alias": None}
    if (told := predicate(text)) is not None:
        text = f"{speaker}{told}"
    for pattern, words in (
        (r"\bI am\b|\bI['’]m\b|^im\b", f"{speaker} is"),
        (r"\bI have\b", f"{speaker} has"),
        (r"\bI (like|love|prefer|hate|play|work|live|use|need|want|own|know|speak|drink|eat)\b", rf"{speaker} \1s"),
        (r"\bmy\b", f"{speaker}'s"),
        (r"\bI\b", speaker),
    ):
        text = re.sub(pattern, words, text, flags=re.IGNORECASE)
    naming = re.fullmatch(rf"(?:{name}|{subject}) is ([A-Z]\w+)\.?", text)
    named = re.search(rf"(?<!\w)(?:{name})(?!\w)", text, re.IGNORECASE) or re.search(rf"{subject}(?!\d)", text)
    return {
        "sentence": text if named else f"{subject}: {text}",
        "key": "name" if naming else "note",
        "domain": "personal",
        "alias": naming[1] if naming else None,
    }


def _forget(sections: dict[str, str]) -> dict[str, Any]:
    asked = _words(sections["request"]) - _words(sections["about"]) - {"that", "like", "love", "hate", "have"}
    hits = []
    for line in sections.get("facts", "").splitlines():
        number, _, fact = line.partition(": ")
        shared = asked & _words(fact)
        if asked and len(shared) >= max(1, len(asked) * 0.6):
            hits.append(int(number))
    return {"facts": hits, "sure": len(hits) <= 1}


def _joke(sections: dict[str, str]) -> str:
    return f"Ur mom read “{fit(sections['message'], 90)}” and said: finally, somebody my size."


_TURN = re.compile(r"(\d+) (u\d+|you): (.*)")
_SETTLED = re.compile(r"\b(?:decided|agreed|we (?:will|use|take|go)|let's|it works|fixed|found out)\b", re.IGNORECASE)
_OF_ONESELF = re.compile(r"\b(I am|I'm|I work|I live|I have|I play|I use)\b")


def _segments(sections: dict[str, str]) -> dict[str, Any]:
    """Of each part its first words, and what was settled, quoted."""
    parts = []
    for name, body in sections.items():
        if name.startswith("part-"):
            lines = [line.partition(": ")[2] for line in body.splitlines()]
            settled = [fit(line, 60) for line in lines if _SETTLED.search(line)]
            parts.append({"topic": fit(lines[0], 30), "discussed": [fit(lines[0], 50)], "decisions": settled[:1]})
    return {"parts": parts}


def _digest(sections: dict[str, str]) -> dict[str, Any]:
    """What people said they settled, and what they said of themselves, quoted."""
    conclusions, facts = [], []
    for line in sections.get("turns", "").splitlines():
        if not (m := _TURN.fullmatch(line)) or m[2] == "you" or m[3].endswith("?"):
            continue
        if _SETTLED.search(m[3]):
            conclusions.append({"kind": "decision", "text": f"@{m[2]}: {fit(m[3], 120)}", "evidence": [int(m[1])]})
        elif found := _OF_ONESELF.search(m[3]):
            verb = {"am": "is", "m": "is", "have": "has"}.get(found[1].split()[-1].removeprefix("I'"))
            text = f"@{m[2]} {verb or found[1].split()[-1] + 's'}{m[3][found.end() :]}"
            facts.append({"who": m[2], "key": "note", "text": fit(text, 110), "evidence": [int(m[1])]})
    return {"conclusions": conclusions[:5], "facts": facts[:3]}


def _split(sections: dict[str, str]) -> dict[str, Any]:
    """The first half and the second."""
    numbers = [int(line.partition(" ")[0]) for line in sections.get("lines", "").splitlines()]
    half, page = len(numbers) // 2, sections["page"]
    return {"parts": [{"name": f"{page} 1", "lines": numbers[:half]}, {"name": f"{page} 2", "lines": numbers[half:]}]}


def _reply(sections: dict[str, str]) -> dict[str, Any]:
    """The line among those found that has most words of the question; else what is known of the people."""
    asked = _words(sections.get("message", ""))
    lines = [line for name in ("found", "recent") for line in sections.get(name, "").splitlines()]
    best = max(lines, key=lambda line: len(asked & _words(line)), default="")
    if asked & _words(best):
        return {"answer": f"(stand-in model) I found this: {fit(best, 200)}"}
    known = sections.get("people", "").splitlines()
    told = "; ".join(fit(line, 160) for line in known[:2]) if known else "nothing yet"
    return {"answer": f"(stand-in model) I was given this about the people here: {told}"}
