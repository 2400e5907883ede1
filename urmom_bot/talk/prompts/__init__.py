"""What a model is asked when somebody talks to the bot: the words in .md, one typed function each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import BaseModel

from memory import Member, Message, Prompt, Text, escape, fenced, fit, listed, rendered, said, tokens, words
from urmom_bot.talk.people import distinct

WHOLE_PROMPT = 4_000
"""Tokens of a reply's whole prompt at the most (seed 002, §2.1)."""

RECENT = 1_200
"""Tokens of recent talk at the most (seed 002, §2.1)."""

PEOPLE = 6
"""People whose contexts a reply is given at the most."""


class Wanted(BaseModel):
    """What a message wants of the bot."""

    action: Literal["remember", "forget", "know", "help", "chat"] = "chat"
    subject: str = ""
    statement: str = ""


def route(guild_id: int, *, speaker: Member, text: str) -> Prompt[Wanted]:
    """Ask what a message wants."""
    return Prompt(
        name="route",
        instructions=words("route", __name__),
        data=fenced({"speaker": listed(speaker), "message": escape(text)}),
        result=Wanted,
        guild_id=guild_id,
        max_output_tokens=400,
        patience=2.0,
        time_limit=10.0,
    )


def reply(
    guild_id: int,
    *,
    bot_name: str,
    speaker: Member,
    text: str,
    contexts: Mapping[int, str],
    facts: Sequence[str] = (),
    recent: Sequence[Message],
    members: Mapping[int, Member],
    channels: Mapping[int, str],
    when: str,
) -> Prompt[Text]:
    """Ask for a reply, within the whole prompt's budget: recent talk gives way first, then contexts."""
    people = distinct(members)

    def name(user_id: int) -> str:
        return listed(members[user_id]) if user_id in members else "someone"

    told = [f"{name(u)}: {escape(text)}" for u, text in list(contexts.items())[:PEOPLE]]
    asked = [escape(fact, 300) for fact in facts]
    question = f"{listed(speaker)}: {said(fit(text, 2_400), people, channels)}"
    instructions = words("reply", __name__)
    room = WHOLE_PROMPT - tokens(instructions) - tokens(question) - 150
    while told and sum(map(tokens, (*told, *asked))) > room - 200:
        (asked or told).pop()
    room = min(room - sum(map(tokens, (*told, *asked))), RECENT)
    lines: list[str] = []
    for message in reversed(recent):
        line = f"{escape(people.get(message.user_id, 'someone'), 40)}: {rendered(message, people, channels)}"
        if tokens(line) > room:
            break
        room -= tokens(line)
        lines.insert(0, line)
    return Prompt(
        name="reply",
        instructions=instructions,
        data=fenced(
            {
                "you": escape(bot_name, 40),
                "now": when,
                "people": told,
                "facts": asked,
                "recent": lines,
                "message": question,
            }
        ),
        result=Text,
        guild_id=guild_id,
        temperature=0.7,
        max_output_tokens=6_000,
        patience=5.0,
        time_limit=40.0,
    )


def joke(guild_id: int, *, author: Member, text: str, known: str | None) -> Prompt[Text]:
    """Ask for one joke about a message, in its language."""
    return Prompt(
        name="joke",
        instructions=words("joke", __name__),
        data=fenced({"author": listed(author), "message": escape(text), "known": escape(known or "")}),
        result=Text,
        guild_id=guild_id,
        temperature=1.0,
        max_output_tokens=800,
        patience=5.0,
        time_limit=20.0,
    )
