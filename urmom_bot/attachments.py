"""What comes with a message: pictures, sound, PDFs and text files, made ready for a model.

What a file is, its bytes say and never its name. A picture is decoded within a bound of pixels, scaled down and
written anew, so that nothing of a hostile file reaches a model. Files are never stored.
"""

from __future__ import annotations

import asyncio
import codecs
import io
import logging
import math
import re
from collections.abc import Awaitable, Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from PIL import Image, ImageChops, ImageOps

from memory.ai import Media, MediaKind
from memory.ai.media import COARSE_TOKENS, PAGE_TOKENS, SOUND_TOKENS_A_SECOND
from memory.ai.sheets import CELL
from memory.rules.keywords import keywords
from memory.rules.text import fit, one_line

log = logging.getLogger(__name__)

MAX_PICTURES = 4
"""Pictures that go with one request, at the most."""

MAX_FILES = 8
"""Files of a request that are looked at, at the most."""

MAX_BYTES = 8 * 2**20
"""Bytes of all files of a request together, at the most."""

MAX_TEXT_BYTES = 200_000
"""Bytes of a text file, at the most."""

MAX_SECONDS = 120
"""Seconds of all sound of a request together, at the most."""

UNKNOWN_SECONDS = 60
"""Seconds that sound is taken for that does not tell its length."""

MAX_SOUND_BYTES = 2 * 2**20
"""Bytes of sound that does not tell its length, at the most."""

MAX_BYTES_A_SECOND = 40_000
"""Bytes that a second of sound takes, at the most: those of the largest MP3 (320 kbit/s)."""

MAX_PAGES = 20
"""Pages of a PDF, at the most; one PDF goes with a request."""

PAGE_BYTES = 30_000
"""Bytes that a page of a PDF is taken for that does not show its pages."""

TIME_LIMIT = 8.0
"""Seconds in which the files of a request are loaded; what is not there by then is left out."""

LONGEST_SIDE = 1_024
"""Pixels of a picture's longer side, after scaling."""

MAX_PIXELS = 40_000_000
"""Pixels of a picture that is looked at, at the most."""

MAX_DECODED_PIXELS = 12_500_000
"""Pixels that are decoded, at the most, four bytes each: a JPEG is scaled down on the way, other kinds are not."""

Image.MAX_IMAGE_PIXELS = MAX_PIXELS

BLOCK = 32
"""Pixels of the sides of the blocks in which fine detail is looked for."""

MAX_BLUR = 10
"""What a block of a picture may change, of 255 shades of grey, when the picture is shown small. Small print changes
about 20, large letters on a photo about 10, and half of all photos less."""

READABLE_SHARE = 0.97
"""The share of a text's first characters that can be read."""

PLAIN_SHARE = 0.8
"""The share of plain letters in a text of an old encoding: a file that is no text has fewer."""

TEXT_CHARACTERS = 3_000
"""Characters of a text file that go along: its beginning, and the lines that a question asks for."""

_FORMATS = ("PNG", "JPEG", "WEBP", "GIF")

