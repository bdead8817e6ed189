import { createHash } from "node:crypto";
import { connect, type Socket } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_ACCOUNT } from "../../../src/domain/ids.ts";
import type { Transport } from "../../../src/transport/transport.ts";
import { openTiny } from "./tiny-server.ts";
import { ROOT_KEY, USER_KEY } from "./tiny-service.ts";

const KEY = { "x-api-key": USER_KEY };
const JSON_BODY = { ...KEY, "content-type": "application/json" };
const MIB = 1024 * 1024;

let server: Transport;
let base: string;

beforeAll(async () => {
  server = await openTiny();
  base = `http://127.0.0.1:${server.port}`;
  await post("/api/v1/content/write", { uri: "ctx://resources/r.txt", content: "0123456789" });
});
afterAll(() => server.close(1000));

const get = (path: string, headers: Record<string, string> = KEY) => fetch(base + path, { headers });
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(base + path, { method: "POST", headers: { ...JSON_BODY, ...headers }, body: JSON.stringify(body) });

async function errorOf(answer: Response): Promise<Record<string, unknown>> {
  const tree = (await answer.json()) as { status: string; error: Record<string, unknown>; time: number };
  expect(Object.keys(tree).sort()).toEqual(["error", "status", "time"]);
  return { http: answer.status, ...tree.error };
}

/** Sends these bytes and returns what the server sends until it closes the connection. */
function exchange(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket: Socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
    socket.on("error", reject);
  });
}

