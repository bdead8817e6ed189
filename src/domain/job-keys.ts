import type { WorkspaceId } from "./ids.ts";
import type { DeadLetter, Job, JobClass, QueueName } from "./job.ts";

/** Keys of jobs and dead letters; each starts with the workspace. */

const numberOf = (workspace: WorkspaceId): string => workspace.toString(36).padStart(7, "0");

export const ALL_JOBS = "q/";

/** Key prefix of a workspace's jobs. */
export const jobsIn = (workspace: WorkspaceId): string => `${ALL_JOBS}${numberOf(workspace)}/`;

/** Key prefix of a workspace's jobs of a class. */
export const jobsOf = (queue: QueueName, jobClass: JobClass, workspace: WorkspaceId): string =>
  `${jobsIn(workspace)}${queue}/${jobClass}/`;

export const jobKey = (job: Pick<Job, "queue" | "class" | "workspace" | "sequence">): string =>
  `${jobsOf(job.queue, job.class, job.workspace)}${job.sequence.toString(36).padStart(10, "0")}`;

/** Key of the counter of a workspace's jobs. */
export const jobCounter = (workspace: WorkspaceId): string => `qn/${numberOf(workspace)}`;

export const deadLettersOf = (workspace: WorkspaceId): string => `qx/${numberOf(workspace)}/`;

export const deadLetterKey = (letter: Pick<DeadLetter, "workspace" | "sequence">): string =>
  `${deadLettersOf(letter.workspace)}${letter.sequence.toString(36).padStart(10, "0")}`;
