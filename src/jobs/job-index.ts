import { valueFor } from "../base/expect.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import type { Job } from "../domain/job.ts";
import type { Watched } from "./job-watch.ts";

/** Unfinished jobs by key, with indexes by origin and by workspace. */
export class JobIndex {
  readonly #jobs = new Map<string, Job>();
  readonly #byOrigin = new KeySets<string>();
  readonly #byWorkspace = new KeySets<WorkspaceId>();

  /** Adds or updates a job; its origins only grow. */
  put(key: string, job: Job): void {
    this.#jobs.set(key, job);
    this.#byWorkspace.add(job.workspace, key);
    for (const origin of job.origins) this.#byOrigin.add(origin, key);
  }

  get(key: string): Job | undefined {
    return this.#jobs.get(key);
  }

  delete(key: string): void {
    const job = this.#jobs.get(key);
    if (!job) return;
    this.#jobs.delete(key);
    this.#byWorkspace.delete(job.workspace, key);
    for (const origin of job.origins) this.#byOrigin.delete(origin, key);
  }

  all(): Iterable<Job> {
    return this.#jobs.values();
  }

  /** Keys of all jobs, or of those of an origin or workspace; the set may change during iteration. */
  keys(of: Watched): Iterable<string> {
    if (of === "everything") return this.#jobs.keys();
    return "origin" in of ? this.#byOrigin.of(of.origin) : this.#byWorkspace.of(of.workspace);
  }

  *ofOrigin(origin: string): Generator<Job> {
    for (const key of this.#byOrigin.of(origin)) yield valueFor(this.#jobs, key);
  }

  *ofWorkspace(workspace: WorkspaceId): Generator<Job> {
    for (const key of this.#byWorkspace.of(workspace)) yield valueFor(this.#jobs, key);
  }
}

/** Sets of keys by subject. */
class KeySets<S> {
  readonly #sets = new Map<S, Set<string>>();

  add(subject: S, key: string): void {
    const keys = this.#sets.get(subject);
    if (keys) keys.add(key);
    else this.#sets.set(subject, new Set([key]));
  }

  delete(subject: S, key: string): void {
    const keys = this.#sets.get(subject);
    keys?.delete(key);
    if (keys?.size === 0) this.#sets.delete(subject);
  }

  of(subject: S): Iterable<string> {
    return this.#sets.get(subject) ?? [];
  }
}
