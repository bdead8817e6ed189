import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { accountId, workspaceId } from "../../../src/domain/ids.ts";
import { type Job, REMEMBER } from "../../../src/domain/job.ts";
import type { Message } from "../../../src/domain/message.ts";
import { archiveLayers } from "../../../src/enrich/archive-layers.ts";
import type { EpisodeText } from "../../../src/memory/episodes/episode-text.ts";
import type { Conversation, Fact } from "../../../src/memory/facts/fact.ts";
import { type RememberDeps, rememberArchive } from "../../../src/memory/remember-job.ts";
import { ruleExtractor } from "../../../src/memory/rule-extractor.ts";
import { getLayer } from "../../../src/service/content/get-layer.ts";
import type { SessionArchive } from "../../../src/workspace/sessions/sessions.ts";
import { ramStores } from "../../support/stores.ts";
import { Talk } from "../../support/talk.ts";
import { type Actor, House } from "../../support/tenant.ts";

const USER = "ctx://user/ann/memories";
const AGENT = "ctx://agent/default/memories";

let house: House;
let ann: Actor;
const memories = async (actor = ann): Promise<string[]> => {
  const uris = [...(await actor.tree(USER)), ...(await actor.tree(AGENT))];
  return uris.filter((uri) => uri.endsWith(".md"));
};
const facts = async () => (await memories()).filter((uri) => !uri.includes("/events/"));
const episodes = async () => (await memories()).filter((uri) => uri.includes("/events/"));

async function tell(talk: Talk, ...texts: string[]) {
  for (const text of texts) await talk.say(text);
  return talk.commit();
}

const RIVER =
  "The lock gate of dock nine has leaked since Tuesday and the Skerryvore crew should bring the caulking iron.";

