import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { purgeJob, type Remember } from "../../src/domain/job.ts";
import { downloadContent } from "../../src/service/content/download-content.ts";
import { getLayer } from "../../src/service/content/get-layer.ts";
import { linkNodes } from "../../src/service/relation/link-nodes.ts";
import { listRelations } from "../../src/service/relation/list-relations.ts";
import { glob } from "../../src/service/search/glob.ts";
import { grep } from "../../src/service/search/grep.ts";
import { listSessions } from "../../src/service/session/list-sessions.ts";
import { getTaskById } from "../../src/service/task/get-task.ts";
import { removeSpaces, userRecordKeys } from "../../src/workspace/removal/erase.ts";
import { countUses } from "../../src/workspace/sessions/commits.ts";
import { MAX_BUFFER_BYTES, putSession } from "../../src/workspace/sessions/session-changes.ts";
import { newStores, STORES } from "../support/stores.ts";
import { Talk } from "../support/talk.ts";
import { type Actor, codeOf, House } from "../support/tenant.ts";

const OWL = "ctx://resources/owl.md";

describe.each(STORES)("sessions over %s", (_, stores) => {
  let house: House;
  let ann: Actor;
  beforeEach(async () => {
    house = await House.open(await stores());
    ann = house.as("ann");
  });
  afterEach(() => house.end());

  it("the service moves a session through the states of the specification", async () => {
    const talk = await Talk.begin(ann, "chat");
    expect(await codeOf(Talk.begin(ann, "chat"))).toBe("ALREADY_EXISTS");
    expect(await talk.commit()).toMatchObject({
      status: "committed",
      archived: false,
      activeCountUpdated: 0,
      memoriesExtracted: 0,
    });
    expect([await talk.say("one"), await talk.say("two", "assistant")]).toEqual([1, 2]);
    expect(await talk.commit()).toMatchObject({
      status: "committed",
      archived: true,
      stats: { totalTurns: 1, compressionCount: 1, totalTokens: 2 },
    });
    expect((await talk.get()).messageCount).toBe(0);
    expect(await talk.say("three")).toBe(1);
    await talk.delete();
    expect(await codeOf(talk.get())).toBe("NOT_FOUND");
    expect(await codeOf(talk.delete())).toBe("NOT_FOUND");
    expect(await codeOf(talk.context())).toBe("NOT_FOUND");
    expect(await codeOf(talk.say("four"))).toBe("SESSION_EXPIRED");
    expect(await codeOf(talk.commit())).toBe("SESSION_EXPIRED");
    expect(await codeOf(talk.use([OWL]))).toBe("SESSION_EXPIRED");
    const again = await Talk.begin(ann, "chat");
    expect([await again.archives(), await again.said(), await again.say("five")]).toEqual([[], [], 1]);
  });

  it("a session is accessible only to its own user", async () => {
    const talk = await Talk.begin(ann, "chat");
    await talk.say("secret");
    for (const other of [house.as("bob"), house.as("ann", "other")]) {
      const theirs = new Talk(other, "chat");
      const calls = [
        theirs.get(),
        theirs.delete(),
        theirs.context(),
        theirs.say("x"),
        theirs.commit(),
        theirs.use([OWL]),
      ];
      expect(new Set(await Promise.all(calls.map(codeOf)))).toEqual(new Set(["NOT_FOUND"]));
      expect((await listSessions(house.deps, other.call, { offset: 0 })).sessions).toEqual([]);
      expect(await other.tree("ctx://", true)).not.toContain(talk.uri);
    }
    expect(await codeOf(house.as("bob").read(`${talk.uri}/messages.jsonl`))).toBe("NOT_FOUND");
    expect(await talk.said()).toEqual(["secret"]);
  });

  it("each message is in exactly one archive, in order, even if commits happen meanwhile", async () => {
    const talk = await Talk.begin(ann);
    const talker = async (name: number) => {
      for (let i = 0; i < 20; i++) await talk.say(`${name}:${i}`, i % 2 === 0 ? "user" : "assistant");
    };
    const commits = Array.from({ length: 50 }, () => talk.commit());
    const [outcomes] = await Promise.all([
      Promise.all(commits),
      ...Array.from({ length: 10 }, (_, name) => talker(name)),
    ]);
    const last = await talk.commit();
    const archives = await talk.archives();
    const made = outcomes.filter(({ archived }) => archived).length + (last.archived ? 1 : 0);
    expect(archives).toHaveLength(made);
    const all = (await Promise.all(archives.map((name) => talk.said(`${name}/`)))).flat();
    expect(await talk.said()).toEqual([]);
    expect(all).toHaveLength(200);
    for (let name = 0; name < 10; name++)
      expect(all.filter((text) => text.startsWith(`${name}:`))).toEqual(
        Array.from({ length: 20 }, (_, i) => `${name}:${i}`),
      );
    expect(last.stats).toMatchObject({ totalTurns: 100, compressionCount: archives.length });
  });

  it("a message with an id is added once, even after it was archived", async () => {
    const talk = await Talk.begin(ann);
    await talk.say("first", "user", "m-1");
    expect(await talk.say("again", "user", "m-1")).toBe(1);
    await talk.commit();
    expect(await talk.say("once more", "user", "m-1")).toBe(0);
    expect(await talk.said("history/archive_001/")).toEqual(["first"]);
    expect(await codeOf(talk.say("x", "user", ""))).toBe("INVALID_ARGUMENT");
  });

  it("a message may exceed the size limit of other changes, up to a limit of its own", async () => {
    const talk = await Talk.begin(ann);
    expect(await talk.say("x".repeat(6 * 2 ** 20))).toBe(1);
    expect(await codeOf(talk.say("x".repeat(8 * 2 ** 20)))).toBe("INVALID_ARGUMENT");
    expect((await talk.get()).messageCount).toBe(1);
  });

  it("each existing context counts as used once per session", async () => {
    await ann.create(OWL, "the owl flies at night");
    const talk = await Talk.begin(ann);
    const context = { type: "context", uri: OWL, contextType: "resource" };
    await talk.send(
      context,
      { type: "tool", skillUri: "ctx://skills/none" },
      { type: "context", uri: "ctx://user/bob/memories/x.md" },
    );
    await talk.send(context);
    expect(await talk.use([OWL, "ctx://resources/none.md"], "ctx://skills/other")).toMatchObject({
      contextsUsed: 3,
      skillsUsed: 2,
    });
    expect(await talk.commit()).toMatchObject({
      activeCountUpdated: 1,
      stats: { contextsUsed: 3, skillsUsed: 2 },
    });
    const workspace = await house.workspaceOf();
    expect(workspace.table.activeCount[await ann.node(OWL)]).toBe(1);
    await talk.send(context);
    expect(await talk.commit()).toMatchObject({ activeCountUpdated: 0 });
    expect(workspace.table.activeCount[await ann.node(OWL)]).toBe(1);
  });

  it("a session has the folder layout of the specification", async () => {
    const talk = await Talk.begin(ann, "chat");
    await talk.say("The harbour crane needs new bearings.");
    await talk.send({
      type: "tool",
      toolId: "call",
      toolName: "look",
      toolOutput: "rust",
      toolStatus: "running",
    });
    await talk.send(
      { type: "tool", toolId: "../x", toolOutput: "hidden" },
      { type: "tool", toolId: "call", toolOutput: "more rust" },
    );
    await talk.commit();
    await talk.say("And the lock gate.");
    const below = (await ann.tree(talk.uri, true)).map((uri) => uri.slice(talk.uri.length + 1));
    expect(below).toEqual([
      ".abstract.md",
      ".meta.json",
      ".overview.md",
      "history",
      "history/archive_001",
      "history/archive_001/.abstract.md",
      "history/archive_001/.overview.md",
      "history/archive_001/messages.jsonl",
      "messages.jsonl",
      "tools",
      "tools/call.json",
      expect.stringMatching(/^tools\/[0-9a-f]{64}\.json$/),
    ]);
    expect(await ann.stat("ctx://session/ann")).toMatchObject({ count: 8 });
    expect(await ann.stat(talk.uri)).toMatchObject({ isDir: true, count: 7 });
    expect(JSON.parse(await talk.read("tools/call.json"))).toMatchObject({
      tool_output: "more rust",
      tool_status: "pending",
    });
    expect(JSON.parse(await talk.read(".meta.json"))).toMatchObject({
      session_id: "chat",
      message_count: 1,
      user: { user_id: "ann" },
    });
    expect(await talk.read(".abstract.md")).toContain("harbour crane");
    expect(await getLayer(house.deps, ann.call, 1, { uri: `${talk.uri}/history/archive_001` })).toContain(
      "harbour crane",
    );
    const found = await grep(house.deps, ann.call, {
      uri: "ctx://session",
      pattern: "crane|gate",
      caseInsensitive: false,
    });
    expect(found.matches.map(({ uri, line }) => [uri.slice(talk.uri.length + 1), line])).toEqual([
      ["history/archive_001/messages.jsonl", 1],
      ["messages.jsonl", 1],
    ]);
    const { matches } = await glob(house.deps, ann.call, { pattern: "session/ann/*/history/*" });
    expect(matches).toEqual([`${talk.uri}/history/archive_001`]);
    const calls = [
      ann.mkdir(`${talk.uri}/x`),
      ann.rm(talk.uri),
      ann.create(`${talk.uri}/tools/y.json`, "x"),
      ann.mv(talk.uri, OWL),
    ];
    expect(new Set(await Promise.all(calls.map(codeOf)))).toEqual(new Set(["PERMISSION_DENIED"]));
    expect(await ann.found("harbour crane bearings")).not.toContain(talk.uri);
  });

  it("a session file is read in ranges and pages, however long it is", async () => {
    const talk = await Talk.begin(ann);
    await Promise.all(Array.from({ length: 2500 }, (_, i) => talk.say(`message ${i} ä`)));
    const whole = await talk.read("messages.jsonl");
    expect(whole.split("\n")).toHaveLength(2501);
    const download = await downloadContent(house.deps, ann.call, { uri: `${talk.uri}/messages.jsonl` });
    // a concurrent commit moves nothing that is being read
    await talk.commit();
    const bytes = Buffer.from(whole);
    expect(download.size).toBe(bytes.byteLength);
    for (const [start, end] of [
      [0, bytes.byteLength],
      [200_001, 200_017],
      [bytes.byteLength - 5, bytes.byteLength],
    ] as const) {
      const parts: Uint8Array[] = [];
      for await (const part of download.read({ start, end })) parts.push(part);
      expect(Buffer.concat(parts).equals(bytes.subarray(start, end))).toBe(true);
    }
  });

  it("deleting a session or its user leaves none of its records", async () => {
    await ann.create(OWL, "the owl");
    await house.drain();
    const relate = async (from: string, to: string) =>
      linkNodes(house.deps, ann.call, { fromUri: from, toUris: [to], reason: "r" });
    const workspace = await house.workspaceOf();
    const { keys } = workspace;
    const left = async () => [
      ...(await house.keys(keys.allMessages())),
      ...(await house.keys(keys.allRelations())),
    ];
    const fill = async (talk: Talk) => {
      await talk.send({ type: "context", uri: OWL }, { type: "tool", toolId: "t" });
      await talk.commit();
      await talk.say("unsaid", "user", "own");
      await talk.use(["ctx://resources/other"]);
      await relate(talk.uri, OWL);
      await relate(OWL, `${talk.uri}/history/archive_001`);
      await relate(`${talk.uri}/messages.jsonl`, talk.uri);
    };
    const talk = await Talk.begin(ann, "chat");
    await fill(talk);
    await talk.delete();
    expect(await listRelations(house.deps, ann.call, { uri: OWL, direction: "both" })).toEqual([]);
    await house.drain();
    expect(await left()).toEqual([]);
    expect(await house.keys(keys.allSessions())).toHaveLength(1);
    await fill(await Talk.begin(ann, "chat"));
    const recordKeys = await userRecordKeys(workspace, "ann");
    await workspace.transact((draft) => {
      house.queue.enqueue(draft, purgeJob(workspace.incarnation, removeSpaces(draft, "ann", recordKeys)!));
      return () => undefined;
    });
    await house.drain();
    expect([...(await left()), ...(await house.keys(keys.allSessions()))]).toEqual([]);
    expect(await codeOf(new Talk(ann, "chat").say("born again"))).toBe("NOT_FOUND");
  });

  it("sessions are listed by their last change, page by page", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      house.stores.clock.now += 1000;
      ids.unshift((await Talk.begin(ann, `s${i}`)).id);
    }
    house.stores.clock.now += 1000;
    await new Talk(ann, "s1").say("hello");
    const order = ["s1", ...ids.filter((id) => id !== "s1")];
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listSessions(house.deps, ann.call, { limit: 2, offset: 0, cursor });
      seen.push(...page.sessions.map(({ sessionId }) => sessionId));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(order);
    const second = await listSessions(house.deps, ann.call, { limit: 2, offset: 2 });
    expect(second.sessions.map(({ sessionId }) => sessionId)).toEqual(order.slice(2, 4));
    expect(await codeOf(listSessions(house.deps, ann.call, { offset: 0, cursor: "made-up" }))).toBe(
      "INVALID_ARGUMENT",
    );
  });

  it("a context with large messages reads the newest ones first, up to 16 MiB", async () => {
    const talk = await Talk.begin(ann, "large");
    for (let i = 0; i < 40; i++) await talk.say(`small ${i}`);
    const text = "x".repeat(3_000_000);
    for (let i = 0; i < 6; i++) await talk.say(`${i}${text}`);
    const { messages } = await talk.context(4_000_000_000);
    expect(messages.map(({ line }) => /"text":"(\d)/.exec(line)?.[1])).toEqual(["1", "2", "3", "4", "5"]);
    const { kv, sessions } = await house.workspaceOf();
    const { node, record } = sessions.find(kv, "ann", "large")!;
    const pages: number[] = [];
    for await (const page of sessions.newestFirst(kv, node, record, 20)) pages.push(page.length);
    expect(pages).toEqual([1, 1, 1, 1, 1, 20, 20, 1]);
  });

  it("a session with 1 GiB of uncommitted messages accepts no more until a commit", async () => {
    const talk = await Talk.begin(ann, "full");
    await talk.say("first", "user", "own-1");
    const workspace = await house.workspaceOf();
    const { node, record } = workspace.sessions.find(workspace.kv, "ann", "full")!;
    const putBytes = (bytes: number) =>
      workspace.transact((draft) => {
        putSession(draft, node, { ...record, buffer: { ...record.buffer, bytes } });
        return () => undefined;
      });
    await putBytes(MAX_BUFFER_BYTES - 100);
    await expect(talk.say("second")).rejects.toMatchObject({
      code: "RESOURCE_EXHAUSTED",
      message: expect.stringMatching(
        /^session full: its messages that are not committed have 1073741724 bytes.* commit the session/,
      ),
      details: { resource: "full", used: MAX_BUFFER_BYTES - 100, limit: MAX_BUFFER_BYTES },
    });
    expect(await talk.say("first", "user", "own-1")).toBe(1);
    await putBytes(record.buffer.bytes);
    await talk.commit();
    expect(await talk.say("second")).toBe(1);
  });

  it("a session context has the newest messages and earlier summaries within a budget", async () => {
    const talk = await Talk.begin(ann);
    for (const text of ["The lock gate leaks.", "The crane is rusty."]) {
      await talk.say(text);
      await talk.commit();
    }
    for (let i = 0; i < 450; i++) await talk.say(`live message number ${i}`);
    const all = await talk.context();
    expect(all.messages).toHaveLength(450);
    expect(all.latestArchiveOverview).toContain("crane");
    expect(all.preArchiveAbstracts).toEqual([
      { archiveId: "archive_001", abstract: expect.stringContaining("gate") },
    ]);
    const some = await talk.context(100);
    expect(some.estimatedTokens).toBeLessThanOrEqual(100);
    expect(some.messages.length).toBeGreaterThan(3);
    expect(some.messages).toEqual(all.messages.slice(-some.messages.length));
    expect(await talk.context(0)).toEqual({
      latestArchiveOverview: "",
      preArchiveAbstracts: [],
      messages: [],
      estimatedTokens: 0,
    });
  });
});

