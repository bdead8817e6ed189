import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { unavailable } from "../../src/domain/errors.ts";
import { waitProcessed } from "../../src/service/system/wait-processed.ts";
import { getTask } from "../../src/workspace/requests/tasks.ts";
import { newStores, type Stores } from "../support/stores.ts";
import { type Actor, House } from "../support/tenant.ts";

const FILES = Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`f${i}.md`, `owl ${i}`]));

describe("waiting", () => {
  let house: House;
  let ann: Actor;
  beforeEach(async () => {
    house = await House.open(undefined, false);
    ann = house.as("ann");
    await ann.create("ctx://resources/d/a.md", "owls");
  });
  afterEach(async () => {
    vi.useRealTimers();
    await house.drain();
    await house.expectSound();
    await house.close();
  });
  const wait = (timeout?: number, actor = ann, signal = actor.call.signal) =>
    waitProcessed(house.deps, { ...actor.call, signal }, { timeout });

  it("a wait that times out names its operation and timeout, and leaves the work queued", async () => {
    const late = { code: "DEADLINE_EXCEEDED", details: { operation: "system/wait", timeout: 0 } };
    await expect(wait(0)).rejects.toMatchObject(late);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const waiting = expect(wait(5)).rejects.toMatchObject({
      ...late,
      details: { operation: "system/wait", timeout: 5 },
    });
    await vi.advanceTimersByTimeAsync(5000);
    await waiting;
    vi.useRealTimers();
    for (const timeout of [-1, Number.NaN])
      await expect(wait(timeout)).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        details: { field: "timeout" },
      });
    house.worker.start();
    // the layers of the file, then those of its directory
    expect(await wait(1e12)).toMatchObject({ processed: 2, errors: 0, pending: 0, inProgress: 0 });
    expect(await wait(0)).toMatchObject({ processed: 0 });
  });

  it("waiting ends when the signal of its call is aborted, with its reason", async () => {
    const controller = new AbortController();
    const waiting = wait(undefined, ann, controller.signal);
    controller.abort(unavailable("the server is shutting down"));
    await expect(waiting).rejects.toMatchObject({ code: "UNAVAILABLE" });
    house.worker.start();
  });

  it("waiting includes only the caller's own account", async () => {
    expect(await wait(0, house.as("bob", "other"))).toMatchObject({ processed: 0, pending: 0 });
    await expect(wait(0, house.as("bob"))).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
    house.worker.start();
  });
});

describe("a task", () => {
  let stores: Stores;
  let house: House;
  beforeEach(async () => {
    stores = await newStores();
    house = await House.open(stores);
  });
  afterEach(() => house.close());

  async function restart(): Promise<void> {
    await house.stop();
    stores.clock.now += 120_000;
    const { sources } = house;
    house = await House.open(stores);
    for (const [name, files] of sources) house.sources.set(name, files);
    await house.follower.adopt("everything");
  }
  const taskOf = async (id: string) => {
    const { workspace } = await house.as("ann").tenant();
    return getTask(workspace.kv, workspace.keys, "ann", id)!;
  };
  /** Waits until a task has ended, or each of its jobs has been tried so often and is not running. */
  const tried = async (id: string, attempts = Number.POSITIVE_INFINITY) => {
    const isOver = async () => {
      if (["completed", "failed"].includes((await taskOf(id)).status)) return true;
      // a task ends in a transaction after that of its last job
      const jobs = [...house.queue.jobs()];
      return jobs.length > 0 && jobs.every((job) => !job.claimed && job.attempts >= attempts);
    };
    while (!(await isOver())) await new Promise((resolve) => setImmediate(resolve));
  };

  it("a pending task resumes at the next start and completes with its last job", async () => {
    await house.worker.stop(0);
    const { taskId, rootUri } = await house.as("ann").add("docs", FILES, { wait: false });
    expect([rootUri, (await taskOf(taskId!)).status]).toEqual(["ctx://resources/docs", "pending"]);
    expect(await house.as("ann").tree("ctx://resources")).toEqual([]);
    await restart();
    await house.drain();
    await tried(taskId!);
    expect(await taskOf(taskId!)).toMatchObject({
      status: "completed",
      stage: "done",
      done: 201,
      total: 201,
    });
    expect((await house.as("ann").stat(rootUri)).count).toBe(201);
    await house.expectSound();
  });

  it("a task fails when its source is missing, and frees the reserved root", async () => {
    await house.worker.stop(0);
    const { taskId } = await house.as("ann").add("docs", FILES, { wait: false });
    house.sources.set("docs", {});
    await restart();
    await tried(taskId!);
    expect(await taskOf(taskId!)).toMatchObject({ status: "failed", error: { code: "INVALID_ARGUMENT" } });
    await house.expectSound();
    expect((await house.as("ann").add("docs", { "a.md": "owls" })).rootUri).toBe("ctx://resources/docs");
  });

  it("a task fails when its job never ends, and frees the reserved root", async () => {
    const broken = { ...FILES, "g.md": { byteLength: 1 } as Uint8Array };
    await house.worker.stop(0);
    const { taskId, rootUri } = await house.as("ann").add("docs", broken, { wait: false });
    for (let start = 0; start < 5; start++) {
      expect(["pending", "running"]).toContain((await taskOf(taskId!)).status);
      await restart();
      await tried(taskId!, start + 1);
    }
    expect(await taskOf(taskId!)).toMatchObject({
      status: "failed",
      error: { code: "INTERNAL", message: "1 of its jobs failed: internal error" },
    });
    await house.expectSound();
    expect((await house.as("bob").add("docs/other", { "a.md": "owls" }, { to: rootUri })).rootUri).toBe(
      rootUri,
    );
  });
});