describe("a commit", () => {
  beforeEach(async () => {
    house = await House.open();
    ann = house.as("ann");
  });
  afterEach(() => house.end());

  test("a commit stores episodes by date and session, word for word, and finds them at once", async () => {
    const talk = await Talk.begin(ann, "chat");
    await talk.say(RIVER);
    await talk.say("They will come on Friday with two irons.", "assistant");
    expect((await talk.commit()).memoriesExtracted).toBe(1);
    const [uri, ...others] = await episodes();
    expect([uri, others]).toEqual([`${USER}/events/2023-11-14-chat/01.md`, []]);
    expect(await ann.read(uri!)).toMatch(
      /^# 2023-11-14 \d\d:\d\d · user, assistant\n\nuser: The lock gate .*\n\nassistant: They will come/,
    );
    const [hit] = await ann.find("who brings the caulking iron", { target: USER });
    expect(hit).toMatchObject({ uri, category: "events", contextType: "memory", level: 2 });
    expect(hit!.match).toMatch(/^user: The lock gate[\s\S]*two irons\.$/m);
    expect(await getLayer(house.deps, ann.call, 0, { uri: uri! })).toContain("Skerryvore");
    expect(await getLayer(house.deps, ann.call, 1, { uri: uri! })).toContain("- assistant: They will come");
  });

  test("a commit stores facts in six categories, each with a link to its episode", async () => {
    const result = await tell(
      await Talk.begin(ann, "chat"),
      "My name is Ann Carver and I live in Ljubljana.",
      "I prefer tabs over spaces.",
      "My colleague is Dana Whitfield.",
      "The build failed because the cache was stale; clearing the cache fixed it.",
      "I always run the linter before committing.",
    );
    expect(await facts()).toEqual([
      `${USER}/entities/dana-whitfield.md`,
      `${USER}/preferences/spaces-or-tabs.md`,
      `${USER}/profile.md`,
      `${AGENT}/cases/the-build-failed-because-the-cache-was-stale.md`,
      `${AGENT}/patterns/run-the-linter-before.md`,
    ]);
    expect(result.memoriesExtracted).toBe(7);
    expect(await ann.read(`${USER}/profile.md`)).toBe(
      "# Profile\n\n- The user is called Ann Carver (2023-11-14)\n- The user lives in Ljubljana (2023-11-14)\n",
    );
    const [episode] = await episodes();
    for (const uri of await facts()) {
      const hit = (await ann.find((await ann.read(uri)).replace(/\W+/g, " "))).find(
        (found) => found.uri === uri,
      );
      expect(hit?.relations.map((relation) => relation.uri)).toEqual([episode]);
    }
  });

  test("committing the same content again adds nothing and restores nothing deleted", async () => {
    const talk = await Talk.begin(ann, "chat");
    const said = [RIVER, "My manager is Dana Whitfield.", "I prefer tabs over spaces."];
    const first = await tell(talk, ...said);
    const before = await memories();
    house.stores.clock.now += 86_400_000;
    const second = await tell(talk, ...said);
    expect([await memories(), second.memoriesExtracted]).toEqual([before, 0]);
    expect(second.stats).toMatchObject({
      memoriesExtracted: first.memoriesExtracted,
      totalTurns: 6,
      compressionCount: 2,
    });
    await ann.rm(`${USER}/events`);
    await tell(talk, ...said);
    expect(await episodes()).toEqual([]);
  });

  test("a later statement in a commit supersedes an earlier one, which stays in the history", async () => {
    const talk = await Talk.begin(ann, "chat");
    await tell(talk, "I live in Ljubljana.", "I love jazz.");
    house.stores.clock.now += 86_400_000;
    const result = await tell(
      talk,
      "I moved to Trieste.",
      "I hate jazz.",
      "I really love jazz clubs in winter.",
    );
    expect(await ann.read(`${USER}/profile.md`)).toBe(
      "# Profile\n\n- The user moved to Trieste (2023-11-15)\n\n## Earlier\n\n- The user lives in Ljubljana (2023-11-14)\n",
    );
    expect(await ann.read(`${USER}/preferences/jazz.md`)).toContain(
      "- The user dislikes jazz (2023-11-15)\n\n## Earlier\n\n- The user loves jazz (2023-11-14)",
    );
    expect(result.memoriesExtracted).toBe(4);
  });

  test("a commit only appends to a memory file that its owner has edited", async () => {
    const talk = await Talk.begin(ann, "chat");
    await tell(talk, "I live in Ljubljana.");
    await ann.replace(`${USER}/profile.md`, "Ann. Lives by the river.\n- The user is 41 years old\n");
    await tell(talk, "I am 41 years old.", "I work as a marine biologist.");
    await tell(talk, "I speak Slovene.");
    expect(await ann.read(`${USER}/profile.md`)).toBe(
      "Ann. Lives by the river.\n- The user is 41 years old\n- The user works as a marine biologist (2023-11-14)\n- The user speaks Slovene (2023-11-14)\n",
    );
  });

  test("a person is recognized by a first name that only one person has", async () => {
    await tell(
      await Talk.begin(ann),
      "My colleague is Dana Whitfield.",
      "Dana works in the Berlin office.",
      "Dana leads the billing team.",
    );
    expect(await facts()).toEqual([`${USER}/entities/dana-whitfield.md`]);
    expect(await ann.read(`${USER}/entities/dana-whitfield.md`)).toContain("- Dana leads the billing team");
  });

  test("a commit writes only into memories of its user and agent, whatever the messages say", async () => {
    const coder = new (ann.constructor as typeof Actor)(house, { ...ann.caller, agent: "coder" });
    await tell(
      await Talk.begin(coder),
      "I prefer ../../../resources/evil.md over spaces.",
      "I like ctx://resources/evil and .meta.json.",
      "My manager is Ctx Evil.",
      "The build failed because of a/../b; removing it fixed it.",
    );
    expect(await ann.tree("ctx://resources", true)).toEqual([]);
    expect(await ann.tree(AGENT)).toEqual([]);
    const all = [...(await coder.tree("ctx://user/ann")), ...(await coder.tree("ctx://agent/coder"))];
    expect(
      all.filter(
        (uri) =>
          !/^ctx:\/\/(?:user\/ann|agent\/coder)\/memories(?:\/[\p{L}\p{N}-]+){0,2}(?:\/?[\p{L}\p{N}-]+\.md)?$/u.test(
            uri,
          ),
      ),
    ).toEqual([]);
    expect(all).toContain("ctx://agent/coder/memories/cases/the-build-failed-because-of-a-b.md");
  });
});

const depsOf = (idle: House) => ({
  queue: idle.queue,
  workspaceOf: (incarnation: number) => idle.tenants.ofIncarnation(workspaceId(incarnation)),
  tenantOf: (job: Job, of: { user: string; agent: string }) => idle.tenants.openForJob(job, of),
  vectorJobs: () => [],
  passage: (passage: EpisodeText) => idle.index.ofPassage(passage),
  chunk: (text: string, about: { title: string; kind: "markdown" }) => idle.index.ofText(text, about),
  archiveLayers: (said: readonly Message[], { name, messages }: Pick<SessionArchive, "name" | "messages">) =>
    archiveLayers(said, name, messages),
  removeSession: idle.deps.removeSession,
  further: ruleExtractor,
});

