"""A workspace that a second run finds again, and whose files are searched. No model is called: the files are what a run would write."""

import asyncio
import os

import ctxdb
from pydantic_ai.workspaces import Workspace

from ctxdb_pydantic_ai import CtxdbWorkspaceBackend


async def main(client: ctxdb.Client) -> None:
    first = CtxdbWorkspaceBackend(client)
    await Workspace(first).write_text("notes/tea.md", "# Tea\n\nGreen tea is brewed at 80 degrees.\n")
    # another process, with nothing but the reference that the run's messages carry
    again = Workspace(CtxdbWorkspaceBackend(client, ref=first.ref))
    print("files:", [entry.path for entry in await again.list_dir("notes")])
    found = client.search.find("how hot is tea brewed?", target_uri=[first.ref.id] if first.ref else [])
    print("found:", [hit.match for hit in (*found.resources, *found.memories)])


with ctxdb.connect(os.environ.get("CTXDB_ADDRESS", "http://127.0.0.1:1933"), user=os.environ.get("CTXDB_USER")) as client:
    asyncio.run(main(client))
