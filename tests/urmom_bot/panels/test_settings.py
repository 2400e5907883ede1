"""*Set up* and `/settings`: what those who manage a server decide, and that it holds."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory import Mode, Teachers
from tests.builders import Clock, Opener, Server, lasting, query, served, viewer_of
from urmom_bot.stand_ins import GeminiStandIn, Sent, User
from urmom_bot.stand_ins.world import MANAGE_GUILD, MANAGE_MESSAGES
from urmom_bot.talk import Texts

LABELS = {
    "language": "Language when I can't tell",
    "zone": "Time zone",
    "names": "Other names for me, separated by commas",
    "teachers": "Who may tell me about others",
    "retention": "Days to keep messages (1–30)",
}


def boss_of(server: Server, permissions: int = MANAGE_GUILD) -> User:
    boss = server.discord.join(server.guild, "boss")
    server.guild.roles[77] = permissions
    server.guild.member_roles[boss.id] = [77]
    return boss


async def opened_by(server: Server, user: User) -> Sent:
    (page,) = await server.discord.slash(user, server.general, "settings")
    return page


async def decided(server: Server, boss: User, page: Sent, **answers: str) -> Sent:
    """What the page says once the general form was filled in."""
    assert not await server.discord.press(boss, server.general, page, "Language, names, time zone …")
    (sent,) = await server.discord.fill_in(boss, server.general, {LABELS[k]: v for k, v in answers.items()})
    return sent


async def test_the_page_says_what_holds_and_how_the_bot_stands(discord: Server) -> None:
    """For who manages the server alone: every setting, the channels it lacks rights in, with what is lacking."""
    secret = await discord.discord.open_channel(discord.guild, "vault", private=True)
    boss = boss_of(discord)
    page = await opened_by(discord, boss)
    assert page.ephemeral
    for told in (
        "Memory: **on**",
        "kept for **30 days**",
        "Language: **whatever people write**",
        "Time zone: **UTC**",
        "I answer to **Bot",
        "about others: **anyone**",
        "Jokes: **on**",
        "AI requests today: **0**, no limit set here",
        f"I can't read <#{secret.id}> (View Channel",
    ):
        assert told in page.content, told
    await discord.discord.hide(secret, False)
    assert "I can read and write in every channel" in (await opened_by(discord, boss)).content


async def test_it_counts_facts_by_how_they_stand(discord: Server, dsn: str) -> None:
    """Over the whole server (seed 002: managers see how many are active, fading and stale)."""
    ann, boss = discord.discord.join(discord.guild, "ann"), boss_of(discord)
    for thing in ("kilns", "lutes", "boats", "trams"):
        await discord.ask(ann, f"Bot remember that I own {thing}")
    await query(dsn, "UPDATE facts SET confidence = 'medium'")
    for days, thing in ((100, "lutes"), (100, "boats"), (400, "trams")):
        await query(
            dsn,
            "UPDATE facts SET last_confirmed_at = last_confirmed_at - make_interval(days => $1)"
            " WHERE value LIKE '%' || $2 || '%'",
            days,
            thing,
        )
    await query(dsn, "UPDATE facts SET retired_at = now() WHERE value LIKE '%kilns%'")
    page = await opened_by(discord, boss)

    assert "Facts: **3**, of these **2** fading" in page.content
    assert "and **1** no longer used until someone confirms them" in page.content


@pytest.mark.parametrize("permissions", [0, MANAGE_MESSAGES])
async def test_others_decide_nothing(discord: Server, dsn: str, permissions: int) -> None:
    """Neither by the command nor by any button or form behind it, whoever opened it."""
    other = discord.discord.join(discord.guild, "other")
    discord.guild.roles[78] = permissions
    discord.guild.member_roles[other.id] = [78]
    page = await opened_by(discord, boss_of(discord))
    denied = "You need the Manage Server permission for that."
    assert (await opened_by(discord, other)).content == denied
    for label in page.buttons:
        (answer,) = await discord.discord.press(other, discord.general, page, label)
        assert answer.content == denied, label
    assert not discord.discord.rest.modals
    assert not await query(dsn, "SELECT 1 FROM guild_settings WHERE mode <> 'remember' OR NOT jokes")


async def test_a_form_counts_for_who_fills_it_in(discord: Server) -> None:
    """A form that was opened by somebody who managed the server then changes nothing."""
    boss = boss_of(discord)
    page = await opened_by(discord, boss)
    for label, answers in (
        ("Language, names, time zone …", {LABELS["teachers"]: "self"}),
        ("A channel …", {"What I do there": "off"}),
        ("AI budget …", {"AI requests a day (empty: no limit)": "1"}),
    ):
        await discord.discord.press(boss, discord.general, page, label)
        discord.guild.member_roles.pop(boss.id)
        (answer,) = await discord.discord.fill_in(boss, discord.general, answers)
        assert answer.content == "You need the Manage Server permission for that."
        discord.guild.member_roles[boss.id] = [77]
    rules = await discord.app.memory.guilds.rules(discord.guild.id)
    assert (rules.teachers, rules.daily_requests) == (Teachers.ANYONE, None)
    assert await discord.app.memory.guilds.mode(discord.guild.id, discord.general.id) is Mode.REMEMBER


async def test_memory_is_switched_off_and_on(discord: Server, dsn: str) -> None:
    """What is said meanwhile is not stored, in any channel; what the bot is told to remember is."""
    boss, ann = boss_of(discord), discord.discord.join(discord.guild, "ann")
    page = await opened_by(discord, boss)
    (changed,) = await discord.discord.press(boss, discord.general, page, "Switch memory off")
    assert changed.edited
    assert "Memory: **off**" in changed.content
    await discord.discord.say(ann, discord.general, "the kiln is hot")
    assert "Got it" in await discord.ask(ann, "Bot remember that I own a kiln")
    assert not await query(dsn, "SELECT 1 FROM chat_history WHERE message_text = 'the kiln is hot'")
    await discord.discord.say(discord.discord.join(discord.guild, "bob"), discord.general, "it is")
    await discord.settled()
    assert not await query(dsn, "SELECT 1 FROM members WHERE username = 'bob'")
    (changed,) = await discord.discord.press(boss, discord.general, changed, "Switch memory on")
    assert "Memory: **on**" in changed.content
    await discord.discord.say(ann, discord.general, "the tram is late")
    await discord.settled()
    assert await query(dsn, "SELECT 1 FROM chat_history WHERE message_text = 'the tram is late'")


async def test_no_channel_does_more_than_its_server(discord: Server) -> None:
    """The least of what server, channel and the thread's channel allow."""
    guilds, guild_id = discord.app.memory.guilds, discord.guild.id
    thread = await discord.discord.open_thread(discord.general, "kilns")
    await discord.settled()
    boss = await viewer_of(discord.app.memory, guild_id, 5, may_manage=True)
    for mode, channel, least in (
        (Mode.TALK, Mode.REMEMBER, Mode.TALK),
        (Mode.REMEMBER, Mode.TALK, Mode.TALK),
        (Mode.TALK, Mode.OFF, Mode.OFF),
        (Mode.OFF, Mode.REMEMBER, Mode.OFF),
    ):
        await guilds.decide(boss, mode=mode.value)
        await guilds.set_mode(boss, discord.general.id, channel)
        for place in (discord.general, thread):
            assert await guilds.mode(guild_id, place.id) is least
    assert await discord.ask(discord.discord.join(discord.guild, "ann"), "Bot help") == ""


