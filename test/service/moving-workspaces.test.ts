import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Caller } from "../../src/domain/caller.ts";
import { accountId } from "../../src/domain/ids.ts";
import { createWebhook } from "../../src/service/webhook/create-webhook.ts";
import { getTask } from "../../src/workspace/requests/tasks.ts";
import { hasPostgres, type Postgres, startPostgres } from "../support/postgres.ts";
import { STORES, type Stores, sharedStores } from "../support/stores.ts";
import { codeOf, type Files, House } from "../support/tenant.ts";

const FILES: Files = Object.fromEntries(
  Array.from({ length: 40 }, (_, i) => [`notes/${i}.md`, `# Note ${i}\n\nThe heron number ${i} flies.\n`]),
);
const ACME = accountId("acme");
const SEAL_DOCS = 8;
const MOVES = 6;

let postgres: Postgres | undefined;
afterAll(() => postgres?.stop());

/** The stores of two servers; with a single server both are the same. */
const PAIRS: readonly [name: string, open: () => Promise<readonly [Stores, Stores]>][] = STORES.map(
  ([name, open]) => [
    name,
    async () => {
      const stores = await open();
      return [stores, { ...stores, close: async () => undefined }];
    },
  ],
);
const SHARED: typeof PAIRS = [
  [
    "PostgreSQL",
    async () => {
      postgres ??= await startPostgres();
      return sharedStores(await postgres.empty());
    },
  ],
];

