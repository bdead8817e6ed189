"""A crew of thirty turns with a scripted model, with a new connection for every turn."""

import os
from typing import Any

import ctxdb
from crewai import Agent, Crew, Task
from crewai.llms.base_llm import BaseLLM
from crewai.memory.unified_memory import Memory

from ctxdb_crewai import CtxdbStorage

TURNS = 30


class ScriptedModel(BaseLLM):
    """Answers with what it was given from memory; as the analyst of a save it finds one fact in a turn."""

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
    fact = "In turn {0} the ship number {0} was loaded with crates of oolong."
    for number in range(1, TURNS + 1):
        with ctxdb.connect(os.environ["CTXDB_ADDRESS"], user=user) as fresh:
            storage = CtxdbStorage(fresh)
            model = ScriptedModel(model="scripted", provider="scripted")
            memory = Memory(storage=storage, embedder=storage.embedder, llm=model)
            clerk = Agent(role="clerk", goal="keep the harbour's book", backstory="An old hand.", llm=model, memory=memory, allow_delegation=False)
            asked = max(1, number - 1)
            task = Task(description=f"Which goods did ship number {asked} have?", expected_output="the goods", agent=clerk)
            Crew(agents=[clerk], tasks=[task], memory=memory, verbose=False).kickoff()
            if number > 1:
                assert any(fact.format(asked) in prompt for prompt in model.prompts), f"turn {number}"
            memory.remember(fact.format(number), scope="/ships", categories=["loads"], importance=0.7)
            memory.close()
    assert {fact.format(number) for number in range(1, TURNS + 1)} <= {
        record.content for record in CtxdbStorage(client).list_records("/ships", limit=1000)
    }
