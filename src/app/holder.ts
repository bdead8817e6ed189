import type { KeyUseLog } from "../accounts/key-uses.ts";
import type { Registry } from "../accounts/registry.ts";
import type { TokenLedger } from "../accounts/token-ledger.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { Worker } from "../jobs/worker.ts";
import type { RefreshSchedules } from "../service/resource/refresh-schedules.ts";
import type { TaskFollower } from "../service/task-follower.ts";
import type { Tenants } from "../service/tenants.ts";
import type { Webhooks } from "../service/webhook/webhooks.ts";
import type { Kv } from "../storage/kv.ts";
import type { Holder } from "../storage/stores.ts";
import type { Uploads } from "../workspace/requests/uploads.ts";
import { ResumeSteps } from "./resume-steps.ts";
import { resumeErasures, resumeFilling } from "./resume-work.ts";

/** Grace period in ms for running jobs of a workspace that is handed over. */
const LEAVE_GRACE_MS = 1500;
/**
 * Grace period in ms for the workspace's running calls. Callers of other servers wait longer than both
 * periods.
 */
const CALLS_GRACE_MS = 2000;

/** Components that hold state of workspaces in memory. */
interface Parts {
  readonly kv: Kv;
  readonly registry: Registry;
  readonly ledger: TokenLedger;
  readonly keyUses: KeyUseLog;
  readonly queue: JobQueue;
  readonly uploads: Uploads;
  readonly tenants: Tenants;
  readonly worker: Worker;
  readonly follower: TaskFollower;
  readonly webhooks: Webhooks;
  readonly schedules: RefreshSchedules;
  /** Vector space in which every chunk should have a vector; undefined without a model. */
  readonly mainSpace: string | undefined;
  /** Waits until the calls in a workspace have ended, at most for the given time in ms. */
  readonly endCalls: (workspace: WorkspaceId, graceMs: number) => Promise<void>;
  readonly report: (what: string, error: unknown) => void;
  /** Aborts when the server stops. */
  readonly stop?: AbortSignal;
}

/** Adopts and drops workspaces in all components that hold their state. */
export function holderOf(parts: Parts): Holder {
  const { registry, ledger, keyUses, queue, uploads, tenants, worker, follower } = parts;
  const { webhooks, schedules } = parts;
  const steps = new ResumeSteps(parts.report, parts.stop);
  return {
    async adopt(of) {
      registry.records.clear();
      await queue.adopt(of);
      await uploads.adopt(of);
    },
    async resume(of) {
      const { mainSpace } = parts;
      const workspaces = async () => (of === "everything" ? registry.incarnations() : [of]);
      await steps.run(of, "resuming deletions", () => resumeErasures(parts, of));
      await steps.run(of, "resuming tasks", () => follower.adopt(of));
      await steps.run(of, "resuming webhooks", async () => webhooks.adopt(await workspaces()));
      await steps.run(of, "resuming refresh schedules", async () => schedules.adopt(await workspaces()));
      if (mainSpace !== undefined)
        void steps.run(of, "looking for chunks without vectors", async () =>
          resumeFilling(parts, mainSpace, await workspaces()),
        );
    },
    async leave(workspace) {
      steps.drop(workspace);
      await parts.endCalls(workspace, CALLS_GRACE_MS);
      webhooks.drop(workspace);
      schedules.drop(workspace);
      await worker.giveUp(workspace, LEAVE_GRACE_MS);
      await ledger.flush();
      await keyUses.flush();
      await tenants.leave(workspace);
    },
    drop(workspace: WorkspaceId) {
      steps.drop(workspace);
      worker.drop(workspace);
      webhooks.drop(workspace);
      schedules.drop(workspace);
      follower.drop(workspace);
      queue.drop(workspace);
      uploads.drop(workspace);
      tenants.drop(workspace);
      ledger.drop(workspace);
      keyUses.drop(workspace);
      registry.records.clear();
    },
  };
}
