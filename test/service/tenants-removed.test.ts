import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Describer } from "../../src/ingest/describe/describer.ts";
import { PICTURE } from "../../src/ingest/describe/prompts.ts";
import { createAccount } from "../../src/service/account/create-account.ts";
import { registerUser } from "../../src/service/account/register-user.ts";
import { removeUser } from "../../src/service/account/remove-user.ts";
import { copyNode } from "../../src/service/filesystem/copy-node.ts";
import { listEntries } from "../../src/service/filesystem/list-entries.ts";
import { FirstAnswers } from "../../src/service/first-answers.ts";
import { exportPack } from "../../src/service/pack/export-pack.ts";
import { importPack } from "../../src/service/pack/import-pack.ts";
import { linkNodes } from "../../src/service/relation/link-nodes.ts";
import { listRelations } from "../../src/service/relation/list-relations.ts";
import { refreshResource } from "../../src/service/resource/refresh-resource.ts";
import { uploadFile } from "../../src/service/resource/upload-file.ts";
import { listSessions } from "../../src/service/session/list-sessions.ts";
import { addSkill } from "../../src/service/skill/add-skill.ts";
import { Spool } from "../../src/storage/disk/spool.ts";
import { listTasks } from "../../src/workspace/requests/tasks.ts";
import { InterruptedKv } from "../support/interrupted-kv.ts";
import { picture } from "../support/media.ts";
import { ScriptedEmbedder } from "../support/scripted-embedder.ts";
import { ScriptedModel } from "../support/scripted-model.ts";
import { ramStores } from "../support/stores.ts";
import { Talk } from "../support/talk.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type Actor, codeOf, House } from "../support/tenant.ts";

/** A word that only the removed user has written. */
const MARK = "xylographyvole";
/** The user is removed before each of the first changes and before some of the later ones. */
const EACH_OF_THE_FIRST = 12;
const STEP = 5;
const MAX_CHANGES = 400;
const LIMIT_MS = 240_000;
/** More files than are imported before the answer. */
const MANY = Object.fromEntries(
  Array.from({ length: 201 }, (_, i) => [`f${i}.md`, i === 200 ? MARK : `file ${i}`]),
);
/** More nodes than are copied before the answer. */
const MORE = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`f${i}.md`, `${i}`]));
const SKILL = `---\nname: ${MARK}\ndescription: tells of it\n---\n\nUse it.`;

interface Scene {
  readonly house: House;
  readonly bob: Actor;
}

/** What bob does first, and what is under way when he is removed. */
interface Work {
  readonly before?: (scene: Scene) => Promise<unknown>;
  readonly work: (scene: Scene) => Promise<unknown>;
  /** Number of changes between two removals, for scenes with a long setup. */
  readonly step?: number;
}

const uploadOf = async (
  { house, bob }: Scene,
  content: string | Uint8Array,
  token = "token",
): Promise<string> => {
  const bytes = (async function* () {
    yield Buffer.from(content);
  })();
  const deps = { ...house.deps, tokens: () => token, maxUploadBytes: 1e9 };
  return (await uploadFile(deps, bob.call, { name: `${MARK}.md`, bytes })).tempPath;
};

const talkOf = async ({ bob }: Scene): Promise<Talk> => {
  const talk = await Talk.begin(bob, `talk-${MARK}`);
  for (let i = 0; i < 3; i++)
    await talk.say(`I prefer ${MARK} number ${i} and I live in Zanzibar. ${"The river rose. ".repeat(20)}`);
  return talk;
};

const copy = async ({ house, bob }: Scene, fromUri: string, toUri: string, isTask: boolean) => {
  const { taskId } = await copyNode(house.deps, bob.call, { fromUri, toUri, wait: false });
  expect(taskId !== undefined).toBe(isTask);
};

const NOTE = `ctx://user/bob/memories/${MARK}.md`;
const refresh = { uri: "ctx://resources/docs", wait: false };