async def test_jokes_are_switched_off(discord: Server) -> None:
    """Then nobody gets one."""
    boss, ann = boss_of(discord), discord.discord.join(discord.guild, "ann")
    page = await opened_by(discord, boss)
    (page,) = await discord.discord.press(boss, discord.general, page, "Switch jokes off")
    for wanted in (False, True):
        said = await discord.discord.say(ann, discord.general, f"the kiln is hot {wanted}")
        before = len(discord.discord.sent)
        await discord.discord.react(boss, discord.general, said, "🤡")
        await discord.settled()
        assert (len(discord.discord.sent) > before) == wanted
        await discord.discord.press(boss, discord.general, page, "Switch jokes on") if not wanted else None


async def test_language_names_zone_and_teachers(discord: Server) -> None:
    """The bot speaks the server's language where a message does not tell its own, and answers to its names there."""
    boss, ann, bob = boss_of(discord), *(discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    page = await decided(
        discord,
        boss,
        await opened_by(discord, boss),
        language="fr",
        zone="Europe/Paris",
        names="Kim, Robo",
        teachers="self",
    )
    assert page.edited
    for told in ("**Français**", "**Europe/Paris**", "Kim, Robo", "no one (people can only tell me about themselves)"):
        assert told in page.content, told
    assert await discord.ask(ann, "Kim undo") == Texts("fr")("undo_nothing")
    discord.gemini.quota_out = True
    for text, language in (("Kim Riga?", "fr"), ("Kim what is the weather like?", "en"), ("Kim qué es esto", "es")):
        told = Texts(language)("quota_out", until="").split(" ")[0]
        assert (await discord.ask(ann, text)).startswith(told), text
    discord.gemini.quota_out = False
    assert "I don't know anything about ann yet." in await discord.ask(ann, "robo what do you know about me")
    assert "Got it" not in await discord.ask(ann, f"Kim remember that <@{bob.id}> owns a kiln")
    elsewhere = discord.discord.world.guild("elsewhere")
    discord.discord.world.guilds.pop(elsewhere.id)
    there = discord.discord.channel(elsewhere, "general")
    elsewhere.members[ann.id] = ann
    await discord.discord.add_bot(elsewhere)
    await discord.settled()
    before = len(discord.discord.sent)
    await discord.discord.say(ann, there, "Kim help")
    await discord.settled()
    assert len(discord.discord.sent) == before


async def test_names_hold_after_a_restart(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """They are read with the server's channels."""
    async with lasting(clock) as (stand_in, _, _):
        async with served(opened, gemini, clock, stand_in) as server:
            boss = boss_of(server)
            await decided(server, boss, await opened_by(server, boss), names="Kim")
        async with served(opened, gemini, clock, stand_in) as server:
            assert await server.ask(boss, "Kim help")
            assert await server.ask(boss, "Tim help") == ""


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ({"retention": "31"}, "Messages can be kept for 1 to 30 days."),
        ({"retention": "0"}, "Messages can be kept for 1 to 30 days."),
        ({"retention": "a week"}, "Messages can be kept for 1 to 30 days."),
        ({"zone": "Mars/Olympus"}, "I don't know a time zone called Mars/Olympus."),
        ({"names": "a, b, c, d, e, f"}, "write up to 5 names"),
        ({"names": "x" * 33}, "write up to 5 names"),
        ({"names": "Kim", "retention": "99"}, "Nothing was changed."),
    ],
)
async def test_what_cannot_be_changes_nothing(discord: Server, answers: dict[str, str], told: str) -> None:
    """The form says what to write, and what else was filled in is not stored either."""
    boss = boss_of(discord)
    page = await decided(discord, boss, await opened_by(discord, boss), language="ru", **answers)
    assert told in page.content
    rules = await discord.app.memory.guilds.rules(discord.guild.id)
    assert (rules.language, rules.names, rules.retention_days) == (None, (), None)


