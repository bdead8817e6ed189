import type { Caller } from "../../domain/caller.ts";
import type { Details } from "../../domain/errors.ts";
import type { SourceFilter, SourceSpec } from "../../ingest/source.ts";
import type { TaskRecord } from "../../workspace/records.ts";
import type { Imported } from "../run-import.ts";
import type { Tenant } from "../tenants.ts";
import type { QueueStatus } from "../wait-for-jobs.ts";

/** Options of an import, stored in `.meta.json` so that it can be repeated. */
export interface ImportTerms {
  readonly kind: SourceSpec["kind"];
  readonly ignore_dirs: string;
  readonly include: string;
  readonly exclude: string;
  readonly strict: boolean;
  readonly build_index: boolean;
  /** Whether a language model writes the layers; absent in imports of older versions. */
  readonly summarize?: boolean;
}

/** An accepted import, stored with its job. */
export interface ImportOrder {
  readonly task: string;
  readonly caller: Pick<Caller, "user" | "agent">;
  readonly spec: SourceSpec;
  readonly filter: SourceFilter;
  readonly strict: boolean;
  readonly index: boolean;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Tags to add to the root; absent if none. */
  readonly tags?: readonly string[];
}

export interface AddedResource {
  status: "success" | "error";
  rootUri: string;
  /** The source as the caller wrote it. */
  sourcePath: string;
  errors: string[];
  warnings: string[];
  queueStatus?: QueueStatus;
  taskId?: string;
}

/** Response to a caller who does not wait for jobs. */
export const immediateAnswer = (
  sourcePath: string,
  { rootUri, errors, warnings }: Imported,
): AddedResource => ({
  status: "success",
  rootUri,
  sourcePath,
  errors: [...errors],
  warnings: [...warnings],
});

export function importTask(
  { workspace }: Tenant,
  order: ImportOrder,
  task: Pick<TaskRecord, "status" | "stage" | "total">,
): TaskRecord {
  const now = workspace.clock();
  return {
    id: order.task,
    user: order.caller.user,
    type: "add_resource",
    done: 0,
    created: now,
    updated: now,
    ...task,
  };
}

/** Task result of an import, with the field names of the response. */
export const importTaskResult = ({ rootUri, errors, warnings }: Imported): Details => ({
  root_uri: rootUri,
  errors: [...errors],
  warnings: [...warnings],
});
