"""`urmom-bot memory …`: what is remembered of a member, for the one who runs the bot."""

from __future__ import annotations

import html
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated

import typer

from memory import (
    EVERYONE,
    Context,
    Member,
    MemoryManager,
    Message,
    Note,
    Query,
    Recalled,
    Receipt,
    SearchHit,
    Viewer,
    operator,
    private_files,
)
from memory.ai.prompts import rendered
from memory.ids import ALL_GUILDS, MAX_MESSAGE, ChannelId, GuildId, UserId
from memory.records import Conclusion, moment_of, text_of
from memory.rules.text import mentioned, with_names
from memory.store.schema import sandbox
from urmom_bot.app import database, open_app, utc_now
from urmom_bot.cli.arguments import Guild, User
from urmom_bot.cli.console import AsJson, StandIn, err, log_as, out, run_to_end, settings_of
from urmom_bot.cli.console import stand_in as stand_in_for
from urmom_bot.errors import BAD_SETTINGS, NO_FOLDER, StartupError
from urmom_bot.markup import plain, terminal
from urmom_bot.panels.privacy import readable_export
from urmom_bot.snowflakes import first_id
from urmom_bot.talk.people import resolve_name

Channel = Annotated[
    int,
    typer.Option(
        help="Show only what the bot would use in the channel with this id. Default: what everyone can read.",
        show_default=False,
    ),
]

memory_app = typer.Typer(no_args_is_help=True, help="Show, search, export and delete what the bot remembers.")

Yes = Annotated[bool, typer.Option("--yes", help="Don't ask for confirmation.")]
Now = Annotated[
    str | None,
    typer.Option(help="Answer as if it were this time, such as 2026-11-25T08:00 (UTC, unless you add an offset)."),
]


@memory_app.command()
def show(
    guild: Guild,
    user: User,
    now: Now = None,
    channel: Channel = 0,
    stand_in: StandIn = False,
    as_json: AsJson = False,
) -> None:
    """Show what the bot knows about a member, with its sources. This may make AI calls, and shows how many."""
    settings = settings_of()
    log_as(settings, "ERROR")
    moment = _moment(now) if now else None

    async def work() -> None:
        clock = _fixed(moment) if moment else utc_now
        async with AsyncExitStack() as stack:
            dsn = await stack.enter_async_context(database(settings))
            chosen = settings
            if stand_in:
                dsn = await stack.enter_async_context(sandbox(dsn))
                chosen = await stack.enter_async_context(stand_in_for(settings))
            built = await stack.enter_async_context(open_app(chosen, clock=clock, dsn=dsn))
            user_id = await _user(built.memory, guild, user)
            with err.status("Building what is missing …"):
                viewer = await _viewer(built.memory, guild, ChannelId(channel))
                found = await built.memory.replies.contexts(viewer, [user_id], wait=3_600)
            activity = await built.memory.replies.activity(viewer, user_id)
            await _print_context(built.memory, guild, found[user_id], activity, as_json)

    run_to_end(work())


async def _viewer(memory: MemoryManager, guild: GuildId, channel: ChannelId, asker: UserId | None = None) -> Viewer:
    """Who is asked for: a member or nobody in particular, before those who read a channel, or before everyone."""
    known = (await memory.guilds.channels(guild)).get(channel)
    if channel and known is None:
        raise StartupError(f"The bot knows no channel {channel} on this server. Check the id.", BAD_SETTINGS)
    viewer = await memory.guilds.public(guild, known.audience if known else EVERYONE)
    return viewer if asker is None else replace(viewer, user_id=asker)


