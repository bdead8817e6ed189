import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ContentService } from "../../../gen/ctxdb/v1/content_pb.ts";
import { SystemService } from "../../../gen/ctxdb/v1/system_pb.ts";
import { authenticator } from "../../../src/accounts/authenticate.ts";
import { Registry } from "../../../src/accounts/registry.ts";
import { accountId } from "../../../src/domain/ids.ts";
import { WorkspaceGuard } from "../../../src/service/workspace-guard.ts";
import { KvDirectory } from "../../../src/storage/embedded/kv-directory.ts";
import { KvFacts } from "../../../src/storage/embedded/kv-facts.ts";
import { SoleOwner } from "../../../src/storage/embedded/sole-owner.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";
import {
  type Member,
  type Members,
  type Ownership,
  Stores,
  type Taken,
} from "../../../src/storage/stores.ts";
import { download, type Operation, unary } from "../../../src/transport/operation.ts";
import type { Transport } from "../../../src/transport/transport.ts";
import { overHttp2 } from "./clients.ts";
import { openTiny } from "./tiny-server.ts";

const ROOT_KEY = "the-key-of-root";
const SECRET = Buffer.alloc(32, 7);
const PIECE = Buffer.alloc(256 * 1024, "x");
const PIECES = 256;
/** The most that windows and buffers of two connections can hold. */
const MOST_AHEAD = 64;
const STATUS = "system/status";
const WAIT = "system/wait";
const DOWNLOAD = "content/download?uri=ctx://resources/a.md";

/** Ownership as seen by a server whose workspaces belong to another server until they are released. */
class OtherOwner extends SoleOwner implements Ownership {
  owner: Member | undefined;

  override async take(): Promise<Taken> {
    return this.owner ? { owner: this.owner } : { turn: 1 };
  }
}

/** The members as seen by one server. */
class FixedMembers implements Members {
  readonly self: number;
  living: readonly Member[] = [];
  readonly sureSeconds = 1;
  readonly #listeners: ((living: readonly Member[]) => void)[] = [];

  constructor(self: number) {
    this.self = self;
  }

  onRefresh(listener: (living: readonly Member[]) => void): void {
    this.#listeners.push(listener);
  }