async def test_messages_are_kept_as_long_as_the_server_says(discord: Server, clock: Clock, dsn: str) -> None:
    """No longer than the operator does; the policy tells the server's number."""
    boss, ann = boss_of(discord), discord.discord.join(discord.guild, "ann")
    page = await decided(discord, boss, await opened_by(discord, boss), retention="7")
    assert "kept for **7 days**" in page.content
    (policy,) = await discord.discord.slash(ann, discord.general, "privacy")
    assert "for 7 days" in policy.content
    for days in (6, 2):
        await discord.discord.say(ann, discord.general, f"{days} days", at=clock.now - timedelta(days=days))
    await discord.settled()
    await discord.app.memory.upkeep()
    count = "SELECT count(*) FROM chat_history WHERE message_text LIKE '% days'"
    assert (await query(dsn, count))[0][0] == 2
    clock.on(days=2)
    await discord.app.memory.upkeep()
    assert (await query(dsn, count))[0][0] == 1
    boss_viewer = await viewer_of(discord.app.memory, discord.guild.id, boss.id, may_manage=True)
    await discord.app.memory.guilds.decide(boss_viewer, retention_days=90)
    assert "kept for **30 days**" in (await opened_by(discord, boss)).content
    (policy,) = await discord.discord.slash(ann, discord.general, "privacy")
    assert "for 30 days" in policy.content
    clock.on(days=29)
    await discord.app.memory.upkeep()
    assert (await query(dsn, count))[0][0] == 0