@memory_app.command()
def search(
    question: Annotated[str, typer.Argument(help="Your question.")],
    guild: Guild,
    asker: Annotated[str | None, typer.Option("--as", help="The member who asks: “I” and “me” then mean them.")] = None,
    channel: Channel = 0,
    now: Now = None,
    limit: Annotated[int, typer.Option(min=1, max=200, help="The most results to show.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Search messages, notes and facts, best matches first."""
    settings = settings_of()
    log_as(settings, "ERROR")
    moment = _moment(now) if now else utc_now()

    async def work() -> None:
        async with open_app(settings) as built:
            memory = built.memory
            if not await memory.messages.count(guild):
                raise StartupError(
                    f"Nothing is stored for server {guild}. `urmom-bot servers` lists the servers.", BAD_SETTINGS
                )
            asker_id = await _user(memory, guild, asker) if asker else None
            viewer = await _viewer(memory, guild, ChannelId(channel), asker_id)
            query = Query(text=question, at=moment, before_id=first_id(moment) if now else MAX_MESSAGE)
            await _print_found(memory, await memory.replies.recall(viewer, query, limit=limit), guild, as_json)

    run_to_end(work())


async def _print_found(memory: MemoryManager, found: Recalled, guild: GuildId, as_json: bool) -> None:
    """What a search found, as rows or as JSON."""
    entries: list[tuple[SearchHit, float]] = [*found.conclusions, *found.facts, *found.notes, *found.messages]
    ids = {u for e, _ in entries for u in (e.user_id, *mentioned(text_of(e))) if u is not None}
    members = await memory.guilds.members(guild, ids)
    names = {u: m.display_name for u, m in members.items()}
    rows = []
    for entry, score in sorted(entries, key=lambda scored: scored[1], reverse=True):
        kind = type(entry).__name__.lower()
        at = moment_of(entry)
        if isinstance(entry, Message):
            text = html.unescape(rendered(entry, names, {}))
        else:
            text = with_names(text_of(entry), names)
        evidence = entry.evidence if isinstance(entry, Note | Conclusion) else (entry.message_id or 0,)
        rows.append(
            {
                "score": round(score, 2),
                "kind": kind,
                "at": at.isoformat(),
                "member": names.get(entry.user_id) if entry.user_id is not None else None,
                "text": text,
                "messages": [n for n in evidence if n],
            }
        )
    if as_json:
        print(json.dumps(rows, ensure_ascii=False, indent=1))
        return
    if not rows:
        out.print("Nothing found.", highlight=False)
    for row in rows:
        line = f"{row['score']:>5}  {str(row['at'])[:16]}  {row['kind']:<7}  {row['member'] or '-'}: {row['text']}"
        out.print(terminal(line), highlight=False, soft_wrap=True)


@memory_app.command()
def export(
    guild: Guild,
    user: User,
    to: Annotated[Path, typer.Option(help="The folder for the files.", file_okay=False)] = Path(),
    as_json: AsJson = False,
) -> None:
    """Export everything about a member: a JSON file for programs and a Markdown page for people."""
    settings = settings_of()
    log_as(settings, "ERROR")

    async def work() -> None:
        async with open_app(settings) as built:
            subject = await _member(built.memory, guild, user)
            (found,) = await built.memory.privacy.export(operator(guild), subject.user_id, guild)
            if as_json:
                print(json.dumps(found, ensure_ascii=False, indent=1))
                return
            name = to / f"urmom-bot-{guild}-{subject.user_id}"
            try:
                private_files.make_folder(to)
                private_files.write(name.with_suffix(".json"), json.dumps(found, ensure_ascii=False, indent=1))
                private_files.write(name.with_suffix(".md"), readable_export(found))
            except OSError as bad:
                raise StartupError(f"Cannot write to {to} ({bad.strerror}).", NO_FOLDER) from bad
            out.print(f"Wrote {name}.json and {name}.md.", highlight=False, soft_wrap=True)

    run_to_end(work())


@memory_app.command("import")
def import_export(
    file: Annotated[
        Path, typer.Argument(help="A JSON file from `urmom-bot memory export`.", exists=True, dir_okay=False)
    ],
    guild: Annotated[
        int | None, typer.Option(help="The id of the server to import into. Default: the one in the file.")
    ] = None,
) -> None:
    """Import the facts of an export.

    If this installation wrote the file, they come back as they were. Otherwise they count as told by you.
    Secrets and sensitive facts are then left out. It is safe to run this again.
    """
    settings = settings_of()
    log_as(settings, "ERROR")

    async def work() -> None:
        try:
            found = json.loads(file.read_text(encoding="utf-8"))
            exports = found if isinstance(found, list) else [found]
            if not all(isinstance(export, dict) for export in exports) or not exports:
                raise ValueError("it is not an export")
            if guild is not None and len(exports) > 1:
                raise ValueError("it has several servers, so leave out --guild")
            async with open_app(settings) as built:
                privacy, target = built.memory.privacy, None if guild is None else GuildId(guild)
                new = sum(
                    [await privacy.restore_export(operator(target or ALL_GUILDS), export, target) for export in exports]
                )
                is_own = all(privacy.is_own_export(export, target) for export in exports)
        except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as bad:
            raise StartupError(f"{file.name} is not a JSON file from `urmom-bot memory export`.", BAD_SETTINGS) from bad
        except (ValueError, KeyError, TypeError, AttributeError) as bad:
            raise StartupError(f"Cannot import {file.name}: {bad}.", BAD_SETTINGS) from bad
        live = sum(not fact.get("retired_at") for export in exports for fact in export["facts"])
        out.print(
            f"Stored {new} of {live} facts. The bot skips facts that it has, or that someone deleted.", highlight=False
        )
        if not is_own:
            out.print(
                "This installation didn't write the file, or not for that server: facts are saved as told by you,"
                " without secrets and sensitive ones."
            )

    run_to_end(work())


@memory_app.command()
def erase(guild: Guild, user: User, yes: Yes = False, as_json: AsJson = False) -> None:
    """Delete everything about a member and print a receipt."""
    settings = settings_of()
    log_as(settings, "ERROR")

    async def work() -> None:
        async with open_app(settings) as built:
            privacy, viewer = built.memory.privacy, operator(guild)
            subject = await _member(built.memory, guild, user)
            (stored,) = await privacy.stored(viewer, subject.user_id, guild)
            told = ", ".join(f"{name.replace('_', ' ')}: {n}" for name, n in stored.counts.items())
            _confirm(f"Delete everything about {plain(subject.display_name)} ({told})?", yes)
            (receipt,) = await privacy.erase(viewer, subject, guild)
            _print_receipt(receipt, as_json)

    run_to_end(work())


@memory_app.command()
def forget(
    guild: Guild,
    user: User,
    what: Annotated[str, typer.Argument(help="What to delete, in words, or a fact's number (#12).")],
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Delete one thing about a member, just as if they had deleted it, and list what was deleted."""
    settings = settings_of()
    log_as(settings, "ERROR")

    async def work() -> None:
        async with open_app(settings) as built:
            facts, forgetting, viewer = built.memory.facts, built.memory.forgetting, operator(guild)
            subject = await _member(built.memory, guild, user)
            _confirm(f"Delete “{what}” about {plain(subject.display_name)}?", yes)
            number = what.lstrip("#")
            if number.isdecimal():
                fact = await facts.get(viewer, int(number))
                if fact is None or fact.user_id != subject.user_id:
                    raise StartupError(
                        f"There is no fact #{number} about {subject.display_name}. `urmom-bot memory show` lists them.",
                        BAD_SETTINGS,
                    )
                done = await forgetting.strike(viewer, subject, [fact])
            else:
                done = await forgetting.forget(viewer, subject, what)
            for candidate in (*done.candidates, *done.nearest):
                err.print(f"#{candidate.fact_id} {terminal(candidate.value)}", highlight=False)
            if done.receipt is None:
                raise StartupError(
                    "Nothing was deleted: no single fact matches. Give its number; `urmom-bot memory show` lists them.",
                    BAD_SETTINGS,
                )
            _print_receipt(done.receipt, as_json)

    run_to_end(work())


def _confirm(question: str, yes: bool) -> None:
    """Ask, unless it is answered by --yes. Raises StartupError where nobody can be asked, Exit on a no."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise StartupError(
            "There is no terminal to ask for confirmation in. To delete without being asked, add --yes.", BAD_SETTINGS
        )
    if not typer.confirm(question, err=True):
        raise typer.Exit(1)


def _print_receipt(receipt: Receipt, as_json: bool) -> None:
    if as_json:
        print(json.dumps(receipt.as_json(), indent=2))
    else:
        removed = ", ".join(f"{table}: {n}" for table, n in receipt.removed.items()) or "nothing"
        out.print(f"Deleted: {removed}.", highlight=False)
        left = ", ".join(f"{table}: {n}" for table, n in receipt.found.items() if n)
        out.print(f"Searched {len(receipt.found)} places again. Still there: {left or 'nothing'}.", highlight=False)
    if not receipt.clean:
        sys.exit(1)


async def _member(memory: MemoryManager, guild_id: GuildId, user: str) -> Member:
    """Somebody, also one of whom no name is known any more."""
    if user.isdecimal():
        found = (await memory.guilds.members(guild_id, [UserId(int(user))])).get(UserId(int(user)))
        return found or Member(guild_id=guild_id, user_id=UserId(int(user)), display_name=user, username=user)
    return (await memory.guilds.members(guild_id))[await _user(memory, guild_id, user)]


def _fixed(moment: datetime) -> Callable[[], datetime]:
    """A clock that stands still."""
    return lambda: moment


def _moment(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise StartupError(
            f"--now: {text!r} is not a date and time. Write it like 2026-11-08T12:00.", BAD_SETTINGS
        ) from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


async def _user(memory: MemoryManager, guild_id: GuildId, user: str) -> UserId:
    members = await memory.guilds.members(guild_id)
    if not members:
        raise StartupError(
            f"Nothing is stored for server {guild_id}. `urmom-bot servers` lists the servers.", BAD_SETTINGS
        )
    if user.isdigit() and UserId(int(user)) in members:
        return UserId(int(user))
    found = resolve_name(user, next(iter(members.values())), members)
    if found.member is None:
        names = ", ".join(f"{m.display_name} ({m.user_id})" for m in found.could_be)
        raise StartupError(
            f"{user!r} could be any of these: {names}. Use an id."
            if names
            else f"This server has no member called {user!r}. `urmom-bot members --guild {guild_id}` lists them.",
            BAD_SETTINGS,
        )
    return found.member.user_id


async def _print_context(
    memory: MemoryManager, guild_id: GuildId, context: Context, activity: Mapping[date, int], as_json: bool
) -> None:
    member = (await memory.guilds.members(guild_id)).get(context.user_id)
    names = member.names if member else ()
    if as_json:
        print(json.dumps(_context_json(guild_id, names, context, activity), ensure_ascii=False, indent=2))
        return
    out.rule(f"{', '.join(names) or context.user_id} ({context.user_id})", align="left")
    nothing = "There is no summary of these days." if activity else "Nothing is stored from these days."
    out.print(terminal(context.text or nothing), highlight=False)
    last = await memory.messages.last_written(guild_id, context.user_id)
    if not activity and last is not None:
        out.print(
            f"Their last message is from {last:%Y-%m-%d}. To see that time, add --now {last:%Y-%m-%dT%H:%M}.",
            highlight=False,
        )
    out.print(
        f"\n[bold]Fallback level[/bold]: {context.fallback.value}"
        + (f" ({context.trouble})" if context.trouble else "")
    )
    for fact in context.facts:
        out.print(
            f"[bold]Fact #{fact.fact_id}[/bold] {terminal(fact.value)} (told by {fact.stated_by})", highlight=False
        )
    for part in context.parts:
        out.print(f"\n[bold]{part.level}[/bold], from {part.origin}:", highlight=False)
        out.print(terminal(part.text), highlight=False)
        if part.evidence:
            out.print(f"[dim]messages {', '.join(map(str, part.evidence))}[/dim]", highlight=False)
    if activity:
        days = ", ".join(f"{day} ({count})" for day, count in sorted(activity.items()))
        out.print(f"\n[bold]Messages by day[/bold]: {days}", highlight=False)
    spent = context.spent
    out.print(
        f"[bold]AI calls now[/bold]: {spent.calls} (tokens sent: {spent.tokens_in}, received: {spent.tokens_out})"
    )


def _context_json(
    guild_id: GuildId, names: Sequence[str], context: Context, activity: Mapping[date, int]
) -> dict[str, object]:
    """A context with everything it came from."""
    return {
        "guild": guild_id,
        "user": context.user_id,
        "names": list(names),
        "context": context.text,
        "fallback": context.fallback.value,
        "trouble": context.trouble,
        "facts": [
            {
                "number": fact.fact_id,
                "fact": fact.value,
                "key": fact.key,
                "told_by": fact.stated_by,
                "quote": fact.quote,
                "channel": fact.channel_id,
                "message": fact.message_id,
                "created_at": fact.created_at.isoformat(),
            }
            for fact in context.facts
        ],
        "parts": [
            {"level": part.level, "text": part.text, "origin": part.origin, "messages": list(part.evidence)}
            for part in context.parts
        ],
        "activity": {str(day): count for day, count in sorted(activity.items())},
        "spent": {
            "calls": context.spent.calls,
            "tokens_in": context.spent.tokens_in,
            "tokens_out": context.spent.tokens_out,
        },
    }