  look(living: readonly Member[]): void {
    this.living = living;
    for (const listener of this.#listeners) listener(living);
  }

  async announce(): Promise<void> {}

  async states(): Promise<[]> {
    return [];
  }
}

describe("a call that is forwarded to the owner of its workspace", () => {
  let owner: Transport;
  let front: Transport;
  let ownership: OtherOwner;
  let members: FixedMembers;
  let key: string;
  /** Calls that have begun, by the server that runs them. */
  let begun: string[];
  let sent: number;
  let failsAt: number | undefined;
  let signal: AbortSignal | undefined;
  let onBegun: () => void;

  const operations = (server: string): Operation[] => [
    unary(SystemService.method.getStatus, ({ caller }) => ({ user: `${caller.user} at ${server}` })),
    unary(SystemService.method.waitProcessed, async (call) => {
      begun.push(server);
      signal = call.signal;
      onBegun();
      if (server === "owner") await new Promise((resolve) => call.signal.addEventListener("abort", resolve));
      return {};
    }),
    download(ContentService.method.downloadContent, async () => ({
      name: "a.md",
      contentType: "text/plain",
      async *read() {
        for (; sent < PIECES; sent++) {
          if (sent === failsAt) throw new Error("the object store is gone");
          yield PIECE;
        }
      },
    })),
  ];

  async function open(server: string, kv: RamKv, own: Ownership, seen: Members): Promise<Transport> {
    const directory = new KvDirectory(kv);
    const stores = new Stores({ kv, facts: new KvFacts(kv), directory, ownership: own });
    const nothing = async () => undefined;
    const held = { adopt: nothing, resume: nothing, leave: nothing, drop: () => undefined };
    if (own instanceof OtherOwner) own.start = async () => [] as never;
    await stores.start(held);
    const { records } = new Registry(kv, stores.directory, () => 0, false);
    const guard = new WorkspaceGuard({ stores, directory, records, members: seen, rootApiKey: ROOT_KEY });
    return openTiny({
      operations: operations(server),
      authenticate: authenticator(records, ROOT_KEY, () => 0),
      workspaces: guard,
      forwarding: { guard, members: seen, secret: SECRET, clock: Date.now },
    });
  }

  beforeEach(async () => {
    [begun, sent, signal, failsAt] = [[], 0, undefined, undefined];
    onBegun = () => undefined;
    const kv = new RamKv();
    const registry = new Registry(kv, new KvDirectory(kv), () => 0, false);
    ({ key } = await registry.createAccount(accountId("acme"), "ann"));
    owner = await open("owner", kv, new SoleOwner(), new FixedMembers(1));
    ownership = new OtherOwner();
    ownership.owner = { number: 1, url: `http://127.0.0.1:${owner.port}` };
    members = new FixedMembers(2);
    members.look([ownership.owner]);
    front = await open("front", kv, ownership, members);
  });
  afterEach(async () => {
    await front.close(0);
    await owner.close(0);
  });

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${front.port}/api/v1/${path}`, { headers: { "X-API-Key": key }, ...init });
  const errorOf = async (answer: Promise<Response>) => {
    const { headers, status } = await answer;
    const { error } = (await (await answer).json()) as { error?: { code: string; message: string } };
    return { ...error, status, retryAfter: headers.get("retry-after") };
  };
  const started = () =>
    new Promise<void>((resolve) => {
      onBegun = resolve;
    });
  const status = async () => ((await (await ask(STATUS)).json()) as { result: { user: string } }).result.user;

  it("a call whose owner dies is answered with UNAVAILABLE, and no other server runs it again", async () => {
    const isBegun = started();
    const answer = errorOf(ask(WAIT, { method: "POST" }));
    await isBegun;
    // what the front server does after the owner's lease has expired
    ownership.owner = undefined;
    members.look([]);
    expect(await answer).toMatchObject({ code: "UNAVAILABLE", status: 503, retryAfter: "1" });
    expect((await answer).message).toContain("it is unknown whether");
    expect(begun).toEqual(["owner"]);
    expect(await status()).toBe("ann at front");
  });

  it("a call that its owner has not begun is tried again, with its body, until a server has the workspace", async () => {
    const away = { number: 3, url: "http://127.0.0.1:1" };
    ownership.owner = away;
    members.look([away]);
    const answer = ask(WAIT, {
      method: "POST",
      headers: { "X-API-Key": key, "Content-Type": "application/json" },
      body: JSON.stringify({ timeout: 1 }),
    });
    // the first attempt fails, the next one finds the workspace free
    ownership.owner = undefined;
    expect((await answer).status).toBe(200);
    expect(begun).toEqual(["front"]);
  });

  it("a download that the owning server aborts fails for the caller over HTTP/1.1 and gRPC", async () => {
    const body = (await ask(DOWNLOAD)).body?.getReader();
    await body?.read();
    const client = createClient(
      ContentService,
      createGrpcTransport({ baseUrl: `http://127.0.0.1:${front.port}` }),
    );
    const chunks = client
      .downloadContent({ uri: "ctx://resources/a.md" }, { headers: { "x-api-key": key } })
      [Symbol.asyncIterator]();
    await chunks.next();
    await owner.close(0);
    const whole = async () => {
      while (!(await body?.read())?.done);
    };
    await expect(whole()).rejects.toThrow("terminated");
    const all = async () => {
      while (!(await chunks.next()).done);
    };
    const error = await all().catch((failure: unknown) => ConnectError.from(failure));
    expect(error?.code).toBe(Code.Unavailable);
  });

  it("a download that fails after it began never looks complete, forwarded or not", async () => {
    failsAt = 4;
    for (const { port } of [front, owner]) {
      const baseUrl = `http://127.0.0.1:${port}`;
      sent = 0;
      await expect(
        fetch(`${baseUrl}/api/v1/${DOWNLOAD}`, { headers: { "X-API-Key": key } }).then((answer) =>
          answer.text(),
        ),
      ).rejects.toThrow("terminated");
      sent = 0;
      const overTwo = overHttp2(baseUrl)("GET", `/api/v1/${DOWNLOAD}`, { "x-api-key": key }, undefined);
      await expect(overTwo).rejects.toThrow("NGHTTP2_INTERNAL_ERROR");
    }
  });

  it("a forwarded call that its caller cancels ends at the owner", async () => {
    const controller = new AbortController();
    const isBegun = started();
    const answer = ask(WAIT, { method: "POST", signal: controller.signal });
    await isBegun;
    const isAborted = new Promise((resolve) => signal?.addEventListener("abort", resolve));
    controller.abort();
    await expect(answer).rejects.toThrow("aborted");
    await isAborted;
  });

  it("the owner of a forwarded download waits while the caller does not read", async () => {
    const reader = (await ask(DOWNLOAD)).body?.getReader();
    await reader?.read();
    for (let before = -1; before < sent; ) {
      before = sent;
      for (let i = 0; i < 200; i++) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sent).toBeLessThan(MOST_AHEAD);
    let bytes = 0;
    for (let part = await reader?.read(); !part?.done; part = await reader?.read())
      bytes += part?.value?.length ?? 0;
    expect(sent).toBe(PIECES);
    expect(bytes).toBeGreaterThan((PIECES - 1) * PIECE.length);
  });

  it("another server of the store may have more concurrent calls than a connection without a key", async () => {
    const many = Array.from({ length: 150 }, () => status());
    expect(new Set(await Promise.all(many))).toEqual(new Set(["ann at owner"]));
  });
});
