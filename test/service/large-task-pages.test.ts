import { afterEach, expect, it } from "vitest";
import { listOwnTasks } from "../../src/service/task/list-tasks.ts";
import { putTask } from "../../src/workspace/requests/tasks.ts";
import { House } from "../support/tenant.ts";

const TASKS = 40;

let house: House;
afterEach(() => house.end());

it("a page of large tasks ends early, and the next page continues the list", async () => {
  house = await House.open();
  const ann = house.as("ann");
  const { workspace } = await ann.tenant();
  const long = Array.from({ length: 500 }, (_, i) => `${i}: ${"x".repeat(250)}`);
  for (let i = 0; i < TASKS; i++)
    await workspace.transact((draft) => {
      const at = workspace.clock();
      const times = { done: 0, total: 0, created: at, updated: at };
      const id = String(i).padStart(4, "0");
      putTask(draft, {
        id,
        user: "ann",
        type: "t",
        status: "completed",
        stage: "done",
        ...times,
        result: { long },
      });
      return () => undefined;
    });
  const seen: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await listOwnTasks(house.deps, ann.call, { limit: 1000, cursor });
    seen.push(...page.tasks.map(({ taskId }) => taskId));
    cursor = page.nextCursor;
    pages++;
  } while (cursor !== undefined);
  expect(pages).toBeGreaterThan(3);
  expect(seen).toEqual([...seen].sort().reverse());
  expect(new Set(seen).size).toBe(TASKS);
});
