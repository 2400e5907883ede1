"""Answers of a model that were written for a story; what is not written is quoted by `extractive`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from urmom_bot.stand_ins.gemini import Asked, UseTool
from urmom_bot.stand_ins.model import blocks, extractive

_NOTE = re.compile(r"note (\w+) (\w+ [123]) \| (.+?) \| (.+)")
_REPLY = re.compile(r"reply (.+?) \| (.+?)(?: \| (.+))?")
_DIGEST = re.compile(r"digest (.+?) \| (.+?) \| (.+)")
_JOKE = re.compile(r"joke (.+?) \| (.+)")
_LINE = re.compile(r"(\d+) (u\d+)(?: >\d+)?: (.*)")


@dataclass(frozen=True)
class _Note:
    who: str
    kind: str
    evidence: tuple[str, ...]
    text: str


def written(story: str) -> Callable[[Asked], str | UseTool]:
    """The model that answers as a file says; its form is told at the head of `nine_days_answers.txt`.

    Raises ValueError for a line of another form.
    """
    notes, replies, jokes = list[_Note](), dict[str, tuple[str, tuple[str, ...]]](), dict[str, str]()
    conclusions = list[tuple[str, str, str]]()
    for line in story.splitlines():
        if found := _NOTE.fullmatch(line):
            notes.append(_Note(found[1], found[2], tuple(found[3].split(" + ")), found[4]))
        elif found := _REPLY.fullmatch(line):
            replies[found[1]] = found[2], tuple((found[3] or "").split(" + ")) if found[3] else ()
        elif found := _DIGEST.fullmatch(line):
            conclusions.append((found[1], found[2], found[3]))
        elif found := _JOKE.fullmatch(line):
            jokes[found[1]] = found[2]
        elif line and not line.startswith("#"):
            raise ValueError(line)

    def answer(asked: Asked) -> str | UseTool:
        sections = asked.sections
        match asked.name:
            case "Notes of a day":
                return json.dumps({"notes": [*_noted(notes, sections)]}, ensure_ascii=False)
            case "Historical summaries":
                made = [{"member": mark, "summary": _whole(lines, limit)} for mark, limit, lines in blocks(sections)]
                return json.dumps({"members": made}, ensure_ascii=False)
            case "Contexts":
                return json.dumps({"members": [*_merged(sections)]}, ensure_ascii=False)
            case "A reply":
                for words, (text, evidence) in replies.items():
                    if words in sections["message"]:
                        shown = [line for line in sections.get("found", "").splitlines() if _has(line, evidence)]
                        sources = [int(n[0]) for line in shown if (n := re.match(r"\d+", line.lstrip("* #[")))]
                        return json.dumps({"answer": text, "sources": sources[:3]}, ensure_ascii=False)
            case "What a talk came to":
                return json.dumps(_concluded(conclusions, sections), ensure_ascii=False)
            case "A joke":
                for words, text in jokes.items():
                    if words in sections["message"]:
                        return text
        return extractive(asked)

    return answer


def _has(line: str, words: Iterable[str]) -> bool:
    return any(one in line for one in words)


def _noted(notes: Iterable[_Note], sections: dict[str, str]) -> Iterator[str]:
    """The notes of the messages that are there, with their numbers and the marks of the people."""
    people = re.split(r",? (?=u\d+=)|\n", sections.get("people", ""))
    marks = {name: mark for mark, _, name in (person.strip().partition("=") for person in people)}
    lines = [found for line in sections.get("messages", "").splitlines() if (found := _LINE.fullmatch(line))]
    for note in notes:
        numbers = [found[1] for words in note.evidence for found in lines if words in found[3]]
        if len(numbers) == len(note.evidence) and note.who in marks:
            text = re.sub(
                r"\{(\w+)\}", lambda found: f"@{marks[found[1]]}" if found[1] in marks else found[1], note.text
            )
            yield f"{marks[note.who]} {note.kind} {','.join(numbers)}: {text}"


def _concluded(conclusions: Iterable[tuple[str, str, str]], sections: dict[str, str]) -> dict[str, Any]:
    """The conclusions of turns that are there, and their topic."""
    found, name = list[dict[str, Any]](), ""
    for topic, words, text in conclusions:
        for line in sections.get("turns", "").splitlines():
            number, _, spoken = line.partition(" ")
            if words in spoken and not spoken.startswith("you:"):
                found.append({"kind": "decision", "text": text, "evidence": [int(number)]})
                name = topic
    return {"conclusions": found, "topic": name, "summary": ""}


def _whole(lines: Iterable[str], limit: int) -> str:
    """As many whole sentences as there is room for, of each line the first before any second."""
    told, room = list[str](), limit
    for line in reversed(list(lines)):
        date, _, text = line.partition(": ")
        sentence = f"{date[-10:]}: {text.split('. ')[0].rstrip('.')}."
        if len(sentence) < room:
            told.append(sentence)
            room -= len(sentence) + 1
    return " ".join(told)


def _merged(sections: dict[str, str]) -> Iterator[dict[str, Any]]:
    """Today and the days before, as many whole sentences of each as there is room for, half for each."""
    for mark, limit, lines in blocks(sections):
        texts = dict(line.split(": ", 1) for line in lines if ": " in line)
        parts = [*texts.values(), "", "", ""][1:3]
        told = []
        for label, text in zip(("Today", "Before"), parts, strict=True):
            kept = ""
            for sentence in re.findall(r"[^.]+(?:\.(?=\S)[^.]+)*\.", text):
                if len(kept) + len(sentence) < limit // 2 - 20:
                    kept += sentence
            if kept.strip():
                told.append(f"{label}: {kept.strip()}")
        yield {"member": mark, "context": " ".join(told)}
