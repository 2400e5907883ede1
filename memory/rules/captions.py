"""What a picture shows and what a voice message says, as a line of the message that carries it. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache

from memory.records import MessageFile
from memory.rules.folding import folded
from memory.rules.safety import is_shaming, redacted
from memory.rules.text import fit, one_line
from memory.rules.wordlists import lines

CAPTION_CHARACTERS = 160
"""Characters of what a picture shows, at the most."""

TRANSCRIPT_CHARACTERS = 1_000
"""Characters of what a voice message says, at the most."""

PICTURE = "[image"
"""How the line of a picture begins."""

VOICE = "[voice"
"""How the line of a voice message begins."""

UNSEEN = "-"
"""The digest of a file that could not be looked at, and is not looked at again."""

_ADDRESS = re.compile(r"(?:https?://|www\.)\S{1,2000}", re.IGNORECASE)
_UNSEEN_LINE = re.compile(
    r"\[(?:image|video|audio|voice|file|sticker)\]|\[file: [^\]]{1,300}\]|\[(?:image|video|audio|voice): [^\]]{1,300}"
    r"\.(?:png|jpe?g|jfif|gif|webp|heic|avif|bmp|tiff?|svg|mp4|mov|webm|mkv|avi|mp3|ogg|opus|wav|m4a|flac|aac)\]",
    re.IGNORECASE,
)
_SEEN_LINE = re.compile(r"\[(?:image|voice): ")
_KIND = re.compile(r"\[([a-z]{1,20})")


def caption(text: str, names: Collection[str] = ()) -> str:
    """What a model saw on a picture, as it may be stored; empty where nothing of it may be.

    Secrets and addresses are taken out, and so are `names`: of members whom the message itself does not name. What
    no model should describe is not stored where one did.
    """
    text = redacted(_plain(text))
    if _never_told().search(folded(text)):
        return ""
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "someone", text, flags=re.IGNORECASE)
    return "" if is_shaming(text) else fit(text, CAPTION_CHARACTERS)


@cache
def _never_told() -> re.Pattern[str]:
    """Bodies, violence, papers, and what somebody's looks tell."""
    told = {words for line in lines("uncaptioned.txt") for words in line.split("|")}
    each = (re.escape(words).replace(r"\*", r"\w{0,30}") for words in sorted(told, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{'|'.join(each)})(?!\w)")


def transcript(text: str) -> str:
    """What a model heard in a voice message, as it may be stored: a member's own words, like those they type."""
    return fit(redacted(_plain(text)), TRANSCRIPT_CHARACTERS)


def _plain(text: str) -> str:
    """On one line, without addresses and without what a line of a message is made of."""
    return one_line(_ADDRESS.sub("(link)", text)).translate(str.maketrans("[]<>", "()()"))


def described(line: str, words: str) -> str:
    """The line of a file once it was looked at; without words only its kind is left."""
    found = _KIND.match(line)
    kind = found[1] if found else "file"
    return f"[{kind}: {words}]" if words else f"[{kind}]"


def line_of(text: str, file: MessageFile) -> str:
    """The line of a message's text that stands for one of its files; empty where there is none."""
    rows = text.split("\n")
    return rows[-file.row] if 1 <= file.row <= len(rows) else ""


def words_of(line: str) -> str:
    """What a line says of its file, without its kind."""
    return line[:-1].partition(": ")[2] if line.endswith("]") else ""


def without_file_names(text: str) -> str:
    """A message's words, and what its pictures show and its voice messages say; nothing of files nobody looked at."""
    rows = []
    for row in text.split("\n"):
        if not _UNSEEN_LINE.fullmatch(row):
            rows.append(words_of(row) if _SEEN_LINE.match(row) else row)
    return "\n".join(rows)


def put_in(text: str, files: Sequence[MessageFile], lines: Mapping[int, str]) -> str:
    """A message's text with other lines for some of its files, by their ids."""
    rows = text.split("\n")
    for file in files:
        if file.file_id in lines and 1 <= file.row <= len(rows):
            rows[-file.row] = lines[file.file_id]
    return "\n".join(rows)


def carried_over(
    text: str, files: Sequence[MessageFile], before: str, files_before: Sequence[MessageFile]
) -> tuple[str, tuple[MessageFile, ...]]:
    """An edited text with what was seen on its files before, and those files with their digests."""
    known = {file.file_id: file for file in files_before if file.digest}
    text = put_in(text, files, {file_id: line_of(before, file) for file_id, file in known.items()})
    return text, tuple(replace(f, digest=known[f.file_id].digest) if f.file_id in known else f for f in files)
