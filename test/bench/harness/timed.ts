import { median } from "./figure.ts";

/** Rounds that `warmTime` measures. */
export const ROUNDS = 5;

/** In ms. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Median in ms, behind rounds that read what is not in any cache, and let what runs be compiled. */
export async function warmTime(work: () => Promise<unknown>, unmeasured = 1): Promise<number> {
  for (let round = 0; round < unmeasured; round++) await work();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await timed(work));
  return median(times);
}
