import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { ContentService } from "../../../gen/ctxdb/v1/content_pb.ts";
import { FilesystemService } from "../../../gen/ctxdb/v1/filesystem_pb.ts";
import { openAuditLog } from "../../../src/transport/pipeline/audit-log.ts";
import { WRONG_KEYS } from "../../../src/transport/pipeline/authentication.ts";
import type { TransportOptions } from "../../../src/transport/transport.ts";
import { openTiny } from "./tiny-server.ts";
import { ROOT_KEY, USER_KEY } from "./tiny-service.ts";

const wrong = { "x-api-key": "wrong-key" };

async function open(options: Partial<TransportOptions> = {}) {
  const server = await openTiny({ wrongKeysNow: () => 0, ...options });
  const base = `http://127.0.0.1:${server.port}`;
  const stat = (headers: Record<string, string>) =>
    fetch(`${base}/api/v1/fs/stat?uri=ctx://resources`, { headers });
  /** Sends as many wrong keys as are answered without delay, one request after the other. */
  const exhaust = async () => {
    for (let i = 0; i < WRONG_KEYS.burst; i++)
      expect((await stat({ "x-api-key": `guess-${i}` })).status).toBe(401);
  };
  return { server, base, stat, exhaust };
}

describe("after too many wrong keys of one address", () => {
  it("an address that sent too many wrong keys gets 429 on every protocol, and right keys are served", async () => {
    const { server, base, stat, exhaust } = await open();
    await exhaust();
    const refused = await stat(wrong);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(await refused.json()).toMatchObject({
      error: { code: "RESOURCE_EXHAUSTED", details: { resource: "API key", retry_after: 1 } },
    });
    const bearer = await fetch(`${base}/metrics`, { headers: { authorization: "Bearer wrong" } });
    expect(bearer.status).toBe(429);
    const mcp = { method: "POST", headers: { ...wrong, "content-type": "application/json" }, body: "{}" };
    expect((await fetch(`${base}/mcp`, mcp)).status).toBe(429);
    expect(
      (await fetch(`${base}/api/v1/resources/temp_upload`, { method: "POST", headers: wrong })).status,
    ).toBe(429);
    for (const transport of [
      createGrpcTransport({ baseUrl: base }),
      createConnectTransport({ baseUrl: base, httpVersion: "1.1" }),
      createGrpcWebTransport({ baseUrl: base, httpVersion: "1.1" }),
    ]) {
      const failure = await createClient(FilesystemService, transport)
        .statNode({ uri: "ctx://x" }, { headers: wrong })
        .catch(ConnectError.from);
      expect(failure).toMatchObject({ code: Code.ResourceExhausted });
      const stream = createClient(ContentService, transport).downloadContent(
        { uri: "ctx://x" },
        { headers: wrong },
      );
      const broken = await stream[Symbol.asyncIterator]().next().catch(ConnectError.from);
      expect(broken).toMatchObject({ code: Code.ResourceExhausted });
    }
    for (const key of [USER_KEY, ROOT_KEY]) expect((await stat({ "x-api-key": key })).status).not.toBe(429);
    expect((await stat({})).status).toBe(401);
    expect((await fetch(`${base}/health`, { headers: wrong })).status).toBe(200);
    await server.close(0);
  });

  it("after too many wrong keys, one more attempt per second is answered", async () => {
    let now = 0;
    const { server, stat, exhaust } = await open({ wrongKeysNow: () => now });
    await exhaust();
    expect((await stat(wrong)).status).toBe(429);
    now = 1000 / WRONG_KEYS.perSecond;
    expect([(await stat(wrong)).status, (await stat(wrong)).status]).toEqual([401, 429]);
    await server.close(0);
  });
});

describe("failed authentications", () => {
  it("failed authentications are counted by reason in the metrics", async () => {
    const { server, base, stat, exhaust } = await open();
    await exhaust();
    await stat(wrong);
    const nothing: Record<string, string>[] = [
      {},
      { "x-api-key": "" },
      { authorization: "Bearer" },
      { authorization: "Basic eDp5" },
    ];
    for (const headers of nothing) await stat(headers);
    const text = await (await fetch(`${base}/metrics`, { headers: { "x-api-key": ROOT_KEY } })).text();
    for (const [reason, count] of [
      ["missing", 4],
      ["wrong", WRONG_KEYS.burst],
      ["throttled", 1],
    ])
      expect(text).toContain(`ctxdb_authentication_failures_total{reason="${reason}"} ${count}\n`);
    await server.close(0);
  });

  it("many failed authentications are summarized in the log and the audit log instead of logged one by one", async () => {
    const folder = await mkdtemp(join(tmpdir(), "ctxdb-wrong-keys-"));
    const auditLog = openAuditLog(join(folder, "audit.log"));
    const lines: { msg: string; codes?: Record<string, number> }[] = [];
    const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const { server, stat } = await open({ log, auditLog });
    const calls = 400;
    for (let i = 0; i < calls; i++) await stat(i % 2 ? wrong : {});
    const own = () => lines.filter(({ msg }) => msg === "call").length;
    // the budget of log lines refills while calls are made, so a slow machine writes a few more
    expect(own()).toBeLessThan(calls);
    await stat({ "x-api-key": USER_KEY });
    await server.close(0);
    auditLog.close();
    const summaries = lines.filter(({ codes }) => codes !== undefined);
    const told = summaries
      .flatMap(({ codes }) => Object.values(codes!))
      .reduce((sum, count) => sum + count, 0);
    expect(own() + told).toBe(calls + 1);
    const audited = (await readFile(join(folder, "audit.log"), "utf8")).trim().split("\n");
    expect(audited.length).toBeLessThan(calls);
    expect(audited.join()).toContain('"code":"UNAUTHENTICATED","calls":');
    await rm(folder, { recursive: true });
  });
});
