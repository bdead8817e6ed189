import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect, type Server, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import {
  LISTEN_LIMITS,
  type ListenLimits,
  type StrangerLimits,
} from "../../../src/transport/connections/connection-limits.ts";
import { openTiny } from "./tiny-server.ts";
import { USER_KEY } from "./tiny-service.ts";

const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const DATA = 0;
const HEADERS = 1;
const RST_STREAM = 3;
const SETTINGS = 4;
const GOAWAY = 7;
const ENHANCE_YOUR_CALM = 11;
const END_HEADERS = 4;
const END_STREAM_AND_HEADERS = 5;

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

const literal = (name: string, value: string): Buffer =>
  Buffer.concat([
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ]);

const requestHead = (method: string, path = "/health", ...more: Buffer[]): Buffer =>
  Buffer.concat([
    literal(":method", method),
    literal(":scheme", "http"),
    literal(":path", path),
    literal(":authority", "x"),
    ...more,
  ]);

const withLimits = (strangers: Partial<StrangerLimits>, limits: Partial<ListenLimits> = {}) =>
  openTiny({
    listen: { ...LISTEN_LIMITS, ...limits, strangers: { ...LISTEN_LIMITS.strangers, ...strangers } },
  });

const isHealthy = async (port: number): Promise<boolean> =>
  (await fetch(`http://127.0.0.1:${port}/health`)).ok;

async function opened(port: number, first: Buffer | string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  await new Promise((sent) => socket.write(first, sent));
  return socket;
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => (socket.closed ? resolve() : socket.resume().once("close", () => resolve())));

it("a server continues when it cannot accept connections because too many files are open", async () => {
  const listening: Server[] = [];
  const note = (message: unknown) => listening.push((message as { server: Server }).server);
  const channel = "tracing:net.server.listen:asyncEnd";
  subscribe(channel, note);
  const { port, close } = await openTiny({});
  unsubscribe(channel, note);
  const full = Object.assign(new Error("accept EMFILE"), { code: "EMFILE" });
  for (let i = 0; i < 3; i++) for (const server of listening) server.emit("error", full);
  expect(listening).not.toEqual([]);
  expect(await isHealthy(port)).toBe(true);
  await close(0);
});

it("a server survives an HTTP/2 request with Expect: 100-continue that is reset at once", async () => {
  const server = await openTiny();
  const expecting = frame(
    HEADERS,
    END_HEADERS,
    1,
    requestHead("POST", "/health", literal("expect", "100-continue")),
  );
  const packet = Buffer.concat([
    PREFACE,
    frame(SETTINGS, 0, 0, Buffer.alloc(0)),
    expecting,
    frame(RST_STREAM, 0, 1, Buffer.alloc(4)),
  ]);
  for (let i = 0; i < 5; i++) {
    const socket = await opened(server.port, packet);
    await once(socket, "data");
    socket.destroy();
    expect(await isHealthy(server.port)).toBe(true);
  }
  await server.close(0);
});

it("a server survives requests that follow a GOAWAY frame in the same packet", async () => {
  const server = await openTiny();
  const request = (stream: number) => frame(HEADERS, END_STREAM_AND_HEADERS, stream, requestHead("GET"));
  const goaway = frame(GOAWAY, 0, 0, Buffer.alloc(8));
  const packet = Buffer.concat([
    PREFACE,
    frame(SETTINGS, 0, 0, Buffer.alloc(0)),
    request(1),
    goaway,
    request(3),
  ]);
  for (let round = 0; round < 100; round++) {
    const sockets = await Promise.all(Array.from({ length: 12 }, () => opened(server.port, packet)));
    await Promise.all(sockets.map(closed));
  }
  expect(await isHealthy(server.port)).toBe(true);
  await server.close(0);
});

it("an HTTP/2 request with Expect: 100-continue gets 100 and then its response", async () => {
  const server = await openTiny();
  const session = connectHttp2(`http://127.0.0.1:${server.port}`);
  const stream = session.request({ ":path": "/health", expect: "100-continue" });
  await once(stream, "continue");
  const [headers] = await once(stream, "response");
  expect(headers[":status"]).toBe(200);
  session.destroy();
  await server.close(0);
});

it("a connection whose HTTP/2 session violates the protocol is closed even if its client stays", async () => {
  const server = await withLimits({ idleMs: 100 });
  const request = frame(HEADERS, END_STREAM_AND_HEADERS, 1, requestHead("GET"));
  const broken = frame(SETTINGS, 0, 0, Buffer.from("xxx"));
  const socket = await opened(
    server.port,
    Buffer.concat([PREFACE, frame(SETTINGS, 0, 0, Buffer.alloc(0)), request, broken]),
  );
  await closed(socket);
  await server.close(0);
});

