import type { KnownFact } from "../facts/fact-file.ts";
import { beginningOf, KeyWords, type Words } from "./key-words.ts";
import { digestOf, type Sentence } from "./redact-text.ts";

/** Minimum share of a fact's words in a sentence of its source message to consider it the source. */
const FOUND_IN_SHARE = 0.5;
/** Maximum characters for the fast check; longer texts skip it. */
const MAX_LOOKED_AT = 64 * 1024;
/** How facts refer to the user, where messages say "I". */
const SPEAKER_WORDS = /\b(?:the user|der nutzer|die nutzerin|l['’]utilisat(?:eur|rice))(?:['’]s)?\b|用户/giu;

/** Identifies a message across all sessions. */
export const messageKey = (session: string, archive: number, message: string): string =>
  `${session}\n${archive}\n${message}`;

/** Selected content, in a form for searching messages. */
export interface ForgetTarget {
  readonly phrase: KeyWords;
  /** Minimum share of the requested words that a sentence must contain to be selected, in any message. */
  readonly minShare: number;
  /** Source messages, whose best sentence is selected regardless of its wording. */
  readonly sources: ReadonlySet<string>;
  /** Whether the target is a memory, whose words other statements may share. */
  readonly isFact?: true;
  /** If set, only the sentences of the sources with these digests are selected. */
  readonly sentences?: ReadonlySet<string>;
}

/** A fact as a target; a fact without content words is searched only in its source messages. */
export const factTarget = ({ text, sources }: Pick<KnownFact, "text" | "sources">): ForgetTarget => ({
  phrase: new KeyWords(text.replace(SPEAKER_WORDS, " ")),
  minShare: 1,
  isFact: true,
  sources: new Set(
    sources.flatMap(({ session, archive, messages }) =>
      messages.map((message) => messageKey(session, archive, message)),
    ),
  ),
});

/** Everything to forget. */
export class Targets {
  readonly #all: ForgetTarget[] = [];
  /**
   * Targets by the beginnings of their words; a target whose words must all match is indexed by one word
   * only.
   */
  readonly #byBeginning = new Map<string, Set<ForgetTarget>>();
  readonly #sources = new Map<string, ForgetTarget[]>();
  /** Facts to keep, by source message. */
  readonly #kept = new Map<string, KeyWords[]>();
  /** URIs of removed files: messages that used them lose the reference. */
  readonly uris = new Set<string>();

  constructor(targets: readonly ForgetTarget[] = []) {
    for (const target of targets) this.add(target);
  }

  add(target: ForgetTarget): void {
    if (!target.phrase.isEmpty) {
      this.#all.push(target);
      for (const word of tellingOf(target)) {
        const beginning = beginningOf(word);
        const known = this.#byBeginning.get(beginning);
        if (known) known.add(target);
        else this.#byBeginning.set(beginning, new Set([target]));
      }
    }
    for (const source of target.sources) {
      const known = this.#sources.get(source);
      if (known) known.push(target);
      else this.#sources.set(source, [target]);
    }
  }

  /** Protects a sentence that is the source of a kept fact, although it shares words with a selected one. */
  keep({ phrase, sources }: ForgetTarget): void {
    if (phrase.isEmpty) return;
    for (const source of sources) {
      const known = this.#kept.get(source);
      if (known) known.push(phrase);
      else this.#kept.set(source, [phrase]);
    }
  }

  /** All phrases with their minimum shares, for finding content by its words. */
  get wanted(): readonly Pick<ForgetTarget, "phrase" | "minShare">[] {
    return this.#all;
  }

