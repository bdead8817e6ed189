/** Invalid content of a known format. `reason` is worded for the caller and omits the file name. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";

  constructor(reason: string, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause });
  }

  get reason(): string {
    return this.message;
  }
}
