"""How alike texts are: with an embedder and without, on the same cases."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memory.ai import AIUnavailable
from memory.rules.windows import shift
from memory.sessions.similarity import Similarity
from tests.memory.rules.test_windows import SUBJECTS
from urmom_bot.stand_ins.gemini import bag_of_words


class Words:
    """An embedder whose vectors are alike where texts share words."""

    model, dimensions = "words", 256

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.is_away = False

    async def embed(
        self,
        guild_id: int,
        texts: Sequence[str],
        *,
        members: object = (),
        question: bool = False,
        patience: float = 0.0,
    ) -> list[list[float]]:
        if self.is_away:
            raise AIUnavailable
        self.texts += texts
        return [bag_of_words(text, self.dimensions) for text in texts]


@pytest.mark.parametrize("embedder", [None, Words()], ids=["by words", "by vectors"])
@pytest.mark.parametrize(("before", "text", "changed"), SUBJECTS)
async def test_one_table_for_both(embedder: Words | None, before: str, text: str, changed: bool) -> None:
    """When the subject changes, whichever way it is seen."""
    similarity = Similarity(embedder)  # type: ignore[arg-type]
    continuity = await similarity.continuity(1, text, [before])
    assert shift(text, [before], continuity).is_shift is changed


async def test_vectors_see_what_words_do_not() -> None:
    """Two full texts without a common word go on where their vectors say so."""

    class Same(Words):
        async def embed(
            self,
            guild_id: int,
            texts: Sequence[str],
            *,
            members: object = (),
            question: bool = False,
            patience: float = 0.0,
        ) -> list[list[float]]:
            return [[1.0, 0.0] for _ in texts]

    one, other = "The thermostat of the furnace burned out", "Clay vessels crack under uneven heat"
    assert await Similarity(None).continuity(1, one, [other]) < 0.4
    assert await Similarity(Same()).continuity(1, one, [other]) > 0.7  # type: ignore[arg-type]


async def test_an_embedder_that_is_away_leaves_the_words() -> None:
    """Nobody waits for it."""
    embedder = Words()
    embedder.is_away = True
    similarity = Similarity(embedder)  # type: ignore[arg-type]
    one, other = "The thermostat of the furnace burned out", "Clay vessels crack under uneven heat"
    assert await similarity.continuity(1, one, [other]) == 0.2


async def test_secrets_are_embedded_by_nobody_and_nothing_twice() -> None:
    """Texts are sent without their secrets, and once."""
    embedder = Words()
    similarity = Similarity(embedder)  # type: ignore[arg-type]
    secret = "the furnace password: hunter2hunter2 burned"
    for _ in range(2):
        await similarity.continuity(1, secret, ["Clay vessels crack under uneven heat"])
    assert len(embedder.texts) == 2
    assert "hunter2" not in " ".join(embedder.texts)


@pytest.mark.parametrize("embedder", [None, Words()], ids=["by words", "by vectors"])
async def test_what_has_to_do_with_a_text(embedder: Words | None) -> None:
    """A conclusion in the words of what is asked does; one of another subject does not."""
    similarity = Similarity(embedder)  # type: ignore[arg-type]
    like = await similarity.like_enough(1, "the kiln cracks", ["the kiln cracks often", "tea ceremony on Sunday"])
    assert like == [True, False]
    assert await similarity.like_enough(1, "the kiln cracks", []) == []


@pytest.mark.parametrize(("cosine", "is_like"), [(0.69, False), (0.71, True)])
async def test_where_the_bound_of_vectors_lies(cosine: float, is_like: bool) -> None:
    """Above 0.7 (seed 004), whatever the words."""

    class At(Words):
        async def embed(
            self,
            guild_id: int,
            texts: Sequence[str],
            *,
            members: object = (),
            question: bool = False,
            patience: float = 0.0,
        ) -> list[list[float]]:
            return [[1.0, 0.0], *([cosine, (1 - cosine**2) ** 0.5] for _ in texts[1:])][: len(texts)]

    assert await Similarity(At()).like_enough(1, "one", ["another"]) == [is_like]  # type: ignore[arg-type]
