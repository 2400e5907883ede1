"""Several pictures on one sheet: a model's tokens for a picture are the same whatever is on it."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image

from memory.ai.media import COARSE_TOKENS, Media, MediaKind

CELL = 400
"""Pixels of a cell's sides: a quarter of what a model sees of a picture at a low resolution, some 800 by 800."""

CELLS = ("top left", "top right", "bottom left", "bottom right")


def sheet(pictures: Sequence[Media]) -> Media:
    """Put two to four pictures on one, in the order of CELLS. They are pictures that were decoded and written anew."""
    rows = -(-len(pictures) // 2)
    whole = Image.new("RGB", (2 * CELL, rows * CELL), "black")
    for n, picture in enumerate(pictures):
        with Image.open(io.BytesIO(picture.data), formats=("PNG", "JPEG")) as opened:
            cell = opened.convert("RGB")
        cell.thumbnail((CELL - 4, CELL - 4))  # a line between them
        whole.paste(cell, (n % 2 * CELL, n // 2 * CELL))
    written = io.BytesIO()
    whole.save(written, "JPEG", quality=85)
    return Media(kind=MediaKind.PICTURE, mime="image/jpeg", data=written.getvalue(), tokens=COARSE_TOKENS)
