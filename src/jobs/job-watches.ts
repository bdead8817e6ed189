import type { Job } from "../domain/job.ts";
import type { Watch, Watched } from "./job-watch.ts";

/** Active watches by subject, to find the watches of a job without checking all. */
export class Watches {
  readonly #bySubject = new Map<string | number, Set<Watch>>();

  add(watch: Watch): void {
    const subject = subjectOf(watch.watched);
    const watches = this.#bySubject.get(subject);
    if (watches) watches.add(watch);
    else this.#bySubject.set(subject, new Set([watch]));
  }

  delete(watch: Watch): void {
    const subject = subjectOf(watch.watched);
    const watches = this.#bySubject.get(subject);
    watches?.delete(watch);
    if (watches?.size === 0) this.#bySubject.delete(subject);
  }

  *covering(job: Pick<Job, "queue" | "workspace" | "origins">): Generator<Watch> {
    if (this.#bySubject.size === 0) return;
    for (const subject of new Set([EVERYTHING, job.workspace, ...job.origins])) {
      for (const watch of this.#bySubject.get(subject) ?? []) if (watch.covers(job)) yield watch;
    }
  }
}

const EVERYTHING = -1;

/** Workspaces are numbers from 1; origins are strings. */
export function subjectOf(watched: Watched): string | number {
  if (watched === "everything") return EVERYTHING;
  return "origin" in watched ? watched.origin : watched.workspace;
}
