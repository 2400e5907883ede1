"""Members' pages in a real browser: Debian's Chromium, driven by Playwright. Without it these tests are skipped."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, BrowserContext, Page, Route, async_playwright

from tests.builders import Server, query
from tests.urmom_bot.page.browser import link_for
from tests.urmom_bot.page.pictures import CHROMIUM, drawn_into
from tests.urmom_bot.page.test_page import MANAGERS_PAGES, PAGES, people, promoted, room
from urmom_bot.page import guarding
from urmom_bot.stand_ins import User

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium")


@pytest.fixture(autouse=True)
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser that is driven asks more often than a person."""
    monkeypatch.setattr(guarding.Limit, "allows", lambda _limit, _who: True)


@pytest.fixture(scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        await started.close()


@pytest.fixture
async def chromium(browser: Browser) -> AsyncIterator[Browser]:
    """A browser without what the tests before left open."""
    yield browser
    for context in browser.contexts:
        await context.close()


async def sign_in(server: Server, address: str, context: BrowserContext, user: User, **more: Any) -> Page:
    """Open somebody's page by their link; whatever asks another host, or breaks a rule of the page's, fails."""
    page = await context.new_page()
    page.on("request", lambda request: _check(request.url.startswith(address), request.url))
    page.on("console", lambda message: _check(message.type != "error", message.text))
    page.on("pageerror", lambda error: _check(False, str(error)))
    await page.goto(address + await link_for(server, user, **more))
    await page.get_by_role("button").click()
    await page.wait_for_url("**/me")
    return page


FAILED: list[str] = []


def _check(is_fine: bool, what: str) -> None:
    if not is_fine:
        FAILED.append(what)


@pytest.fixture(autouse=True)
def nothing_else() -> Any:
    """No page asks another host for anything, and no script breaks a rule."""
    FAILED.clear()
    yield
    assert not FAILED


async def furnished(server: Server) -> tuple[User, User]:
    """Ann, who manages the server and is known well, and Bob."""
    ann, bob = people(server, "ann", "bob")
    await server.ask(bob, "hello")
    for text in ("I play the cello", "I keep bees", "my favourite colour is teal"):
        await server.ask(ann, f"Bot remember that {text}")
    await server.ask(bob, "Bot remember that ann repairs violins")
    await server.ask(ann, "Bot what do you know about me?")
    await promoted(server, ann)
    await server.app.memory.get_memories(server.guild.id, ann.id, wait=5)
    return ann, bob


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_everybody_can_use_every_page(
    discord: Server, address: str, chromium: Browser, width: int, scheme: str
) -> None:
    """No rule of accessibility is broken, and nothing is wider than the screen."""
    ann, bob = await furnished(discord)
    context = await chromium.new_context(
        viewport={"width": width, "height": 800},
        color_scheme=scheme,  # type: ignore[arg-type]
        bypass_csp=True,
    )
    page = await sign_in(discord, address, context, ann)

    async def check(what: str) -> None:
        found = await Axe().run(page)
        assert found.violations_count == 0, (what, found.generate_report())
        wide = await page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, (what, wide)

    of_bob = [f"/people/{bob.id}", f"/people/{bob.id}/days", f"/people/{bob.id}/changes"]
    why = f"/why/{discord.discord.sent[-1].message_id}"
    for path in (*PAGES, *of_bob, "/fact/1", why, *MANAGERS_PAGES):
        await page.goto(address + path)
        await check(path)
    await page.goto(address + "/fact/1")
    await page.get_by_role("button", name="Correct #1").first.click()
    await page.locator("#notice textarea").wait_for()
    await check("a form")
    await page.goto(address + "/fact/1")
    await page.get_by_role("button", name="Forget #1").first.click()
    await page.get_by_role("button", name="Undo").wait_for()
    await check("what came of a press")
    FAILED.clear()  # a page that hears of the change first asks for a fact that is gone
    for path in ("/nothing", "/open/x"):
        FAILED.clear()
        await page.goto(address + path)
        await check(path)
    FAILED.clear()  # the browser says in its console that there is no such page
    await page.goto(address + await link_for(discord, ann))
    await check("a link")
    await context.clear_cookies()
    await page.goto(address)
    await check("signed out")


async def test_facts_are_changed_by_keyboard_alone(discord: Server, address: str, chromium: Browser, dsn: str) -> None:
    """Forgotten and brought back: each button is reached by Tab, and pressed by Enter."""
    ann, _ = await furnished(discord)
    page = await sign_in(discord, address, await chromium.new_context(), ann)

    async def reach(words: str) -> None:
        for _ in range(60):
            await page.keyboard.press("Tab")
            label = await page.evaluate("(document.activeElement.innerText || '').replace(/\\s+/g, ' ').trim()")
            if label.startswith(words):
                await page.keyboard.press("Enter")
                return
        raise AssertionError(words)

    await reach("Forget #")
    await page.get_by_role("button", name="Undo").wait_for()
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 3
    await reach("Undo")
    await page.get_by_text("Undone by ann").wait_for()
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 4


async def test_a_press_changes_the_page_without_loading_it(
    discord: Server, address: str, chromium: Browser, dsn: str
) -> None:
    """Under the strict policy: the fact goes, Undo brings it back, and the page was never loaded anew."""
    ann, _ = await furnished(discord)
    page = await sign_in(discord, address, await chromium.new_context(), ann)
    await page.evaluate("window.mark = 1")
    await page.get_by_role("button", name="Forget #1", exact=True).click()
    await page.get_by_role("status").get_by_text("forgotten").wait_for()
    await page.locator("#f1").wait_for(state="detached")
    assert len(await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")) == 3
    await page.get_by_role("button", name="Undo").click()
    await page.locator("#f1").wait_for()
    assert await page.evaluate("window.mark") == 1
    await page.get_by_role("link", name="People").click()
    await page.wait_for_url("**/people")
    assert await page.evaluate("window.mark") == 1
    await page.go_back()
    await page.locator("#f1").wait_for()


async def test_a_form_opens_and_is_filled_in_by_keyboard_alone(
    discord: Server, address: str, chromium: Browser, dsn: str
) -> None:
    ann, _ = await furnished(discord)
    page = await sign_in(discord, address, await chromium.new_context(), ann)
    for _ in range(60):
        await page.keyboard.press("Tab")
        focused = await page.evaluate("document.activeElement.innerText")
        if focused and focused.replace("\n", " ").startswith("Correct"):
            break
    await page.keyboard.press("Enter")
    field = page.get_by_role("textbox")
    await field.wait_for()
    await field.focus()
    await page.keyboard.press("Control+A")
    await page.keyboard.type("ann plays the viola")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.get_by_role("status").get_by_text("viola").wait_for()
    assert await query(dsn, "SELECT 1 FROM facts WHERE value LIKE '%viola%' AND retired_at IS NULL")


async def test_it_works_without_scripts(discord: Server, address: str, chromium: Browser, dsn: str) -> None:
    ann, _ = await furnished(discord)
    page = await sign_in(discord, address, await chromium.new_context(java_script_enabled=False), ann)
    await page.get_by_role("button", name="Forget #1", exact=True).click()
    assert "forgotten" in (await page.get_by_role("status").inner_text()).lower()
    await page.get_by_role("link", name="Search").click()
    await page.get_by_role("searchbox").fill("violins")
    await page.get_by_role("button", name="Search").click()
    assert "repairs violins" in await page.locator("main").inner_text()
    await page.get_by_role("button", name="Sign out").click()
    assert "You are signed out" in await page.locator("main").inner_text()


async def test_every_form_works_without_scripts(discord: Server, address: str, chromium: Browser, dsn: str) -> None:
    """A correction, the search, a setting, a roll-back and erasing: filled in, sent, and answered by a whole page."""
    ann, bob = await furnished(discord)
    page = await sign_in(discord, address, await chromium.new_context(java_script_enabled=False), ann)
    await page.get_by_role("button", name="Correct #1", exact=True).click()
    await page.get_by_role("textbox").fill("ann plays the viola")
    await page.get_by_role("button", name="Save").click()
    assert "viola" in await page.get_by_role("status").inner_text()
    await page.get_by_role("button", name="Undo").click()
    assert await query(dsn, "SELECT 1 FROM facts WHERE value LIKE '%cello%' AND retired_at IS NULL")

    await page.goto(address + "/server")
    await page.get_by_role("button", name="Jokes").click()
    assert not (await discord.app.memory.guilds.rules(discord.guild.id)).jokes
    await page.get_by_role("button", name="Language, names").click()
    await page.locator("input[name='f.retention']").fill("14")
    await page.get_by_role("button", name="Save").click()
    assert (await discord.app.memory.guilds.rules(discord.guild.id)).retention_days == 14

    await page.goto(address + "/server/roll-back")
    await page.get_by_role("combobox").select_option(str(bob.id))
    await page.get_by_role("button", name="Show").click()
    assert "repairs violins" in await page.locator("main").inner_text()

    await page.goto(address + "/privacy")
    await page.get_by_role("button", name="Erase (here)").click()
    await page.locator("input[name='f.word']").fill("no")
    await page.get_by_role("button", name="Erase everything").click()
    assert "Nothing was erased" in await page.locator("main").inner_text()
    await page.get_by_role("button", name="Erase (here)").click()
    await page.locator("input[name='f.word']").fill("erase")
    await page.get_by_role("button", name="Erase everything").click()
    assert "You are signed out" in await page.locator("main").inner_text()
    assert not await query(dsn, "SELECT 1 FROM facts WHERE user_id = $1", ann.id)


@pytest.mark.parametrize("width", [360, 1280])
async def test_no_word_is_too_long_for_a_page(
    discord: Server, address: str, chromium: Browser, dsn: str, width: int
) -> None:
    """4,000 letters without a space, in every place that shows people's words: nothing grows beyond the screen."""
    ann, bob = await furnished(discord)
    await discord.discord.say(ann, discord.general, "the sluice gate sticks")
    await discord.settled()
    long = "Donaudampfschiff" * 250
    reply = discord.discord.sent[-1].message_id
    await query(dsn, "UPDATE facts SET value = $1 || fact_id, quote = $1", long)
    await query(dsn, "UPDATE fact_sources SET value = $1, quote = $1", long)
    await query(dsn, "UPDATE contexts SET context = $1", long)
    await query(dsn, "UPDATE notes SET text = $1", long)
    await query(dsn, "UPDATE chat_history SET message_text = $1", long)
    await query(dsn, "UPDATE members SET display_name = $1 WHERE user_id = $2", long[:32], bob.id)
    await query(
        dsn,
        """
        WITH page AS (INSERT INTO topics (guild_id, audience, name, summary, created_at, updated_at)
                      VALUES ($1, 0, $2, $3, now(), now()) RETURNING topic_id)
        INSERT INTO conclusions
            (guild_id, audience, channel_id, topic_id, kind, text, people, evidence, evidence_by, at)
        SELECT $1, 0, $4, topic_id, 'decision', $3, ARRAY[$5::bigint], '{}', '{}', now() FROM page
        """,
        discord.guild.id,
        long[:40],
        long,
        discord.general.id,
        ann.id,
    )
    (topic,) = await query(dsn, "SELECT topic_id FROM topics")
    page = await sign_in(discord, address, await chromium.new_context(viewport={"width": width, "height": 800}), ann)
    of_bob = [f"/people/{bob.id}", f"/people/{bob.id}/days", f"/people/{bob.id}/changes"]
    for path in (*PAGES, *of_bob, "/fact/1", f"/why/{reply}", f"/topics/{topic['topic_id']}", *MANAGERS_PAGES):
        await page.goto(address + path)
        assert await page.evaluate("document.documentElement.scrollWidth") <= width, path
    await page.goto(address + "/fact/1")
    await page.get_by_role("button", name="Correct #1").first.click()
    await page.get_by_role("textbox").wait_for()
    assert await page.evaluate("document.documentElement.scrollWidth") <= width, "a form"
    await page.goto(address + "/search")
    await page.get_by_role("searchbox").fill("Donaudampfschiff")
    await page.get_by_role("button", name="Search").click()
    await page.get_by_label("Results").wait_for()
    assert await page.evaluate("document.documentElement.scrollWidth") <= width, "a search"


async def test_a_rooms_words_are_seen_by_who_reads_it_alone(discord: Server, address: str, chromium: Browser) -> None:
    """Two people at once, every page of each, the text and the source, and the page that is open when it is said."""
    ann, bob = await furnished(discord)
    den = await room(discord, "den", bob)
    pages = [await sign_in(discord, address, await chromium.new_context(), who) for who in (ann, bob)]
    await pages[0].goto(f"{address}/people/{ann.id}")
    await pages[1].goto(f"{address}/people/{ann.id}")
    await discord.ask(bob, "Bot remember that ann hides zorblaxine in her desk", den)
    await discord.ask(bob, "Bot what do you know about ann?", den)
    await pages[1].get_by_text("zorblaxine").first.wait_for(timeout=8_000)
    seen = []
    for page, of_managers in zip(pages, (MANAGERS_PAGES, ()), strict=True):
        found = set()
        for path in (*PAGES, f"/people/{ann.id}", f"/people/{bob.id}", *of_managers):
            await page.goto(address + path)
            await page.wait_for_load_state("load")
            if "zorblaxine" in await page.content() or "zorblaxine" in await page.locator("body").inner_text():
                found.add(path)
        seen.append(found)
    assert seen[0] == set()
    assert seen[1] == {f"/people/{ann.id}"}


async def test_an_open_page_follows_what_happens(discord: Server, address: str, chromium: Browser) -> None:
    """A fact that is told appears, and one that is forgotten goes; what is being filled in stays."""
    ann, _ = await furnished(discord)
    page = await sign_in(discord, address, await chromium.new_context(), ann)
    async with page.expect_response("**/events"):
        await page.reload()
    await discord.ask(ann, "Bot remember that I own a kayak")
    await page.get_by_text("kayak").wait_for(timeout=8_000)
    await discord.ask(ann, "Bot forget that I own a kayak")
    await page.get_by_text("kayak").wait_for(state="detached", timeout=8_000)
    await page.get_by_role("button", name="Correct #1", exact=True).click()
    await page.get_by_role("textbox").fill("half a sentence")
    await discord.ask(ann, "Bot remember that I own a canoe")
    await page.wait_for_timeout(1_500)
    assert await page.get_by_role("textbox").input_value() == "half a sentence"


async def test_who_waits_or_is_cut_off_is_told(discord: Server, address: str, chromium: Browser) -> None:
    """A slow line shows that the page waits; a line that is cut, that nobody answers, until somebody does."""
    ann, _ = await furnished(discord)
    context = await chromium.new_context()
    page = await sign_in(discord, address, context, ann)
    held = asyncio.Event()

    async def slowly(route: Route) -> None:
        await held.wait()
        await route.continue_()

    await page.route("**/topics", slowly)
    await page.get_by_role("link", name="Topics").click()
    await page.locator("main[aria-busy]").wait_for()
    held.set()
    await page.wait_for_url("**/topics")
    await page.locator("main:not([aria-busy])").wait_for()

    await page.route("**/people", lambda route: route.abort("connectionrefused"))
    await page.get_by_role("link", name="People").click()
    await page.get_by_role("alert").wait_for()
    assert "I can't be reached right now" in await page.get_by_role("alert").inner_text()
    assert not await page.locator("main[aria-busy]").count()
    await page.unroute("**/people")
    await page.get_by_role("link", name="People").click()
    await page.wait_for_url("**/people")
    assert not await page.get_by_role("alert").count()
    FAILED.clear()  # the browser says in its console that a request was refused
    await context.close()


async def test_two_people_see_their_own(discord: Server, address: str, chromium: Browser) -> None:
    ann, bob = await furnished(discord)
    pages = [await sign_in(discord, address, await chromium.new_context(), who) for who in (ann, bob)]
    for page, name, other in zip(pages, ("ann", "bob"), ("bob", "ann"), strict=True):
        await page.reload()
        assert await page.get_by_role("heading", level=1).inner_text() == name
        assert other not in await page.locator("header").inner_text()


async def test_what_was_planted_does_not_run(discord: Server, address: str, chromium: Browser, dsn: str) -> None:
    """Nor does it break out of where it stands."""
    ann, _ = await furnished(discord)
    planted = "<script>window.run = 1</script><img src=x onerror='window.run = 1'>\"><a href=javascript:run()>x</a>"
    await query(dsn, "UPDATE facts SET value = $1, quote = $1 WHERE fact_id = 1", planted)
    page = await sign_in(discord, address, await chromium.new_context(), ann)
    for path in ("/me", "/fact/1", "/people"):
        await page.goto(address + path)
        assert await page.evaluate("window.run") is None
    await page.goto(address + "/fact/1")
    assert planted in await page.get_by_role("heading", level=1).inner_text()


async def test_pictures_show_the_demo(tmp_path: Path) -> None:
    """As they stand in docs/pictures: the pages of its people."""
    await drawn_into(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"page-me.png", "page-server.png"}


@pytest.mark.parametrize("language", ["en-US", "de", "es-ES", "fr", "ru"])
async def test_nothing_is_cut_off_in_any_language(
    discord: Server, address: str, chromium: Browser, language: str
) -> None:
    """On a narrow screen, where longer words need more room."""
    ann, _ = await furnished(discord)
    context = await chromium.new_context(viewport={"width": 360, "height": 800})
    page = await sign_in(discord, address, context, ann, locale=language)
    for path in (*PAGES, "/fact/1", *MANAGERS_PAGES):
        await page.goto(address + path)
        assert await page.evaluate("document.documentElement.scrollWidth") <= 360, path