_SOUNDS = (
    (re.compile(rb"OggS"), "audio/ogg"),
    (re.compile(rb"RIFF.{4}WAVE", re.DOTALL), "audio/wav"),
    (re.compile(rb"ID3|\xff[\xfb\xf3\xf2]"), "audio/mp3"),
    (re.compile(rb"fLaC"), "audio/flac"),
    (re.compile(rb".{4}ftypM4A", re.DOTALL), "audio/aac"),
)
_PICTURES = re.compile(rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP", re.DOTALL)

_PAGE = re.compile(rb"/Type[ \t\r\n]{0,4}/Page(?![a-zA-Z])")

_decoder = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pictures")
"""Decodes one picture at a time: so many pixels are the memory that all of them take together."""


@dataclass(frozen=True, kw_only=True)
class Attachment:
    """A file of a message. `read` loads it. It raises FileNotFoundError where it is gone, OSError where it fails."""

    name: str
    size: int
    file_id: int = 0
    """The platform's number of it; 0 where memory does not look at it."""
    seconds: float | None = None
    """The length of a voice message, as its sender's app says."""
    by: str = ""
    """Whose message it comes with, where it is not the asker's."""
    is_earlier: bool = False
    """Whether it came with an earlier message of the talk."""
    read: Callable[[], Awaitable[bytes]] = field(repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class Attached:
    """What a prompt is given of attachments: `media` for the model, and a line or a text for each in words."""

    media: tuple[Media, ...] = ()
    lines: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """What the media take of a prompt."""
        return sum(one.tokens for one in self.media)


NOTHING_ATTACHED = Attached()


async def prepare(
    files: Sequence[Attachment], question: str, *, takes: Collection[MediaKind], picture_tokens: int
) -> Attached:
    """Make attachments ready for a model that `takes` some kinds of media.

    What cannot be read, is too large or too much, or what the model cannot take, is said in its line.
    """
    media: list[Media] = []
    lines: list[str] = []
    left, seconds = MAX_BYTES, float(MAX_SECONDS)
    loaded = await _loaded(files[:MAX_FILES])
    for file, data in zip(files, loaded, strict=False):
        what = f"{fit(one_line(file.name), 80)}{f', of {file.by}' if file.by else ''}"
        what += ", from earlier in this talk" if file.is_earlier else ""
        if data is None or len(data) > left:
            lines.append(f"a file ({what}): it could not be loaded, or is too large")
            continue
        left -= len(data)
        if _PICTURES.match(data):
            picture = await _picture(data, picture_tokens) if _has_room(media) else None
            if MediaKind.PICTURE not in takes:
                lines.append(f"a picture ({what}): you cannot see pictures here")
            elif picture is None:
                lines.append(f"a picture ({what}): it cannot be shown")
            else:
                media.append(picture)
                lines.append(f"picture {len(media)} ({what})")
        elif (mime := _sound(data)) is not None:
            length = _seconds(data, file.seconds)
            if MediaKind.SOUND not in takes:
                lines.append(f"a sound ({what}): you cannot hear here")
            elif length > seconds:
                lines.append(f"a sound ({what}): it is too long")
            else:
                seconds -= length
                cost = max(1, round(length * SOUND_TOKENS_A_SECOND))
                media.append(Media(kind=MediaKind.SOUND, mime=mime, data=data, tokens=cost))
                lines.append(f"sound {len(media)} ({what}, {length:.0f} s)")
        elif data.startswith(b"%PDF-"):
            pages = _pages(data)
            if MediaKind.DOCUMENT not in takes:
                lines.append(f"a PDF ({what}): you cannot read PDFs here")
            elif pages > MAX_PAGES or any(one.kind is MediaKind.DOCUMENT for one in media):
                lines.append(f"a PDF ({what}): it is too long")
            else:
                cost = pages * PAGE_TOKENS
                media.append(Media(kind=MediaKind.DOCUMENT, mime="application/pdf", data=data, tokens=cost))
                lines.append(f"document {len(media)} ({what})")
        elif (text := _text(data[:MAX_TEXT_BYTES])) is not None:
            shown = f"\n{excerpt(text, question)}" if len(data) <= MAX_TEXT_BYTES else " it is too long"
            lines.append(f"a text file ({what}):{shown}")
        else:
            lines.append(f"a file ({what}): not of a kind that you can read")
    if len(files) > MAX_FILES:
        lines.append(f"and {len(files) - MAX_FILES} more files")
    return Attached(media=tuple(media), lines=tuple(lines))


def _has_room(media: Sequence[Media]) -> bool:
    return sum(one.kind is MediaKind.PICTURE for one in media) < MAX_PICTURES


async def loaded(file: Attachment) -> bytes | None:
    """The bytes of a file; None where it is gone or too large. Raises OSError where it cannot be loaded now."""
    if file.size > MAX_BYTES:
        return None
    try:
        async with asyncio.timeout(TIME_LIMIT):
            return await file.read()
    except FileNotFoundError:
        return None


async def seen_by_model(file: Attachment, data: bytes, takes: Collection[MediaKind]) -> Media | None:
    """A picture, or a voice message, as a model is shown it; None for what is neither, or is too long."""
    if _PICTURES.match(data):
        return await _picture(data, COARSE_TOKENS) if MediaKind.PICTURE in takes else None
    mime = _sound(data)
    if mime is None or file.seconds is None or MediaKind.SOUND not in takes:
        return None
    if (seconds := _seconds(data, file.seconds)) > MAX_SECONDS:
        return None
    cost = max(1, round(seconds * SOUND_TOKENS_A_SECOND))
    return Media(kind=MediaKind.SOUND, mime=mime, data=data, tokens=cost)


async def _loaded(files: Sequence[Attachment]) -> list[bytes | None]:
    """The bytes of files, one after the other, within the time limit; None for those that are too large or fail."""
    found: list[bytes | None] = []
    left = MAX_BYTES
    try:
        async with asyncio.timeout(TIME_LIMIT):
            for file in files:
                data = None
                if file.size <= left:
                    try:
                        data = await file.read()
                    except OSError as failed:
                        log.info("an attachment could not be loaded (%s)", type(failed).__name__)
                left -= len(data or b"")
                found.append(data)
    except TimeoutError:
        log.info("attachments took too long")
    return [*found, *[None] * (len(files) - len(found))]


async def _picture(data: bytes, cost: int) -> Media | None:
    """A picture within the longest side, written anew; None where it cannot be decoded."""
    scaled = await asyncio.get_running_loop().run_in_executor(_decoder, scaled_down, data)
    if scaled is None:
        return None
    data, has_fine_detail = scaled
    mime = "image/png" if data.startswith(b"\x89PNG") else "image/jpeg"
    return Media(kind=MediaKind.PICTURE, mime=mime, data=data, tokens=cost, has_fine_detail=has_fine_detail)


def scaled_down(data: bytes) -> tuple[bytes, bool] | None:
    """The first frame of a picture as JPEG, or as PNG where that is smaller, and whether it has fine detail.

    None where it is no picture or a bomb.
    """
    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as opened:
            if opened.width * opened.height > MAX_PIXELS:
                return None
            opened.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
            if opened.width * opened.height > MAX_DECODED_PIXELS:
                return None
            opened.thumbnail((LONGEST_SIDE, LONGEST_SIDE))  # before any copy is made of it
            alpha = ImageOps.exif_transpose(opened).convert("RGBA")
            picture = Image.new("RGB", alpha.size, "white")
            picture.paste(alpha, mask=alpha.getchannel("A"))
        photo, drawing = io.BytesIO(), io.BytesIO()
        picture.save(photo, "JPEG", quality=85)
        picture.save(drawing, "PNG")
        has_fine_detail = loses_detail(picture.convert("L"))
    except Exception as broken:  # whatever a decoder stumbles over, the file is not shown
        log.info("a picture could not be decoded (%s)", type(broken).__name__)
        return None
    return min(photo.getvalue(), drawing.getvalue(), key=len), has_fine_detail


def loses_detail(grey: Image.Image) -> bool:
    """Whether some part of a picture is not the same any more once it is shown in a cell of a sheet."""
    small = grey.copy()
    small.thumbnail((CELL, CELL))
    blur = ImageChops.difference(grey, small.resize(grey.size, Image.Resampling.BICUBIC))
    return any(blur.reduce(BLOCK).histogram()[MAX_BLUR + 1 :])


def _sound(data: bytes) -> str | None:
    """What kind of sound bytes are, by their beginning."""
    return next((mime for begins, mime in _SOUNDS if begins.match(data)), None)


def _seconds(data: bytes, claimed: float | None) -> float:
    """The length of sound, as its sender claims, but no shorter than so many bytes can be."""
    if claimed is None and len(data) > MAX_SOUND_BYTES:
        return math.inf
    return max(claimed if claimed is not None else UNKNOWN_SECONDS, len(data) / MAX_BYTES_A_SECOND)


def _pages(data: bytes) -> int:
    """About how many pages a PDF has. Nothing in it is unpacked: that is the model's, behind its own walls."""
    seen, packed = len(_PAGE.findall(data)), b"/ObjStm" in data
    return max(1, seen, len(data) // PAGE_BYTES) if packed or not seen else seen


def _text(data: bytes) -> str | None:
    """Bytes as text; None where they are none. The last letter may be cut.

    UTF-16 begins with its mark. What is no UTF-8 may be of old Windows, where most of it is plain letters.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = data.decode("utf-16", "replace")
    elif b"\0" in data:
        return None
    else:
        try:
            text = codecs.getincrementaldecoder("utf-8-sig")().decode(data)
        except UnicodeDecodeError:
            text = data.decode("cp1252", "replace")
            if sum(character.isascii() for character in text) < PLAIN_SHARE * len(text):
                return None
    begins = text[:4_000]
    printable = sum(character.isprintable() or character in "\n\r\t" for character in begins)
    return text if printable >= READABLE_SHARE * len(begins) else None


def excerpt(text: str, question: str) -> str:
    """The beginning of a text, and the lines of the rest that have most words of a question, in their order."""
    lines = [fit(line.rstrip(), 400) for line in text.splitlines()]
    begin, size = [], 0
    for line in lines:
        if size + len(line) + 1 > TEXT_CHARACTERS // 2:
            break
        begin.append(line)
        size += len(line) + 1
    rest = lines[len(begin) :]
    asked = set(keywords(question))
    weighed = [(len(asked & set(keywords(line))), n) for n, line in enumerate(rest)] if len(rest) < 5_000 else []
    chosen: list[int] = []
    for weight, n in sorted(weighed, key=lambda one: (-one[0], one[1])):
        if not weight or size + len(rest[n]) + 1 > TEXT_CHARACTERS:
            break
        chosen.append(n)
        size += len(rest[n]) + 1
    following = "" if not rest else "\n… (cut)"
    return "\n".join((*begin, *(["…"] if chosen else []), *(rest[n] for n in sorted(chosen)))) + following
