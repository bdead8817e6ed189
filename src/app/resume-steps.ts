import type { WorkspaceId } from "../domain/ids.ts";

/** Delay in ms before a failed step is tried again. */
const AGAIN_MS = 30_000;

/** What a step resumes: the work of one workspace, or of all. */
type Scope = WorkspaceId | "everything";

/**
 * Steps that resume the work of adopted workspaces. A failed one is tried again until its workspace is
 * dropped, because nothing else would start its webhooks and schedules before the next adoption.
 */
export class ResumeSteps {
  readonly #report: (what: string, error: unknown) => void;
  readonly #stop: AbortSignal | undefined;
  /** Timers of failed steps, by scope. */
  readonly #waiting = new Map<Scope, Set<NodeJS.Timeout>>();

  constructor(report: (what: string, error: unknown) => void, stop?: AbortSignal) {
    this.#report = report;
    this.#stop = stop;
  }

  /** Runs a step; never rejects. The step must be repeatable: a failed attempt may have done a part of it. */
  async run(scope: Scope, what: string, step: () => Promise<void>): Promise<void> {
    const waiting = this.#waiting.get(scope) ?? new Set();
    this.#waiting.set(scope, waiting);
    try {
      await step();
    } catch (error) {
      this.#report(what, error);
      // dropped while the step was running
      if (this.#waiting.get(scope) !== waiting || this.#stop?.aborted) return;
      const timer = setTimeout(() => {
        waiting.delete(timer);
        if (!this.#stop?.aborted) void this.run(scope, what, step);
      }, AGAIN_MS).unref();
      waiting.add(timer);
    }
  }

  /** Cancels the retries of a workspace's steps. */
  drop(workspace: WorkspaceId): void {
    for (const timer of this.#waiting.get(workspace) ?? []) clearTimeout(timer);
    this.#waiting.delete(workspace);
  }
}
