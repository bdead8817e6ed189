import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAccount } from "../../src/service/account/create-account.ts";
import { deleteAccount } from "../../src/service/account/delete-account.ts";
import { registerUser } from "../../src/service/account/register-user.ts";
import { removeUser } from "../../src/service/account/remove-user.ts";
import { FirstAnswers } from "../../src/service/first-answers.ts";
import { uploadFile } from "../../src/service/resource/upload-file.ts";
import { getTask, putTask } from "../../src/workspace/requests/tasks.ts";
import { STORES } from "../support/stores.ts";
import { codeOf, House } from "../support/tenant.ts";

const BIG = "wide rivers ".repeat(3000);
const LONG = Array.from(
  { length: 30 },
  (_, i) => `# Part ${i}\n\n${`Sentence ${i} about owls and rivers. `.repeat(12)}\n`,
).join("\n");

async function* once(text: string) {
  yield Buffer.from(text);
}

describe.each(STORES)("accounts and users over %s", (_, stores) => {
  let house: House;
  beforeEach(async () => {
    house = await House.open(await stores());
    await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "ada" });
    await registerUser(house.deps, house.root, { accountId: "acme", userId: "bob", role: "user" });
  });
  afterEach(async () => {
    await house.drain();
    await house.close();
  });

  const bob = () => house.as("bob", "acme", "user");
  const upload = () => {
    const tokens = () => "token0";
    return uploadFile({ ...house.deps, tokens, maxUploadBytes: 1000 }, bob().call, {
      name: "marker.txt",
      bytes: once("marker"),
    });
  };

  /** Creates everything that a user can leave behind. */
  async function fill(): Promise<void> {
    await bob().create("ctx://user/bob/memories/marker.md", LONG);
    await bob().create("ctx://user/bob/big.txt", BIG);
    await bob().create("ctx://agent/helper/memories/m.md", "marker of an agent");
    await bob().add("mine", { "a.md": "marker" }, { wait: false });
    await bob().found("marker");
    await upload();
    const { workspace } = await bob().tenant();
    const begun = await new FirstAnswers(house.tenants, house.queue).begin(bob().caller, "Op", "key", "hash");
    if ("finish" in begun) await begun.finish({ message: Buffer.from("marker") });
    await workspace.transact((draft) => {
      const task = {
        id: "T",
        user: "bob",
        type: "add_resource",
        status: "running",
        stage: "marker",
        done: 0,
        total: 1,
        created: 0,
        updated: 0,
      } as const;
      putTask(draft, task);
      return () => undefined;
    });
  }

  /** Returns all keys, and values as text, that mention the user or content written by the user. */
  async function traces(pattern: RegExp): Promise<string[]> {
    const found: string[] = [];
    for (const [key, value] of await house.stores.kv.range({ gte: "", lt: "~", limit: 100_000 })) {
      if (pattern.test(key) || pattern.test(Buffer.from(value).toString("latin1"))) found.push(key);
    }
    return found;
  }
  it("removing a user leaves none of the user's records in the store", async () => {
    await house.as("ada").create("ctx://user/ada/m.md", "of ada");
    await fill();
    await house.drain();
    await removeUser(house.deps, house.root, { accountId: "acme", userId: "bob" });
    expect(await codeOf(bob().read("ctx://user/bob/big.txt"))).toBe("NOT_FOUND");
    await house.drain();
    await house.expectSound();
    // the journal has no readers and is trimmed at the next start
    expect((await traces(/bob/)).filter((key) => !key.includes("/j/"))).toEqual([]);
    // content that the user wrote to resources stays
    expect(await house.as("ada").found("marker")).toContain("ctx://resources/mine/a.md");
    expect(await house.as("ada").tree("ctx://user/ada")).toEqual([
      "ctx://user/ada/m.md",
      "ctx://user/ada/memories",
    ]);
  });

  it("a user who is registered again gets none of the earlier data", async () => {
    await fill();
    await house.drain();
    const { workspace, owner } = await bob().tenant();
    await removeUser(house.deps, house.root, { accountId: "acme", userId: "bob" });
    await registerUser(house.deps, house.root, { accountId: "acme", userId: "bob", role: "user" });
    expect(await bob().tree("ctx://user/bob")).toEqual(["ctx://user/bob/memories"]);
    expect(await bob().tree("ctx://agent")).not.toContain("ctx://agent/helper");
    expect(await bob().find("marker owls", { target: "ctx://user/bob" })).toEqual([]);
    expect(getTask(workspace.kv, workspace.keys, owner.user, "T")).toBeUndefined();
    expect(() => house.uploads.find("token0", workspace.incarnation, { user: "bob" })).toThrow(
      "upload not found",
    );
    await bob().create("ctx://user/bob/memories/marker.md", "a new marker");
    await house.drain();
    expect(
      (await bob().find("marker", { target: "ctx://user/bob" })).map(({ match }) => match).join(),
    ).not.toContain("owls");
    await house.expectSound();
  });

  it("removing a user ends imports that wait for their source, with their tasks and reserved roots", async () => {
    const roots = ["a", "b", "c", "d", "e"];
    const begun: AbortSignal[] = [];
    const head = async () => ({ name: "slow", isDirectory: true, identity: "slow", warnings: [] });
    const open = (_: unknown, _filter: unknown, { signal }: { readonly signal: AbortSignal }) =>
      new Promise<never>((_, reject) => {
        begun.push(signal);
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    const { sources } = house.deps;
    const former = { ...sources };
    Object.assign(sources, { head, open });
    for (const root of roots) await bob().add(root, {}, { to: `ctx://resources/${root}`, wait: false });
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun.length).toBeGreaterThan(0);
    expect(begun.length).toBeLessThan(roots.length);
    await removeUser(house.deps, house.root, { accountId: "acme", userId: "bob" });
    expect(begun.every(({ aborted }) => aborted)).toBe(true);
    await house.drain();
    expect(
      (await house.keys("q")).filter((key) => key.includes("/import/") || key.startsWith("qx/")),
    ).toEqual([]);
    Object.assign(sources, former);
    const ada = house.as("ada");
    for (const root of roots) await ada.add(root, { "a.md": root }, { to: `ctx://resources/${root}` });
    expect(await ada.tree("ctx://resources")).toHaveLength(2 * roots.length);
  });

  it("deleting an account leaves none of its records in the store", async () => {
    const before = await house.keys();
    await createAccount(house.deps, house.root, { accountId: "beta", adminUserId: "bea" });
    const bea = house.as("bea", "beta");
    await bea.create("ctx://resources/a.md", "marker");
    await bea.create("ctx://user/bea/big.txt", BIG);
    await bea.add("docs", { "a.md": LONG }, { wait: false });
    const { workspace } = await bea.tenant();
    await house.uploads.save(
      "token1",
      { incarnation: workspace.incarnation, user: "bea", name: "x" },
      once("marker"),
      100,
    );
    await workspace.transact((draft) => {
      house.queue.enqueue(draft, {
        queue: "semantic",
        class: "bulk",
        kind: "unheard",
        workspace: workspace.incarnation,
        payload: null,
        origins: [],
        sameAs: undefined,
      });
      return () => undefined;
    });
    await house.drain();
    await deleteAccount(house.deps, house.root, { accountId: "beta" });
    expect(await codeOf(workspace.transact(() => () => undefined))).toBe("NOT_FOUND");
    await house.drain();
    const counters = /^(an|qn)$/;
    expect((await house.keys()).filter((key) => !counters.test(key))).toEqual(
      before.filter((key) => !counters.test(key)),
    );
    for await (const blob of house.stores.blobs.list(workspace.contents.bucket)) expect(blob).toBeUndefined();
    expect(await house.registry.deletions("everything")).toEqual([]);
    await createAccount(house.deps, house.root, { accountId: "beta", adminUserId: "bea" });
    expect(await codeOf(bea.tree("ctx://resources"))).toBe("UNAUTHENTICATED");
    const next = house.as("bea", "beta");
    expect(await next.tree("ctx://resources")).toEqual([]);
    expect(await next.find("marker")).toEqual([]);
    await house.expectSound("beta");
  });

  it("an import of a deleted account never reaches a later account of the same name", async () => {
    await house.worker.stop(0);
    const bea = house.as("bea", "beta");
    await createAccount(house.deps, house.root, { accountId: "beta", adminUserId: "bea" });
    await bea.add("docs", Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`f${i}.md`, "marker"])), {
      wait: false,
    });
    expect([...house.queue.jobs()].map(({ kind }) => kind)).toEqual(["import"]);
    await deleteAccount(house.deps, house.root, { accountId: "beta" });
    await createAccount(house.deps, house.root, { accountId: "beta", adminUserId: "bea" });
    const next = await House.open(house.stores);
    house = next;
    next.sources.set(
      "docs",
      Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`f${i}.md`, "marker"])),
    );
    await next.drain();
    expect(await next.as("bea", "beta").tree("ctx://resources")).toEqual([]);
    await next.expectSound("beta");
  });
});
