import { CLASSES, type Job, type JobClass, type QueueName } from "../domain/job.ts";
import { jobKey } from "../domain/job-keys.ts";
import { FairQueue, type MayBegin } from "./fair-queue.ts";

/** Sublists of a queue: awaited jobs of any class, then one list per class. */
const LINES = ["awaited", ...CLASSES] as const;
type Line = "awaited" | JobClass;

/** Sublist that each claim checks first, in rotation, so that no class starves another. */
const ASKED_FIRST: readonly Line[] = [
  "awaited",
  "awaited",
  "awaited",
  "interactive",
  "awaited",
  "awaited",
  "awaited",
  "bulk",
];

/** Pending jobs of all queues, each in one sublist of its queue. */
export class PendingJobs {
  readonly #lines = new Map<QueueName, Readonly<Record<Line, FairQueue>>>();
  /** Number of claims per queue. */
  readonly #claims = new Map<QueueName, number>();

  /** Puts a job into a sublist and removes it from any other. */
  put(line: Line, job: Job): void {
    const lines = this.#linesOf(job.queue);
    const key = jobKey(job);
    for (const other of LINES) if (other !== line) lines[other].delete(key, job.workspace);
    lines[line].put(key, job);
  }

  /** Returns whether the job was pending. */
  delete(job: Job): boolean {
    const lines = this.#linesOf(job.queue);
    const key = jobKey(job);
    return LINES.map((line) => lines[line].delete(key, job.workspace)).includes(true);
  }

  /** The next job to claim, which stays in its sublist; undefined if no job may run now. */
  next(queue: QueueName, now: number, mayBegin: MayBegin): Job | undefined {
    const lines = this.#linesOf(queue);
    const turn = this.#claims.get(queue) ?? 0;
    this.#claims.set(queue, turn + 1);
    const first = ASKED_FIRST[turn % ASKED_FIRST.length] ?? "awaited";
    let job: Job | undefined;
    for (const line of [first, ...LINES]) job ??= lines[line].next(now, mayBegin);
    return job;
  }

  /** The earliest due time of a queue (Unix time in ms; 0: now); undefined if no job may start. */
  nextDue(queue: QueueName, mayBegin: MayBegin): number | undefined {
    const lines = this.#linesOf(queue);
    const due = LINES.flatMap((line) => lines[line].nextDue(mayBegin) ?? []);
    return due.length > 0 ? Math.min(...due) : undefined;
  }

  #linesOf(queue: QueueName): Readonly<Record<Line, FairQueue>> {
    let lines = this.#lines.get(queue);
    if (!lines) {
      lines = {
        awaited: new FairQueue(),
        interactive: new FairQueue(),
        bulk: new FairQueue(),
      };
      this.#lines.set(queue, lines);
    }
    return lines;
  }
}
