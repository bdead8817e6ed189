import { isObject } from "../base/expect.ts";
import { CLASSES, type DeadLetter, type Job, QUEUES } from "../domain/job.ts";
import { isMissingOr, isNumber, isText, isTexts, objects } from "../storage/record-codec.ts";

/** Records below `q/` and `qx/`. Payloads are validated by the handler of their kind. */
export const JOBS = objects<Job>(
  "job",
  (job) =>
    QUEUES.some((queue) => queue === job.queue) &&
    CLASSES.some((known) => known === job.class) &&
    isText(job.kind) &&
    isNumber(job.workspace) &&
    isNumber(job.sequence) &&
    isTexts(job.origins) &&
    isNumber(job.attempts) &&
    isNumber(job.dueAt) &&
    isMissingOr(job.owner, isObject),
);

export const DEAD_LETTERS = objects<DeadLetter>(
  "dead letter",
  (letter) =>
    QUEUES.some((queue) => queue === letter.queue) &&
    isText(letter.kind) &&
    isNumber(letter.workspace) &&
    isNumber(letter.sequence) &&
    isText(letter.reason) &&
    isNumber(letter.at) &&
    isMissingOr(letter.job, isObject),
);
