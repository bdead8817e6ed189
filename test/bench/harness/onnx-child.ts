/**
 * Measures onnxruntime alone for comparison: the shipped model with one text of random word pieces at a time.
 * `onnx-child.ts THREADS LENGTH COUNT LENGTH COUNT …` prints one line of JSON per pair, with the milliseconds
 * of each of the COUNT runs and the CPU seconds of all.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { REPOSITORY } from "./server.ts";

const [FIRST_WORD, WORDS] = [2000n, 20_000n];
const WARM_RUNS = 5;

const [threads = "1", ...pairs] = process.argv.slice(2);
const session = await InferenceSession.create(readFileSync(join(REPOSITORY, "models/minilm-int8.onnx")), {
  intraOpNumThreads: Number(threads),
  interOpNumThreads: 1,
});
let state = 1n;

function inputs(length: number): Record<string, InstanceType<typeof Tensor>> {
  const ids = BigInt64Array.from({ length }, () => {
    state = (state * 1_664_525n + 1_013_904_223n) % 2n ** 32n;
    return FIRST_WORD + (state % WORDS);
  });
  const shape = [1, length];
  return {
    input_ids: new Tensor("int64", ids, shape),
    attention_mask: new Tensor("int64", new BigInt64Array(length).fill(1n), shape),
  };
}

for (let at = 0; at + 1 < pairs.length; at += 2) {
  const [length, count] = [Number(pairs[at]), Number(pairs[at + 1])];
  for (let i = 0; i < WARM_RUNS; i++) await session.run(inputs(length));
  const before = process.cpuUsage();
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const given = inputs(length);
    const began = performance.now();
    await session.run(given);
    times.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${JSON.stringify({ times, cpuSeconds: (user + system) / 1e6 })}\n`);
}
