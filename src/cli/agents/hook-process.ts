import { systemClock } from "../../base/clock.ts";
import { targetOf } from "../target.ts";
import { hookAnswer } from "./hook-answer.ts";

/**
 * Runs `hook AGENT EVENT` as a process: prints the answer and exits. The exit code is always 0, because
 * agents may stop on any other code. `settings`: arguments that are passed on to the flush.
 */
export async function runHookProcess(
  args: readonly string[],
  node: NodeJS.Process,
  settings: readonly string[] = [],
): Promise<void> {
  const { env, stdin, stdout, execPath, execArgv, argv } = node;
  const answer = await hookAnswer(args, {
    env,
    in: stdin,
    target: () => targetOf({}, env),
    now: systemClock,
    elapsedMs: () => performance.now(),
    self: [execPath, ...execArgv, argv[1] ?? "", ...settings],
  });
  stdout.on("error", () => node.exit(0));
  stdout.write(answer, () => node.exit(0));
}
