import type { NodeClient } from "../../clients/typescript/src/node/node-client.ts";
import { printable, printableJson, printableLines } from "../base/printable.ts";
import type { Failure } from "./failure.ts";
import type { Io } from "./io.ts";
import { type Target, type TargetOptions, targetOf } from "./target.ts";
import { type Paint, paintOf, wantsColour } from "./terminal/paint.ts";

const DEFAULT_COLUMNS = 80;
const LONG_SECONDS = 7 * 86_400;

/** Options of every command. */
export interface GlobalOptions extends TargetOptions {
  readonly json?: boolean;
  /** False with --no-color. */
  readonly color?: boolean;
  /** In seconds. */
  readonly timeout?: number;
}

/** Context of a command: outputs, and a client that is created on first use. */
export class Shell {
  readonly io: Io;
  #options: GlobalOptions = {};
  #target: Promise<Target> | undefined;
  #client: Promise<NodeClient> | undefined;

  constructor(io: Io) {
    this.io = io;
  }

  set options(options: GlobalOptions) {
    this.#options = options;
  }

  get options(): GlobalOptions {
    return this.#options;
  }

  /** Timeout of long operations in seconds (`--timeout`); unlimited by default. */
  get patienceSeconds(): number {
    return this.#options.timeout ?? LONG_SECONDS;
  }

  get signal(): AbortSignal {
    return this.io.interrupted();
  }

  /** Styles for results on stdout. */
  get paint(): Paint {
    return paintOf(this.#options.color !== false && wantsColour(this.io.out.isTTY === true, this.io.env));
  }

  /** Styles for messages on stderr. */
  get messagePaint(): Paint {
    return paintOf(this.#options.color !== false && wantsColour(this.io.err.isTTY === true, this.io.env));
  }

  /** Terminal width in columns; undefined if stdout is not a terminal: nothing is cut. */
  get width(): number | undefined {
    return this.io.out.isTTY ? (this.io.out.columns ?? DEFAULT_COLUMNS) : undefined;
  }

  /** The server that the command line addresses. */
  target(): Promise<Target> {
    this.#target ??= targetOf(this.#options, this.io.env);
    return this.#target;
  }

  /** Replaces the target from options, variables and profiles. Call it before any other call. */
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
    const onWarning = (warning: string) =>
      this.note(`${this.messagePaint.warn("warning:")} ${printable(warning)}`);
    return connect(address, {
      ...who,
      onWarning,
      ...(timeout !== undefined && { deadlineSeconds: timeout }),
    });
  }

  /** Prints a result: REST JSON with --json, otherwise as text. */
  async show(result: unknown, text: () => string): Promise<void> {
    if (!this.#options.json) return this.print(text());
    const { restJson } = await import("./json-output.ts");
    this.print(`${printableJson(restJson(result), 2)}\n`);
  }

  /** Prints untrusted text: unchanged to a file, without control characters to a terminal. */
  showText(result: unknown, text: string): Promise<void> {
    return this.show(result, () => this.plain(text));
  }

  /** Untrusted text as a part of a result: without control characters if it is for a terminal. */
  plain(text: string): string {
    return this.io.out.isTTY ? printableLines(text) : text;
  }

  /** Prints text to stdout. */
  print(text: string): void {
    if (text !== "") this.io.out.write(text);
  }

  /** Prints a message line to stderr. */
  note(text: string): void {
    this.io.err.write(`${text}\n`);
  }

  /** Reports a failure on stderr. */
  tell({ line, hint }: Failure): void {
    const { bad, faint } = this.messagePaint;
    if (line !== undefined)
      this.note(`${bad("ctxdb:")} ${line}${hint === undefined ? "" : faint(`; ${hint}`)}`);
  }

  /** Reports a failure as REST JSON, for --json. */
  tellJson({ line, hint, code = "ERROR", details }: Failure): void {
    const error = {
      code,
      message: line ?? "interrupted",
      ...(details && { details }),
      ...(hint !== undefined && { hint }),
    };
    this.note(printableJson({ status: "error", error }));
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    await client?.close();
  }
}
