"""Stand-in meanings: vectors from a fixed table of words that mean the same, and questions put in other words by it."""

from __future__ import annotations

import random
import re
from functools import cache

from memory.rules.keywords import keywords, stem

TABLE = """
fix repair mend solve cure
install setup deploy
delete remove erase wipe purge uninstall
picture image photo screenshot
screen monitor display
disk drive hdd harddisk partition
laptop notebook netbook
computer machine pc box desktop
file document
folder directory
program application app software tool
begin start launch boot open
stop quit exit close kill end
fast quick speedy
slow sluggish laggy
error failure fault problem issue trouble bug
broken dead busted
show list print
find locate search discover
buy purchase get
cheap inexpensive
say tell mention claim
advise suggest recommend propose
dislike hate loathe
like love enjoy prefer adore
use run employ
change alter switch modify
big large huge
small tiny little
network internet net connection wifi wireless
sound audio music noise
video movie film clip
game title
update upgrade refresh
version release edition
password passphrase
user account login
command instruction
terminal console shell
window pane
keyboard keys
mouse trackpad touchpad
card adapter chip
driver module
kernel core
memory ram
copy duplicate clone backup
move transfer shift
write type author
read view
meet gather assemble
evening night
home house place flat apartment
food meal snack dinner
bring carry fetch
host organise organize arrange
rule regulation
choose pick select decide
vote poll ballot
quiet silent
angry annoyed cross upset
happy glad pleased
"""
"""Words that mean the same, a group on each line."""


@cache
def _groups() -> dict[str, tuple[str, ...]]:
    """The group of each word, by its stem."""
    return {stem(word): tuple(line.split()) for line in TABLE.split("\n") for word in line.split()}


@cache
def _direction(name: str, dimensions: int) -> tuple[tuple[int, float], ...]:
    chance = random.Random(name)
    return tuple((chance.randrange(dimensions), chance.choice((-1.0, 1.0))) for _ in range(8))


def meaning(text: str, dimensions: int) -> list[float]:
    """A vector of a text's keywords, in which the words of one group are the same."""
    vector = [0.0] * dimensions
    vector[0] = 0.01
    for word in keywords(text):
        group = _groups().get(word)
        for at, sign in _direction(group[0] if group else word, dimensions):
            vector[at] += sign
    return vector


def in_other_words(text: str) -> str | None:
    """A text with another word of its group for each word of the table; None where it has none."""

    def other(found: re.Match[str]) -> str:
        group = _groups().get(stem(found[0].casefold()), (found[0],))
        return next((word for word in group if stem(word) != stem(found[0].casefold())), found[0])

    rewritten = re.sub(r"\w+", other, text)
    return rewritten if rewritten != text else None
