"""Days 2-7, the merge, the ladder, the budget of time, audiences."""

import asyncio
import json
import re
import time
from dataclasses import replace
from datetime import timedelta

import pytest

from memory import Channel, FallbackLevel, Member, Statement, public
from memory.store.database import Database
from tests.builders import Clock, G, Opener, Talk, query, tell, viewer_of
from urmom_bot.app import App
from urmom_bot.stand_ins import Fault, GeminiStandIn

LONG = (
    "spent the afternoon rebuilding the kiln controller, the thermocouple reads 14 degrees too high, and the"
    " relay board from Riga still has not arrived after 23 days in customs"
)


def names(gemini: GeminiStandIn) -> list[str]:
    return [asked.name for asked in gemini.asked]


async def remember(app: App, talk: Talk, user: int, quote: str, by: int = 2, **more: object) -> None:
    told = Statement(guild_id=G, user_id=user, stated_by=by, quote=quote, **more)  # type: ignore[arg-type]
    await tell(app.memory, told, talk.member(user), talk.member(by))


async def week(talk: Talk, clock: Clock, user: int = 1, days: int = 6) -> None:
    for back in range(days, 0, -1):
        await talk.say(user, f"day {back}: {LONG}", clock.now - timedelta(days=back))


async def test_what_fits_is_composed_without_a_model(app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock) -> None:
    """Facts, today and a day before that fit the budget together cost the day's call and no other."""
    await remember(app, talk, 1, "Ann plays the cello")
    gemini.asked.clear()
    await talk.say(1, "learnt the first suite by heart", clock.now - timedelta(days=1))
    await talk.say(1, "today the second suite begins")
    found = (await app.memory.replies.contexts(public(G), [1]))[1]

    assert names(gemini) == ["Notes of a day", "Notes of a day"]
    assert found.fallback is FallbackLevel.FULL
    assert found.text
    assert "plays the cello" in found.text
    assert "Today: said “today the second" in found.text
    assert "2026-11-09: said “learnt" in found.text


@pytest.mark.parametrize(("days", "calls"), [(4, []), (6, ["Historical summaries"])])
async def test_nothing_is_shortened_while_the_whole_fits(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, days: int, calls: list[str]
) -> None:
    """A level's budget is its share: one above it asks no model while all levels together fit a context."""
    specific = (
        "the kiln controller 4711 of Ben is fixed in Tallinn, the tram 9 to Gdynia takes 40 minutes, as Cid told {n}"
    )
    for back in range(1, days + 1):
        await talk.say(1, specific.format(n=back) + " and more" * 5, clock.now - timedelta(days=back))
    facts = [f"Ann owns kiln number {n}, bought in the year {2000 + n}" for n in range(3)]
    for fact in facts:
        await remember(app, talk, 1, fact)
    gemini.asked.clear()
    found = (await app.memory.replies.contexts(public(G), [1]))[1]
    text = found.text or ""

    assert [n for n in names(gemini) if n not in ("Notes of a day", "Contexts")] == calls
    if not calls:
        assert len(text) <= 800
        assert sum(len(part.text) for part in found.parts if part.level == "days 2-7") > 500
        assert all(f"Cid told {n}" in text for n in range(1, days + 1))
        assert all(fact in text for fact in facts)


async def full_week(talk: Talk, clock: Clock, user: int) -> None:
    """A week and a day of somebody's that do not fit a context as they are."""
    await week(talk, clock, user)
    for part in ("first", "second", "third"):
        await talk.say(user, f"{part}: {LONG}")


