import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { jobHandlers } from "../../src/app/job-handlers.ts";
import { workspaceId } from "../../src/domain/ids.ts";
import { FILE_LAYERS } from "../../src/domain/job.ts";
import { createAccount } from "../../src/service/account/create-account.ts";
import { deleteAccount } from "../../src/service/account/delete-account.ts";
import { registerUser } from "../../src/service/account/register-user.ts";
import { removeUser } from "../../src/service/account/remove-user.ts";
import { removeNode } from "../../src/service/filesystem/remove-node.ts";
import { FirstAnswers } from "../../src/service/first-answers.ts";
import { exportPack } from "../../src/service/pack/export-pack.ts";
import { importPack } from "../../src/service/pack/import-pack.ts";
import { linkNodes } from "../../src/service/relation/link-nodes.ts";
import { uploadFile } from "../../src/service/resource/upload-file.ts";
import { addSkill } from "../../src/service/skill/add-skill.ts";
import { createWebhook } from "../../src/service/webhook/create-webhook.ts";
import { BLOB_GRACE_MS, bucketOf } from "../../src/workspace/tree/contents.ts";
import { levelStores, type Stores } from "../support/stores.ts";
import { Talk } from "../support/talk.ts";
import { type Actor, House } from "../support/tenant.ts";

/** Number of chunks after which a tail is sealed: low, so that users have segments. */
const SEAL_DOCS = 8;
const BIG = "wide rivers ".repeat(3000);
const LONG = Array.from(
  { length: 30 },
  (_, i) => `# Part ${i}\n\n${`Sentence ${i} about owls and rivers. `.repeat(12)}\n`,
).join("\n");

/** Records of the account that stay when a user leaves: the journal, the change log and assigned numbers. */
const OF_THE_ACCOUNT = /^w\/\w+\/(j\/|f\/|g\/(node|generation|stage|journal|partition)$)/;

