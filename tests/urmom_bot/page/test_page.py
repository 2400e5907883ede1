"""Members' pages over HTTP, against the real bot: signed in by a link from Discord, shown and changed as on panels."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import re
import socket
from collections import Counter
from datetime import timedelta

import pytest
from pydantic import ValidationError

from memory import Consent, DatabaseUnavailable, Member, Viewer, operator
from memory.records import InboxItem, InboxKind
from memory.rules.ageing import Standing, standing
from tests.builders import Clock, Opener, Server, query, served, settings_for
from tests.statements import watch
from tests.urmom_bot.page.browser import Browser, browsing, link_for, signed_in
from urmom_bot.actions import ACTIONS
from urmom_bot.page import sections
from urmom_bot.page.guarding import EXPORTS_A_MINUTE, HEADERS, WRONG_LINKS_A_MINUTE
from urmom_bot.page.presses import PRESSED_HERE
from urmom_bot.stand_ins import Channel, GeminiStandIn, User
from urmom_bot.stand_ins.world import MANAGE_GUILD, MANAGE_MESSAGES, READ_MESSAGE_HISTORY, VIEW_CHANNEL

MINE = ("/me", "/me/days", "/me/answers", "/me/conclusions", "/me/changes", "/me/models")
PAGES = (*MINE, "/people", "/topics", "/search", "/privacy")
MANAGERS_PAGES = ("/server", "/server/audit", "/server/roll-back")


def people(server: Server, *names: str) -> list[User]:
    return [server.discord.join(server.guild, name) for name in names]


async def promoted(server: Server, user: User, permissions: int = MANAGE_GUILD) -> None:
    """Give somebody a role."""
    server.guild.roles[99] = permissions
    server.guild.member_roles[user.id] = [99]
    await server.discord.gateway.dispatch("CHANNEL_UPDATE", server.general.payload(), server.guild.id)
    await server.settled()


async def fact_of(dsn: str, like: str = "%") -> int:
    (row,) = await query(dsn, "SELECT fact_id FROM facts WHERE value LIKE $1 AND retired_at IS NULL", like)
    return int(row["fact_id"])


# Signing in


async def test_a_link_opens_the_askers_page(discord: Server, address: str) -> None:
    """Once, and only by the button: who follows it without pressing opens nothing."""
    (ann,) = people(discord, "ann")
    await discord.ask(ann, "Bot remember that I play the cello")
    link = await link_for(discord, ann)
    async with browsing(address) as browser:
        await browser.get(link)
        assert "You asked for this link as ann in “the server”." in browser.text
        await browser.get("/me")
        assert browser.status == 401
        await browser.post(link, {})
        assert browser.path == "/me"
        assert "play the cello" in browser.text or "plays the cello" in browser.text
    async with browsing(address) as other:
        await other.post(link, {})
        assert (other.status, "This link no longer works" in other.text) == (404, True)


async def test_of_two_at_once_one_opens(discord: Server, address: str, dsn: str) -> None:
    """The link is taken by whoever is first."""
    (ann,) = people(discord, "ann")
    link = await link_for(discord, ann)
    async with browsing(address) as one, browsing(address) as other:
        await asyncio.gather(one.post(link, {}), other.post(link, {}))
        assert sorted([one.status, other.status]) == [200, 404]
    assert [row["kind"] for row in await query(dsn, "SELECT kind FROM page_access")] == ["session"]


async def test_only_hashes_are_stored(discord: Server, address: str, dsn: str) -> None:
    """Whoever reads the database can open nothing."""
    (ann,) = people(discord, "ann")
    link = await link_for(discord, ann)
    async with browsing(address) as browser:
        await browser.post(link, {})
        (cookie,) = browser.http.cookie_jar
        (row,) = await query(dsn, "SELECT page_access::text AS whole, hash FROM page_access")
        assert cookie.value not in row["whole"]
        assert len(row["hash"]) == 32
        assert cookie["httponly"] is True
        assert cookie["samesite"] == "Lax"
        assert int(cookie["max-age"]) <= 12 * 3600


@pytest.mark.parametrize("minutes", [9, 11])
async def test_a_link_works_for_ten_minutes(discord: Server, address: str, minutes: int) -> None:
    (ann,) = people(discord, "ann")
    link = await link_for(discord, ann)
    discord.clock.on(minutes=minutes)
    async with browsing(address) as browser:
        await browser.get(link)
        assert browser.status == (200 if minutes < 10 else 404)
        await browser.post(link, {})
        assert browser.status == (200 if minutes < 10 else 404)


@pytest.mark.parametrize(
    "token", ["1.short", "x" * 50, f"{1 << 70}.{'a' * 43}", f"5.{'a' * 43}", "٣." + "a" * 43, "%00"]
)
async def test_a_wrong_link_tells_nothing(discord: Server, address: str, token: str) -> None:
    async with browsing(address) as browser:
        for _ in range(2):
            await browser.get(f"/open/{token}")
            assert (browser.status, "This link no longer works" in browser.text) == (404, True)
            await browser.post(f"/open/{token}", {})
            assert browser.status == 404


async def test_links_are_not_to_be_guessed(discord: Server, address: str) -> None:
    """An address may try some wrong ones a minute; a right one still opens."""
    (ann,) = people(discord, "ann")
    async with browsing(address) as browser:
        for _ in range(WRONG_LINKS_A_MINUTE):
            await browser.get(f"/open/5.{'a' * 43}")
        await browser.get(f"/open/5.{'a' * 43}")
        assert browser.status == 429
        await browser.post(await link_for(discord, ann), {})
        assert browser.path == "/me"


@pytest.mark.parametrize("end", ["twelve hours", "sign out", "everywhere", "left", "erased"])
async def test_a_session_ends(discord: Server, address: str, dsn: str, end: str) -> None:
    (ann,) = people(discord, "ann")
    await discord.ask(ann, "hello")
    async with signed_in(discord, address, ann) as browser, signed_in(discord, address, ann) as other:
        match end:
            case "twelve hours":
                discord.clock.on(hours=12, seconds=1)
            case "sign out":
                await browser.post("/sign-out", {})
            case "everywhere":
                await other.post("/sign-out", {"where": "everywhere"})
            case "left":
                discord.guild.members.pop(ann.id)
            case "erased":
                await browser.get("/privacy")
                await browser.press("Erase (here)")
                await browser.press("Erase everything", word="erase")
                assert "Done" in browser.text
        await browser.get("/me")
        assert browser.status == 401
        if end != "sign out":
            await other.get("/me")
            assert other.status == 401
            if end != "twelve hours":
                assert not await query(dsn, "SELECT 1 FROM page_access WHERE user_id = $1", ann.id)
        else:
            await other.get("/me")
            assert other.status == 200


async def test_expired_links_and_sessions_are_purged(discord: Server, address: str, dsn: str) -> None:
    (ann,) = people(discord, "ann")
    await link_for(discord, ann)
    async with signed_in(discord, address, ann):
        discord.clock.on(minutes=30)
        await discord.app.memory.upkeep()
        assert [row["kind"] for row in await query(dsn, "SELECT kind FROM page_access")] == ["session"]
        discord.clock.on(hours=13)
        await discord.app.memory.upkeep()
        assert not await query(dsn, "SELECT 1 FROM page_access")


async def test_in_direct_messages_there_is_no_page(discord: Server, address: str) -> None:
    (ann,) = people(discord, "ann")
    dm = await discord.discord.dm_channel(ann)
    (panel,) = await discord.discord.slash(ann, dm, "privacy")
    assert "Open my page" not in str(panel.components)


async def test_buttons_lead_there_while_pages_are_served(discord: Server) -> None:
    """In /privacy, and in /settings for managers; without pages there are none, and the command says so."""
    (ann,) = people(discord, "ann")
    await promoted(discord, ann)
    hand = discord.discord
    (said,) = await hand.slash(ann, discord.general, "memory page")
    assert "switched off" in said.content
    async with discord.app.pages(discord.bot, port=0):
        for command in ("privacy", "settings"):
            (panel,) = await hand.slash(ann, discord.general, command)
            (sent,) = await hand.press(ann, discord.general, panel, "Open my page")
            assert "/open/" in sent.content
    (panel,) = await hand.slash(ann, discord.general, "privacy")
    assert "Open my page" not in str(panel.components)


# What is shown


async def test_every_page_opens(discord: Server, address: str) -> None:
    """Empty, and with everything; those of managers for managers alone."""
    ann, bob = people(discord, "ann", "bob")
    async with signed_in(discord, address, ann) as browser:
        for path in PAGES:
            await browser.get(path)
            assert browser.status == 200, (path, browser.text)
        await discord.ask(bob, "hello")
        await discord.ask(ann, "Bot remember that I play the cello")
        await discord.ask(bob, "Bot remember that ann keeps bees")
        await discord.ask(ann, "Bot what do you know about me?")
        for path in (*PAGES, f"/people/{bob.id}", f"/people/{bob.id}/days", f"/people/{bob.id}/changes"):
            await browser.get(path)
            assert browser.status == 200, (path, browser.text)
        for path in (*MANAGERS_PAGES, "/operator", "/people/5", "/fact/99", "/topics/9", "/nothing"):
            await browser.get(path)
            assert browser.status == 404, path
        await promoted(discord, ann)
        for path in MANAGERS_PAGES:
            await browser.get(path)
            assert browser.status == 200, path
        assert "Server" in browser.text
        discord.guild.member_roles[ann.id] = []
        await browser.get("/server")
        assert browser.status == 404
        assert "Nothing here for you" in browser.text


async def test_a_fact_leads_to_its_sources_and_uses(discord: Server, address: str, dsn: str) -> None:
    ann, bob = people(discord, "ann", "bob")
    await discord.ask(bob, "hello")
    await discord.ask(ann, "Bot remember that I keep bees")
    await discord.ask(bob, "Bot what do you know about ann?")
    number = await fact_of(dsn)
    async with signed_in(discord, address, bob) as browser:
        await browser.get(f"/people/{ann.id}")
        assert f"/fact/{number}" in browser.body
        await browser.get(f"/fact/{number}")
        assert "Who told me" in browser.text
        assert f"https://discord.com/channels/{discord.guild.id}/{discord.general.id}/" in browser.body
        assert "one answer" in browser.text
        await browser.get("/me/answers")
        (why,) = re.findall(r'href="(/why/\d+)"', browser.body)
        await browser.get(why)
        assert "keeps bees" in browser.text or "keep bees" in browser.text


async def test_long_lists_are_paged(discord: Server, address: str) -> None:
    ann, bob = people(discord, "ann", "bob")
    await discord.ask(bob, "hello")
    words = ["bees", "goats", "hens", "ducks", "cats", "dogs", "mice", "newts", "carp", "koi"]
    for n in range(6):
        for animal in words:
            await discord.ask(ann, f"Bot remember that my pen number {n} has {animal}")
    async with signed_in(discord, address, ann) as browser:
        first = set(re.findall(r'id="f(\d+)"', browser.body))
        assert "Page 1 of 2" in browser.text
        await browser.get("/me?page=1")
        second = set(re.findall(r'id="f(\d+)"', browser.body))
        assert len(first | second) == len(first) + len(second) == 60
        for page in ("99", "-1", "x", "1" * 30):
            await browser.get(f"/me?page={page}")
            assert browser.status == 200


async def test_what_was_sent_to_models(discord: Server, address: str, dsn: str) -> None:
    """By day, model and use, with one's own words; nobody else's, and nothing that was deleted since."""
    ann, bob = people(discord, "ann", "bob")
    oiled = await discord.discord.say(ann, discord.general, "the zorblax needs oil")
    await discord.discord.say(ann, discord.general, "the frobnitz is rusty")
    await discord.discord.say(bob, discord.general, "my quuxer is fine")
    await discord.settled()
    discord.clock.on(minutes=5)
    await discord.app.memory.get_memories(discord.guild.id, ann.id, wait=5)
    async with signed_in(discord, address, ann) as browser:
        await browser.get("/me/models")
        assert "gemini-flash-latest" in browser.text
        assert re.search(r"Notes and short texts about members\s+1\s+2\s", browser.text)
        assert "the zorblax needs oil" in browser.text
        assert "quuxer" not in browser.text
        assert "Answers 1" not in browser.text

        await discord.ask(ann, "Bot why does the frobnitz squeak?")
        await browser.get("/me/models")
        assert re.search(r"gemma\S*\s+Answers\s+1\s+[23]\s", browser.text)
        assert "why does the frobnitz squeak" in browser.text

        await discord.discord.delete(discord.general, oiled)
        await discord.settled()
        await browser.get("/me/models")
        assert "zorblax" not in browser.text
        assert "frobnitz is rusty" in browser.text

        await query(dsn, "UPDATE model_calls SET at = at - interval '8 days'")
        await browser.get("/me/models")
        assert "I sent nothing from you or about you" in browser.text
        assert "frobnitz" not in browser.text
        await discord.app.memory.upkeep()
        assert not await query(dsn, "SELECT FROM model_calls")


async def test_what_an_answer_was_given_of_one_counts_as_sent(discord: Server, address: str, dsn: str) -> None:
    """A fact about Bob that Ann's answer was given, for Bob. Words of after an edit were not sent."""
    ann, bob = people(discord, "ann", "bob")
    await discord.ask(bob, "Bot remember that I repair zorblaxes by the harbour")
    await query(dsn, "DELETE FROM model_calls")
    await discord.ask(ann, "Bot who repairs zorblaxes by the harbour?")
    rows = await query(dsn, "SELECT use FROM model_calls WHERE user_id = $1", bob.id)
    assert [row["use"] for row in rows] == ["reply"]
    said = await discord.discord.say(bob, discord.general, "the frobnitz needs oil")
    await discord.ask(ann, "Bot what does the frobnitz need?")
    async with signed_in(discord, address, bob) as browser:
        await browser.get("/me/models")
        assert "the frobnitz needs oil" in browser.text
        discord.clock.on(minutes=1)
        await discord.discord.edit(discord.general, said, "the quuxer needs oil")
        await discord.settled()
        await browser.get("/me/models")
        assert "needs oil" not in browser.text, "these words were never sent"