describe("an interrupted job", () => {
  const people = Array.from(
    { length: 20 },
    (_, i): Fact => ({
      category: "entities",
      topic: `Person ${String.fromCharCode(65 + i)}`,
      text: `Person ${String.fromCharCode(65 + i)} is a friend`,
      sources: ["m0"],
      date: "2026-11-21",
    }),
  );

  test("a large archive is read in parts of 4 MiB, of which 32 MiB are cached", async () => {
    const idle = await House.open(ramStores(), false);
    const talk = await Talk.begin(idle.as("ann"), "chat");
    // the same text, so that few episodes are written
    const text = "-".repeat(3 * 1024 * 1024);
    for (let i = 0; i < 13; i++) await talk.say(`${i}${text}`);
    await talk.commit(false);
    const job = [...idle.queue.jobs()].find(({ kind }) => kind === REMEMBER) as Job;
    const parts: string[] = [];
    const extract = async ({ utterances }: Conversation) => {
      parts.push(utterances.map(({ text: said }) => /^\d+/.exec(said)![0]).join(" "));
      return [];
    };
    let summarized = 0;
    const deps = {
      ...depsOf(idle),
      extractor: { isRepeatable: true, extract },
      further: { isRepeatable: true, extract },
      summarize: async ({ said, messages }: { said: readonly Message[]; messages: number }) => {
        summarized = said.length;
        return { abstract: "", overview: `${messages} messages` };
      },
    };
    await rememberArchive(deps, job, new AbortController().signal);
    expect(parts).toEqual(["0 1", "2 3", "4 5", "6 7", "8 9", "10"]);
    expect(summarized).toBe(2);
    expect(await talk.read("history/archive_001/.overview.md")).toContain("13 messages");
    idle.worker.start();
    await idle.end();
  });

  test.each(["before its facts", "between two files", "before its end"])(
    "an interrupted memory job continues %s",
    async (moment) => {
      const stores = ramStores();
      const idle = await House.open(stores, false);
      const actor = idle.as("ann");
      const talk = await Talk.begin(actor, "chat");
      for (let i = 0; i < 9; i++) await talk.say(`${RIVER} Day ${i}: ${"the water rose again ".repeat(20)}`);
      await talk.commit(false);
      const job = [...idle.queue.jobs()].find(({ kind }) => kind === REMEMBER) as Job;
      const stop = new AbortController();
      let cut = 0;
      const deps: RememberDeps = {
        ...depsOf(idle),
        chunk: (text, about) => {
          if (++cut === 9 && moment === "between two files") stop.abort(new Error("killed"));
          return idle.index.ofText(text, about);
        },
        summarize: async ({ said, name }) => {
          if (moment === "before its end" && !stop.signal.aborted) {
            stop.abort();
            throw new Error("killed");
          }
          return archiveLayers(said, name);
        },
        extractor: {
          isRepeatable: true,
          extract: async () => {
            if (moment !== "before its facts" || stop.signal.aborted) return people;
            stop.abort();
            throw new Error("killed");
          },
        },
      };
      await expect(rememberArchive(deps, job, stop.signal)).rejects.toThrow("killed");
      const half = (await idle.workspaceOf()).table.size;
      await rememberArchive(deps, job, new AbortController().signal);
      const names = (await actor.tree(USER)).filter((uri) => uri.endsWith(".md"));
      expect(names.filter((uri) => uri.includes("/entities/")).length).toBe(people.length);
      const kept = names.filter((uri) => uri.includes("/events/")).length;
      expect(kept).toBeGreaterThanOrEqual(7);
      expect((await talk.get()).messageCount).toBe(0);
      const found = idle.tenants
        .ofAccount(accountId("acme"))
        .then((workspace) => workspace!.sessions.find(workspace!.kv, "ann", "chat")!);
      expect((await found).record.stats.memoriesExtracted).toBe(kept + people.length);
      expect((await idle.workspaceOf()).table.size).toBeGreaterThanOrEqual(half);
      idle.worker.start();
      await idle.end();
    },
  );
});

test("facts take at most half of the hits for a question about a conversation", async () => {
  const house = await House.open();
  const actor = house.as("ann");
  const talk = await Talk.begin(actor, "chat");
  for (let i = 0; i < 12; i++) {
    await talk.say(
      `I like harbour cranes number${i}. ${"The harbour master told stories of cranes and tides again. ".repeat(11)}`,
    );
    await talk.say(`Noted, cranes of kind ${i}.`, "assistant");
  }
  await talk.commit();
  const categories = (await actor.find("I like harbour cranes", { limit: 10 })).map(
    ({ category }) => category,
  );
  expect(categories.length).toBe(10);
  expect(categories.filter((category) => category === "preferences").length).toBeLessThanOrEqual(5);
  expect(categories.filter((category) => category === "events").length).toBeGreaterThanOrEqual(5);
  expect(
    (await actor.find("I like harbour cranes", { limit: 30 })).filter(
      ({ category }) => category === "preferences",
    ).length,
  ).toBeGreaterThan(0);
  await house.end();
});
