import { type IncomingHttpHeaders, request } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "../../../src/domain/caller.ts";
import { accountId } from "../../../src/domain/ids.ts";
import type { Transport } from "../../../src/transport/transport.ts";
import { openTiny } from "./tiny-server.ts";
import { ROOT_KEY, USER_KEY } from "./tiny-service.ts";

interface Heard {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

/** Sends a request with exactly these headers; `fetch` would add others. */
function ask(port: number, path: string, { method = "GET", headers = {}, body }: Asked = {}): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, path, method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on("error", reject).end(body);
  });
}

function raw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("close", () => resolve(text)).on("error", reject);
  });
}

function headersOverHttp2(port: number, sent: Record<string, string>): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    session.on("error", reject);
    const stream = session.request(sent);
    stream.on("response", (headers) => {
      resolve(headers);
      session.destroy();
    });
    stream.on("error", reject).end();
  });
}

const GUARDS = { "cross-origin-resource-policy": "same-origin", "x-content-type-options": "nosniff" };
const KEY = { "x-api-key": USER_KEY };
const JSON_KEY = { ...KEY, "content-type": "application/json" };
const ANYBODY: Caller = {
  role: "root",
  account: accountId("default"),
  user: "default",
  agent: "default",
  accountNamed: false,
  keyless: true,
};
const SCRIPT = "/api/v1/content/download?uri=ctx://resources/config.js";

let keyed: Transport;
let open: Transport;

beforeAll(async () => {
  keyed = await openTiny();
  open = await openTiny({ keyless: true, authenticate: () => ANYBODY });
  const body = JSON.stringify({ uri: "ctx://resources/config.js", content: "window.CONFIG = 1" });
  for (const { port } of [keyed, open])
    await ask(port, "/api/v1/content/write", { method: "POST", headers: JSON_KEY, body });
});
afterAll(() => Promise.all([keyed.close(0), open.close(0)]));

