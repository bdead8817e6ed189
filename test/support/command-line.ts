import { PassThrough } from "node:stream";
import { run } from "../../src/cli/run.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface Around {
  readonly env?: Readonly<Record<string, string>>;
  /** Content of standard input. */
  readonly input?: string;
  /** Width of the terminal in columns. If missing, stdout is a pipe. */
  readonly columns?: number;
  readonly signal?: AbortSignal;
}

/** Runs a command line in this process and returns its exit status and output. */
export async function ctxdb(
  argv: readonly string[],
  { env = {}, input = "", columns, signal }: Around = {},
): Promise<Ran> {
  const terminal = columns === undefined ? {} : { isTTY: true, columns };
  const out = Object.assign(new PassThrough(), terminal);
  const err = Object.assign(new PassThrough(), terminal);
  const said = [out, err].map((stream) => stream.setEncoding("utf8").toArray());
  const given = new PassThrough();
  given.end(input);
  const code = await run(argv, {
    env,
    out,
    err,
    in: given,
    interrupted: () => signal ?? new AbortController().signal,
  });
  out.end();
  err.end();
  const [results = [], messages = []] = await Promise.all(said);
  return { code, out: results.join(""), err: messages.join("") };
}
