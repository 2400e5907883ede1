"""The first minutes: three things to try, each with a button."""

from __future__ import annotations

from dataclasses import replace

from urmom_bot.actions import action
from urmom_bot.panels.memories import Memories
from urmom_bot.panels.page import Button, Field, Form, Page
from urmom_bot.panels.pressing import Pressed, member_args

FACT_CHARACTERS = 300
"""Characters of a fact that is typed into the form."""


class Tour:
    """What a new owner or member tries first."""

    def __init__(self, memories: Memories) -> None:
        self._memories = memories

    @action("tour", style="success")
    async def _tour(self, pressed: Pressed) -> Page:
        texts = pressed.texts
        buttons = (
            Button(label=texts("button_try_remember"), action="try_remember", style="primary"),
            Button(label=texts("button_try_know"), action="try_know"),
            Button(label=texts("button_privacy"), action="privacy"),
        )
        return Page(text=texts("tour"), rows=(buttons,))

    @action("try_remember", style="primary", opens_form=True)
    async def _remember(self, pressed: Pressed) -> Form | Page:
        if pressed.request.is_direct:
            return Page(text=pressed.texts("only_on_servers"))
        field = Field(name="fact", label=pressed.texts("field_try"), longest=FACT_CHARACTERS)
        speaker = member_args(pressed.request.speaker)
        return Form(title=pressed.texts("form_try"), action="remember", args=speaker, fields=(field,))

    @action("try_know")
    async def _know(self, pressed: Pressed) -> Page:
        if pressed.request.is_direct:
            return Page(text=pressed.texts("only_on_servers"))
        page = await self._memories.show(pressed.request, pressed.request.speaker, pressed.texts)
        return replace(page, replaces=False)
