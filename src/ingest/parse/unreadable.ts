/** A known format with invalid content. `reason` is for the caller, without the file's name. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";

  constructor(reason: string, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause });
  }

  get reason(): string {
    return this.message;
  }
}
