// A chat that remembers: npx tsx examples/chat-memory.ts USER [URL]. See docs/recipes/chat-memory.md.
import { randomUUID } from "node:crypto";

const [user = "ann", baseUrl = "http://127.0.0.1:1933"] = process.argv.slice(2);

/** Calls the API as this user. With a root key, each user has an own key instead (X-API-Key). */
async function call<T>(route: string, body: object): Promise<T> {
  const response = await fetch(`${baseUrl}/api/v1/${route}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Ctx-User": user },
    body: JSON.stringify(body),
  }).catch(() => {
    console.error(`no server answers at ${baseUrl}: start one with npm start`);
    process.exit(1);
  });
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
  if (error !== undefined) throw new Error(error.message);
  return result;
}

/** Memories of the user that may help with this message. */
async function recall(message: string): Promise<string[]> {
  const query = { query: message, target_uri: "ctx://user", limit: 5, score_threshold: 0.3 };
  const { memories } = await call<{ memories: { match: string }[] }>("search/find", query);
  return memories.map(({ match }) => match);
}

/** Runs a conversation: its messages are added to a session, which is committed at the end. */
async function converse(messages: readonly string[]): Promise<void> {
  const { session_id } = await call<{ session_id: string }>("sessions", { session_id: randomUUID() });
  for (const content of messages) {
    console.log(`${user}: ${content}`);
    for (const known of await recall(content)) console.log(`  known: ${known.replace(/\s+/g, " ")}`);
    const reply = "(the answer of your model, which was given the lines above)";
    await call(`sessions/${session_id}/messages`, { role: "user", content });
    await call(`sessions/${session_id}/messages`, { role: "assistant", content: reply });
  }
  const { memories_extracted } = await call<{ memories_extracted: number }>(
    `sessions/${session_id}/commit`,
    {},
  );
  console.log(`remembered: ${memories_extracted}\n`);
}

await converse(["My name is Ann and I'm allergic to hazelnuts.", "I prefer vegetarian restaurants."]);
await converse(["Which restaurants do I prefer?"]);
