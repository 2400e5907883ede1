"""The protocol: a prompt in, a validated result out, or one of four errors."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from memory.ai.media import Media, MediaKind
from memory.ids import GuildId, MessageId, UserId
from memory.records import Spent
from memory.rules.text import fingerprint, tokens

T = TypeVar("T", bound=BaseModel)


class AITrouble(StrEnum):
    """A lasting reason why a model answers nobody, such as a wrong key."""

    NO_KEY = "no_key"
    BAD_KEY = "bad_key"
    UNKNOWN_MODEL = "unknown_model"
    MINUTE_OUT = "minute_out"
    DAY_OUT = "day_out"
    UNREACHABLE = "unreachable"


class AIError(Exception):
    """A model gave no usable answer; the subclass says why."""

    trouble: AITrouble | None = None
    """What is wrong with the model itself; None where only this prompt or answer is."""

    def __str__(self) -> str:
        return super().__str__() or (self.__doc__ or "").strip()


class QuotaExhausted(AIError):
    """The AI's quota is used up."""

    def __init__(self, message: str = "", *, retry_after: float, whole_day: bool = False) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.whole_day = whole_day
        self.trouble = AITrouble.DAY_OUT if whole_day else AITrouble.MINUTE_OUT


class ShareUsed(AIError):
    """Who asks has used their share of the AI for now; others have theirs."""

    def __init__(self, message: str = "", *, retry_after: float) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class MediaShareUsed(ShareUsed):
    """What pictures and voice messages may take of the day's quota is used."""


class BudgetUsed(ShareUsed):
    """The server has used what it allows itself of the AI today."""


class AIUnavailable(AIError):
    """The AI does not answer."""

    trouble = AITrouble.UNREACHABLE


class KeyRefused(AIUnavailable):
    """The AI does not accept the key."""

    trouble = AITrouble.BAD_KEY


class UnknownModel(AIUnavailable):
    """The AI has no model of this name."""

    trouble = AITrouble.UNKNOWN_MODEL


class NotAccepted(AIUnavailable):
    """The AI does not accept the request: something in it is not as it wants it."""


class NoAI(AIUnavailable):
    """No AI is set up."""

    trouble = AITrouble.NO_KEY


class AIRefused(AIError):
    """The AI declined to answer this."""


class AIUnusable(AIError):
    """The AI's answer is not of the form that was asked for."""

    def __init__(self, message: str = "", *, cut_off: bool = False) -> None:
        super().__init__(message)
        self.cut_off = cut_off


_SECTION = re.compile(r"<(\w{1,30})(-[0-9a-f]{6})>\n(.*?)\n</\1\2>", re.DOTALL)
"""A section of a prompt's data, between tags that carry a random word."""

USER, MODEL = "user", "model"
"""Who speaks a turn of a prompt."""


class Role(StrEnum):
    """Which model is asked: `BATCH` reads whole days, `SMALL` does everything else."""

    BATCH = "batch"
    SMALL = "small"


class Priority(StrEnum):
    """What goes first where a quota is short.

    Who waits for an answer, then what is known of people, then digests, then what pictures show, then what nobody
    asked for.
    """

    REPLY = "reply"
    MEMORY = "memory"
    DIGEST = "digest"
    MEDIA = "media"
    AHEAD = "ahead"