describe("every answer forbids pages of other origins to embed it and browsers to guess its type", () => {
  const grpc = { ...KEY, "content-type": "application/grpc", te: "trailers" };
  const frame = Buffer.from([0, 0, 0, 0, 0]);
  const cases: Readonly<Record<string, readonly [path: string, asked: Asked, status: number]>> = {
    "a REST answer": ["/api/v1/system/status", { headers: KEY }, 200],
    "a HEAD answer": ["/api/v1/system/status", { method: "HEAD", headers: KEY }, 200],
    "a REST error": ["/api/v1/fs/stat?uri=ctx://none", { headers: KEY }, 404],
    "an answer to no key": ["/api/v1/system/status", {}, 401],
    "an unknown route": ["/nope", {}, 404],
    "a wrong method": ["/api/v1/fs/stat", { method: "PUT" }, 405],
    "a broken path": ["/api/v1/sessions/%ff", { headers: KEY }, 400],
    "a body that is too large": [
      "/api/v1/content/write",
      { method: "POST", headers: { ...JSON_KEY, "content-length": "99999999" } },
      413,
    ],
    "a download": [SCRIPT, { headers: KEY }, 200],
    "a part of a download": [SCRIPT, { headers: { ...KEY, range: "bytes=1-2" } }, 206],
    "a range beyond the end": [SCRIPT, { headers: { ...KEY, range: "bytes=999-" } }, 416],
    "a broken upload": ["/api/v1/resources/temp_upload", { method: "POST", headers: KEY }, 400],
    "/health": ["/health", {}, 200],
    "/ready": ["/ready", {}, 200],
    "/metrics": ["/metrics", { headers: { "x-api-key": ROOT_KEY } }, 200],
    "/metrics without a key": ["/metrics", {}, 401],
    "a wrong method of a probe": ["/health", { method: "POST" }, 405],
    "/openapi.json": ["/openapi.json", {}, 200],
    "/docs": ["/docs", {}, 200],
    "a script of /docs": ["/docs/start.js", {}, 200],
    "a preflight": [
      "/api/v1/search/find",
      { method: "OPTIONS", headers: { origin: "https://app.example" } },
      204,
    ],
    "MCP without a key": [
      "/mcp",
      { method: "POST", headers: { "content-type": "application/json" }, body: "{}" },
      401,
    ],
    "MCP asked by a page": [
      "/mcp",
      { method: "POST", headers: { ...JSON_KEY, origin: "https://evil.example" }, body: "{}" },
      403,
    ],
    "MCP by GET": ["/mcp", { headers: KEY }, 405],
    "a Connect answer": [
      "/ctxdb.v1.SystemService/GetStatus",
      { method: "POST", headers: JSON_KEY, body: "{}" },
      200,
    ],
    "a Connect error": [
      "/ctxdb.v1.FilesystemService/StatNode",
      { method: "POST", headers: JSON_KEY, body: "{}" },
      400,
    ],
    "a Connect GET": ["/ctxdb.v1.SystemService/GetStatus", { headers: KEY }, 405],
    "a content type of no wire": [
      "/ctxdb.v1.SystemService/GetStatus",
      { method: "POST", headers: { ...KEY, "content-type": "text/plain" }, body: "{}" },
      415,
    ],
    "a Connect stream": [
      "/ctxdb.v1.ContentService/DownloadContent",
      { method: "POST", headers: { ...KEY, "content-type": "application/connect+proto" }, body: frame },
      200,
    ],
    "a GET of a stream": ["/ctxdb.v1.ContentService/DownloadContent", { headers: KEY }, 405],
    "gRPC-Web": [
      "/ctxdb.v1.SystemService/GetStatus",
      { method: "POST", headers: { ...grpc, "content-type": "application/grpc-web" }, body: frame },
      200,
    ],
    "an unknown gRPC method": ["/none.Service/Method", { method: "POST", headers: grpc, body: frame }, 200],
    "the health of gRPC": [
      "/grpc.health.v1.Health/Check",
      { method: "POST", headers: { "content-type": "application/json" }, body: "{}" },
      200,
    ],
  };

  it.each(Object.entries(cases))(
    "headers against embedding and content sniffing are sent with %s",
    async (_, [path, asked, status]) => {
      const { headers, status: found } = await ask(keyed.port, path, asked);
      expect(found).toBe(status);
      expect(headers).toMatchObject(GUARDS);
    },
  );

  it("headers against embedding and content sniffing are sent with responses over HTTP/2", async () => {
    expect(await headersOverHttp2(keyed.port, { ":path": "/health" })).toMatchObject(GUARDS);
    expect(await headersOverHttp2(keyed.port, { ":path": "/api/v1/fs/ls" })).toMatchObject({
      ":status": 401,
      ...GUARDS,
    });
    const method = "/ctxdb.v1.SystemService/GetStatus";
    expect(await headersOverHttp2(keyed.port, { ":path": method, ":method": "POST", ...grpc })).toMatchObject(
      GUARDS,
    );
    expect(await headersOverHttp2(keyed.port, { ":path": "/health", expect: "wonders" })).toMatchObject({
      ":status": 200,
      ...GUARDS,
    });
    expect(await headersOverHttp2(keyed.port, { ":path": "/health", ":method": "OPTIONS" })).toMatchObject({
      ":status": 204,
      ...GUARDS,
    });
    expect(await headersOverHttp2(keyed.port, { ":method": "CONNECT", ":authority": "x" })).toMatchObject({
      ":status": 405,
      ...GUARDS,
    });
    const stream = {
      ":path": "/grpc.health.v1.Health/Watch",
      ":method": "POST",
      "content-type": "application/grpc",
    };
    expect(await headersOverHttp2(keyed.port, stream)).toMatchObject(GUARDS);
  });

  it.each([
    ["a request without a Host", "GET /health HTTP/1.1\r\nConnection: close\r\n\r\n", 200],
    ["a REST request without a Host", "GET /api/v1/fs/ls HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    [
      "an expectation nobody knows",
      "GET /health HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n",
      200,
    ],
    ["what is no HTTP", "nonsense\r\n\r\n", 400],
    ["headers that are too large", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(100_000)}\r\n\r\n`, 431],
  ])(
    "headers against embedding and content sniffing are sent with the response to %s",
    async (_, bytes, status) => {
      const text = (await raw(keyed.port, bytes)).split("\r\n\r\n")[0]!;
      expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(text).toContain("Cross-Origin-Resource-Policy: same-origin");
      expect(text).toContain("X-Content-Type-Options: nosniff");
    },
  );

  it("a download is saved as a file, and runs nothing even if a browser displays it", async () => {
    const { headers } = await ask(keyed.port, SCRIPT, { headers: KEY });
    expect(headers["content-disposition"]).toMatch(/^attachment;/);
    expect(headers["content-security-policy"]).toBe("sandbox; default-src 'none'; frame-ancestors 'none'");
  });
});

describe("without a key", () => {
  const from = (site: string, more: Record<string, string> = {}) => ({ "sec-fetch-site": site, ...more });
  const code = ({ text }: Heard) =>
    (JSON.parse(text) as { error: { code: string; details: { resource: string } } }).error;

  it.each(["cross-site", "same-site", "Cross-Site", "none, cross-site", "later-word"])(
    "a page with Sec-Fetch-Site: %s can load nothing from a server without keys",
    async (site) => {
      for (const path of [
        SCRIPT,
        "/api/v1/fs/tree?uri=ctx://",
        "/openapi.json",
        "/metrics",
        "/docs/start.js",
        "/mcp",
        "/nope",
      ]) {
        for (const method of ["GET", "HEAD"]) {
          const heard = await ask(open.port, path, {
            method,
            headers: from(site, { "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script" }),
          });
          expect([path, method, heard.status]).toEqual([path, method, 403]);
          if (method === "GET")
            expect(code(heard)).toMatchObject({
              code: "PERMISSION_DENIED",
              details: { resource: "Sec-Fetch-Site" },
            });
        }
      }
    },
  );

  it("forms, frames and links of a foreign page cannot reach stored content", async () => {
    const navigation = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    expect((await ask(open.port, SCRIPT, { headers: from("cross-site", navigation) })).status).toBe(403);
    const frame = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" };
    expect((await ask(open.port, "/docs", { headers: from("cross-site", frame) })).status).toBe(403);
    for (const path of ["/docs", "/api/v1/content/write"]) {
      const form = {
        method: "POST",
        headers: from("cross-site", { ...navigation, "content-type": "text/plain" }),
        body: "{}",
      };
      expect((await ask(open.port, path, form)).status).toBe(403);
    }
    expect((await ask(open.port, "/docs", { headers: from("cross-site", navigation) })).status).toBe(200);
  });

  it("WebSocket upgrades and calls of typed protocols from foreign pages are refused", async () => {
    const socket = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    };
    expect(
      (await ask(open.port, "/mcp", { headers: { ...socket, origin: "http://evil.example" } })).status,
    ).toBe(403);
    expect((await ask(open.port, "/mcp", { headers: { ...socket, ...from("cross-site") } })).status).toBe(
      403,
    );
    const typed = {
      method: "POST",
      headers: from("cross-site", { "content-type": "application/json" }),
      body: "{}",
    };
    expect((await ask(open.port, "/ctxdb.v1.SystemService/GetStatus", typed)).status).toBe(403);
  });

  it("a server without keys serves local pages, its own pages, typed addresses and programs", async () => {
    for (const headers of [
      from("cross-site", { origin: "http://localhost:3000" }),
      from("same-site", { origin: "http://127.0.0.1:5173" }),
      from("same-origin"),
      from("none"),
      {},
    ])
      expect((await ask(open.port, "/api/v1/system/status", { headers })).status).toBe(200);
  });
});
