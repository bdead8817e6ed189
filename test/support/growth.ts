/** Sizes in UTF-16 units; between two neighbours lie 3.3 doublings. */
const SIZES = [10_000, 100_000, 1_000_000];
/** What a doubling of the text may cost. Linear code needs 2, quadratic code 4. */
const PER_DOUBLING = 2.5;
/** Shorter times are all noise. In ms. */
const FLOOR_MS = 0.5;
/** A size is run again until this much time is measured, so that the least run is a quiet one. */
const MEASURED_MS = 1.5;
const MAX_RUNS = 20;
/** A doubtful growth is measured again this often: noise passes, growth stays. */
const RETRIES = 4;
/** Small texts: where time doubles with each character, larger ones would never end. */
const SMALL_SIZES = [8, 16, 20, 24, 28, 32, 40, 48, 64, 128, 256, 1024];
const SMALL_LIMIT_MS = 150;

type Run = (text: string) => unknown;

/** CPU time of this process in ms: others on the machine do not count. */
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
 * Undefined where the time of `run` grows by less than 2.5 times per doubling of the text; else what was
 * measured.
 */
export function faultOfGrowth(run: Run, textOf: (length: number) => string): string | undefined {
  for (const size of SMALL_SIZES) {
    const took = timeOf(run, textOf(size));
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