@cache
def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a form, made once; it is not to be changed."""
    return model.model_json_schema()


@lru_cache(256)
def _version(name: str, instructions: str, result: type[BaseModel]) -> str:
    return fingerprint(name, instructions, str(schema_of(result)))


@dataclass(frozen=True, kw_only=True)
class Tool:
    """Something a model may ask to have done, with the form of what it is given."""

    name: str
    description: str
    parameters: type[BaseModel]

    @property
    def schema(self) -> dict[str, Any]:
        """The form of its arguments, as JSON schema."""
        return schema_of(self.parameters)


@dataclass(frozen=True, kw_only=True)
class ToolCall:
    """A model's wish to have a tool used, with its provider's number and signature where it has any."""

    name: str
    arguments: Mapping[str, Any]
    call_id: str = ""
    signature: bytes = b""


ToolRun = Callable[[ToolCall], Awaitable[str]]
"""Does what a model asks for, and says in words what came of it. It is called for several at once (seed 002)."""

ROUNDS = 3
"""Rounds in which a model may use tools before it must answer (seed 000)."""


@dataclass(frozen=True, kw_only=True)
class Prompt(Generic[T]):
    """One question to a model.

    `instructions` are fixed words, `data` is what they are about: user text, escaped. `turns` are what was said before,
    sent as turns of their own between the two, so that a provider can cache them. `patience` is
    how many seconds the question may wait for a minute's quota to renew, `time_limit` how many its answer
    may take where that is less than usual; `guild_id` is whose it is.
    """

    name: str
    instructions: str
    data: str
    result: type[T]
    guild_id: GuildId
    messages: tuple[MessageId, ...] = ()
    """The messages whose words it carries, so that their authors can see that."""
    members: tuple[UserId, ...] = ()
    """Members whose words, or what is known of them, it carries beside these messages."""
    role: Role = Role.SMALL
    priority: Priority = Priority.MEMORY
    turns: tuple[tuple[str, str], ...] = ()
    tools: tuple[Tool, ...] = ()
    """What the model may have done; a model that knows no tools is not told of them."""
    media: tuple[Media, ...] = ()
    """What goes with the data, before it: only what the model takes."""
    is_coarse: bool = False
    """Whether pictures are looked at for few tokens, where the model lets one choose."""
    used: tuple[tuple[ToolCall, str], ...] = ()
    """The tools it used until now, each with what came of it."""
    must_answer: bool = False
    """Whether it may use no more of them."""
    temperature: float = 0.0
    max_output_tokens: int = 2_000
    patience: float = 90.0
    time_limit: float | None = None

    @property
    def version(self) -> str:
        """A fingerprint of the prompt's instructions and result type, stored with what is derived by it."""
        return _version(self.name, self.instructions, self.result)

    @property
    def tokens(self) -> int:
        """An estimate of the tokens sent."""
        used = sum(tokens(str(call.arguments)) + tokens(result) for call, result in self.used)
        told = sum(tokens(tool.description) + tokens(str(tool.schema)) for tool in self.tools)
        turns = sum(tokens(text) + 4 for _, text in self.turns)
        seen = sum(one.tokens for one in self.media)
        return tokens(self.instructions) + tokens(self.data) + turns + told + used + seen

    @property
    def parts(self) -> dict[str, int]:
        """An estimate of the tokens of each part: the instructions, each section of the data, and the rest."""
        found = {"instructions": tokens(self.instructions)}
        found |= {section[1]: tokens(section[3]) for section in _SECTION.finditer(self.data)}
        if self.turns:
            found["turns"] = sum(tokens(text) + 4 for _, text in self.turns)
        if rest := self.tokens - sum(found.values()):
            found["else"] = max(rest, 0)
        return found

    @property
    def contents(self) -> list[tuple[str, str]]:
        """The turns and the data as (role, text), a user's first and by turns, as every provider takes them."""
        made: list[tuple[str, str]] = []
        for role, text in (*self.turns, (USER, self.data)):
            if made and made[-1][0] == role:
                made[-1] = (role, f"{made[-1][1]}\n{text}")
            elif made or role == USER:
                made.append((role, text))
        return made


@dataclass(frozen=True, kw_only=True)
class Answer(Generic[T]):
    """A validated result, the model that gave it and what it took."""

    value: T
    model: str
    spent: Spent


class AIClient(Protocol):
    """A model, however it is reached."""

    @property
    def model(self) -> str:
        """The model's name; empty where there is none."""
        ...

    @property
    def takes(self) -> frozenset[MediaKind]:
        """What the model takes beside text."""
        ...

    @property
    def last_error(self) -> AITrouble | None:
        """What kept the model from answering the last time it was asked; None where it did answer."""
        ...

    @property
    def blocked(self) -> AIError | None:
        """What is known to keep it from answering for the rest of its day, without asking; None where it may."""
        ...

    @property
    def hours_between_reads(self) -> int:
        """Hours between two readings of a day that is going on, so that the calls of the model last its day."""
        ...

    async def ask(self, prompt: Prompt[T], run: ToolRun | None = None) -> Answer[T]:
        """Answer `prompt`, having its tools `run` in at most three rounds.

        Raises QuotaExhausted, AIUnavailable, AIRefused or AIUnusable.
        """
        ...


class Absent:
    """The client of a bot without any AI: says so whenever it is asked."""

    model = ""
    takes = frozenset[MediaKind]()
    last_error = AITrouble.NO_KEY

    @property
    def blocked(self) -> AIError:
        """There is none."""
        return NoAI()

    @property
    def hours_between_reads(self) -> int:
        """None is asked."""
        return 1

    async def ask(self, prompt: Prompt[T], run: ToolRun | None = None) -> Answer[T]:
        """Raise NoAI."""
        raise NoAI


_meters: ContextVar[tuple[Meter, ...]] = ContextVar("meters", default=())


@dataclass
class Meter:
    """Adds up the calls and tokens spent while it is open, by tasks started meanwhile too."""

    spent: Spent = field(default_factory=Spent)

    @contextmanager
    def running(self) -> Iterator[Meter]:
        """Count what is spent inside."""
        token = _meters.set((*_meters.get(), self))
        try:
            yield self
        finally:
            _meters.reset(token)

    @staticmethod
    def add(spent: Spent) -> None:
        """Count `spent` to every meter that is running."""
        for meter in _meters.get():
            meter.spent += spent
