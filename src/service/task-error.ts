import { type Code, ServiceError } from "../domain/errors.ts";
import type { TaskRecord } from "../workspace/records.ts";

/** The error that ended a task, for a caller who waits for it. */
export const errorOf = ({ code, message, details }: NonNullable<TaskRecord["error"]>): ServiceError =>
  new ServiceError(code as Code, message, details);
