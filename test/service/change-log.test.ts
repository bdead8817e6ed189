import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAccount } from "../../src/service/account/create-account.ts";
import { registerUser } from "../../src/service/account/register-user.ts";
import { removeUser } from "../../src/service/account/remove-user.ts";
import { CallerChanges, type ChangesInput } from "../../src/service/change/caller-changes.ts";
import { listChanges } from "../../src/service/change/list-changes.ts";
import { eraseChanges, spacesOf } from "../../src/workspace/changes/erase-changes.ts";
import { newStores, type Stores } from "../support/stores.ts";
import { type Actor, House } from "../support/tenant.ts";

const KINDS = ["added", "changed", "moved", "removed"];
const SMALL_LOG = 4096;

describe("the log of changes", () => {
  let stores: Stores;
  let house: House;
  let ada: Actor;
  let bob: Actor;
  const asked = async (actor: Actor, input: Partial<ChangesInput & { limit: number }> = {}) =>
    listChanges(house.deps, actor.call, { kinds: KINDS, ...input });
  const linesOf = async (actor: Actor, input: Partial<ChangesInput> = {}) => {
    const { changes } = await asked(actor, { limit: 1000, ...input });
    return changes.map(({ kind, uri, previousUri }) => [kind, previousUri, uri].filter(Boolean).join(" "));
  };
  const now = async (actor: Actor) => (await asked(actor, { begin: "now" })).cursor;
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => "OK",
      (error) => error.code,
    );
  const open = async (keptChangeBytes?: number) => {
    house = await House.open(
      stores,
      true,
      [],
      undefined,
      undefined,
      keptChangeBytes ? { keptChangeBytes } : {},
    );
    await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "ada" });
    await registerUser(house.deps, house.root, { accountId: "acme", userId: "bob", role: "user" });
    ada = house.as("ada");
    bob = house.as("bob");
  };
  beforeEach(async () => {
    stores = await newStores();
    await open();
  });
  afterEach(() => house.end());

  it("an import is logged as the addition of its root, and a repeated import as changes of its files", async () => {
    await ada.add("docs", { "a.md": "one", "b/c.md": "two" }, { to: "ctx://resources/docs" });
    const cursor = await now(ada);
    expect(await linesOf(ada)).toEqual(["added ctx://resources/docs"]);
    await ada.add("docs", { "a.md": "other", "d.md": "new" }, { to: "ctx://resources/docs" });
    expect((await linesOf(ada, { cursor })).sort()).toEqual([
      "added ctx://resources/docs/d.md",
      "changed ctx://resources/docs/a.md",
      "removed ctx://resources/docs/b",
    ]);
  });

  it("a logged change keeps the former names of its files and folders, even if they are renamed later", async () => {
    await ada.create("ctx://resources/a/x.md", "x");
    await ada.mv("ctx://resources/a", "ctx://resources/b");
    await ada.rm("ctx://resources/b");
    await house.drain();
    expect(await linesOf(ada)).toEqual([
      "added ctx://resources/a",
      "added ctx://resources/a/x.md",
      "moved ctx://resources/a ctx://resources/b",
      "removed ctx://resources/b",
    ]);
  });

  it("a replaced target is logged as removed before the move that replaces it", async () => {
    await ada.create("ctx://resources/x.md", "x");
    await ada.create("ctx://resources/y.md", "y");
    const cursor = await now(ada);
    await ada.mv("ctx://resources/x.md", "ctx://resources/y.md");
    expect(await linesOf(ada, { cursor })).toEqual([
      "removed ctx://resources/y.md",
      "moved ctx://resources/x.md ctx://resources/y.md",
    ]);
  });

  it("the change log neither shows nor names a removed user to a later user of the same name", async () => {
    await bob.create("ctx://user/bob/diary/secret-plan.md", "mine");
    await bob.create("ctx://user/bob/kept-name.md", "ours");
    await bob.mv("ctx://user/bob/kept-name.md", "ctx://resources/shared.md");
    const cursor = await now(bob);
    await removeUser(house.deps, house.root, { accountId: "acme", userId: "bob" });
    await registerUser(house.deps, house.root, { accountId: "acme", userId: "bob", role: "user" });
    bob = house.as("bob");
    await bob.create("ctx://user/bob/new.md", "new");
    await house.drain();
    expect(await codeOf(linesOf(bob, { cursor }))).toBe("INVALID_ARGUMENT");
    expect(await linesOf(bob)).toEqual([
      "added ctx://resources/shared.md",
      "added ctx://user/bob",
      "added ctx://user/bob/new.md",
    ]);
    expect((await asked(ada)).changes).toMatchObject([{ uri: "ctx://resources/shared.md" }]);
    expect((await asked(ada)).changes[0]).not.toHaveProperty("user");
    const stored = await stores.kv.texts({ gte: "w/0000001/f/", lt: "w/0000001/f0", limit: 1000 });
    expect(stored.filter(([, value]) => /secret-plan|kept-name/.test(value))).toEqual([]);
  });

  it("a reader gets an error if unread changes were trimmed, and readers of other spaces continue", async () => {
    await bob.create("ctx://user/bob/first.md", "first");
    const [ofBob, ofAda] = [await now(bob), await now(ada)];
    await bob.create("ctx://user/bob/forgotten.md", "forgotten");
    const node = await bob.node("ctx://user/bob/forgotten.md");
    await bob.rm("ctx://user/bob/forgotten.md");
    const later = await now(bob);
    await ada.create("ctx://resources/last.md", "last");
    const workspace = await house.workspaceOf();
    const unnamed = { spaces: spacesOf(workspace, "bob"), nodes: new Set([node]) };
    await eraseChanges(workspace, unnamed, new AbortController().signal);
    expect(await codeOf(linesOf(bob, { cursor: ofBob }))).toBe("FAILED_PRECONDITION");
    const rest = ["added ctx://resources/last.md"];
    expect(await linesOf(bob, { cursor: later })).toEqual(rest);
    expect(await linesOf(ada, { cursor: ofAda })).toEqual(rest);
    const left = ["added ctx://user/bob", "added ctx://user/bob/first.md", ...rest];
    expect(await linesOf(bob)).toEqual(left);
    // also page by page
    const page = await asked(bob, { limit: 2 });
    expect(await linesOf(bob, { cursor: page.cursor })).toEqual(rest);
  });

  it("a cursor older than the stored changes is refused, and the oldest stored changes are listed without a gap", async () => {
    await house.end();
    stores = await newStores();
    await open(SMALL_LOG);
    const cursor = await now(ada);
    for (let i = 0; i < 100; i++) await ada.create(`ctx://resources/${i}.md`, `number ${i}`);
    await house.drain();
    await house.lane.idle();
    const keys = await house.keys("w/0000001/f/");
    const bytes = (await stores.kv.range({ gte: "w/0000001/f/", lt: "w/0000001/f0", limit: 1000 })).reduce(
      (sum, [key, value]) => sum + key.length + value.byteLength,
      0,
    );
    expect(keys.length).toBeGreaterThan(5);
    expect(bytes).toBeLessThan(SMALL_LOG * 1.5);
    expect(await codeOf(linesOf(ada, { cursor }))).toBe("FAILED_PRECONDITION");
    const kept = await linesOf(ada);
    expect(kept.at(-1)).toBe("added ctx://resources/99.md");
    expect(kept).toEqual(kept.map((_, i) => `added ctx://resources/${100 - kept.length + i}.md`));
  });

  it("change numbers continue after a restart, and a cursor of an earlier store is refused", async () => {
    await ada.create("ctx://resources/a.md", "a");
    const copy = await stores.kv.range({ gte: "", lt: "\u{10ffff}", limit: 100_000 });
    await ada.create("ctx://resources/b.md", "b");
    const cursor = await now(ada);
    await ada.create("ctx://resources/c.md", "c");
    const ahead = await now(ada);
    await house.stop();
    house = await House.open(stores);
    ada = house.as("ada");
    expect(await linesOf(ada, { cursor })).toEqual(["added ctx://resources/c.md"]);
    await house.end();
    // the state of a restored backup
    stores = await newStores();
    await stores.kv.transact(() => ({
      ops: copy.map(([key, value]) => ({ key, value })),
      apply: () => undefined,
    }));
    stores.clock.now += 1000;
    house = await House.open(stores);
    ada = house.as("ada");
    expect(await codeOf(linesOf(ada, { cursor: ahead }))).toBe("FAILED_PRECONDITION");
    await ada.create("ctx://resources/other.md", "other");
    expect(await codeOf(linesOf(ada, { cursor }))).toBe("FAILED_PRECONDITION");
  });

  it("a change wakes only waiting readers of its own workspace", async () => {
    const reader = await CallerChanges.open(house.deps, ada.caller, { kinds: KINDS }, "watch");
    let woken = false;
    const moved = reader.moved([]).then(() => {
      woken = true;
    });
    await createAccount(house.deps, house.root, { accountId: "other", adminUserId: "eve" });
    await house.as("eve", "other").create("ctx://resources/a.md", "a");
    expect(woken).toBe(false);
    await ada.create("ctx://resources/a.md", "a");
    await moved;
  });
});
