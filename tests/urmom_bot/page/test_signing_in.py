"""Members sign in with Discord where a client secret is set: nobody gets the page of somebody else by it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from urllib.parse import parse_qs, urlsplit

import pytest
from pydantic import SecretStr

from tests.builders import Clock, Opener, Server, query, served
from tests.urmom_bot.page.browser import Browser, browsing
from urmom_bot.flow.platform import TryLater
from urmom_bot.page import guarding
from urmom_bot.stand_ins import GeminiStandIn, Guild, User


@pytest.fixture
async def discord(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> AsyncIterator[Server]:
    async with served(opened, gemini, clock, discord_client_secret=SecretStr("a client secret")) as running:
        yield running


@pytest.fixture
async def address(discord: Server) -> AsyncIterator[str]:
    async with discord.app.pages(discord.bot, port=0) as found:
        yield found


async def ann_of(server: Server) -> User:
    """Somebody whom the server knows."""
    ann = server.discord.join(server.guild, "ann")
    await server.ask(ann, "Bot remember that I play the cello")
    return ann


async def sent_to_discord(browser: Browser) -> str:
    """Begin to sign in; returns where Discord asks."""
    async with browser.http.get(browser.address + "/sign-in", allow_redirects=False) as answer:
        assert answer.status == 303
        return answer.headers["Location"]


async def back(browser: Browser, server: Server, user: User) -> None:
    """Say at Discord who one is, and come back."""
    url = server.discord.rest.authorize(await sent_to_discord(browser), user)
    await browser.get(url.removeprefix(browser.address))


async def test_who_discord_knows_gets_their_page(discord: Server, address: str, dsn: str) -> None:
    """By a link that works once, and opens by a button; of Discord's token nothing is left."""
    ann = await ann_of(discord)
    async with browsing(address) as browser:
        await browser.get("/")
        assert 'href="/sign-in"' in browser.body
        await back(browser, discord, ann)
        assert "You asked for this link as ann in “the server”." in browser.text
        await browser.post(browser.path, {})
        assert browser.path == "/me"
        assert "cello" in browser.text
    assert not discord.discord.rest.bearers
    assert [row["kind"] for row in await query(dsn, "SELECT kind FROM page_access")] == ["session"]


async def test_what_discord_is_asked(discord: Server, address: str) -> None:
    """For who somebody is, and nothing else; without the secret and the verifier."""
    async with browsing(address) as browser:
        url = urlsplit(await sent_to_discord(browser))
        asked = {name: values[0] for name, values in parse_qs(url.query).items()}
        (cookie,) = browser.http.cookie_jar
    assert (url.scheme, url.netloc, url.path) == ("https", "discord.com", "/oauth2/authorize")
    assert asked["scope"] == "identify"
    assert asked["redirect_uri"] == f"{address}/sign-in/callback"
    assert asked["code_challenge_method"] == "S256"
    state, _, verifier = cookie.value.partition(".")
    assert asked["state"] == state
    assert len(state) >= 43
    assert len(verifier) >= 43
    assert verifier not in url.query
    assert "secret" not in url.query
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


@pytest.mark.parametrize("how", ["no cookie", "another's state", "twice", "no code", "wrong code", "another issuer"])
async def test_who_was_not_sent_by_discord_gets_nothing(discord: Server, address: str, how: str, dsn: str) -> None:
    """Neither by another's address, nor by the same one a second time."""
    ann = await ann_of(discord)
    async with browsing(address) as browser, browsing(address) as other:
        url = discord.discord.rest.authorize(await sent_to_discord(browser), ann)
        if how == "another's state":
            await sent_to_discord(other)
        if how == "twice":
            (cookie,) = browser.http.cookie_jar
            await browser.get(url.removeprefix(address))
            other.http.cookie_jar.update_cookies({cookie.key: cookie.value})
        if how in ("no code", "wrong code", "another issuer"):
            other.http.cookie_jar.update_cookies({c.key: c.value for c in browser.http.cookie_jar})
        if how == "no code":
            url = url.replace("code=", "error=")
        elif how == "wrong code":
            url = url.replace("code=", "code=x")
        elif how == "another issuer":
            url = url.replace("iss=https%3A%2F%2Fdiscord.com", "iss=https%3A%2F%2Fevil.example")
        before = len(await query(dsn, "SELECT 1 FROM page_access"))
        await other.get(url.removeprefix(address))
        assert other.status == 403
        assert "You are not signed in" in other.text
        assert len(await query(dsn, "SELECT 1 FROM page_access")) == before


