// A model that gets memories from another conversation. A scripted model stands in for a real one.
import { CtxdbMemory } from "@ctxdb/ai-sdk";
import { connect } from "@ctxdb/client";
import { generateText, wrapLanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";

const client = connect(process.env.CTXDB_ADDRESS ?? "http://127.0.0.1:1933", {
  user: process.env.CTXDB_USER,
});

/** Answers with the memory that it received before the user's message. */
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const parts = prompt.at(-1).content;
    const fact = /[A-Z][^\n]*green tea/.exec(parts[0].text)?.[0] ?? "nothing";
    const text = parts.length > 1 ? `I was reminded: ${fact}` : "Noted.";
    const tokens = { total: 0 };
    const usage = { inputTokens: tokens, outputTokens: tokens };
    return { content: [{ type: "text", text }], finishReason: { unified: "stop" }, usage, warnings: [] };
  },
});

for (const sessionId of ["monday", "tuesday"])
  await client.sessions.delete({ sessionId }).catch(() => undefined);
for (const [sessionId, prompt] of [
  ["monday", "My name is Ann. I prefer green tea."],
  ["tuesday", "Which tea do I like?"],
]) {
  const memory = new CtxdbMemory(client, { sessionId });
  const { text } = await generateText({
    model: wrapLanguageModel({ model, middleware: memory.middleware }),
    prompt,
  });
  console.log(`${sessionId}: ${prompt} -> ${text}`);
  await memory.commit();
}
client.close();
