/** Why the server cannot start, in words for its operator: printed as one line, without a stack. */
export class StartError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "StartError";
  }
}
