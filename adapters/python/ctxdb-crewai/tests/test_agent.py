"""Runs a crew for thirty turns with a scripted model, with a new connection for every turn."""

import os
from typing import Any

import ctxdb
from crewai import Agent, Crew, Task
from crewai.llms.base_llm import BaseLLM
from crewai.memory.unified_memory import Memory

from ctxdb_crewai import CtxdbStorage

TURNS = 30
SHIPS = (
    "Albatross Bittern Curlew Dunlin Eider Fulmar Gannet Heron Ibis Jacana Kestrel Lapwing Merlin Noddy Osprey "
    "Petrel Quail Redshank Sanderling Tern Urial Vulture Whimbrel Xenops Yellowlegs Zebrafinch Avocet Brant Cormorant Dipper"
).split()


class ScriptedModel(BaseLLM):
    """Records its prompts. Its answers are not analyses, so CrewAI stores texts unchanged."""

    prompts: list[str] = []

    def call(self, messages: Any, *args: Any, response_model: Any = None, **kwargs: Any) -> Any:
        text = messages if isinstance(messages, str) else "\n".join(str(message["content"]) for message in messages)
        self.prompts.append(text)
        return "Thought: I know it.\nFinal Answer: it is noted"

    def supports_function_calling(self) -> bool:
        return False

    def supports_stop_words(self) -> bool:
        return False


def test_a_crew_of_thirty_turns_is_given_what_earlier_turns_remembered_after_every_restart(client: ctxdb.Client) -> None:
    user = client.system.status().user
    facts = [f"The {ship} was loaded with {number} crates of oolong." for number, ship in enumerate(SHIPS, 1)]
    for number, fact in enumerate(facts, 1):
        with ctxdb.connect(os.environ["CTXDB_ADDRESS"], user=user) as fresh:
            storage = CtxdbStorage(fresh)
            model = ScriptedModel(model="scripted", provider="scripted")
            memory = Memory(storage=storage, embedder=storage.embedder, llm=model)
            clerk = Agent(
                role="clerk",
                goal="keep the harbour's book",
                backstory="An old hand.",
                llm=model,
                memory=memory,
                allow_delegation=False,
            )
            asked = max(0, number - 2)
            task = Task(description=f"What was the {SHIPS[asked]} loaded with?", expected_output="the goods", agent=clerk)
            Crew(agents=[clerk], tasks=[task], memory=memory, verbose=False).kickoff()
            if number > 1:
                assert any(facts[asked] in prompt for prompt in model.prompts), f"turn {number}"
            memory.remember(fact, scope="/ships", categories=["loads"], importance=0.7)
            memory.close()
    kept = CtxdbStorage(client).list_records("/ships", limit=1000)
    assert len(facts) == TURNS and [record.content for record in reversed(kept)] == facts
