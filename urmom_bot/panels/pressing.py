"""A press on a button, or a form that was filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memory import Member, Undo, Viewer
from memory.ids import ChannelId, MessageId, UserId
from urmom_bot.languages import DEFAULT, languages
from urmom_bot.panels.page import Field
from urmom_bot.talk.requests import Request
from urmom_bot.talk.texts import Texts


@dataclass(frozen=True, kw_only=True)
class Pressed:
    """Who pressed, what the button was about, what a form was filled in with, and the presser's language."""

    request: Request
    args: tuple[str, ...]
    form_values: Mapping[str, str]
    texts: Texts

    @property
    def viewer(self) -> Viewer:
        """Who pressed."""
        return self.request.viewer

    def number(self, position: int) -> int:
        """One of the things the button was about, as a number."""
        return int(self.args[position])

    def user_id(self, position: int) -> UserId:
        """One of the things the button was about, as a user."""
        return UserId(self.number(position))

    def channel_id(self, position: int) -> ChannelId:
        """One of the things the button was about, as a channel."""
        return ChannelId(self.number(position))

    def message_id(self, position: int) -> MessageId:
        """One of the things the button was about, as a message."""
        return MessageId(self.number(position))

    def member(self, position: int) -> Member:
        """A member whose id and names are among the things it is about."""
        user_id, display_name, username, global_name = self.args[position : position + 4]
        return Member(
            guild_id=self.viewer.guild_id,
            user_id=UserId(int(user_id)),
            display_name=display_name,
            username=username,
            global_name=global_name or None,
        )

    @property
    def undo(self) -> Undo:
        """The entry and the key that an Undo button carries."""
        return Undo(entry_id=self.number(0), key=self.args[1])


def confirmation(label: str, texts: Texts) -> Field:
    """The field for the word that confirms what removes anything."""
    return Field(name="word", label=texts(label, word=languages()[texts.language].confirmation), longest=20)


def is_confirmed(pressed: Pressed) -> bool:
    """Whether the word was typed that confirms what removes anything."""
    return pressed.form_values["word"].strip().casefold() in (
        languages()[code].confirmation for code in (pressed.texts.language, DEFAULT)
    )


def member_args(member: Member) -> tuple[str, str, str, str]:
    """A member's id and names, as the arguments of a press."""
    return str(member.user_id), member.display_name, member.username, member.global_name or ""
