import { valueFor } from "../base/expect.ts";
import type { Job } from "../domain/job.ts";

/** Unfinished jobs by key, and keys by origin: a request's jobs are found without scanning all others. */
export class JobIndex {
  readonly #jobs = new Map<string, Job>();
  readonly #byOrigin = new Map<string, Set<string>>();

  /** Adds or updates a job; origins are only ever added. */
  put(key: string, job: Job): void {
    this.#jobs.set(key, job);
    for (const origin of job.origins) {
      const keys = this.#byOrigin.get(origin);
      if (keys) keys.add(key);
      else this.#byOrigin.set(origin, new Set([key]));
    }
  }

  get(key: string): Job | undefined {
    return this.#jobs.get(key);
  }

  delete(key: string): void {
    const job = this.#jobs.get(key);
    if (!job) return;
    this.#jobs.delete(key);
    for (const origin of job.origins) {
      const keys = this.#byOrigin.get(origin);
      keys?.delete(key);
      if (keys?.size === 0) this.#byOrigin.delete(origin);
    }
  }

  all(): Iterable<Job> {
    return this.#jobs.values();
  }

  *ofOrigin(origin: string): Generator<Job> {
    for (const key of this.#byOrigin.get(origin) ?? []) yield valueFor(this.#jobs, key);
  }
}
