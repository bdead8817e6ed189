import type { Details } from "../../domain/errors.ts";
import type { TaskRecord } from "../../workspace/records.ts";
import type { Imported } from "../run-import.ts";
import type { Tenant } from "../tenants.ts";
import type { QueueStatus } from "../waiting.ts";
import type { ImportOrder } from "./import-order.ts";

export interface AddedResource {
  status: "success" | "error";
  rootUri: string;
  /** As written by the caller. */
  sourcePath: string;
  errors: string[];
  warnings: string[];
  queueStatus?: QueueStatus;
  taskId?: string;
}

/** Response without waiting for any job. */
export const addedOf = (sourcePath: string, { rootUri, errors, warnings }: Imported): AddedResource => ({
  status: "success",
  rootUri,
  sourcePath,
  errors: [...errors],
  warnings: [...warnings],
});

export function taskOf(
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
export const taskResult = ({ rootUri, errors, warnings }: Imported): Details => ({
  root_uri: rootUri,
  errors: [...errors],
  warnings: [...warnings],
});