async def test_every_list_can_be_read_to_its_end(
    discord: Server, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Answers, what was sent, and the server's channels: what is on no first page is on the next."""
    for name in ("ANSWERS", "SENT", "CHANNELS"):
        monkeypatch.setattr(sections, name, 1)
    (ann,) = people(discord, "ann")
    await promoted(discord, ann)
    await discord.discord.open_channel(discord.guild, "den")
    for number in range(2):
        await discord.ask(ann, f"Bot what is the frobnitz {number} for?")
    async with signed_in(discord, address, ann) as browser:
        for path, pages in (("/me/answers", 2), ("/me/models", 2), ("/server", 2)):
            seen = set()
            for page in range(pages):
                await browser.get(f"{path}?page={page}")
                assert browser.status == 200
                assert ('rel="next"' in browser.body) == (page + 1 < pages), (path, page)
                seen |= set(re.findall(r"frobnitz \d|#\w+", browser.text))
            assert len(seen) >= 2, (path, seen)


async def test_a_topic_begins_with_what_holds(discord: Server, address: str, dsn: str) -> None:
    """On the page and in Discord: what was replaced stands below, struck out, however late it was said."""
    (ann,) = people(discord, "ann")
    guild_id, now = discord.guild.id, discord.clock()
    (page,) = await query(
        dsn,
        "INSERT INTO topics (guild_id, audience, name, created_at, updated_at) VALUES ($1, 0, 'Bakery', $2, $2)"
        " RETURNING topic_id",
        guild_id,
        now,
    )
    ids = dict[str, int]()
    for days, text, replaces, confirms in (
        (5, "The oven is blue", "", ""),
        (4, "We open at 9", "", ""),
        (3, "We sell rye", "", ""),
        (2, "We open at 10", "We open at 9", ""),
        (1, "Rye is sold", "", "We sell rye"),
    ):
        (row,) = await query(
            dsn,
            """
            INSERT INTO conclusions (guild_id, audience, channel_id, topic_id, kind, text, people, evidence,
                                     evidence_by, at, replaces, confirms)
            VALUES ($1, 0, $2, $3, 'decision', $4, '{}', '{}', '{}', $5, $6, $7) RETURNING conclusion_id
            """,
            guild_id,
            discord.general.id,
            page["topic_id"],
            text,
            now - timedelta(days=days),
            [ids[replaces]] if replaces else [],
            [ids[confirms]] if confirms else [],
        )
        ids[text] = row["conclusion_id"]
    wanted = ["Rye is sold", "We open at 10", "The oven is blue", "We open at 9"]
    async with signed_in(discord, address, ann) as browser:
        await browser.get(f"/topics/{page['topic_id']}")
        places = [browser.text.index(text) for text in wanted]
        assert places == sorted(places)
        assert "<s><bdi>We open at 9</bdi></s>" in browser.body
        assert browser.body.count("<s>") == 1
        assert "We sell rye" not in browser.text
        assert re.search(r"Rye is sold\s.{0,40}first said", browser.text)
        assert re.search(r"We open at 9\s.{0,40}replaced", browser.text)
    (shown,) = await discord.discord.slash(ann, discord.general, "topic show", {"name": "Bakery"})
    places = [shown.content.index(text) for text in wanted]
    assert places == sorted(places)
    assert re.search(r"~~We open at 9~~ .*\(replaced ", shown.content)
    assert "We sell rye" not in shown.content


async def test_search_finds_what_one_may_read(discord: Server, address: str) -> None:
    """What is asked for is never in an address."""
    ann, bob = people(discord, "ann", "bob")
    await discord.discord.say(bob, discord.general, "the sluice gate sticks when it is cold")
    await discord.settled()
    discord.clock.on(minutes=5)
    async with signed_in(discord, address, ann) as browser:
        await browser.post("/search", {"q": "sluice gate"})
        assert "sticks when it is cold" in browser.text
        assert 'method="post" action="/search"' in browser.body
        await browser.get("/search?q=sluice")
        assert "sticks" not in browser.text


async def test_search_shows_nothing_that_has_none_of_the_words(discord: Server, address: str) -> None:
    """Nor lines that only came last; the beginning of a word counts, and who is named finds what they wrote."""
    ann, bob = people(discord, "ann", "bob")
    for text in ("the sluice gate sticks when it is cold", "nice weather today, everyone", "see you at the harbour"):
        await discord.discord.say(bob, discord.general, text)
    await discord.settled()
    discord.clock.on(minutes=5)
    async with signed_in(discord, address, ann) as browser:
        await browser.post("/search", {"q": "sluice"})
        assert "sticks when it is cold" in browser.text
        assert "weather" not in browser.text
        assert "harbour" not in browser.text
        await browser.post("/search", {"q": "what about bob?"})
        assert "weather" in browser.text
        await browser.post("/search", {"q": "marzipan"})
        assert "weather" not in browser.text


async def test_it_is_seen_how_facts_stand(discord: Server, address: str, dsn: str) -> None:
    """Each at its fact, and how many of the server's: as the rule has it, to the day."""
    ann, bob = people(discord, "ann", "bob")
    await promoted(discord, bob)
    await discord.ask(ann, "hello")
    await discord.ask(bob, "Bot remember that ann keeps bees")
    now = discord.clock()
    await query(
        dsn,
        """
        INSERT INTO facts (guild_id, user_id, key, value, domain, confidence, source, stated_by, quote, created_at,
                           last_confirmed_at)
        SELECT guild_id, user_id, key, value || ' ' || confidence || days, domain, confidence, source, stated_by, quote,
               $1::timestamptz, $1::timestamptz - days * interval '1 day' - interval '1 hour'
        FROM unnest(ARRAY[29, 30, 89, 90, 179, 180]) AS days, unnest(ARRAY['high', 'medium', 'low']) AS confidence,
             (SELECT guild_id, user_id, key, value, domain, source, stated_by, quote FROM facts) AS one
        """,
        now,
    )
    facts = await discord.app.memory.facts.list(operator(discord.guild.id), ann.id)
    standings = Counter(standing(fact, now) for fact in facts)
    assert standings == {Standing.CURRENT: 11, Standing.FADED: 2, Standing.STALE: 6}
    async with signed_in(discord, address, bob) as browser:
        await browser.get("/server")
        assert (
            "Facts 19 Of these, fading (used only when asked) 2 Of these, no longer used until someone" in browser.text
        )
        assert "confirms them 6 Members they are about 1" in browser.text
        await browser.get(f"/people/{ann.id}")
        assert browser.body.count(">fading<") == 2
        assert browser.body.count(">no longer used<") == 6
        (faded,) = await query(dsn, "SELECT fact_id FROM facts WHERE value LIKE '%medium90'")
        await browser.get(f"/fact/{faded['fact_id']}")
        assert ">fading<" in browser.body


async def test_an_export_is_a_file(discord: Server, address: str) -> None:
    (ann,) = people(discord, "ann")
    await discord.ask(ann, "Bot remember that I keep bees")
    async with signed_in(discord, address, ann) as browser:
        found = json.loads(await browser.get("/export/json"))
        assert found["user_id"] == str(ann.id)
        assert len(found["facts"]) == 1
        assert browser.headers["Content-Disposition"].startswith("attachment")
        assert "## Facts" in await browser.get("/export/md")
        await browser.get("/export/exe")
        assert browser.status == 404


async def test_the_operator_sees_health_and_no_words(discord: Server, address: str, dsn: str) -> None:
    """By a link of their own; there is nothing for members, and nothing of members."""
    (ann,) = people(discord, "ann")
    await discord.ask(ann, "Bot remember that I keep zorblaxes")
    await discord.ask(ann, "Bot how are you?")
    token = await discord.app.memory.access.make_link(operator(0), "en")
    async with browsing(address) as browser:
        await browser.post(f"/open/{token}", {})
        assert browser.path == "/operator"
        assert "chat_history" in browser.text
        assert "instructions" in browser.text, "the parts of the last prompts"
        (process,) = await query(dsn, "SELECT process_id FROM processes")
        assert browser.text.count(str(process["process_id"])) == 2, "whose numbers these are, and its line of all"
        await query(dsn, "INSERT INTO processes VALUES (0, 77, now(), now())")
        await query(dsn, "UPDATE shards SET process_id = 77")
        await query(
            dsn,
            "INSERT INTO inbox (guild_id, trigger_id, kind, channel_id, user_id, at, is_order, state, worker)"
            " SELECT 5, n, 'answer', 7, 8, now(), false, CASE n WHEN 1 THEN 'done' ELSE 'waiting' END, 77"
            " FROM generate_series(1, 4) AS n",
        )
        await browser.get("/operator")
        assert re.search(r"\b77 .{10,70} 0 3\b", browser.text), browser.text
        assert "zorblax" not in browser.text
        for path in (*PAGES, *MANAGERS_PAGES):
            await browser.get(path)
            assert browser.status == 404, path
        await browser.post("/operator", {"press": "set_memory|no"})
        assert browser.status == 200
    assert (await discord.app.memory.guilds.rules(discord.guild.id)).mode.value == "remember"


# What is changed


async def test_facts_are_changed_as_on_a_panel(discord: Server, address: str, dsn: str) -> None:
    """Confirmed, corrected, forgotten and restored by Undo; each press once, and in the same history."""
    ann, bob = people(discord, "ann", "bob")
    await discord.ask(ann, "hello")
    await discord.ask(bob, "Bot remember that ann keeps bees")
    number = await fact_of(dsn)
    async with signed_in(discord, address, ann) as browser:
        await browser.press(f"Still true #{number}")
        assert "confirmed" in browser.text.lower() or "still true" in browser.text.lower()
        await browser.press(f"Correct #{number}")
        assert "<textarea" in browser.body
        await browser.press("Save", sentence="ann keeps goats")
        new = await fact_of(dsn, "%goats%")
        assert f"#{new} now says: ann keeps goats" in browser.text
        await browser.press("Undo")
        assert await fact_of(dsn, "%bees%") == number, "what was corrected by mistake"
        await browser.get("/me")
        await browser.press(f"Correct #{number}")
        await browser.press("Save", sentence="ann is diabetic")
        assert "I only keep things like that for you alone, and only if you agree" in browser.text
        await browser.press(f"Correct #{number}")
        await browser.press("Save", sentence="ann keeps goats")
        new = await fact_of(dsn, "%goats%")
        await browser.get("/me")
        await browser.press(f"Forget #{new}")
        assert "forgotten" in browser.text.lower()
        assert not await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")
        await browser.press("What was deleted?")
        assert "receipt.json" in browser.text
        await browser.press("Undo")  # also after looking at that
        assert await fact_of(dsn, "%goats%") == new
        await browser.get("/me/changes")
        assert browser.text.count("goats") >= 1
    assert not await query(dsn, "SELECT 1 FROM inbox WHERE kind = 'page' AND state <> 'done'")
    done = await query(dsn, "SELECT 1 FROM inbox WHERE kind = 'page'")
    assert len(done) == 7, "confirm, corrected three times, strike and undo twice; a form changes nothing"


async def test_a_fact_is_forgotten_on_its_own_page(discord: Server, address: str, dsn: str) -> None:
    """The page goes with it: what was done is said on the first page, where Undo brings it back."""
    (ann,) = people(discord, "ann")
    await discord.ask(ann, "Bot remember that I keep bees")
    number = await fact_of(dsn)
    async with signed_in(discord, address, ann) as browser:
        await browser.get(f"/fact/{number}")
        await browser.press(f"Forget #{number}")
        assert browser.status == 200
        assert "forgotten" in browser.text.lower()
        assert 'hx-get="/me"' in browser.body
        await browser.post("/me", {"press": browser.buttons()["Undo"]})
        assert await fact_of(dsn) == number
        await browser.get("/fact/4711")
        assert browser.status == 404


async def test_nobody_is_offered_what_is_not_theirs(discord: Server, address: str, dsn: str) -> None:
    """And a press that is forged all the same is refused."""
    ann, bob, eve = people(discord, "ann", "bob", "eve")
    await discord.ask(bob, "hello")
    await discord.ask(ann, "Bot remember that I keep bees")
    number = await fact_of(dsn)
    async with signed_in(discord, address, eve) as browser:
        await browser.get(f"/people/{ann.id}")
        assert browser.buttons() == {}
        forged = (
            f"strike|{number}|0",
            f"confirm|{number}|0",
            f"corrected|{number}|0",
            "strike_day|2026-11-03|0|0",
            "set_memory|no",
            "set_mode|7|off",
            f"purge_member|{ann.id}",
            f"purge_channel|{discord.general.id}",
            f"rollback|{bob.id}|0",
            f"erased|{discord.guild.id + 1}",
            "undo|1|key",
            f"remember|{ann.id}|ann|ann|",
            f"ignore|{ann.id}|ann|ann||yes",
            "strike",
            f"strike|{'9' * 40}|0",
            "nonsense|1",
            "",
        )
        for press in forged:
            await browser.post("/me", {"press": press, "f.sentence": "ann keeps wasps", "f.word": "no"})
            assert browser.status == 200, press
    assert [row["value"] for row in await query(dsn, "SELECT value FROM facts WHERE retired_at IS NULL")] == [
        row["value"] for row in await query(dsn, "SELECT value FROM facts")
    ]
    assert (await discord.app.memory.guilds.rules(discord.guild.id)).mode.value == "remember"


def test_no_action_here_trusts_a_name() -> None:
    """Of the actions that take a member's names from their arguments, none may be pressed by a browser."""
    assert not PRESSED_HERE & {"remember", "forget", "forget_key", "ignore", "teach", "page"}
    assert ACTIONS.keys() >= PRESSED_HERE


async def test_settings_are_changed_by_managers(discord: Server, address: str) -> None:
    (ann,) = people(discord, "ann")
    await promoted(discord, ann)
    async with signed_in(discord, address, ann) as browser:
        await browser.get("/server")
        await browser.press("Switch jokes off")
        assert "Switch jokes on" in browser.text
        await browser.press("Language, names, time zone …")
        values = re.findall(r'<(?:input|select)[^>]* name="f\.(\w+)"', browser.body)
        assert {"language", "zone", "teachers", "retention"} <= set(values)
        await browser.press("Save", language="de", zone="Europe/Berlin", names="", teachers="anyone", retention="14")
        assert "Deutsch" in browser.text
    rules = await discord.app.memory.guilds.rules(discord.guild.id)
    assert (rules.jokes, rules.language, rules.retention_days) == (False, "de", 14)


async def test_managers_see_what_the_ai_is_used_for(discord: Server, address: str) -> None:
    """Each request once in the day's count, and once under what it was for."""
    (ann,) = people(discord, "ann")
    await promoted(discord, ann)
    await discord.ask(ann, "Bot remember that I keep bees")
    await discord.ask(ann, "Bot what shall we plant this year?")
    async with signed_in(discord, address, ann) as browser:
        await browser.get("/server")
        assert "What the AI is used for" in browser.text
        plot = browser.text.partition("AI tokens per day, which is what you pay for Day Tokens ")[2]
        assert re.match(r"10 Nov [1-9]\d+ ", plot), plot[:80]
        assert re.search(r"Answers % ?\d|Answers \d", browser.text)
    viewer = Viewer(guild_id=discord.guild.id, user_id=ann.id, is_alone=True, may_manage=True)
    _, uses = await discord.app.memory.insight.spending(viewer)
    assert uses["reply"] >= 1
    assert sum(uses.values()) == await discord.app.memory.used_today(discord.guild.id)


async def test_a_teachers_claims_are_shown_before_they_go(discord: Server, address: str, dsn: str) -> None:
    ann, bob = people(discord, "ann", "bob")
    await promoted(discord, ann)
    await discord.ask(ann, "hello")
    await discord.ask(bob, "Bot remember that ann keeps bees")
    async with signed_in(discord, address, ann) as browser:
        await browser.get("/server/roll-back")
        await browser.post("/server/roll-back", {"teacher": str(bob.id)})
        assert "bees" in browser.text
        (label,) = [label for label in browser.buttons() if label.startswith("Delete")]
        await browser.press(label)
        assert not await query(dsn, "SELECT 1 FROM facts WHERE retired_at IS NULL")
        await browser.press("Undo")
        assert await fact_of(dsn)


@pytest.mark.parametrize("what", ["nothing", "reads the vault", "read it once", "manages"])
async def test_a_guild_of_another_process_is_shown_as_here(
    discord: Server, address: str, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Roles and channels are asked of Discord: whoever may read or manage, may do so here, and nobody else."""
    ann, bob = people(discord, "ann", "bob")
    vault = await discord.discord.open_channel(discord.guild, "vault", private=True)
    await discord.ask(ann, "Bot remember that I play the cello")
    if what == "manages":
        await promoted(discord, bob)
    elif what != "nothing":
        discord.guild.roles[98] = 0
        discord.guild.member_roles[bob.id] = [98]
        rights = str(VIEW_CHANNEL | READ_MESSAGE_HISTORY)
        vault.overwrites.append({"id": "98", "type": 0, "allow": rights, "deny": "0"})
        await discord.discord.gateway.dispatch("CHANNEL_UPDATE", vault.payload(), discord.guild.id)
        await discord.settled()
        await discord.ask(bob, "Bot what is in the vault?", vault)
    if what == "read it once":
        discord.guild.member_roles[bob.id] = []
    await discord.settled()
    async with signed_in(discord, address, bob) as browser:
        seen = []
        for elsewhere in (False, True):
            if elsewhere:
                monkeypatch.setattr(discord.bot, "get_guild", lambda _guild_id: None)
            for path in ("/me", "/me/answers", "/people", f"/people/{ann.id}", "/server"):
                await browser.get(path)
                seen.append((path, browser.status, browser.text if path != "/server" else ""))
        assert seen[:5] == seen[5:]
        assert ("what is in the vault" in seen[1][2]) is (what == "reads the vault")
        assert seen[4][1] == (200 if what == "manages" else 404)
        assert "the server" in seen[5][2]


async def test_open_conversations_are_on_the_page(discord: Server, address: str, clock: Clock) -> None:
    """Of those who take part, where they can read, until they end."""
    ann, bob = people(discord, "ann", "bob")
    await discord.ask(ann, "Bot how do I glaze a cup?")
    async with signed_in(discord, address, ann) as mine, signed_in(discord, address, bob) as other:
        await mine.get("/me/conclusions")
        assert "Ongoing conversations" in mine.text
        assert "#general today, 12:00 PM 2 messages" in mine.text
        assert "/channels/" in mine.body
        await other.get("/me/conclusions")
        assert "Ongoing conversations" not in other.text
        await discord.discord.hide(discord.general, True)
        await discord.settled()
        await mine.get("/me/conclusions")
        assert "Ongoing conversations" not in mine.text


async def test_a_setting_is_taken_back_from_the_audit(discord: Server, address: str) -> None:
    """Where it can be: the button goes with what was decided since, and with what is undone."""
    (boss,) = people(discord, "boss")
    await promoted(discord, boss)
    viewer = Viewer(guild_id=discord.guild.id, user_id=boss.id, may_manage=True)
    guilds = discord.app.memory.guilds
    await guilds.decide(viewer, language="de")
    async with signed_in(discord, address, boss) as browser:
        await browser.get("/server/audit")
        (label,) = [label for label, press in browser.buttons().items() if press.startswith("undo|")]
        assert label == "Undo changed the settings"
        await browser.press(label)
        assert "Undone by boss" in browser.text
        assert (await guilds.rules(discord.guild.id)).language is None
        assert label not in browser.buttons()


async def test_moderators_who_look_are_in_the_audit(discord: Server, address: str) -> None:
    """At somebody else's facts, not at their own; members leave no trace."""
    ann, bob, eve = people(discord, "ann", "bob", "eve")
    await discord.ask(ann, "Bot remember that I keep bees")
    await discord.ask(bob, "Bot remember that I keep goats")
    await promoted(discord, bob, MANAGE_MESSAGES)
    async with signed_in(discord, address, bob) as browser, signed_in(discord, address, eve) as other:
        await browser.get(f"/people/{ann.id}")
        await browser.get(f"/people/{ann.id}/days")
        await browser.get("/me")
        await other.get(f"/people/{ann.id}")
    assert await looks_of(discord) == [(bob.id, ann.id)]


async def looks_of(server: Server) -> list[tuple[int, int | None]]:
    """Who looked at whom, by the audit; looks at the audit itself aside."""
    rows = await server.app.memory.privacy.audit(
        Viewer(guild_id=server.guild.id, user_id=1, is_alone=True, may_manage=True), limit=20
    )
    return [(look.actor_id, look.user_id) for look in rows if look.action == "look" and look.user_id]


@pytest.mark.parametrize("where", ["person", "days", "changes", "fact", "why", "form", "search"])
async def test_every_look_of_a_moderator_is_in_the_audit(
    discord: Server, address: str, dsn: str, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """Of each member by themselves, and before anything is shown: where it cannot be recorded, nothing is."""
    ann, bob, eve = people(discord, "ann", "bob", "eve")
    await discord.ask(ann, "Bot remember that I keep bees")
    await discord.ask(eve, "Bot remember that I keep goats")
    await discord.ask(bob, "Bot what do you know about ann?")
    await promoted(discord, bob, MANAGE_MESSAGES)
    number, privacy = await fact_of(dsn, "%bees%"), discord.app.memory.privacy
    (reply,) = [s.message_id for s in discord.discord.sent if "bees" in s.content][-1:]
    path = {
        "person": f"/people/{ann.id}",
        "days": f"/people/{ann.id}/days",
        "changes": f"/people/{ann.id}/changes",
        "fact": f"/fact/{number}",
        "why": f"/why/{reply}",
    }.get(where, "")

    async def look(browser: Browser) -> None:
        if where == "form":
            await browser.post("/me", {"press": f"correct|{number}|0"})
        elif where == "search":
            await browser.post("/search", {"q": "who keeps bees?"})
        else:
            await browser.get(path)

    async def away(*_: object) -> None:
        raise DatabaseUnavailable

    async with signed_in(discord, address, bob) as browser:
        with monkeypatch.context() as broken:
            broken.setattr(type(privacy), "note_look", away)
            await look(browser)
            assert browser.status == 503, browser.text
            assert "bees" not in browser.text
        await look(browser)
        assert browser.status == 200
        assert "bees" in browser.text or where in ("days", "changes")
        await browser.get(f"/people/{eve.id}")
    assert sorted(await looks_of(discord)) == sorted([(bob.id, ann.id), (bob.id, eve.id)])


async def test_open_pages_hear_of_changes(discord: Server, address: str) -> None:
    """A fact that is told, and nothing of another server; a session that ends hears no more."""
    (ann,) = people(discord, "ann")
    await discord.ask(ann, "hello")
    async with signed_in(discord, address, ann) as browser, browser.http.get(address + "/events") as stream:
        assert stream.headers["Content-Type"] == "text/event-stream"
        assert await stream.content.readline() == b": here\n"
        await stream.content.readline()
        asking = asyncio.create_task(discord.ask(ann, "Bot remember that I keep bees"))
        async with asyncio.timeout(10):
            assert await stream.content.readline() == b"event: changed\n"
        await asking
    async with browsing(address) as stranger:
        await stranger.get("/events")
        assert stranger.status == 204


# What keeps it safe


async def test_every_answer_has_the_headers(discord: Server, address: str) -> None:
    (ann,) = people(discord, "ann")
    async with signed_in(discord, address, ann) as browser:
        for path in ("/", *PAGES, "/server", "/nothing", "/open/x", "/export/json", "/operator"):
            await browser.get(path)
            for name, value in HEADERS.items():
                assert browser.headers[name] == value, (path, name)
            policy = set(browser.headers["Content-Security-Policy"].split("; "))
            assert {"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"} <= policy
            expected = {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "X-Frame-Options": "DENY"}
            assert {name: browser.headers[name] for name in expected} == expected, path
        assert "script-src 'self'" in HEADERS["Content-Security-Policy"]
        assert "unsafe" not in HEADERS["Content-Security-Policy"]
        await browser.get("/me")
        assert not re.search(r'<script(?![^>]*src="/static/)', browser.body)
        assert not re.search(r"\sstyle=|\son\w+=|javascript:", browser.body)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "none"}, 403),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example"}, 403),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "null"}, 200),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
    ],
)
async def test_only_our_own_pages_change_anything(
    discord: Server, address: str, headers: dict[str, str], status: int
) -> None:
    (ann,) = people(discord, "ann")
    await promoted(discord, ann)
    async with (
        signed_in(discord, address, ann) as browser,
        browser.http.post(address + "/server", data={"press": "set_guild_jokes|no"}, headers=headers) as answer,
    ):
        assert answer.status == status
    assert (await discord.app.memory.guilds.rules(discord.guild.id)).jokes == (status != 200)