describe("routes and methods", () => {
  it.each(["/nope", "/api/v1/nope", "/api/v1"])("%s is not a route, with or without a key", async (path) => {
    expect(await errorOf(await get(path, {}))).toMatchObject({
      http: 404,
      code: "NOT_FOUND",
      details: { type: "route" },
    });
  });

  it("a method that a route does not support gets 405 and the allowed methods", async () => {
    const answer = await fetch(`${base}/api/v1/fs/stat`, { method: "PUT" });
    expect(answer.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect(await errorOf(answer)).toMatchObject({ http: 405, code: "INVALID_ARGUMENT" });
    expect((await fetch(`${base}/health`, { method: "POST" })).status).toBe(405);
  });

  it("REST tolerates a slash at the end of a path and responds to HEAD without a body", async () => {
    expect((await get("/api/v1/system/status/")).status).toBe(200);
    const head = await fetch(`${base}/api/v1/system/status`, { method: "HEAD", headers: KEY });
    expect([head.status, await head.text(), Number(head.headers.get("content-length")) > 100]).toEqual([
      200,
      "",
      true,
    ]);
  });

  it("REST checks route, method, key, access and fields in this order", async () => {
    expect(
      await errorOf(await fetch(`${base}/api/v1/fs/mkdir`, { method: "POST", body: "{" })),
    ).toMatchObject({ code: "UNAUTHENTICATED" });
    expect(await errorOf(await get("/api/v1/admin/accounts/acme/users?x=1&x=2"))).toMatchObject({
      code: "PERMISSION_DENIED",
    });
    expect(await errorOf(await get("/api/v1/fs/stat?uri=a&uri=b"))).toMatchObject({
      code: "INVALID_ARGUMENT",
      details: { field: "uri" },
    });
  });
});

describe("headers of an answer", () => {
  it("a valid request id is repeated in the response, and an invalid one is replaced", async () => {
    for (const [sent, kept] of [
      ["a b/c:~!", true],
      ["r".repeat(128), true],
      ["r".repeat(129), false],
    ] as const) {
      const answer = await get("/api/v1/system/status", { ...KEY, "x-request-id": sent });
      expect(answer.headers.get("x-request-id") === sent).toBe(kept);
      expect(answer.headers.get("x-request-id")).toBeTruthy();
    }
  });

  it("every REST response has a header with the processing time in seconds", async () => {
    for (const path of ["/api/v1/system/status", "/nope", "/health"]) {
      expect((await get(path)).headers.get("x-process-time")).toMatch(/^\d+\.\d+$/);
    }
    const { time } = (await (await get("/api/v1/system/status")).json()) as { time: number };
    expect(time).toBeGreaterThan(0);
  });

  it("the ETag of a file is its hash, and writes check If-Match", async () => {
    const tag = (await get("/api/v1/fs/stat?uri=ctx://resources/r.txt")).headers.get("etag")!;
    expect(tag).toBe(`"${createHash("sha256").update("0123456789").digest("hex")}"`);
    const body = { uri: "ctx://resources/r.txt", content: "0123456789" };
    expect((await post("/api/v1/content/write", body, { "If-Match": tag })).status).toBe(200);
    expect(await errorOf(await post("/api/v1/content/write", body, { "If-Match": '"x"' }))).toMatchObject({
      http: 412,
      details: { etag: tag.slice(1, -1) },
    });
  });

  it("the headers of a truncated list report the truncation and the cursor of the rest", async () => {
    for (const name of ["a", "b", "c"])
      await post("/api/v1/content/write", { uri: `ctx://cut/${name}`, content: "" });
    const seen: unknown[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const answer: Response = await get(
        `/api/v1/fs/ls?uri=ctx://cut&simple=1&node_limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`,
      );
      cursor = answer.headers.get("x-next-cursor");
      expect(answer.headers.get("x-truncated")).toBe(cursor === null ? null : "true");
      seen.push(...((await answer.json()) as { result: unknown[] }).result);
    }
    expect(seen).toEqual(["ctx://cut/a", "ctx://cut/b", "ctx://cut/c"]);
  });

  it("long REST responses are compressed for clients that accept gzip", async () => {
    const text = "a".repeat(5000);
    await post("/api/v1/content/write", { uri: "ctx://resources/long.txt", content: text });
    const raw = await exchange(
      server.port,
      `GET /api/v1/content/read?uri=ctx://resources/long.txt HTTP/1.1\r\nHost: x\r\nX-API-Key: ${USER_KEY}\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n`,
    );
    const [head = "", body = ""] = raw.split("\r\n\r\n");
    expect(head).toContain("Content-Encoding: gzip");
    expect(JSON.parse(gunzipSync(Buffer.from(body, "latin1")).toString()).result).toBe(text);
    expect(
      (
        await get("/api/v1/content/read?uri=ctx://resources/long.txt", {
          ...KEY,
          "accept-encoding": "gzip;q=0",
        })
      ).headers.get("content-encoding"),
    ).toBeNull();
  });

  it("a REST write with a known Idempotency-Key gets the stored response", async () => {
    const body = { uri: "ctx://resources/once.txt", content: "x", mode: "create" };
    const answers = [];
    for (let i = 0; i < 2; i++)
      answers.push(
        (await (await post("/api/v1/content/write", body, { "Idempotency-Key": "k1" })).json()) as {
          result: unknown;
        },
      );
    expect(answers[1]!.result).toEqual(answers[0]!.result);
    expect(
      await errorOf(
        await post("/api/v1/content/write", { ...body, content: "y" }, { "Idempotency-Key": "k1" }),
      ),
    ).toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });
});

describe("bodies", () => {
  it("a REST body needs a JSON content type or none", async () => {
    const send = (headers: Record<string, string>) =>
      fetch(`${base}/api/v1/search/find`, {
        method: "POST",
        headers: { ...KEY, ...headers },
        body: Buffer.from('{"query":"x"}'),
      });
    expect((await send({})).status).toBe(200);
    expect((await send({ "content-type": "application/json; charset=utf-8" })).status).toBe(200);
    expect(await errorOf(await send({ "content-type": "text/plain" }))).toMatchObject({
      http: 400,
      details: { field: "Content-Type" },
    });
    expect(await errorOf(await send({ "content-encoding": "gzip" }))).toMatchObject({
      http: 400,
      details: { field: "Content-Encoding" },
    });
  });

  it.each(["", "null"])("the body %j is treated as missing", async (body) => {
    expect(
      (await fetch(`${base}/api/v1/system/wait?timeout=1`, { method: "POST", headers: JSON_BODY, body }))
        .status,
    ).toBe(200);
  });

  it.each(["declared", "not declared"])(
    "a body over the limit is refused during the transfer (%s), and the connection stays open",
    async (how) => {
      const body = Buffer.alloc(6 * MIB, 0x20);
      const chunked = new ReadableStream({
        start(controller) {
          for (let at = 0; at < body.length; at += MIB) controller.enqueue(body.subarray(at, at + MIB));
          controller.close();
        },
      });
      const answer = await fetch(`${base}/api/v1/search/find`, {
        method: "POST",
        headers: JSON_BODY,
        body: how === "declared" ? body : chunked,
        duplex: "half",
      } as RequestInit);
      expect(await errorOf(answer)).toMatchObject({
        http: 413,
        code: "INVALID_ARGUMENT",
        message: expect.stringContaining("CTXDB_MAX_BODY_BYTES"),
      });
      expect((await get("/api/v1/system/status")).status).toBe(200);
    },
  );
});

describe("uploads", () => {
  const form = (...files: (readonly [field: string, size: number])[]) => {
    const data = new FormData();
    for (const [field, size] of files) data.append(field, new Blob([Buffer.alloc(size, 0x61)]), "../ü.bin");
    return data;
  };
  const send = (body: FormData | string, headers: Record<string, string> = {}) =>
    fetch(`${base}/api/v1/resources/temp_upload`, { method: "POST", headers: { ...KEY, ...headers }, body });

  it.each([0, 1, 300_000])("an upload accepts one file of %d bytes", async (size) => {
    const { result } = (await (await send(form(["file", size]))).json()) as {
      result: Record<string, unknown>;
    };
    expect(result).toMatchObject({
      size,
      sha256: createHash("sha256").update(Buffer.alloc(size, 0x61)).digest("hex"),
    });
  });

  it.each([
    ["no file", form()],
    ["another field", form(["document", 5])],
    ["two files", form(["file", 5], ["file", 5])],
    ["a large file, then another", form(["file", 900_000], ["file", 5])],
  ])("an upload with %s is refused", async (_, body) => {
    expect(await errorOf(await send(body))).toMatchObject({
      http: 400,
      code: "INVALID_ARGUMENT",
      details: { field: "file" },
    });
  });

  it.each([
    ["JSON", "{}", "application/json"],
    ["no boundary", "x", "multipart/form-data"],
  ])("an upload sent as %s is refused because of its Content-Type", async (_, body, type) => {
    expect(await errorOf(await send(body, { "content-type": type }))).toMatchObject({
      http: 400,
      details: { field: "Content-Type" },
    });
  });

  it("a truncated upload form is refused", async () => {
    const cut = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc';
    expect(
      await errorOf(await send(cut, { "content-type": "multipart/form-data; boundary=b" })),
    ).toMatchObject({
      http: 400,
      details: { field: "file" },
    });
  });

  it.each([
    ["a file", 'Content-Disposition: form-data; filename="a"'],
    ["a field", "Content-Disposition: form-data"],
  ])("an upload form with %s without a name is refused as an error of the caller", async (_, header) => {
    const body = `--b\r\n${header}\r\n\r\nabc\r\n--b--\r\n`;
    expect(
      await errorOf(await send(body, { "content-type": "multipart/form-data; boundary=b" })),
    ).toMatchObject({
      http: 400,
      details: { field: "file" },
    });
  });

  it("an upload above CTXDB_MAX_UPLOAD_BYTES is refused with 413 and the setting's name", async () => {
    expect(await errorOf(await send(form(["file", MIB + 1])))).toMatchObject({
      http: 413,
      message: expect.stringContaining("CTXDB_MAX_UPLOAD_BYTES"),
    });
  });
});

describe("downloads", () => {
  const path = "/api/v1/content/download?uri=ctx://resources/r.txt";

  it("a download returns the raw bytes as an attachment", async () => {
    const answer = await get(path);
    expect(await answer.text()).toBe("0123456789");
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/plain",
      "content-disposition": expect.stringMatching(/^attachment; filename="r\.txt"/),
      "x-content-type-options": "nosniff",
      "accept-ranges": "bytes",
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    });
  });

  it("a download returns one requested range, and the whole file when If-Range is stale", async () => {
    const answer = await get(path, { ...KEY, range: "bytes=2-4" });
    expect([answer.status, await answer.text(), answer.headers.get("content-range")]).toEqual([
      206,
      "234",
      "bytes 2-4/10",
    ]);
    const stale = await get(path, { ...KEY, range: "bytes=2-4", "if-range": '"old"' });
    expect([stale.status, await stale.text()]).toEqual([200, "0123456789"]);
  });

  it("a failed download is answered with the error envelope", async () => {
    const beyond = await get(path, { ...KEY, range: "bytes=10-" });
    expect(beyond.headers.get("content-range")).toBe("bytes */10");
    expect(await errorOf(beyond)).toMatchObject({ http: 416, code: "INVALID_ARGUMENT" });
    expect(await errorOf(await get("/api/v1/content/download?uri=ctx://none"))).toMatchObject({
      http: 404,
      code: "NOT_FOUND",
    });
    expect(await errorOf(await get("/api/v1/content/download"))).toMatchObject({
      http: 400,
      details: { field: "uri" },
    });
  });
});

