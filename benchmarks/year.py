"""A year of a small server: `python -m benchmarks.year [--days 400] [--json]`.

Eight people write some 30 messages a day; the busiest writes four in ten of them. Now and then one of them says
something that matters ("I bought a loom"). Nobody asks the bot anything, but once a week about two people. Some of what
matters is deleted or forgotten. At the end: how much of it is told in its member's context and found by a question, by
age; whether anything that was deleted or forgotten is anywhere in the database; and the AI calls of a day. The model is
a stand-in that quotes, and knows what matters by its words: how a real model weighs notes is not measured.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import asyncpg

from benchmarks.figures import tell
from memory import Channel, Member, Message, Query, Viewer
from urmom_bot.app import App, database, open_app
from urmom_bot.config import Settings
from urmom_bot.stand_ins import GeminiStandIn, extractive
from urmom_bot.stand_ins.gemini import Asked

GUILD, CHANNEL, PEOPLE = 5_000 << 22, 7, 8
BEGINNING = datetime(2025, 10, 6, tzinfo=UTC)
AGES = ((7, "week"), (30, "month"), (90, "quarter"), (365, "year"), (10_000, "more than a year"))

SMALL_TALK = (
    "does anyone have the link for tonight, I lost mine again",
    "the weather is awful, I stay at home and read",
    "I think we should try the other map next time",
    "that was a good game yesterday, thanks for waiting",
    "my internet is slow today, sorry if I drop out",
    "lol same here",
    "ok",
    "what time is it for you when we start at eight?",
)
VERBS = ("bought", "sold", "repaired", "built", "borrowed")
SYLLABLES = ("ka", "ro", "mi", "tel", "ba", "nu", "sor", "vi", "len", "pa", "dru", "gi")
_LINE = re.compile(r"(\d+) (u\d+)(?: >(\d+))?: (.*)")
_MATTERS = re.compile(rf"I ({'|'.join(VERBS)}) a (\w+)")


@dataclass(kw_only=True)
class Matter:
    """Something that one person said and that should be remembered; `thing` is a word that no other has."""

    user_id: int
    at: datetime
    thing: str
    text: str
    message_id: int
    gone: str = ""


@dataclass(kw_only=True)
class Year:
    """The run: its clock, and what was said."""

    now: datetime = BEGINNING
    count: int = 0
    matters: list[Matter] = field(default_factory=list)
    chance: random.Random = field(default_factory=lambda: random.Random(7))

    def thing(self) -> str:
        """A word that nobody said before."""
        while True:
            word = "".join(self.chance.choice(SYLLABLES) for _ in range(4))
            if all(word != matter.thing for matter in self.matters):
                return word


def answer(asked: Asked) -> str:
    """As the stand-in does, but what matters weighs more, and is told first."""
    if asked.name != "Notes of a day":
        return extractive(asked)
    notes = []
    for line in asked.sections.get("messages", "").splitlines():
        if (m := _LINE.fullmatch(line)) and (found := _MATTERS.search(m[4])):
            notes.append(f"{m[2]} event 3 {m[1]}: {found[0].removeprefix('I ')}")
    plain = json.loads(extractive(asked))["notes"]
    return json.dumps({"notes": [*notes, *(line for line in plain if not _MATTERS.search(line))]})


async def say(app: App, year: Year, user_id: int, text: str, at: datetime) -> int:
    """One message."""
    year.count += 1
    message_id = (int(at.timestamp() * 1000) - 1_420_070_400_000) << 22 | year.count % 4_000
    name = f"person{user_id}"
    message = Message(
        guild_id=GUILD, message_id=message_id, channel_id=CHANNEL, user_id=user_id, text=text, timestamp=at
    )
    assert await app.memory.messages.ingest(message, member(user_id, name))
    return message_id


def member(user_id: int, name: str = "") -> Member:
    """One of the people."""
    name = name or f"person{user_id}"
    return Member(guild_id=GUILD, user_id=user_id, display_name=name, username=name)


async def day(app: App, year: Year, n: int) -> None:
    """A day's talk, what is taken back of it, and the night's upkeep."""
    begin, chance = BEGINNING + timedelta(days=n), year.chance
    for line in range(chance.randint(15, 45)):
        at = year.now = begin + timedelta(hours=9, minutes=14 * line, seconds=chance.randrange(60))
        user_id = 100 + min(int(chance.paretovariate(0.8)) - 1, PEOPLE - 1)
        text = chance.choice(SMALL_TALK)
        if chance.random() < 0.03:
            thing = year.thing()
            text = f"I {chance.choice(VERBS)} a {thing}"
            message_id = await say(app, year, user_id, text, at)
            year.matters.append(Matter(user_id=user_id, at=at, thing=thing, text=text, message_id=message_id))
        else:
            await say(app, year, user_id, text, at)
    await app.memory.messages.flush()
    if n % 7 == 3:
        viewer = Viewer(guild_id=GUILD, user_id=100)
        await app.memory.replies.contexts(viewer, [100, 101], wait=60)
    await take_back(app, year)
    year.now = begin + timedelta(days=1, hours=6)
    await app.memory.read_ahead()
    await app.memory.upkeep()


async def take_back(app: App, year: Year) -> None:
    """Now and then somebody deletes a message of theirs, or has something forgotten, however long ago it was."""
    for how in ("deleted", "forgotten"):
        there = [matter for matter in year.matters if not matter.gone]
        if there and year.chance.random() < 0.05:
            matter = year.chance.choice(there)
            matter.gone = how
            if how == "deleted":
                await app.memory.messages.delete(GUILD, [matter.message_id])
                await app.memory.messages.flush()
            else:
                viewer = Viewer(guild_id=GUILD, user_id=matter.user_id)
                request = matter.text.removeprefix("I ")
                await app.memory.forgetting.forget(viewer, member(matter.user_id), request)


async def left_over(dsn: str, year: Year) -> int:
    """How many of the things that were deleted or forgotten are in any column of text in the database."""
    connection = await asyncpg.connect(dsn)
    columns = await connection.fetch(
        "SELECT table_name, column_name FROM information_schema.columns"
        " WHERE table_schema = 'public' AND data_type IN ('text', 'jsonb')"
    )
    found = set()
    for row in columns:
        for matter in year.matters:
            if matter.gone and await connection.fetchval(
                f'SELECT EXISTS (SELECT 1 FROM "{row["table_name"]}" WHERE "{row["column_name"]}"::text ILIKE $1)',
                f"%{matter.thing}%",
            ):
                found.add(matter.thing)
    await connection.close()
    return len(found)


async def measure(days: int) -> dict[str, object]:
    """The figures."""
    gemini = GeminiStandIn(answer)
    await gemini.start()
    year = Year()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(_env_file=None, data_dir=Path(folder), database_url=None).on_stand_in(gemini.url)
        async with (
            database(settings) as dsn,
            open_app(settings, clock=lambda: year.now, quota_clock=lambda: year.now, dsn=dsn) as app,
        ):
            await app.memory.loops.stop()
            await app.memory.guilds.update_channel(Channel(guild_id=GUILD, channel_id=CHANNEL, name="general"))
            for n in range(days):
                await day(app, year, n)
            result = await known(app, year)
            result["deleted_or_forgotten"] = sum(bool(matter.gone) for matter in year.matters)
            result["of_these_still_somewhere"] = await left_over(dsn, year)
    await gemini.close()
    calls = Counter(asked.name for asked in gemini.asked)
    result |= {"messages": year.count, "days": days, "calls_a_day": round(len(gemini.asked) / days, 2)}
    return result | {f"calls_{name.lower().replace(' ', '_')}": number for name, number in calls.items()}


async def known(app: App, year: Year) -> dict[str, object]:
    """Of what matters and still stands: how many there are of each age, and how many are told and found."""
    result: dict[str, object] = {}
    people = {matter.user_id for matter in year.matters}
    viewer = Viewer(guild_id=GUILD, user_id=99)
    contexts = {u: await app.memory.get_memories(GUILD, u, wait=60) or "" for u in people}
    youngest = 0
    for oldest, name in AGES:
        of_age = [
            matter for matter in year.matters if not matter.gone and youngest <= (year.now - matter.at).days < oldest
        ]
        youngest = oldest
        found = 0
        for matter in of_age:
            query = Query(text=f"what did person{matter.user_id} do with the {matter.thing}?", at=year.now)
            recalled = await app.memory.replies.recall(viewer, query, limit=20)
            entries = (*(m.text for m, _ in recalled.messages), *(note.text for note, _ in recalled.notes))
            found += any(matter.thing in text for text in entries)
        told = sum(matter.thing in contexts[matter.user_id] for matter in of_age)
        result |= {f"{name}_said": len(of_age), f"{name}_found": found, f"{name}_in_context": told}
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=400)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    tell("a year", asyncio.run(measure(chosen.days)), as_json=chosen.json)


if __name__ == "__main__":
    main()
