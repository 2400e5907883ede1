"""From a model's text to a validated result, leniently: fences and chatter around the JSON are forgiven. Pure."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from memory.ai.client import AIUnusable
from memory.rules.text import clean

T = TypeVar("T", bound=BaseModel)


MAX_BRACES = 20
"""Braces at which a JSON object is looked for."""


class Text(BaseModel):
    """A result that is plain text."""

    text: str


class Answering(BaseModel):
    """A result with words to somebody: an answer without any JSON is taken for them, rather than asked for again."""

    answer: str = ""


def cleaned(found: Any) -> Any:
    """A value of JSON whose texts are clean: its escapes may stand for what `clean` takes out."""
    if isinstance(found, str):
        return clean(found)
    if isinstance(found, list):
        return [cleaned(one) for one in found]
    if isinstance(found, dict):
        return {clean(name): cleaned(one) for name, one in found.items()}
    return found


def parse(text: str, result: type[T]) -> T:
    """The first JSON object in `text` that fits `result`. Raises AIUnusable, saying what does not fit.

    Whatever a model writes is cleaned here: no NUL and no lone surrogate reaches the database or Discord.
    """
    text = clean(text)
    if not text.strip():
        raise AIUnusable("The AI's answer is empty.")
    if issubclass(result, Text):
        return result(text=text.strip())
    problem = "there is no JSON object in it"
    decoder = json.JSONDecoder(strict=False)
    start, tries = text.find("{"), 0
    while start != -1 and tries < MAX_BRACES:
        tries += 1
        try:
            found, _ = decoder.raw_decode(text, start)
            return result.model_validate(cleaned(found))
        except json.JSONDecodeError as broken:
            if problem.startswith("there is no"):
                problem = f"the JSON breaks off or is malformed ({broken.msg})"
        except ValidationError as misfit:
            problem = "; ".join(
                f"{'.'.join(map(str, error['loc'])) or 'the object'}: {error['msg']}"
                for error in misfit.errors(include_input=False, include_url=False)[:5]
            )
        except (RecursionError, ValueError):
            problem = "its JSON is absurd"
        start = text.find("{", start + 1)
    if issubclass(result, Answering) and "{" not in text:
        return result(answer=text.strip())
    raise AIUnusable(f"The AI's answer cannot be used: {problem}.")
