/** Text sizes in UTF-16 units; neighbouring sizes are 3.3 doublings apart. */
const SIZES = [10_000, 100_000, 1_000_000];
/** Allowed growth in time per doubling of the text. Linear code needs 2, quadratic code 4. */
const PER_DOUBLING = 2.5;
/** Times below this (in ms) are noise from garbage collection and compilation. */
const FLOOR_MS = 3;
/**
 * Each size is repeated until this much time has been measured, so that the minimum comes from an undisturbed
 * run.
 */
const MEASURED_MS = 1.5;
const MAX_RUNS = 20;
/** How often a suspicious result is measured again: noise disappears, real growth does not. */
const RETRIES = 16;
/** The same for a text that takes too long by itself; exponential code may take seconds each time. */
const SLOW_RETRIES = 3;
/** Small sizes for code that may be exponential, where larger texts would never finish. */
const SMALL_SIZES = [8, 16, 20, 24, 28, 32, 40, 48, 64, 128, 256, 1024];
const SMALL_LIMIT_MS = 150;

type Run = (text: string) => unknown;

/** CPU time of this process in ms, which other processes do not affect. */
function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function timeOf(run: Run, text: string): number {
  let least = Number.POSITIVE_INFINITY;
  let measured = 0;
  for (let i = 0; i < MAX_RUNS && measured < MEASURED_MS; i++) {
    const began = cpuNow();
    run(text);
    const took = cpuNow() - began;
    least = Math.min(least, took);
    measured += took;
  }
  return least;
}

/**
 * Returns undefined if the time of `run` grows by less than a factor of 2.5 per doubling of the text,
 * otherwise the measurements.
 */
export function faultOfGrowth(run: Run, textOf: (length: number) => string): string | undefined {
  for (const size of SMALL_SIZES) {
    const took = leastBelow(SMALL_LIMIT_MS, run, textOf(size));
    if (took > SMALL_LIMIT_MS) return `${size} characters take ${took.toFixed(0)} ms`;
  }
  let before = timeOf(run, textOf(SIZES[0]!));
  for (const [i, size] of SIZES.slice(1).entries()) {
    const text = textOf(size);
    const allowed = PER_DOUBLING ** Math.log2(size / SIZES[i]!);
    let took = timeOf(run, text);
    for (let retry = 0; retry < RETRIES && isTooLong(took, before, allowed); retry++) {
      before = Math.max(before, timeOf(run, textOf(SIZES[i]!)));
      took = Math.min(took, timeOf(run, text));
    }
    if (isTooLong(took, before, allowed))
      return `${SIZES[i]} characters take ${before.toFixed(1)} ms, ${size} take ${took.toFixed(0)} ms`;
    before = took;
  }
  return undefined;
}

const isTooLong = (took: number, before: number, allowed: number): boolean =>
  took > Math.max(before, FLOOR_MS) * allowed;

/** Sizes for a quick check of many texts, and the time after which larger ones would take minutes: on a busy machine
 * linear code takes a quarter of it. */
const LOOKS = [2000, 16_000] as const;
const LOOK_LIMIT_MS = 400;
/** Number of slowest texts that are measured in full even if the quick check found no growth. */
const SLOWEST = 1;

/**
 * Returns the first text on which the time of `run` grows faster than the text itself, with its measurements,
 * or undefined if there is none. `texts` are functions by name that create a text of the given number of
 * UTF-16 units.
 */
export function faultAmong(
  run: Run,
  texts: Readonly<Record<string, (length: number) => string>>,
): string | undefined {
  const looked: { readonly name: string; readonly took: number; readonly isDoubtful: boolean }[] = [];
  for (const [name, textOf] of Object.entries(texts)) {
    run(textOf(64));
    const times: number[] = [];
    for (const length of LOOKS) {
      const took = leastBelow(LOOK_LIMIT_MS, run, textOf(length));
      // with cubic growth, the longer text would take minutes
      if (took > LOOK_LIMIT_MS) return `${name}: ${length} characters take ${took.toFixed(0)} ms`;
      times.push(took);
    }
    const [before, took] = times as [number, number];
    const allowed = PER_DOUBLING ** Math.log2(LOOKS[1] / LOOKS[0]);
    looked.push({ name, took, isDoubtful: took > 2 && isTooLong(took, before, allowed) });
  }
  const slowest = [...looked].sort((a, b) => b.took - a.took).slice(0, SLOWEST);
  for (const { name } of new Set([...looked.filter(({ isDoubtful }) => isDoubtful), ...slowest])) {
    const fault = faultOfGrowth(run, texts[name]!);
    if (fault !== undefined) return `${name}: ${fault}`;
  }
  return undefined;
}

/**
 * Returns the time of the faster of two runs in ms, or of more while it is above `limit`: garbage collection
 * can take a hundred milliseconds of any of them.
 */
function leastBelow(limit: number, run: Run, text: string): number {
  let took = once(run, text);
  if (took > 1) took = Math.min(took, once(run, text));
  for (let retry = 0; retry < SLOW_RETRIES && took > limit; retry++) took = Math.min(took, once(run, text));
  return took;
}

function once(run: Run, text: string): number {
  const began = cpuNow();
  run(text);
  return cpuNow() - began;
}