describe.each([...PAIRS, ...(hasPostgres ? SHARED : [])])("workspaces that move over %s", (_, open) => {
  /**
   * Two servers on one store. Each does only what it is asked to, so that no server takes a moved workspace
   * back.
   */
  let one: House;
  let two: House;

  beforeEach(async () => {
    const stores = await open();
    one = await House.open(stores[0], true, [], SEAL_DOCS);
    two = await House.open(stores[1], true, [], SEAL_DOCS);
    await one.as("ann").create("ctx://resources/first.md", "The first heron.\n");
    const { incarnation } = await one.workspaceOf();
    await two.tenants.release(incarnation);
  });
  afterEach(async () => {
    await two.close();
    await one.close();
  });

  async function move(from: House, to: House): Promise<void> {
    const { incarnation } = (await from.workspaceOf()).forServer;
    await from.tenants.release(incarnation);
    await to.tenants.take(incarnation);
    for (const [name, files] of from.sources) to.sources.set(name, files);
  }

  it("data that one server has written, queued and indexed is complete on the next server", async () => {
    await one.as("ann").add("docs", FILES, { wait: false });
    await move(one, two);
    expect([...one.queue.jobs()]).toEqual([]);
    await two.drain();
    expect((await two.as("ann").stat("ctx://resources/docs")).count).toBe(41);
    expect(await two.as("ann").found("heron number 17")).toContain("ctx://resources/docs/notes/17.md");
    await two.expectSound();
    await move(two, one);
    await one.as("ann").replace("ctx://resources/first.md", "A stork.\n");
    await one.drain();
    expect(await one.as("ann").found("heron number 17")).toContain("ctx://resources/docs/notes/17.md");
    expect(await one.as("ann").read("ctx://resources/first.md")).toBe("A stork.\n");
    await one.expectSound();
    expect([...one.reports, ...two.reports]).toEqual([]);
  });

  it("a task that one server has started is completed by the next one", async () => {
    await one.worker.stop(0);
    const { taskId = "" } = await one.as("ann").add("docs", FILES, { wait: false });
    await move(one, two);
    await two.drain();
    const { workspace } = await two.as("ann").tenant();
    const status = () => getTask(workspace.kv, workspace.keys, "ann", taskId)?.status;
    while (status() !== "completed") await two.follower.waitForChange(taskId, new AbortController().signal);
    await two.expectSound();
  });

  it("a handle of a moved workspace writes nothing, and readers of its changes are notified", async () => {
    const { workspace } = await one.as("ann").tenant();
    await one.drain();
    const waiting = codeOf(workspace.changes.moved(workspace.changes.end, []));
    await move(one, two);
    expect(await waiting).toBe("UNAVAILABLE");
    expect(await codeOf(workspace.transact(() => () => undefined))).toBe("UNAVAILABLE");
    expect(await codeOf(workspace.forServer.transact(() => () => undefined))).toBe("UNAVAILABLE");
    await two.as("ann").create("ctx://resources/second.md", "Another heron.\n");
    await two.drain();
    await two.expectSound();
  });

  it("webhooks, uploads and grants move with the workspace", async () => {
    const asked = { url: "http://127.0.0.1:9/", kinds: [], description: "" };
    await createWebhook(one.deps.webhookDeps, one.as("ann").call, asked);
    const { incarnation } = await one.workspaceOf();
    const part = (async function* () {
      yield Buffer.from("bytes");
    })();
    await one.uploads.save("upload", { incarnation, user: "ann", name: "a.md" }, part, 10);
    expect(two.deps.webhooks.states).toEqual({ active: 0, paused: 0 });
    // the server looked the user up before it existed
    expect(two.registry.records.user(incarnation, "eve")).toBeUndefined();
    await one.registry.createAccount(ACME, "ann");
    await one.registry.registerUser(ACME, "eve", "user");
    await move(one, two);
    expect(one.deps.webhooks.states).toEqual({ active: 0, paused: 0 });
    expect(two.deps.webhooks.states).toEqual({ active: 1, paused: 0 });
    expect([one.uploads.held(incarnation), two.uploads.held(incarnation)]).toEqual([0, 5]);
    expect(two.registry.records.user(incarnation, "eve")).toMatchObject({ role: "user" });
    await move(two, one);
    expect([one.uploads.held(incarnation), two.uploads.held(incarnation)]).toEqual([5, 0]);
  });

  it("the last use of an API key is stored when its account moves, even if it was only in memory", async () => {
    await one.registry.createAccount(ACME, "ann");
    const { incarnation } = await one.workspaceOf();
    const caller: Caller = { ...one.as("ann").caller, role: "user", accountIncarnation: incarnation };
    const use = (house: House) => house.deps.keyUses.noting(() => caller)({});
    use(one);
    await move(one, two);
    expect(Object.keys(await two.deps.keyUses.of(incarnation, "ann"))).toHaveLength(1);
    await move(two, one);
    use(two);
    two.deps.keyUses.drop(incarnation);
    await two.deps.keyUses.flush();
    expect([...one.reports, ...two.reports]).toEqual([]);
  });

  it("a deleted account is purged by the server that holds its workspace", async () => {
    await one.worker.stop(0);
    await one.registry.createAccount(ACME, "ann");
    const { incarnation } = await one.workspaceOf();
    await one.registry.deleteAccount(ACME);
    await one.tenants.release(incarnation);
    await two.tenants.take(incarnation);
    await two.drain();
    expect(await two.registry.deletions(incarnation)).toEqual([]);
    expect(await two.keys(`w/${String(incarnation.toString(36)).padStart(7, "0")}/`)).toEqual([]);
  });

  it("files written before, between and after many workspace moves all exist in the end", async () => {
    const uris: string[] = [];
    let [from, to] = [one, two];
    for (let i = 0; i < MOVES; i++) {
      for (const n of [1, 2, 3]) {
        const uri = `ctx://resources/${i}-${n}.md`;
        await from.as("ann").create(uri, `Crane ${i} of pond ${n}.\n`);
        uris.push(uri);
      }
      await move(from, to);
      [from, to] = [to, from];
    }
    await from.drain();
    const listed = await from.as("ann").tree("ctx://resources");
    for (const uri of uris) expect(listed).toContain(uri);
    expect((await from.as("ann").found("crane pond")).length).toBeGreaterThan(0);
    await from.expectSound();
  });
});
