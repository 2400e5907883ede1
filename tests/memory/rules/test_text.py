"""Text as data."""

from hypothesis import given
from hypothesis import strategies as st

from memory.rules.text import clean, fingerprint, fit, mentioned, particulars_in, readable, tokens, with_names


@given(st.text(max_size=400), st.integers(20, 200))
def test_fit_never_exceeds_its_limit(text: str, limit: int) -> None:
    """Whatever the text, what is kept is within the limit and on one line."""
    kept = fit(text, limit)

    assert len(kept) <= limit
    assert "\n" not in kept


def test_fit_ends_after_a_sentence_where_it_can() -> None:
    """A cut falls behind a whole sentence, else behind a whole word."""
    assert fit("Ann plays the cello. She practises every day until nine.", 40) == "Ann plays the cello."
    assert fit("Ann plays the cello every single day of the week", 30) == "Ann plays the cello every…"


@given(st.lists(st.text(max_size=20), max_size=4), st.lists(st.text(max_size=20), max_size=4))
def test_fingerprints_tell_parts_apart(one: list[str], other: list[str]) -> None:
    """Two lists of parts have the same fingerprint only if they are the same, wherever the parts are cut."""
    assert (fingerprint(*one) == fingerprint(*other)) == (one == other)


def test_ids_become_names() -> None:
    """What Discord writes as ids reaches a model as names."""
    text = "<@1> and <@!2> in <#3>, <@&4> <:kek:5> <a:dance:6> <@9>"

    assert readable(text, {1: "Ann", 2: "Bob"}, {3: "general"}) == (
        "@Ann and @Bob in #general, @a-role :kek: :dance: @someone"
    )
    assert mentioned(text) == (1, 2, 9)


def test_clean_drops_what_cannot_be_stored_or_seen() -> None:
    """NUL, lone surrogates and direction marks go; joiners that emoji and scripts need stay."""
    assert clean("a\x00b\ud800c\u202ed\u200de\n") == "abcd\u200de\n"


def test_other_scripts_are_not_undercounted() -> None:
    """A Cyrillic text is counted at more tokens than a Latin one of the same length."""
    assert tokens("привет" * 10) > tokens("privet" * 10)


def test_scripts_without_spaces_are_cut_where_they_must_be() -> None:
    """A Japanese text or a long address keeps what fits, not its first word alone."""
    assert len(fit("アン は" + "昨日カヤックで川を下った。" * 40, 300)) > 250
    assert len(fit("bob posted https://x/" + "a" * 400, 300)) == 300


def test_a_stored_text_leaves_with_names() -> None:
    """Who has none, or an empty one, is someone."""
    assert with_names("<@1> and <@2> and <@3>", {1: "ann", 2: ""}) == "ann and someone and someone"


def test_only_what_can_be_an_id_is_one() -> None:
    """The database's integers have 63 bits."""
    assert mentioned(f"<@{2**63}> <@{2**63 - 1}> <@3> <@3>") == (2**63 - 1, 3)
    assert len(fingerprint("a", "b")) == 32


def test_particulars_are_words_with_digits() -> None:
    """Versions, sizes and addresses, once each, in their order; dates and people's ids are none."""
    text = "runs 10.04 on sda1 (RTX4070), told by <@123> on 2026-11-10: 192.168.0.1/24, sda1. Or 9th?"
    assert particulars_in(text) == ("10.04", "sda1", "RTX4070", "192.168.0.1/24", "9th")
