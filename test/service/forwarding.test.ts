import { randomBytes } from "node:crypto";
import { request as httpRequest } from "node:http";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { AccountService } from "../../gen/ctxdb/v1/account_pb.ts";
import { ContentService } from "../../gen/ctxdb/v1/content_pb.ts";
import { FilesystemService } from "../../gen/ctxdb/v1/filesystem_pb.ts";
import { HOP, HopSigner } from "../../src/transport/forward/hop.ts";
import { type Client, clientsOf, overHttp2 } from "../conformance/wire/clients.ts";
import { CHANGE_WIRES } from "../support/change-watcher.ts";
import { answersByApi, type ChatProvider, chatProvider } from "../support/chat-provider.ts";
import { DavClient } from "../support/dav-client.ts";
import { PROVIDER_KEY, said } from "../support/gateway.ts";
import { mcpOver } from "../support/mcp.ts";
import { hasPostgres, type Postgres, rowsOf, startPostgres } from "../support/postgres.ts";
import { hasS3, type S3Server, startS3 } from "../support/s3.ts";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

const LIMIT_MS = 120_000;
const LARGE_BYTES = 3 * 1024 * 1024;

describe.runIf(hasPostgres && hasS3)("calls to a server that does not own the account", () => {
  let postgres: Postgres;
  let s3: S3Server;
  let provider: ChatProvider;
  let store: string;
  /** The owner of acme, and a server that owns only the root account. */
  let owner: Served;
  let front: Served;
  /** API key of acme's administrator. */
  let key: string;

  beforeAll(async () => {
    [postgres, s3, provider] = await Promise.all([startPostgres(), startS3(), chatProvider()]);
    provider.script = answersByApi;
    store = await postgres.empty();
    const settings = {
      CTXDB_STORE: store,
      // long enough not to expire between renewals, however busy the machine
      CTXDB_LEASE_SECONDS: "60",
      CTXDB_GATEWAY_ANTHROPIC_URL: provider.url,
      ...s3.settings("forwarding"),
    };
    owner = await serve(settings);
    const made = await owner.rest(ROOT_KEY, "POST admin/accounts", {
      account_id: "acme",
      admin_user_id: "ann",
    });
    key = (made.result as { user_key: string }).user_key;
    front = await serve(settings);
    const uri = "ctx://resources/root.md";
    await front.rest(ROOT_KEY, "POST content/write", { uri, content: "x", mode: "create" });
  }, LIMIT_MS);
  afterAll(async () => {
    await front?.close();
    await owner?.close();
    await provider?.close();
    await s3?.stop();
    await postgres?.stop();
  });

  const headers = () => ({ "x-api-key": key });
  const forwarded = async (result: string): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${front.port}/metrics`, {
      headers: { "x-api-key": ROOT_KEY },
    });
    const line = new RegExp(`ctxdb_forwarded_calls_total\\{result="${result}"\\} (\\d+)`);
    return Number(line.exec(await answer.text())?.[1]);
  };

  it("a server forwards reads and writes to the owner over REST, Connect, gRPC and gRPC-Web", async () => {
    const before = await forwarded("answered");
    const clients: readonly Client[] = clientsOf(front.port);
    for (const [i, client] of clients.entries()) {
      const uri = `ctx://resources/wires/${i}.md`;
      const written = await client.call(
        ContentService.method.writeContent,
        { uri, content: `Heron ${i}.`, mode: "create" },
        headers(),
      );
      expect(written, client.name).toMatchObject({ code: "OK" });
      const missing = await client.call(
        ContentService.method.readContent,
        { uri: "ctx://resources/none.md" },
        headers(),
      );
      expect(missing, client.name).toMatchObject({ code: "NOT_FOUND" });
      const wrong = await client.call(
        FilesystemService.method.listEntries,
        { uri: "ctx://resources" },
        {
          "x-api-key": "no-such-key",
        },
      );
      expect(wrong, client.name).toMatchObject({ code: "UNAUTHENTICATED" });
    }
    for (const [i, client] of clientsOf(owner.port).entries()) {
      const uri = `ctx://resources/wires/${i}.md`;
      const read = await client.call(ContentService.method.readContent, { uri }, headers());
      expect(JSON.stringify(read.result), client.name).toContain(`Heron ${i}.`);
    }
    // wrong keys are refused by the front server itself
    expect((await forwarded("answered")) - before).toBe(2 * clients.length);
  });

  it("uploads, downloads and ranges of large files pass unchanged over REST, gRPC and WebDAV", async () => {
    const bytes = randomBytes(LARGE_BYTES);
    const form = new FormData();
    form.append("file", new Blob([bytes]), "large.bin");
    const sent = await front.rest(key, "POST resources/temp_upload", form);
    expect(sent.http).toBe(200);
    const { temp_file_id: upload } = sent.result as { temp_file_id: string };
    const added = await front.rest(key, "POST resources", {
      temp_file_id: upload,
      to: "ctx://resources/large",
      wait: true,
    });
    expect(added.error).toBeUndefined();
    const dav = new DavClient(() => front.port, key);
    expect((await dav.put("resources/large.bin", bytes)).status).toBe(201);
    expect((await dav.send("GET resources/large.bin")).bytes.equals(bytes)).toBe(true);
    const part = await fetch(
      `http://127.0.0.1:${front.port}/api/v1/content/download?uri=ctx://resources/large.bin`,
      {
        headers: { ...headers(), range: "bytes=10-19" },
      },
    );
    expect([part.status, Buffer.from(await part.arrayBuffer()).toString("latin1")]).toEqual([
      206,
      bytes.subarray(10, 20).toString("latin1"),
    ]);
    const client = createClient(
      ContentService,
      createGrpcTransport({ baseUrl: `http://127.0.0.1:${front.port}` }),
    );
    const chunks: Uint8Array[] = [];
    for await (const { data } of client.downloadContent(
      { uri: "ctx://resources/large.bin" },
      { headers: headers() },
    ))
      chunks.push(data);
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
    expect(await dav.status("PROPFIND resources/", { headers: { depth: "1" } })).toBe(207);
    expect(await dav.status("DELETE resources/large.bin")).toBe(204);
  });

  it("a forwarded body above the limit is refused by the owner while it is being sent", async () => {
    const answer = await fetch(`http://127.0.0.1:${front.port}/api/v1/content/write`, {
      method: "POST",
      headers: { ...headers(), "content-type": "application/json" },
      body: Buffer.alloc(40 * 1024 * 1024, " "),
    });
    expect(answer.status).toBe(413);
    const { error } = (await answer.json()) as { error: { message: string } };
    expect(error.message).toContain("CTXDB_MAX_BODY_BYTES");
  });

  it("a change stream through another server delivers all changes, and ends at the owner when cancelled", async () => {
    for (const [name, open] of CHANGE_WIRES) {
      const controller = new AbortController();
      const events = open(`http://127.0.0.1:${front.port}`, { begin: "now" }, headers(), controller.signal);
      const first = events.next();
      const uri = `ctx://resources/watched/${CHANGE_WIRES.findIndex(([one]) => one === name)}.md`;
      const seen: string[] = [];
      const { value } = await first;
      if (value?.change) seen.push(value.change.uri);
      await owner.rest(key, "POST content/write", { uri, content: "A stork.", mode: "create" });
      while (!seen.includes(uri)) {
        const { value: next, done } = await events.next();
        if (done) break;
        if (next.change) seen.push(next.change.uri);
      }
      expect(seen, name).toContain(uri);
      controller.abort();
      await events.next().catch(() => undefined);
    }
    const running = async () =>
      /ctxdb_forwarding_calls (\d+)/.exec(
        await (
          await fetch(`http://127.0.0.1:${front.port}/metrics`, { headers: { "x-api-key": ROOT_KEY } })
        ).text(),
      )?.[1];
    while ((await running()) !== "0") await new Promise((resolve) => setImmediate(resolve));
  });

  it("an MCP client and an agent behind the gateway may use any server", async () => {
    const session = await mcpOver(front.port, headers());
    onTestFinished(() => session.client.close());
    expect((await session.client.listTools()).tools.length).toBeGreaterThan(0);
    const answer = await fetch(`http://127.0.0.1:${front.port}/gateway/anthropic/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": PROVIDER_KEY, "x-ctxdb-key": key },
      body: JSON.stringify({ model: "model-1", max_tokens: 64, messages: said("Where do herons stand?") }),
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-ctxdb-session")).toBeTruthy();
    const { result } = await owner.rest(key, `GET sessions/${answer.headers.get("x-ctxdb-session")}/context`);
    expect(JSON.stringify(result)).toContain("Where do herons stand?");
  });

  it("ROOT administers an account of another server over REST and gRPC, through every server", async () => {
    for (const [server, user] of [
      [front, "bob"],
      [owner, "bea"],
    ] as const) {
      const asked = { user_id: user, role: "user" };
      const registered = await server.rest(ROOT_KEY, "POST admin/accounts/acme/users", asked);
      expect(registered.error).toBeUndefined();
      const transport = createGrpcTransport({ baseUrl: `http://127.0.0.1:${server.port}` });
      const client = createClient(AccountService, transport);
      const options = { headers: { "x-api-key": ROOT_KEY } };
      const { users } = await client.listUsers({ accountId: "acme" }, options);
      expect(users.map(({ userId }) => userId)).toContain(user);
      const again = await server.rest(ROOT_KEY, "POST admin/accounts/acme/users", asked);
      expect(again.error).toMatchObject({ code: "ALREADY_EXISTS", details: { type: "user" } });
    }
    const { result } = await owner.rest(ROOT_KEY, "GET observer/audit");
    const calls = (result as { entries: { operation: string; subject?: string }[] }).entries.filter(
      ({ operation, subject }) => operation === "AccountService.RegisterUser" && subject === "acme/bob",
    );
    expect(calls.length).toBe(2);
    const denied = await front.rest(key, "GET admin/accounts/default/users");
    expect(denied.error?.code).toBe("PERMISSION_DENIED");
  });

  it("the audit trail contains a forwarded call once, with its caller's address", async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const body = JSON.stringify({ user_id: "carol", role: "user" });
      const request = httpRequest(
        {
          port: front.port,
          host: "127.0.0.1",
          localAddress: "127.0.0.3",
          method: "POST",
          path: "/api/v1/admin/accounts/acme/users",
          headers: { ...headers(), "content-type": "application/json", [HOP]: forged(1) },
        },
        (response) => resolve(response.resume().statusCode),
      );
      request.on("error", reject);
      request.end(body);
    });
    expect(status).toBe(200);
    const { result } = await owner.rest(ROOT_KEY, "GET observer/audit", undefined, {
      "x-ctx-account": "acme",
    });
    const calls = (
      result as { entries: { operation: string; subject: string; peer: string }[] }
    ).entries.filter(({ subject }) => subject === "acme/carol");
    expect(calls.map(({ operation, peer }) => [operation, peer])).toEqual([
      ["AccountService.RegisterUser", "127.0.0.3"],
    ]);
  });

  it("every server lists all servers of the store with their accounts", async () => {
    for (const server of [front, owner]) {
      const { result } = await server.rest(ROOT_KEY, "GET observer/members");
      const { members } = result as { members: Record<string, unknown>[] };
      expect(members).toMatchObject([
        { url: `http://127.0.0.1:${owner.port}`, is_answering: false, account_count: 1, accounts: ["acme"] },
        // it owns the root account
        {
          url: `http://127.0.0.1:${front.port}`,
          is_answering: true,
          account_count: 1,
          accounts: ["default"],
        },
      ]);
      for (const { lease_seconds } of members) expect(lease_seconds).toBeGreaterThan(0);
    }
    const refused = await front.rest(key, "GET observer/members");
    expect(refused.error?.code).toBe("PERMISSION_DENIED");
    const metrics = await fetch(`http://127.0.0.1:${front.port}/metrics`, {
      headers: { "x-api-key": ROOT_KEY },
    });
    expect(await metrics.text()).toContain("ctxdb_cluster_members 2");
  });

  it("a forged header of a forwarded call changes nothing, whether the server owns the account or not", async () => {
    for (const server of [front, owner])
      for (const header of [forged(1), forged(2), "x", `1 1 call 1  ${"0".repeat(64)}`]) {
        const answer = await server.rest(key, "GET system/status", undefined, { [HOP]: header });
        expect(answer.result).toMatchObject({ user: "ann", account: "acme" });
      }
  });

  it("a forwarded call that reaches a server without the account is sent back, not forwarded again", async () => {
    const [fact] = await rowsOf<{ secret: string }>(
      store,
      "SELECT value #>> '{}' AS secret FROM ctxdb.facts WHERE key = 'forwarding'",
    );
    const rows = await rowsOf<{ member: number }>(store, "SELECT member FROM ctxdb.members ORDER BY member");
    const [first = 0, second = 0] = rows.map(({ member }) => member);
    const signer = new HopSigner(Buffer.from(fact?.secret ?? "", "base64"), Date.now);
    const path = "/api/v1/system/status";
    const statusAt = async (port: number, to: number) => {
      const hop = { to, kind: "call", peer: "192.0.2.1", isEncrypted: false } as const;
      const sent = { ...headers(), [HOP]: signer.sign(hop, "GET", path) };
      return (await overHttp2(`http://127.0.0.1:${port}`)("GET", path, sent, undefined)).status;
    };
    expect(await statusAt(owner.port, first)).toBe(200);
    // the intended server of the store, and another one
    expect(await statusAt(front.port, second)).toBe(421);
    expect(await statusAt(owner.port, second)).toBe(421);
  });
});

/** The header as sent by a server that does not know the store's secret. */
const forged = (to: number): string =>
  new HopSigner(Buffer.alloc(32), Date.now).sign(
    { to, kind: "call", peer: "192.0.2.1", isEncrypted: true },
    "GET",
    "/api/v1/system/status",
  );
