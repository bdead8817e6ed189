// An agent that continues where it stopped, and remembers another thread.
import { connect } from "@ctxdb/client";
import { CtxdbSaver, CtxdbStore } from "@ctxdb/langgraph";
import { MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

const client = connect(process.env.CTXDB_ADDRESS ?? "http://127.0.0.1:1933", {
  user: process.env.CTXDB_USER,
});
const saver = new CtxdbSaver(client);
const store = new CtxdbStore(client);
const ANN = ["ann", "facts"];

/** A fake model: answers with the thread and the memories that it received. */
async function answer({ messages }, { store }) {
  const said = messages.at(-1).content;
  const [known] = await store.search(ANN, { query: said, limit: 1 });
  if (said.startsWith("I ")) await store.put(ANN, said, { text: said });
  const reply = known?.value.text ?? "nothing yet";
  return { messages: [{ role: "assistant", content: `message ${messages.length}; I know: ${reply}` }] };
}

for (const item of await store.search(ANN)) await store.delete(ANN, item.key);
for (const thread of ["monday", "tuesday"]) await saver.deleteThread(thread);
const graph = new StateGraph(MessagesAnnotation).addNode("answer", answer).addEdge(START, "answer");
const agent = graph.compile({ checkpointer: saver, store });
const turns = [
  ["monday", "Hello"],
  ["monday", "I prefer green tea"],
  ["tuesday", "Which tea do I like?"],
];
for (const [thread, said] of turns) {
  const config = { configurable: { thread_id: thread } };
  const { messages } = await agent.invoke({ messages: [{ role: "user", content: said }] }, config);
  console.log(`${thread}: ${said} -> ${messages.at(-1).content}`);
}
client.close();