describe("a commit", () => {
  it("a restarted process completes a commit from any step, and counts nothing twice", async () => {
    const stores = await newStores();
    let house = await House.open(stores, false);
    await house.as("ann").create(OWL, "the owl flies");
    let talk = await Talk.begin(house.as("ann"), "chat");
    await talk.send({ type: "context", uri: OWL }, { type: "text", text: "It flew over the harbour." });
    const { taskId } = await talk.commit(false);
    const job = [...house.queue.jobs()].find(({ kind }) => kind === "remember")!;
    const { session, archive } = job.payload as Remember;
    // the first step of the job, then the last
    const { workspace, owner } = await talk.actor.tenant();
    await countUses(workspace, owner, session, archive, new AbortController().signal);
    await house.stop();
    house = await House.open(stores);
    talk = new Talk(house.as("ann"), "chat");
    await house.follower.adopt("everything");
    await house.drain();
    expect(await talk.read("history/archive_001/.abstract.md")).toContain("harbour");
    expect(await talk.said("history/archive_001/")).toEqual(["context,It flew over the harbour."]);
    expect((await house.workspaceOf()).table.activeCount[await talk.actor.node(OWL)]).toBe(1);
    expect(await getTaskById(house.deps, talk.actor.call, { taskId: taskId! })).toMatchObject({
      status: "completed",
      result: { archived: true, active_count_updated: 1, stats: { total_turns: 0, compression_count: 1 } },
    });
    await house.end();
  });

  it("a commit of a session that is deleted meanwhile has no effect", async () => {
    const house = await House.open(undefined, false);
    const talk = await Talk.begin(house.as("ann"));
    await talk.say("soon gone");
    const waiting = talk.commit();
    const outcome = codeOf(waiting);
    while (house.queue.drain.counts("semantic", (await house.workspaceOf()).incarnation).pending === 0)
      await new Promise((resolve) => setImmediate(resolve));
    await talk.delete();
    house.worker.start();
    expect(await outcome).toBe("SESSION_EXPIRED");
    await house.end();
  });
});
