"""A session that survives the process, its state, and a search for it in another session. No model is called:
a run would add such events.
"""

import asyncio
import os

import ctxdb
from google.adk.events import Event, EventActions
from google.genai import types

from ctxdb_google_adk import CtxdbMemoryService, CtxdbSessionService

ANN = {"app_name": "harbour", "user_id": "ann"}


async def main(client: ctxdb.Client) -> None:
    # Runner(app_name="harbour", agent=…, session_service=sessions, memory_service=memory)
    sessions, memory = CtxdbSessionService(client), CtxdbMemoryService(client)
    await sessions.delete_session(**ANN, session_id="monday")
    monday = await sessions.create_session(**ANN, session_id="monday", state={"topic": "tea"})
    said = types.Content(role="user", parts=[types.Part(text="I prefer green tea.")])
    await sessions.append_event(monday, Event(author="user", content=said, actions=EventActions(state_delta={"user:name": "Ann"})))

    again = await CtxdbSessionService(client).get_session(**ANN, session_id="monday")
    assert again is not None
    print("events:", len(again.events), "state:", dict(sorted(again.state.items())))
    await memory.add_session_to_memory(again)
    found = await memory.search_memory(**ANN, query="which tea does she like?")
    print("found:", found.memories[0].content.parts[0].text)
    print("another user finds:", (await memory.search_memory(app_name="harbour", user_id="bob", query="tea")).memories)


with ctxdb.connect(os.environ.get("CTXDB_ADDRESS", "http://127.0.0.1:1933"), user=os.environ.get("CTXDB_USER")) as client:
    asyncio.run(main(client))
