"""What happens with what comes in: stored, answered once and in order, caught up on, removed. Knows no Discord."""

from __future__ import annotations

from memory import MemoryManager
from urmom_bot.flow.answering import Responder
from urmom_bot.flow.asking import Asking
from urmom_bot.flow.catching_up import CatchingUp
from urmom_bot.flow.describing import Describer
from urmom_bot.flow.inbox import Inbox
from urmom_bot.flow.joking import JokeHandler
from urmom_bot.flow.layouts import Layouts
from urmom_bot.flow.listening import Listener
from urmom_bot.flow.platform import Platform
from urmom_bot.flow.posting import Poster
from urmom_bot.flow.pressing import PressHandler
from urmom_bot.flow.removals import Removals
from urmom_bot.flow.speaking import Languages
from urmom_bot.panels import Panels
from urmom_bot.talk import Jester, Router

__all__ = ["Flow"]


class Flow:
    """The parts of the flow, as they work together on one platform."""

    def __init__(
        self,
        platform: Platform,
        memory: MemoryManager,
        router: Router,
        jester: Jester,
        panels: Panels,
        joke_emoji: str,
    ) -> None:
        self.platform = platform
        self.inbox = Inbox(memory)
        self.asking = Asking(platform, router, memory.conversations.idle, joke_emoji)
        self.layouts = Layouts(platform, memory, self.asking)
        self.catching_up = CatchingUp(platform, memory, self.layouts, self.asking, self.inbox)
        self.listener = Listener(platform, memory, self.layouts, self.asking, self.catching_up, self.inbox)
        self.removals = Removals(platform, memory, self.catching_up)
        speaking = Languages(memory, router)
        self.describer = Describer(platform, memory, speaking)
        self.responder = Responder(platform, memory, router, self.inbox, self.asking, speaking)
        self.poster = Poster(platform, memory)
        panels.posts.is_for_adults = platform.is_for_adults
        self.jokes = JokeHandler(platform, memory, jester, self.inbox, self.asking)
        self.presses = PressHandler(platform, memory, panels, self.inbox, self.layouts)
