import { type Code, ServiceError } from "../domain/errors.ts";
import type { TaskRecord } from "../workspace/records.ts";

/** Converts the error of a task for a caller who waits for the task. */
export const errorOf = ({ code, message, details }: NonNullable<TaskRecord["error"]>): ServiceError =>
  new ServiceError(code as Code, message, details);
