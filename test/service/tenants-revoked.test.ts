import { randomBytes } from "node:crypto";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ContentService } from "../../gen/ctxdb/v1/content_pb.ts";
import { ErrorDetailSchema } from "../../gen/ctxdb/v1/error_pb.ts";
import { PackService } from "../../gen/ctxdb/v1/pack_pb.ts";
import { ResourceService } from "../../gen/ctxdb/v1/resource_pb.ts";
import { SystemService } from "../../gen/ctxdb/v1/system_pb.ts";
import { TaskService } from "../../gen/ctxdb/v1/task_pb.ts";
import { type McpSession, mcpOver } from "../support/mcp.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";
import { serveWeb, type WebServer } from "../support/web-server.ts";

/** Much more than all buffers between server and client can hold. */
const BIG_BYTES = 15 * 1024 * 1024;
const PART = new Uint8Array(64 * 1024);

type Wire = readonly [name: string, transport: (baseUrl: string) => Transport];
const GRPC: Wire = ["gRPC", (baseUrl) => createGrpcTransport({ baseUrl })];
const CONNECT: Wire = [
  "Connect over HTTP/2",
  (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "2" }),
];
const TYPED: readonly Wire[] = [
  GRPC,
  CONNECT,
  ["Connect over HTTP/1.1", (baseUrl) => createConnectTransport({ baseUrl, httpVersion: "1.1" })],
  ["gRPC-Web", (baseUrl) => createGrpcWebTransport({ baseUrl, httpVersion: "1.1" })],
];

/** The owner of the key, with a task that does not end. */
interface Reader {
  readonly base: string;
  readonly port: number;
  readonly key: string;
  readonly task: string;
  /** An address with an endless response. */
  readonly slow: string;
}

/** A call under way: `end` lets its client continue and returns how the call ended. */
interface Begun {
  readonly end: () => Promise<string>;
}

type Begin = (reader: Reader) => Promise<Begun>;

const headersOf = ({ key }: Reader) => ({ "x-api-key": key });

/** Returns the code and message of an error, or "OK" if there was none. */
async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    const answer = await work;
    if (!(answer instanceof Response)) return "OK";
    const { error } = (await answer.json()) as { error?: { code: string; message: string } };
    return error === undefined ? "OK" : `${error.code} ${error.message}`;
  } catch (error) {
    const told = ConnectError.from(error);
    return `${told.findDetails(ErrorDetailSchema)[0]?.code ?? Code[told.code]} ${told.rawMessage}`;
  }
}

const post = (reader: Reader, path: string, body: object) =>
  fetch(`${reader.base}/api/v1/${path}`, {
    method: "POST",
    headers: { ...headersOf(reader), "content-type": "application/json" },
    body: JSON.stringify(body),
  });

/** A waiting call that otherwise ends only with the task. */
const waiting = async (work: Promise<unknown>): Promise<Begun> => {
  const outcome = outcomeOf(work);
  return { end: () => outcome };
};

/** Reads the first message, and no further ones before `end`. */
async function begunStream(messages: AsyncIterable<unknown>): Promise<Begun> {
  const reading = messages[Symbol.asyncIterator]();
  expect((await reading.next()).done).toBe(false);
  const rest = async () => {
    while (!(await reading.next()).done);
  };
  return { end: () => outcomeOf(rest()) };
}

/** How a stream ends if no error can be sent on it. */
const CUT = "cut while it was under way";

/** Over REST a stream that has begun can only be cut off. */
async function begunBody(answer: Response, size: number): Promise<Begun> {
  expect(answer.status).toBe(200);
  const reader = answer.body!.getReader();
  let bytes = (await reader.read()).value!.byteLength;
  return {
    end: async () => {
      try {
        for (let part = await reader.read(); !part.done; part = await reader.read())
          bytes += part.value.byteLength;
      } catch {
        return bytes < size ? CUT : "OK";
      }
      return "OK";
    },
  };
}

const uri = "ctx://resources/big/big.bin";

