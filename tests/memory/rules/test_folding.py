"""One folding for all of memory."""

import asyncpg
import pytest

from memory.rules.folding import disguises, folded, plain, surface, view
from memory.rules.keys import normal_key
from memory.rules.keywords import keywords
from memory.rules.suppression import Fingerprints, tells

WORDS = (
    "Zürich",
    "Zu\u0308rich",
    "Z\u00adü\u200drich",
    "Zü\u3164rich",
    "Ｚüｒｉｃｈ",
    "𝐙ü𝐫𝐢𝐜𝐡",
    "Z\u0336ü\u0336r\u0336i\u0336c\u0336h\u0336",
    "ZÜRICH",
    "Zür\u2060ich",
    "Zür\ufe0fich",
)
"""One word in many writings."""


@pytest.mark.parametrize("word", [*WORDS, "Zürісh"])
def test_one_word_however_it_is_written(word: str) -> None:
    """Composed or not, with invisible signs, other widths and faces, strokes, letters of another script."""
    key = Fingerprints(bytes(32))
    statement = key.of_statement("Ann lives in Zürich", ignore=["Ann"])

    assert folded(surface(word)) == "zurich"
    assert set(keywords(f"in {word}")) == set(keywords("in Zürich"))
    assert normal_key(word) == normal_key("Zürich")
    assert tells(key, f"Ann lives in {word}, they say", [statement])


@pytest.mark.parametrize("text", ["Z ü r i c h", "Z.ü.r.i.c.h", "Z-ü-r-i-c-h", "Zür1ch", "Z ü r 1 c h"])
def test_spaced_letters_and_figures_are_read(text: str) -> None:
    """In a text that may tell a statement; the statement itself is taken as it stands."""
    key = Fingerprints(bytes(32))

    assert tells(key, f"Ann lives in {text}", [key.of_statement("lives in Zürich")])
    assert not tells(key, f"Ann lives in {text}", [key.of_statement("lives in Munich")])


@pytest.mark.parametrize(
    "text",
    ["I am a b c", "W3C and B2B", "Привет, Ann", "日本語のテキスト", "мир peace", "naïve café", "a-b test", "сосна"],
)
def test_what_is_written_plainly_stays(text: str) -> None:
    """The surface of a plain text is the text: fingerprints that are stored hold on."""
    assert surface(text) == text


def test_one_script_for_a_word() -> None:
    """The script of a mixed word is that of its letters which look like no others."""
    assert surface("Аnn") == "Ann"
    assert surface("Cергей") == "Сергей"
    assert surface("pаssword") == "password"
    assert disguises("plain words, and 3 of them") == ()


async def test_the_database_folds_as_the_code_does(dsn: str) -> None:
    """`compared` in SQL is `folded`: for every letter with marks, and for each writing of one word."""
    letters = [
        chr(c) for c in (*range(0x20, 0x250), *range(0x370, 0x530), *range(0x1E00, 0x2070), *range(0xFB00, 0xFB07))
    ]
    texts = [*WORDS, *(f"a{c}b" for c in letters if c.isprintable() or c == "\u00ad")]
    connection = await asyncpg.connect(dsn)
    rows = await connection.fetch(
        "SELECT words, compared(words), folded(words) FROM unnest($1::text[]) AS words", texts
    )
    await connection.close()

    assert [(row["words"], row["compared"]) for row in rows if row["compared"] != folded(row["words"])] == []
    assert {row["folded"] for row in rows if row["words"] in WORDS} == {"zurich"}


def test_a_sign_that_stands_for_many_letters_is_left_alone() -> None:
    """U+FDFA unfolds to eighteen letters: a text of them would be looked at eighteen times as long."""
    assert len(view("\ufdfa" * 100).plain) == 100
    assert view("ﬁnd the oﬃce").plain == "find the oﬃce"


def test_what_detectors_look_at() -> None:
    """Discord's marks are blanks, other scripts' figures are figures, accents go but й and ё; lines stay lines."""
    assert view("a <@123456789012345678> b").plain == "a b"
    assert plain("<@123456789012345678> Hi\n  there") == "hi\nthere"
    assert (view("٤٢").plain, plain("٤٢")) == ("42", "42")
    assert (view("Йод É").folded, plain("Йод É ß")) == ("йод e", "йод e ss")
    assert plain("see https://discord.com/channels/1/2/3 now") == "see now"
    assert view("plain text").offsets is None
    assert view("Zu\u0308rich").span(0, 6) == (0, 7)


@pytest.mark.parametrize(
    "written",
    [
        *("mar**b**les", "mar||b||les", "mar`b`les", "<b>mar</b>bles", "ma&#114;bles", "mar\\bles", "m.a.r.b.l.e.s"),
        *("ᴍᴀʀʙʟᴇꜱ", "🅜🅐🅡🅑🅛🅔🅢", "🅼🅰🆁🅱🅻🅴🆂", "🇲🇦🇷🇧🇱🇪🇸", "ꓟꓮꓣꓐꓡꓰꓢ", "ɱαɾႦʅҽʂ", "m a r b l e s"),
    ],
)
def test_markup_and_other_dress_hide_no_word(written: str) -> None:
    """What an attacker got past what was forgotten."""
    assert "marbles" in {folded(surface(reading)) for reading in (written, *disguises(surface(written)))}


def test_markup_in_plain_talk_hides_nothing_either() -> None:
    """A reading without markup is one more; what is written stays a reading."""
    assert disguises("AT&T and R&D are two companies") == ()
    assert disguises("plain talk with nothing in it") == ()


def test_a_view_knows_where_signs_stood_that_show_nothing_or_two() -> None:
    """Also where as many are gone as came."""
    seen = view("a\u200bĳ key")
    assert seen.plain == "aij key"
    assert seen.span(*(seen.plain.index("key"), len(seen.plain))) == (4, 7)
    assert seen.span(1, 2) == (2, 3)