async def test_the_budget_holds(discord: Server, clock: Clock) -> None:
    """Once it is used up the model is asked no more that day; facts work, and the page tells how much was used."""
    boss, ann = boss_of(discord), discord.discord.join(discord.guild, "ann")
    page = await opened_by(discord, boss)
    await discord.discord.press(boss, discord.general, page, "AI budget …")
    (page,) = await discord.discord.fill_in(boss, discord.general, {"AI requests a day (empty: no limit)": "2"})
    assert "**0** of 2" in page.content
    assert "stand-in model" in await discord.ask(ann, "Bot how is the kiln doing today?")
    while "used up today's AI budget" not in await discord.ask(ann, f"Bot how is the kiln, {clock.now:%M}?"):
        clock.on(minutes=1)
        assert len(discord.gemini.asked) <= 2
    asked = len(discord.gemini.asked)
    assert "Got it" in await discord.ask(ann, "Bot remember that I own a kiln")
    assert len(discord.gemini.asked) == asked == 2
    assert "**2** of 2" in (await opened_by(discord, boss)).content
    clock.on(days=1)
    assert "stand-in model" in await discord.ask(ann, "Bot how is the kiln tomorrow?")


async def test_one_member_does_not_use_up_a_servers_budget(discord: Server, clock: Clock) -> None:
    """A quarter of it is theirs, and what nobody asked for leaves a tenth of it to answers."""
    ann, bob = (discord.discord.join(discord.guild, name) for name in ("ann", "bob"))
    boss = await viewer_of(discord.app.memory, discord.guild.id, 5, may_manage=True)
    await discord.app.memory.guilds.decide(boss, daily_requests=20)
    for n in range(9):
        told = await discord.ask(ann, f"Bot how is kiln number {n}?")
        clock.on(minutes=2)
    assert "your share" in told
    assert len(discord.gemini.asked) <= 6
    assert "stand-in model" in await discord.ask(bob, "Bot how is the tram?")


async def test_another_servers_budget_is_its_own(discord: Server) -> None:
    """What one server used counts on no other."""
    boss = await viewer_of(discord.app.memory, discord.guild.id + 1, 5, may_manage=True)
    await discord.app.memory.guilds.decide(boss, daily_requests=0)
    ann = discord.discord.join(discord.guild, "ann")
    assert "stand-in model" in await discord.ask(ann, "Bot how is the kiln?")


async def test_a_channel_is_set(discord: Server) -> None:
    """The one it is opened in stands first; the page names the channels in which the bot does less."""
    boss = boss_of(discord)
    other = await discord.discord.open_channel(discord.guild, "vent")
    page = await opened_by(discord, boss)
    await discord.discord.press(boss, discord.general, page, "A channel …")
    (page,) = await discord.discord.fill_in(boss, discord.general, {"Channel": other, "What I do there": "off"})
    assert f"I'm off in <#{other.id}>" in page.content
    await discord.discord.press(boss, discord.general, page, "A channel …")
    (page,) = await discord.discord.fill_in(boss, discord.general, {"What I do there": "talk"})
    assert f"only keep what people ask me to remember, in <#{discord.general.id}>" in page.content
    await discord.discord.press(boss, discord.general, page, "A channel …")
    (page,) = await discord.discord.fill_in(boss, discord.general, {})  # it stands as it was set
    assert f"only keep what people ask me to remember, in <#{discord.general.id}>" in page.content
    await discord.discord.press(boss, discord.general, page, "Switch memory off")
    await discord.discord.press(boss, discord.general, page, "A channel …")
    await discord.discord.fill_in(boss, discord.general, {"What I do there": "remember"})
    await discord.discord.press(boss, discord.general, page, "A channel …")
    await discord.discord.fill_in(boss, discord.general, {})  # as it is: the server's switch is not the channel's
    channels = await discord.app.memory.guilds.channels(discord.guild.id)
    assert channels[discord.general.id].mode is Mode.REMEMBER


async def test_it_is_in_the_audit_and_the_log(discord: Server) -> None:
    """Who changed what."""
    boss = boss_of(discord)
    page = await opened_by(discord, boss)
    await discord.discord.slash(boss, discord.general, "memory-admin log", {"channel": discord.general})
    await discord.discord.press(boss, discord.general, page, "Switch jokes off")
    assert discord.discord.sent[-1].content == f"<@{boss.id}>: Changed the settings"
    (audit,) = await discord.discord.slash(boss, discord.general, "memory-admin audit")
    assert "changed the settings" in audit.content
    assert "Jokes: **off**" in audit.content


