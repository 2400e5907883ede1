"""What a long talk costs: `python -m benchmarks.conversations [--turns N] [--to FOLDER] [--crash] [--json]`.

Plays a talk of N turns (500 by default) with the bot, on changing subjects, in a server with a week of talk behind it,
over a stand-in for the model, and reports the tokens of its prompts, the AI calls, and whether a fact told at turn 3
is in the prompt at turn 400. `--to` writes the prompts of some turns. With `--crash` 200 speakers talk at once to two
processes, one of which is killed in the middle: reported are answers and digests that were lost or doubled.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
import tempfile
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.figures import tell
from memory import AuthorKind, Given, Member, Message, Viewer
from memory.records import InboxItem, InboxKind, SessionBusy
from memory.rules.text import tokens
from urmom_bot.app import App, database, open_app
from urmom_bot.config import Settings
from urmom_bot.stand_ins import Asked, GeminiStandIn, extractive
from urmom_bot.talk import Request

GUILD, CHANNEL = 1 << 22, 7
BEGIN = datetime(2026, 11, 10, 9, tzinfo=UTC)
PEOPLE = ("Ann", "Bob", "Cid", "Dee")
TOLD = "The key of my kiln lies under the third flowerpot, behind the zorblax shed"
ASKED = "Where does the key of my kiln lie?"
SUBJECTS = (
    "kiln glaze clay firing temperature shelf cone shed bricks burner",
    "server deployment kubernetes cluster backup release branch pipeline certificate dns",
    "recipe rice broth saffron pan oven garlic dinner guests market",
    "holiday train Lisbon ticket hotel beach luggage passport ferry island",
    "chess opening tournament knight endgame clock rating board club game",
    "garden tomato seeds compost hedge watering greenhouse slugs harvest soil",
)
CHANGES = ("By the way, ", "On another note, ", "Let's change the subject: ", "")


def talk(turns: int, chance: random.Random) -> list[tuple[int, str]]:
    """What people say in a talk of so many turns, by whom: subjects of about twenty turns each."""
    spoken: list[tuple[int, str]] = []
    words: list[str] = []
    for n in range(turns // 2):
        if n % 10 == 0:
            words = chance.choice(SUBJECTS).split()
        start = chance.choice(CHANGES) if n % 10 == 0 and n else ""
        some = " and the ".join(chance.sample(words, 4))
        ending = chance.choice(("what do you think of it?", "that is how it went today.", "we settled it like that."))
        spoken.append((1 + n % len(PEOPLE), f"{start}I looked at the {some} with number {n}, {ending}"))
    spoken[1] = (1, TOLD)
    if turns > 400:
        spoken[199] = (1, ASKED)
    return spoken


def history(chance: random.Random, messages: int = 1_000) -> tuple[list[Message], list[Member]]:
    """What others wrote on the seven days before, with who they are."""
    people = [member(user_id) for user_id in range(20, 40)]
    written = []
    for n in range(messages):
        at = BEGIN - timedelta(days=7) + timedelta(minutes=10 * n)
        some = " and the ".join(chance.sample(chance.choice(SUBJECTS).split(), 3))
        written.append(
            Message(
                guild_id=GUILD,
                message_id=((int(at.timestamp() * 1000) - 1_420_070_400_000) << 22) + n,
                channel_id=CHANNEL + 1,
                user_id=chance.choice(people).user_id,
                text=f"has anybody seen the {some} that I left here?",
                timestamp=at,
            )
        )
    return written, people


class Player:
    """Talks with the bot through its router and its sessions."""

    def __init__(self, app: App, gemini: GeminiStandIn) -> None:
        self.app = app
        self.gemini = gemini
        self.now = BEGIN
        self._count = 0

    def _id(self) -> int:
        self._count += 1
        return ((int(self.now.timestamp() * 1000) - 1_420_070_400_000) << 22) | (self._count & 0x3FFFFF)

    async def write(self, user_id: int, text: str) -> int:
        """Somebody's message, stored; of the bot for 99."""
        message_id = self._id()
        kind = AuthorKind.SELF if user_id == 99 else AuthorKind.MEMBER
        message = Message(
            guild_id=GUILD,
            message_id=message_id,
            channel_id=CHANNEL,
            user_id=user_id,
            text=text,
            timestamp=self.now,
            author_kind=kind,
        )
        await self.app.memory.messages.ingest(message, member(user_id))
        await self.app.memory.messages.flush()
        return message_id

    async def say(self, user_id: int, text: str) -> Asked:
        """Say something and have it answered; the prompt of the answer."""
        self.now += timedelta(seconds=40)
        message_id = await self.write(user_id, f"Bot {text}")
        viewer = Viewer(guild_id=GUILD, user_id=user_id)
        request = Request(
            viewer=viewer,
            speaker=member(user_id),
            channel_id=CHANNEL,
            message_id=message_id,
            text=text,
            at=self.now,
        )
        acquired = self.app.memory.conversations.acquire(viewer, CHANNEL, message_id, text, self.now)
        async with acquired as exchange:
            reply = await self.app.router.respond(request, exchange)
            self.now += timedelta(seconds=5)
            sent = await self.write(99, reply.text)
            await self.app.router.finish(request, reply, exchange, [sent])
        await self.app.memory.settle()
        await self.app.memory.conversations.keep_going()
        return next(asked for asked in reversed(self.gemini.asked) if asked.name == "A reply")


