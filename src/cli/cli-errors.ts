import { EXIT } from "./exit-code.ts";

/** Usage error: one line, with the correct form. */
export class UsageError extends Error {}

/** A reason on this machine why a command cannot go on, such as a file that is not there. */
export class LocalError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.error) {
    super(message);
    this.exitCode = exitCode;
  }
}
