"""Time zones as people name them: by a city in their own language, or by hours from UTC."""

from __future__ import annotations

import re
from functools import cache

from babel import Locale

from urmom_bot.languages import languages

_HOURS = re.compile(r"(?:utc|gmt) ?([+-])0?(\d{1,2})(?::00)?", re.IGNORECASE)


@cache
def _cities() -> dict[str, str]:
    """Zones by their cities in the bot's languages; the first language's count before another's."""
    found: dict[str, str] = {}
    for language in languages():
        for name, shown in Locale.parse(language).time_zones.items():
            if "city" in shown:
                found.setdefault(str(shown["city"]).casefold(), name)
    return found


def zone_name(text: str) -> str:
    """The name of the zone that is meant, or the text as it is where that is not known."""
    wanted = text.strip()
    if hours := _HOURS.fullmatch(wanted):  # whose signs in the names of zones are the other way round
        return f"Etc/GMT{'-' if hours[1] == '+' else '+'}{hours[2]}"
    return _cities().get(wanted.casefold(), wanted)
