import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { codeOf } from "../../../src/base/faults.ts";
import { type HttpAsk, httpAsk, KeptConnections, LATE_ANSWER } from "../../../src/base/http-client.ts";

const LIMITS = { connectMs: 20_000, headersMs: 20_000, silenceMs: 20_000, maxHeaderBytes: 16_384 };
/** Event loop turns that a reader takes: more than the end of a connection needs to arrive. */
const TURNS = 20;
const never = new AbortController().signal;
const BODY = "word ".repeat(40_000);
const OK = "HTTP/1.1 200 OK\r\n";
const CLOSING = `${OK}content-length: ${BODY.length}\r\nconnection: close\r\n\r\n`;

/** Answers the first bytes of every connection. */
type Script = (socket: Socket) => void;

describe("the HTTP client", () => {
  let script: Script;
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    socket.on("data", () => script(socket));
  });
  const ask = (more: Partial<HttpAsk> = {}) => {
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a`);
    return httpAsk(url, { method: "GET", headers: [], limits: LIMITS, signal: never, ...more });
  };
  const codeOfAsk = async (more: Partial<HttpAsk> = {}) => {
    try {
      const { message, end } = await ask(more);
      await text(message);
      end();
      return "OK";
    } catch (error) {
      return codeOf(error) || String(error);
    }
  };

  beforeEach(async () => {
    connections = 0;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });

  it.each([
    ["a length", CLOSING],
    ["HTTP/1.0", `HTTP/1.0 200 OK\r\ncontent-length: ${BODY.length}\r\n\r\n`],
    ["no length", `${OK}connection: close\r\n\r\n`],
  ])(
    "a response with %s is complete even if its reader is slow and its server has hung up",
    async (_, head) => {
      script = (socket) => socket.end(head + BODY);
      for (let i = 0; i < 5; i++) {
        const { message, end } = await ask();
        let read = "";
        for await (const piece of message) {
          read += String(piece);
          for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
        }
        end();
        expect(read).toBe(BODY);
      }
    },
  );

  it.each([
    ["a length", `${OK}content-length: ${BODY.length + 1}\r\nconnection: close\r\n\r\n${BODY}`],
    ["chunks", `${OK}transfer-encoding: chunked\r\nconnection: close\r\n\r\n5\r\nhello\r\n`],
    ["a head", OK],
    ["nothing", ""],
  ])("a response that is cut off in the middle of %s is an error", async (_, sent) => {
    script = (socket) => socket.end(sent);
    expect(await codeOfAsk()).toMatch(/^(ECONNRESET|HPE_)/);
    script = (socket) => socket.write(sent, () => setImmediate(() => socket.resetAndDestroy()));
    expect(await codeOfAsk()).toMatch(/^(ECONNRESET|HPE_)/);
  });

  it.each([
    ["headers without end", `${OK}${"x-a: b\r\n".repeat(5000)}`, /HPE_HEADER_OVERFLOW/],
    ["informational answers", "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(200), /informational/],
    ["no HTTP", "SSH-2.0-x\r\n\r\n", /HPE_/],
    [
      "an upgrade",
      "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
      /ECONNRESET/,
    ],
    ["two lengths", `${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`, /HPE_/],
  ])("an HTTP response with %s is an error", async (_, sent, code) => {
    script = (socket) => void socket.write(sent);
    expect(await codeOfAsk()).toMatch(code);
  });

  it("a response from a silent server ends at the time limit, but an unread response does not", async () => {
    const limits = { ...LIMITS, silenceMs: 40 };
    script = (socket) => socket.end(CLOSING + BODY);
    const { message, end } = await ask({ limits });
    script = (socket) => void socket.write(`${OK}content-length: 10\r\n\r\nhello`);
    expect(await codeOfAsk({ limits })).toBe(LATE_ANSWER);
    expect(await text(message)).toBe(BODY);
    end();
    script = () => undefined;
    expect(await codeOfAsk({ limits: { ...LIMITS, headersMs: 40 } })).toBe(LATE_ANSWER);
  });

  it("a signal aborts an exchange with its reason, before and during the response", async () => {
    const leave = new AbortController();
    script = () => leave.abort(new Error("left"));
    expect(await codeOfAsk({ signal: leave.signal })).toMatch(/left/);
    expect(await codeOfAsk({ signal: leave.signal })).toMatch(/left/);
    const later = new AbortController();
    script = (socket) => void socket.write(`${OK}content-length: 10\r\n\r\nhello`);
    const { message } = await ask({ signal: later.signal });
    later.abort(new Error("left"));
    await expect(text(message)).rejects.toThrow();
  });

  it("only connections whose responses were read are reused", async () => {
    const kept = new KeptConnections(60_000);
    script = (socket) => void socket.write(`${OK}content-length: 5\r\n\r\nhello`);
    for (let i = 0; i < 3; i++) expect(await codeOfAsk({ connections: kept })).toBe("OK");
    expect(connections).toBe(1);
    const { end } = await ask({ connections: kept });
    end();
    expect(await codeOfAsk({ connections: kept })).toBe("OK");
    expect(connections).toBe(2);
    kept.close();
  });

  it("a request is sent unchanged, with the length of its body", async () => {
    let sent = "";
    script = (socket) => void socket.end(`${OK}content-length: 0\r\n\r\n`);
    server.on("connection", (socket: Socket) => socket.on("data", (bytes) => (sent += String(bytes))));
    const headers = ["X-Name", "b", "accept", "*/*"];
    await codeOfAsk({ method: "POST", headers, body: Buffer.from("hello"), path: "/x%2fy?z" });
    expect(sent).toMatch(
      /^POST \/x%2fy\?z HTTP\/1\.1\r\nhost: 127\.0\.0\.1:\d+\r\nX-Name: b\r\naccept: \*\/\*\r\ncontent-length: 5\r\n/,
    );
    expect(sent.endsWith("\r\n\r\nhello")).toBe(true);
    sent = "";
    await codeOfAsk({ method: "POST", body: new Uint8Array() });
    expect(sent).toContain("content-length: 0\r\n");
  });
});