async def test_another_name_is_not_us(discord: Server, address: str) -> None:
    """A name that somebody points at this machine shows nothing."""
    async with browsing(address) as browser:
        await browser.get("/", headers={"Host": "evil.example"})
        assert browser.status == 421


async def test_too_many_requests_are_refused(discord: Server, address: str) -> None:
    """Of a session; of an address, whatever cookies it makes up."""
    ann, bob = people(discord, "ann", "bob")
    async with signed_in(discord, address, ann) as browser, signed_in(discord, address, bob) as other:
        for _ in range(130):
            await browser.get("/topics")
        assert browser.status == 429
        await other.get("/topics")
        assert other.status == 200
        statuses = set()
        for n in range(600):
            await other.get("/static/icon.svg", cookies={"urmom": f"{n}.{'a' * 43}"})
            statuses.add(other.status)
        assert statuses == {200, 429}


async def test_exports_are_few(discord: Server, address: str) -> None:
    (ann,) = people(discord, "ann")
    async with signed_in(discord, address, ann) as browser:
        for _ in range(EXPORTS_A_MINUTE):
            await browser.get("/export/json")
            assert browser.status == 200
        await browser.get("/export/json")
        assert browser.status == 429


@pytest.mark.parametrize("charset", ["punycode", "utf-7", "idna", "utf-16"])
async def test_odd_encodings_are_not_read(discord: Server, address: str, charset: str) -> None:
    """Some take seconds to read, and nobody else is served meanwhile."""
    (ann,) = people(discord, "ann")
    kind = f"application/x-www-form-urlencoded; charset={charset}"
    async with signed_in(discord, address, ann) as browser:
        headers = {"Origin": address, "Content-Type": kind}
        async with browser.http.post(address + "/search", data=b"-" + b"9" * 60_000, headers=headers) as answer:
            assert answer.status == 415