const WORKS: Readonly<Record<string, Work>> = {
  "writing a file": { work: ({ bob }) => bob.create(NOTE, `# One\n\n${MARK}`) },
  "writing a long file": {
    work: ({ bob }) => bob.create(NOTE, `# One\n\n${`${MARK} is long. `.repeat(4000)}`),
  },
  "appending to a file": {
    before: ({ bob }) => bob.create(NOTE, MARK),
    work: ({ bob }) => bob.append(NOTE, MARK),
  },
  "writing to an agent": { work: ({ bob }) => bob.create(`ctx://agent/default/memories/${MARK}.md`, MARK) },
  "writing to what is shared": { work: ({ bob }) => bob.create(`ctx://resources/${MARK}.md`, MARK) },
  "making a directory": { work: ({ bob }) => bob.mkdir(`ctx://user/bob/${MARK}`, MARK) },
  "moving a file": {
    before: ({ bob }) => bob.create(NOTE, MARK),
    work: ({ bob }) => bob.mv(NOTE, `ctx://user/bob/a/${MARK}.md`),
  },
  "copying a file": {
    before: ({ bob }) => bob.create(NOTE, MARK),
    work: (scene) => copy(scene, NOTE, `ctx://user/bob/a/${MARK}.md`, false),
  },
  "a copy by a task": {
    before: ({ bob }) => bob.add("docs", MORE, { to: "ctx://resources/docs", buildIndex: false }),
    work: (scene) => copy(scene, "ctx://resources/docs", `ctx://user/bob/${MARK}`, true),
    step: 4,
  },
  "a copy by a task to what is shared": {
    before: ({ bob }) => bob.add("docs", MORE, { to: "ctx://resources/docs", buildIndex: false }),
    work: (scene) => copy(scene, "ctx://resources/docs", `ctx://resources/${MARK}`, true),
    step: 4,
  },
  "removing a file": { before: ({ bob }) => bob.create(NOTE, MARK), work: ({ bob }) => bob.rm(NOTE) },
  linking: {
    before: ({ bob }) => bob.create("ctx://resources/a.md", "a"),
    work: ({ house, bob }) =>
      linkNodes(house.deps, bob.call, {
        fromUri: "ctx://user/bob",
        toUris: ["ctx://resources/a.md"],
        reason: MARK,
      }),
  },
  "a session": { work: talkOf },
  "remembering a session": { work: async (scene) => (await talkOf(scene)).commit(false) },
  "deleting a session": { before: talkOf, work: ({ bob }) => new Talk(bob, `talk-${MARK}`).delete() },
  "recording what was used": { before: talkOf, work: ({ bob }) => new Talk(bob, `talk-${MARK}`).use([NOTE]) },
  "an upload": { work: (scene) => uploadOf(scene, MARK) },
  "an upload that is imported": {
    work: async (scene) =>
      scene.bob.add(
        "",
        { [`${MARK}.md`]: MARK },
        { path: undefined, tempPath: await uploadOf(scene, MARK), wait: false },
      ),
  },
  "a small import": { work: ({ bob }) => bob.add("docs", { [`${MARK}.md`]: MARK }, { wait: false }) },
  "a large import": { work: ({ bob }) => bob.add("docs", MANY, { wait: false }) },
  "a refresh": {
    before: ({ bob }) => bob.add("docs", { "a.md": "plain" }, { to: "ctx://resources/docs" }),
    work: ({ house, bob }) => {
      house.sources.set("docs", { "a.md": MARK });
      return refreshResource(house.deps, bob.call, refresh);
    },
  },
  "a skill": { work: ({ house, bob }) => addSkill(house.deps, bob.call, { data: SKILL, wait: false }) },
  "describing a picture": {
    work: async ({ bob }) => bob.add("shots", { "p.png": await picture() }, { wait: false }),
  },
  "describing a picture of the own space": {
    before: async ({ bob }) =>
      bob.add("shots", { "p.png": await picture() }, { to: "ctx://resources/shots" }),
    work: ({ bob }) => bob.mv("ctx://resources/shots/p.png", "ctx://user/bob/p.png"),
  },
  "a pack": {
    before: async (scene) => {
      await scene.bob.create(`ctx://resources/pk/${MARK}.md`, MARK);
      await scene.house.drain();
      const pack = await exportPack(scene.house.deps, scene.bob.call, {
        uri: "ctx://resources/pk",
        includeVectors: false,
      });
      await uploadOf(scene, await buffer(pack.read()), "pack");
      await scene.bob.rm("ctx://resources/pk");
    },
    work: ({ house, bob }) =>
      importPack(house.deps, bob.call, {
        tempPath: "pack",
        parent: "ctx://resources/in",
        force: false,
        wait: false,
      }),
  },
  "an answer under an idempotency key": {
    work: async ({ house, bob }) => {
      const begun = await new FirstAnswers(house.tenants, house.queue).begin(bob.caller, "Op", "key", "hash");
      await bob.create(NOTE, MARK);
      if ("finish" in begun) await begun.finish({ message: Buffer.from(MARK) });
    },
  },
};

/** What a caller can see of the users' own data. */
async function everythingOf(house: House, actor: Actor): Promise<unknown> {
  const { deps } = house;
  const { call } = actor;
  const { workspace } = await actor.tenant();
  const begun = await new FirstAnswers(house.tenants, house.queue).begin(actor.caller, "Op", "key", "hash");
  if ("finish" in begun) await begun.finish(undefined);
  return {
    trees: await Promise.all(
      ["user/bob", "session/bob", "agent/default"].map((place) => actor.tree(`ctx://${place}`, true)),
    ),
    found: (await actor.find(MARK)).filter(
      ({ uri }) => !uri.startsWith("ctx://resources") && !uri.startsWith("ctx://agent/skills"),
    ),
    sessions: (await listSessions(deps, call, { offset: 0 })).sessions,
    tasks: await listTasks(workspace, "bob", 10),
    relations: await listRelations(deps, call, { uri: "ctx://user/bob", direction: "both" }),
    uploads: ["token", "pack"].flatMap((id) => {
      try {
        return deps.uploads.find(id, workspace.incarnation, actor.caller).name;
      } catch {
        return [];
      }
    }),
    answer: "answer" in begun,
  };
}

