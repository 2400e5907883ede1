"""What people may ask of the bot, as the grammar reads it and the router carries it out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Remember:
    """Remember a statement; or, with `this`, what was replied to or said before, about `subject`."""

    statement: str
    subject: str | None = None
    this: bool = False
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Forget:
    """Forget a statement, facts by their numbers, or everything about somebody; `subject` is whom a statement is of.

    One that is not `is_sure` is only like such an order, and is asked about first.
    """

    statement: str = ""
    is_sure: bool = True
    numbers: tuple[int, ...] = ()
    in_place: bool = False
    """Whether the last deletion is undone first: it was of the wrong fact."""
    everything: bool = False
    subject: str | None = None
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Correct:
    """Have a fact say something else from now on ("the raid moved to Friday"); the old one is kept as replaced."""

    number: int
    statement: str
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Confirm:
    """Say that a fact about the speaker, which somebody else told just now, is true; it may give them an `alias`."""

    number: int
    alias: str = ""
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Know:
    """Tell what is known of `subject`; unless it `is_plain`, it is a question like any other where that is nobody.

    Where `subject` is nobody, it may be about `otherwise`.
    """

    subject: str
    otherwise: str | None = None
    is_plain: bool = True
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class SetJokes:
    """Let jokes be made about the speaker, or not."""

    wanted: bool
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class SetZone:
    """Let a time zone decide the guild's days, in place of the one `before`."""

    name: str
    before: str | None = None
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Reset:
    """End the conversation, so that the next message begins another."""

    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Help:
    """Say what can be said."""

    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class ShowPrivacy:
    """Open what is stored about the speaker, and what they let be kept."""

    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class ShowSettings:
    """Say where the server's settings are: words alone change none of them but the time zone."""

    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class CatchUp:
    """Tell what the speaker missed. One that is not plain is a question where they have just been talking."""

    is_plain: bool = True
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class TakeBack:
    """Undo what the speaker had done last; with `drop` it may as well be only something that was begun.

    With `itself` it is what the message began with ("remember that I live in Ghent, wait, never mind"); with `again` it
    brings back what is gone ("put it back"), and saves once more what was undone.
    """

    drop: bool = False
    again: bool = False
    itself: bool = False
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Meant:
    """Do what the speaker asked for last again, for `subject`; or with `statement` in the place of what they told."""

    subject: str
    statement: str = ""
    is_plain: bool = True
    """Whether it surely says so: else it is talk where nobody here has that name."""
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Thanks:
    """Say thanks."""

    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class ForgetLast:
    """Forget the last thing that the speaker said or had stored here; with `message`, what they said."""

    message: bool = False
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class Hush:
    """Say nothing; where it `is_final`, not until it is asked again either."""

    is_final: bool = False
    language: str = "en"


Command = (
    ForgetLast
    | Hush
    | CatchUp
    | ShowPrivacy
    | ShowSettings
    | Remember
    | Confirm
    | Correct
    | Forget
    | Know
    | SetJokes
    | SetZone
    | Reset
    | Help
    | TakeBack
    | Meant
    | Thanks
)
