"""What must not be stored or told as it is: secrets, orders to the bot, sensitive matters, links. Pure.

- `secrets` finds passwords, keys, tokens and numbers of accounts, and takes them out of what a model reads.
- `orders` recognises what tells the bot how to behave; `matters` what is sensitive, shaming or unlawful.
- `links` defuses what could be opened, and takes invites out.

`rules/content_policy` says what each of them means for what is stored or told.
"""

from memory.rules.safety.matters import is_readable, is_shaming, is_unlawful, matter_of
from memory.rules.safety.orders import formats, is_order
from memory.rules.safety.secrets import REDACTED, detectors, redacted, secret_spans, secrets_in


def prepare() -> None:
    """Read every list of words: the first text that is looked at need not wait for it."""
    text = "abandon " * 13
    for look in (secret_spans, matter_of, is_order):
        look(text)


__all__ = [
    "REDACTED",
    "detectors",
    "formats",
    "is_order",
    "is_readable",
    "is_shaming",
    "is_unlawful",
    "matter_of",
    "prepare",
    "redacted",
    "secret_spans",
    "secrets_in",
]
