"""Single cases of what is a secret and what is not, where a corpus is too coarse to hold a rule."""

from __future__ import annotations

import random
import string

import pytest
from mnemonic import Mnemonic

from memory.rules.safety import secrets_in
from memory.rules.safety.secrets import is_random, is_value

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
        ("the door code is what we had when bob was hunt3rx", ("hunt3rx",)),
        ("the door code is what we had when ann bob was hunt3rx", ()),
        ("the key is 5f4dcc3b5aa765d61d8327deb882cf99", ("5f4dcc3b5aa765d61d8327deb882cf99",)),
        ("the commit of the key is 5f4dcc3b5aa765d61d8327deb882cf99", ()),
        ("5f4dcc3b5aa765d61d8327deb882cf99", ()),
        ("netflix login: Ab1#yz", ("Ab1#yz",)),
        ("netflix login: Ab1#y", ()),
        ("the safe opens with 4711", ("4711",)),
        ("the safe was bought in 1998", ()),
        ("the alarm code is four seven one one", ("four seven one one",)),
        ("the alarm code is the same since may", ()),
        ("I was asked for a password to change the settings", ()),
        ("the password to enter the vault is sunshine road", ("sunshine road",)),
        ("I changed my password to correct horse battery", ("correct horse battery",)),
        ("pass an option to the devices like shortname=winnt9", ()),
        ("files are passed to windows computers", ()),
        ("my pass is hunter2x", ("hunter2x",)),
        ("wifi pass: blue lagoon", ("blue lagoon",)),
        ('it says "bad password" though it was typed right', ()),
        ('he said bad password" is hunter2x', ("hunter2x",)),
        ("useradd takes the password, or to skip passwords and send a key", ()),
        ("haslo do wifi to blue lagoon", ("blue lagoon",)),
    ],
)
def test_what_stands_beside_a_word_for_secrets(text: str, secrets: tuple[str, ...]) -> None:
    """Values, not addresses, years or talk about them."""
    assert secrets_in(text) == secrets


def test_a_wallets_phrase_after_many_of_its_words() -> None:
    """Wherever it begins in a run of forty words."""
    dice = random.Random(8)
    before = " ".join(dice.choice(ENGLISH.wordlist) for _ in range(28))
    assert not secrets_in(before)
    assert secrets_in(f"{before} {ENGLISH.to_mnemonic(bytes(range(7, 23)))}")


@pytest.mark.parametrize(
    ("word", "is_it"),
    [
        ("p@ssx9", True),
        ("hunt3r", True),
        ("x9ab", False),
        ("bob@mail.example", False),
        ("video1.mp4", False),
        ("ab12cd34", False),
        ("500g", False),
        ("https://x9", False),
    ],
)
def test_what_looks_like_a_password(word: str, is_it: bool) -> None:
    """Figures or signs among letters, and no address, file, hash or amount."""
    assert is_value(word) == is_it


@pytest.mark.parametrize(("length", "digits", "is_it"), [(36, 2, False), (36, 3, True), (48, 3, False), (48, 4, True)])
def test_how_many_figures_make_a_word_random(length: int, digits: int, is_it: bool) -> None:
    """Three, and one for every twelve signs: names of things in code have fewer."""
    for seed in range(20):
        dice = random.Random(seed)
        word = [dice.choice(string.ascii_letters) for _ in range(length)]
        for at in dice.sample(range(1, length), digits):
            word[at] = dice.choice(string.digits)
        assert is_random("".join(word)) == is_it


@pytest.mark.parametrize("text", ["219-09-9999 it is", "LU46001ABCDEFGHIJKLM is where"])
def test_a_number_of_few_figures_is_one_too(text: str) -> None:
    """A social security number has nine; an account may have fewer, with letters."""
    assert secrets_in(text) == (text.split()[0],)
