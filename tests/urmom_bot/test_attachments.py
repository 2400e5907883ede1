"""Pictures, sound and files that come with a message, through Discord and by themselves."""

from __future__ import annotations

import asyncio
import io
import struct
import warnings
import wave
import zlib

import pytest
from PIL import Image, ImageDraw

from memory.ai import MediaKind
from memory.ai.media import media_of
from tests.builders import Clock, Opener, Server, choose, served
from tests.urmom_bot.talk.test_conversations import answers
from urmom_bot.attachments import (
    LONGEST_SIDE,
    MAX_BYTES,
    MAX_FILES,
    MAX_PICTURES,
    MAX_TEXT_BYTES,
    PAGE_BYTES,
    TEXT_CHARACTERS,
    Attached,
    Attachment,
    _pages,
    excerpt,
    loaded,
    prepare,
    scaled_down,
    seen_by_model,
)
from urmom_bot.stand_ins import GeminiStandIn


def drawn(size: tuple[int, int] = (300, 120), kind: str = "PNG", mode: str = "RGB") -> bytes:
    picture = Image.new(mode, size)
    ImageDraw.Draw(picture).text((10, 10), "segfault in libfoo", fill="white")
    out = io.BytesIO()
    picture.save(out, kind)
    return out.getvalue()


def tone(seconds: float = 1.0) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(8_000)
        file.writeframes(bytes(128 + (n % 40) for n in range(int(8_000 * seconds))))
    return out.getvalue()


def bomb(width: int = 30_000, height: int = 30_000) -> bytes:
    """A PNG of a few hundred kilobytes that unpacks to nearly a gigabyte."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(bytes(width + 1) * 2_000, 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def file(data: bytes, name: str = "cat.png", **more: float) -> Attachment:
    async def read() -> bytes:
        return data

    return Attachment(name=name, size=len(data), read=read, **more)  # type: ignore[arg-type]


async def ready(*files: Attachment, question: str = "what is it?", takes: set[MediaKind] | None = None) -> Attached:
    return await prepare(files, question, takes=set(MediaKind) if takes is None else takes, picture_tokens=280)


# Through Discord


async def test_a_picture_is_seen(discord: Server) -> None:
    """It stands before the text, scaled down, and the answer is one call."""
    asked = answers(discord.gemini, lambda _: {"answer": "A terminal with an error."})
    ann = discord.discord.join(discord.guild, "ann")
    shown = discord.discord.upload("crash.png", drawn((3_000, 1_500)))
    reply = await discord.ask(ann, "Bot what is on this picture?", attachments=[shown])
    assert reply == "A terminal with an error."
    ((mime, data),) = asked[0].media
    assert mime in ("image/png", "image/jpeg")
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.size == (LONGEST_SIDE, LONGEST_SIDE // 2)
    assert asked[0].sections["attached"] == "picture 1 (crash.png)"
    assert "Recognise nobody by" in asked[0].instructions
    assert len(asked) == 1


async def test_a_picture_that_is_replied_to_is_seen(discord: Server) -> None:
    """With whose it is; of a member who wants nothing kept, it goes to no model."""
    asked = answers(discord.gemini)
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    shown = discord.discord.upload("kiln.jpg", drawn(kind="JPEG"))
    first = await discord.discord.say(bob, discord.general, "look at this", attachments=[shown])
    await discord.ask(ann, "Bot what is this?", reply_to=first)
    assert asked[0].sections["attached"] == "picture 1 (kiln.jpg, of bob)"
    assert len(asked[0].media) == 1
    (panel,) = await discord.discord.slash(bob, discord.general, "privacy")
    await choose(discord.discord, bob, discord.general, panel, "Here: nothing")
    second = await discord.discord.say(bob, discord.general, "and this", attachments=[shown])
    await discord.ask(ann, "Bot and this?", reply_to=second)
    assert asked[1].media == ()
    assert "attached" not in asked[1].sections


async def test_a_voice_message_is_a_question(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """Without a word beside it, where the model hears."""
    async with served(opened, gemini, clock, gemma_model="gemini-flash-latest") as server:
        asked = answers(gemini, lambda _: {"answer": "Tomorrow at eight."})
        ann = server.discord.join(server.guild, "ann")
        voice = server.discord.upload("voice-message.ogg", tone(), seconds=3.0)
        assert await server.ask(ann, "Bot", attachments=[voice], flags=8_192) == "Tomorrow at eight."
        assert [mime for mime, _ in asked[0].media] == ["audio/wav"]
        assert asked[0].sections["message"].endswith("(nothing but what is attached)")
        assert asked[0].sections["attached"] == "sound 1 (voice-message.ogg, 3 s)"


async def test_a_talk_in_a_thread_goes_on_by_voice(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """As voice messages come: without a word, and without the bot's name."""
    async with served(opened, gemini, clock, gemma_model="gemini-flash-latest") as server:
        asked = answers(gemini)
        ann = server.discord.join(server.guild, "ann")
        thread = await server.discord.open_thread(server.general, "kilns")
        await server.ask(ann, "Bot hello there", thread)
        voice = server.discord.upload("voice-message.ogg", tone(), seconds=3.0)
        await server.ask(ann, "", thread, attachments=[voice], flags=8_192)
        assert [mime for mime, _ in asked[1].media] == ["audio/wav"]


