"""What models see and hear beside text, by their names, and what it costs."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum


class MediaKind(StrEnum):
    """What a prompt may carry beside text."""

    PICTURE = "pictures"
    SOUND = "sound"
    DOCUMENT = "documents"
    """PDF."""


@dataclass(frozen=True, kw_only=True)
class Media:
    """A picture, a sound or a document that goes with a prompt, and its tokens."""

    kind: MediaKind
    mime: str
    data: bytes = field(repr=False)
    tokens: int
    has_fine_detail: bool = True
    """Whether a picture loses something, such as small print, on a quarter of its space."""


_ALL = frozenset(MediaKind)
_PICTURES = frozenset({MediaKind.PICTURE})

_KNOWN = (
    (re.compile(r"gemini"), _ALL, 1_120),
    (re.compile(r"gemma-?(?:3(?!-?1b|-?270m)|4)"), _PICTURES, 280),
    (
        re.compile(
            r"gpt-(?:4o|4\.1|5)|o[34]\b|claude|llava|pixtral|[-_]vl\b|vl:|vision|minicpm-v|llama-?4|mistral-small-?3|moondream"
        ),
        _PICTURES,
        1_120,
    ),
)
"""Models by a part of their name, what they take, and a picture's tokens: Google's figures, a guess for others."""

PAGE_TOKENS = 560
"""Google's figure for a page of a PDF in Gemini 3."""

SOUND_TOKENS_A_SECOND = 32
"""Google's figure for Gemini."""


def media_of(model: str) -> frozenset[MediaKind]:
    """What a model takes beside text, as far as its name tells; nothing of one that nobody knows."""
    return next((kinds for name, kinds, _ in _KNOWN if name.search(model.lower())), frozenset())


COARSE_TOKENS = 280
"""What a picture costs at a low resolution: Google's figure for Gemini 3, and Gemma's for any."""


def picture_tokens(model: str) -> int:
    """What a picture costs a model."""
    return next((cost for name, _, cost in _KNOWN if name.search(model.lower())), 1_120)
