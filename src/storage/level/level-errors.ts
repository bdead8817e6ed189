import { StartError } from "../../base/start-error.ts";
import { ServiceError, unavailable } from "../../domain/errors.ts";

interface LevelError {
  readonly code?: string;
  readonly message?: string;
  readonly cause?: LevelError;
}

/** Replaces LevelDB's errors, which contain file names: callers get a neutral message, the log the cause. */
export function storageErrorOf(error: unknown): Error {
  if (error instanceof ServiceError) return error;
  const { code, message } = error as LevelError;
  if (code === "LEVEL_CORRUPTION")
    return new ServiceError("INTERNAL", "stored data is damaged; see the server log", undefined, {
      cause: error,
    });
  if (/no space left|ENOSPC|quota/i.test(`${message}`))
    return refusal("the disk of the server is full", error);
  if (/read-only file system|EROFS/i.test(`${message}`))
    return refusal("the data directory of the server is read-only", error);
  return refusal("the store of the server does not answer", error);
}

const refusal = (reason: string, cause: unknown) =>
  new ServiceError("UNAVAILABLE", unavailable(reason).message, { reason }, { cause });

export function startErrorOf(error: unknown): Error {
  const found = error as LevelError;
  const code = found.cause?.code ?? found.code;
  const reason = found.cause?.message ?? found.message ?? "";
  if (code === "LEVEL_LOCKED")
    return new StartError(
      "another server uses this data directory: stop it, or set CTXDB_DATA_DIR to another folder",
      error,
    );
  if (code === "LEVEL_CORRUPTION")
    return new StartError(
      `the data directory is damaged: ${reason}; restore a backup with \`ctxdb restore\``,
      error,
    );
  return new StartError(
    `the data directory cannot be opened: ${reason}; check the folder in CTXDB_DATA_DIR`,
    error,
  );
}
