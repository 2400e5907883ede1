"""Talk: one call of the AI says what is wanted and answers, given what was said, found and remembered."""

from __future__ import annotations

import asyncio
import html
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, timedelta

from babel.dates import format_date
from cachetools import TTLCache

from memory import Context, Exchange, Given, Member, MemoryManager, Message, Recalled, SearchHit
from memory.ai import AIError, AIRefused, AIUnusable, BudgetUsed, NoAI, QuotaExhausted, ShareUsed, Tool
from memory.ai.media import picture_tokens
from memory.ids import ChannelId, GuildId, UserId
from memory.records import GivenEntries
from memory.rules import content_policy
from memory.rules.names import Names, with_ids
from memory.rules.text import mentioned, with_names
from urmom_bot.actions import Action
from urmom_bot.attachments import NOTHING_ATTACHED, Attached, Attachment, prepare
from urmom_bot.markup import Markup, from_model, joined, line, moment
from urmom_bot.talk import grammar, presenting, prompts
from urmom_bot.talk.characters import words_of
from urmom_bot.talk.knowing import Knower
from urmom_bot.talk.proposals import Proposal, proposed
from urmom_bot.talk.requests import Reply, Request
from urmom_bot.talk.texts import Texts
from urmom_bot.talk.tools import TOOLS, Perform, Tools
from urmom_bot.viewing import Viewing
from urmom_bot.views import fact_view

log = logging.getLogger(__name__)

FILES_SECONDS = 900
"""Seconds for which a talk's files go along with later questions."""

MAX_KEPT_FILES = 8
"""Requests with files that are kept for a channel, at the most."""

MAX_EARLIER = 3
"""Messages of a talk whose files go along with a later question, at the most."""

NEIGHBOUR_LINES = 2
"""Lines before and after the message that is answered."""

PEOPLE_LINES = 10
"""The best lines found whose people are concerned."""

TALKED_OF = 4
"""Last turns of a talk that tell of whom an answer speaks without naming them."""

SOURCES = 3
"""Links to what an answer rests on, at the most."""

WISHES = ("remember", "forget")
"""What a model may see in a message that changes something."""


@dataclass(frozen=True, kw_only=True)
class Gathered:
    """What a reply may be given: the talk, what a search found, the contexts of those concerned, and names."""

    names: prompts.PromptNames
    talk: prompts.Talk = field(default_factory=prompts.Talk)
    recalled: Recalled = field(default_factory=Recalled)
    contexts: Mapping[UserId, Context] = field(default_factory=dict)
    conversation: prompts.Conversation = field(default_factory=prompts.Conversation)
    attached: Attached = NOTHING_ATTACHED
    character: str = ""


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """A model's answer, what it was given, and the calls that it took."""

    gathered: Gathered
    asked: prompts.ReplyPrompt
    replied: prompts.PlainReply
    calls: int


