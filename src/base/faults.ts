/** Fields that a thrown value may have. */
interface Fault {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly syscall?: unknown;
}

const faultOf = (error: unknown): Fault => (typeof error === "object" && error !== null ? error : {});

/** The code of an error of Node or a library, such as ENOENT; "" if it has none. */
export function codeOf(error: unknown): string {
  const { code } = faultOf(error);
  return typeof code === "string" ? code : "";
}

export function messageOf(error: unknown): string {
  const { message } = faultOf(error);
  return typeof message === "string" ? message : String(error);
}

/** Whether a call of the operating system failed. */
export const isSystemError = (error: unknown): boolean => typeof faultOf(error).syscall === "string";

/** For things that may be gone already: ignores ENOENT, rethrows all else. */
export function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
  return undefined;
}