LARGE = "9" * 20


@pytest.mark.parametrize("path", ["/people/{}", "/people/9999999999999999999", "/why/9999999999999999999", "/fact/{}"])
async def test_ids_that_cannot_be_are_nowhere(discord: Server, address: str, path: str) -> None:
    (ann,) = people(discord, "ann")
    async with signed_in(discord, address, ann) as browser:
        await browser.get(path.format("9" * 18))
        assert browser.status == 404 or path == "/why/{}"
        await browser.get(path.format(LARGE))
        assert browser.status in (200, 404)


async def test_a_mention_of_nobody_breaks_no_page(discord: Server, address: str, dsn: str) -> None:
    """Of an id that is larger than any, and of a moment that no calendar has."""
    (ann,) = people(discord, "ann")
    await promoted(discord, ann)
    await discord.ask(ann, "Bot remember that I keep bees")
    planted = f"<@{LARGE}> <#{LARGE}> <t:999999999999:R> <t:253402300799:R>"
    await query(dsn, "UPDATE facts SET value = $1 || fact_id, quote = $1", planted)
    await query(dsn, "UPDATE fact_sources SET value = $1, quote = $1", planted)
    await discord.ask(ann, f"Bot what is {planted}?")
    async with signed_in(discord, address, ann) as browser:
        await every_page(browser, list(MANAGERS_PAGES))
        await browser.post("/search", {"q": planted})
        assert browser.status == 200
        await browser.post("/server/roll-back", {"teacher": str(1 << 63)})
        assert browser.status in (200, 404)