it.each([
  ["nothing", ""],
  [
    "the head of a stream whose message never comes",
    "POST /ctxdb.v1.ContentService/DownloadContent HTTP/1.1\r\nHost: x\r\nContent-Type: application/connect+json\r\nTransfer-Encoding: chunked\r\n\r\n",
  ],
  [
    "half a body",
    "POST /api/v1/content/write HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
  ],
])("a connection without a valid key that has sent %s is cut when it falls silent", async (_, start) => {
  const server = await withLimits({ idleMs: 100 });
  await closed(await opened(server.port, start));
  await server.close(0);
});

it("if there are too many connections without a key, a new one closes the oldest", async () => {
  const server = await withLimits({ maxConnections: 5 });
  const oldest = await opened(server.port, "GET / HTTP/1.1\r\n");
  const others: Socket[] = [];
  for (let i = 0; i < 5; i++) others.push(await opened(server.port, "GET / HTTP/1.1\r\n"));
  await closed(oldest);
  expect(await isHealthy(server.port)).toBe(true);
  for (const socket of others) socket.destroy();
  await server.close(0);
});

it.each(["HTTP/1.1", "HTTP/2"])(
  "a connection over %s with a valid key is not closed to make room for connections without one",
  async (protocol) => {
    const server = await withLimits({ maxConnections: 2, idleMs: 100 });
    const get = "GET /api/v1/system/status HTTP/1.1\r\nHost: x\r\n";
    const session = protocol === "HTTP/2" ? connectHttp2(`http://127.0.0.1:${server.port}`) : undefined;
    session?.on("error", () => undefined);
    const known = session ? undefined : await opened(server.port, `${get}X-API-Key: ${USER_KEY}\r\n\r\n`);
    if (known) await once(known, "data");
    const ask = async () => {
      const stream = session!.request({ ":path": "/api/v1/system/status", "x-api-key": USER_KEY });
      await once(stream.resume(), "end");
    };
    if (session) await ask();
    const strangers = await Promise.all(
      Array.from({ length: 5 }, () => opened(server.port, "GET / HTTP/1.1\r\n")),
    );
    await Promise.all(strangers.map(closed));
    if (session) await ask();
    else {
      known!.write(`${get}X-API-Key: ${USER_KEY}\r\n\r\n`);
      expect(String((await once(known!, "data"))[0])).toContain("HTTP/1.1 200");
    }
    session?.destroy();
    known?.destroy();
    await server.close(0);
  },
);

it("a connection with a valid key is closed when its HTTP/2 session violates the protocol during a call", async () => {
  const server = await withLimits({}, { aliveMs: 100 });
  const more = [literal("x-api-key", USER_KEY), literal("content-type", "application/json")];
  const waiting = requestHead("POST", "/ctxdb.v1.SystemService/WaitProcessed", ...more);
  const call = [frame(HEADERS, END_HEADERS, 1, waiting), frame(DATA, 1, 1, Buffer.from("{}"))];
  const broken = frame(SETTINGS, 0, 0, Buffer.from("xxx"));
  const socket = await opened(
    server.port,
    Buffer.concat([PREFACE, frame(SETTINGS, 0, 0, Buffer.alloc(0)), ...call]),
  );
  await once(socket, "data");
  socket.write(broken);
  await closed(socket);
  await server.close(0);
});

it("a silent HTTP/2 connection whose client answers pings keeps its call", async () => {
  const server = await withLimits({}, { aliveMs: 20 });
  const session = connectHttp2(`http://127.0.0.1:${server.port}`);
  let pings = 0;
  const asked = new Promise<void>((resolve) => session.on("ping", () => ++pings === 3 && resolve()));
  const stream = session.request({
    ":path": "/api/v1/system/wait",
    ":method": "POST",
    "x-api-key": USER_KEY,
  });
  stream.on("error", () => undefined).end("{}");
  await asked;
  expect(stream.closed).toBe(false);
  session.destroy();
  await server.close(0);
});

