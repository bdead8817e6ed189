import { EventLoopYielder } from "../base/event-loop.ts";
import { embeddedText, type Level, MAX_CHUNKS_PER_FILE } from "../domain/chunk.ts";
import { quantise } from "../domain/quantise.ts";
import { weightedLength, weightedTerms } from "../domain/text/analyse.ts";
import { languageOf, languageOfParts, type StemmedLanguage } from "../domain/text/languages.ts";
import type { InstantEmbedder } from "../providers/embedding.ts";
import type { NewChunk } from "../workspace/tree/builder.ts";
import { type ChunkOptions, chunkSteps } from "./chunk-text.ts";

/** Weight of the surrounding text relative to the passage. */
const BORDER_WEIGHT = 0.5;

export interface Passage {
  readonly text: string;
  readonly start: number;
  readonly border: string;
  readonly title: string;
}

interface About extends Pick<NewChunk, "level" | "start" | "end"> {
  readonly title: string;
  readonly language: StemmedLanguage | undefined;
}

/** Creates the indexed form of texts: terms and an instant vector each, synchronously (decision 6). */
export class TextIndex {
  readonly #embedder: InstantEmbedder;
  /** Number of texts embedded since the start, for metrics. */
  embedded = 0;

  constructor(embedder: InstantEmbedder) {
    this.#embedder = embedder;
  }

  /**
   * The chunks of a file's text; yields to the event loop. A text without words (an empty or binary file)
   * becomes one chunk with its title, so that it can be found by name.
   */
  async ofText(text: string, about: Pick<ChunkOptions, "title" | "kind" | "headings">): Promise<NewChunk[]> {
    const yielder = new EventLoopYielder();
    const cut = await yielder.through(
      chunkSteps(text, { ...about, countPieces: (piece) => this.#embedder.countPieces(piece) }),
    );
    if (cut.length === 0)
      return [this.#chunk("", { title: about.title, level: 2, start: 0, end: 0, language: undefined })];
    const parts = cut.slice(0, MAX_CHUNKS_PER_FILE);
    const languages: (StemmedLanguage | undefined)[] = [];
    for (const { start, end } of parts) {
      languages.push(languageOf(text.slice(start, end)));
      await yielder.yieldIfDue();
    }
    const ofDocument = languageOfParts(languages);
    const chunks: NewChunk[] = [];
    for (const [i, { start, end, title }] of parts.entries()) {
      const language = languages[i] ?? ofDocument;
      chunks.push(this.#chunk(text.slice(start, end), { title, level: 2, start, end, language }));
      await yielder.yieldIfDue();
    }
    return chunks;
  }

  /** Embeds a text with the built-in model, without storing it. */
  vectorOf(text: string): Float32Array {
    return this.#embedder.embedNow(text);
  }

  /** L0 or L1 of a directory as one chunk. */
  ofLayer(text: string, title: string, level: Exclude<Level, 2>): NewChunk {
    return this.#chunk(text, { title, level, start: 0, end: text.length, language: languageOf(text) });
  }

  /**
   * A part of a conversation as one chunk (docs/memory.md). A hit shows its file from `start`. `border`: the
   * text directly before and after it, with half the weight; `title` precedes it for embedding.
   */
  ofPassage({ text, start, border, title }: Passage): NewChunk {
    this.embedded++;
    const terms = weightedTerms(text);
    for (const [term, weight] of weightedTerms(border))
      terms.set(term, (terms.get(term) ?? 0) + weight * BORDER_WEIGHT);
    const instant = quantise(this.#embedder.embedNow(embeddedText(title, text.slice(start))));
    return { level: 2, start, end: text.length, length: weightedLength(terms), terms, instant, title };
  }

  #chunk(text: string, { title, level, start, end, language }: About): NewChunk {
    this.embedded++;
    const terms = weightedTerms(text, title, { language });
    const instant = quantise(this.#embedder.embedNow(embeddedText(title, text)));
    return { level, start, end, length: weightedLength(terms), terms, instant, title };
  }
}