def pdf(pages: int) -> bytes:
    leaves = b"".join(b"%d 0 obj<</Type /Page/Parent 1 0 R>>endobj " % (n + 2) for n in range(pages))
    return b"%PDF-1.4 1 0 obj<</Type/Pages>>endobj " + leaves + b"%%EOF"


async def test_a_pdf_is_read(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """As it is, where the model reads PDFs; one of twenty pages at the most."""
    async with served(opened, gemini, clock, gemma_model="gemini-flash-latest") as server:
        asked = answers(gemini, lambda _: {"answer": "It is a manual."})
        ann = server.discord.join(server.guild, "ann")
        manual = server.discord.upload("manual.pdf", pdf(2))
        assert await server.ask(ann, "Bot what is this?", attachments=[manual]) == "It is a manual."
        assert asked[0].media == (("application/pdf", pdf(2)),)
        assert asked[0].sections["attached"] == "document 1 (manual.pdf)"
    found = await ready(file(pdf(21), "long.pdf"), file(pdf(1), "a.pdf"), file(pdf(1), "b.pdf"))
    assert [one.tokens for one in found.media] == [560]
    assert [line.partition(": ")[2] for line in found.lines] == ["it is too long", "", "it is too long"]
    unread = await ready(file(pdf(1), "a.pdf"), takes={MediaKind.PICTURE})
    assert unread.lines == ("a PDF (a.pdf): you cannot read PDFs here",)


async def test_a_log_is_read(discord: Server) -> None:
    """Its beginning, and the lines that the question asks for."""
    asked = answers(discord.gemini)
    ann = discord.discord.join(discord.guild, "ann")
    lines = [f"{n} all is well in the kiln room" for n in range(900)]
    lines[700] = "700 the thermostat reported overheating"
    log = discord.discord.upload("kiln.log", "\n".join(lines).encode())
    await discord.ask(ann, "Bot what did the log say of the thermostat?", attachments=[log])
    told = asked[0].sections["attached"]
    assert told.startswith("a text file (kiln.log):\n0 all is well")
    assert "700 the thermostat reported overheating" in told
    assert len(told) < TEXT_CHARACTERS + 200
    assert asked[0].media == ()


async def test_nothing_is_loaded_from_elsewhere(discord: Server) -> None:
    """Whatever address an attachment has."""
    asked = answers(discord.gemini)
    ann = discord.discord.join(discord.guild, "ann")
    shown = discord.discord.upload("cat.png", drawn())
    path = shown["url"].partition(".com")[2]
    for n, host in enumerate(
        ("https://files.example", "http://cdn.discordapp.com", "https://cdn.discordapp.com.example")
    ):
        shown["url"] = host + path
        await discord.ask(ann, f"Bot what is this, number {n}?", attachments=[shown])
        assert asked[n].media == ()
        assert "could not be loaded" in asked[n].sections["attached"]


async def test_the_same_question_about_another_picture_is_asked_anew(discord: Server) -> None:
    """An answer about a picture is not kept for the same words."""
    asked = answers(discord.gemini)
    ann = discord.discord.join(discord.guild, "ann")
    for name in ("one.png", "two.png"):
        await discord.ask(
            ann, "Bot what is on this picture of ann?", attachments=[discord.discord.upload(name, drawn())]
        )
    assert [a.sections["attached"] for a in asked] == ["picture 1 (one.png)", "picture 1 (two.png)"]


async def test_a_talk_goes_on_about_its_picture(discord: Server) -> None:
    """As long as the message that it came with stands in the talk: once that is deleted, it is gone."""
    asked = answers(discord.gemini)
    ann = discord.discord.join(discord.guild, "ann")
    shown = discord.discord.upload("kiln.png", drawn())
    await discord.ask(ann, "Bot what is this?", attachments=[shown])
    first = max(
        discord.general.messages, key=lambda n: (discord.general.messages[n]["content"] == "Bot what is this?", n)
    )
    await discord.ask(ann, "Bot and what colour is it?")
    assert asked[1].sections["attached"] == "picture 1 (kiln.png, of ann, from earlier in this talk)"
    assert len(asked[1].media) == 1
    await discord.discord.delete(discord.general, first)
    await discord.settled()
    await discord.ask(ann, "Bot and how large is it?")
    assert asked[2].media == ()


async def test_a_talk_goes_on_about_its_last_pictures(discord: Server) -> None:
    """Those of its last three messages that had any, the newest first, if the next question brings none itself."""
    asked = answers(discord.gemini)
    ann = discord.discord.join(discord.guild, "ann")
    for n, name in enumerate(("one", "two", "three", "four")):
        shown = discord.discord.upload(f"{name}.png", drawn((300 + n, 120)))
        await discord.ask(ann, f"Bot what is on picture {name}?", attachments=[shown])
    await discord.ask(ann, "Bot which of them is larger?")
    assert [len(one.media) for one in asked] == [1, 1, 1, 1, 3]
    assert asked[4].sections["attached"].split("\n") == [
        f"picture {n} ({name}.png, of ann, from earlier in this talk)"
        for n, name in enumerate(("four", "three", "two"), 1)
    ]


async def test_a_picture_goes_along_for_a_quarter_of_an_hour(discord: Server) -> None:
    """Each for itself, however long the talk about a later one goes on."""
    asked = answers(discord.gemini)
    ann = discord.discord.join(discord.guild, "ann")
    for n, name in enumerate(("one", "two")):
        shown = discord.discord.upload(f"{name}.png", drawn((300 + n, 120)))
        await discord.ask(ann, f"Bot what is on picture {name}?", attachments=[shown])
        for what in ("colour", "size"):
            discord.clock.on(minutes=5)
            await discord.ask(ann, f"Bot and what {what} is it?")
    assert asked[-1].sections["attached"] == "picture 1 (two.png, of ann, from earlier in this talk)"


@pytest.mark.parametrize("change", ["deleted", "taken out"])
async def test_somebody_elses_picture_is_shown_on_only_while_it_is_there(discord: Server, change: str) -> None:
    """Once they delete their message, or take the picture out of it, it goes to no model any more."""
    asked = answers(discord.gemini)
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    shown = discord.discord.upload("kiln.png", drawn())
    first = await discord.discord.say(bob, discord.general, "look at this", attachments=[shown])
    await discord.ask(ann, "Bot what is this?", reply_to=first)
    await discord.ask(ann, "Bot and what colour is it?")
    assert [len(one.media) for one in asked] == [1, 1]
    if change == "deleted":
        await discord.discord.delete(discord.general, first)
    else:
        await discord.discord.edit(discord.general, first, "look at this", attachments=[])
    await discord.settled()
    await discord.ask(ann, "Bot and how large is it?")
    assert asked[2].media == ()


async def test_a_kept_answer_is_not_given_about_a_picture(discord: Server) -> None:
    """The same words may mean what was shown since."""
    asked = answers(discord.gemini)
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    await discord.ask(bob, "Bot remember that I hold a cello")
    await discord.ask(ann, "Bot what instrument does bob hold?")
    await discord.ask(ann, "Bot what instrument does bob hold?")
    assert len(asked) == 1
    await discord.ask(ann, "Bot look at this", attachments=[discord.discord.upload("two.png", drawn())])
    await discord.ask(ann, "Bot what instrument does bob hold?")
    assert len(asked) == 3


# By themselves


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
async def test_pictures_of_any_kind(kind: str) -> None:
    """Written anew: a name tells nothing, and what stands behind a picture's end is gone."""
    data = drawn(kind=kind) + b"<script>alert(1)</script>"
    made = await ready(file(data, "notes.txt"))
    assert made.lines == ("picture 1 (notes.txt)",)
    assert b"script" not in made.media[0].data
    assert made.media[0].tokens == 280


@pytest.mark.parametrize("mode", ["RGBA", "P", "L", "LA"])
def test_transparent_and_grey_pictures(mode: str) -> None:
    """Stand on white."""
    out = io.BytesIO()
    Image.new(mode, (40, 40)).save(out, "PNG")
    assert scaled_down(out.getvalue()) is not None


def lettered(size: int, canvas: tuple[int, int]) -> bytes:
    """A dark picture with letters of a height."""
    picture = Image.new("RGB", canvas, "#1e1f22")
    draw = ImageDraw.Draw(picture)
    for y in range(20, canvas[1] - size, size * 2):
        draw.text((20, y), "segfault in libfoo", fill="#dcddde", font_size=size)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "is_detailed"),
    [
        (lettered(14, (1_280, 720)), True),
        (lettered(14, (380, 300)), False),
        (drawn((300, 200)), False),
    ],
    ids=["small print", "small print on a small picture", "a small drawing"],
)
def test_what_has_fine_detail(data: bytes, is_detailed: bool) -> None:
    """Only that is shown to a model alone; what is as well on a quarter of its space shares a sheet."""
    found = scaled_down(data)
    assert found is not None
    assert found[1] is is_detailed


