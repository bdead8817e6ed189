const CJK_WEIGHT = 0.7;
const OTHER_WEIGHT = 0.3;
/** UTF-16 units counted per step. */
const UNITS_PER_STEP = 256 * 1024;

/**
 * Whether a UTF-16 unit is Chinese, Japanese or Korean. A supplementary ideograph counts once, by its high
 * surrogate.
 */
export function isCjk(unit: number): boolean {
  if (unit < 0x2e80) return false;
  return (
    (unit >= 0x2e80 && unit <= 0x9fff) ||
    (unit >= 0xac00 && unit <= 0xd7af) ||
    (unit >= 0xf900 && unit <= 0xfaff) ||
    (unit >= 0xff00 && unit <= 0xff9f) ||
    (unit >= 0xd840 && unit <= 0xd888)
  );
}

export function isSpace(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  return (
    unit === 0xa0 ||
    unit === 0x3000 ||
    unit === 0xfeff ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029
  );
}

/**
 * Kind of each UTF-16 unit: 2 for CJK, 1 for other counted characters, 0 for white space and low surrogates.
 */
const KINDS = Uint8Array.from({ length: 2 ** 16 }, (_, unit) => {
  if (isCjk(unit)) return 2;
  return isSpace(unit) || (unit >= 0xdc00 && unit <= 0xdfff) ? 0 : 1;
});

/**
 * Estimates tokens of `text` from `start` to `end` (UTF-16 offsets): 0.7 per CJK character, 0.3 per other
 * character except white space.
 */
export function estimateTokens(text: string, start = 0, end = text.length): number {
  return weighed(count(text, start, end));
}

/** Like estimateTokens, in steps: a text of megabytes takes several milliseconds. */
export function* tokenSteps(text: string): Generator<undefined, number> {
  const all = { cjk: 0, other: 0 };
  for (let at = 0; at < text.length; at += UNITS_PER_STEP) {
    const { cjk, other } = count(text, at, Math.min(text.length, at + UNITS_PER_STEP));
    all.cjk += cjk;
    all.other += other;
    yield;
  }
  return weighed(all);
}

interface Counted {
  readonly cjk: number;
  readonly other: number;
}

function count(text: string, start: number, end: number): Counted {
  let cjk = 0;
  let other = 0;
  for (let i = start; i < end; i++) {
    const kind = KINDS[text.charCodeAt(i)]!;
    cjk += kind >> 1;
    other += kind & 1;
  }
  return { cjk, other };
}

const weighed = ({ cjk, other }: Counted): number => CJK_WEIGHT * cjk + OTHER_WEIGHT * other;
