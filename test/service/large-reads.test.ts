import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ContentService } from "../../gen/ctxdb/v1/content_pb.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

const LINE = "a line of a text that is long\n";
const MIB = 1024 * 1024;
const LARGE_LINES = Math.ceil((9 * MIB) / LINE.length);
const HELD_LINES = Math.floor((4 * MIB) / LINE.length);
/** A quarter of one account's share at the lowest setting: 64 MiB / 8. */
const SETTINGS = { CTXDB_CALL_MEMORY_BYTES: String(64 * MIB) };

let served: Served;
beforeAll(async () => {
  served = await serve(SETTINGS);
  await store("large.txt", LINE.repeat(LARGE_LINES));
  await store("held.txt", LINE.repeat(HELD_LINES));
}, 60_000);
afterAll(() => served.close());

async function store(name: string, content: string | Buffer<ArrayBuffer>): Promise<void> {
  const form = new FormData();
  form.append("file", new Blob([content]), name);
  const { result } = await served.rest(ROOT_KEY, "POST resources/temp_upload", form);
  const { temp_path } = result as { temp_path: string };
  const source = { temp_path, to: `ctx://resources/${name}.d`, build_index: false, wait: true, timeout: 50 };
  expect((await served.rest(ROOT_KEY, "POST resources", source)).http).toBe(200);
}

const uriOf = (name: string) => `ctx://resources/${name}.d/${name}`;
const read = (name: string, more = "") => served.rest(ROOT_KEY, `GET content/read?uri=${uriOf(name)}${more}`);

describe("content/read of a file that is longer than an answer", () => {
  it("reading a file above the response limit is refused with a list of the alternatives", async () => {
    const { http, error } = await read("large.txt");
    expect([http, error?.code]).toEqual([429, "RESOURCE_EXHAUSTED"]);
    expect(error?.message).toMatch(
      /large\.txt: the file has 9\d+ bytes.*offset and limit.*content\/download/,
    );
    expect(error?.details).not.toHaveProperty("retry_after");
  });

  it("a windows-1252 text that is decoded in pieces can be read completely and by lines", async () => {
    const line = "Grüße von der Straße\n";
    const count = Math.ceil((300 * 1024) / line.length);
    await store("latin.txt", Buffer.from(line.repeat(count), "latin1"));
    expect((await read("latin.txt")).result).toBe(line.repeat(count));
    expect((await read("latin.txt", `&offset=${count - 2}&limit=2`)).result).toBe(line.repeat(2));
  });

  it("a range of lines of a large file can be read, and too many lines are refused", async () => {
    expect((await read("large.txt", "&limit=2")).result).toBe(LINE.repeat(2));
    expect((await read("large.txt", `&offset=${LARGE_LINES - 1}`)).result).toBe(LINE);
    expect((await read("large.txt", `&offset=${LARGE_LINES}`)).result).toBe("");
    expect((await read("large.txt", "&offset=7")).error?.code).toBe("RESOURCE_EXHAUSTED");
  });

  it("reading a file above 3 MiB over gRPC is refused, naming DownloadContent", async () => {
    const transport = createGrpcTransport({ baseUrl: `http://127.0.0.1:${served.port}` });
    const client = createClient(ContentService, transport);
    const headers = { "x-api-key": ROOT_KEY };
    await expect(client.readContent({ uri: uriOf("held.txt") }, { headers })).rejects.toThrow(
      /DownloadContent/,
    );
    expect((await client.readContent({ uri: uriOf("held.txt"), limit: 1 }, { headers })).content).toBe(LINE);
  });
});

it("grep finds lines of a file that is too large to read at once, and continues after a full response", async () => {
  const lines = Array.from({ length: 300_000 }, (_, i) =>
    i % 1000 === 7 ? `needle ${i} in a haystack` : "straw in a haystack",
  );
  await store("haystack.txt", `${lines.join("\n")}\n`);
  const uri = uriOf("haystack.txt");
  const grep = (more: object) => served.rest(ROOT_KEY, "POST search/grep", { uri, ...more });
  type Found = { matches: { line: number; content: string }[] };
  const rare = (await grep({ pattern: "needle" })).result as Found;
  expect(rare.matches.map(({ line }) => line)).toEqual(Array.from({ length: 300 }, (_, i) => i * 1000 + 8));
  const page = (await grep({ pattern: "straw|needle" })).result as Found;
  expect(page.matches.map(({ line }) => line)).toEqual(page.matches.map((_, i) => i + 1));
}, 60_000);

