import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { present } from "../../src/base/expect.ts";
import { openZip } from "../../src/ingest/zip.ts";
import { explainAccess } from "../../src/service/access/explain-access.ts";
import { grantAccess } from "../../src/service/access/grant-access.ts";
import { listGrants } from "../../src/service/access/list-grants.ts";
import { revokeAccess } from "../../src/service/access/revoke-access.ts";
import { createAccount } from "../../src/service/account/create-account.ts";
import { registerUser } from "../../src/service/account/register-user.ts";
import { getLayer } from "../../src/service/content/get-layer.ts";
import { listVersions } from "../../src/service/content/list-versions.ts";
import { readContent } from "../../src/service/content/read-content.ts";
import { restoreVersion } from "../../src/service/content/restore-version.ts";
import { copyNode } from "../../src/service/filesystem/copy-node.ts";
import { describeNodes } from "../../src/service/filesystem/describe-nodes.ts";
import { removeNode } from "../../src/service/filesystem/remove-node.ts";
import { setProperties } from "../../src/service/filesystem/set-properties.ts";
import { tagNode } from "../../src/service/filesystem/tag-node.ts";
import { forget } from "../../src/service/memory/forget.ts";
import { listMemories } from "../../src/service/memory/list-memories.ts";
import { exportPack } from "../../src/service/pack/export-pack.ts";
import { importPack } from "../../src/service/pack/import-pack.ts";
import { linkNodes } from "../../src/service/relation/link-nodes.ts";
import { listRelations } from "../../src/service/relation/list-relations.ts";
import { findContexts } from "../../src/service/search/find.ts";
import { glob } from "../../src/service/search/glob.ts";
import { recall } from "../../src/service/search/recall.ts";
import { getTaskById } from "../../src/service/task/get-task.ts";
import { encodeRecord } from "../../src/storage/record-codec.ts";
import { NODE_RECORDS } from "../../src/workspace/records.ts";
import { locate } from "../../src/workspace/tree/locate.ts";
import { granteeFields } from "../support/access-model.ts";
import { levelStores } from "../support/stores.ts";
import { Actor, codeOf, House } from "../support/tenant.ts";

const BOX = "ctx://user/ann/box";
const PLAN = `${BOX}/plans/plan.md`;
const TEAM = "ctx://resources/team";

