import { median } from "./figure.ts";

/** Rounds that `warmTime` measures, behind one that it does not. */
export const ROUNDS = 5;

/** In ms. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Median in ms. A first round reads what is not in any cache. */
export async function warmTime(work: () => Promise<unknown>): Promise<number> {
  await work();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await timed(work));
  return median(times);
}
