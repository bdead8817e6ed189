import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Rest } from "../crash/rest.ts";
import { ROOT_KEY, Server } from "../crash/server.ts";
import { manyDirectories } from "../support/many-changes.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type Received, WebhookReceiver } from "../support/webhook-receiver.ts";

const LIMIT_MS = 400_000;
/**
 * Numbers of the messages at whose arrival the server is killed; 10,000 changes yield at least 20 messages.
 */
const KILLED_AT = [3, 9, 16];
const FOLDER = "ctx://resources/many";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let receiver: WebhookReceiver;
let server: Server | undefined;
beforeAll(async () => {
  folder = await temporaryFolder();
  receiver = await WebhookReceiver.open();
});
afterAll(async () => {
  await server?.kill();
  await receiver.close();
  await folder.remove();
});

async function start(): Promise<Rest> {
  server = new Server({
    dataDir: join(folder.path, "data"),
    sources: folder.path,
    fromSource: true,
    settings: { CTXDB_WEBHOOK_ALLOW_PRIVATE: "true", CTXDB_WEBHOOK_RETRY_MS: "1" },
  });
  return new Rest((await server.ready()) ?? 0, { "x-api-key": ROOT_KEY });
}

it("a webhook sends 10,000 changes completely and in order although the server is killed three times", {
  timeout: LIMIT_MS,
}, async () => {
  let rest = await start();
  const asked = { url: receiver.url, uri: FOLDER, kinds: ["added"] };
  const { webhook } = (await rest.post("/api/v1/webhooks", asked)).result as {
    webhook: { webhook_id: string };
  };
  const change = (paused: boolean) =>
    rest.send(
      "PATCH",
      `/api/v1/webhooks/${webhook.webhook_id}`,
      { "content-type": "application/json" },
      JSON.stringify({ paused }),
    );
  await change(true);
  const { calls, changes } = manyDirectories(FOLDER);
  for (const uri of calls) expect((await rest.post("/api/v1/fs/mkdir", { uri })).status).toBe(200);
  // a message counts once it has been answered; those at which the server is killed do not count
  const taken: Received[] = [];
  let killed: Promise<void> | undefined;
  receiver.answer = (message) => {
    if (killed === undefined && KILLED_AT.includes(receiver.received.length)) {
      killed = server?.kill().then(() => undefined);
      return undefined;
    }
    taken.push(message);
    return 200;
  };
  await change(false);
  for (const _ of KILLED_AT) {
    await receiver.until(() => killed !== undefined);
    await killed;
    killed = undefined;
    rest = await start();
  }
  await receiver.until(() => receiver.lines(taken).length >= changes.length);
  const once = new Map(taken.map((message) => [message.id, message]));
  expect(receiver.lines([...once.values()])).toEqual(changes);
  for (const message of receiver.received) expect(message.text).toBe(once.get(message.id)?.text);
});
