"""A session that survives the process, and the memories extracted from it. No model is called: the items are
those that a run would add.
"""

import asyncio
import os

import ctxdb

from ctxdb_openai_agents import CtxdbSession


async def main(client: ctxdb.Client) -> None:
    session = CtxdbSession("monday", client)
    await session.clear_session()
    # Runner.run(agent, "…", session=session) does this
    await session.add_items([{"role": "user", "content": "My name is Ann. I prefer green tea."}])
    await session.add_items([{"role": "assistant", "content": "Noted."}])
    print("items:", len(await CtxdbSession("monday", client).get_items()))
    print("undone:", await session.pop_item())
    await session.remember()
    found = client.search.find("which tea does Ann prefer?", filter={"context_type": "memory"}).memories
    print("remembered:", any("green tea" in hit.match for hit in found))


with ctxdb.connect(os.environ.get("CTXDB_ADDRESS", "http://127.0.0.1:1933"), user=os.environ.get("CTXDB_USER")) as client:
    asyncio.run(main(client))
