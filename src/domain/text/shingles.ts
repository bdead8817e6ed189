/** Number of consecutive words per shingle. */
const SHINGLE = 4;
/**
 * Minimum number of shingles for a comparison, so that short texts (a name, a date) never count as
 * duplicates.
 */
export const MIN_SHINGLES = 8;

/** Hashes of all shingles. */
export function shinglesOfWords(words: readonly number[]): Set<number> {
  const shingles = new Set<number>();
  for (let at = 0; at + SHINGLE <= words.length; at++) shingles.add(shingleAt(words, at));
  return shingles;
}

/**
 * A sketch of a text: at most `count` of its smallest shingle hashes, ascending and unique. The overlap of
 * two sketches estimates the overlap of the texts.
 */
export function sketchOf(text: string, count: number): Uint32Array {
  const words = wordHashes(text);
  const hashes = new Uint32Array(Math.max(0, words.length - SHINGLE + 1));
  for (let at = 0; at < hashes.length; at++) hashes[at] = shingleAt(words, at);
  hashes.sort();
  let kept = 0;
  for (let at = 0; at < hashes.length && kept < count; at++)
    if (at === 0 || hashes[at] !== hashes[at - 1]) hashes[kept++] = hashes[at] ?? 0;
  // copy, because a view would retain the hashes of the whole text
  return hashes.slice(0, kept);
}

function shingleAt(words: readonly number[], at: number): number {
  let hash = 0;
  for (let i = at; i < at + SHINGLE; i++) hash = Math.imul(hash, 31) + (words[i] ?? 0);
  return Math.imul(hash, 0x9e3779b1) >>> 0;
}

/** Share of the shingles in `part` that are also in `whole`, 0 to 1; 0 if `part` is too short. */
export function sharedShingles(part: ReadonlySet<number>, whole: ReadonlySet<number>): number {
  if (part.size < MIN_SHINGLES) return 0;
  let shared = 0;
  for (const shingle of part) if (whole.has(shingle)) shared++;
  return shared / part.size;
}

/**
 * Hashes of the words, ignoring case. Words are separated by anything except letters and digits; each CJK
 * character is a word.
 */
export function wordHashes(given: string): number[] {
  const text = given.toLowerCase();
  const words: number[] = [];
  let hash = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isWord = unit > 0x7f || (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
    if (isWord) hash = Math.imul(hash === 0 ? 0x811c9dc5 : hash, 0x01000193) ^ unit;
    if (hash !== 0 && (!isWord || unit >= 0x2e80 || at + 1 === text.length)) {
      words.push(hash);
      hash = 0;
    }
  }
  return words;
}
