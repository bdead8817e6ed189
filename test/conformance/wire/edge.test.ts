import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { describe, expect, it } from "vitest";
import { AccountService } from "../../../gen/ctxdb/v1/account_pb.ts";
import { FilesystemService } from "../../../gen/ctxdb/v1/filesystem_pb.ts";
import { openAuditLog } from "../../../src/transport/pipeline/audit-log.ts";
import { RateLimit } from "../../../src/transport/pipeline/rate-limit.ts";
import { openTiny } from "./tiny-server.ts";
import { ROOT_KEY, USER_KEY } from "./tiny-service.ts";

const asUser = { "x-api-key": USER_KEY };

describe("CTXDB_RATE_LIMIT", () => {
  it("CTXDB_RATE_LIMIT answers excess calls of a key with 429 and the time to wait on every protocol", async () => {
    let now = 0;
    const server = await openTiny({ rateLimit: new RateLimit(2, () => now) });
    const base = `http://127.0.0.1:${server.port}`;
    const stat = (headers: Record<string, string>) =>
      fetch(`${base}/api/v1/fs/stat?uri=ctx://resources`, { headers });
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await stat(asUser)).status);
    expect(statuses.slice(0, 2)).not.toContain(429);
    const refused = await stat(asUser);
    expect([statuses[2], refused.status, refused.headers.get("retry-after")]).toEqual([429, 429, "1"]);
    expect(await refused.json()).toMatchObject({
      error: { code: "RESOURCE_EXHAUSTED", details: { limit: 2, retry_after: 1 } },
    });
    for (const transport of [
      createGrpcTransport({ baseUrl: base }),
      createConnectTransport({ baseUrl: base, httpVersion: "1.1" }),
    ]) {
      const failure = await createClient(FilesystemService, transport)
        .statNode({ uri: "ctx://resources" }, { headers: asUser })
        .catch(ConnectError.from);
      expect(failure).toMatchObject({ code: Code.ResourceExhausted });
      expect((failure as ConnectError).metadata.get("retry-after")).toBe("1");
    }
    expect((await stat({ "x-api-key": ROOT_KEY })).status).not.toBe(429);
    expect((await fetch(`${base}/health`, { headers: asUser })).status).toBe(200);
    now = 500;
    expect((await stat(asUser)).status).not.toBe(429);
    expect((await stat(asUser)).status).toBe(429);
    await server.close(0);
  });

  it("the rate limit counts a call with a body once", async () => {
    const server = await openTiny({ rateLimit: new RateLimit(1, () => 0) });
    const body = JSON.stringify({ uri: "ctx://resources/x" });
    const headers = { ...asUser, "content-type": "application/json" };
    const make = () =>
      fetch(`http://127.0.0.1:${server.port}/api/v1/fs/mkdir`, { method: "POST", headers, body });
    expect((await make()).status).not.toBe(429);
    expect((await make()).status).toBe(429);
    await server.close(0);
  });

  it("the rate limit remembers a limited number of callers that still have to wait", () => {
    let now = 0;
    const limit = new RateLimit(1, () => now);
    limit.take("greedy");
    now = 999;
    for (let i = 0; i < 9_999; i++) limit.take(`other ${i}`);
    expect(() => limit.take("greedy")).toThrow("rate limit");
    now = 1998;
    limit.take("one more");
    expect(() => limit.take("one more")).toThrow("rate limit");
  });
});

describe("CTXDB_AUDIT_LOG", () => {
  it("the audit log contains administrative and denied calls, and never a key", async () => {
    const folder = await mkdtemp(join(tmpdir(), "ctxdb-audit-"));
    const path = join(folder, "audit.log");
    const auditLog = openAuditLog(path);
    const server = await openTiny({ auditLog });
    const base = `http://127.0.0.1:${server.port}/api/v1`;
    await fetch(`${base}/fs/stat?uri=ctx://resources`, { headers: asUser });
    await fetch(`${base}/fs/stat?uri=ctx://resources`, { headers: { "x-api-key": "wrong-key" } });
    await fetch(`${base}/admin/accounts/acme/users`, { headers: { ...asUser, "x-request-id": "mine" } });
    const root = { headers: { "x-api-key": ROOT_KEY } };
    const accounts = createClient(
      AccountService,
      createGrpcTransport({ baseUrl: `http://127.0.0.1:${server.port}` }),
    );
    await accounts.removeUser({ accountId: "acme", userId: "bob" }, root).catch(() => undefined);
    await server.close(0);
    auditLog.close();
    const text = await readFile(path, "utf8");
    const lines = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ operation, code, wire }) => [operation, code, wire])).toEqual([
      ["FilesystemService.StatNode", "UNAUTHENTICATED", "rest"],
      ["AccountService.ListUsers", expect.any(String), "rest"],
      ["AccountService.RemoveUser", expect.any(String), "grpc"],
    ]);
    expect(lines[1]).toMatchObject({
      request_id: "mine",
      account: "acme",
      user: "ann",
      role: "user",
      subject: "acme",
      peer: "127.0.0.1",
    });
    expect(lines[2]).toMatchObject({
      role: "root",
      subject: "acme/bob",
      time: expect.stringMatching(/^\d{4}-/),
    });
    expect(text).not.toMatch(new RegExp(`${USER_KEY}|${ROOT_KEY}|wrong-key`));
    await rm(folder, { recursive: true });
  });

  it("a path in CTXDB_AUDIT_LOG that cannot be written is refused with the name of the setting", () => {
    expect(() => openAuditLog("/dev/null/audit.log")).toThrow("CTXDB_AUDIT_LOG");
  });
});