function* streams(): Generator<readonly [name: string, begin: Begin]> {
  for (const [wire, transportOf] of TYPED) {
    const client = (reader: Reader) => transportOf(reader.base);
    yield [
      `TaskService.WatchTask over ${wire}`,
      (reader) =>
        begunStream(
          createClient(TaskService, client(reader)).watchTask(
            { taskId: reader.task },
            { headers: headersOf(reader) },
          ),
        ),
    ];
    yield [
      `ContentService.DownloadContent over ${wire}`,
      (reader) =>
        begunStream(
          createClient(ContentService, client(reader)).downloadContent(
            { uri },
            { headers: headersOf(reader) },
          ),
        ),
    ];
    yield [
      `PackService.ExportPack over ${wire}`,
      (reader) =>
        begunStream(
          createClient(PackService, client(reader)).exportPack({ uri }, { headers: headersOf(reader) }),
        ),
    ];
    yield [
      `SystemService.WaitProcessed over ${wire}`,
      (reader) =>
        waiting(
          createClient(SystemService, client(reader)).waitProcessed({}, { headers: headersOf(reader) }),
        ),
    ];
  }
  for (const [wire, transportOf] of [GRPC, CONNECT]) {
    yield [
      `ResourceService.UploadFile over ${wire}`,
      (reader) =>
        waiting(
          createClient(ResourceService, transportOf(reader.base)).uploadFile(slowly(), {
            headers: headersOf(reader),
          }),
        ),
    ];
  }
  yield [
    "GET content/download",
    async (reader) =>
      begunBody(
        await fetch(`${reader.base}/api/v1/content/download?uri=${uri}`, { headers: headersOf(reader) }),
        BIG_BYTES,
      ),
  ];
  yield [
    "POST pack/export",
    async (reader) => begunBody(await post(reader, "pack/export", { uri }), BIG_BYTES),
  ];
  yield ["POST system/wait", (reader) => waiting(post(reader, "system/wait", {}))];
  yield [
    "POST resources with wait",
    (reader) =>
      waiting(post(reader, "resources", { path: reader.slow, to: "ctx://resources/again", wait: true })),
  ];
  yield ["POST resources/temp_upload", (reader) => waiting(sendForm(reader))];
  yield [
    "a tool of MCP that waits",
    async (reader) => waiting(waitingTool(await mcpOver(reader.port, headersOf(reader)))),
  ];
}

/** The whole request is refused, or the tool reports the error. */
async function waitingTool(session: McpSession): Promise<Response> {
  const told = await session
    .tool("tasks", { wait_seconds: 45 })
    .catch((error: unknown) => ({ text: String(error), isError: true }));
  return Response.json(told.isError ? { error: { code: "", message: told.text } } : {});
}

/** Never sends its last message on its own. */
async function* slowly() {
  yield { part: { case: "header" as const, value: { name: "a.md" } } };
  yield { part: { case: "chunk" as const, value: PART } };
  await new Promise<never>(() => undefined);
}

/** A form whose file does not end. */
function sendForm(reader: Reader): Promise<Response> {
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\n';
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(Buffer.from(head));
      controller.enqueue(PART);
    },
  });
  const headers = { ...headersOf(reader), "content-type": "multipart/form-data; boundary=b" };
  return fetch(`${reader.base}/api/v1/resources/temp_upload`, {
    method: "POST",
    headers,
    body,
    duplex: "half",
  } as RequestInit);
}

/** Ended while under way. A key that was not checked before is refused as invalid. */
const ENDED = /UNAUTHENTICATED.* while the request was under way|^cut while it was under way/;

/** Event loop turns within which an ended stream would end. */
const TURNS = 50;

async function isPending(outcome: Promise<unknown>): Promise<boolean> {
  let pending = true;
  const end = () => {
    pending = false;
  };
  outcome.then(end, end);
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
  return pending;
}

