import type { NodeClient } from "../../clients/typescript/src/node/node-client.ts";
import { printableLines } from "../base/printable.ts";
import type { Failure } from "./failure.ts";
import type { Io } from "./io.ts";
import { type Target, type TargetOptions, targetOf } from "./target.ts";
import { type Paint, paintOf, wantsColour } from "./terminal/paint.ts";

const DEFAULT_COLUMNS = 80;
const LONG_SECONDS = 7 * 86_400;

/** Options that every command takes. */
export interface GlobalOptions extends TargetOptions {
  readonly json?: boolean;
  /** False by --no-color. */
  readonly color?: boolean;
  /** Seconds. */
  readonly timeout?: number;
}

/**
 * What a command works with: a client that is made when it is first asked for, and the ways to say something.
 */
export class Shell {
  readonly io: Io;
  #options: GlobalOptions = {};
  #target: Promise<Target> | undefined;
  #client: Promise<NodeClient> | undefined;

  constructor(io: Io) {
    this.io = io;
  }

  /** The options of the command line, as soon as they are read. */
  set options(options: GlobalOptions) {
    this.#options = options;
  }

  get options(): GlobalOptions {
    return this.#options;
  }

  /** Seconds for what may take long: --timeout, or as long as it takes. */
  get patienceSeconds(): number {
    return this.#options.timeout ?? LONG_SECONDS;
  }

  get signal(): AbortSignal {
    return this.io.interrupted();
  }

  /** For results. */
  get paint(): Paint {
    return paintOf(this.#options.color !== false && wantsColour(this.io.out.isTTY === true, this.io.env));
  }

  /** For messages. */
  get messagePaint(): Paint {
    return paintOf(this.#options.color !== false && wantsColour(this.io.err.isTTY === true, this.io.env));
  }

  /**
   * Columns of the terminal that results go to; undefined where they go elsewhere, and nothing is to be cut.
   */
  get width(): number | undefined {
    return this.io.out.isTTY ? (this.io.out.columns ?? DEFAULT_COLUMNS) : undefined;
  }

  /** The server of this command line. */
  target(): Promise<Target> {
    this.#target ??= targetOf(this.#options, this.io.env);
    return this.#target;
  }

  /** Instead of what options, variables and profiles say; before the first call. */
  aim(target: Target): void {
    this.#target = Promise.resolve(target);
  }

  client(): Promise<NodeClient> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<NodeClient> {
    const { address, profile: _, ...who } = await this.target();
    const { connect } = await import("../../clients/typescript/src/node.ts");
    const { timeout } = this.#options;
    return connect(address, { ...who, ...(timeout !== undefined && { deadlineSeconds: timeout }) });
  }

  /** A result: as JSON, in the form of the REST API, with --json; else in words. */
  async show(result: unknown, text: () => string): Promise<void> {
    if (!this.#options.json) return this.print(text());
    const { restJson } = await import("./rest-json.ts");
    this.print(`${JSON.stringify(restJson(result), undefined, 2)}\n`);
  }

  /**
   * A text that strangers may have written: as it is where it goes to a file, without control characters on a
   * terminal.
   */
  showText(result: unknown, text: string): Promise<void> {
    return this.show(result, () => (this.io.out.isTTY ? printableLines(text) : text));
  }

  /** To stdout, as it is. */
  print(text: string): void {
    if (text !== "") this.io.out.write(text);
  }

  /** A message beside the result, one line to stderr. */
  note(text: string): void {
    this.io.err.write(`${text}\n`);
  }

  /** The one line that tells of a failure. */
  tell({ line, hint }: Failure): void {
    const { bad, faint } = this.messagePaint;
    if (line !== undefined)
      this.note(`${bad("ctxdb:")} ${line}${hint === undefined ? "" : faint(`; ${hint}`)}`);
  }

  /** The same as one JSON object, in the form of the REST API, for --json. */
  tellJson({ line, hint, code = "ERROR", details }: Failure): void {
    const error = {
      code,
      message: line ?? "interrupted",
      ...(details && { details }),
      ...(hint !== undefined && { hint }),
    };
    this.note(JSON.stringify({ status: "error", error }));
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    await client?.close();
  }
}