def test_a_large_picture_is_decoded_only_where_it_is_scaled_on_the_way() -> None:
    """A JPEG is; anything else takes four bytes a pixel, and a few of them would fill the memory."""
    assert scaled_down(drawn((4_100, 4_100), kind="JPEG")) is not None
    assert scaled_down(drawn((4_100, 4_100), kind="PNG")) is None


def test_decoding_leaves_warnings_as_they_are(recwarn: pytest.WarningsRecorder) -> None:
    """It runs in a thread beside the bot: what it did to warnings would hit anybody."""
    before = list(warnings.filters)
    scaled_down(drawn())
    assert list(warnings.filters) == before


def test_pages_that_a_pdf_hides_are_counted_by_its_size() -> None:
    """In packed parts, only one of a hundred pages may show."""
    shown = b"%PDF-1.5\n<< /Type /Page >>\n"
    assert _pages(shown) == 1
    assert _pages(shown + b"<< /Type /ObjStm >>" + b"x" * 40 * PAGE_BYTES) >= 40


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (bomb(), "it cannot be shown"),
        (drawn()[:60], "it cannot be shown"),
        (b"\xff\xd8\xff" + b"x" * 500, "it cannot be shown"),
        (b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', "a text file"),
        (b"PK\x03\x04\x00\x00", "not of a kind"),
        (b"", "a text file"),
    ],
)
async def test_hostile_and_strange_files(data: bytes, told: str) -> None:
    """A bomb, a cut one, a false beginning, an SVG, an archive, an empty one: none of them is shown."""
    made = await ready(file(data, "cat.png"))
    assert made.media == ()
    assert told in made.lines[0]


