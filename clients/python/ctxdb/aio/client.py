"""The client."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from ctxdb._attempts import seconds_of
from ctxdb._settings import DEFAULT_ADDRESS, DEFAULT_DEADLINE, DEFAULT_LONG_DEADLINE, DEFAULT_RETRIES, Settings
from ctxdb.aio._calls import Calls
from ctxdb.aio.access import Access
from ctxdb.aio.admin import Admin
from ctxdb.aio.changes import Changes
from ctxdb.aio.content import Content
from ctxdb.aio.fs import FileSystem
from ctxdb.aio.memories import Memories
from ctxdb.aio.observer import Observer
from ctxdb.aio.packs import Packs
from ctxdb.aio.relations import Relations
from ctxdb.aio.resources import Resources
from ctxdb.aio.search import Search
from ctxdb.aio.sessions import Sessions
from ctxdb.aio.skills import Skills
from ctxdb.aio.snapshots import Snapshots
from ctxdb.aio.system import System
from ctxdb.aio.tasks import Tasks
from ctxdb.aio.trash import Trash
from ctxdb.aio.webhooks import Webhooks


class Client:
    """Calls one server as one caller. A context manager, which closes the connection at its end."""

    def __init__(self, settings: Settings) -> None:
        self._calls = Calls(settings)
        self.resources = Resources(self._calls)
        self.skills = Skills(self._calls, self.resources)
        self.fs = FileSystem(self._calls)
        self.content = Content(self._calls)
        self.search = Search(self._calls)
        self.relations = Relations(self._calls)
        self.sessions = Sessions(self._calls)
        self.memories = Memories(self._calls)
        self.packs = Packs(self._calls, self.resources)
        self.changes = Changes(self._calls)
        self.trash = Trash(self._calls)
        self.snapshots = Snapshots(self._calls)
        self.webhooks = Webhooks(self._calls)
        self.access = Access(self._calls)
        self.tasks = Tasks(self._calls)
        self.system = System(self._calls)
        self.observer = Observer(self._calls)
        self.admin = Admin(self._calls)

    async def close(self) -> None:
        """Closes the connection; calls that are under way are cancelled."""
        await self._calls.close()

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()


def connect(
    address: str = DEFAULT_ADDRESS,
    key: str | None = None,
    *,
    agent: str | None = None,
    account: str | None = None,
    user: str | None = None,
    deadline: float | None = None,
    retries: int = DEFAULT_RETRIES,
    tls_roots: str | Path | None = None,
) -> Client:
    """A client of the server at ``address``: ``http://host:port``, ``https://host:port`` (TLS) or ``host:port``.

    ``agent`` names the agent whose spaces are used; ``account`` and ``user`` only have an effect with the
    root key, and with servers without keys. ``deadline`` is what a call may take, in seconds, 60 without it,
    and 600 for transfers and waits for a task; every method takes its own. ``retries`` says how often a call
    that is safe to repeat is repeated while the server is unavailable. ``tls_roots`` is a PEM file of
    certificates, the system's without it. Nothing is sent before the first call. ValueError for an address or
    a deadline that is none.
    """
    return Client(
        Settings(
            address=address,
            key=key,
            agent=agent,
            account=account,
            user=user,
            deadline=seconds_of(deadline, DEFAULT_DEADLINE),
            long_deadline=seconds_of(deadline, DEFAULT_LONG_DEADLINE),
            retries=retries,
            tls_roots=tls_roots,
        )
    )