async def test_a_log_is_kept_in_the_servers_own_channel(discord: Server, address: str) -> None:
    """Nobody has the bot write into another server's channel, whatever a browser sends or the database has."""
    hand = discord.discord
    (ann,) = people(discord, "ann")
    other = hand.world.guild("other server")
    theirs = hand.channel(other, "secret")
    await hand.gateway.dispatch("GUILD_CREATE", other.payload(hand.world.bot), other.id)
    await discord.settled()
    await promoted(discord, ann)
    manager = Viewer(guild_id=discord.guild.id, user_id=ann.id, is_alone=True, may_manage=True)
    async with signed_in(discord, address, ann) as browser:
        await browser.post("/server", {"press": f"set_log|{theirs.id}"})
        fields = {"f.channel": str(theirs.id), "f.mode": "off", "f.captions": "no"}
        await browser.post("/server", {"press": "set_channel", **fields})
        rules = await discord.app.memory.guilds.rules(discord.guild.id)
        assert rules.log_channel is None
        assert theirs.id not in await discord.app.memory.guilds.channels(discord.guild.id)
        await discord.app.memory.guilds.set_log_channel(manager, theirs.id)
        await browser.get("/server")
        await browser.press("Switch jokes off")
        await discord.settled()
    assert not [sent for sent in hand.sent if sent.channel_id == theirs.id]


async def test_who_chooses_nothing_can_undo_it(discord: Server, address: str, dsn: str) -> None:
    """For ten minutes: the session lasts as long, and no longer. What was erased has its receipt."""
    (ann,) = people(discord, "ann")
    await discord.ask(ann, "Bot remember that I keep bees")
    async with signed_in(discord, address, ann) as browser:
        await browser.get("/privacy")
        await browser.press("Here: nothing")
        await browser.post("/privacy", {"press": f"consent_word|{discord.guild.id}|off"})
        await browser.press("Keep nothing", word="erase")
        assert "receipt.json" in browser.text
        await browser.press("Undo")
        assert await fact_of(dsn)
        discord.clock.on(minutes=11)
        await browser.get("/me")
        assert browser.status == 401
    async with signed_in(discord, address, ann) as browser:
        await browser.get("/privacy")
        await browser.press("Erase (here)")
        await browser.press("Erase everything", word="erase")
        assert "receipt.json" in browser.text


