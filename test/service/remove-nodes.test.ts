import { afterEach, describe, expect, it } from "vitest";
import { grantAccess } from "../../src/service/access/grant-access.ts";
import { createAccount } from "../../src/service/account/create-account.ts";
import { registerUser } from "../../src/service/account/register-user.ts";
import { writeFiles } from "../../src/service/content/write-files.ts";
import { removeNodes } from "../../src/service/filesystem/remove-nodes.ts";
import { restoreTrash } from "../../src/service/trash/restore-trash.ts";
import { InterruptedKv } from "../support/interrupted-kv.ts";
import { ramStores, type Stores } from "../support/stores.ts";
import { type Actor, codeOf, House } from "../support/tenant.ts";

const ROOT = "ctx://resources/site";
const MAX_CHANGES = 20;
const TRASH = { items: 1000, bytes: 1e9, lifeMs: 1e9 };

let house: House;
let ann: Actor;

async function open(stores?: Stores): Promise<void> {
  house = await House.open(stores, true, [], undefined, undefined, { trash: TRASH });
  ann = house.as("ann");
}
afterEach(() => house.close());

const at = (...names: string[]) => names.map((name) => `${ROOT}/${name}`);
const remove = (uris: readonly string[], more: object = {}, actor = ann) =>
  removeNodes(house.deps, actor.call, { uris, recursive: true, permanent: false, ...more });
const refusal = (uris: readonly string[], more: object = {}, actor = ann) =>
  remove(uris, more, actor).then(
    () => "removed",
    ({ code, details }: { code: string; details: object }) => ({ code, ...details }),
  );
const write = (names: readonly string[]) =>
  writeFiles(house.deps, ann.call, {
    files: names.map((name) => ({ uri: `${ROOT}/${name}`, content: `about ${name}`, mode: "create" })),
    wait: false,
  });

describe("deleting several files and folders", () => {
  it("several files and folders are deleted in one step, and each can be restored from the trash", async () => {
    await open();
    await write(["a.md", "b/c.md", "b/d/e.md", "b-f.md", "g.md"]);
    const { nodes, deleted } = await remove(at("b/d/e.md", "a.md", "b", "b-f.md", "b/c.md"));
    expect(deleted).toBe(6);
    expect(nodes.map(({ uri, deleted }) => [uri.slice(ROOT.length + 1), deleted])).toEqual([
      ["b/d/e.md", 0],
      ["a.md", 1],
      ["b", 4],
      ["b-f.md", 1],
      ["b/c.md", 0],
    ]);
    const items = nodes.map(({ trashId }) => trashId);
    expect(new Set(items).size).toBe(3);
    expect([items[0], items[4]]).toEqual([items[2], items[2]]);
    expect(await ann.tree(ROOT)).toEqual(at("g.md"));
    await restoreTrash(house.deps, ann.call, { trashId: items[2] ?? "" });
    expect(await ann.tree(ROOT)).toEqual(at("b", "b/c.md", "b/d", "b/d/e.md", "g.md"));
    await house.drain();
    await house.expectSound();
  });

  it("five hundred files are deleted for good, with their records", async () => {
    await open();
    const names = Array.from({ length: 500 }, (_, i) => `d${i % 50}/f${i}.md`);
    for (let from = 0; from < names.length; from += 200) await write(names.slice(from, from + 200));
    const { deleted, nodes } = await remove(at(...names), { permanent: true });
    expect(deleted).toBe(500);
    expect(nodes.every(({ trashId }) => trashId === undefined)).toBe(true);
    expect(await ann.tree(ROOT)).toHaveLength(50);
    await house.drain();
    await house.expectSound();
  });

  it("if a URI is refused, the error gives its index, and nothing is deleted", async () => {
    await open();
    await write(["a.md", "b/c.md", "long.md"]);
    await ann.create("ctx://user/bob/own.md", "x").catch(() => undefined);
    await ann.replace(`${ROOT}/long.md`, `# Long\n\n${"## Part\n\nIt rains a lot. \n\n".repeat(600)}`);
    const before = await ann.tree(ROOT);
    const [good = ""] = at("a.md");
    for (const [bad, refused] of [
      [`${ROOT}/missing.md`, { code: "NOT_FOUND", index: 1, uri: `${ROOT}/missing.md` }],
      [good, { code: "INVALID_ARGUMENT", field: "uris[1].uri" }],
      [`${good}/`, { code: "INVALID_ARGUMENT", field: "uris[1].uri" }],
      [`${ROOT}/long`, { code: "FAILED_PRECONDITION", index: 1 }],
      ["ctx://resources", { code: "PERMISSION_DENIED", index: 1 }],
      ["ctx://session/ann", { code: "PERMISSION_DENIED", index: 1 }],
      ["ctx://user/bob/own.md", { code: "NOT_FOUND", index: 1 }],
      ["no uri", { code: "INVALID_URI", index: 1 }],
    ] as const)
      expect(await refusal([good, bad]), bad).toMatchObject(refused);
    expect(await refusal(at("a.md", "b"), { recursive: false })).toMatchObject({
      code: "FAILED_PRECONDITION",
      index: 1,
    });
    const tooMany = Array.from({ length: 501 }, (_, i) => `${ROOT}/${i}`);
    expect(await refusal(tooMany)).toMatchObject({ code: "INVALID_ARGUMENT", field: "uris" });
    expect(await ann.tree(ROOT)).toEqual(before);
    await house.drain();
    await house.expectSound();
  });

  it("if the caller may not change one of the folders, no file is deleted", async () => {
    await open();
    await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "ada" });
    await registerUser(house.deps, house.root, { accountId: "acme", userId: "bob", role: "user" });
    const ada = house.as("ada", "acme", "admin");
    const bob = house.as("bob", "acme", "user");
    const uris = ["ctx://resources/open/a.md", "ctx://resources/closed/a.md"];
    for (const uri of uris) await ada.create(uri, "a");
    await grantAccess(house.deps, ada.call, {
      uri: "ctx://resources/closed",
      granteeType: "user",
      granteeId: "bob",
      level: "write",
      effect: "deny",
    });
    expect(await refusal(uris, {}, bob)).toMatchObject({ code: "PERMISSION_DENIED", index: 1 });
    expect(await ada.read("ctx://resources/open/a.md")).toBe("a");
    expect(await codeOf(remove(uris, {}, ada))).toBe("OK");
    await house.drain();
    await house.expectSound();
  });

  it("deleting several URIs is atomic, whatever changes between its steps", async () => {
    let change = 0;
    for (; change < MAX_CHANGES; change++) {
      const kv = new InterruptedKv();
      await open(ramStores(kv));
      await write(["a.md", "b/c.md", "d.md"]);
      await house.drain();
      kv.interruptAt(change, () => codeOf(ann.mv(`${ROOT}/b`, `${ROOT}/moved`)));
      const code = await codeOf(remove(at("a.md", "b", "d.md")));
      const isInterrupted = await kv.wasInterrupted();
      const left = await ann.tree(ROOT);
      if (code === "OK") expect([[], at("moved", "moved/c.md")]).toContainEqual(left);
      else expect([code, left]).toEqual(["NOT_FOUND", at("a.md", "d.md", "moved", "moved/c.md")]);
      await house.drain();
      await house.expectSound();
      if (!isInterrupted) break;
      await house.close();
    }
    expect(change).toBeGreaterThan(0);
    expect(change).toBeLessThan(MAX_CHANGES);
  });
});