async def test_a_hundred_files() -> None:
    """Four pictures go along, and of the rest it is said how many there are."""
    made = await ready(*[file(drawn(), f"{n}.png") for n in range(100)])
    assert len(made.media) == MAX_PICTURES
    assert len(made.lines) == MAX_FILES + 1
    assert made.lines[-1] == f"and {100 - MAX_FILES} more files"


async def test_what_is_too_much_is_not_loaded() -> None:
    """By the size that Discord tells, and by what comes."""

    async def never() -> bytes:
        raise AssertionError("loaded")

    async def more() -> bytes:
        return bytes(MAX_BYTES + 1)

    made = await ready(
        Attachment(name="a", size=MAX_BYTES + 1, read=never),
        Attachment(name="b", size=1, read=more),
        file(drawn(), "c"),
    )
    assert [line.split(":")[0] for line in made.lines] == ["a file (a)", "a file (b)", "a file (c)"]
    assert made.media == ()


async def test_sound_has_a_length() -> None:
    """Two minutes at the most, all together; of what tells none, a small file."""
    made = await ready(*[file(tone(), f"{n}.ogg", seconds=50.0) for n in range(3)])
    assert len(made.media) == 2
    assert made.lines[2] == "a sound (2.ogg): it is too long"
    assert made.media[0].tokens == 1_600
    long = await ready(file(tone(300), "song.wav"))
    assert long.lines == ("a sound (song.wav): it is too long",)