async def test_why_tells_nothing_of_a_room_one_cannot_read(discord: Server, address: str, dsn: str) -> None:
    """Also once the answer is deleted; who asked it there sees it."""
    ann, bob = people(discord, "ann", "bob")
    secret = await room(discord, "plans", ann)
    await discord.ask(ann, "Bot remember that I keep zorblaxes", channel=secret)
    await discord.ask(ann, "Bot what do you know about me?", channel=secret)
    reply = discord.discord.sent[-1].message_id
    async with signed_in(discord, address, bob) as browser, signed_in(discord, address, ann) as own:
        await own.get(f"/why/{reply}")
        assert "zorblaxes" in own.text
        await browser.get(f"/why/{reply}")
        assert "ann" not in browser.text
        await query(dsn, "DELETE FROM chat_history WHERE message_id = $1", reply)
        await browser.get(f"/why/{reply}")
        assert "ann" not in browser.text
        assert "I no longer know" in browser.text


async def test_behind_a_proxy(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """With https outside: the cookie is for https alone, and the operator's page opens on this machine alone."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    async with (
        served(opened, gemini, clock, page_url="https://bot.example.org") as discord,
        discord.app.pages(discord.bot, port=port) as public,
        browsing(f"http://127.0.0.1:{port}") as browser,
    ):
        assert public == "https://bot.example.org"
        (ann,) = people(discord, "ann")
        outside = {"Host": "bot.example.org", "X-Forwarded-For": "6.6.6.6", "Origin": public}
        link = browser.address + await link_for(discord, ann)
        async with browser.http.post(link, data={}, headers=outside, allow_redirects=False) as answer:
            assert answer.status == 303
            assert answer.headers["Set-Cookie"].startswith("__Host-urmom=")
            assert "Secure" in answer.headers["Set-Cookie"]
            assert "max-age" in answer.headers["Strict-Transport-Security"]
        token = await discord.app.memory.access.make_link(operator(0), "en")
        async with browser.http.post(f"{browser.address}/open/{token}", data={}, headers=outside) as answer:
            assert answer.status == 404
        await browser.post(f"/open/{token}", {})
        assert browser.path == "/operator"


PLANTED = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "javascript:alert(1)",
    "[click](javascript:alert(1))",
    "\N{RIGHT-TO-LEFT OVERRIDE}evil",
    "w" * 4_000,
)


@pytest.mark.parametrize("planted", PLANTED)
async def test_what_people_wrote_is_text(discord: Server, address: str, dsn: str, planted: str) -> None:
    """In facts, names, channels, topics, notes, answers, forms, settings and searches, none of it is a tag or link."""
    hand = discord.discord
    bob = hand.join(discord.guild, "bob", nick=planted[:32])
    ann = hand.join(discord.guild, "ann", nick=planted[:32])
    discord.guild.name = planted[:90]
    den = await hand.open_channel(discord.guild, planted[:80])
    await promoted(discord, ann)
    await discord.ask(bob, planted[:2_000], channel=den)
    await discord.ask(bob, f"Bot remember that <@{ann.id}> keeps hens")
    await discord.ask(ann, "Bot remember that I keep bees")
    await discord.ask(ann, f"Bot what about {planted[:300]}?", channel=den)
    await query(dsn, "UPDATE facts SET value = $1 || fact_id, quote = $1", planted)
    await query(dsn, "UPDATE fact_sources SET value = $1, quote = $1", planted)
    await discord.discord.say(ann, discord.general, "the sluice gate sticks when it is cold")
    await discord.settled()
    discord.clock.on(days=1)
    manager = Viewer(guild_id=discord.guild.id, user_id=ann.id, may_manage=True)
    await discord.app.memory.guilds.decide(manager, character=planted[:400], names=(planted[:30],))
    await discord.app.memory.get_memories(discord.guild.id, ann.id, wait=5)
    await query(dsn, "UPDATE notes SET text = $1", planted)
    await query(dsn, "DELETE FROM contexts")
    await query(
        dsn,
        """
        INSERT INTO contexts (guild_id, user_id, audience, context, fingerprint, for_date, made_at)
        VALUES ($1, $2, 0, $3, '', $4, $5)
        """,
        discord.guild.id,
        ann.id,
        planted,
        discord.clock().date(),
        discord.clock(),
    )
    await query(dsn, "UPDATE chat_history SET message_text = $1 WHERE message_text LIKE 'the sluice%'", planted)
    assert await query(dsn, "SELECT 1 FROM notes")
    now = discord.clock()
    await query(
        dsn,
        """
        WITH page AS (INSERT INTO topics (guild_id, audience, name, summary, created_at, updated_at)
                      VALUES ($1, 0, $2, $3, $4, $4) RETURNING topic_id)
        INSERT INTO conclusions
            (guild_id, audience, channel_id, topic_id, kind, text, people, evidence, evidence_by, at)
        SELECT $1, 0, $5, topic_id, 'decision', $3, ARRAY[$6::bigint], '{}', '{}', $4 FROM page
        """,
        discord.guild.id,
        planted[:80],
        planted,
        now,
        discord.general.id,
        ann.id,
    )
    async with signed_in(discord, address, ann) as browser:
        found = await every_page(browser, [f"/people/{bob.id}", *MANAGERS_PAGES])
        await browser.post("/search", {"q": planted})
        found["/search, asked"] = browser.body
        for press in ("settings_general", "settings_character", "settings_channel", "settings_posts"):
            await browser.post("/server", {"press": press})
            found[press] = browser.body
        await browser.post("/server/roll-back", {"teacher": str(bob.id)})
        found["roll-back"] = browser.body
        number = (await query(dsn, "SELECT max(fact_id) AS n FROM facts WHERE user_id = $1", ann.id))[0]["n"]
        await browser.post("/me", {"press": f"correct|{number}|0"})
        found["correct"] = browser.body
        await browser.post("/me", {"press": f"strike|{number}|0"})
        found["strike"] = browser.body
    assert any("alert" in body or "evil" in body or "w" * 50 in body for body in found.values())
    for path, body in found.items():
        assert "<script>alert" not in body, path
        assert not re.search(r"<(img|svg)[^>]*(onerror|onload)", body), path
        assert not re.search(r'href="(?!/|#main"|https://discord\.com/channels/\d+/\d+/\d+")', body), path
        assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in body, path


async def every_page(browser: Browser, more: list[str]) -> dict[str, str]:
    """Every page that can be reached, by its path."""
    found: dict[str, str] = {}
    waiting = [*PAGES, *more]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        await browser.get(path)
        assert browser.status == 200, (path, browser.text)
        found[path] = browser.body
        waiting += re.findall(r'href="(/(?:fact|people|topics|why)/[^"]+)"', browser.body)
    return found


async def room(server: Server, name: str, *readers: User) -> Channel:
    """A channel that some can read."""
    made = await server.discord.open_channel(server.guild, name, private=True)
    allow = str(VIEW_CHANNEL | READ_MESSAGE_HISTORY)
    made.overwrites = [*made.overwrites, *({"id": str(u.id), "type": 1, "allow": allow, "deny": "0"} for u in readers)]
    await server.discord.gateway.dispatch("CHANNEL_UPDATE", made.payload(), server.guild.id)
    await server.settled()
    return made


async def test_a_channel_has_a_name_for_who_can_read_it_alone(discord: Server, address: str) -> None:
    """Where a public fact mentions it."""
    ann, bob, eve = people(discord, "ann", "bob", "eve")
    plans = await room(discord, "zorblaxine-plans", bob)
    await discord.ask(eve, "hello")
    await discord.ask(bob, f"Bot remember that I read <#{discord.general.id}> and <#{plans.id}> every day")
    async with signed_in(discord, address, ann) as browser:
        await browser.get(f"/people/{bob.id}")
        assert "every day" in browser.text
        assert f"#{discord.general.name}" in browser.text
        assert "zorblaxine" not in browser.body


async def test_a_room_is_on_no_page_of_who_cannot_read_it(discord: Server, address: str) -> None:
    """Neither its words nor its name, in any page, search or count; who can read it finds it."""
    word = "zorblaxine"
    ann, bob, eve = people(discord, "ann", "bob", "eve")
    await discord.ask(ann, "hello")
    await discord.ask(eve, "hello")
    secret = await room(discord, f"{word}-plans", bob)
    await discord.discord.say(bob, secret, f"ann hides {word} in her desk")
    await discord.ask(bob, f"Bot remember that ann hides {word} in her desk", channel=secret)
    await discord.ask(bob, "Bot what do you know about ann?", channel=secret)
    await discord.settled()
    discord.clock.on(minutes=5)
    for who in (ann, eve):
        await promoted(discord, who)
        async with signed_in(discord, address, who) as browser:
            found = await every_page(browser, [f"/people/{bob.id}", *MANAGERS_PAGES])
            await browser.post("/search", {"q": f"what does ann hide {word}"})
            found["search"] = browser.body.replace(f'value="what does ann hide {word}"', "")
            await browser.post("/me", {"press": "settings_channel"})
            found["form"] = browser.body
            assert not {path: body for path, body in found.items() if word in body}
            await browser.get("/fact/1")
            assert browser.status == 404
    async with signed_in(discord, address, bob) as browser:
        await browser.get("/me/answers")
        assert f"{word}-plans" in browser.text
        await browser.get(f"/people/{ann.id}")
        assert word in browser.text
        await browser.post("/search", {"q": "what does ann hide in her desk"})
        assert f"ann hides {word} in her desk" in browser.text
    (panel,) = await discord.discord.slash(bob, discord.general, "memory show", {"member": ann})
    assert word in panel.content, "in Discord as on the page, where bob alone reads it"
    (panel,) = await discord.discord.slash(eve, discord.general, "memory show", {"member": ann})
    assert word not in panel.content


@pytest.mark.parametrize("who", ["subject", "teller", "other", "moderator", "manager", "reader"])
async def test_page_and_panel_show_the_same(discord: Server, address: str, dsn: str, who: str) -> None:
    """Of the same person, for each kind of viewer: the same facts, by the same people, with the same buttons."""
    ann, bob, eve = people(discord, "ann", "bob", "eve")
    viewer = {"subject": ann, "teller": bob}.get(who, eve)
    if who in ("moderator", "manager"):
        await promoted(discord, eve, MANAGE_MESSAGES if who == "moderator" else MANAGE_GUILD)
    secret = await room(discord, "plans", bob, *([eve] if who == "reader" else []))
    await discord.ask(eve, "hello")
    for n, animal in enumerate(("bees", "goats", "hens", "ducks", "koi", "newts", "mice")):
        await discord.ask(ann if n % 2 else bob, f"Bot remember that {'I keep' if n % 2 else 'ann keeps'} {animal}")
    await discord.ask(bob, "Bot remember that ann keeps wasps", channel=secret)
    await query(dsn, "UPDATE facts SET audience = -user_id WHERE value LIKE '%koi%'")  # for its subject alone
    await query(dsn, "UPDATE facts SET source = 'inferred', confidence = 'low' WHERE value LIKE '%mice%'")
    hand, on_panel = discord.discord, set[tuple[str, str]]()
    (page,) = await hand.slash(viewer, discord.general, "memory show", {"member": ann})
    numbers, lines = set[str](), dict[str, str]()
    for _ in range(5):
        lines |= dict(re.findall(r"^#(\d+) (.*)", page.content, re.MULTILINE))
        numbers |= set(re.findall(r"^#(\d+) ", page.content, re.MULTILINE))
        rows = [button["custom_id"].split("|")[1:3] for row in page.components for button in row["components"]]
        on_panel |= {(name, number) for name, number in rows if name in ("confirm", "correct", "strike")}
        following = [b for row in page.components for b in row["components"] if b["label"] == "▶"]
        if not following or following[0].get("disabled"):
            break
        (page,) = await hand.press(viewer, discord.general, page, "▶")
    async with signed_in(discord, address, viewer) as browser:
        await browser.get("/me" if viewer is ann else f"/people/{ann.id}")
        on_page = {tuple(value.split("|")[:2]) for value in browser.buttons().values()}
        assert set(re.findall(r'id="f(\d+)"', browser.body)) == numbers
        for number, line in lines.items():
            shown = browser.body.partition(f'id="f{number}"')[2].partition("</li>")[0]
            (animal,) = re.findall("bees|goats|hens|ducks|koi|newts|mice|wasps", line)
            assert animal in shown, (line, shown)
            for link in re.findall(r"/(\d+)>", line):
                assert f'/{link}"' in shown, (line, shown)
    assert len(numbers) == (7 if who in ("subject", "teller", "reader") else 6)
    assert any("wasps" in line for line in lines.values()) == (who in ("teller", "reader"))
    assert on_page == on_panel
    assert bool(on_page) == (who not in ("other", "reader"))


async def test_logs_have_no_secrets(discord: Server, address: str, caplog: pytest.LogCaptureFixture) -> None:
    """Neither links nor sessions nor words."""
    caplog.set_level(logging.DEBUG)
    (ann,) = people(discord, "ann")
    await discord.ask(ann, "Bot remember that I keep zorblaxes")
    link = await link_for(discord, ann)
    async with browsing(address) as browser:
        await browser.post(link, {})
        (cookie,) = browser.http.cookie_jar
        await browser.post("/me", {"press": "strike|x|y", "f.sentence": "zorblax"})
        await browser.post("/search", {"q": "zorblax"})
        ours = "\n".join(
            r.getMessage() for r in caplog.records if r.name.startswith(("urmom_bot", "memory", "aiohttp"))
        )
        assert cookie.value.split(".")[1] not in ours
        assert link.split(".")[1] not in ours
        assert "zorblax" not in ours


@pytest.mark.parametrize("language", ["de", "es", "fr", "ru"])
async def test_pages_speak_the_askers_language(discord: Server, address: str, language: str) -> None:
    """That of their Discord, on every page."""
    (ann,) = people(discord, "ann")
    await promoted(discord, ann)
    await discord.ask(
        ann,
        "Bot remember that I keep bees",
    )
    async with signed_in(discord, address, ann, locale=language) as browser:
        for path in (*PAGES, *MANAGERS_PAGES):
            await browser.get(path)
            assert browser.status == 200, (path, browser.text)
            assert f'<html lang="{language}">' in browser.body
            assert not re.search(r"\b(Sign out|Facts|Changes|Nothing)\b", browser.text), (path, browser.text)


async def test_a_page_takes_few_statements(
    discord: Server, address: str, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six, however much it shows."""
    ann, bob = people(discord, "ann", "bob")
    await promoted(discord, ann)
    await discord.ask(bob, "hello")
    for n, animal in enumerate(("bees", "goats", "hens", "ducks", "koi")):
        await discord.ask(bob if n % 2 else ann, f"Bot remember that {'ann keeps' if n % 2 else 'I keep'} {animal}")
    await discord.ask(ann, "Bot what do you know about me?")
    await discord.settled()
    await discord.app.memory.loops.stop()
    number, why = await fact_of(dsn, "%hens%"), f"/why/{discord.discord.sent[-1].message_id}"
    statements: list[str] = []
    watch(monkeypatch, statements.append)
    async with signed_in(discord, address, ann) as browser:
        for path in (*PAGES, *MANAGERS_PAGES, f"/people/{bob.id}", f"/people/{bob.id}/days", f"/fact/{number}", why):
            await browser.get(path)
            statements.clear()
            await browser.get(path)
            assert browser.status == 200
            assert len(statements) <= 6, (path, statements)


@pytest.mark.parametrize("who", ["subject", "other"])
async def test_days_and_changes_are_those_of_the_panel(discord: Server, address: str, who: str) -> None:
    """What is noted, and what was changed: the same words, days and buttons."""
    ann, bob = people(discord, "ann", "bob")
    viewer = ann if who == "subject" else bob
    await discord.ask(bob, "hello")
    await discord.discord.say(ann, discord.general, "the sluice gate sticks when it is cold")
    await discord.ask(ann, "Bot remember that I keep bees")
    await discord.settled()
    discord.clock.on(days=1)
    await discord.app.memory.get_memories(discord.guild.id, ann.id, wait=5)
    async with signed_in(discord, address, viewer) as browser:
        base = "/me" if viewer is ann else f"/people/{ann.id}"
        for tab, command in (("days", "memory show"), ("changes", "memory history")):
            (panel,) = await discord.discord.slash(viewer, discord.general, command, {"member": ann})
            if tab == "days":
                (panel,) = await discord.discord.press(viewer, discord.general, panel, "Summaries")
            await browser.get(f"{base}/{tab}")
            shown = [b["custom_id"].split("|", 1)[1] for row in panel.components for b in row["components"]]
            pressed = {one for one in shown if one.split("|")[0] in PRESSED_HERE}
            assert set(browser.buttons().values()) == pressed
            for word in ("sluice gate sticks", "keep bees", "keeps bees"):
                assert (word in browser.text) == (word in panel.content), (tab, word)


@pytest.mark.parametrize(
    ("days", "period", "label"),
    [(120, "week", "Nov 9 – 15, 2026"), (800, "month", "November 2026")],
)
async def test_weeks_and_months_are_shown_and_struck(
    discord: Server, address: str, days: int, period: str, label: str
) -> None:
    """By their names in the panel and in the browser, each with a button that forgets all of it."""
    (ann,) = people(discord, "ann")
    await discord.ask(ann, "hello")
    await discord.discord.say(ann, discord.general, "the sluice gate sticks when it is cold")
    await discord.settled()
    discord.clock.on(days=1)
    await discord.app.memory.get_memories(discord.guild.id, ann.id, wait=5)
    discord.clock.on(days=days)
    (panel,) = await discord.discord.slash(ann, discord.general, "memory show", {"member": ann})
    (panel,) = await discord.discord.press(ann, discord.general, panel, "Summaries")
    assert f"**{label}**" in panel.content
    async with signed_in(discord, address, ann) as browser:
        await browser.get("/me/days")
        assert label in browser.text
        assert "sluice" in browser.text
        (strike,) = (value for value in browser.buttons().values() if value.startswith(f"strike_{period}|"))
        await browser.post("/me/days", {"press": strike})
        assert label in browser.text  # what was forgotten
        await browser.get("/me/days")
        assert "sluice" not in browser.text


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("htmx.min.js", "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130"),
        ("hx-sse.min.js", "18ef2761356ec1fe0bb6d92612315b37517a7c1e9856b661c5ae81fef239d103"),
    ],
)
async def test_scripts_are_those_of_htmx(discord: Server, address: str, name: str, expected: str) -> None:
    """The released files of htmx 4.0.1, byte for byte."""
    async with browsing(address) as browser, browser.http.get(f"{address}/static/{name}") as answer:
        assert hashlib.sha256(await answer.read()).hexdigest() == expected


