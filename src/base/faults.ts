/** Fields that a thrown value may have. */
interface Fault {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly syscall?: unknown;
}

const faultOf = (error: unknown): Fault => (typeof error === "object" && error !== null ? error : {});

/** The code of an error from Node or a library, such as ENOENT; "" if absent. */
export function codeOf(error: unknown): string {
  const { code } = faultOf(error);
  return typeof code === "string" ? code : "";
}

export function messageOf(error: unknown): string {
  const { message } = faultOf(error);
  return typeof message === "string" ? message : String(error);
}

/** Whether a system call failed. */
export const isSystemError = (error: unknown): boolean => typeof faultOf(error).syscall === "string";

/** Ignores ENOENT, for files that may already be gone; rethrows any other error. */
export function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
  return undefined;
}