describe("the removal of a user", () => {
  let house: House;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let scenes = 0;
  let isOpen = false;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterEach(close);
  afterAll(() => folder.remove());

  async function close(): Promise<void> {
    if (isOpen) await house.close();
    isOpen = false;
  }

  async function scene(kv = new InterruptedKv()): Promise<Scene> {
    const model = new ScriptedModel(({ prompt }) =>
      prompt === PICTURE.prompt ? { description: MARK, text: MARK } : undefined,
    );
    const stores = { ...ramStores(kv), bytes: await Spool.open(join(folder.path, `spool${scenes++}`)) };
    house = await House.open(stores, true, [new ScriptedEmbedder("scripted")], 64, model);
    isOpen = true;
    const vision = house.deps.adviser;
    const describer = new Describer({
      vision,
      speech: undefined,
      films: undefined,
      shown: async (_, bytes) => bytes,
    });
    Object.assign(house.deps, { describer });
    await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "ada" });
    return { house, bob: await born() };
  }
  async function born(): Promise<Actor> {
    await registerUser(house.deps, house.root, { accountId: "acme", userId: "bob", role: "user" });
    return house.as("bob", "acme", "user");
  }
  const shared = async () => {
    const ada = house.as("ada");
    return [...(await ada.tree("ctx://resources", true)), ...(await ada.tree("ctx://agent/skills", true))];
  };
  const remove = () => removeUser(house.deps, house.root, { accountId: "acme", userId: "bob" });

  /** Whether the work made that many changes. */
  async function removedAt(change: number, { before, work }: Work, fresh: unknown): Promise<boolean> {
    const kv = new InterruptedKv();
    const set = await scene(kv);
    await before?.(set);
    await house.drain();
    let sharedThen: string[] = [];
    kv.interruptAt(change, async () => {
      await remove();
      sharedThen = await shared();
    });
    // refused or done: a removed user sees neither
    const code = await codeOf(work(set));
    await house.drain();
    const isInterrupted = await kv.wasInterrupted();
    if (isInterrupted) {
      await house.drain();
      expect(["OK", "UNAUTHENTICATED", "NOT_FOUND"], `removed before change ${change}`).toContain(code);
      expect(
        (await house.keys()).filter((key) => key.includes("bob")),
        `removed before change ${change}`,
      ).toEqual([]);
      const namesake = await born();
      expect(await everythingOf(house, namesake), `removed before change ${change}`).toEqual(fresh);
      // shared content belongs to the account: its layers and descriptions are generated anyway
      const isBrought = (uri: string) => !/\/(\.abstract|\.overview|p)\.md$/.test(uri);
      expect((await shared()).filter(isBrought), `removed before change ${change}`).toEqual(
        sharedThen.filter(isBrought),
      );
      expect(await codeOf(set.bob.create("ctx://user/bob/late.md", MARK))).toBe("UNAUTHENTICATED");
      // the root reserved by the ended import does not block the next import of that name
      expect(
        await codeOf(namesake.add("other", { "b.md": "b" }, { to: "ctx://resources/docs", wait: false })),
      ).toBe("OK");
      await house.drain();
    }
    await house.expectSound();
    await close();
    return isInterrupted;
  }

  it.each(Object.entries(WORKS))(
    "removing a user during %s leaves nothing to a later user of the same name",
    async (_, work) => {
      const { bob } = await scene();
      const fresh = await everythingOf(house, bob);
      expect(JSON.stringify(fresh)).not.toContain(MARK);
      await close();
      let change = 0;

      while (change < MAX_CHANGES && (await removedAt(change, work, fresh)))
        change += work.step ?? (change < EACH_OF_THE_FIRST ? 1 : STEP);
      expect(change).toBeGreaterThan(0);
      expect(change).toBeLessThan(MAX_CHANGES);
    },
    LIMIT_MS,
  );

  it("cursors of a removed user are refused to a later user of the same name", async () => {
    const { bob } = await scene();
    for (const name of ["a", "b", "c"]) await bob.create(`ctx://user/bob/${name}.md`, name);
    const list = (actor: Actor, cursor?: string) =>
      listEntries(house.deps, actor.call, {
        uri: "ctx://user/bob",
        simple: true,
        recursive: false,
        showAllHidden: false,
        nodeLimit: 2,
        cursor,
      });
    const { nextCursor } = await list(bob);
    expect(nextCursor).toBeTruthy();
    expect(await codeOf(list(bob, nextCursor))).toBe("OK");
    await remove();
    const namesake = await born();
    for (const name of ["a", "b", "c"]) await namesake.create(`ctx://user/bob/${name}.md`, name);
    expect(await codeOf(list(namesake, nextCursor))).toBe("INVALID_ARGUMENT");
  });
});
