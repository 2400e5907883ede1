"""What memory costs: `python -m benchmarks.ai_cost [--json]`.

The same 1,000 messages of 20 people over five days, everyone who wrote asked about: once a day together, once a day
one by one, every hour, every hour with 3 % of the messages edited and 2 % deleted besides, and every hour with a
picture at each tenth message, one in five of them posted before: with fine detail on all of them, and on half of them;
and one "remember".
Calls and prompt tokens as an endpoint counts them, in English and in Russian. The model is a stand-in that quotes.
mem0 and langmem read the same talk in the same run where they are installed: `pip install '.[peers]'`.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import random
import tempfile
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from PIL import Image

from benchmarks import peers
from benchmarks.figures import tell
from memory import LoadedFile, Member, Message, Viewer
from memory.ai import Media, MediaKind
from memory.ai.media import COARSE_TOKENS
from memory.records import MessageFile
from memory.rules.text import tokens
from urmom_bot.app import App, database, open_app
from urmom_bot.config import Settings
from urmom_bot.stand_ins import GeminiStandIn, extractive
from urmom_bot.talk import Request

GUILD, CHANNEL, PEOPLE, DAYS, MESSAGES = 5_000 << 22, 7, 20, 5, 1_000
BEGINNING = datetime(2026, 11, 2, tzinfo=UTC)

TALK = {
    "en": (
        "the {thing} in {place} needs {n} screws of size {m}",
        "anyone else at the {thing} meeting on the {m}th?",
        "fixed the {thing} by turning it off for {n} minutes",
        "ok",
        "lol same here",
        "we decided to move the {thing} to {place} next week",
        "my {thing} broke again after {n} days, any advice?",
    ),
    "ru": (
        "для {thing} в {place} нужно {n} винтов размера {m}",
        "кто ещё будет {m}-го числа на встрече про {thing}?",
        "починил {thing}, выключил на {n} минут",
        "ага",
        "хаха, то же самое",
        "решили перенести {thing} в {place} на следующей неделе",
        "моя {thing} опять сломалась через {n} дней, что посоветуете?",
    ),
}
THINGS = ("kiln", "router", "kayak", "printer", "telescope", "loom")
PICTURE = "[image: image.png]"
PLACES = ("Riga", "Gdynia", "Tallinn", "Bergen", "Porto")


@dataclass(frozen=True)
class Line:
    """One message of the talk."""

    at: datetime
    user_id: int
    text: str


def talk(language: str) -> list[Line]:
    """The five days, in order."""
    chance, found = random.Random(11), []
    for n in range(MESSAGES):
        day, minute = divmod(n * DAYS * 14 * 60 // MESSAGES, 14 * 60)
        at = BEGINNING + timedelta(days=day, hours=8, minutes=minute, seconds=chance.randrange(50))
        text = chance.choice(TALK[language]).format(
            thing=chance.choice(THINGS), place=chance.choice(PLACES), n=chance.randint(2, 90), m=chance.randint(3, 28)
        )
        found.append(Line(at, 100 + chance.randrange(PEOPLE), text))
    return sorted(found, key=lambda line: line.at)


class Played:
    """One run of the five days, with a clock of its own."""

    def __init__(self, lines: list[Line], *, hourly: bool, together: bool, changes: bool, detailed: int | None) -> None:
        self.now = BEGINNING
        self._lines = lines
        self._hourly = hourly
        self._together = together
        self._changes = changes
        self._detailed = detailed
        self._chance = random.Random(5)
        self.answers: list[int] = []

    async def run(self, app: App) -> None:
        """Play it."""
        await app.memory.loops.stop()
        waiting, wrote, written = list(self._lines), dict[int, None](), list[int]()
        for hour in range(24 * DAYS + 24):
            self.now = BEGINNING + timedelta(hours=hour, minutes=59)
            if self.now.hour == 0:
                wrote.clear()
            while waiting and waiting[0].at < self.now:
                line = waiting.pop(0)
                written.append(await self._say(app, line, len(written)))
                wrote[line.user_id] = None
            if self._changes and written:
                await self._change(app, written)
            await app.memory.messages.flush()
            if self._detailed is not None:
                await self._describe(app, self._detailed)
            if wrote and (self._hourly or self.now.hour == 22):
                await self._ask(app, list(wrote))

    async def _say(self, app: App, line: Line, n: int) -> int:
        has_picture = self._detailed is not None and n % 10 == 0
        message_id = (int(line.at.timestamp() * 1000) - 1_420_070_400_000) << 22 | n
        message = Message(
            guild_id=GUILD,
            message_id=message_id,
            channel_id=CHANNEL,
            user_id=line.user_id,
            text=f"{line.text}\n{PICTURE}" if has_picture else line.text,
            timestamp=line.at,
            files=(MessageFile(file_id=n + 1, row=1),) if has_picture else (),
        )
        name = f"person{line.user_id}"
        member = Member(guild_id=GUILD, user_id=line.user_id, display_name=name, username=name)
        assert await app.memory.messages.ingest(message, member)
        return message_id

    async def _describe(self, app: App, detailed: int) -> None:
        """Describe what waits; so many of a hundred pictures have fine detail."""
        while waiting := await app.memory.captions.list_waiting([GUILD]):
            files = [
                LoadedFile(
                    message=message,
                    file=file,
                    digest=_digest(file.file_id),
                    media=replace(SEEN, has_fine_detail=file.file_id // 10 * 37 % 100 < detailed),
                )
                for message in waiting
                for file in message.files
            ]
            await app.memory.captions.describe(files, language="English", may_keep=lambda _: True)

    async def _change(self, app: App, written: list[int]) -> None:
        """Edit 3 % of the messages and delete 2 % in all, spread over the hours, of those of the last day."""
        recent = written[-200:]
        for share, work in ((0.03, "edit"), (0.02, "delete")):
            if self._chance.random() < share * MESSAGES / (24 * DAYS):
                chosen = self._chance.choice(recent)
                if work == "edit":
                    await app.memory.messages.edit(GUILD, chosen, "and it is done", self.now)
                else:
                    await app.memory.messages.delete(GUILD, [chosen])

    async def _ask(self, app: App, users: list[int]) -> None:
        viewer = Viewer(guild_id=GUILD, user_id=users[0])
        for some in [users] if self._together else [[user] for user in users]:
            await app.memory.replies.contexts(viewer, some, wait=60)
            await app.memory.settle()


def _png() -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (600, 400), "navy").save(written, "PNG")
    return written.getvalue()


SEEN = Media(kind=MediaKind.PICTURE, mime="image/png", data=_png(), tokens=COARSE_TOKENS)


def _digest(file_id: int) -> str:
    """What a picture is known by: one in five was posted before."""
    return f"{file_id - 10 if file_id % 50 == 1 else file_id:032}"


async def spent(
    language: str, *, hourly: bool = False, together: bool = False, changes: bool = False, detailed: int | None = None
) -> list[int]:
    """The prompt tokens of each call of one run, those of pictures among them: so many in a hundred are detailed."""
    gemini = GeminiStandIn(extractive)
    await gemini.start()
    played = Played(talk(language), hourly=hourly, together=together, changes=changes, detailed=detailed)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(_env_file=None, data_dir=Path(folder), database_url=None).on_stand_in(gemini.url)
        async with (
            database(settings) as dsn,
            open_app(settings, clock=lambda: played.now, quota_clock=lambda: played.now, dsn=dsn) as app,
        ):
            await played.run(app)
    await gemini.close()
    return [tokens(asked.whole) + COARSE_TOKENS * len(asked.media) for asked in gemini.asked]


async def remembered(language: str) -> list[int]:
    """The prompt tokens of one "remember"."""
    gemini = GeminiStandIn(extractive)
    await gemini.start()
    order = {"en": "remember that I collect brass sextants", "ru": "запомни, что я собираю медные фонари"}[language]
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(_env_file=None, data_dir=Path(folder), database_url=None).on_stand_in(gemini.url)
        async with database(settings) as dsn, open_app(settings, clock=lambda: BEGINNING, dsn=dsn) as app:
            speaker = Member(guild_id=GUILD, user_id=100, display_name="person100", username="person100")
            viewer = Viewer(guild_id=GUILD, user_id=100)
            await app.router.respond(
                Request(
                    viewer=viewer, channel_id=CHANNEL, message_id=1 << 22, speaker=speaker, text=order, at=BEGINNING
                )
            )
    await gemini.close()
    return [tokens(asked.whole) for asked in gemini.asked]


async def measure() -> dict[str, int]:
    """All figures; those without a language are English."""
    result: dict[str, int] = {}
    for language in TALK:
        end = "" if language == "en" else f"_{language}"
        one_by_one = await spent(language)
        together = await spent(language, together=True)
        result |= {
            f"calls{end}": len(one_by_one),
            f"prompt_tokens{end}": sum(one_by_one),
            f"calls_together{end}": len(together),
            f"together_prompt_tokens{end}": sum(together),
            f"hourly_prompt_tokens{end}": sum(await spent(language, hourly=True, together=True)),
            f"edited_prompt_tokens{end}": sum(await spent(language, hourly=True, together=True, changes=True)),
            f"pictures_prompt_tokens{end}": sum(await spent(language, hourly=True, together=True, detailed=50)),
            f"detailed_prompt_tokens{end}": sum(await spent(language, hourly=True, together=True, detailed=100)),
            f"remember_tokens{end}": sum(await remembered(language)),
            f"words_once{end}": sum(tokens(line.text) for line in talk(language)),
        }
        days: dict[tuple[date, str], list[str]] = {}
        for line in talk(language):
            days.setdefault((line.at.date(), f"person{line.user_id}"), []).append(line.text)
        for peer, prompts in (await peers.spent(days)).items():
            result |= {f"{peer}_calls{end}": len(prompts), f"{peer}_prompt_tokens{end}": sum(prompts)}
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    tell("what memory costs", asyncio.run(measure()), as_json=chosen.json)


if __name__ == "__main__":
    main()