def member(user_id: int) -> Member:
    """One of the speakers."""
    name = PEOPLE[(user_id - 1) % len(PEOPLE)] + ("" if user_id <= len(PEOPLE) else str(user_id))
    return Member(guild_id=GUILD, user_id=user_id, display_name=name, username=name.lower())


def answer(asked: Asked) -> str:
    """What stands in for the model: a reply that says something, the rest by quoting."""
    if asked.name == "A reply":
        spoken = asked.sections["message"].partition(": ")[2]
        return json.dumps({"answer": f"I would say so of “{spoken[:120]}”, as far as I can see from here."})
    if asked.name == "Notes of a day":
        return json.dumps({"notes": []})
    return extractive(asked)


async def measure(turns: int, to: Path | None) -> dict[str, object]:
    """Play the talk; returns the report."""
    gemini = GeminiStandIn(answer)
    await gemini.start()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(gemini.close)
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        settings = Settings().model_copy(update={"data_dir": Path(folder), "database_url": None})
        settings = settings.on_stand_in(gemini.url)
        dsn = await stack.enter_async_context(database(settings, durable=False))
        player: Player | None = None
        app = await stack.enter_async_context(
            open_app(settings, clock=lambda: player.now if player is not None else BEGIN, dsn=dsn)
        )
        player = Player(app, gemini)
        await app.memory.messages.import_batch(*history(random.Random(3)))
        costs: list[int] = []
        found = False
        prompts: list[Asked] = []
        for number, (user_id, text) in enumerate(talk(turns, random.Random(7)), 1):
            before = len(gemini.asked)
            asked = await player.say(user_id, text)
            if not any(one.name == "A reply" for one in gemini.asked[before:]):
                continue  # answered without a model
            prompts.append(asked)
            costs.append(tokens(asked.whole))
            if text == ASKED:
                found = "third flowerpot" in asked.whole
            if to is not None and number in (1, 10, 50, 200, turns // 2):
                (to / f"turn-{2 * number - 1}.txt").write_text(asked.whole, encoding="utf-8")
        replies = sum(one.name == "A reply" for one in gemini.asked)
        kept = sum(one.name in ("Segments of a talk", "What a talk came to") for one in gemini.asked)
        early, late = statistics.fmean(costs[5:15]), statistics.fmean(costs[-10:])
        return {
            "turns": turns,
            "max_prompt": max(costs),
            "mean_prompt": round(statistics.fmean(costs)),
            "fixed": tokens(prompts[0].instructions),
            "mean_delta": round(statistics.fmean(costs) - tokens(prompts[0].instructions)),
            "growth": round(abs(late - early) / early, 3),
            "calls_per_reply": round((replies + kept) / replies, 3),
            "found_at_400": found if turns > 400 else None,
            "by_turn": {str(2 * n + 1): costs[n] for n in (0, 9, 49, 99, 199, len(costs) - 1) if n < len(costs)},
        }


SPEAKERS, CHANNELS = 200, 40


async def work(dsn: str, url: str, first: int, step: int) -> None:
    """One process: answers every `step`th of the messages, each once, then makes the digests that are due."""
    now = datetime.now(UTC)
    settings = Settings().on_stand_in(url).model_copy(update={"memory_wait": 5.0})
    async with open_app(settings, dsn=dsn) as app:

        async def one(n: int) -> None:
            channel, viewer = 1_000 + n % CHANNELS, Viewer(guild_id=GUILD, user_id=n)
            message_id = ((int(BEGIN.timestamp() * 1000) - 1_420_070_400_000) << 22) + n
            text = f"we decided that speaker number {n} brings the cake on Monday"
            item = InboxItem(
                guild_id=GUILD, trigger_id=message_id, kind=InboxKind.MESSAGE, channel_id=channel, user_id=n, at=now
            )
            await app.memory.inbox.record(item)
            if await app.memory.inbox.claim(item) is None:
                return
            message = Message(
                guild_id=GUILD, message_id=message_id, channel_id=channel, user_id=n, text=text, timestamp=now
            )
            await app.memory.messages.ingest(message, member(n))
            await app.memory.messages.flush()
            while True:
                making = app.memory.replies.begin(GUILD)
                with suppress(SessionBusy):
                    async with app.memory.conversations.acquire(viewer, channel, message_id, text, now) as exchange:
                        await asyncio.sleep(0.05)
                        exchange.answered(f"answer to {n}", [message_id + 5_000], now)
                        await app.memory.replies.record(item, [message_id + 5_000], Given(), making)
                    await app.memory.inbox.finish(item)
                    return
                await asyncio.sleep(0.05)

        await asyncio.gather(*(one(n) for n in range(1, SPEAKERS + 1) if first == 0 or n % step == first - 1))
        for channel in range(1_000, 1_000 + CHANNELS) if first < 0 else ():
            await app.memory.conversations.reset(Viewer(guild_id=GUILD, user_id=1), channel)
        for _ in range(3):
            await app.memory.conversations.keep_going()


async def crash() -> dict[str, object]:
    """200 speakers, two processes, one of them killed in the middle; what was lost or doubled."""
    import asyncpg

    gemini = GeminiStandIn(answer)
    await gemini.start()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(gemini.close)
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        settings = Settings().model_copy(update={"data_dir": Path(folder), "database_url": None})
        dsn = await stack.enter_async_context(database(settings.on_stand_in(gemini.url), durable=False))

        def spawn(first: int) -> subprocess.Popen[bytes]:
            command = [sys.executable, "-m", "benchmarks.conversations", "--worker", dsn, gemini.url, str(first)]
            return subprocess.Popen(command)

        one, two = spawn(1), spawn(2)
        connection = await asyncpg.connect(dsn)
        while await connection.fetchval("SELECT count(*) FROM turns") < SPEAKERS // 4:
            await asyncio.sleep(0.02)
        one.kill()
        await asyncio.to_thread(two.wait)
        for last in (0, -1):
            for process in [spawn(last), spawn(last)]:
                await asyncio.to_thread(process.wait)
        rows = await connection.fetch("SELECT text, count(*) AS times FROM conclusions GROUP BY text")
        answered = await connection.fetchval("SELECT count(*) FROM replies WHERE reply_ids <> '{}'")
        left = await connection.fetchval("SELECT count(*) FROM sessions")
        await connection.close()
    return {
        "speakers": SPEAKERS,
        "answers_lost": SPEAKERS - answered,
        "digests_lost": left,
        "conclusions": len(rows),
        "conclusions_doubled": sum(row["times"] > 1 for row in rows),
    }


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--turns", type=int, default=500)
    parser.add_argument("--to", type=Path, help="a folder for the prompts of some turns")
    parser.add_argument("--crash", action="store_true", help="kill one of two processes in the middle")
    parser.add_argument("--worker", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.worker:
        dsn, url, first = given.worker
        asyncio.run(work(dsn, url, int(first), 2))
        return
    if given.to:
        given.to.mkdir(parents=True, exist_ok=True)
    report = asyncio.run(crash() if given.crash else measure(given.turns, given.to))
    tell("conversations", report, as_json=given.json)


if __name__ == "__main__":
    main()
