"""The one edge between stored texts, whose people are ids, and texts that people read, whose people have names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from memory.ids import GuildId, UserId
from memory.records import CONTEXT_CHARACTERS, Conclusion, Context, Fact, Member, MemberText, Message, Note, Remembered
from memory.rules.names import Names, candidates, in_latin, is_of_another_alphabet, with_ids
from memory.rules.text import fit, mentioned, with_names
from memory.store import Store


class Naming:
    """Puts names in where texts leave memory, and ids in place of names that are certain where they come in."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def people(
        self, guild_id: GuildId, texts: Iterable[str | None], known: Iterable[Member] = ()
    ) -> dict[UserId, str]:
        """The names of everyone whose id stands in texts; those of the `known` are not looked up again."""
        people = {user_id for text in texts for user_id in mentioned(text or "")}
        names = {
            member.user_id: member.display_name for member in known if member.user_id in people and member.display_name
        }
        if unknown := people - names.keys():
            members = await self._store.people.members(guild_id, unknown)
            names |= {user_id: member.display_name for user_id, member in members.items()}
        return names

    async def text(self, guild_id: GuildId, text: str) -> str:
        """A stored text with names."""
        return with_names(text, await self.people(guild_id, [text]))

    async def facts_with_names(
        self, guild_id: GuildId, facts: Iterable[Fact], known: Iterable[Member] = ()
    ) -> list[Fact]:
        """Facts with names, those of the `known` among them."""
        facts = list(facts)
        names = await self.people(guild_id, (text for fact in facts for text in (fact.value, fact.quote)), known)
        return [_with_names(fact, names) for fact in facts]

    async def notes_with_names(self, guild_id: GuildId, notes: Collection[Note]) -> list[Note]:
        """Notes with names."""
        names = await self.people(guild_id, (note.text for note in notes))
        return [replace(note, text=with_names(note.text, names)) for note in notes]

    async def conclusions(self, guild_id: GuildId, conclusions: Collection[Conclusion]) -> list[Conclusion]:
        """Conclusions with names."""
        names = await self.people(guild_id, (one.text for one in conclusions))
        return [replace(one, text=with_names(one.text, names)) for one in conclusions]

    async def messages(self, guild_id: GuildId, messages: Collection[Message]) -> list[Message]:
        """Messages with names in place of mentions."""
        names = await self.people(guild_id, (message.text for message in messages))
        return [replace(message, text=with_names(message.text, names)) for message in messages]

    async def texts_with_names(self, guild_id: GuildId, texts: Collection[MemberText]) -> list[MemberText]:
        """What is noted of days, with names."""
        names = await self.people(guild_id, (text.text for text in texts))
        return [replace(text, text=with_names(text.text, names)) for text in texts]

    async def remembered(self, guild_id: GuildId, done: Remembered, known: Iterable[Member] = ()) -> Remembered:
        """What a statement became, with names, those of the `known` among them."""
        facts = [done.fact, *done.replaced, *done.doubtful]
        fact, *others = await self.facts_with_names(guild_id, facts, known)
        count = len(done.replaced)
        return replace(done, fact=fact, replaced=tuple(others[:count]), doubtful=tuple(others[count:]))

    async def contexts(self, guild_id: GuildId, contexts: Mapping[UserId, Context]) -> dict[UserId, Context]:
        """Contexts with names: their texts, parts and facts; a text that long names make too long loses its end."""
        found = contexts.values()
        names = await self.people(
            guild_id,
            (
                text
                for c in found
                for text in (
                    c.text,
                    *(part.text for part in c.parts),
                    *(words for fact in c.facts for words in (fact.value, fact.quote)),
                )
            ),
        )
        return {
            user_id: replace(
                context,
                text=None if context.text is None else fit(with_names(context.text, names), CONTEXT_CHARACTERS),
                parts=tuple(replace(part, text=with_names(part.text, names)) for part in context.parts),
                facts=tuple(_with_names(fact, names) for fact in context.facts),
            )
            for user_id, context in contexts.items()
        }

    async def with_ids(self, guild_id: GuildId, texts: Sequence[str], subject: Member | None = None) -> list[str]:
        """Texts as they are stored: ids in place of the names that are certain."""
        return await self.names(guild_id).with_ids(texts, subject)

    def names(self, guild_id: GuildId, known: Collection[Member] = (), subjects: Collection[UserId] = ()) -> NameLookup:
        """Look up the names in several texts, one text after another. What is stored about `known` is read as well.

        The `subjects` of the texts are also meant by a name in another alphabet.
        """
        return NameLookup(self._store, guild_id, known, frozenset(subjects))


def _with_names(fact: Fact, names: Mapping[UserId, str]) -> Fact:
    return replace(fact, value=with_names(fact.value, names), quote=with_names(fact.quote, names))


class NameLookup:
    """Finds whom the names in a guild's texts mean. Looks up each name once."""

    def __init__(
        self, store: Store, guild_id: GuildId, known: Collection[Member], subjects: frozenset[UserId] = frozenset()
    ) -> None:
        self._store = store
        self._guild_id = guild_id
        self._known = known
        self._subjects = subjects
        self._found: dict[UserId, Member] = {}
        self._looked_for: set[str] = set()

    async def with_ids(self, texts: Sequence[str], subject: Member | None = None) -> list[str]:
        """Texts as they are stored: ids in place of the names that are certain."""
        await self.look_for(texts)
        if subject is not None and subject.is_server:  # its name is no person's
            subject = None
        # The name that a fact gives its subject ("gruzilkin is Sergey") is what the fact tells: it stays.
        its = subject.user_id if subject is not None else None
        known = [replace(m, aliases=()) if m.user_id == its else m for m in self._found.values()]
        names = Names(known)

        def whose(run: str) -> UserId | None:
            """Whose a name is; of the subjects, also as another alphabet spells it ("боб" for bob)."""
            found = names.whose(run)
            if found is not None or not self._subjects:
                return found
            spelled = names.whose(in_latin(run)) if is_of_another_alphabet(run) else None
            return spelled if spelled in self._subjects else None

        return [with_ids(text, whose, subject) for text in texts]

    async def look_for(self, texts: Sequence[str]) -> None:
        """Look up the names in texts, for those that follow."""
        written = {name for text in texts for name in candidates(text)}
        spelled = (in_latin(name) for name in written if self._subjects and is_of_another_alphabet(name))
        names = written.union(spelled) - self._looked_for
        if names:
            people = [member.user_id for member in self._known]
            self._found |= await self._store.people.having(self._guild_id, names, people)
            self._looked_for |= names

    def named_otherwise(self) -> list[Member]:
        """Those of the known who are stored under other names, or not at all."""
        return [m for m in self._known if not m.is_named_as(self._found.get(m.user_id))]
