import { atOnce } from "../../base/event-loop.ts";
import type { KnownFact } from "../fact-file.ts";
import { beginningOf, KeyWords, type Words } from "./key-words.ts";
import type { Sentence } from "./redact-text.ts";

/** Share of a fact's words from which on a sentence of its own message is what it was found in. */
const FOUND_IN_SHARE = 0.5;
/** Characters of a text that are searched for each word of all targets. */
const MAX_LOOKED_AT = 64 * 1024;
/** How facts speak of whose memory it is; messages say "I". */
const SPEAKER_WORDS = /\b(?:the user|der nutzer|die nutzerin|l['’]utilisat(?:eur|rice))(?:['’]s)?\b|用户/giu;

/** Names a message among those of all sessions. */
export const messageKey = (session: string, archive: number, message: string): string =>
  `${session}\n${archive}\n${message}`;

/** Something that is to be forgotten, as it is looked for in what was said. */
export interface ForgetTarget {
  readonly phrase: KeyWords;
  /** Share of the words from which on a sentence is meant, wherever it stands. */
  readonly minShare: number;
  /** Messages in which it was found: their best sentence is meant, however it is put. */
  readonly sources: ReadonlySet<string>;
  /** A memory, whose words other statements may have too. */
  readonly isFact?: true;
  /** The very sentences of the sources that are meant, and no others. */
  readonly sentences?: ReadonlySet<string>;
}

/** A fact as a target; without words of its own it is looked for in its messages alone. */
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

/** What is to be forgotten, as a whole. */
export class Targets {
  readonly #all: ForgetTarget[] = [];
  /** By beginnings of words: of those that must all be there one is enough. */
  readonly #byBeginning = new Map<string, Set<ForgetTarget>>();
  readonly #sources = new Map<string, ForgetTarget[]>();
  /** Facts that stay, by the messages that they were found in. */
  readonly #kept = new Map<string, KeyWords[]>();
  /** URIs of files that go: a message that used one does not name it any more. */
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

  /** A sentence in which a fact was found that stays does not go for having the words of another one. */
  keep({ phrase, sources }: ForgetTarget): void {
    if (phrase.isEmpty) return;
    for (const source of sources) {
      const known = this.#kept.get(source);
      if (known) known.push(phrase);
      else this.#kept.set(source, [phrase]);
    }
  }

  /** Whether messages of an archive support something that goes. */
  get sourceArchives(): ReadonlySet<string> {
    return new Set([...this.#sources.keys()].map((key) => key.slice(0, key.lastIndexOf("\n"))));
  }

  /** Whether a short text may hold what is meant. */
  mayConcern(text: string): boolean {
    return atOnce(this.concernSteps(text));
  }

  /**
   * Whether a text may hold what is meant: a cheap look before it is read closely. A long one is read closely at
   * once. In steps of a few milliseconds.
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

  /** What is looked for, in words. */
  get phrases(): readonly KeyWords[] {
    return this.#all.map(({ phrase }) => phrase);
  }

  /** Whether a short text is meant, whoever said it. */
  isMeant({ words }: Pick<Sentence, "words">): boolean {
    return atOnce(this.isMeantSteps(words));
  }

  /** Whether a text is meant, whoever said it. In steps of a few milliseconds. */
  *isMeantSteps(words: Words): Generator<undefined, boolean> {
    for (const { phrase, minShare } of this.#candidates(words)) {
      yield;
      if (phrase.shareIn(words) >= minShare) return true;
    }
    return false;
  }

  /** The targets of which a text has a word. */
  #candidates(words: Words): Set<ForgetTarget> {
    const found = new Set<ForgetTarget>();
    for (const beginning of new Set([...words].map(beginningOf)))
      for (const target of this.#byBeginning.get(beginning) ?? []) found.add(target);
    return found;
  }

  /** Whether a sentence is meant: by words that the caller has named, or by a fact that is none of `kept`. */
  *#isMeantBeside(words: Words, kept: readonly KeyWords[]): Generator<undefined, boolean> {
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
   * The sentences that are meant, of the texts of one message or of an episode. `keys` are the messages that
   * the texts belong to. In steps of a few milliseconds.
   */
  *meantSteps(
    texts: readonly { readonly text: string; readonly sentences: readonly Sentence[] }[],
    keys: readonly string[],
  ): Generator<undefined, Set<Sentence>> {
    const kept = keys.flatMap((key) => this.#kept.get(key) ?? []);
    const meant = new Set<Sentence>();
    const all: Sentence[] = [];
    for (const { sentences } of texts)
      for (const sentence of sentences) {
        yield;
        all.push(sentence);
        if (yield* this.#isMeantBeside(sentence.words, kept)) meant.add(sentence);
      }
    for (const target of new Set(keys.flatMap((key) => this.#sources.get(key) ?? []))) {
      const found = target.sentences
        ? yield* verySentences(texts, target.sentences)
        : yield* foundIn(all, target);
      for (const sentence of found) meant.add(sentence);
    }
    return meant;
  }
}

/** The words of a target of which a text that it is in has one: of all that it must have, the longest. */
const tellingOf = ({ phrase: { words }, minShare }: ForgetTarget): readonly string[] =>
  minShare < 1 ? words : [words.reduce((a, b) => (b.length > a.length ? b : a), "")];

export const textOf = (text: string, { start, end }: Pick<Sentence, "start" | "end">): string =>
  text.slice(start, end);

function* verySentences(
  texts: readonly { readonly text: string; readonly sentences: readonly Sentence[] }[],
  wanted: ReadonlySet<string>,
): Generator<undefined, Sentence[]> {
  const found: Sentence[] = [];
  for (const { text, sentences } of texts)
    for (const sentence of sentences) {
      yield;
      if (wanted.has(textOf(text, sentence))) found.push(sentence);
    }
  return found;
}

/** The sentences of a message in which a fact was found. */
function* foundIn(
  sentences: readonly Sentence[],
  { phrase, sources }: Pick<ForgetTarget, "phrase" | "sources">,
): Generator<undefined, readonly Sentence[]> {
  // the only one that there is, in whatever words
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
