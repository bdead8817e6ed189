import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ContentService } from "../../../gen/ctxdb/v1/content_pb.ts";
import { SystemService } from "../../../gen/ctxdb/v1/system_pb.ts";
import { authenticator } from "../../../src/accounts/authenticate.ts";
import { Registry } from "../../../src/accounts/registry.ts";
import { notFound, unavailable } from "../../../src/domain/errors.ts";
import { accountId, type WorkspaceId, workspaceId } from "../../../src/domain/ids.ts";
import { WorkspaceGuard } from "../../../src/service/workspace-guard.ts";
import { soleStores } from "../../../src/storage/open.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";
import type { Stores } from "../../../src/storage/stores.ts";
import { download, type Operation, unary } from "../../../src/transport/operation.ts";
import type { Transport } from "../../../src/transport/transport.ts";
import { openTiny } from "./tiny-server.ts";

const ROOT_KEY = "the-key-of-root";
const ACME = accountId("acme");
const STATUS = "system/status";
const DOWNLOAD = "content/download?uri=ctx://resources/a.md";

/** Promises that let an operation end and that resolve when it begins. */
class Gate {
  readonly begun: Promise<void>;
  #begin: () => void = () => undefined;
  readonly #opened: Promise<void>;
  open: () => void = () => undefined;

  constructor() {
    this.begun = new Promise((resolve) => {
      this.#begin = resolve;
    });
    this.#opened = new Promise((resolve) => {
      this.open = resolve;
    });
  }

  pass(): Promise<void> {
    this.#begin();
    return this.#opened;
  }
}

describe("a workspace that a server loses while it answers", () => {
  let stores: Stores;
  let transport: Transport;
  let gate: Gate;
  let acme: WorkspaceId;
  let key: string;
  let failure: Error | undefined;

  const operations = (): Operation[] => [
    unary(SystemService.method.getStatus, async ({ caller }) => {
      await gate.pass();
      if (failure) throw failure;
      return { user: caller.user };
    }),
    download(ContentService.method.downloadContent, async () => ({
      name: "a.md",
      contentType: "text/plain",
      size: 8,
      async *read() {
        yield Buffer.from("half");
        await gate.pass();
        yield Buffer.from("half");
      },
    })),
  ];

  const ask = (path: string, as = key, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${transport.port}/api/v1/${path}`, { headers: { "X-API-Key": as, ...headers } });
  const outcome = async (answer: Promise<Response>) => {
    const { status, result, error } = (await (await answer).json()) as {
      status: string;
      result?: { user: string };
      error?: { code: string };
    };
    return status === "ok" ? result?.user : error?.code;
  };

  beforeEach(async () => {
    gate = new Gate();
    failure = undefined;
    stores = soleStores(new RamKv());
    const nothing = async () => undefined;
    await stores.start({ adopt: nothing, resume: nothing, leave: nothing, drop: () => undefined });
    const { directory } = stores;
    const registry = new Registry(stores.kv, directory, () => 0, false);
    ({ key } = await registry.createAccount(ACME, "ann"));
    await registry.createAccount(accountId("other"), "bob");
    acme = registry.incarnationOf(ACME)?.incarnation ?? workspaceId(0);
    const { records } = registry;
    transport = await openTiny({
      operations: operations(),
      authenticate: authenticator(records, ROOT_KEY, () => 0),
      workspaces: new WorkspaceGuard({ stores, directory, records, rootApiKey: ROOT_KEY }),
    });
  });
  afterEach(() => transport.close(0));

  it("a response is not sent if its workspace was given up meanwhile, even if it was taken again", async () => {
    const answer = outcome(ask(STATUS));
    await gate.begun;
    await stores.give(acme);
    await stores.take(acme);
    gate.open();
    expect(await answer).toBe("UNAVAILABLE");
    expect(await outcome(ask(STATUS))).toBe("ann");
  });

  it("an error that the loss of the workspace may have caused is returned as UNAVAILABLE", async () => {
    failure = notFound("file", "ctx://resources/a.md");
    const answer = outcome(ask(STATUS));
    await gate.begun;
    await stores.give(acme);
    gate.open();
    expect(await answer).toBe("UNAVAILABLE");
    expect(await outcome(ask(STATUS))).toBe("NOT_FOUND");
  });

  it("a call that reports the loss of its workspace itself is answered with UNAVAILABLE", async () => {
    failure = unavailable("the account has moved to another server; try again");
    const answer = outcome(ask(STATUS));
    await gate.begun;
    await stores.give(acme);
    gate.open();
    expect(await answer).toBe("UNAVAILABLE");
  });

  it("a response to ROOT about another account does not depend on the lost workspace", async () => {
    const answer = outcome(ask(STATUS, ROOT_KEY, { "X-Ctx-Account": "other", "X-Ctx-User": "bob" }));
    await gate.begun;
    await stores.give(acme);
    gate.open();
    expect(await answer).toBe("bob");
  });

  it("a download whose workspace was lost before its first part ends with an error", async () => {
    const answer = await ask(DOWNLOAD);
    const whole = answer.text();
    await gate.begun;
    await stores.give(acme);
    gate.open();
    await expect(whole).rejects.toThrow();
  });

  it("unknown keys and accounts and malformed account names are refused without any workspace", async () => {
    gate.open();
    expect(await outcome(ask(STATUS, "unknown"))).toBe("UNAUTHENTICATED");
    expect(await outcome(ask(STATUS, ROOT_KEY, { "X-Ctx-Account": "missing" }))).toBe("NOT_FOUND");
    expect(await outcome(ask(STATUS, ROOT_KEY, { "X-Ctx-Account": "a/b" }))).toBe("INVALID_ARGUMENT");
  });
});