describe("a request with a field that nobody reads", () => {
  const warning = "unknown field: top_k; did you mean limit?";

  it("a request with an unknown field is served, with a warning in a header and in the envelope", async () => {
    const answer = await post("/api/v1/search/find", { query: "q", top_k: 3 });
    expect([answer.status, answer.headers.get("warning")]).toEqual([200, `299 ctxdb "${warning}"`]);
    expect(Object.entries((await answer.json()) as object).at(-1)).toEqual(["warnings", [warning]]);
    const empty = await post("/api/v1/relations/link", {
      from_uri: "ctx://resources/a",
      to_uri: "ctx://resources/b",
      reson: "x",
    });
    expect(await empty.json()).toMatchObject({
      status: "ok",
      warnings: ["unknown field: reson; did you mean reason?"],
    });
  });

  it("errors, queries and downloads include the warning about an unknown field", async () => {
    const refused = await post("/api/v1/search/find", { qurey: "q" });
    expect(await refused.json()).toMatchObject({
      error: { code: "INVALID_ARGUMENT" },
      warnings: ["unknown field: qurey; did you mean query?"],
    });
    const query = await get("/api/v1/fs/stat?uri=ctx://resources&verbose=1");
    expect(await query.json()).toMatchObject({ warnings: ["unknown field: verbose"] });
    const download = await get("/api/v1/content/download?uri=ctx://resources/r.txt&inline=1");
    expect([download.headers.get("warning"), await download.text()]).toEqual([
      '299 ctxdb "unknown field: inline"',
      "0123456789",
    ]);
    const form = new FormData();
    form.append("file", new Blob(["x"]), "x.txt");
    form.append("purpose", "fun");
    const upload = await fetch(`${base}/api/v1/resources/temp_upload?dry=1`, {
      method: "POST",
      headers: KEY,
      body: form,
    });
    expect(await upload.json()).toMatchObject({
      status: "ok",
      warnings: ["unknown field: dry", "unknown field: purpose"],
    });
  });

  it("a DELETE with fields in its body is refused, and one with an empty object is not", async () => {
    const remove = (body: string) =>
      fetch(`${base}/api/v1/fs?uri=ctx://resources/none`, { method: "DELETE", headers: JSON_BODY, body });
    // this server serves no files
    expect(await (await remove("{}")).json()).toMatchObject({ error: { code: "UNIMPLEMENTED" } });
    const answer = await remove('{"recursive":true}');
    expect(await answer.json()).toMatchObject({
      error: { code: "INVALID_ARGUMENT", details: { field: "body" } },
      warnings: ["the body is not read: DELETE takes its fields from path and query"],
    });
  });

  it("a request without unknown fields gets no warning", async () => {
    const answer = await post("/api/v1/search/find", { query: "q" });
    expect(answer.headers.get("warning")).toBeNull();
    expect(Object.keys((await answer.json()) as object)).toEqual(["status", "result", "time"]);
  });
});

