import { afterEach, describe, expect, it } from "vitest";
import { copyNode } from "../../src/service/filesystem/copy-node.ts";
import { cancelTask } from "../../src/service/task/cancel-task.ts";
import { getTaskById } from "../../src/service/task/get-task.ts";
import type { TaskView } from "../../src/service/task/task-view.ts";
import { InterruptedKv } from "../support/interrupted-kv.ts";
import { newStores, ramStores, type Stores } from "../support/stores.ts";
import { Talk } from "../support/talk.ts";
import { type Actor, codeOf, type Files, House } from "../support/tenant.ts";

/** Larger numbers of files or nodes than an import or a copy handles before the answer. */
const MANY: Files = Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`f${i}.md`, `file ${i}`]));
const MORE: Files = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`f${i}.md`, `${i}`]));
const DOCS = "ctx://resources/docs";
const COPY = "ctx://resources/copy";
const MAX_CHANGES = 400;

let house: House;
let ann: Actor;

async function open(stores?: Stores, work = true): Promise<void> {
  house = await House.open(stores, work);
  ann = house.as("ann");
}
afterEach(() => house.close());

const cancel = (taskId: string, actor = ann) => cancelTask(house.deps, actor.call, { taskId });
const taskOf = (taskId: string): Promise<TaskView> => getTaskById(house.deps, ann.call, { taskId });
const importMany = async (): Promise<string> =>
  (await ann.add("docs", MANY, { to: DOCS, wait: false })).taskId ?? "";
const copyDocs = async (): Promise<string> =>
  (await copyNode(house.deps, ann.call, { fromUri: DOCS, toUri: COPY, wait: false })).taskId ?? "";
const commitTalk = async (): Promise<string> => {
  const talk = await Talk.begin(ann, "talk");
  for (let i = 0; i < 3; i++) await talk.say(`I live in Zanzibar and I prefer tea number ${i}.`);
  return (await talk.commit(false)).taskId ?? "";
};
/** Returns the number of nodes at a URI and below it; 0 if it does not exist. */
const sizeAt = async (uri: string): Promise<number> =>
  (await codeOf(ann.stat(uri))) === "NOT_FOUND" ? 0 : 1 + (await ann.tree(uri)).length;

describe("cancelling a task", () => {
  it("a cancelled import that has not started stores nothing, even after a restart, and frees its root", async () => {
    const stores = await newStores();
    await open(stores, false);
    const taskId = await importMany();
    expect(await cancel(taskId)).toMatchObject({
      status: "cancelled",
      stage: "cancelled",
      error: { code: "FAILED_PRECONDITION" },
    });
    expect(await cancel(taskId)).not.toHaveProperty("result");
    await house.stop();
    await open(stores);
    await house.drain();
    expect(await taskOf(taskId)).toMatchObject({ status: "cancelled" });
    expect(await sizeAt(DOCS)).toBe(0);
    expect(await codeOf(ann.add("other", { "a.md": "a" }, { to: DOCS }))).toBe("OK");
    await house.drain();
    await house.expectSound();
  });

  it("a task of another user, an unknown task and a finished task are not cancelled", async () => {
    await open();
    const taskId = await importMany();
    expect(await codeOf(cancel(taskId, house.as("bob")))).toBe("NOT_FOUND");
    expect(await codeOf(cancel("none"))).toBe("NOT_FOUND");
    await house.drain();
    expect(await codeOf(cancel(taskId))).toBe("FAILED_PRECONDITION");
    expect(await taskOf(taskId)).toMatchObject({ status: "completed" });
  });

  it("a call that waits for a task gets FAILED_PRECONDITION when the task is cancelled", async () => {
    await open(undefined, false);
    const waiting = ann.add("docs", MANY, { to: DOCS, wait: true }).then(
      () => "OK",
      (error: { code: string; message: string }) => `${error.code} ${error.message}`,
    );
    let taskId: string | undefined;
    while (taskId === undefined) {
      await new Promise((resolve) => setImmediate(resolve));
      taskId = house.queue.jobsOf((await house.workspaceOf()).incarnation)[0]?.origins[0];
    }
    await cancel(taskId);
    expect(await waiting).toMatch(/^FAILED_PRECONDITION task \w+: it was cancelled/);
  });

  it.each([
    ["an import", undefined, importMany, DOCS, 202, 4],
    ["a copy", () => ann.add("docs", MORE, { to: DOCS, buildIndex: false }), copyDocs, COPY, 1002, 9],
  ] as const)(
    "cancelling %s before its first change leaves either nothing or all of its content",
    async (_, before, begin, uri, whole, step) => {
      const sizes = new Set<number>();
      let change = 0;
      for (; change < MAX_CHANGES; change += step) {
        const kv = new InterruptedKv();
        await open(ramStores(kv));
        await before?.();
        await house.drain();
        const taskId = await begin();
        let answer = "";
        kv.interruptAt(change, async () => {
          answer = await codeOf(cancel(taskId));
        });
        await house.drain();
        const isInterrupted = await kv.wasInterrupted();
        await house.drain();
        if (isInterrupted) {
          const size = await sizeAt(uri);
          const { status, result } = await taskOf(taskId);
          expect([answer, status]).toEqual(
            answer === "OK" ? ["OK", "cancelled"] : ["FAILED_PRECONDITION", "completed"],
          );
          expect([0, whole], `cancelled before change ${change}`).toContain(size);
          if (answer === "OK") expect(result !== undefined).toBe(size > 0);
          sizes.add(size);
        }
        await house.expectSound();
        if (!isInterrupted) break;
        await house.close();
      }
      expect(change).toBeLessThan(MAX_CHANGES);
      expect(sizes).toContain(0);
    },
    120_000,
  );

  it("cancelling a commit keeps its archive with layers and the memories extracted so far", async () => {
    const extracted = new Set<unknown>();
    let change = 0;
    for (; change < MAX_CHANGES; change++) {
      const kv = new InterruptedKv();
      await open(ramStores(kv));
      const taskId = await commitTalk();
      let answer = "";
      kv.interruptAt(change, async () => {
        answer = await codeOf(cancel(taskId));
      });
      await house.drain();
      const isInterrupted = await kv.wasInterrupted();
      await house.drain();
      const { status, result } = await taskOf(taskId);
      expect(status).toBe(answer === "OK" ? "cancelled" : "completed");
      expect(result).toMatchObject({ session_id: "talk", status: "committed", archived: true });
      const archive = "ctx://session/ann/talk/history/archive_001";
      const context = await ann.tree("ctx://session/ann/talk", true);
      expect(
        context.some((uri) => uri.endsWith(".abstract.md")),
        `${archive}: ${context.join()}`,
      ).toBe(true);
      const written = (await ann.tree("ctx://user/ann/memories")).length > 0;
      if (answer === "OK" && result?.memories_extracted === 0) expect(written).toBe(false);
      extracted.add(result?.memories_extracted);
      await house.expectSound();
      if (!isInterrupted) break;
      await house.close();
    }
    expect(change).toBeGreaterThan(0);
    expect(change).toBeLessThan(MAX_CHANGES);
    expect(extracted.size).toBeGreaterThan(1);
    expect(extracted).toContain(0);
  });
});
