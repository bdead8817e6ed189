import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { expect, it } from "vitest";
import { LISTEN_LIMITS, type ListenLimits } from "../../../src/transport/listen.ts";
import { openTiny } from "./tiny-server.ts";
import { USER_KEY } from "./tiny-service.ts";

const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const HEADERS = 1;
const RST_STREAM = 3;
const SETTINGS = 4;
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
  Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)]);

const requestHead = (method: string, ...more: Buffer[]): Buffer =>
  Buffer.concat([literal(":method", method), literal(":scheme", "http"), literal(":path", "/health"), literal(":authority", "x"), ...more]);

const withLimits = (limits: Partial<ListenLimits>) => openTiny({ listen: { ...LISTEN_LIMITS, ...limits } });

const isHealthy = async (port: number): Promise<boolean> => (await fetch(`http://127.0.0.1:${port}/health`)).ok;

async function opened(port: number, first: Buffer | string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  await new Promise((sent) => socket.write(first, sent));
  return socket;
}

const closed = (socket: Socket): Promise<unknown> => (socket.closed ? Promise.resolve() : once(socket.resume(), "close"));

it("a server outlives an HTTP/2 request that expects to be told to go on and is reset at once", async () => {
  const server = await openTiny();
  const expecting = frame(HEADERS, END_HEADERS, 1, requestHead("POST", literal("expect", "100-continue")));
  const packet = Buffer.concat([PREFACE, frame(SETTINGS, 0, 0, Buffer.alloc(0)), expecting, frame(RST_STREAM, 0, 1, Buffer.alloc(4))]);
  for (let i = 0; i < 5; i++) {
    const socket = await opened(server.port, packet);
    await once(socket, "data");
    socket.destroy();
    expect(await isHealthy(server.port)).toBe(true);
  }
  await server.close(0);
});

it("an HTTP/2 request that expects to be told to go on is told so and answered", async () => {
  const server = await openTiny();
  const session = connectHttp2(`http://127.0.0.1:${server.port}`);
  const stream = session.request({ ":path": "/health", expect: "100-continue" });
  await once(stream, "continue");
  const [headers] = await once(stream, "response");
  expect(headers[":status"]).toBe(200);
  session.destroy();
  await server.close(0);
});

it("a connection whose HTTP/2 session breaks the protocol is closed, although its client stays", async () => {
  const server = await withLimits({ strangerIdleMs: 100 });
  const request = frame(HEADERS, END_STREAM_AND_HEADERS, 1, requestHead("GET"));
  const broken = frame(SETTINGS, 0, 0, Buffer.from("xxx"));
  const socket = await opened(server.port, Buffer.concat([PREFACE, frame(SETTINGS, 0, 0, Buffer.alloc(0)), request, broken]));
  await closed(socket);
  await server.close(0);
});

it.each([
  ["nothing", ""],
  [
    "the head of a stream whose message never comes",
    "POST /ctxdb.v1.ContentService/DownloadContent HTTP/1.1\r\nHost: x\r\nContent-Type: application/connect+json\r\nTransfer-Encoding: chunked\r\n\r\n",
  ],
  ["half a body", "POST /api/v1/content/write HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"],
])("a connection without a valid key that has sent %s is cut when it falls silent", async (_, start) => {
  const server = await withLimits({ strangerIdleMs: 100 });
  await closed(await opened(server.port, start));
  await server.close(0);
});

it("the oldest connection without a key makes room where there are too many, and newcomers are served", async () => {
  const server = await withLimits({ maxStrangers: 5 });
  const oldest = await opened(server.port, "GET / HTTP/1.1\r\n");
  const others: Socket[] = [];
  for (let i = 0; i < 5; i++) others.push(await opened(server.port, "GET / HTTP/1.1\r\n"));
  await closed(oldest);
  expect(await isHealthy(server.port)).toBe(true);
  for (const socket of others) socket.destroy();
  await server.close(0);
});

it.each(["HTTP/1.1", "HTTP/2"])(
  "a connection over %s that has shown a valid key does not make room for those without one",
  async (protocol) => {
    const server = await withLimits({ maxStrangers: 2, strangerIdleMs: 100 });
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
    const strangers = await Promise.all(Array.from({ length: 5 }, () => opened(server.port, "GET / HTTP/1.1\r\n")));
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

it("the request of a stream is not read beyond 64 KiB by a caller without a key", async () => {
  const server = await openTiny();
  const size = 1024 * 1024;
  const envelope = Buffer.alloc(5);
  envelope.writeUInt32BE(size, 1);
  const head =
    "POST /ctxdb.v1.ContentService/DownloadContent HTTP/1.1\r\nHost: x\r\nContent-Type: application/connect+json\r\nTransfer-Encoding: chunked\r\n\r\n";
  const socket = await opened(
    server.port,
    Buffer.concat([Buffer.from(`${head}${(size + 5).toString(16)}\r\n`), envelope, Buffer.alloc(100_000, " ")]),
  );
  const [answer] = await once(socket, "data");
  expect(String(answer)).toMatch(/^HTTP\/1\.1 /);
  await closed(socket);
  await server.close(0);
});