describe("the page at /docs", () => {
  it("the /docs page loads only files of this server", async () => {
    const page = await get("/docs", {});
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const html = await page.text();
    const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)]
      .map((match) => match[1]!)
      .filter((url) => !url.startsWith("data:"));
    expect(named).toEqual(["/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js", "/docs/start.js"]);
    for (const url of ["/docs", "/docs/", ...named]) {
      const answer = await get(url, {});
      expect([url, answer.status, answer.headers.get("x-content-type-options")]).toEqual([
        url,
        200,
        "nosniff",
      ]);
      const policy = answer.headers.get("content-security-policy");
      expect(policy).toContain("default-src 'none'; script-src 'self'; ");
      expect(policy).toContain("connect-src 'self'");
      expect(policy).not.toMatch(/https?:|\*/);
    }
  });

  it("only the needed files of Swagger UI are served", async () => {
    for (const url of [
      "/docs/package.json",
      "/docs/swagger-ui.js",
      "/docs/..%2fpackage.json",
      "/docs/swagger-ui.css/../index.js",
    ]) {
      expect(await errorOf(await get(url))).toMatchObject({ http: 404, code: "NOT_FOUND" });
    }
  });
});

describe("probes", () => {
  it("/health, /ready and /openapi.json need no key and have no envelope", async () => {
    expect(await (await get("/health", {})).json()).toEqual({
      status: "ok",
      healthy: true,
      version: "0.0.1",
    });
    expect(await (await get("/ready", { "x-api-key": "wrong" })).json()).toEqual({
      status: "ready",
      checks: { storage: "ok" },
    });
    expect(await (await get("/openapi.json", {})).json()).toMatchObject({
      openapi: expect.stringMatching(/^3\.1/),
    });
  });

  it("only ROOT can read the /metrics page", async () => {
    expect(await errorOf(await get("/metrics", {}))).toMatchObject({ code: "UNAUTHENTICATED" });
    expect(await errorOf(await get("/metrics"))).toMatchObject({ code: "PERMISSION_DENIED" });
    const text = await (await get("/metrics", { "x-api-key": ROOT_KEY })).text();
    expect(text).toMatch(
      /^ctxdb_calls_total\{operation="SystemService.GetStatus",wire="rest",code="OK"\} \d+/m,
    );
  });

  it("/ready returns 503 and names the component that is not ready", async () => {
    const other = await openTiny({ ready: () => ({ storage: "ok", queue: "stalled" }) });
    const answer = await fetch(`http://127.0.0.1:${other.port}/ready`);
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { status: "not_ready", checks: { storage: "ok", queue: "stalled" } },
    ]);
    await other.close(0);
  });
});

