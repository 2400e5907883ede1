"""Links and invites in a text: what could be opened by a press. Pure."""

from __future__ import annotations

import re

LINK = re.compile(r"(?i)<?\b[a-z][a-z0-9+.-]{1,20}://[^\s<>]{1,2000}>?|(?<![\w@.])www\.[^\s<>]{1,200}")
INVITE = re.compile(
    r"(?i)(?:https?://)?(?:www\.)?(?:discord(?:app)?\.com/(?:invite|oauth2|api/oauth2)|discord\.(?:gg|me|io|li|"
    r"link)|dsc\.gg|invite\.gg|t\.me/(?:\+|joinchat))[/\w?=&%.+-]{0,200}"
)
_HIDDEN = re.compile(r"\]\(")

_DISGUISED = re.compile(
    r"(?i)\bh(?:xx|\*\*)ps?\b\s?[\[(:]|\bhttps?\s?[\[(]:|[\[({]\s?(?:\.|dot|punto|point|точка)\s?[\])}]"
    r"|\bwww\.|(?<!\s) dot (?:com|net|org|io|gg|xyz|shop|site|app|dev|club|info|store|link|ru|de|fr|es|eu|uk|example)\b"
    r"|(?<!\s) (?:punto|point|точка) (?:com|net|org|io|gg|xyz|ru|рф|example)\b"
)
"""An address written so that no program takes it for one, and every reader does."""

GONE = "[link]"
"""What stands in place of a link that was not given."""


def links_in(text: str) -> tuple[str, ...]:
    """The addresses in a text that could be opened, without brackets."""
    return tuple(dict.fromkeys(address_of(found) for found in LINK.findall(text)))


def invites_in(text: str) -> tuple[str, ...]:
    """The invites to servers in a text."""
    return tuple(dict.fromkeys(INVITE.findall(text)))


def has_disguised_link(text: str) -> bool:
    """Whether a text tells an address in a disguise ("hxxps", "[.]", "dot com")."""
    return _DISGUISED.search(text) is not None


def defused(text: str, given: str) -> str:
    """A text without invites, whose links are those of what was `given`, not live, and hidden behind nothing."""
    known = set(links_in(given))
    text = INVITE.sub(GONE, text)

    def shown(match: re.Match[str]) -> str:
        bare = address_of(match[0])
        after = match[0].strip("<>")[len(bare) :]
        return (f"<{bare}>" if bare in known else GONE) + after

    return _HIDDEN.sub("] (", LINK.sub(shown, text))


def address_of(link: str) -> str:
    """The address of a link, without the brackets and the signs of a sentence around it."""
    return link.strip("<>").rstrip(").,;:!?'\"]")
