import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { TYPESCRIPT_LOADER } from "../../../src/base/processes/child-process.ts";

const CHILD = fileURLToPath(new URL("onnx-child.ts", import.meta.url));

export interface RawRuns {
  /** Milliseconds of each run. */
  readonly times: readonly number[];
  readonly cpuSeconds: number;
}

/**
 * Runs onnxruntime alone in a separate process with the given number of threads, on `count` texts of each
 * length in word pieces.
 */
export async function rawRuns(
  threads: number,
  runs: readonly { readonly length: number; readonly count: number }[],
): Promise<RawRuns[]> {
  const args = runs.flatMap(({ length, count }) => [String(length), String(count)]);
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...TYPESCRIPT_LOADER,
    CHILD,
    String(threads),
    ...args,
  ]);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as RawRuns);
}
