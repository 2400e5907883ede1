"""Time zones as people name them: by a city in their own language, or by hours from UTC."""

from __future__ import annotations

import re
from functools import cache
from zoneinfo import available_timezones

from babel import Locale
from babel.core import get_global

from memory.rules.calendar import zone_called
from memory.rules.names import nominatives
from urmom_bot.languages import languages

_HOURS = re.compile(r"(?:utc|gmt) ?([+-])0?(\d{1,2})(?::00)?", re.IGNORECASE)


@cache
def _cities() -> dict[str, str]:
    """Zones by their own names, by their cities in the bot's languages, by countries that have one, and as people say.

    Where several languages have a name, the first one's counts.
    """
    found = {zone.casefold(): zone for zone in sorted(available_timezones())}
    for zone in [zone for zone in found.values() if "/" in zone and not zone.startswith("Etc/")]:
        found.setdefault(zone.rpartition("/")[2].replace("_", " ").casefold(), zone)
    for language, own in languages().items():
        locale = Locale.parse(language)
        for name, shown in locale.time_zones.items():
            if "city" in shown:
                found.setdefault(str(shown["city"]).casefold(), name)
        for country, name in locale.territories.items():
            if len(zones := get_global("territory_zones").get(country, ())) == 1:
                found.setdefault(name.casefold(), zones[0])
        found |= own.time_zones
    return found


def is_zone(text: str) -> bool:
    """Whether a text names a time zone, by its name or a city."""
    try:
        zone_called(zone_name(text))
    except ValueError:
        return False
    return True


def zone_name(text: str) -> str:
    """The name of the zone that is meant, or the text as it is where that is not known."""
    wanted = text.strip()
    if hours := _HOURS.fullmatch(wanted):  # whose signs in the names of zones are the other way round
        return f"Etc/GMT{'-' if hours[1] == '+' else '+'}{hours[2]}"
    words = wanted.casefold().split()
    endings = (" ".join(words[start:]) for start in range(len(words)))  # "please berlin" is of Berlin
    cases = nominatives(words[-1].capitalize()) if words else ()  # "на Москву"
    names = (*endings, *(name.casefold() for name in cases))
    return next((_cities()[name] for name in names if name in _cities()), wanted)