it("unread responses use up their account's memory until their readers leave, but not that of others", async () => {
  const made = await served.rest(ROOT_KEY, "POST admin/accounts", {
    account_id: "other",
    admin_user_id: "o",
  });
  const { user_key } = made.result as { user_key: string };
  const sockets: Socket[] = [];
  const heads: string[] = [];
  // the account may use 8 MiB: two answers of 4 MiB
  for (let i = 0; i < 6; i++) {
    const socket = connect({ port: served.port, host: "127.0.0.1" });
    sockets.push(socket);
    await once(socket, "connect");
    const request = `GET /api/v1/content/read?uri=${encodeURIComponent(uriOf("held.txt"))} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${ROOT_KEY}\r\n\r\n`;
    socket.write(request);
    // reads one piece of the answer and then stops
    await once(socket, "readable");
    heads.push(String((socket.read(12) as Buffer | null) ?? ""));
  }
  expect(heads.filter((head) => head === "HTTP/1.1 200").length).toBeLessThanOrEqual(2);
  expect(heads.filter((head) => head === "HTTP/1.1 429").length).toBeGreaterThanOrEqual(4);
  const refused = await read("held.txt");
  expect([refused.http, refused.error?.code]).toEqual([429, "RESOURCE_EXHAUSTED"]);
  expect(refused.error?.details).toMatchObject({
    resource: "memory of calls",
    unit: "bytes",
    limit: 8 * MIB,
    retry_after: 1,
  });
  await served.rest(user_key, "POST content/write", {
    uri: "ctx://resources/a.txt",
    content: LINE.repeat(1000),
    mode: "create",
  });
  expect((await served.rest(user_key, "GET content/read?uri=ctx://resources/a.txt")).http).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await read("held.txt")).http, { timeout: 10_000 }).toBe(200);
});

describe("an upload that many requests name at once", () => {
  const SKILL = "---\nname: x\ndescription: y\n---\n";

  async function upload(content: string): Promise<string> {
    const form = new FormData();
    form.append("file", new Blob([content]), "SKILL.md");
    return ((await served.rest(ROOT_KEY, "POST resources/temp_upload", form)).result as { temp_path: string })
      .temp_path;
  }

  it("skill requests that name one upload read it within the account's memory limit, or get 429", async () => {
    // each request needs twice 3 MiB of the 8 MiB: only one fits at a time
    const temp_path = await upload(SKILL + LINE.repeat((3 * MIB) / LINE.length));
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => served.rest(ROOT_KEY, "POST skills", { temp_path })),
    );
    const codes = answers.map(({ http }) => http);
    expect(codes).toContain(200);
    expect(codes).toContain(429);
    expect(new Set(codes)).toEqual(new Set([200, 429]));
    const refused = answers.find(({ http }) => http === 429)?.error;
    expect(refused?.details).toMatchObject({ resource: "memory of calls", retry_after: 1 });
    expect((await served.rest(ROOT_KEY, "POST skills", { temp_path })).http).toBe(200);
  });

  it("a skill document above 4 MiB is refused with its size", async () => {
    const temp_path = await upload(SKILL + LINE.repeat((5 * MIB) / LINE.length));
    const { http, error } = await served.rest(ROOT_KEY, "POST skills", { temp_path });
    expect([http, error?.code]).toEqual([400, "INVALID_ARGUMENT"]);
    expect(error?.message).toMatch(/temp_path: the skill file has \d+ bytes; the limit is 4194304/);
  });

  it("an upload named by many simultaneous imports is imported by each of them", async () => {
    const temp_path = await upload(LINE.repeat((3 * MIB) / LINE.length));
    const add = (i: number) =>
      served.rest(ROOT_KEY, "POST resources", {
        temp_path,
        to: `ctx://resources/same${i}`,
        build_index: false,
        wait: true,
        timeout: 50,
      });
    const answers = await Promise.all(Array.from({ length: 3 }, (_, i) => add(i)));
    expect(answers.map(({ http }) => http)).toEqual(answers.map(() => 200));
  });
});

it("an append that would make a file larger than 16 MiB is refused", async () => {
  const uri = "ctx://resources/log.txt";
  const write = (mode: string) =>
    served.rest(ROOT_KEY, "POST content/write", { uri, content: "x".repeat(3.9 * MIB), mode });
  expect((await write("create")).http).toBe(200);
  const codes: number[] = [];
  for (let i = 0; i < 4; i++) codes.push((await write("append")).http);
  expect(codes).toEqual([200, 200, 200, 400]);
}, 60_000);
