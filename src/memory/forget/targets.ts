import type { KnownFact } from "../fact-file.ts";
import { KeyWords } from "./key-words.ts";
import type { Sentence } from "./redact-text.ts";

/** Share of a fact's words from which on a sentence of its own message is what it was found in. */
const FOUND_IN_SHARE = 0.5;
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
  readonly #sources = new Map<string, ForgetTarget[]>();
  /** Facts that stay, by the messages that they were found in. */
  readonly #kept = new Map<string, KeyWords[]>();
  /** URIs of files that go: a message that used one does not name it any more. */
  readonly uris = new Set<string>();

  constructor(targets: readonly ForgetTarget[] = []) {
    for (const target of targets) this.add(target);
  }

  add(target: ForgetTarget): void {
    if (!target.phrase.isEmpty) this.#all.push(target);
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

  /** Whether a text may hold what is meant: a cheap look before it is read closely. */
  mayConcern(text: string): boolean {
    const lowerCase = text.normalize("NFKC").toLowerCase();
    return (
      this.#all.some(({ phrase, minShare }) => phrase.mayBeIn(lowerCase, minShare)) ||
      [...this.uris].some((uri) => text.includes(uri))
    );
  }

  /** What is looked for, in words. */
  get phrases(): readonly KeyWords[] {
    return this.#all.map(({ phrase }) => phrase);
  }

  /** Whether the caller has named words that a text has. */
  #isNamed({ words }: Pick<Sentence, "words">): boolean {
    return this.#all.some(({ phrase, minShare, isFact }) => !isFact && phrase.shareIn(words) >= minShare);
  }

  /** Whether a text is meant, whoever said it. */
  isMeant(sentence: Pick<Sentence, "words">): boolean {
    return this.#all.some(({ phrase, minShare }) => phrase.shareIn(sentence.words) >= minShare);
  }

  /**
   * The sentences that are meant, of the texts of one message or of an episode. `keys` are the messages that
   * the texts belong to.
   */
  meant(
    texts: readonly { readonly text: string; readonly sentences: readonly Sentence[] }[],
    keys: readonly string[],
  ): Set<Sentence> {
    const all = texts.flatMap(({ text, sentences }) => sentences.map((sentence) => ({ text, sentence })));
    const kept = keys.flatMap((key) => this.#kept.get(key) ?? []);
    const isOfKept = ({ words }: Sentence) => kept.some((phrase) => phrase.shareIn(words) === 1);
    const meant = new Set<Sentence>();
    for (const { sentence } of all)
      if (this.#isNamed(sentence) || (this.isMeant(sentence) && !isOfKept(sentence))) meant.add(sentence);
    for (const target of new Set(keys.flatMap((key) => this.#sources.get(key) ?? []))) {
      const { sentences } = target;
      const isOne = sentences && all.filter(({ text, sentence }) => sentences.has(textOf(text, sentence)));
      const found = isOne?.map(({ sentence }) => sentence) ?? foundIn(all, target);
      for (const sentence of found) meant.add(sentence);
    }
    return meant;
  }
}

export const textOf = (text: string, { start, end }: Pick<Sentence, "start" | "end">): string =>
  text.slice(start, end);

/** The sentences of a message in which a fact was found. */
function foundIn(
  all: readonly { readonly sentence: Sentence }[],
  { phrase, sources }: Pick<ForgetTarget, "phrase" | "sources">,
): Sentence[] {
  const sentences = all.map(({ sentence }) => sentence);
  // the only one that there is, in whatever words
  if (sentences.length === 1 && sources.size === 1) return sentences;
  const shares = sentences.map(({ words }) => phrase.shareIn(words));
  const most = shares.reduce((a, b) => Math.max(a, b), 0);
  const least = Math.min(FOUND_IN_SHARE, most);
  return sentences.filter((_, i) => most > 0 && (shares[i] ?? 0) >= least);
}