class Chatter:
    """Gathers what a reply is given, asks once, and says what came of it."""

    def __init__(
        self,
        memory: MemoryManager,
        knower: Knower,
        viewing: Viewing,
        bot_name: str,
        *,
        asks_about_inferred: bool,
    ) -> None:
        self._memory = memory
        self._knower = knower
        self._viewing = viewing
        self._bot_name = bot_name
        self._asks_about_inferred = asks_about_inferred
        self._with_files: TTLCache[ChannelId, tuple[Request, ...]] = TTLCache(
            1_000, ttl=FILES_SECONDS, timer=lambda: memory.clock().timestamp()
        )

    async def reply(
        self, request: Request, texts: Texts, exchange: Exchange | None, perform: Perform | None = None
    ) -> Reply | Proposal:
        """Answer a message, or say which command it may be; `perform` carries out what a model's tools ask for.

        Raises DatabaseUnavailable.
        """
        if (known := await self._known(request, texts, exchange)) is not None:
            return known
        gathered = await self._gathered(request, exchange)
        tools = Tools(request, self._knower, texts, perform) if perform is not None and not request.is_direct else None
        asked = self._asked(request, gathered, TOOLS if tools is not None else ())
        try:
            given_back = await self._memory.ai.ask(asked.prompt, tools.run if tools is not None else None)
        except AIError as trouble:
            if tools is not None and tools.done:
                return tools.confirmed(Markup())
            return await self._without_ai(request, gathered, trouble, texts)
        told = Attempt(gathered=gathered, asked=asked, replied=given_back.value, calls=given_back.spent.calls)
        if tools is None and not request.is_direct and told.replied.looked_for:
            told = await self._looked_again(request, told)
        asked, answered = told.asked, told.replied
        text = await self._told(request, told, tools.texts if tools is not None else ())
        if tools is not None and tools.done:
            return tools.confirmed(text)
        if not request.is_direct and isinstance(answered, prompts.Replied):
            wanted = proposed(answered.action, answered.subject, answered.statement, request.text)
            if wanted is not None:
                return wanted
        if not answered.answer.strip() and isinstance(answered, prompts.Replied) and answered.action in WISHES:
            return Reply(text=texts("say_the_wish"))  # the model saw a wish where code sees none
        if not text:
            return Reply(text=texts("not_told" if answered.answer.strip() else "ai_unusable"))
        if exchange is not None:
            self._memory.conversations.note_cost(exchange, asked.spent, told.calls)
            self._memory.conversations.detected(exchange, gathered.conversation.background.index, answered.topic)
        if request.is_direct:
            is_first = exchange is not None and exchange.turn.number == 1
            notice = [line("-# {}", texts("direct_session"))] if is_first else []
            return Reply(text=joined((text, *notice)), spoken=text)
        found = tools.found if tools is not None else ()
        return await self._answer(request, texts, told, text, found, asks=exchange is not None)

    async def _looked_again(self, request: Request, first: Attempt) -> Attempt:
        """Search with the words of a line that an answer missed, and ask once more.

        The first answer stands where nothing else is found, where the quota has no room, or where the model fails.
        """
        wait = self._memory.replies.wait
        looked = await self._recalled(request, wait, f"{request.text} {first.replied.looked_for}")
        names = await self._with_names_of(request, first.gathered.names, looked)
        asked = prompts.again(first.asked, first.replied, looked=looked, before=first.gathered.recalled, names=names)
        if asked is None:
            return first
        try:
            given_back = await self._memory.ai.ask(asked.prompt)
        except AIError as trouble:
            log.info("guild %d: no second look (%s)", request.guild_id, type(trouble).__name__)
            return first
        calls = first.calls + given_back.spent.calls
        if not given_back.value.answer.strip():
            return replace(first, calls=calls)
        gathered = replace(first.gathered, names=names)
        return Attempt(gathered=gathered, asked=asked, replied=given_back.value, calls=calls)

    async def _with_names_of(
        self, request: Request, names: prompts.PromptNames, looked: Recalled
    ) -> prompts.PromptNames:
        """The names of a prompt, and of everyone in what was looked for since."""
        people = {u for m, _ in looked.messages for u in (m.user_id, *m.addressees, *mentioned(m.text))}
        more = await self._memory.guilds.members(request.guild_id, people - set(names.members))
        return replace(names, members={**names.members, **more})

    async def _told(self, request: Request, answered: Attempt, found: Sequence[str]) -> Markup:
        """A model's answer as members may read it.

        Through the gate, with links of what it was given and nothing that shames another member; and without what was
        forgotten, which a model may have from somebody's words since.
        """
        gathered, asked, answer = answered.gathered, answered.asked, answered.replied.answer
        given = "\n".join((html.unescape(asked.prompt.data), *(text for _, text in asked.prompt.turns), *found))
        known = dict(gathered.names.members)
        if not request.is_direct and content_policy.may_shame(answer, request.text):
            # whoever it names, a talk away or never there
            known |= await self._memory.guilds.find_named(request.guild_id, answer)
        others = [m for u, m in known.items() if u != request.speaker.user_id]
        names = [n for m in others for n in (*m.names, f"<@{m.user_id}", f"<@!{m.user_id}") if len(n) > 2]
        told = content_policy.clean_answer(answer, f"{request.text}\n{given}", names, request.text)
        if request.is_direct:
            return from_model(told)
        before = [turn.text for turn in gathered.conversation.window[-TALKED_OF:]]
        if request.quoted is not None:
            before.append(request.quoted.text)
        return from_model(
            await self._memory.replies.without_forgotten(request.viewer, told, request=request.text, before=before)
        )

    def _asked(self, request: Request, gathered: Gathered, tools: Sequence[Tool]) -> prompts.ReplyPrompt:
        """The prompt of a reply."""
        return prompts.reply(
            request.guild_id,
            bot_name=self._bot_name,
            speaker=gathered.names.members.get(request.speaker.user_id, request.speaker),
            text=request.text,
            at=request.at,
            message_id=request.message_id,
            contexts={u: c.text for u, c in gathered.contexts.items() if c.text},
            talk=gathered.talk,
            recalled=gathered.recalled,
            names=gathered.names,
            conversation=gathered.conversation,
            facts=own.facts if (own := gathered.contexts.get(request.speaker.user_id)) is not None else (),
            tools=tools,
            attached=gathered.attached,
            character=gathered.character,
        )

    async def _answer(
        self,
        request: Request,
        texts: Texts,
        answered: Attempt,
        text: Markup,
        found: Sequence[SearchHit],
        *,
        asks: bool,
    ) -> Reply:
        """An answer with links to what it rests on, and with a question to the speaker where one is due."""
        gathered, asked = answered.gathered, answered.asked
        given = self._memory.replies.given_by(request.viewer, {u: gathered.contexts[u] for u in asked.contexts})
        entries = [*asked.found.values(), *found]
        numbers = [n for n in dict.fromkeys(answered.replied.sources) if n in asked.found][:SOURCES]
        sources = await self._sources(request, [asked.found[n] for n in numbers], gathered.names.members, texts)
        ask, actions = await self._confirmation(request, gathered, texts) if asks else ((), ())
        return Reply(
            text=joined((text, *sources, *ask)),
            spoken=with_ids(text, Names(gathered.names.members.values()).whose),
            named=tuple(gathered.recalled.people) if not request.files else None,
            given=replace(
                given,
                found=GivenEntries.from_hits(entries) if entries else None,
                shown=tuple({*asked.messages, *(e.message_id for e in entries if isinstance(e, Message))}),
            ),
            actions=actions,
        )

    async def _known(self, request: Request, texts: Texts, exchange: Exchange | None) -> Reply | None:
        """The answer that the question got before, where it still stands: no model is asked (seed 002, §5)."""
        if exchange is None or request.is_direct or request.replied_id is not None or request.files:
            return None
        if request.channel_id in self._with_files:  # it may be about what was shown a moment ago
            return None
        known = await self._memory.conversations.known_answer(request.viewer, exchange, request.text)
        if known is None:
            return None
        notice = [line("-# {}", texts("answered_before"))] if known.is_repeat else []
        members = await self._memory.guilds.members(request.guild_id, mentioned(known.stored))
        told = from_model(with_names(known.stored, {u: presenting.named(m) for u, m in members.items()}))
        return Reply(text=joined((*notice, told)), spoken=known.stored, given=known.given)

    async def _confirmation(
        self, request: Request, gathered: Gathered, texts: Texts
    ) -> tuple[tuple[Markup, ...], tuple[Action, ...]]:
        """A question about something gathered of the speaker, or that may have changed, with what to press; or nothing.

        Each is asked about once.
        """
        if not self._asks_about_inferred:
            return (), ()
        conversations, viewer = self._memory.conversations, request.viewer
        if (fact := await conversations.ask_about(viewer)) is not None:
            question, names = texts("gathered", fact=fact.value), {"confirm", "strike"}
        else:
            context = gathered.contexts.get(viewer.user_id)
            change = await conversations.ask_about_change(viewer, context.changes) if context is not None else None
            if change is None:
                return (), ()
            fact, names = change.fact, {"confirm", "correct", "strike"}
            day = format_date(change.note.at.astimezone(gathered.names.tz), "long", locale=texts.language)
            question = texts("changed", date=day, note=change.note.text, fact=fact.value)
        view = fact_view(viewer, fact, self._memory.facts.standing(fact), page=0)
        return (line("-# {}", question),), tuple(action for action in view.actions if action.name in names)

    async def _gathered(self, request: Request, exchange: Exchange | None) -> Gathered:
        """What was said, found and remembered, within the time that memory may take."""
        conversation = _conversation(exchange)
        if request.is_direct:
            members = {request.speaker.user_id: request.speaker}
            names = prompts.PromptNames(members=members, channels={}, tz=UTC)
            attached = await self._attached(request, conversation)
            return Gathered(names=names, conversation=conversation, attached=attached)
        guild_id, start = request.guild_id, asyncio.get_running_loop().time()
        wait = self._memory.replies.wait
        await self._memory.messages.flush(within=wait)  # what was said a moment ago is there when it is answered
        left = max(wait - (asyncio.get_running_loop().time() - start), 0.05)
        talk, recalled, attached = await asyncio.gather(
            self._talk(request), self._recalled(request, left, request.text), self._attached(request, conversation)
        )
        asked = self._concerned(request, recalled)
        left = max(wait - (asyncio.get_running_loop().time() - start), 0.05)
        contexts = await self._memory.replies.contexts(request.viewer, asked, wait=left)
        if exchange is not None:
            background = await self._memory.conversations.background(request.viewer, exchange, recalled)
            conversation = replace(conversation, background=background)
        people = _people(request, talk, recalled, contexts, conversation)
        members = await self._memory.guilds.members(guild_id, people)
        members |= {m.user_id: _with_aliases(m, members) for m in (request.speaker, *request.mentioned)}
        names = prompts.PromptNames(
            members=members,
            channels=await self._memory.guilds.channel_names(request.viewer),
            tz=await self._memory.guilds.time_zone(guild_id),
        )
        return Gathered(
            talk=talk,
            recalled=recalled,
            contexts=contexts,
            names=names,
            conversation=conversation,
            attached=attached,
            character=words_of((await self._memory.guilds.rules(guild_id)).character),
        )

    async def _attached(self, request: Request, conversation: prompts.Conversation) -> Attached:
        """What comes with a request, as the model takes it.

        Where nothing comes with it, what came with the last messages of the talk that stand in the prompt.
        """
        files: Sequence[Attachment]
        if request.files:
            before = [one for one in self._recent_files(request) if one.message_id != request.message_id]
            self._with_files[request.channel_id] = (request, *before[: MAX_KEPT_FILES - 1])
            files = await self._readable(request)
        else:
            in_talk = {turn.message_id for turn in conversation.window}
            earlier = [one for one in self._recent_files(request) if one.message_id in in_talk]
            files = [file for one in earlier[:MAX_EARLIER] for file in await self._earlier(one)]
        if not files:
            return NOTHING_ATTACHED
        ai = self._memory.ai
        return await prepare(files, request.text, takes=ai.takes, picture_tokens=picture_tokens(ai.model))

    def _recent_files(self, request: Request) -> list[Request]:
        """The last requests with files in a request's channel, the newest first."""
        since = request.at - timedelta(seconds=FILES_SECONDS)
        return [one for one in self._with_files.get(request.channel_id, ()) if one.at >= since]

    async def _readable(self, request: Request) -> Sequence[Attachment]:
        """The files of a request; of somebody else's message only where it may be read."""
        if request.quoted is None or await self._may_read(request.guild_id, request.quoted.author.user_id):
            return request.files
        return [file for file in request.files if not file.by]

    async def _earlier(self, request: Request) -> Sequence[Attachment]:
        """An earlier request's files, each with whose it is; without those that their message lost meanwhile."""
        files = await self._still_there(request, await self._readable(request))
        return [replace(file, is_earlier=True, by=file.by or request.speaker.display_name) for file in files]

    async def _still_there(self, request: Request, files: Sequence[Attachment]) -> Sequence[Attachment]:
        """An earlier request's files without those of a message it quoted, where that lost them or is gone."""
        if request.quoted is None or request.is_direct or not any(file.by for file in files):
            return files
        around = await self._memory.messages.around(request.viewer, request.quoted.message_id, 0)
        stored = next((m for m in around if m.message_id == request.quoted.message_id), None)
        kept = {file.file_id for file in stored.files} | {0} if stored is not None else set()
        return [file for file in files if not file.by or file.file_id in kept]

    async def _recalled(self, request: Request, wait: float, question: str) -> Recalled:
        try:
            async with asyncio.timeout(wait):
                return await self._knower.found(request, question)
        except TimeoutError:
            log.info("guild %d: the search took too long for a reply", request.guild_id)
            return Recalled()

    async def _talk(self, request: Request) -> prompts.Talk:
        recent = await self._memory.messages.recent(request.viewer, request.channel_id, request.message_id)
        if request.replied_id is None:
            return prompts.Talk(recent=recent)
        around = await self._memory.messages.around(request.viewer, request.replied_id, NEIGHBOUR_LINES)
        answered = next((m for m in around if m.message_id == request.replied_id), None)
        quoted = request.quoted
        if answered is None and quoted is not None and await self._may_read(request.guild_id, quoted.author.user_id):
            answered = Message(
                guild_id=request.guild_id,
                message_id=quoted.message_id,
                channel_id=request.channel_id,
                user_id=quoted.author.user_id,
                text=quoted.text,
                timestamp=request.at,
                author_kind=quoted.author.author_kind,
            )
            answered = next(iter(await self._memory.messages.without_forgotten(request.viewer, [answered])), None)
        return prompts.Talk(recent=recent, answered=answered, around=around)

    async def _may_read(self, guild_id: GuildId, user_id: UserId) -> bool:
        """Whether somebody's words may be sent to a model, where they are not stored."""
        return (await self._memory.privacy.choice(guild_id, user_id)).keeps_messages

    def _concerned(self, request: Request, recalled: Recalled) -> list[UserId]:
        """Whose memory enters: the speaker, whom they answer, whom they name, who appears in what was found."""
        appearing: Counter[UserId] = Counter()
        for message, _ in recalled.messages[:PEOPLE_LINES]:
            appearing.update({message.user_id, *message.addressees} if message.author_kind == "member" else ())
        answered = [request.quoted.author.user_id] if request.quoted else []
        often = [user_id for user_id, count in appearing.most_common() if count > 1]
        named = [m.user_id for m in request.mentioned]
        concerned = dict.fromkeys((request.speaker.user_id, *answered, *named, *recalled.people, *often))
        return list(concerned)[: prompts.PEOPLE]

    async def _sources(
        self, request: Request, entries: Sequence[SearchHit], members: Mapping[UserId, Member], texts: Texts
    ) -> list[Markup]:
        """A line with links to what an answer rests on, or none."""
        links = [await self._knower.linked(request, entry, members, texts) for entry in entries]
        shown = list(dict.fromkeys(filter(None, links)))
        return [line("-# ↪ {}", joined(shown, " · "))] if shown else []

    async def _without_ai(self, request: Request, gathered: Gathered, trouble: AIError, texts: Texts) -> Reply:
        """What can be told without an AI: to a question the lines that were found, else facts."""
        if isinstance(trouble, NoAI) and grammar.greets(request.text):
            return Reply(text=texts("hello_no_ai"), off_record=True)
        told, contexts = [self._trouble(trouble, texts)], gathered.contexts
        if request.is_direct:
            return Reply(text=told[0], off_record=True)
        if grammar.is_question(request.text):
            found = await self._knower.lines(request, gathered.recalled, texts)
            if found is not None:
                text = joined((*told, texts("found_anyway", lines=found.text)))
                return Reply(text=text, off_record=True, given=Given(found=GivenEntries.from_hits(found.entries)))
        named = [u for u in (*(m.user_id for m in request.mentioned), *gathered.recalled.people) if u in contexts]
        if not named and not grammar.is_question(request.text):
            return Reply(text=told[0], off_record=True)  # who says thanks did not ask what is known of them
        # Who asks about something else did not ask for their own facts, and others read along.
        subjects = named
        if facts := [f for u in subjects if u in contexts for f in contexts[u].facts][:5]:
            listed = await self._viewing.listed(request.viewer, facts)
            told.append(texts("known_anyway", facts=presenting.fact_lines(listed, texts)))
        shown = {u: contexts[u] for u in subjects if u in contexts}
        given = self._memory.replies.given_by(request.viewer, shown)
        return Reply(text=joined(told), off_record=True, given=given)

    def _trouble(self, failed: AIError, texts: Texts) -> Markup:
        if isinstance(failed, QuotaExhausted):
            return texts("quota_out", until=moment(self._memory.clock() + timedelta(seconds=failed.retry_after)))
        if isinstance(failed, BudgetUsed):
            return texts("budget_used", until=moment(self._memory.clock() + timedelta(seconds=failed.retry_after)))
        if isinstance(failed, ShareUsed):
            return texts(
                "share_used", until=moment(self._memory.clock() + timedelta(seconds=failed.retry_after + 1), "R")
            )
        if isinstance(failed, NoAI):
            return texts("no_ai")
        if isinstance(failed, AIUnusable):
            return texts("ai_unusable")
        return texts("ai_refused" if isinstance(failed, AIRefused) else "ai_away")


