import { EXIT } from "./exit-code.ts";

/** Usage error: one line, with the correct form. */
export class UsageError extends Error {}

/** A local problem that ends a command, such as a missing file. */
export class LocalError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.error) {
    super(message);
    this.exitCode = exitCode;
  }
}
