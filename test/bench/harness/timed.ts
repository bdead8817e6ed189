import { median } from "./figure.ts";

/** Number of rounds that `warmTime` measures. */
export const ROUNDS = 5;

/** In ms. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Returns the median in ms, after rounds that fill the caches and let the code be compiled. */
export async function warmTime(work: () => Promise<unknown>, unmeasured = 1): Promise<number> {
  for (let round = 0; round < unmeasured; round++) await work();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await timed(work));
  return median(times);
}
