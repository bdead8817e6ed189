/** Sizes in UTF-16 units; between two neighbours lie 3.3 doublings. */
const SIZES = [10_000, 100_000, 1_000_000];
/** What a doubling of the text may cost. Linear code needs 2, quadratic code 4. */
const PER_DOUBLING = 2.5;
/** Shorter times are noise: of collected garbage and compiled code. In ms. */
const FLOOR_MS = 3;
/** A size is run again until this much time is measured, so that the least run is a quiet one. */
const MEASURED_MS = 1.5;
const MAX_RUNS = 20;
/** A doubtful growth is measured again this often: noise passes, growth stays. */
const RETRIES = 16;
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

/** Sizes at which many texts are looked at quickly, and the time per text of the larger one that is too long. */
const LOOKS = [2000, 16_000] as const;
const LOOK_LIMIT_MS = 100;
/** Of texts that grew as they may, those that took longest are measured too. */
const SLOWEST = 2;

/**
 * The first of many texts on which `run` takes time that grows faster than its text, with what was measured;
 * undefined where there is none. `texts` make a text of so many UTF-16 units, by name.
 */
export function faultAmong(
  run: Run,
  texts: Readonly<Record<string, (length: number) => string>>,
): string | undefined {
  const looked: { readonly name: string; readonly took: number; readonly isDoubtful: boolean }[] = [];
  for (const [name, textOf] of Object.entries(texts)) {
    run(textOf(64));
    const [before, took] = LOOKS.map((length) => least(run, textOf(length))) as [number, number];
    if (took > LOOK_LIMIT_MS) return `${name}: ${LOOKS[1]} characters take ${took.toFixed(0)} ms`;
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

/** Of two runs, so that one that was disturbed passes. */
function least(run: Run, text: string): number {
  const first = once(run, text);
  return first > 1 ? Math.min(first, once(run, text)) : first;
}

function once(run: Run, text: string): number {
  const began = cpuNow();
  run(text);
  return cpuNow() - began;
}
