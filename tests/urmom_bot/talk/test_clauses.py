"""German clauses, as the sentences they are kept as."""

import pytest

from urmom_bot.talk.clauses import as_sentence


@pytest.mark.parametrize(
    ("clause", "sentence"),
    [
        ("ich keine Pilze mag", "ich mag keine Pilze"),
        ("Margaret Bienen hat", "Margaret hat Bienen"),
        ("meine Schwester in Köln wohnt", "meine Schwester wohnt in Köln"),
        ("Margaret und Sam zusammen wohnen", "Margaret und Sam wohnen zusammen"),
        ("ich am 4. Mai umziehe", "ich ziehe am 4. Mai um"),
        ("ich in Köln arbeiten will", "ich will in Köln arbeiten"),
        ("wir am Freitag spielen", "wir spielen am Freitag"),
        ("meine Schwester Lea heißt", "meine Schwester heißt Lea"),
        ("am Montag das Turnier ist", "am Montag das Turnier ist"),
    ],
)
def test_a_clause_becomes_a_sentence(clause: str, sentence: str) -> None:
    """With the verb behind its subject."""
    assert as_sentence(clause, f"merk dir bitte, dass {clause}", "de") == sentence


@pytest.mark.parametrize(
    ("statement", "order", "language"),
    [
        ("ich mag keine Pilze", "merk dir, dass ich mag keine Pilze", "de"),
        ("ich weiß was er mag", "merk dir dass ich weiß was er mag und hat", "de"),
        ("ich trinke gern was sie mag", "merk dir dass ich trinke gern was sie mag", "de"),
        ("Anna einen roten Hut", "merk dir: Anna einen roten Hut", "de"),
        ("ich keine Pilze mag", "merk dir: ich keine Pilze mag", "de"),
        ("ich mag", "merk dir dass ich mag", "de"),
        ("Tim in Köln auto", "merk dir dass Tim in Köln auto", "de"),
        ("ann wears a red hat", "remember that ann wears a red hat", "en"),
    ],
)
def test_what_is_no_clause_is_left(statement: str, order: str, language: str) -> None:
    """Where the verb is not surely the last word, nor told behind "dass"."""
    assert as_sentence(statement, order, language) == statement
