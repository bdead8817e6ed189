import { EXPIRE, type Job, payloadOf } from "../domain/job.ts";
import type { Owner } from "../workspace/tree/locate.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { changeFactFile, type FactDeps } from "./facts/change-fact-file.ts";
import { readFacts, rewritten } from "./facts/fact-text.ts";
import { isExpired } from "./facts/validity.ts";
import { memoryFile } from "./memory-files.ts";

interface ExpireDeps extends FactDeps {
  readonly tenantOf: (
    job: Job,
    of: { readonly user: string; readonly agent: string },
  ) => Promise<{ readonly workspace: Workspace; readonly owner: Owner } | undefined>;
}

/** Deletes the expired facts of a file. */
export async function expireMemory(deps: ExpireDeps, job: Job): Promise<void> {
  const { node, user, agent } = payloadOf(job, EXPIRE);
  const tenant = await deps.tenantOf(job, { user, agent });
  const place = tenant && memoryFile(tenant.workspace, tenant.owner, node);
  if (!tenant || !place || place.category === "events") return;
  const { workspace, owner } = tenant;
  const { category, path } = place;
  await changeFactFile(
    deps,
    { workspace, owner, path },
    {
      isBeyondQuota: true,
      decide: ({ known, text }) => {
        if (text === undefined) return undefined;
        const before = readFacts(text, known, category);
        const now = workspace.clock();
        const facts = before.file.facts.filter((fact) => !isExpired(fact, now));
        const earlier = before.file.earlier.filter((fact) => !isExpired(fact, now));
        const gone = before.file.facts.length + before.file.earlier.length - facts.length - earlier.length;
        return gone === 0 ? undefined : rewritten(before, { ...before.file, facts, earlier });
      },
      within: (draft) => {
        deps.queue.settle(draft, job);
        return true;
      },
    },
  );
}