describe("calls in progress", () => {
  let server: Served;
  let web: WebServer;
  let accounts = 0;

  beforeAll(async () => {
    web = await serveWeb();
    server = await serve({ CTXDB_URL_ALLOW_PRIVATE: "true" });
  });
  afterAll(async () => {
    await server.close();
    await web.close();
  });

  const admin = (call: string, body?: object) => server.rest(ROOT_KEY, call, body);

  async function newUser(account: string, user: string): Promise<Reader> {
    const { result } = await admin(`POST admin/accounts/${account}/users`, { user_id: user });
    const { user_key: key } = result as { user_key: string };
    const slow = `/slow/${account}/${user}`;
    web.pages.set(slow, (_, response) => void response.writeHead(200).write("x"));
    const added = await server.rest(key, "POST resources", { path: web.base + slow, wait: false });
    const { task_id: task } = added.result as { task_id: string };
    return { base: `http://127.0.0.1:${server.port}`, port: server.port, key, task, slow: web.base + slow };
  }
  async function addFile({ key }: Reader): Promise<void> {
    const form = new FormData();
    form.set("file", new Blob([randomBytes(BIG_BYTES)]), "big.bin");
    const { temp_path } = (await server.rest(key, "POST resources/temp_upload", form)).result as {
      temp_path: string;
    };
    const { http } = await server.rest(key, "POST resources", {
      temp_path,
      to: "ctx://resources/big",
      wait: false,
    });
    expect(http).toBe(200);
  }

  const LOSSES: Readonly<Record<string, (account: string) => Promise<unknown>>> = {
    "its key is replaced": (account) => admin(`POST admin/accounts/${account}/users/bob/key`, {}),
    "its user is removed": (account) => admin(`DELETE admin/accounts/${account}/users/bob`),
    "its account is deleted": (account) => admin(`DELETE admin/accounts/${account}`),
  };

  describe.each(Object.entries(LOSSES))("when %s", (loss, lose) => {
    it.each([...streams()])(
      `%s ends when ${loss}, and calls of other users continue`,
      async (name, begin) => {
        const account = `account${accounts++}`;
        await admin("POST admin/accounts", { account_id: account, admin_user_id: "ada" });
        const bob = await newUser(account, "bob");
        const eve = await newUser(account, "eve");
        const other = createClient(SystemService, GRPC[1](bob.base)).waitProcessed(
          {},
          { headers: headersOf(eve) },
        );
        const outcome = outcomeOf(other);
        if (/download|export/i.test(name)) await addFile(bob);
        const begun = await begin(bob);
        // earlier calls are under way when these are answered
        for (let i = 0; i < 3; i++) await admin("GET admin/accounts");
        const { http } = (await lose(account)) as { http: number };
        expect(http).toBe(200);
        expect(await begun.end()).toMatch(ENDED);
        if (lose === LOSSES["its account is deleted"]) expect(await outcome).toMatch(ENDED);
        else expect(await isPending(outcome)).toBe(true);
        await admin(`DELETE admin/accounts/${account}`);
        await outcome;
      },
    );
  });

  it("a stream of an administrator ends when the role is removed, and a stream of a user continues", async () => {
    const account = `account${accounts++}`;
    await admin("POST admin/accounts", { account_id: account, admin_user_id: "ada" });
    const bob = await newUser(account, "bob");
    const eve = await newUser(account, "eve");
    const setRole = (user: string, role: string) =>
      admin(`PUT admin/accounts/${account}/users/${user}/role`, { role });
    expect(await setRole("bob", "admin")).toMatchObject({ http: 200 });
    const [asked, other] = [bob, eve].map((reader) => outcomeOf(post(reader, "system/wait", {})));
    for (let i = 0; i < 3; i++) await admin("GET admin/accounts");
    expect(await setRole("eve", "user")).toMatchObject({ http: 200 });
    expect(await setRole("bob", "user")).toMatchObject({ http: 200 });
    expect(await asked).toMatch(
      /PERMISSION_DENIED.*role of an administrator.* while the request was under way/,
    );
    expect(await isPending(other ?? Promise.resolve())).toBe(true);
    await admin(`DELETE admin/accounts/${account}`);
    await other;
  });
});
