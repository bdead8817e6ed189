import { type Kv, type KvOp, pairPages, prefixRange } from "../kv.ts";
import type { Migration } from "../migration.ts";
import { encodeRecord, NUMBERS } from "../record-codec.ts";

/** Queues in the keys of earlier formats: `q/<queue>/<class>/<ws>/<job>`. */
const QUEUES = ["semantic", "embedding", "import", "purge"];
/** Counter of the jobs of all workspaces; higher than every job number. */
const COUNTER = "qn";
const PAGE = { limit: 1000, maxBytes: 1024 * 1024 };

interface Stored {
  readonly key: string;
  readonly value: Uint8Array;
}

/** Format 3: jobs are grouped by workspace, `q/<ws>/<queue>/<class>/<job>`, each with its own counter. */
export const JOBS: Migration = {
  what: "sorts the waiting jobs by account",
  run: async ({ kv }) => {
    const counter = NUMBERS.read(kv, COUNTER);
    if (counter === undefined) return;
    const counted = new Set<string>();
    const count = async (workspace: string) => {
      if (counted.has(workspace)) return;
      counted.add(workspace);
      await write(kv, [{ key: `qn/${workspace}`, value: encodeRecord(counter) }]);
    };
    for await (const page of pairPages(kv, { ...prefixRange("qx/"), ...PAGE }))
      for (const [key] of page) await count(key.split("/")[1] ?? "");
    for (const queue of QUEUES)
      for await (const page of pairPages(kv, { ...prefixRange(`q/${queue}/`), ...PAGE }))
        for (const [workspace, jobs] of byWorkspace(page)) {
          await count(workspace);
          await write(kv, jobs.map(moved));
          await write(
            kv,
            jobs.map(({ key }) => ({ key, value: undefined })),
          );
        }
    // last, because a repeated run needs it
    await write(kv, [{ key: COUNTER, value: undefined }]);
  },
};

function byWorkspace(page: readonly [key: string, value: Uint8Array][]): Map<string, Stored[]> {
  const jobs = new Map<string, Stored[]>();
  for (const [key, value] of page) {
    const workspace = key.split("/")[3] ?? "";
    const ofOne = jobs.get(workspace) ?? [];
    ofOne.push({ key, value });
    jobs.set(workspace, ofOne);
  }
  return jobs;
}

function moved({ key, value }: Stored): Stored {
  const [, queue, jobClass, workspace, job] = key.split("/");
  return { key: `q/${workspace}/${queue}/${jobClass}/${job}`, value };
}

const write = (kv: Kv, ops: readonly KvOp[]) => kv.transact(() => ({ ops, apply: () => undefined }));
