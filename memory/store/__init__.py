"""Every SQL statement of the project, one module for each family of tables."""

from __future__ import annotations

import secrets

from memory.store.access import AccessStore
from memory.store.answers import Answered, AnswerStore
from memory.store.audit import AuditStore
from memory.store.blobs import BlobStore
from memory.store.channels import ChannelStore
from memory.store.consents import ConsentStore
from memory.store.coordination import Coordinator
from memory.store.database import Database
from memory.store.facts import FactStore
from memory.store.files import FileStore
from memory.store.forgetting import ForgettingStore
from memory.store.inbox import InboxStore
from memory.store.insight import InsightStore
from memory.store.messages import MessageStore, Searched
from memory.store.notes import NoteStore, Slice, Unread
from memory.store.parked import ParkedStore
from memory.store.people import PeopleStore
from memory.store.posts import PostStore
from memory.store.processes import ProcessStore, application_name
from memory.store.replies import ReplyStore
from memory.store.search import SearchStore
from memory.store.sessions import Drawn, SessionStore
from memory.store.summaries import SummaryStore
from memory.store.topics import TopicStore
from memory.store.usage import UsageStore
from memory.store.vectors import VectorStore

__all__ = ["Answered", "Coordinator", "Drawn", "Searched", "Slice", "Store", "Unread"]


class Store:
    """The open database, by families."""

    def __init__(self, database: Database, coordinator: Coordinator, process_id: int) -> None:
        self.database = database
        self.coordinator = coordinator
        self.process_id = process_id
        """By what other processes on the database know this one."""
        self.messages = MessageStore(database)
        self.files = FileStore(database)
        self.people = PeopleStore(database)
        self.search = SearchStore(database)
        self.vectors = VectorStore(database)
        self.channels = ChannelStore(database)
        self.facts = FactStore(database)
        self.blobs = BlobStore(database)
        self.notes = NoteStore(database)
        self.summaries = SummaryStore(database)
        self.inbox = InboxStore(database)
        self.parked = ParkedStore(database)
        self.processes = ProcessStore(database)
        self.replies = ReplyStore(database)
        self.usage = UsageStore(database)
        self.consents = ConsentStore(database)
        self.audit = AuditStore(database)
        self.sessions = SessionStore(database)
        self.topics = TopicStore(database)
        self.answers = AnswerStore(database)
        self.forgetting = ForgettingStore(database)
        self.access = AccessStore(database)
        self.insight = InsightStore(database)
        self.posts = PostStore(database)

    @classmethod
    async def open(cls, dsn: str) -> Store:
        """Connect to a migrated database. Raises DatabaseUnavailable."""
        process_id = secrets.randbits(62)
        name = application_name(process_id)
        return cls(await Database.open(dsn, name), Coordinator(dsn, name), process_id)

    async def close(self) -> None:
        """Let go of locks and connections."""
        await self.coordinator.close()
        await self.database.close()
