"""A page's HTML: Jinja templates, the bot's markup as HTML, and people, channels and moments in words.

Whatever people wrote is escaped here, and nothing of it becomes a link: the only links are those to Discord's messages
and to the page itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cache
from importlib.resources import files
from itertools import groupby
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_time
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup as Html
from markupsafe import escape

from memory.ids import ChannelId, UserId
from memory.records import FactDomain
from urmom_bot.actions import Action
from urmom_bot.markup import foreign, plain
from urmom_bot.talk.presenting import label
from urmom_bot.talk.texts import Texts
from urmom_bot.views import DayView

DISCORD_MESSAGE = re.compile(r"https://discord\.com/channels/\d{1,20}/\d{1,20}/\d{1,20}")
"""The only addresses that a page links to, beside its own."""

MAX_ID = 1 << 63
"""What an id is below: a larger number was made up."""

MAX_MOMENT = 253_402_300_799
"""The last second of the year 9999."""

HUES = 6
"""Colours of people, by their ids."""

RECENT = timedelta(days=6)
"""For how long a day is called by its weekday."""

_MARK = re.compile(
    r"""\\(?P<escaped>[^A-Za-z\s])
      | <@!?(?P<person>\d{1,20})> | <\#(?P<channel>\d{1,20})> | <@&(?P<role>\d{1,20})>
      | <t:(?P<moment>\d{1,12}):(?P<style>\w)>
      | \[(?P<label>(?:\\.|[^\]\\]){1,300})\]\(<?(?P<target>https?://[^)>\s]{1,300})>?\)
      | <(?P<address>https?://[^>\s]{1,2000})>
      | (?P<bold>\*\*) | (?P<italic>(?<![\w*])\*(?![\s*])|(?<![\s*])\*(?![\w*])) | (?P<code>`)""",
    re.VERBOSE,
)
"""What the bot's markup has in it besides text."""

_WRITTEN = re.compile(
    r"""<@!?(?P<person>\d{1,20})> | <\#(?P<channel>\d{1,20})> | <@&(?P<role>\d{1,20})>
      | <t:(?P<moment>\d{1,12})(?::(?P<style>\w))?>
      | <a?:(?P<emoji>\w{1,32}):\d{1,20}> | </(?P<command>[^:<>]{1,100}):\d{1,20}> | <id:(?P<place>\w{1,20})>""",
    re.VERBOSE,
)
"""What Discord shows as something else in what people write."""

_SWITCHES = {"bold": "strong", "italic": "em", "code": "code"}
"""The marks that switch emphasis on and off, and the tags that do so."""

_TAGS = {
    ("strong", True): Html("<strong>"),
    ("strong", False): Html("</strong>"),
    ("em", True): Html("<em>"),
    ("em", False): Html("</em>"),
    ("code", True): Html("<code>"),
    ("code", False): Html("</code>"),
}

_TURNS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Signs that turn the direction of what follows: `<bdi>` does that here, for each text by itself."""

_PERSON = re.compile(r"<@!?(\d{1,20})>")


def without_turns(value: object) -> object:
    """A text without signs that turn the text around it; anything else as it is."""
    return _TURNS.sub("", value) if isinstance(value, str) and not isinstance(value, Html) else value


def people_in(*texts: str) -> set[UserId]:
    """The ids of everyone whom texts mention."""
    return {n for text in texts for found in _PERSON.finditer(text) if (n := UserId(int(found[1]))) < MAX_ID}


@dataclass(frozen=True, kw_only=True)
class Voice:
    """How one page speaks: its language, the server's time zone, and names for ids that the viewer may know."""

    texts: Texts
    zone: ZoneInfo
    now: datetime
    people: Mapping[UserId, str] = field(default_factory=dict)
    channels: Mapping[ChannelId, str] = field(default_factory=dict)

    def t(self, name: str, /, **values: object) -> str:
        """A text of the catalogue, as plain text."""
        return self.texts.plain(name, **values)

    def person(self, user_id: UserId | None) -> str:
        """What somebody is called."""
        return (self.people.get(user_id) if user_id is not None else None) or self.t("someone")

    def channel(self, channel_id: ChannelId | None) -> str:
        """A channel by its name, where the viewer may know it."""
        name = self.channels.get(channel_id) if channel_id is not None else None
        return f"#{plain(name)}" if name else self.t("page_a_channel")

    def when(self, at: datetime) -> Html:
        """A moment in the server's zone: today's by its time, this week's by the weekday, else by the date."""
        local = at.astimezone(self.zone)
        time = format_time(local, "short", locale=self.texts.language)
        words = f"{self.day(local.date())}, {time}"
        return Html('<time datetime="{}">{}</time>').format(local.isoformat(timespec="minutes"), words)

    def day(self, day: date) -> str:
        """A day: "today", a weekday of the last week, or the date."""
        today = self.now.astimezone(self.zone).date()
        if day == today:
            return self.t("page_today")
        if today - RECENT <= day < today:
            return format_date(day, "EEEE", locale=self.texts.language)
        return format_date(day, "d MMMM" if day.year == today.year else "d MMMM y", locale=self.texts.language)

    def period(self, view: DayView) -> str:
        """The day, week or month that a text is about."""
        if view.period == "day":
            return self.day(view.day)
        if view.period == "before":
            return self.t("page_before", day=self.day(view.day))
        return self.texts.period(view.period, view.day)

    def date(self, day: date) -> str:
        """A day by its date."""
        return format_date(day, "d MMMM" if day.year == self.now.year else "d MMMM y", locale=self.texts.language)

    def moment(self, at: datetime) -> str:
        """A moment to the minute, with its date."""
        local, language = at.astimezone(self.zone), self.texts.language
        return f"{format_date(local, 'medium', locale=language)}, {format_time(local, 'short', locale=language)}"

    def label(self, action: Action) -> str:
        """What stands on the button of an action."""
        return label(action, self.texts)

    def html(self, text: str) -> Html:
        """The bot's markup as HTML: a paragraph for each line."""
        lines = []
        for line in _TURNS.sub("", text).split("\n"):
            is_small = line.startswith("-# ")
            line = line.removeprefix("-# ")
            if line.startswith("#"):
                lines.append(Html("<h3>{}</h3>").format(self._inline(line.lstrip("#").strip())))
            elif line.strip():
                form = Html('<p class="small quiet">{}</p>') if is_small else Html("<p>{}</p>")
                lines.append(form.format(self._inline(line)))
        return Html("\n").join(lines)

    def _inline(self, text: str) -> Html:
        parts: list[Html] = []
        end = 0
        opened: dict[str, bool] = dict.fromkeys(_SWITCHES.values(), False)

        def turn(tag: str) -> None:
            opened[tag] = not opened[tag]
            parts.append(_TAGS[tag, opened[tag]])

        for found in _MARK.finditer(text):
            parts.append(escape(text[end : found.start()]))
            end = found.end()
            if tag := next((tag for name, tag in _SWITCHES.items() if found[name]), None):
                turn(tag)
            else:
                parts.append(self._mark(found))
        parts.append(escape(text[end:]))
        for tag in [tag for tag, is_open in opened.items() if is_open]:
            turn(tag)
        return Html("").join(parts)

    def _mark(self, found: re.Match[str]) -> Html:
        """One mark as HTML; of what people wrote, or of the bot's own markup."""
        if found["person"]:
            return Html("<bdi>{}</bdi>").format(self.person(UserId(int(found["person"]))))
        if found["channel"]:
            return escape(self.channel(ChannelId(int(found["channel"]))))
        if found["role"]:
            return escape(self.t("page_a_role"))
        if found["moment"] and int(found["moment"]) > MAX_MOMENT:
            return Html("–")
        if found["moment"]:
            return self.when(datetime.fromtimestamp(int(found["moment"]), UTC))
        named = found.groupdict()
        if named.get("label"):
            words = re.sub(r"\\(.)", r"\1", found["label"])
            return self.link(found["target"], words)
        return escape(named.get("escaped") or named.get("address") or "")

    def words(self, text: str) -> Html:
        """What people wrote, as it is stored: names for the ids in it, and Discord's other marks in words."""
        parts, end = list[Html](), 0
        for found in _WRITTEN.finditer(text := _TURNS.sub("", text)):
            parts += [escape(text[end : found.start()]), self._written(found)]
            end = found.end()
        return Html("").join([*parts, escape(text[end:])])

    def _written(self, found: re.Match[str]) -> Html:
        if found["emoji"]:
            return escape(f":{found['emoji']}:")
        if found["command"]:
            return escape(f"/{found['command']}")
        if found["place"]:
            return escape(self.t("page_a_channel"))
        return self._mark(found)

    def link(self, address: str, words: str | None = None) -> Html:
        """A link to a message in Discord; any other address is text."""
        shown = words or self.t("page_message")
        if not DISCORD_MESSAGE.fullmatch(address):
            return escape(shown)
        return Html('<a href="{}" rel="noreferrer">{}</a>').format(address, shown)


def initial(name: str) -> str:
    """The letter of somebody's coin."""
    return next((letter for letter in name if letter.isalnum()), "?").upper()


def hue(user_id: UserId) -> int:
    """The number of somebody's colour."""
    return user_id % HUES + 1


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One bar of a plot: where it stands and how high it is, in a hundred; and its row in the table."""

    x: float
    y: float
    width: float
    height: float
    name: str
    value: int


def bars(values: Iterable[tuple[str, int]]) -> list[Bar]:
    """Bars for values, side by side, as high as the largest allows."""
    listed = list(values)
    most = max((value for _, value in listed), default=0) or 1
    step = 100 / max(len(listed), 1)
    return [
        Bar(
            x=round(n * step + step * 0.15, 2),
            y=round(100 - value * 100 / most, 2),
            width=round(step * 0.7, 2),
            height=round(value * 100 / most, 2),
            name=name,
            value=value,
        )
        for n, (name, value) in enumerate(listed)
    ]


def by_day(values: Mapping[date, int], voice: Voice) -> list[tuple[str, int]]:
    """Numbers of days as a plot has them, without gaps."""
    if not values:
        return []
    first, last = min(values), max(values)
    days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    return [(format_date(day, "d MMM", locale=voice.texts.language), values.get(day, 0)) for day in days]


def by_week(days: Iterable[DayView]) -> list[tuple[date | None, list[DayView]]]:
    """Days under the Mondays of their weeks, in their order; weeks and months that are told whole under nothing."""
    return [(monday, list(week)) for monday, week in groupby(days, _monday)]


def _monday(view: DayView) -> date | None:
    return None if view.period in ("week", "month") else view.day - timedelta(view.day.weekday())


def by_domain(values: Mapping[FactDomain, int], t: Callable[[str], str]) -> list[tuple[str, int]]:
    """Numbers of domains as a plot has them."""
    return [(t(f"page_domain_{domain.value}"), values.get(domain, 0)) for domain in FactDomain]


@cache
def environment() -> Environment:
    """The templates. Everything that is not HTML already is escaped."""
    made = Environment(
        loader=PackageLoader("urmom_bot.page"),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        finalize=without_turns,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {"initial": initial, "hue": hue, "bars": bars}
    made.filters |= {"by_day": by_day, "by_week": by_week, "by_domain": by_domain, "plainly": foreign}
    return made


def rendered(template: str, voice: Voice, **values: object) -> str:
    """A whole page."""
    return environment().get_template(template).render(voice=voice, t=voice.t, lang=voice.texts.language, **values)


@cache
def static(name: str) -> bytes:
    """A file that every page uses."""
    return files("urmom_bot.page").joinpath("static", name).read_bytes()