async def test_whoever_is_known_on_two_servers_chooses(discord: Server, address: str) -> None:
    """Of the servers that they are still in."""
    ann = await ann_of(discord)
    for name in ("the choir", "the band"):
        guild = await another_server(discord, name, ann)
        if name == "the band":
            del guild.members[ann.id]
    async with browsing(address) as browser:
        await back(browser, discord, ann)
        assert "Choose a server" in browser.text
        assert "the choir" in browser.text
        assert "the band" not in browser.text
        assert browser.body.count('href="/open/') == 2


async def test_a_stranger_is_told_where_to_go(discord: Server, address: str) -> None:
    bob = discord.discord.join(discord.guild, "bob")
    async with browsing(address) as browser:
        await back(browser, discord, bob)
        assert "I don't know anything about you" in browser.text
        assert 'href="/open/' not in browser.body


async def test_an_outage_is_told(discord: Server, address: str) -> None:
    """And a wrong secret, which Discord refuses."""
    ann = await ann_of(discord)
    async with browsing(address) as browser:
        discord.discord.rest.client_secret = "another"
        await back(browser, discord, ann)
        assert browser.status == 403
        discord.discord.rest.client_secret = "a client secret"
        discord.discord.rest.token_refusing.append(503)
        await back(browser, discord, ann)
        assert browser.status == 503
        await back(browser, discord, ann)
        assert browser.status == 200


async def test_one_servers_outage_keeps_nobody_from_the_others(
    discord: Server, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await ann_of(discord)
    other = await another_server(discord, "the choir", ann)
    visitor = discord.bot.flow.platform.visitor

    async def away(guild_id: int, user_id: int) -> object:
        if guild_id == other.id:
            raise TryLater("not there yet")
        return await visitor(guild_id, user_id)

    monkeypatch.setattr(discord.bot.flow.platform, "visitor", away)
    async with browsing(address) as browser:
        await back(browser, discord, ann)
        assert "You asked for this link as ann in “the server”." in browser.text


async def another_server(server: Server, name: str, user: User) -> Guild:
    """A server that knows somebody, beside the first."""
    guild: Guild = server.discord.world.guild(name)
    general = server.discord.channel(guild, "general")
    guild.members[user.id] = user
    await server.discord.gateway.dispatch("GUILD_CREATE", guild.payload(server.discord.world.bot), guild.id)
    await server.settled()
    await server.discord.say(user, general, "Bot remember that I sing")
    await server.settled()
    return guild


async def test_it_begins_where_discord_sends_browsers_back(discord: Server, address: str) -> None:
    """A cookie of another name of this machine would not come back."""
    async with browsing(address.replace("127.0.0.1", "localhost")) as browser:
        assert await sent_to_discord(browser) == f"{address}/sign-in"


async def test_attempts_are_limited(discord: Server, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with browsing(address) as browser:
        for _ in range(guarding.SIGN_INS_A_MINUTE):
            await browser.get("/sign-in/callback?code=a&state=b")
            assert browser.status == 403
        await browser.get("/sign-in/callback?code=a&state=b")
        assert browser.status == 429


async def test_without_a_secret_there_is_no_such_page(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    async with (
        served(opened, gemini, clock) as running,
        running.app.pages(running.bot, port=0) as address,
        browsing(address) as browser,
    ):
        await browser.get("/")
        assert "/sign-in" not in browser.body
        for path in ("/sign-in", "/sign-in/callback?code=a&state=b"):
            await browser.get(path)
            assert browser.status == 404
