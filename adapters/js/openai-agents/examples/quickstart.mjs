// A session that outlives the process, and the memories extracted from it. The example adds the items that a
// run would add, so no model is called.
import { connect } from "@ctxdb/client";
import { CtxdbSession } from "@ctxdb/openai-agents";

const client = connect(process.env.CTXDB_ADDRESS ?? "http://127.0.0.1:1933", {
  user: process.env.CTXDB_USER,
});
const session = new CtxdbSession(client, { sessionId: "monday" });
await session.clearSession();
// run(agent, "…", { session }) does this
await session.addItems([{ role: "user", content: "My name is Ann. I prefer green tea." }]);
const noted = [{ type: "output_text", text: "Noted." }];
await session.addItems([{ role: "assistant", status: "completed", content: noted }]);
console.log(`items: ${(await new CtxdbSession(client, { sessionId: "monday" }).getItems()).length}`);
console.log(`undone: ${(await session.popItem()).content[0].text}`);
await session.remember();
const { memories } = await client.search.find({
  query: "which tea does Ann prefer?",
  filter: { context_type: "memory" },
});
console.log(`remembered: ${memories.some(({ match }) => match.includes("green tea"))}`);
client.close();