# What each page has


def test_pages_are_not_served_where_anybody_on_the_way_could_read_them() -> None:
    """Neither beyond this machine without https, nor by http at a public name."""
    refused = [
        {"page_host": "0.0.0.0"},
        {"page_host": "0.0.0.0", "page_url": "http://localhost:8080"},
        {"page_url": "http://bot.example.org"},
        {"page_url": "https://bot.example.org/pages"},
        {"page_url": "ftp://bot.example.org"},
        {"page_url": "bot.example.org"},
    ]
    for changes in refused:
        with pytest.raises(ValidationError):
            settings_for(None, **changes)
    for fine in (
        {},
        {"page_url": "http://localhost:8080"},
        {"page_host": "0.0.0.0", "page_url": "https://bot.example.org"},
    ):
        assert settings_for(None, **fine)


async def test_people_are_counted_by_what_the_visitor_may_see(discord: Server, address: str) -> None:
    """Somebody who is known by a restricted channel alone is not on the list."""
    ann, bob, eve = people(discord, "ann", "bob", "eve")
    for one in (ann, bob, eve):
        await discord.ask(one, "hello")
    den = await room(discord, "den", bob)
    await discord.ask(bob, "Bot remember that ann keeps bees")
    await discord.ask(bob, "Bot remember that ann keeps wasps", channel=den)
    await discord.ask(bob, "Bot remember that I keep hens", channel=den)
    async with signed_in(discord, address, eve) as browser:
        await browser.get("/people")
        assert "ann one fact" in browser.text
        assert "bob" not in browser.text