describe("data of removed users and accounts", () => {
  let stores: Stores;
  let house: House;
  beforeEach(async () => {
    stores = await levelStores();
    const trash = { items: 100, bytes: 1e9, lifeMs: 1e9 };
    house = await House.open(stores, true, [], SEAL_DOCS, undefined, { trash });
    await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "ada" });
    await house.as("ada").create("ctx://resources/of-ada.md", "rivers of Ada");
  });
  afterEach(() => house.end());

  let made = 0;
  const packed = async (actor: Actor, uri: string, includeVectors: boolean) =>
    buffer((await exportPack(house.deps, actor.call, { uri, includeVectors })).read());
  async function upload(actor: Actor, content: Buffer): Promise<string> {
    const token = `token${made++}`;
    const bytes = (async function* () {
      yield content;
    })();
    await uploadFile({ ...house.deps, tokens: () => token, maxUploadBytes: 1e6 }, actor.call, {
      name: "u.zip",
      bytes,
    });
    return token;
  }

  /** Creates one of everything that a user can own. */
  async function fillOwn(actor: Actor): Promise<void> {
    const { user } = actor.caller;
    await actor.create(`ctx://user/${user}/notes/long.md`, LONG);
    await actor.create(
      `ctx://user/${user}/notes/page.html`,
      "<html><body><h1>Okapi</h1><p>The okapi lives in Ituri.</p></body></html>",
    );
    await actor.create(`ctx://user/${user}/big.txt`, BIG);
    await actor.create("ctx://agent/helper/memories/m.md", "of an agent");
    await actor.mkdir(`ctx://user/${user}/bare`, "described");
    await actor.create(`ctx://user/${user}/gone/removed.md`, LONG);
    await actor.rm(`ctx://user/${user}/gone`);
    const hook = { url: "http://127.0.0.1:9/", kinds: [], description: "a mirror" };
    await createWebhook(house.deps.webhookDeps, actor.call, hook);
    const tempPath = await upload(actor, await packed(actor, `ctx://user/${user}/notes`, true));
    await importPack(house.deps, actor.call, {
      tempPath,
      parent: `ctx://user/${user}/packs`,
      force: false,
      wait: false,
    });
    const links = [`ctx://user/${user}/big.txt`, "ctx://resources/of-ada.md", `ctx://user/${user}/never`];
    await linkNodes(house.deps, actor.call, {
      fromUri: `ctx://user/${user}/notes/long.md`,
      toUris: links,
      reason: "see",
    });
    await actor.rm(`ctx://user/${user}/notes/page.html`);
    const talk = await Talk.begin(actor);
    await talk.say("My name is Kim and I live in Oslo.");
    await talk.send({ type: "tool", toolId: "t1", toolName: "grep", toolOutput: "nothing" } as never);
    await talk.use([`ctx://user/${user}/big.txt`]);
    await talk.commit();
    await talk.say("I prefer tea.", "user", "own-id");
    await (await Talk.begin(actor)).delete();
    const begun = await new FirstAnswers(house.tenants, house.queue).begin(actor.caller, "Op", "key", "hash");
    if ("finish" in begun) await begun.finish({ message: Buffer.from("answer") });
    // loads the found content into memory and seals it
    await actor.found("owls rivers", `ctx://user/${user}`);
    await house.drain();
    await house.lane.idle();
  }

  async function fillShared(actor: Actor): Promise<void> {
    await actor.add("docs", { "a.md": LONG, "b.md": "rivers", "c.txt": BIG }, { wait: false });
    await addSkill(house.deps, actor.call, {
      data: { name: "s", description: "d", content: "# S" },
      wait: false,
    });
    const pack = await packed(actor, "ctx://agent/skills/s", false);
    await actor.create("ctx://agent/skills/s/extra.md", "more");
    await actor.rm("ctx://agent/skills/s");
    await importPack(house.deps, actor.call, {
      tempPath: await upload(actor, pack),
      parent: "ctx://agent/skills",
      force: false,
      wait: false,
    });
    await linkNodes(house.deps, actor.call, {
      fromUri: "ctx://resources/docs",
      toUris: ["ctx://agent/skills/s"],
      reason: "",
    });
    await actor.found("owls rivers", "ctx://resources");
    await house.drain();
    await house.lane.idle();
  }

  async function filesOf(incarnation: number): Promise<{ blobs: string[]; index: string[] }> {
    const names = async (files: Stores["blobs"]) => {
      const found: string[] = [];
      for await (const { hash } of files.list(bucketOf(workspaceId(incarnation)))) found.push(hash);
      return found.sort();
    };
    return { blobs: await names(stores.blobs), index: await names(stores.index) };
  }

  /** Lets everything expire that is kept for a while. */
  async function settled(): Promise<void> {
    await house.drain();
    await house.lane.idle();
    stores.clock.now += BLOB_GRACE_MS + 1;
    // makes the worker read the clock again
    house.worker.start();
    await house.drain();
  }

  const present = async () => (await house.keys()).filter((key) => !OF_THE_ACCOUNT.test(key));
  /** Also ignores the server's numbers and the hourly job that removes expired first answers. */
  const ofServer = (key: string) => !/^(an$|qn\/0000001$|q\/0000001\/purge\/bulk\/)/.test(key);

  it("removing a user leaves no key, blob, vector, posting or index file", async () => {
    // the directory of all users exists
    await house.as("ada").create("ctx://user/ada/own.md", LONG);
    const { workspace } = await house.as("ada").tenant();
    await settled();
    const before = { keys: await present(), files: await filesOf(workspace.incarnation) };
    await registerUser(house.deps, house.root, { accountId: "acme", userId: "bob", role: "user" });
    await fillOwn(house.as("bob", "acme", "user"));
    const full = await filesOf(workspace.incarnation);
    expect(full.index.length).toBeGreaterThan(before.files.index.length);
    expect(full.blobs.length).toBeGreaterThan(before.files.blobs.length);
    await removeUser(house.deps, house.root, { accountId: "acme", userId: "bob" });
    await settled();
    expect((await present()).filter((key) => !before.keys.includes(key) && ofServer(key))).toEqual([]);
    expect(await filesOf(workspace.incarnation)).toEqual(before.files);
    expect(await house.findings()).toEqual([]);
    // nothing of the other users is missing
    expect(before.keys.filter((key) => !workspace.kv.get(key))).toEqual([]);
    expect((await house.as("ada").found("owls", "ctx://user/ada")).join()).toContain("ctx://user/ada/own");
  });

  it("removing a user keeps only chunks moved to other users, which can be found until they are deleted", async () => {
    await settled();
    const before = await present();
    await registerUser(house.deps, house.root, { accountId: "acme", userId: "bob", role: "user" });
    const bob = house.as("bob", "acme", "user");
    await fillOwn(bob);
    await bob.mv("ctx://user/bob/notes/long.md", "ctx://resources/given.md");
    await house.drain();
    const { workspace } = await bob.tenant();
    await removeUser(house.deps, house.root, { accountId: "acme", userId: "bob" });
    await settled();
    const ada = house.as("ada");
    expect(await ada.read("ctx://resources/given.md")).toBe(LONG);
    expect((await ada.found("owls", "ctx://resources")).join()).toContain("ctx://resources/given");
    await house.expectSound();
    const given = { uri: "ctx://resources/given.md", recursive: false, permanent: true };
    await removeNode(house.deps, ada.call, given);
    await settled();
    expect(await house.findings()).toEqual([]);
    expect((await ada.found("owls", "ctx://resources")).join()).not.toContain("given");
    expect((await filesOf(workspace.incarnation)).index).toEqual([]);
    // relations outlive a resource, and the shared partition records its former guests
    const left = (await present()).filter(
      (key) => !before.includes(key) && ofServer(key) && !key.startsWith(workspace.keys.allRelations()),
    );
    expect(left).toEqual([workspace.keys.manifest(1)]);
  });

  it("a job that is running when its account is deleted ends without an error", async () => {
    const idle = await House.open(await levelStores(), false);
    try {
      await createAccount(idle.deps, idle.root, { accountId: "beta", adminUserId: "bea" });
      await idle.as("bea", "beta").create("ctx://resources/long.md", LONG);
      const { parse } = idle.deps;
      let isDeleted = false;
      const handlers = jobHandlers({
        ...idle.deps,
        parse: async (...file) => {
          if (!isDeleted) await deleteAccount(idle.deps, idle.root, { accountId: "beta" });
          isDeleted = true;
          return parse(...file);
        },
      });
      const job = (await idle.queue.claim("semantic"))!;
      expect(job.kind).toBe(FILE_LAYERS);
      await handlers.get(FILE_LAYERS)!(job, new AbortController().signal);
      expect(isDeleted).toBe(true);
    } finally {
      await idle.close();
    }
  });

  it("deleting an account leaves no key, blob, vector, posting or index file", async () => {
    await settled();
    const before = (await house.keys()).filter(ofServer);
    await createAccount(house.deps, house.root, { accountId: "beta", adminUserId: "bea" });
    const bea = house.as("bea", "beta");
    await fillOwn(bea);
    await fillShared(bea);
    const { workspace } = await bea.tenant();
    const full = await filesOf(workspace.incarnation);
    expect([full.blobs.length > 0, full.index.length > 0]).toEqual([true, true]);
    expect(await house.findings("beta")).toEqual([]);
    await deleteAccount(house.deps, house.root, { accountId: "beta" });
    await settled();
    expect((await house.keys()).filter(ofServer)).toEqual(before);
    expect(await filesOf(workspace.incarnation)).toEqual({ blobs: [], index: [] });
  });

  it("index files of a removed user are deleted at the next start if the server was killed before", async () => {
    await registerUser(house.deps, house.root, { accountId: "acme", userId: "bob", role: "user" });
    await fillOwn(house.as("bob", "acme", "user"));
    const { workspace } = await house.as("bob").tenant();
    await house.stop();
    await removeUser(house.deps, house.root, { accountId: "acme", userId: "bob" });
    expect((await filesOf(workspace.incarnation)).index).not.toEqual([]);
    house = await House.open(stores, true, [], SEAL_DOCS);
    await settled();
    expect((await filesOf(workspace.incarnation)).index).toEqual([]);
    await house.expectSound();
  });
});