describe("browsers", () => {
  it("browsers get a preflight response on every protocol and may read the headers", async () => {
    const asked = { Origin: "https://app.example", "Access-Control-Request-Method": "POST" };
    for (const path of ["/api/v1/search/find", "/ctxdb.v1.SearchService/Find"]) {
      const answer = await fetch(base + path, { method: "OPTIONS", headers: asked });
      expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    }
    const exposed = (
      await get("/api/v1/system/status", { ...KEY, Origin: "https://app.example" })
    ).headers.get("access-control-expose-headers");
    for (const name of ["X-Request-Id", "ETag", "X-Next-Cursor", "Grpc-Status"])
      expect(exposed).toContain(name);
  });

  it("pages of other origins cannot read anything from a server without a key", async () => {
    const open = await openTiny({
      keyless: true,
      authenticate: () => ({
        role: "root",
        account: DEFAULT_ACCOUNT,
        user: "default",
        agent: "default",
        accountNamed: false,
        keyless: true,
      }),
    });
    const own = `http://127.0.0.1:${open.port}`;
    const from = (origin: string, path = "/api/v1/system/status") =>
      fetch(own + path, { headers: { Origin: origin } });
    expect((await from("http://localhost:4199")).status).toBe(200);
    expect(await errorOf(await from("http://evil.example"))).toMatchObject({ code: "PERMISSION_DENIED" });
    expect((await from("http://evil.example", "/health")).status).toBe(200);
    expect(
      await exchange(
        open.port,
        "GET /api/v1/system/status HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
      ),
    ).toMatch(/^HTTP\/1\.1 403 /);
    await open.close(0);
  });
});

describe("bytes that are not HTTP", () => {
  it("bytes that are not HTTP are refused with the error envelope", async () => {
    expect(await exchange(server.port, "nonsense\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*"code":"INVALID_ARGUMENT"/,
    );
    expect(
      await exchange(server.port, `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(100_000)}\r\n\r\n`),
    ).toMatch(/^HTTP\/1\.1 431 /);
  });
});