async def test_a_full_week_is_merged_in_one_call_for_all(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """Participants of a conversation share one historical call and one merge call, and lengths hold."""
    for user in (1, 2, 3):
        await full_week(talk, clock, user)
        await remember(
            app, talk, user, f"user {user} repairs kilns in Tallinn, sings in a choir on Tuesdays and {LONG}"
        )
    gemini.asked.clear()
    found = await app.memory.replies.contexts(public(G), [1, 2, 3])

    assert names(gemini).count("Historical summaries") == 1
    assert names(gemini).count("Contexts") == 1
    assert names(gemini).count("Notes of a day") == 7
    for user in (1, 2, 3):
        text = found[user].text or ""
        assert len(text) <= 800
        assert f"user {user} repairs kilns" in text
        levels = {part.level: len(part.text) for part in found[user].parts}
        assert levels["current day"] <= 300
        assert levels["days 2-7"] <= 500
    assert found[1].spent.calls == 9


async def test_warm_contexts_cost_nothing(app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock) -> None:
    """The second time nothing is asked; after a restart neither."""
    await week(talk, clock)
    await talk.say(1, LONG)
    first = await app.memory.get_memories(G, 1)
    gemini.asked.clear()

    assert await app.memory.get_memories(G, 1) == first
    assert not gemini.asked


async def test_what_was_given_is_given_again_without_a_statement(
    app: App, talk: Talk, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the hour is over, the guild's past changes, somebody is told of, or is called otherwise."""
    ann = talk.member(1)
    statement = Statement(guild_id=G, user_id=1, stated_by=1, quote="Ann sings alto", message_id=5, channel_id=7)
    await tell(app.memory, statement, ann, ann)
    await talk.say(1, "the kiln is fixed", clock.now - timedelta(hours=3))
    first = await app.memory.get_memories(G, 1)
    assert first
    real, statements = Database.connection, 0

    def counted(self: Database) -> object:
        nonlocal statements
        statements += 1
        return real(self)

    async def asked() -> tuple[str | None, bool]:
        nonlocal statements
        statements = 0
        return await app.memory.get_memories(G, 1), statements > 0

    await app.memory.loops.stop()
    with monkeypatch.context() as watched:
        watched.setattr(Database, "connection", counted)
        async with asyncio.timeout(5):  # until the news of what was just told and said is over
            while await asked() != (first, False):
                await asyncio.sleep(0.01)
        await talk.say(2, "elsewhere", guild_id=G + 1, channel_id=9)
        await app.memory.messages.edit(G + 1, talk.ids[-1], "edited elsewhere", clock.now)
        await app.memory.messages.flush()
        assert await asked() == (first, False)
        clock.on(hours=1)
        assert await asked() == (first, True)
        assert await asked() == (first, False)
        await tell(app.memory, replace(statement, quote="Ann has 2 cats", message_id=6), ann, ann)
        text, looked = await asked()
        assert (looked, "2 cats" in str(text)) == (True, True)
        await talk.say(1, "hello", display_name="Anna")
        async with asyncio.timeout(5):
            while "Anna" not in str((await asked())[0]):
                await asyncio.sleep(0.02)
        await app.memory.messages.delete(G, [talk.ids[0]])
        await app.memory.messages.flush()
        assert "kiln" not in str((await asked())[0])


async def test_what_is_told_counts_at_once(app: App, talk: Talk) -> None:
    """Before the database's own news of it comes."""
    app.memory._core.store.coordinator._watchers.clear()
    for quote in ("Ann sings alto", "Ann has 2 cats"):
        await remember(app, talk, 1, quote, by=1)
        assert quote.split(" ", 1)[1] in str(await app.memory.get_memories(G, 1))


async def test_the_key_is_the_content(app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock) -> None:
    """A new fact makes a new merge and nothing below it."""
    await week(talk, clock)
    for part in ("first", "second", "third"):
        await talk.say(1, f"{part}: {LONG}")
    await app.memory.get_memories(G, 1)
    await remember(app, talk, 1, f"Ann moved to Riga after she {LONG}")
    gemini.asked.clear()
    text = await app.memory.get_memories(G, 1)

    assert names(gemini) == ["Contexts"]
    assert "Riga" in (text or "")


async def test_when_the_day_changes_today_becomes_history(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """At midnight the window moves: the oldest day leaves, the current one closes."""
    await week(talk, clock)
    await talk.say(1, f"the last day: {LONG}")
    await app.memory.get_memories(G, 1)
    gemini.asked.clear()
    clock.on(hours=13)
    found = (await app.memory.replies.contexts(public(G), [1]))[1]

    assert names(gemini).count("Notes of a day") == 0  # each message was read
    history, portrait = found.parts
    assert (history.level, portrait.level) == ("days 2-7", "portrait")
    assert "2026-11-04" in portrait.text
    assert history.origin.count("2026-") == 6
    assert "2026-11-10" in history.origin
    assert "2026-11-04" not in history.origin


async def test_a_member_the_model_leaves_out_keeps_their_days(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """An answer without a member, or with a stranger, loses nobody: the notes worth most are told."""
    await week(talk, clock)
    played = gemini.answer

    def answer(asked):  # type: ignore[no-untyped-def]
        if asked.name == "Historical summaries":
            return json.dumps({"members": [{"member": "u9", "summary": "A stranger."}]})
        return played(asked)

    gemini.answer = answer
    text = await app.memory.get_memories(G, 1) or ""

    assert "stranger" not in text
    assert sum(f"2026-11-0{day}" in text for day in range(4, 10)) >= 4
    assert "2026-11-09" in text


async def test_who_was_asked_about_yesterday_shares_the_call(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """Their history is made along with another's, names them alone, and is there when they are asked about."""
    for user in (1, 2):
        await full_week(talk, clock, user)
    for user in (1, 2):
        await app.memory.replies.contexts(public(G), [user])
    assert names(gemini).count("Historical summaries") == 2
    clock.now += timedelta(days=1)
    gemini.asked.clear()
    first = (await app.memory.replies.contexts(public(G), [1]))[1]
    assert names(gemini).count("Historical summaries") == 1
    second = (await app.memory.replies.contexts(public(G), [2]))[2]
    assert names(gemini).count("Historical summaries") == 1
    for found in (first, second):
        assert {part.level for part in found.parts} >= {"days 2-7"}
        assert "2026-11-09" in (found.text or "")


async def test_who_needs_no_call_yet_shares_one_before_today_grows(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """Days before that fit while today is quiet are made along with another's, so that a full day needs no call."""
    for back in (4, 3, 2, 1):
        await talk.say(2, f"day {back}: {LONG}", clock.now - timedelta(days=back))
    await app.memory.replies.contexts(public(G), [2])
    assert "Historical summaries" not in names(gemini)
    await full_week(talk, clock, 1)
    await app.memory.replies.contexts(public(G), [1])
    (asked,) = [one for one in gemini.asked if one.name == "Historical summaries"]
    assert asked.data.count("limit=") == 2
    for part in ("first", "second", "third"):
        await talk.say(2, f"{part}: {LONG}")
    clock.now += timedelta(hours=1)
    found = (await app.memory.replies.contexts(public(G), [2]))[2]
    assert names(gemini).count("Historical summaries") == 1
    assert {part.level for part in found.parts} >= {"days 2-7", "current day"}


async def test_a_member_of_long_ago_is_not_made_along(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Who was asked about three days ago may not be asked about today."""
    for user in (1, 2):
        await full_week(talk, clock, user)
    await app.memory.replies.contexts(public(G), [2])
    for later in range(3):
        clock.now += timedelta(days=1)
        for user in (1, 2):
            await talk.say(user, f"later {later}: {LONG}")
    clock.now += timedelta(days=1)
    await app.memory.replies.contexts(public(G), [1])
    made = await query(dsn, "SELECT user_id FROM historical_summaries ORDER BY end_date")
    assert [row["user_id"] for row in made] == [2, 1]


async def test_the_model_is_shown_once_what_repeats(app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock) -> None:
    """Of eight notes a day that say nearly the same on six days, it is shown one a day."""
    for back in range(6, 0, -1):
        for part in range(8):
            await talk.say(1, f"day 2{back}: {LONG}", clock.now - timedelta(days=back, minutes=part))
    await app.memory.replies.contexts(public(G), [1])
    (asked,) = [one for one in gemini.asked if one.name == "Historical summaries"]
    by_day = [line.count("thermocouple") for line in asked.data.splitlines() if line[3:9] == " 2026-"]
    assert max(by_day) == 1
    assert sum(by_day) == asked.data.count("thermocouple") == 6


async def test_a_refused_history_is_not_asked_again(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Refused once, the notes worth most stand; the same sources are not asked about again."""
    await week(talk, clock)
    gemini.faults.append(Fault(kind="refused", only="Historical summaries"))
    for _ in range(3):
        text = await app.memory.get_memories(G, 1) or ""
    refusals = names(gemini).count("Historical summaries")

    assert refusals == 1
    assert "2026-11-09" in text
    assert (await query(dsn, "SELECT refused FROM historical_summaries"))[0]["refused"]


# The ladder


async def test_facts_always_come_when_the_quota_is_out(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """Out of quota with nothing made yet, facts come from the database alone."""
    await talk.say(1, LONG)
    await remember(app, talk, 1, "Ann repairs kilns")
    gemini.quota_out = True
    found = (await app.memory.replies.contexts(public(G), [1]))[1]

    assert found.fallback is FallbackLevel.FACTS
    assert (found.text or "").startswith("Ann repairs kilns. Said today: 11:59 “")
    assert found.trouble
    assert "quota" in found.trouble


async def test_last_good_context_comes_with_the_facts_told_since(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """When a build fails, the last good context stands, dated, with newer facts beside it."""
    await full_week(talk, clock, 1)
    good = await app.memory.get_memories(G, 1) or ""
    clock.on(days=1)
    await talk.say(1, f"something new, {LONG}")
    gemini.quota_out = True
    clock.on(minutes=1)
    await remember(app, talk, 1, "Ann bought a second kiln")
    found = (await app.memory.replies.contexts(public(G), [1], wait=0.3))[1]

    assert found.fallback is FallbackLevel.LAST_GOOD
    assert (found.text or "").startswith(f"As of 2026-11-10: {good[:500]}")
    assert (found.text or "").endswith(" Ann bought a second kiln.")


async def test_without_facts_the_days_that_are_stored_come(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """With no facts and no context of theirs, a member still has the summaries that were made for another."""
    await talk.say(1, LONG)
    await talk.say(2, f"me too, {LONG}")
    await app.memory.get_memories(G, 1)
    clock.on(hours=2)
    await talk.say(2, "and one more thing that is new here")
    gemini.quota_out = True
    found = (await app.memory.replies.contexts(public(G), [2]))[2]

    assert found.fallback is FallbackLevel.PARTIAL
    assert "me too" in (found.text or "")


async def test_of_somebody_unknown_nothing_is_known(app: App) -> None:
    """None, and a level that says so."""
    found = (await app.memory.replies.contexts(public(G), [99]))[99]

    assert (found.text, found.fallback, found.trouble) == (None, FallbackLevel.NONE, None)
    assert await app.memory.get_memories(G, 99) is None


async def test_when_quota_is_back_the_ladder_is_climbed_again(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """A failed run leaves things stale, not wrong: the next one makes them."""
    await talk.say(1, LONG)
    gemini.quota_out = True
    assert (await app.memory.replies.contexts(public(G), [1]))[1].fallback is FallbackLevel.PARTIAL
    gemini.quota_out = False
    clock.on(seconds=30)

    assert (await app.memory.replies.contexts(public(G), [1]))[1].fallback is FallbackLevel.FULL


async def test_forgotten_facts_do_not_come_back_from_the_last_good_context(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """Forgetting drops every context that held the fact, stored and cached."""
    await full_week(talk, clock, 1)
    await remember(app, talk, 1, "Ann collects porcelain owls")
    assert "owls" in (await app.memory.get_memories(G, 1) or "")
    assert await query(dsn, "SELECT 1 FROM contexts WHERE context LIKE '%owls%'")
    done = await app.memory.forgetting.forget(
        await viewer_of(app.memory, G, 1), talk.member(1), "Ann collects porcelain owls"
    )
    gemini.quota_out = True
    clock.on(hours=2)
    await talk.say(1, "one more thing that is new here")

    assert len(done.removed) == 1
    assert "owls" not in (await app.memory.get_memories(G, 1) or "")


@pytest.mark.parametrize("edited", [False, True])
async def test_a_deleted_message_is_told_no_more_even_when_the_ai_is_away(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, edited: bool
) -> None:
    """What cites a message goes with it, or with its old text, before anything is made again."""
    await talk.say(2, f"and me: {LONG}", clock.now - timedelta(days=1))
    secret = await talk.say(1, "my sister Rosalind elopes on Friday with the baker", clock.now - timedelta(days=1))
    await talk.say(1, "a word of today that is long enough")
    assert "Rosalind" in (await app.memory.get_memories(G, 1) or "")
    gemini.quota_out = True
    if edited:
        await app.memory.messages.edit(G, secret, "nothing of note happened here today", clock())
    else:
        await app.memory.messages.delete(G, [secret])
    await app.memory.messages.flush()
    found = (await app.memory.replies.contexts(public(G), [1, 2], wait=0.3))[1]

    assert "Rosalind" not in (found.text or "")
    assert "a word of today" in (found.text or "")


async def test_without_any_ai_facts_and_activity_are_told(opened: Opener, clock: Clock) -> None:
    """A bot without a key has facts, and the days on which somebody wrote."""
    async with opened(ai=False) as app:
        talk = Talk(app, clock)
        await talk.say(1, LONG)
        await remember(app, talk, 1, "Ann repairs kilns")
        found = (await app.memory.replies.contexts(public(G), [1]))[1]
        activity = await app.memory.replies.activity(public(G), 1)

    assert (found.text or "").startswith("Ann repairs kilns. Said today: ")
    assert found.trouble == "No AI is set up."
    assert list(activity.values()) == [1]


# The budget of time


async def test_a_reply_waits_no_longer_than_its_budget(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """Facts come within the budget while the work goes on, and the cache is warm afterwards."""
    async with opened(memory_wait=0.1) as app:
        talk = Talk(app, clock)
        await talk.say(1, LONG)
        await remember(app, talk, 1, "Ann repairs kilns")
        gemini.faults.append(Fault(kind="late", seconds=2.0))
        began = time.monotonic()
        early = (await app.memory.replies.contexts(public(G), [1]))[1]
        waited = time.monotonic() - began
        await app.memory.settle()
        late = (await app.memory.replies.contexts(public(G), [1]))[1]

    assert waited < 1.5  # of the 2 seconds that the answer takes
    assert (early.fallback, early.trouble) == (FallbackLevel.FACTS, "still being made")
    assert (early.text or "").startswith("Ann repairs kilns. Said today: ")
    assert late.fallback is FallbackLevel.FULL
    assert len([asked for asked in gemini.asked if asked.name == "Notes of a day"]) == 1


async def test_an_answer_that_comes_too_late_is_given_up(opened: Opener, gemini: GeminiStandIn, clock: Clock) -> None:
    """A model that hangs is left after its time limit; facts come."""
    async with opened(ai_timeout=0.1) as app:
        talk = Talk(app, clock)
        await talk.say(1, LONG)
        gemini.faults.append(Fault(kind="late", seconds=3))
        found = (await app.memory.replies.contexts(public(G), [1]))[1]

    assert found.fallback is FallbackLevel.PARTIAL
    assert "0.5 seconds" in (found.trouble or "")


# Audiences


async def test_a_restricted_channel_is_heard_inside_it_alone(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """What was said or told in a restricted channel is in no context outside it."""
    await talk.say(1, LONG)
    await talk.say(1, "the merger with Kilnworks is signed on Friday", channel_id=8, audience=8)
    await talk.say(1, "the budget is 90000 this year", clock.now - timedelta(days=2), channel_id=8, audience=8)
    await remember(app, talk, 1, "Ann leads the merger", channel_id=8, audience=8)
    outside = (await app.memory.replies.contexts(public(G), [1]))[1]
    elsewhere = (await app.memory.replies.contexts(await app.memory.guilds.public(G, 9), [1]))[1]
    inside = (await app.memory.replies.contexts(await app.memory.guilds.public(G, 8), [1]))[1]

    for context in (outside, elsewhere):
        assert "merger" not in (context.text or "")
        assert "90000" not in (context.text or "")
        assert not context.facts
    assert "merger with Kilnworks" in (inside.text or "")
    assert "90000" in (inside.text or "")
    assert "kiln controller" in (inside.text or "")
    outside_prompts = [asked for asked in gemini.asked if "kiln controller" in asked.data]
    assert all("merger" not in asked.data for asked in outside_prompts if asked.name == "Notes of a day")


@pytest.mark.parametrize("quota_out", [False, True])
async def test_a_channel_that_is_closed_takes_its_talk_with_it(
    app: App, talk: Talk, gemini: GeminiStandIn, quota_out: bool
) -> None:
    """When a channel becomes restricted, what was said there is told outside no more, AI or not."""
    place = Channel(guild_id=G, channel_id=7, name="seven")
    await app.memory.guilds.update_channel(place)
    await talk.say(1, "the merger with Kilnworks is signed on Friday")
    await remember(app, talk, 1, "Ann leads the merger", channel_id=7)
    assert "merger" in (await app.memory.get_memories(G, 1) or "")
    gemini.quota_out = quota_out
    assert await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=7, name="seven", audience=7))

    assert await app.memory.get_memories(G, 1, wait=0.3 if quota_out else None) is None
    assert "leads the merger" in (
        await app.memory.get_memories(
            G, 1, wait=0.3 if quota_out else None, viewer=await app.memory.guilds.public(G, 7)
        )
        or ""
    )
    await app.memory.guilds.update_channel(place)
    assert "leads the merger" in (await app.memory.get_memories(G, 1, wait=0.3 if quota_out else None) or "")


async def test_a_lost_database_is_no_empty_memory(app: App, talk: Talk) -> None:
    """Reads raise: what cannot be read is not "nothing known"."""
    from memory import DatabaseUnavailable

    await talk.say(1, LONG)
    await app.memory._core.store.database.close()
    with pytest.raises(DatabaseUnavailable):
        await app.memory.get_memories(G, 1)


async def test_facts_above_the_blobs_length_are_told_as_one_text(
    app: App, talk: Talk, gemini: GeminiStandIn, dsn: str
) -> None:
    """Facts that do not fit a context as they are become a blob by the small model, once for the same facts."""
    for n in range(20):
        await remember(app, talk, 1, f"Ann owns kiln number {n}, bought in the year {2000 + n}")
    gemini.asked.clear()
    text = await app.memory.get_memories(G, 1) or ""
    await app.memory.get_memories(G, 1)

    assert names(gemini).count("Facts as one text") == 1
    assert len((await query(dsn, "SELECT memory_blob FROM user_facts"))[0][0]) <= 400
    assert text


def test_a_member_has_every_name_once() -> None:
    """The name shown comes first, aliases last, none twice."""
    ann = Member(guild_id=1, user_id=1, display_name="Ann", username="ann77", global_name="Ann", aliases=("Anna",))

    assert ann.names == ("Ann", "ann77", "Anna")


async def test_a_refused_merge_is_split_and_not_asked_again(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """One member whose sources the model will not merge costs the others nothing, and is asked about once."""
    for user in (1, 2):
        await full_week(talk, clock, user)
        await remember(app, talk, user, f"user {user} has {LONG}")
    gemini.faults.append(Fault(kind="refused", only="Contexts"))
    gemini.faults.append(Fault(kind="refused", only="Contexts"))
    found = await app.memory.replies.contexts(public(G), [1, 2])
    asked = names(gemini).count("Contexts")
    await app.memory.replies.contexts(public(G), [1, 2])

    assert names(gemini).count("Contexts") == asked == 3
    assert all(len(found[user].text or "") <= 800 for user in (1, 2))
    assert "user 1 has" in (found[1].text or "")


async def test_a_build_does_not_bring_back_what_was_deleted_meanwhile(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock, dsn: str
) -> None:
    """A message that is deleted while the model reads it is in nothing that is stored or told afterwards."""
    secret = await talk.say(1, "my sister Rosalind elopes on Friday with the baker")
    await talk.say(1, "a word of today that is long enough")
    gemini.faults.append(Fault(kind="late", seconds=0.5))
    await app.memory.replies.contexts(public(G), [1], wait=0.1)
    await app.memory.messages.delete(G, [secret])
    await app.memory.messages.flush()
    await app.memory.settle()
    for table in ("notes", "contexts", "historical_summaries"):
        assert not [r for r in await query(dsn, f"SELECT * FROM {table}") if "Rosalind" in str(dict(r))]
    clock.on(minutes=2)

    text = await app.memory.get_memories(G, 1) or ""
    assert "a word of today" in text
    assert "Rosalind" not in text


@pytest.mark.parametrize("change", ["forget", "hide"])
async def test_a_question_does_not_join_a_build_from_before_a_change(
    app: App, talk: Talk, gemini: GeminiStandIn, change: str
) -> None:
    """What was forgotten or closed meanwhile is told neither to who waits, nor to who asks next."""
    await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=7, name="seven"))
    await talk.say(1, LONG)
    await remember(app, talk, 1, "Ann collects porcelain owls", channel_id=7)
    gemini.faults.append(Fault(kind="late", seconds=0.6, only="Notes of a day"))
    waiting = asyncio.create_task(app.memory.replies.contexts(public(G), [1]))
    await asyncio.sleep(0.2)
    if change == "forget":
        await app.memory.forgetting.forget(
            await viewer_of(app.memory, G, 1), talk.member(1), "Ann collects porcelain owls"
        )
    else:
        await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=7, name="seven", audience=7))
    asked_next = await app.memory.replies.contexts(public(G), [1])

    for found in (asked_next[1], (await waiting)[1]):
        assert not found.facts
        assert "owls" not in (found.text or "")


async def test_two_channels_that_open_with_the_same_fact(app: App, talk: Talk) -> None:
    """A fact that two restricted channels had is one when both are open, and opening succeeds."""
    for channel in (8, 9):
        await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=channel, name="c", audience=channel))
        await remember(app, talk, 1, "Ann sings alto", channel_id=channel, audience=channel)
    for channel in (8, 9):
        await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=channel, name="c"))

    assert [f.value for f in await app.memory.facts.list(await viewer_of(app.memory, G, 1), 1)] == ["Ann sings alto"]


async def test_a_fact_has_the_audience_of_its_channel_when_it_is_stored(app: App, talk: Talk) -> None:
    """A channel that closed while a statement was on its way takes the fact with it."""
    await app.memory.guilds.update_channel(Channel(guild_id=G, channel_id=8, name="eight", audience=8))
    await remember(app, talk, 1, "Ann sings alto", channel_id=8, audience=0)

    assert not await app.memory.facts.list(await viewer_of(app.memory, G, 1), 1)
    assert len(await app.memory.facts.list(await viewer_of(app.memory, G, 1, audience=8), 1)) == 1


async def test_a_deleted_message_that_no_summary_cites_is_told_no_more(
    app: App, talk: Talk, gemini: GeminiStandIn
) -> None:
    """A model that cites another message does not keep a deleted one alive."""
    secret = await talk.say(1, "my sister Rosalind elopes on Friday with the baker")
    await talk.say(1, "a word of today that is long enough")
    played = gemini.answer

    def without_evidence(asked):  # type: ignore[no-untyped-def]
        told = json.loads(played(asked))
        told["notes"] = [re.sub(r" \d+:", " 2:", line) for line in told.get("notes", [])]
        return json.dumps(told)

    gemini.answer = without_evidence
    assert "Rosalind" in (await app.memory.get_memories(G, 1) or "")
    gemini.quota_out = True
    await app.memory.messages.delete(G, [secret])
    await app.memory.messages.flush()

    assert "Rosalind" not in (await app.memory.get_memories(G, 1, wait=0.3) or "")


async def test_an_order_disturbs_no_build(app: App, talk: Talk, gemini: GeminiStandIn) -> None:
    """Orders come all the time: keeping one off the record neither drops what is cached nor spoils what is made."""
    await talk.say(1, LONG)
    gemini.faults.append(Fault(kind="late", seconds=0.4))
    waiting = asyncio.create_task(app.memory.replies.contexts(public(G), [1]))
    await asyncio.sleep(0.2)
    await app.memory.messages.keep_off_record(G, await talk.say(2, "Bot help"))
    await app.memory.messages.flush()

    assert (await waiting)[1].fallback is FallbackLevel.FULL
    assert (await app.memory.replies.contexts(public(G), [1]))[1].fallback is FallbackLevel.FULL
    assert names(gemini) == ["Notes of a day"]


async def test_caches_hold_little_of_a_member(app: App, talk: Talk, clock: Clock) -> None:
    """After nine days of talk and questions each hour, within 6.5 KB a member: what is past is not kept (seed 003)."""
    clock.set(2026, 11, 1, 8)
    for _ in range(9):
        for hour in range(10):
            for user in (1, 2):
                await talk.say(user, f"hour {hour} of the {clock.now.day}th: {LONG}")
            await app.memory.replies.contexts(public(G), [1, 2])
            clock.on(hours=1)
        clock.on(hours=14)
    held = [str(list(cache._cache.items())) for cache in app.memory._core.generations._caches]

    assert sum(map(len, held)) / 2 < 6_500, [len(text) for text in held]


async def test_what_a_model_makes_up_is_cut_out_of_every_level(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """A person, a name or a number of none of the sources costs an account its sentence; the facts stand untouched."""
    await week(talk, clock)
    for part in ("first", "second", "third"):
        await talk.say(1, f"{part}: {LONG}")
    fact = f"Ann repairs kilns in Tallinn since 2019, and {LONG}"
    await remember(app, talk, 1, fact)
    played = gemini.answer
    made_up = "lives in Oslo. has 17 cats. is married to @u9."

    def answer(asked):  # type: ignore[no-untyped-def]
        if asked.name == "Historical summaries":
            told = f"the thermocouple reads 14 degrees. {made_up}"
            return json.dumps({"members": [{"member": "u1", "summary": told.replace(" is married to @u9.", "")}]})
        if asked.name == "Contexts":
            told = f"the thermocouple reads 14 degrees too high. {made_up.replace('@u9', 'Zoe')}"
            return json.dumps({"members": [{"member": "u1", "context": told}]})
        return played(asked)

    gemini.answer = answer
    found = (await app.memory.replies.contexts(public(G), [1]))[1]
    text = found.text or ""

    assert text.startswith(f"{fact}. the thermocouple reads 14 degrees too high.")
    (before,) = [part.text for part in found.parts if part.level == "days 2-7"]
    assert before.startswith("the thermocouple reads 14 degrees.")
    for told in (text, before):
        assert "Oslo" not in told
        assert "17" not in told
        assert "Zoe" not in told


async def test_a_blob_tells_nothing_that_no_fact_tells(app: App, talk: Talk, gemini: GeminiStandIn, dsn: str) -> None:
    """The model's words for many facts lose what is in none of them; with fewer than half told, the newest stand."""
    for n in range(20):
        await remember(app, talk, 1, f"Ann owns kiln number {n}, which she bought in the year {2000 + n}")
    played = gemini.answer
    told = ["@u1 owns 20 kilns from Kaunas. @u1 bought kilns from 2000 to 2019.", "Lives in Kaunas."]
    gemini.answer = lambda asked: json.dumps({"text": told[0]}) if asked.name == "Facts as one text" else played(asked)
    await app.memory.get_memories(G, 1)
    assert (await query(dsn, "SELECT memory_blob FROM user_facts"))[0][0].endswith("bought in the year 2019.")
    await remember(app, talk, 1, "Ann sold kiln number 3")
    told.pop(0)
    await app.memory.get_memories(G, 1)
    assert (await query(dsn, "SELECT memory_blob FROM user_facts"))[0][0].endswith("<@1> sold kiln number 3.")


async def test_today_keeps_to_its_share_where_not_all_fits(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """A loud day does not drown the week: of today the notes worth most are told in the room that the week leaves."""
    await week(talk, clock)
    many = [f"u1 event 1 {n}: {'kiln number'} {n} reads {n + 10} degrees too high in the morning" for n in range(1, 13)]
    for n in range(1, 13):
        await talk.say(1, f"kiln number {n} reads {n + 10} degrees too high in the morning")
    played = gemini.answer
    gemini.answer = lambda asked: (
        json.dumps({"notes": many}) if "Tue 2026-11-10" in asked.sections.get("day", "") else played(asked)
    )
    found = (await app.memory.replies.contexts(public(G), [1]))[1]
    parts = {part.level: part.text for part in found.parts}

    assert 250 < len(parts["current day"]) <= 330
    assert 300 < len(parts["days 2-7"]) <= 500
    assert len(found.text or "") <= 800


async def test_days_that_fit_their_share_are_worded_by_no_model(
    app: App, talk: Talk, gemini: GeminiStandIn, clock: Clock
) -> None:
    """Where facts are many and the days few, the days stand as they were noted."""
    for n in range(20):
        await remember(app, talk, 1, f"Ann owns kiln number {n}, which she bought in the year {2000 + n}")
    await talk.say(1, "the relay board from Riga came at last", clock.now - timedelta(days=2))
    gemini.asked.clear()
    found = (await app.memory.replies.contexts(public(G), [1]))[1]

    assert "Historical summaries" not in names(gemini)
    assert "2026-11-08: said “the relay board from Riga came at last”." in (found.text or "")
