import { CONTEXT_RULES, type SecretSpan } from "./context-rules.ts";
import { entropyOf } from "./entropy.ts";
import { TOKEN_RULES } from "./token-rules.ts";

/** A secret in a text; positions are in bytes. */
export interface Secret extends SecretSpan {
  readonly kind: string;
  /** Line number from 1. */
  readonly line: number;
}

/** Bytes searched as one string. A secret may continue into the following bytes. */
const WINDOW = 32 * 1024;
/** Maximum length of a secret, including its lookahead. */
const BEHIND = 20 * 1024;
/** Maximum length of a token before its anchor, including the preceding character. */
const BEFORE = 64;
/** Bytes and matches processed between two steps. */
const BYTES_PER_STEP = 16 * 1024;
const MATCHES_PER_STEP = 64;

/** A rule that may apply at a position. */
interface Candidate {
  readonly kind: string;
  readonly anchor: Uint8Array;
  readonly isAnyCase: boolean;
  /** Whether a secret found by another rule at the same position is preferred. */
  readonly isVague: boolean;
  readonly find: (text: string, at: number) => SecretSpan | undefined;
}

/**
 * Maximum number of secrets per text, because each takes memory. The rest of the text then counts as one
 * secret of the kind TOO_MANY.
 */
const MAX_SECRETS = 50_000;
const TOO_MANY = "too-many-secrets";
const LINE_BREAK = 10;
const TOKEN_CHARACTER = /[\w-]/;

const CANDIDATES: readonly Candidate[] = [
  ...TOKEN_RULES.flatMap(({ kind, anchors, before = 0, token, entropy = 0 }) =>
    anchors.map((anchor) => ({
      kind,
      anchor: Buffer.from(anchor),
      isAnyCase: false,
      isVague: false,
      find: (text: string, at: number) => {
        const start = at - before;
        if (start < 0 || isPartOfToken(text, start - 1)) return undefined;
        token.lastIndex = start;
        const found = token.exec(text)?.[0];
        if (found === undefined || isPartOfToken(text, start + found.length)) return undefined;
        if (entropyOf(found) < entropy || found.endsWith("EXAMPLE")) return undefined;
        return { start, end: start + found.length };
      },
    })),
  ),
  ...CONTEXT_RULES.flatMap(({ kind, anchors, find }) =>
    anchors.map((anchor) => ({
      kind,
      anchor: Buffer.from(anchor),
      isAnyCase: true,
      isVague: kind !== "private-key",
      find,
    })),
  ),
];

export const SECRET_KINDS: readonly string[] = [
  ...new Set([...CANDIDATES.map(({ kind }) => kind), TOO_MANY]),
].sort();

/** Index of anchors by their first two bytes, ignoring case. */
const pairOf = (first: number, second: number): number => ((first & 95) << 7) | (second & 95);

const BY_PAIR: (readonly Candidate[] | undefined)[] = Array.from({ length: 1 << 14 });
const IS_FIRST = new Uint8Array(1 << 14);
for (const candidate of CANDIDATES) {
  const pair = pairOf(candidate.anchor[0] ?? 0, candidate.anchor[1] ?? 0);
  BY_PAIR[pair] = [...(BY_PAIR[pair] ?? []), candidate];
  IS_FIRST[pair] = 1;
}

/**
 * Finds the secrets in a text with an ASCII-compatible encoding, in order and without overlaps; in short
 * steps. `from`: ignore secrets that end before this position.
 */
export function* secretSteps(bytes: Uint8Array, from = 0): Generator<undefined, Secret[]> {
  const found: Found[] = [];
  const window = new TextWindow(bytes);
  let matches = 0;
  let step = Math.max(0, from - BEHIND);
  for (let at = step; ; at++) {
    const stop = Math.min(step + BYTES_PER_STEP, bytes.length - 1);
    at = firstPair(bytes, at, stop);
    if (at >= bytes.length - 1) break;
    if (at >= stop || matches >= MATCHES_PER_STEP) {
      step = at;
      matches = 0;
      yield;
    }
    for (const candidate of BY_PAIR[pairOf(bytes[at] ?? 0, bytes[at + 1] ?? 0)] ?? []) {
      if (!isAt(bytes, at, candidate)) continue;
      matches++;
      const span = window.find(candidate, at);
      if (span && span.end > from) addFound(found, { ...span, ...candidate });
    }
    if (found.length < MAX_SECRETS) continue;
    found.push({ kind: TOO_MANY, start: found.at(-1)?.end ?? at, end: bytes.length, isVague: false });
    break;
  }
  return yield* withLines(bytes, found);
}

type Found = SecretSpan & Pick<Candidate, "kind" | "isVague">;

/** Adds a secret that starts after all others. If secrets overlap, the exact rule determines the kind. */
function addFound(found: Found[], { kind, start, end, isVague }: Found): void {
  const before = found.at(-1);
  if (!before || start >= before.end) found.push({ kind, start, end, isVague });
  else if (before.isVague && !isVague)
    found[found.length - 1] = {
      kind,
      start: Math.min(start, before.start),
      end: Math.max(end, before.end),
      isVague,
    };
}

/** The bytes being searched, as a string. */
class TextWindow {
  readonly #bytes: Uint8Array;
  #text = "";
  #start = 0;
  #end = -1;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** `at` must not decrease between calls. */
  find({ find }: Candidate, at: number): SecretSpan | undefined {
    if (at >= this.#end) {
      this.#start = Math.max(0, at - BEFORE);
      this.#end = at + WINDOW;
      this.#text = latin1(this.#bytes, this.#start, this.#end + BEHIND);
    }
    const span = find(this.#text, at - this.#start);
    return span && { start: this.#start + span.start, end: this.#start + span.end };
  }
}

/** Computes the line numbers of secrets, which must be in order. */
function* withLines(bytes: Uint8Array, found: readonly Found[]): Generator<undefined, Secret[]> {
  const secrets: Secret[] = [];
  let [line, at] = [1, 0];
  for (const { kind, start, end } of found) {
    while (at < start) {
      const stop = Math.min(start, at + BYTES_PER_STEP);
      for (; at < stop; at++) if (bytes[at] === LINE_BREAK) line++;
      yield;
    }
    secrets.push({ kind, start, end, line });
  }
  return secrets;
}

/** The first position before `stop` at which an anchor may start; `stop` if there is none. */
function firstPair(bytes: Uint8Array, from: number, stop: number): number {
  for (let at = from; at < stop; at++)
    if (IS_FIRST[(((bytes[at] ?? 0) & 95) << 7) | ((bytes[at + 1] ?? 0) & 95)] !== 0) return at;
  return Math.max(from, stop);
}

function isAt(bytes: Uint8Array, at: number, { anchor, isAnyCase }: Candidate): boolean {
  if (at + anchor.length > bytes.length) return false;
  for (let i = 0; i < anchor.length; i++) {
    const byte = bytes[at + i] ?? 0;
    const wanted = anchor[i] ?? 0;
    if (byte !== wanted && !(isAnyCase && isUpperOf(byte, wanted))) return false;
  }
  return true;
}

const isUpperOf = (byte: number, wanted: number): boolean =>
  wanted >= 0x61 && wanted <= 0x7a && (byte | 0x20) === wanted;

const isPartOfToken = (text: string, at: number): boolean => TOKEN_CHARACTER.test(text.charAt(at));

const latin1 = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1", start, end);
