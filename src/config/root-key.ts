/** Minimum length: shorter keys can be guessed over the network, even at a limited rate. */
export const MIN_ROOT_KEY_LENGTH = 16;

/**
 * Minimum entropy in bits, from the character frequencies: 16 random letters have about 60, `password` twice
 * has 44.
 */
const MIN_ROOT_KEY_BITS = 48;

export const MAKE_ROOT_KEY = "openssl rand -hex 32";

/**
 * Why a root key is easy to guess; undefined if no weakness was found. The text reveals nothing about the
 * key.
 */
export function weaknessOf(rootKey: string): string | undefined {
  if (rootKey.length < MIN_ROOT_KEY_LENGTH) return `is shorter than ${MIN_ROOT_KEY_LENGTH} characters`;
  if (isRepeated(rootKey)) return "repeats a short pattern";
  if (isSequence(rootKey)) return "is a sequence of letters or digits";
  return entropyBits(rootKey) < MIN_ROOT_KEY_BITS ? "has too few different characters" : undefined;
}

/** Whether the text repeats a short string, possibly cut at the end. */
function isRepeated(text: string): boolean {
  for (let length = 1; length < MIN_ROOT_KEY_LENGTH && length * 2 <= text.length; length++)
    if (text.startsWith(text.slice(length))) return true;
  return false;
}

/**
 * Whether nearly all characters follow the previous one at the same distance: `abcdefghijklmnop`,
 * `9876543210987654`.
 */
function isSequence(text: string): boolean {
  const steps = new Map<number, number>();
  for (let at = 1; at < text.length; at++) {
    const step = text.charCodeAt(at) - text.charCodeAt(at - 1);
    steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  return Math.max(...steps.values()) >= (text.length - 1) * 0.75;
}

function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((bits, count) => bits + count * Math.log2(text.length / count), 0);
}