  /** Archives whose messages support selected facts. */
  get sourceArchives(): ReadonlySet<string> {
    return new Set([...this.#sources.keys()].map((key) => key.slice(0, key.lastIndexOf("\n"))));
  }

  /**
   * Fast check whether a text may contain selected content; always true for a long one. Runs in steps of a
   * few milliseconds.
   */
  *concernSteps(text: string): Generator<undefined, boolean> {
    if (text.length > MAX_LOOKED_AT) return true;
    const lowerCase = text.normalize("NFKC").toLowerCase();
    for (const { phrase, minShare } of this.#all) {
      yield;
      if (phrase.mayBeIn(lowerCase, minShare)) return true;
    }
    return [...this.uris].some((uri) => text.includes(uri));
  }

  /** The phrases to search for. */
  get phrases(): readonly KeyWords[] {
    return this.#all.map(({ phrase }) => phrase);
  }

  /** Whether a text is selected, in any message. Runs in steps of a few milliseconds. */
  *isSelectedSteps(words: Words): Generator<undefined, boolean> {
    for (const { phrase, minShare } of this.#candidates(words)) {
      yield;
      if (phrase.shareIn(words) >= minShare) return true;
    }
    return false;
  }

  /** The targets that share a word with a text. */
  #candidates(words: Words): Set<ForgetTarget> {
    const found = new Set<ForgetTarget>();
    for (const beginning of new Set([...words].map(beginningOf)))
      for (const target of this.#byBeginning.get(beginning) ?? []) found.add(target);
    return found;
  }

  /**
   * Whether a sentence is selected by the caller's words or by a fact. A fact does not select a sentence that
   * also states a fact in `kept`.
   */
  *#isSelectedBut(words: Words, kept: readonly KeyWords[]): Generator<undefined, boolean> {
    let isFound = false;
    for (const { phrase, minShare, isFact } of this.#candidates(words)) {
      yield;
      if ((isFact && isFound) || phrase.shareIn(words) < minShare) continue;
      if (!isFact) return true;
      isFound = true;
    }
    if (!isFound) return false;
    for (const phrase of kept) {
      yield;
      if (phrase.shareIn(words) === 1) return false;
    }
    return true;
  }

  /**
   * The selected sentences in the texts of one message or episode. `keys`: messages of the texts. Runs in
   * steps of a few milliseconds.
   */
  *selectedSteps(texts: readonly ReadText[], keys: readonly string[]): Generator<undefined, Set<Sentence>> {
    const kept = keys.flatMap((key) => this.#kept.get(key) ?? []);
    const selected = new Set<Sentence>();
    const all: Sentence[] = [];
    for (const { sentences } of texts)
      for (const sentence of sentences) {
        yield;
        all.push(sentence);
        if (yield* this.#isSelectedBut(sentence.words, kept)) selected.add(sentence);
      }
    for (const target of new Set(keys.flatMap((key) => this.#sources.get(key) ?? []))) {
      const found = target.sentences
        ? yield* sentencesWith(texts, target.sentences)
        : yield* foundIn(all, target);
      for (const sentence of found) selected.add(sentence);
    }
    return selected;
  }
}

/**
 * Words of a target, one of which every matching text contains: all words, or the longest if all must match.
 */
const tellingOf = ({ phrase: { words }, minShare }: ForgetTarget): readonly string[] =>
  minShare < 1 ? words : [words.reduce((a, b) => (b.length > a.length ? b : a), "")];

export interface ReadText {
  readonly text: string;
  readonly sentences: readonly Sentence[];
}

export const textOf = (text: string, { start, end }: Pick<Sentence, "start" | "end">): string =>
  text.slice(start, end);

/** The sentences with one of these digests. */
export function* sentencesWith(
  texts: readonly ReadText[],
  digests: ReadonlySet<string>,
): Generator<undefined, Set<Sentence>> {
  const found = new Set<Sentence>();
  if (digests.size === 0) return found;
  for (const { text, sentences } of texts)
    for (const sentence of sentences) {
      yield;
      if (digests.has(digestOf(text, sentence))) found.add(sentence);
    }
  return found;
}

/** The sentences of a message that are the source of a fact. */
function* foundIn(
  sentences: readonly Sentence[],
  { phrase, sources }: Pick<ForgetTarget, "phrase" | "sources">,
): Generator<undefined, readonly Sentence[]> {
  // the only sentence is the source, whatever its wording
  if (sentences.length === 1 && sources.size === 1) return sentences;
  const shares: number[] = [];
  for (const { words } of sentences) {
    yield;
    shares.push(phrase.shareIn(words));
  }
  const most = shares.reduce((a, b) => Math.max(a, b), 0);
  const least = Math.min(FOUND_IN_SHARE, most);
  return sentences.filter((_, i) => most > 0 && (shares[i] ?? 0) >= least);
}
