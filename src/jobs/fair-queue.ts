import type { WorkspaceId } from "../domain/ids.ts";
import type { Job } from "../domain/job.ts";
import { DueTimes } from "./due-times.ts";

/** Whether a workspace may start another job. */
export type MayBegin = (workspace: WorkspaceId) => boolean;

/** The heap is rebuilt when outdated times exceed current ones by this number. */
const SPARE_TIMES = 64;

/**
 * Pending jobs of one queue and class: FIFO within a workspace, round robin between workspaces. Taking the
 * next job takes constant time, however many jobs are ready or delayed.
 */
export class FairQueue<J extends Pick<Job, "workspace" | "dueAt"> = Job> {
  readonly #ready = new Map<WorkspaceId, Map<string, J>>();
  readonly #waiting = new Map<string, J>();
  readonly #times = new DueTimes();

  /** Adds or updates a job. An updated job keeps its position unless it is delayed. */
  put(key: string, job: J): void {
    if (job.dueAt > 0) {
      this.#deleteReady(key, job.workspace);
      this.#waiting.set(key, job);
      this.#times.add(job.dueAt, key);
      if (this.#times.size > 2 * this.#waiting.size + SPARE_TIMES) this.#sortAgain();
      return;
    }
    this.#waiting.delete(key);
    this.#makeReady(key, job);
  }

  delete(key: string, workspace: WorkspaceId): boolean {
    return this.#waiting.delete(key) || this.#deleteReady(key, workspace);
  }

  /** The next due job of a workspace that may start one. The workspace moves to the end of the queue. */
  next(now: number, mayBegin: MayBegin): J | undefined {
    for (let due = this.#times.first; due && due.at <= now; due = this.#times.first) {
      this.#times.removeFirst();
      const job = this.#waiting.get(due.key);
      if (job?.dueAt !== due.at) continue;
      this.#waiting.delete(due.key);
      this.#makeReady(due.key, job);
    }
    for (const [workspace, jobs] of this.#ready) {
      if (!mayBegin(workspace)) continue;
      this.#ready.delete(workspace);
      this.#ready.set(workspace, jobs);
      for (const job of jobs.values()) return job;
    }
    return undefined;
  }

  /** The earliest due time: 0 = now; undefined if no workspace with jobs may start one. */
  nextDue(mayBegin: MayBegin): number | undefined {
    for (const workspace of this.#ready.keys()) if (mayBegin(workspace)) return 0;
    for (let due = this.#times.first; due; due = this.#times.first) {
      if (this.#waiting.get(due.key)?.dueAt === due.at) return due.at;
      this.#times.removeFirst();
    }
    return undefined;
  }

  #makeReady(key: string, job: J): void {
    const jobs = this.#ready.get(job.workspace);
    if (jobs) jobs.set(key, job);
    else this.#ready.set(job.workspace, new Map([[key, job]]));
  }

  #deleteReady(key: string, workspace: WorkspaceId): boolean {
    const jobs = this.#ready.get(workspace);
    const found = jobs?.delete(key) ?? false;
    if (jobs?.size === 0) this.#ready.delete(workspace);
    return found;
  }

  #sortAgain(): void {
    this.#times.clear();
    for (const [key, job] of this.#waiting) this.#times.add(job.dueAt, key);
  }
}