async def test_the_servers_page_says_what_is_read_and_what_is_missing(discord: Server, address: str, dsn: str) -> None:
    """Numbers of what is stored, each channel with what the bot lacks there, and up to when it is read."""
    ann, bob, eve = people(discord, "ann", "bob", "eve")
    await promoted(discord, ann)
    await discord.ask(bob, "Bot remember that ann keeps bees")
    await discord.ask(bob, "Bot remember that I keep hens")
    memory, guild_id = discord.app.memory, discord.guild.id
    for who, consent in ((bob, Consent.EXPLICIT), (eve, Consent.OFF)):
        viewer = Viewer(guild_id=guild_id, user_id=who.id, is_alone=True)
        member = Member(guild_id=guild_id, user_id=who.id, display_name=who.name, username=who.name)
        await memory.privacy.choose(viewer, member, consent, guild_id)
    mute = await discord.discord.open_channel(discord.guild, "mute")
    mute.overwrites = [{"id": str(discord.guild.id), "type": 0, "allow": "0", "deny": str(READ_MESSAGE_HISTORY)}]
    await discord.discord.gateway.dispatch("CHANNEL_UPDATE", mute.payload(), guild_id)
    await discord.settled()
    async with signed_in(discord, address, ann) as browser:
        await browser.get("/server")
        rows = dict(re.findall(r'<th scope="row">([^<]+)</th><td class="n">(\d+)', browser.body))
        assert rows.items() >= {"Facts": "2", "Members they are about": "2", "Messages": "2"}.items()
        assert rows["Members who chose “facts only”"] == rows["Members who chose “nothing”"] == "1"
        line = next(line for line in browser.body.splitlines() if "#mute" in line)
        assert "Read Message History" in re.sub("<[^>]+>", " ", line)
        assert "today" in re.sub("<[^>]+>", " ", browser.body.partition("#general")[2][:900])


async def test_the_operators_page_says_what_fails(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """A loop that fails, work that is parked, and what the models cost."""
    async with served(opened, gemini, clock) as server, server.app.pages(server.bot, port=0) as found:
        (ann,) = people(server, "ann")
        await server.ask(ann, "Bot remember that I keep bees")
        await server.ask(ann, "Bot what shall we plant this year?")

        async def breaks() -> None:
            raise ZeroDivisionError

        for _ in range(3):
            await server.app.memory.loops.attempt("captions of whales", breaks)
        asked = InboxItem(
            guild_id=server.guild.id, trigger_id=7, kind=InboxKind.MESSAGE, channel_id=7, user_id=ann.id, at=clock.now
        )
        await server.app.memory.inbox.park(asked, "ZeroDivisionError")
        async with browsing(found) as browser:
            token = await server.app.memory.access.make_link(operator(0), "en")
            await browser.post(f"/open/{token}", {})
            assert browser.path == "/operator"
            assert "captions of whales" in browser.text
            assert "inbox answer" in browser.text
            assert "gemma-4-31b-it" in browser.text


@pytest.mark.parametrize(
    ("failed", "status", "words"),
    [
        (KeyError("page_do_nothing"), 500, "Something went wrong"),
        (ZeroDivisionError(), 500, "Something went wrong"),
        (LookupError(), 404, "Nothing here for you"),
        (DatabaseUnavailable(), 503, "I can't reach my memory or Discord"),
    ],
)
async def test_what_goes_wrong_is_told_apart(
    discord: Server, address: str, monkeypatch: pytest.MonkeyPatch, failed: Exception, status: int, words: str
) -> None:
    """A defect is none of the visitor's, and a page that is not there is none of ours."""
    (ann,) = people(discord, "ann")
    await discord.ask(ann, "Bot remember that I keep bees")

    async def fails(*_: object, **__: object) -> None:
        raise failed

    async with signed_in(discord, address, ann) as browser:
        monkeypatch.setattr(type(discord.app.memory.insight), "members", fails)
        await browser.get("/people")
        assert browser.status == status
        assert words in browser.text
        assert "page_do_nothing" not in browser.text


async def test_times_are_the_servers(discord: Server, address: str) -> None:
    (ann,) = people(discord, "ann")
    await discord.ask(ann, "Bot remember that I keep bees")
    manager = Viewer(guild_id=discord.guild.id, user_id=9, may_manage=True)
    await discord.app.memory.guilds.set_time_zone(manager, "Asia/Tokyo")
    async with signed_in(discord, address, ann) as browser:
        await browser.get("/me/changes")
        assert "9:00 PM" in browser.text
        assert "Asia/Tokyo" in browser.text


async def test_what_people_wrote_is_shown_without_discords_marks(discord: Server, address: str, dsn: str) -> None:
    """Names for ids, a channel's name for who can read it, emojis and commands by their words."""
    ann, bob = people(discord, "ann", "bob")
    await discord.ask(bob, "hello")
    den = await room(discord, "den", bob)
    marks = f"<@{bob.id}> <#{discord.general.id}> <#{den.id}> <@&99> <:kiln:12345> <a:spin:12345> </memory show:77>"
    await discord.ask(ann, f"Bot what about {marks}?")
    await discord.discord.say(ann, discord.general, "the sluice gate sticks when it is cold")
    await discord.settled()
    discord.clock.on(days=1)
    await discord.app.memory.get_memories(discord.guild.id, ann.id, wait=5)
    await query(dsn, "UPDATE chat_history SET message_text = $1 WHERE message_text LIKE 'the sluice%'", marks)
    await query(dsn, "UPDATE notes SET text = $1 WHERE user_id = $2", f"said {marks}", ann.id)
    async with signed_in(discord, address, ann) as browser:
        for path in ("/me/answers", "/me/days", "/me/models"):
            await browser.get(path)
            assert "@bob" in browser.text or "bob" in browser.text, path
            assert "#general" in browser.text, path
            assert ":kiln:" in browser.text, path
            assert ":spin:" in browser.text, path
            assert "/memory show" in browser.text, path
            assert "den" not in browser.text.split(), path
            assert not re.search(r"&lt;(@|#|:|a:|/|id:)", browser.body), path


async def test_the_server_has_a_page(discord: Server, address: str) -> None:
    """In the browser, among those of members, under the server's name."""
    hand = discord.discord
    ann, bob = hand.join(discord.guild, "ann"), hand.join(discord.guild, "bob")
    await discord.app.memory.guilds.on_guild_named(discord.guild.id, "Irrigation Club")
    await discord.ask(ann, "Bot remember that the meeting is on Friday at 8")
    link = await link_for(discord, bob)
    async with browsing(address) as browser:
        await browser.get(link)
        await browser.post(link, {})
        await browser.get("/people")
        assert "Irrigation Club" in browser.text
        await browser.get(f"/people/{discord.guild.id}")
        assert browser.status == 200
        assert "the meeting is on Friday at 8" in browser.text
        assert "Irrigation Club" in browser.text
