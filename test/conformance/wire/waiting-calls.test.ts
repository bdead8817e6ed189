import { request } from "node:http";
import { json } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SystemService } from "../../../gen/ctxdb/v1/system_pb.ts";
import { authenticator } from "../../../src/accounts/authenticate.ts";
import { Registry } from "../../../src/accounts/registry.ts";
import { accountId } from "../../../src/domain/ids.ts";
import { WorkspaceGuard } from "../../../src/service/workspace-guard.ts";
import { KvDirectory } from "../../../src/storage/embedded/kv-directory.ts";
import { KvFacts } from "../../../src/storage/embedded/kv-facts.ts";
import { RamKv } from "../../../src/storage/ram/ram-kv.ts";
import { type Ownership, Stores, type Taken } from "../../../src/storage/stores.ts";
import { unary } from "../../../src/transport/operation.ts";
import type { Transport } from "../../../src/transport/transport.ts";
import { openTiny } from "./tiny-server.ts";

/** Addresses of this machine, each of which is a network of its own. */
const [STRANGERS, MEMBERS] = ["127.0.0.2", "127.0.0.3"];
/** More than the places of all callers together. */
const UNKNOWN = 300;

/** A store that answers when the test lets it. */
class SlowDirectory extends KvDirectory {
  asked = 0;
  readonly #answering: Promise<void>;
  answer: () => void = () => undefined;

  constructor(kv: RamKv) {
    super(kv);
    this.#answering = new Promise((resolve) => {
      this.answer = resolve;
    });
  }

  override async incarnationOfKey(hash: string) {
    this.asked++;
    await this.#answering;
    return super.incarnationOfKey(hash);
  }
}

/** Takes a workspace only when a call needs it. */
class LateOwner implements Ownership {
  readonly hasServerRecords = true;

  async start(): ReturnType<Ownership["start"]> {
    return new Map();
  }

  isSure(): boolean {
    return true;
  }

  async take(): Promise<Taken> {
    return { turn: 1 };
  }

  async prepare(): Promise<void> {}

  async give(): Promise<void> {}
}

let transport: Transport;
let directory: SlowDirectory;
let key: string;

beforeEach(async () => {
  const kv = new RamKv();
  ({ key } = await new Registry(kv, new KvDirectory(kv), () => 0, false).createAccount(
    accountId("acme"),
    "ann",
  ));
  const ownership = new LateOwner();
  directory = new SlowDirectory(kv);
  const stores = new Stores({ kv, facts: new KvFacts(kv), directory, ownership });
  const nothing = async () => undefined;
  await stores.start({ adopt: nothing, resume: nothing, leave: nothing, drop: () => undefined });
  const { records } = new Registry(kv, stores.directory, () => 0, false);
  transport = await openTiny({
    operations: [unary(SystemService.method.getStatus, ({ caller }) => ({ user: caller.user }))],
    authenticate: authenticator(records, "the-key-of-root", () => 0),
    workspaces: new WorkspaceGuard({ stores, directory, records, rootApiKey: "the-key-of-root" }),
  });
});
afterEach(() => transport.close(0));

/** Returns the user or the code of the error. */
const ask = (localAddress: string, apiKey: string) =>
  new Promise<string>((resolve, reject) => {
    const headers = { "X-API-Key": apiKey };
    const path = "/api/v1/system/status";
    request({ host: "127.0.0.1", port: transport.port, localAddress, path, headers }, async (answer) => {
      const { result, error } = (await json(answer)) as {
        result?: { user: string };
        error?: { code: string };
      };
      resolve(result?.user ?? error?.code ?? "");
    })
      .on("error", reject)
      .end();
  });

it("calls with unknown keys from one network leave room for other callers that wait for the store", async () => {
  let refused = 0;
  const unknown = Array.from({ length: UNKNOWN }, (_, i) =>
    ask(STRANGERS, `unknown-${i}`).then((code) => {
      if (code === "UNAVAILABLE") refused++;
      return code;
    }),
  );
  while (directory.asked + refused < UNKNOWN) await new Promise(setImmediate);
  const member = ask(MEMBERS, key);
  let isAnswered = false;
  member.then(() => (isAnswered = true));
  const before = directory.asked;
  while (directory.asked === before && !isAnswered) await new Promise(setImmediate);
  directory.answer();
  expect(await member).toBe("ann");
  await Promise.all(unknown);
  expect(refused).toBeGreaterThan(0);
});