async def test_the_greeting_offers_to_set_up(discord: Server) -> None:
    """To who manages the server; the page is for them alone, and the greeting stays."""
    guild = discord.discord.world.guild("new")
    discord.discord.world.guilds.pop(guild.id)
    channel = discord.discord.channel(guild, "lobby")
    boss = discord.discord.join(guild, "boss")
    guild.roles[77] = MANAGE_GUILD
    guild.member_roles[boss.id] = [77]
    await discord.discord.add_bot(guild)
    await discord.settled()
    greeting = discord.discord.sent[-1]
    assert list(greeting.buttons)[:2] == ["Try it", "Set up"]
    (tour,) = await discord.discord.press(boss, channel, greeting, "Try it")
    assert tour.ephemeral
    assert "Remember something about me" in tour.buttons
    (page,) = await discord.discord.press(boss, channel, greeting, "Set up")
    assert page.ephemeral
    assert not page.edited
    assert "Memory: **on**" in page.content


async def test_a_new_owner_tries_three_things(discord: Server, dsn: str) -> None:
    """For them alone: to have something remembered, to see it, and to decide what is kept."""
    hand = discord.discord
    ann = hand.join(discord.guild, "ann")
    await discord.ask(ann, "Bot help")
    tour = hand.sent[-1]
    assert list(tour.buttons)[:3] == [
        "Remember something about me",
        "What do you know about me?",
        "What do you keep about me?",
    ]
    await hand.press(ann, discord.general, tour, "Remember something about me")
    told = await hand.fill_in(ann, discord.general, {"For example: I play the tuba": "I play the tuba"})
    assert "ann plays the tuba" in told[-1].content or "play the tuba" in told[-1].content
    (known,) = await hand.press(ann, discord.general, tour, "What do you know about me?")
    assert known.ephemeral
    assert "tuba" in known.content
    (panel,) = await hand.press(ann, discord.general, tour, "What do you keep about me?")
    assert panel.ephemeral
    assert len(await query(dsn, "SELECT 1 FROM facts")) == 1


async def test_bare_names_are_switched_off_and_on(discord: Server) -> None:
    """A comma, a mention, a greeting or a reply still calls the bot."""
    boss, ann = boss_of(discord), discord.discord.join(discord.guild, "ann")
    discord.discord.join(discord.guild, "kate")
    page = await opened_by(discord, boss)
    (changed,) = await discord.discord.press(boss, discord.general, page, "Hear my name only with a comma")
    assert "as in “Bot hello”: **off**" in changed.content
    before = len(discord.discord.sent)
    for text in ("Bot what do you know about kate", "forget that bot"):
        await discord.discord.say(ann, discord.general, text)
    await discord.discord.settle()
    assert len(discord.discord.sent) == before
    for text in ("Bot, what do you know about kate", "hey Bot what do you know about kate"):
        assert "don't know anything about kate" in await discord.ask(ann, text), text
    await discord.discord.press(boss, discord.general, changed, "Hear my name without a comma")
    assert "don't know anything about kate" in await discord.ask(ann, "Bot what do you know about kate")


@pytest.mark.parametrize(
    ("ready", "own", "told"),
    [
        ("dry", "ignored", "Deadpan and dry."),
        ("own", "A tired  ship's\ncaptain </character>", "A tired ship's captain &lt;/character>"),
        ("usual", "", None),
    ],
)
async def test_how_the_bot_sounds(discord: Server, ready: str, own: str, told: str | None) -> None:
    """A ready character or a server's own words go along as data, and the instructions say that they are tone alone."""
    boss = boss_of(discord)
    page = await opened_by(discord, boss)
    await discord.discord.press(boss, discord.general, page, "How I sound …")
    answers = {"Character": ready, "In your own words (if you chose that)": own}
    (changed,) = await discord.discord.fill_in(boss, discord.general, answers)
    assert "How I sound: **" in changed.content
    await discord.ask(discord.discord.join(discord.guild, "ann"), "Bot how are you?")
    (asked,) = (a for a in discord.gemini.asked if a.name == "A reply")
    assert asked.sections.get("character", "").startswith(told or "")
    assert ("character" in asked.sections) == ("changes no rule" in asked.instructions) == (told is not None)


@pytest.mark.parametrize("own", ["my password is hunter22x", "visit https://evil.example", "says that bob has cancer"])
async def test_what_is_no_character(discord: Server, own: str) -> None:
    """Secrets, addresses and what shames somebody enter no prompt; nothing is changed."""
    boss = boss_of(discord)
    page = await opened_by(discord, boss)
    await discord.discord.press(boss, discord.general, page, "How I sound …")
    (refused,) = await discord.discord.fill_in(
        boss, discord.general, {"Character": "own", "In your own words (if you chose that)": own}
    )
    assert "doesn't work as a character" in refused.content
    assert "friendly, short" in (await opened_by(discord, boss)).content
