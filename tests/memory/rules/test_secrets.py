"""Single cases of what is a secret and what is not, where a corpus is too coarse to hold a rule."""

from __future__ import annotations

import pytest
from mnemonic import Mnemonic

from memory.rules.safety import secrets_in

ENGLISH = Mnemonic("english")


@pytest.mark.parametrize("size", [16, 20, 24, 28, 32])
def test_a_wallets_phrase_of_any_length(size: int) -> None:
    """With a right checksum, alone and among a few words."""
    phrase = ENGLISH.to_mnemonic(bytes(range(7, 7 + size)))
    assert secrets_in(phrase)
    assert secrets_in(f"42 {phrase} 42")


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ("my password is p@ssx9", ("p@ssx9",)),
        ("my password is at bob@mail.example", ()),
        ("my password is at https://vault.example/x9", ()),
        ("my p4ssw0rd is hunter2x", ("hunter2x",)),
        ("my p4ssp0rt is an old one", ()),
        ("my password is long forgotten", ()),
        ("the safe opens with 4711", ("4711",)),
        ("the safe was bought in 1998", ()),
        ("the alarm code is four seven one one", ("four seven one one",)),
        ("the alarm code is the same since may", ()),
    ],
)
def test_what_stands_beside_a_word_for_secrets(text: str, secrets: tuple[str, ...]) -> None:
    """Values, not addresses, years or talk about them."""
    assert secrets_in(text) == secrets
