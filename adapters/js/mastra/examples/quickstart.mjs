// An agent that remembers in one thread what happened in another. A fake model answers with its input, so no
// provider is called.
import { connect } from "@ctxdb/client";
import { CtxdbMemoryProcessor } from "@ctxdb/mastra";
import { Agent } from "@mastra/core/agent";
import { MastraLanguageModelV2Mock } from "@mastra/core/test-utils/llm-mock";

const client = connect(process.env.CTXDB_ADDRESS ?? "http://127.0.0.1:1933", {
  user: process.env.CTXDB_USER,
});
const model = new MastraLanguageModelV2Mock({
  doGenerate: async ({ prompt }) => {
    const [recalled] = prompt.at(-1).content;
    const isReminded = prompt.at(-1).content.length > 1;
    const known = /user prefers green tea/i.exec(recalled.text)?.[0];
    const text = isReminded && known ? `I was reminded: ${known}` : "Noted.";
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    return { content: [{ type: "text", text }], finishReason: "stop", usage, warnings: [] };
  },
});

for (const [day, said] of [
  ["monday", "My name is Ann. I prefer green tea."],
  ["tuesday", "Which tea do I like?"],
]) {
  const memory = new CtxdbMemoryProcessor(client, { sessionId: day });
  const agent = new Agent({
    id: "helper",
    name: "helper",
    instructions: "Help.",
    model,
    inputProcessors: [memory],
    outputProcessors: [memory],
  });
  const { text } = await agent.generate(said);
  await memory.commit(day);
  console.log(`${day}: ${said} -> ${text}`);
}
client.close();
