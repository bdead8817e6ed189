import { invalidArgument, ServiceError } from "../domain/errors.ts";

/**
 * Converts an error for the caller: a ServiceError is unchanged, anything else becomes INTERNAL, with the
 * cause for the log.
 */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError("INTERNAL", "internal error", undefined, { cause: error });
}

/** Retry delay in seconds for UNAVAILABLE. */
const UNAVAILABLE_SECONDS = 1;

/** The Retry-After header or trailer, if a retry may help. */
export function retryAfter({ code, details }: ServiceError): Record<string, string> {
  const seconds = details?.retry_after ?? (code === "UNAVAILABLE" ? UNAVAILABLE_SECONDS : undefined);
  return typeof seconds === "number" ? { "retry-after": String(seconds) } : {};
}

const MI = 1024 * 1024;
const bytes = (limit: number) => (limit % MI === 0 ? `${limit} bytes (${limit / MI} MiB)` : `${limit} bytes`);

/** INVALID_ARGUMENT with status 413, naming the limit and its setting. */
export function tooLarge(field: string, limit: number, setting: string): ServiceError {
  const reason = `must not be larger than ${bytes(limit)}, the limit ${setting}`;
  return invalidArgument(field, reason, 413);
}