async def test_a_sender_cannot_claim_less_sound_than_its_bytes_take() -> None:
    """A second is 40,000 bytes at the most. Where no length is claimed, there may be few of them."""
    large = b"OggS" + bytes(5_000_000)
    assert (await ready(file(large, "song.ogg", seconds=2.0))).lines == ("a sound (song.ogg): it is too long",)
    assert await seen_by_model(file(large, seconds=2.0), large, set(MediaKind)) is None
    some = b"OggS" + bytes(400_000)
    assert (await ready(file(some, "a.ogg", seconds=2.0))).lines == ("sound 1 (a.ogg, 10 s)",)
    assert (await ready(file(some, "a.ogg", seconds=50.0))).lines == ("sound 1 (a.ogg, 50 s)",)
    assert (await ready(file(some, "a.ogg"))).lines == ("sound 1 (a.ogg, 60 s)",)
    assert (await ready(file(b"OggS" + bytes(2 * 2**20), "b.ogg"))).lines == ("a sound (b.ogg): it is too long",)


@pytest.mark.parametrize(
    ("data", "told"), [(drawn(), "you cannot see pictures here"), (tone(), "you cannot hear here")]
)
async def test_a_model_that_takes_only_text(data: bytes, told: str) -> None:
    made = await ready(file(data), takes=set())
    assert made.media == ()
    assert told in made.lines[0]


async def test_a_file_that_fails_is_left_out() -> None:
    """The others go along."""

    async def fails() -> bytes:
        raise OSError("gone")

    made = await ready(Attachment(name="a.png", size=9, read=fails), file(drawn(), "b.png"))
    assert made.lines == ("a file (a.png): it could not be loaded, or is too large", "picture 1 (b.png)")


LOG = "Fehler: die Tür zum Café ist zu\n" * 3


@pytest.mark.parametrize(
    "data",
    [
        LOG.encode(),
        LOG.encode("utf-8-sig"),
        LOG.encode("utf-16"),
        LOG.encode("utf-16-be").join((b"\xfe\xff", b"")),
        LOG.encode("cp1252"),
    ],
    ids=["utf-8", "with a mark", "utf-16", "the other way round", "old windows"],
)
async def test_a_text_file_is_read_in_its_encoding(data: bytes) -> None:
    """As editors and consoles write logs."""
    made = await ready(file(data, "kiln.log"))
    assert made.lines == (f"a text file (kiln.log):\n{LOG.strip()}",)


async def test_a_long_text_file_is_too_long() -> None:
    """Two hundred thousand bytes are read, one more is not, wherever a letter is cut."""
    for letter in ("x", "ü"):
        line = letter * 20 + "\n"
        fits = (line.encode() * MAX_TEXT_BYTES)[:MAX_TEXT_BYTES]
        (read,) = (await ready(file(fits, "a.log"))).lines
        assert read.startswith(f"a text file (a.log):\n{letter * 20}")
        assert (await ready(file(fits + b"x", "a.log"))).lines == ("a text file (a.log): it is too long",)