describe("visibility through grants", () => {
  let house: House;
  let admin: Actor;
  let ann: Actor;
  let bob: Actor;
  let robot: Actor;

  beforeEach(async () => {
    // packs are read from files
    house = await House.open(await levelStores());
    await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "boss" });
    for (const userId of ["ann", "bob"])
      await registerUser(house.deps, house.root, { accountId: "acme", userId });
    const as = (user: string, role: "admin" | "user", agent = "default") =>
      new Actor(house, { ...house.as(user, "acme", role).caller, agent, keyless: false });
    [admin, ann, bob, robot] = [
      as("boss", "admin"),
      as("ann", "user"),
      as("bob", "user"),
      as("bob", "user", "robot"),
    ];
    await ann.create(PLAN, "The heron plans to wait.");
    await ann.create(`${BOX}/secret.md`, "The heron hides.");
    await admin.create(`${TEAM}/open/a.md`, "The owl is open.");
    await admin.create(`${TEAM}/closed/b.md`, "The owl is closed.");
    await house.drain();
  });
  afterEach(() => house.end());

  const grant = (by: Actor, uri: string, to: string, level: string, effect?: string) =>
    grantAccess(house.deps, by.call, { uri, ...granteeFields(to), level, effect });
  const revoke = (by: Actor, uri: string, to: string) =>
    revokeAccess(house.deps, by.call, { uri, ...granteeFields(to) });
  const tag = (by: Actor, uri: string, ...add: string[]) =>
    tagNode(house.deps, by.call, { uri, add, remove: [], replace: false });
  const link = (by: Actor, fromUri: string, toUri: string) =>
    linkNodes(house.deps, by.call, { fromUri, toUris: [toUri], reason: "" });
  const linked = async (by: Actor, uri: string) =>
    (await listRelations(house.deps, by.call, { uri })).map(({ toUri }) => toUri);
  const packOf = async (by: Actor, uri: string): Promise<Buffer> =>
    buffer((await exportPack(house.deps, by.call, { uri, includeVectors: false })).read());

  it("a grant to an agent applies to every caller that acts as it, but yields to grants to groups and users", async () => {
    await grant(ann, `${BOX}/plans`, "agent:robot", "read");
    expect(await codeOf(bob.read(PLAN))).toBe("NOT_FOUND");
    expect(await robot.read(PLAN)).toContain("heron");
    expect((await listGrants(house.deps, robot.call, {})).grants).toHaveLength(1);
    expect((await listGrants(house.deps, bob.call, {})).grants).toEqual([]);
    const told = await explainAccess(house.deps, ann.call, { uri: PLAN, userId: "bob", agentId: "robot" });
    expect([told.agentId, told.level]).toEqual(["robot", "read"]);
    await grant(ann, `${BOX}/plans`, "user:bob", "read", "deny");
    expect(await codeOf(robot.read(PLAN))).toBe("NOT_FOUND");
  });

  it("a hidden folder above a shared one shows no tags, properties or relations", async () => {
    await tag(ann, BOX, "private-word");
    await tag(ann, PLAN, "plain-word");
    const colour = { namespace: "urn:x", name: "colour", value: "<colour/>" };
    await setProperties(house.deps, ann.call, { uri: BOX, changes: [colour] });
    await link(ann, BOX, PLAN);
    await grant(ann, `${BOX}/plans`, "user:bob", "read");
    expect((await ann.stat(BOX)).tags).toEqual(["private-word"]);
    expect((await bob.stat(BOX)).tags).toBeUndefined();
    const shown = await describeNodes(house.deps, bob.call, {
      uri: BOX,
      withChildren: true,
      withLayers: true,
      withProperties: true,
    });
    expect(shown.self).toMatchObject({ tags: [], properties: [], abstract: undefined, overview: undefined });
    expect(shown.children.map(({ path }) => path.at(-1))).toEqual(["plans"]);
    expect(await codeOf(listRelations(house.deps, bob.call, { uri: BOX }))).toBe("NOT_FOUND");
    expect(await codeOf(link(bob, "ctx://user/bob/note.md", BOX))).toBe("NOT_FOUND");
    expect((await bob.stat(PLAN)).tags).toEqual(["plain-word"]);
    expect(await linked(ann, BOX)).toEqual([PLAN]);
  });

  it("a tag of a hidden folder is neither shown nor usable as a filter for shared content below it", async () => {
    await tag(ann, BOX, "private-word");
    await tag(ann, `${BOX}/plans`, "plain-word");
    await grant(ann, `${BOX}/plans`, "user:bob", "read");
    const globbed = async (by: Actor, word: string) =>
      (await glob(house.deps, by.call, { pattern: "**/plan.md", tags: [word] })).matches;
    const found = async (by: Actor, word: string) => {
      const filter = { op: "must", field: "tags", conds: [word] };
      const asked = { query: "heron", targetUris: [], filter, limit: 10 };
      const { memories } = await findContexts(house.deps, by.call, asked);
      return memories.filter(({ uri }) => uri === PLAN).map(({ tags }) => tags);
    };
    expect([await globbed(ann, "private-word"), await globbed(bob, "private-word")]).toEqual([[PLAN], []]);
    expect(await globbed(bob, "plain-word")).toEqual([PLAN]);
    expect(await found(ann, "private-word")).toEqual([["plain-word", "private-word"]]);
    expect(await found(bob, "private-word")).toEqual([]);
    expect(await found(bob, "plain-word")).toEqual([["plain-word"]]);
  });

  it("a reader sees the versions of a shared file, and only a writer can restore and tag", async () => {
    await ann.replace(PLAN, "The heron waits no longer.");
    await grant(ann, `${BOX}/plans`, "user:bob", "read");
    const restore = () => restoreVersion(house.deps, bob.call, { uri: PLAN, version: 1, wait: false });
    expect((await listVersions(house.deps, bob.call, { uri: PLAN })).total).toBe(2);
    expect((await readContent(house.deps, bob.call, { uri: PLAN, version: 1 })).content).toContain("to wait");
    expect(await codeOf(restore())).toBe("PERMISSION_DENIED");
    expect(await codeOf(tag(bob, PLAN, "mine"))).toBe("PERMISSION_DENIED");
    await grant(ann, `${BOX}/plans`, "user:bob", "write");
    expect((await restore()).version).toBe(3);
    expect((await tag(bob, PLAN, "mine")).tags).toEqual(["mine"]);
    await revoke(ann, `${BOX}/plans`, "user:bob");
    expect(await codeOf(listVersions(house.deps, bob.call, { uri: PLAN }))).toBe("NOT_FOUND");
  });

  it("a relation to hidden content is not shown, neither before nor after the content is removed", async () => {
    await link(admin, `${TEAM}/open/a.md`, `${TEAM}/closed/b.md`);
    expect(await linked(bob, `${TEAM}/open/a.md`)).toEqual([`${TEAM}/closed/b.md`]);
    await grant(admin, `${TEAM}/closed`, "user:bob", "read", "deny");
    expect(await linked(bob, `${TEAM}/open/a.md`)).toEqual([]);
    expect(await linked(admin, `${TEAM}/open/a.md`)).toEqual([`${TEAM}/closed/b.md`]);
    await admin.rm(`${TEAM}/closed`);
    expect(await linked(bob, `${TEAM}/open/a.md`)).toEqual([]);
    await house.drain();
    expect(await linked(bob, `${TEAM}/open/a.md`)).toEqual([]);
  });

  it("a relation to a deleted node of a hidden folder stays hidden when the folder is renamed", async () => {
    await admin.create(`${TEAM}/closed/stays.md`, "The owl stays.");
    await link(admin, `${TEAM}/open/a.md`, `${TEAM}/closed/b.md`);
    await grant(admin, `${TEAM}/closed`, "everyone", "read", "deny");
    const uri = `${TEAM}/closed/b.md`;
    await removeNode(house.deps, admin.call, { uri, recursive: false, permanent: true });
    await house.drain();
    expect(await linked(bob, `${TEAM}/open/a.md`)).toEqual([]);
    await admin.mv(`${TEAM}/closed`, `${TEAM}/renamed`);
    expect(await linked(bob, `${TEAM}/open/a.md`)).toEqual([]);
    expect(await house.findings()).toEqual([]);
  });

  it("recall returns nothing from a revoked share", async () => {
    await grant(ann, `${BOX}/plans`, "user:bob", "read");
    const asked = () =>
      recall(house.deps, bob.call, { query: "what does the heron plan", targetUris: [], restart: true });
    expect((await asked()).text).toContain("heron plans");
    await revoke(ann, `${BOX}/plans`, "user:bob");
    expect((await asked()).text).not.toContain("heron");
  });

  it("a pack contains what its creator may read, and grants stay if a pack replaces a folder", async () => {
    await grant(admin, `${TEAM}/closed`, "user:bob", "read", "deny");
    expect((await packOf(bob, TEAM)).includes("closed")).toBe(false);
    const pack = await packOf(admin, TEAM);
    expect(pack.includes("closed")).toBe(true);
    const put = async (by: Actor) => {
      const { workspace } = await by.tenant();
      const tempPath = `packOf${by.caller.user}`;
      const { user, userIncarnation } = by.caller;
      const upload = { incarnation: workspace.incarnation, user, userIncarnation, name: "team.zip" };
      await house.uploads.save(tempPath, upload, Readable.from([pack]), 1e9);
      return importPack(house.deps, by.call, {
        tempPath,
        parent: "ctx://resources",
        force: true,
        wait: true,
      });
    };
    expect(await codeOf(put(bob))).toBe("PERMISSION_DENIED");
    await put(admin);
    await house.drain();
    expect(await codeOf(bob.read(`${TEAM}/closed/b.md`))).toBe("NOT_FOUND");
    expect(await bob.read(`${TEAM}/open/a.md`)).toContain("open");
    expect((await listGrants(house.deps, admin.call, {})).grants.map(({ uri }) => uri)).toEqual([
      `${TEAM}/closed`,
    ]);
  });

  it("an import needs write access at its destination, and avoids the name of a hidden folder", async () => {
    await grant(admin, TEAM, "everyone", "write", "deny");
    await grant(admin, `${TEAM}/open`, "user:bob", "write");
    const files = { "a.md": "An import." };
    expect(await codeOf(bob.add("into", files, { to: `${TEAM}/new` }))).toBe("PERMISSION_DENIED");
    expect((await bob.add("into", files, { parent: `${TEAM}/open` })).rootUri).toBe(`${TEAM}/open/into`);
    await admin.add("hidden", files);
    await grant(admin, "ctx://resources/hidden", "everyone", "read", "deny");
    const { rootUri } = await bob.add("hidden", files);
    expect(rootUri).not.toBe("ctx://resources/hidden");
    expect(await bob.read(`${rootUri}/a.md`)).toBe("An import.");
  });

  it("a copy task ends when its grant is revoked", async () => {
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`f${i}.txt`, `the wren ${i}`]));
    const from = "ctx://resources/many";
    await admin.add("many", many, { to: from, buildIndex: false });
    await grant(admin, from, "everyone", "read", "deny");
    await grant(admin, from, "user:bob", "read");
    const toUri = "ctx://user/bob/many";
    const asked = copyNode(house.deps, bob.call, { fromUri: from, toUri, wait: false });
    const [{ taskId }] = await Promise.all([asked, revoke(admin, from, "user:bob")]);
    await house.drain();
    const { status } = await getTaskById(house.deps, bob.call, { taskId: taskId ?? "" });
    expect(status).toBe("failed");
    expect(await codeOf(bob.stat(toUri))).toBe("NOT_FOUND");
  });

  it.each([
    ["may be read", "ctx://user/ann/memories/entities/heron.md", "read"],
    ["may be read below", "ctx://user/ann/memories/entities", "read"],
    ["may be written", "ctx://user/ann/memories/entities", "write"],
  ])("only the owner can forget content of a space whose memories %s by others", async (_, uri, level) => {
    const note = "ctx://user/ann/memories/entities/heron.md";
    await ann.create(note, "The heron is a bird.");
    await grant(ann, note, "user:bob", level);
    for (const at of [uri, note])
      expect(await codeOf(forget(house.deps, bob.call, { uri: at, dryRun: false }))).toBe(
        "PERMISSION_DENIED",
      );
    expect(await ann.read(note)).toContain("heron");
  });

  it.each([
    ["is removed", () => admin.rm(`${TEAM}/closed`)],
    ["is moved", () => admin.mv(`${TEAM}/closed`, "ctx://user/boss/closed")],
  ])(
    "a parent folder's overview omits a hidden folder that %s, even before the overview is updated",
    async (_, leave) => {
      await grant(admin, `${TEAM}/closed`, "everyone", "read", "deny");
      await house.drain();
      const told = async (by: Actor) =>
        JSON.stringify([
          await Promise.all(
            ([0, 1] as const).map((level) =>
              getLayer(house.deps, by.call, level, { uri: TEAM }).catch(() => ""),
            ),
          ),
          await findContexts(house.deps, by.call, { query: "closed owl", targetUris: [], limit: 10 }),
        ]);
      expect(await told(admin)).toContain("closed");
      expect(await told(bob)).not.toContain("closed");
      // nothing is made anew before the clock goes on
      await leave();
      expect(await told(bob)).not.toContain("closed");
      await house.drain();
      expect(await told(bob)).toContain("open");
      expect(await told(bob)).not.toContain("closed");
      expect(await house.findings()).toEqual([]);
    },
  );

  it("a pack or copy of shared memories does not name the sessions that they come from", async () => {
    const folder = "ctx://user/ann/memories/entities";
    const at = `${folder}/owl.md`;
    const { workspace, owner } = await ann.tenant();
    await ann.create(at, "# Owl\n\n- The owl lives in the tower\n");
    const { node } = present(locate(workspace.kv, workspace.keys, owner, workspace.uris.parse(at)), "owl");
    const source = { session: "private-talk", archive: 1, messages: ["m1"] };
    const fact = { text: "The owl lives in the tower", date: "", sources: [source] };
    await workspace.transact((draft) => {
      const record = NODE_RECORDS.read(draft, workspace.keys.node(node));
      const facts = { category: "entities" as const, topic: "Owl", facts: [fact], earlier: [] };
      draft.put(workspace.keys.node(node), encodeRecord({ ...record, meta: { facts } }));
      return () => undefined;
    });
    await grant(ann, folder, "user:bob", "read");
    const nodesOf = async (by: Actor) => {
      const limits = { maxFiles: 100, maxBytes: 1e8, field: "x" };
      const { members } = await openZip(await packOf(by, folder), limits);
      return (await buffer(present(members.get("nodes.jsonl"), "nodes").read())).toString();
    };
    expect(await nodesOf(ann)).toContain("private-talk");
    expect(await nodesOf(bob)).not.toContain("private-talk");
    const toUri = "ctx://user/bob/memories/entities/owl.md";
    await copyNode(house.deps, bob.call, { fromUri: at, toUri, wait: true });
    const { memories } = await listMemories(house.deps, bob.call, {
      category: "entities",
      includeSuperseded: false,
      excludeOrigins: [],
    });
    expect(memories.filter(({ uri }) => uri === toUri)).toHaveLength(1);
    expect(JSON.stringify(memories.filter(({ uri }) => uri === toUri))).not.toContain("private-talk");
  });
});
