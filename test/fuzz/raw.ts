import type { Random } from "../crash/random.ts";
import { hostileHeader, mcpRequest, multipartRequest, type RestRequest, restRequest } from "./requests.ts";
import { mutated } from "./values.ts";

const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const FRAMES = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
} as const;

/** The text of an HTTP/1.1 request. */
export function http1({ method, path, headers, body }: RestRequest, key: string | undefined): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Connection: close",
    ...(key === undefined ? [] : [`X-API-Key: ${key}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${body.length}`]),
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), body ?? Buffer.alloc(0)]);
}

/** HTTP/1.1 messages that no client would send. */
export function brokenHttp1(random: Random, key: string | undefined): Buffer {
  const request = random.pick([restRequest, mcpRequest, multipartRequest])(random);
  const text = http1(request, key).toString("latin1");
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const body = rest.join("\r\n\r\n");
  const broken = [
    () => `${head}\r\nTransfer-Encoding: chunked\r\n\r\n${body}`,
    () =>
      `${head.replace(/Content-Length: \d+/, "Transfer-Encoding: chunked")}\r\n\r\nFFFFFFFFFFFFFFFF\r\n${body}`,
    () =>
      `${head.replace(/Content-Length: \d+/, "Transfer-Encoding: chunked")}\r\n\r\n${body.length.toString(16)};${"x".repeat(20_000)}\r\n${body}\r\n0\r\n\r\n`,
    () =>
      `${head.replace(/Content-Length: (\d+)/, "Content-Length: $1\r\nContent-Length: 3")}\r\n\r\n${body}`,
    () => `${head}\r\nExpect: ${random.pick(["100-continue", "200-ok", ""])}\r\n\r\n${body}`,
    () =>
      `${head}\r\nUpgrade: ${random.pick(["h2c", "websocket", "x"])}\r\nConnection: Upgrade\r\nHTTP2-Settings: AAAA\r\n\r\n${body}`,
    () => `${head}\r\n${"X-Filler: y\r\n".repeat(random.integer(10, 3000))}\r\n${body}`,
    () => `${head}\r\nX-Long: ${"z".repeat(random.integer(100, 80_000))}\r\n\r\n${body}`,
    () => text.replace("Connection: close", "Connection: keep-alive").repeat(random.integer(2, 30)),
    () => text.slice(0, random.integer(0, text.length)),
    () => text.replaceAll("\r\n", "\n"),
    () => text.replace("HTTP/1.1", random.pick(["HTTP/9.9", "HTTP/1.0", "", "HTTP/1.1\0"])),
    () => text.replace("Host: 127.0.0.1", `Host: ${hostileHeader(random)}`),
  ];
  return random.chance(0.3)
    ? mutated(random, Buffer.from(text, "latin1"))
    : Buffer.from(random.pick(broken)(), "latin1");
}

/** Frames after a valid preface: well-formed with wrong values, in the wrong order, or random bytes. */
export function brokenHttp2(random: Random): Buffer {
  const frames = [PREFACE, frame(FRAMES.settings, 0, 0, Buffer.alloc(0))];
  const kind = random.integer(0, 9);
  const many = random.integer(1, 400);
  const names = Object.values(FRAMES);
  if (kind === 0) for (let i = 0; i < many; i++) frames.push(frame(FRAMES.ping, 0, 0, Buffer.alloc(8, i)));
  else if (kind === 1)
    for (let i = 0; i < many; i++)
      frames.push(frame(FRAMES.settings, 0, 0, Buffer.from([0, random.integer(0, 9), 255, 255, 255, 255])));
  else if (kind === 2)
    for (let i = 0; i < many; i++)
      frames.push(headers(random, 2 * i + 1), frame(FRAMES.reset, 0, 2 * i + 1, Buffer.from([0, 0, 0, 8])));
  else if (kind === 3)
    frames.push(
      frame(FRAMES.headers, 0, 1, literal(":method", "POST")),
      ...Array.from({ length: many }, () =>
        frame(FRAMES.continuation, 0, 1, literal("x-a", "b".repeat(100))),
      ),
    );
  else if (kind === 4)
    for (let i = 0; i < many; i++)
      frames.push(frame(FRAMES.window, 0, random.integer(0, 3), Buffer.from([127, 255, 255, 255])));
  else if (kind === 5)
    frames.push(
      headers(random, random.pick([0, 2, 1, 2 ** 30 + 1])),
      frame(FRAMES.data, random.integer(0, 255), 1, Buffer.alloc(random.integer(0, 20_000))),
    );
  else if (kind === 6)
    frames.push(frame(FRAMES.goaway, 0, 0, Buffer.alloc(random.integer(0, 200))), headers(random, 1));
  else
    for (let i = 0; i < many / 10; i++)
      frames.push(
        frame(
          random.pick(names),
          random.integer(0, 255),
          random.integer(0, 9),
          Buffer.alloc(random.integer(0, 60), random.integer(0, 255)),
        ),
      );
  const bytes = Buffer.concat(frames);
  return random.chance(0.3)
    ? Buffer.concat([PREFACE, mutated(random, bytes.subarray(PREFACE.length))])
    : bytes;
}

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream >>> 0, 5);
  return Buffer.concat([head, payload]);
}

function headers(random: Random, stream: number): Buffer {
  const fields = [
    literal(":method", random.pick(["POST", "GET", ""])),
    literal(":scheme", "http"),
    literal(":path", random.pick(["/ctxdb.v1.SystemService/GetStatus", "/health", "*", ""])),
    literal(":authority", "127.0.0.1"),
    ...(random.chance(0.3) ? [literal(random.pick(["Upper", ":late", "connection", "te"]), "x")] : []),
    ...(random.chance(0.2) ? [Buffer.from([0x3f, 0xff, 0xff, 0xff, 0x7f])] : []),
  ];
  return frame(FRAMES.headers, random.pick([4, 5]), stream, Buffer.concat(fields));
}

/**
 * HPACK literals without indexing and without Huffman coding; strings below 127 bytes, so that one length
 * byte is enough.
 */
function literal(name: string, value: string): Buffer {
  return Buffer.concat([
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ]);
}
