"""What the bot's status line says where its models cannot be asked. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC

from memory.ai import AITrouble
from memory.ai.governor import Quota
from urmom_bot.talk.texts import Texts

LASTING_TROUBLE = {AITrouble.BAD_KEY, AITrouble.UNKNOWN_MODEL, AITrouble.UNREACHABLE}
"""StartupError that somebody has to see to. A minute's quota is not worth a line."""


def presence(quotas: Sequence[Quota]) -> str | None:
    """One line for everybody, in English as all servers share it; None where everything works, or no AI is set up.

    `quotas` are those of the model that reads days and of the one that answers, or the one that does both.
    """
    texts = Texts("en")
    for quota, what in ((quotas[-1], "facts_only"), (quotas[0], "nothing_new")) if quotas else ():
        if quota.out_until is not None:
            return texts(f"presence_{what}_until", until=f"{quota.out_until.astimezone(UTC):%H:%M} UTC")
        if quota.trouble in LASTING_TROUBLE:
            return texts(f"presence_{what}")
    return None