it("if a caller's connections fill the connection table, a new one closes the oldest", async () => {
  const server = await withLimits({}, { maxConnections: 4 });
  const ask = `GET /api/v1/system/status HTTP/1.1\r\nHost: x\r\nX-API-Key: ${USER_KEY}\r\n\r\n`;
  const held: Socket[] = [];
  for (let i = 0; i < 4; i++) {
    const socket = await opened(server.port, ask);
    await once(socket, "data");
    held.push(socket);
  }
  const newcomer = await opened(server.port, "GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
  expect(String((await once(newcomer, "data"))[0])).toContain("HTTP/1.1 200");
  await closed(held[0]!);
  newcomer.destroy();
  for (const socket of held) socket.destroy();
  await server.close(0);
});

it("a connection without a key that resets many requests is warned and then closed", async () => {
  const server = await openTiny();
  const resets = Array.from({ length: 150 }, (_, i) => {
    const id = 2 * i + 1;
    return Buffer.concat([
      frame(HEADERS, END_STREAM_AND_HEADERS, id, requestHead("GET")),
      frame(RST_STREAM, 0, id, Buffer.alloc(4)),
    ]);
  });
  const socket = await opened(
    server.port,
    Buffer.concat([PREFACE, frame(SETTINGS, 0, 0, Buffer.alloc(0)), ...resets]),
  );
  const seen: Buffer[] = [];
  socket.on("data", (bytes: Buffer) => seen.push(bytes));
  await closed(socket);
  const goaway = Buffer.concat(seen).subarray(-8);
  expect(goaway.readUInt32BE(4)).toBe(ENHANCE_YOUR_CALM);
  expect(await isHealthy(server.port)).toBe(true);
  await server.close(0);
});

it("unfinished requests without a key are dropped in favour of new ones, which are served", async () => {
  const server = await withLimits({ maxRequests: 3 });
  const half =
    "POST /grpc.health.v1.Health/Check HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
  const held: Socket[] = [];
  for (let i = 0; i < 4; i++) held.push(await opened(server.port, half));
  await closed(held[0]!);
  expect(await isHealthy(server.port)).toBe(true);
  for (const socket of held) socket.destroy();
  await server.close(0);
});

it("a connection without a key that sends more bytes than allowed is cut", async () => {
  const server = await withLimits({ maxBytes: 100_000, idleMs: 200 });
  const head =
    "POST /api/v1/content/write HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
  const socket = await opened(server.port, head);
  const chunk = `8000\r\n${" ".repeat(0x8000)}\r\n`;
  const send = () => void (socket.writable && socket.write(chunk, send));
  send();
  await closed(socket);
  await server.close(0);
});

it("an HTTP/2 response is dropped if an anonymous client does not read it", async () => {
  const server = await withLimits({ idleMs: 60_000 }, { bodyIdleMs: 100 });
  const session = connectHttp2(`http://127.0.0.1:${server.port}`, { settings: { initialWindowSize: 0 } });
  const stream = session.request({ ":path": "/health" });
  stream.on("error", () => undefined);
  await once(stream, "response");
  await once(stream, "close");
  expect(stream.rstCode).not.toBe(0);
  session.destroy();
  await server.close(0);
});

it("the server reads at most 64 KiB of a stream request from a caller without a key", async () => {
  const server = await openTiny();
  const size = 1024 * 1024;
  const envelope = Buffer.alloc(5);
  envelope.writeUInt32BE(size, 1);
  const head =
    "POST /ctxdb.v1.ContentService/DownloadContent HTTP/1.1\r\nHost: x\r\nContent-Type: application/connect+json\r\nTransfer-Encoding: chunked\r\n\r\n";
  const socket = await opened(
    server.port,
    Buffer.concat([
      Buffer.from(`${head}${(size + 5).toString(16)}\r\n`),
      envelope,
      Buffer.alloc(100_000, " "),
    ]),
  );
  const [answer] = await once(socket, "data");
  expect(String(answer)).toMatch(/^HTTP\/1\.1 /);
  await closed(socket);
  await server.close(0);
});

const STREAMS = [
  ["connect", "application/connect+json", "unauthenticated"],
  ["connect in protobuf", "application/connect+proto", "unauthenticated"],
  ["grpc-web", "application/grpc-web+proto", "grpc-status: 16"],
] as const;

describe.each(["DownloadContent", "ExportPack", "WatchTask", "UploadFile"])(
  "%s without a valid key",
  (method) => {
    const service = {
      DownloadContent: "Content",
      ExportPack: "Pack",
      WatchTask: "Task",
      UploadFile: "Resource",
    }[method];
    it.each(STREAMS)(
      "a call over %s without a valid key is refused on its headers, before any message arrives",
      async (_, contentType, refusal) => {
        const server = await openTiny();
        const head = `POST /ctxdb.v1.${service}Service/${method} HTTP/1.1\r\nHost: x\r\nContent-Type: ${contentType}\r\n`;
        const socket = await opened(
          server.port,
          `${head}X-API-Key: wrong\r\nTransfer-Encoding: chunked\r\n\r\n`,
        );
        let seen = "";
        socket.on("data", (bytes: Buffer) => {
          seen += bytes.toString("latin1");
          if (seen.includes(refusal)) socket.destroy();
        });
        await closed(socket);
        expect(seen).toContain(refusal);
        await server.close(0);
      },
    );
  },
);

it("the server reads at most 64 KiB of a call that needs no key", async () => {
  const server = await openTiny();
  const answer = await fetch(`http://127.0.0.1:${server.port}/grpc.health.v1.Health/Check`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ service: "x".repeat(70_000) }),
  });
  expect(await answer.json()).toMatchObject({
    message: "body: must not be larger than 65536 bytes, the limit of calls without a key",
  });
  await server.close(0);
});
