import { expect, it } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import { nodeId } from "../../../src/domain/node.ts";
import { JobQueue } from "../../../src/jobs/queue.ts";
import { enqueueDirectoryLayers } from "../../../src/service/after-change.ts";
import { Draft } from "../../../src/storage/draft.ts";
import { ramStores } from "../../support/stores.ts";

const WORKSPACE = { incarnation: workspaceId(1) };

/** The kinds of the jobs that a change of this many directories enqueues. */
async function kindsOf(directories: number): Promise<string[]> {
  const { kv } = ramStores();
  const queue = new JobQueue(kv, () => 0);
  await queue.adopt("everything");
  const stale = Array.from({ length: directories }, (_, i) => nodeId(1000 + i));
  await kv.transact((read) => {
    const draft = new Draft(read);
    enqueueDirectoryLayers(draft, queue, WORKSPACE, { stale }, ["origin"]);
    return draft.toChange(() => undefined);
  });
  return [...queue.jobs()].map(({ kind }) => kind);
}

it("a change of few directories enqueues a job for each, and one of many enqueues a job for a thousand", async () => {
  expect(await kindsOf(3)).toEqual(Array(3).fill("directory-layers"));
  expect(await kindsOf(15_000)).toEqual(Array(15).fill("stale-directories"));
});
