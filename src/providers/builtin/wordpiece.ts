/**
 * BERT's uncased WordPiece tokenizer: cleans, lower-cases and removes accents; separates punctuation and
 * Chinese characters; prefers the longest piece. Yields the same ids as the model's own tokenizer, but is
 * several times faster.
 */

const MAX_CACHED_WORDS = 50_000;
const MAX_CACHED_LENGTH = 40;
/** Maximum word length in characters, as in BERT: a longer word is one unknown piece. */
const MAX_WORD_CHARACTERS = 100;

/** ASCII characters that are punctuation for BERT but not for Unicode. */
const SIGNS = "\\u0024\\u002b\\u003c-\\u003e\\u005e\\u0060\\u007c\\u007e";
const HAN =
  "\\u4e00-\\u9fff\\u3400-\\u4dbf\\uf900-\\ufaff\\u{20000}-\\u{2a6df}\\u{2a700}-\\u{2ebe0}\\u{2f800}-\\u{2fa1f}";
const WORD = new RegExp(`[\\p{P}${SIGNS}]|[${HAN}]|[^\\s\\p{P}${SIGNS}${HAN}]+`, "gu");
const ACCENT = /\p{Mn}/gu;
const UNPRINTABLE = /[\u0000\ufffd]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const ASCII = /^[\t\n\r\u0020-\u007e]*$/;
const ASCII_WORD = /[a-z0-9]+|[^\sa-z0-9]/g;
const CJK = /[\u2e80-\u9fff\uac00-\ud7af\u3040-\u30ff]/;

const CJK_RUN = new RegExp(`${CJK.source}+`, "g");
const LATIN_WORD = /\p{Script=Latin}{2}/u;

/**
 * The part of a text that the model understands. In Chinese, Japanese or Korean text with names in Latin
 * script, only these names, because the rest would add noise; otherwise the unchanged text.
 */
export function understood(text: string): string {
  if (!CJK.test(text)) return text;
  const names = text.normalize("NFKC").replace(CJK_RUN, " ").trim();
  return LATIN_WORD.test(names) ? names : text;
}

/** Lower-cases without context as the model does: a final sigma is not special. */
const folded = (text: string): string =>
  text
    .replace(UNPRINTABLE, "")
    .normalize("NFD")
    .replace(ACCENT, "")
    .replaceAll("\u03a3", "\u03c3")
    .toLowerCase();

export interface Vocabulary {
  /** Ids by piece, from 0 without gaps. */
  readonly vocab: Readonly<Record<string, number>>;
  readonly unk_token: string;
}

export class WordPiece {
  readonly #ids: ReadonlyMap<string, number>;
  readonly #unknown: number;
  /** 1 for ids of pieces that the model understands; 0 for the unknown piece and CJK. */
  readonly #understood: Uint8Array;
  readonly #cache = new Map<string, readonly number[]>();

  constructor(vocabulary: Vocabulary) {
    this.#ids = new Map(Object.entries(vocabulary.vocab));
    this.#unknown = this.#ids.get(vocabulary.unk_token) ?? 0;
    this.#understood = new Uint8Array(this.#ids.size);
    for (const [piece, id] of this.#ids)
      this.#understood[id] = id === this.#unknown || CJK.test(piece) ? 0 : 1;
  }

  /** Calls `take` with each id in order, without the special pieces, until it returns false. */
  each(text: string, take: (id: number) => boolean): void {
    const plain = ASCII.test(text) ? text.toLowerCase() : folded(text);
    const word = new RegExp(ASCII.test(plain) ? ASCII_WORD : WORD);
    for (let found = word.exec(plain); found !== null; found = word.exec(plain)) {
      for (const id of this.#piecesOf(found[0])) if (!take(id)) return;
    }
  }

  ids(text: string): number[] {
    const ids: number[] = [];
    this.each(text, (id) => ids.push(id) > 0);
    return ids;
  }

  understands(id: number): boolean {
    return this.#understood[id] === 1;
  }

  #piecesOf(word: string): readonly number[] {
    const known = this.#cache.get(word);
    if (known !== undefined) return known;
    const pieces = this.#split(word);
    if (word.length > MAX_CACHED_LENGTH) return pieces;
    if (this.#cache.size >= MAX_CACHED_WORDS) this.#cache.clear();
    this.#cache.set(Buffer.from(word, "utf16le").toString("utf16le"), pieces);
    return pieces;
  }

  #split(word: string): readonly number[] {
    if (word.length > MAX_WORD_CHARACTERS && [...word].length > MAX_WORD_CHARACTERS) return [this.#unknown];
    const ids: number[] = [];
    for (let start = 0; start < word.length; ) {
      let end = word.length;
      let id: number | undefined;
      for (; end > start; end--) {
        id = this.#ids.get((start > 0 ? "##" : "") + word.slice(start, end));
        if (id !== undefined) break;
      }
      if (id === undefined) return [this.#unknown];
      ids.push(id);
      start = end;
    }
    return ids;
  }
}