def _conversation(exchange: Exchange | None) -> prompts.Conversation:
    """What of a session a prompt carries."""
    if exchange is None:
        return prompts.Conversation()
    return prompts.Conversation(
        window=exchange.window,
        segments=exchange.segments,
        earlier=exchange.earlier,
        covered=exchange.covered,
        sources=exchange.sources,
        just_told=exchange.just_told,
    )


def _people(
    request: Request,
    talk: prompts.Talk,
    recalled: Recalled,
    contexts: Mapping[UserId, Context],
    conversation: prompts.Conversation,
) -> set[UserId]:
    """Everyone who has a name in the prompt."""
    background = conversation.background
    drawn = [*(c for c, _ in recalled.conclusions), *background.loose, *background.lines]
    lines = [*talk.recent, *talk.around, *filter(None, [talk.answered]), *(m for m, _ in recalled.messages)]
    texts = [*(m.text for m in lines), *(n.text for n, _ in recalled.notes), *(f.value for f, _ in recalled.facts)]
    texts += [*(c.text for c in drawn), *(t.text for t in conversation.window)]
    return {
        request.speaker.user_id,
        *contexts,
        *recalled.people,
        *(user_id for m in lines for user_id in (m.user_id, *m.addressees)),
        *(n.user_id for n, _ in recalled.notes if n.user_id is not None),
        *(t.user_id for t in (*conversation.window, *conversation.earlier) if t.user_id),
        *(user_id for text in (request.text, *texts) for user_id in mentioned(text)),
    }


def _with_aliases(member: Member, known: Mapping[UserId, Member]) -> Member:
    """A member as Discord names them now, with the aliases that facts gave them."""
    return replace(member, aliases=known[member.user_id].aliases) if member.user_id in known else member
