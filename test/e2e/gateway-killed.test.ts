import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Rest } from "../crash/rest.ts";
import { ROOT_KEY, Server } from "../crash/server.ts";
import { answersByApi, type ChatProvider, chatProvider } from "../support/chat-provider.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SESSION = "killed";
const LIMIT_MS = 120_000;

let provider: ChatProvider;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: Server | undefined;
beforeAll(async () => {
  provider = await chatProvider();
  folder = await temporaryFolder();
});
afterAll(async () => {
  await server?.kill();
  await provider.close();
  await folder.remove();
});

async function start(): Promise<{ rest: Rest; ask: (turns: readonly object[]) => Promise<string> }> {
  server = new Server({
    dataDir: join(folder.path, "data"),
    sources: folder.path,
    fromSource: true,
    settings: { CTXDB_GATEWAY_ANTHROPIC_URL: provider.url, CTXDB_GATEWAY_RECALL_MS: "20000" },
  });
  const port = await server.ready();
  const rest = new Rest(port ?? 0, { "x-api-key": ROOT_KEY });
  const ask = async (messages: readonly object[]) => {
    const answer = await fetch(`http://127.0.0.1:${port}/gateway/anthropic/v1/messages`, {
      method: "POST",
      headers: { "x-ctxdb-key": ROOT_KEY, "x-ctxdb-session": SESSION },
      body: JSON.stringify({ stream: true, messages }),
    });
    return answer.text();
  };
  return { rest, ask };
}

it("a server killed during a conversation sends the same bytes again and captures each turn once", {
  timeout: LIMIT_MS,
}, async () => {
  let { rest, ask } = await start();
  const uri = "ctx://resources/space/saturn.md";
  const content = "# Saturn\n\nSaturn has rings of ice and dust.";
  await rest.post("/api/v1/content/write", { uri, content, mode: "create", wait: true });
  const turns = [{ role: "user", content: "which moon has lakes?" }];
  await ask(turns);
  turns.push({ role: "assistant", content: "Fine, noted." });
  turns.push({ role: "user", content: "and what are the rings of Saturn made of?" });
  provider.requests.length = 0;
  // killed while the provider is still answering
  const asked = new Promise<void>((resolve) => {
    provider.script = (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("event: ping\ndata: {}\n\n");
      resolve();
    };
  });
  const broken = ask(turns).catch(() => "broken off");
  await asked;
  await server?.kill();
  await broken;
  provider.script = answersByApi;
  ({ rest, ask } = await start());
  await rest.post("/api/v1/content/write", {
    uri: "ctx://resources/space/more.md",
    content: "# More\n\nThe rings of Saturn are made of ice.",
    mode: "create",
    wait: true,
  });
  await ask(turns);
  // killed when the answer is complete
  await server?.kill();
  ({ rest, ask } = await start());
  await ask(turns);
  const bodies = provider.requests.map(({ body }) => body.toString());
  expect(bodies).toHaveLength(3);
  expect(new Set(bodies).size).toBe(1);
  expect(bodies[0]).toContain("rings of ice and dust");
  const context = await rest.get(`/api/v1/sessions/${SESSION}/context`);
  const { messages } = context.result as { messages: { role: string }[] };
  const pair = ["user", "assistant"];
  expect(messages.map(({ role }) => role)).toEqual([...pair, ...pair]);
});
