/**
 * A known format whose content cannot be read as such. `reason` says so to the caller, without the name of
 * the file.
 */
export class Unreadable extends Error {
  override readonly name = "Unreadable";

  constructor(reason: string, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause });
  }

  get reason(): string {
    return this.message;
  }
}