async def test_noise_is_no_text() -> None:
    """Bytes that could be letters of an old encoding are not shown to a model."""
    made = await ready(file(bytes(range(128, 256)) * 20, "a.bin"))
    assert made.lines == ("a file (a.bin): not of a kind that you can read",)


async def test_of_a_moving_picture_the_first_frame_is_shown() -> None:
    """A GIF is a picture like any other."""
    out = io.BytesIO()
    Image.new("RGB", (64, 64), "red").save(
        out, "GIF", save_all=True, append_images=[Image.new("RGB", (64, 64), "blue")], duration=100
    )
    made = await ready(file(out.getvalue(), "moving.gif"))
    with Image.open(io.BytesIO(made.media[0].data)) as picture:
        red, _, blue = picture.convert("RGB").getpixel((32, 32))  # type: ignore[misc]
    assert red > 200 > blue


async def test_what_takes_too_long_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there by then goes along; a file alone is tried again later."""
    monkeypatch.setattr("urmom_bot.attachments.TIME_LIMIT", 0.05)

    async def slow() -> bytes:
        await asyncio.sleep(5)
        return drawn()

    late = Attachment(name="late.png", size=9, read=slow)
    made = await ready(file(drawn(), "a.png"), late, file(drawn(), "b.png"))
    assert made.lines == (
        "picture 1 (a.png)",
        "a file (late.png): it could not be loaded, or is too large",
        "a file (b.png): it could not be loaded, or is too large",
    )
    with pytest.raises(TimeoutError):
        await loaded(late)


async def test_what_memory_does_not_look_at() -> None:
    """Files beyond the bounds of a request, sound of no length, and what is neither picture nor sound."""
    kinds = set(MediaKind)

    async def never() -> bytes:
        raise AssertionError("loaded")

    assert await loaded(Attachment(name="a.png", size=MAX_BYTES + 1, read=never)) is None
    assert await seen_by_model(file(tone(), seconds=121.0), tone(), kinds) is None
    assert await seen_by_model(file(tone()), tone(), kinds) is None
    assert await seen_by_model(file(b"plain"), b"plain", kinds) is None
    assert await seen_by_model(file(drawn()), drawn(), kinds - {MediaKind.PICTURE}) is None
    heard = await seen_by_model(file(tone(), seconds=120.0), tone(), kinds)
    assert heard is not None
    assert heard.tokens == 3_840


def test_an_excerpt_of_a_short_text_is_the_text() -> None:
    assert excerpt("one\ntwo\n", "anything") == "one\ntwo"


@pytest.mark.parametrize(
    ("model", "kinds"),
    [
        ("gemini-flash-latest", set(MediaKind)),
        ("gemma-4-31b-it", {MediaKind.PICTURE}),
        ("gemma-3-27b-it", {MediaKind.PICTURE}),
        ("gemma-3-1b-it", set()),
        ("gpt-4o-mini", {MediaKind.PICTURE}),
        ("qwen2.5vl:7b", {MediaKind.PICTURE}),
        ("llama3.1", set()),
    ],
)
def test_what_models_take(model: str, kinds: set[MediaKind]) -> None:
    """By their names; a model that nobody knows takes text alone."""
    assert media_of(model) == kinds


@pytest.mark.parametrize(("sees", "takes"), [("nothing", 0), ("pictures", 1), ("auto", 1)])
async def test_what_a_model_takes_can_be_set(
    opened: Opener, gemini: GeminiStandIn, clock: Clock, sees: str, takes: int
) -> None:
    """Where its name does not tell, or tells wrongly."""
    async with served(opened, gemini, clock, ai_sees=sees) as server:
        asked = answers(gemini)
        ann = server.discord.join(server.guild, "ann")
        await server.ask(ann, "Bot what is this?", attachments=[server.discord.upload("cat.png", drawn())])
        assert len(asked[0].media) == takes
