import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Rest } from "../crash/rest.ts";
import { ROOT_KEY, Server } from "../crash/server.ts";
import { LanguageServer } from "../support/language-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const LARGE = "a line of a text that is long\n".repeat(100_000);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const model = new LanguageServer();
beforeAll(async () => {
  folder = await temporaryFolder();
  await model.start();
});
afterAll(async () => {
  await model.stop();
  await folder.remove();
});

it("a server stops on SIGTERM in time even if its language model, an upload and a slow reader hang", async () => {
  model.script = () => undefined;
  const settings = {
    CTXDB_LLM_PROVIDER: "openai",
    CTXDB_LLM_MODEL: "small",
    CTXDB_LLM_BASE_URL: model.url,
    CTXDB_LLM_API_KEY: "sk-1",
  };
  const server = new Server({
    dataDir: join(folder.path, "data"),
    sources: folder.path,
    fromSource: true,
    settings,
  });
  const port = (await server.ready())!;
  const rest = new Rest(port, { "x-api-key": ROOT_KEY });
  const write = (name: string, content: string) =>
    rest.post("/api/v1/content/write", { uri: `ctx://resources/${name}`, content, mode: "create" });
  await write("large.txt", LARGE);
  const asked = model.heard();
  const session = (await rest.post("/api/v1/sessions", {})).result as { session_id: string };
  const messages = `/api/v1/sessions/${session.session_id}/messages`;
  await rest.post(messages, {
    role: "user",
    content: "My kestrel is called Juno, and I look after her every day.",
  });
  // answered once the model has been called
  void rest.post(`/api/v1/sessions/${session.session_id}/commit`, {}).catch(() => undefined);
  await asked;
  const hanging: Socket[] = [];
  for (const head of [
    "POST /api/v1/resources/temp_upload HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000\r\n",
    "GET /api/v1/content/download?uri=ctx://resources/large.txt HTTP/1.1\r\n",
  ]) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    await once(socket, "connect");
    // nobody reads the response
    socket.pause();
    await new Promise((sent) =>
      socket.write(`${head}Host: x\r\nX-API-Key: ${ROOT_KEY}\r\n\r\n--x\r\n`, sent),
    );
    hanging.push(socket);
  }
  rest.close();
  expect(await server.stop()).toBeUndefined();
  for (const socket of hanging) socket.destroy();
}, 90_000);
