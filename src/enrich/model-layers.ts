import { z } from "zod";
import { LruCache } from "../base/lru-cache.ts";
import { sha256 } from "../base/sha256.ts";
import { isCjk } from "../domain/text/tokens.ts";
import type { Adviser, CallScope } from "../providers/language.ts";
import { type Layers, MAX_ABSTRACT_LENGTH, MAX_FILE_OVERVIEW_LENGTH } from "./layers.ts";
import { type LayersPrompt, WISH } from "./prompts.ts";
import { beginningAndEnd, shorten } from "./shorten.ts";

/** Maximum characters that a model reads: beginning and end of a longer text. */
const READ_LENGTH = 24_000;
/** Maximum number of cached answers. */
const MAX_KEPT = 4096;
/** Minimum share of CJK letters in a text for which its layers must also be in that script. */
const MOSTLY = 0.5;

const ANSWER = z.object({ abstract: z.string(), overview: z.string() });

/** A copy of the part of a text that a model reads, so that the rest is not retained. */
export const readPart = (whole: string): string =>
  Buffer.from(beginningAndEnd(whole, READ_LENGTH)).toString();

/** Input for layers. */
export interface Told {
  /** Kind of the file in one word, such as "picture". */
  readonly label: string;
  readonly text: string;
  /** The import's `instruction`. */
  readonly wish?: string;
}

/** Creates layers with a language model. The answer for a text is cached. */
export class ModelLayers {
  readonly #adviser: Adviser;
  readonly #kept = new LruCache<Layers>(MAX_KEPT);

  constructor(adviser: Adviser) {
    this.#adviser = adviser;
  }

  /**
   * Layers of a text, limited in length and in its script; undefined if the text is too short or the model
   * has no usable answer.
   */
  async of(
    { prompt, instructions, leastLength }: LayersPrompt,
    told: Told,
    asked: CallScope,
  ): Promise<Layers | undefined> {
    if (told.text.trim().length < leastLength) return undefined;
    const text = beginningAndEnd(told.text, READ_LENGTH);
    const { label, wish = "" } = told;
    const material =
      wish === ""
        ? [{ label, text }]
        : [
            { label: WISH, text: wish },
            { label, text },
          ];
    // accounts share nothing, not even answers for equal texts
    const key = `${asked.workspace}/${this.#adviser.name}/${prompt}/${sha256(`${wish}\n${text}`)}`;
    const kept = this.#kept.get(key);
    const answer =
      kept ?? (await this.#adviser.ask({ prompt, instructions, material, answer: ANSWER }, asked));
    const layers = answer && bounded(answer);
    if (!layers || !isUsable(layers, text)) return undefined;
    this.#kept.set(key, layers);
    return layers;
  }
}

const bounded = ({ abstract, overview }: Layers): Layers => ({
  abstract: shorten(abstract.replace(/\s+/g, " ").trim(), MAX_ABSTRACT_LENGTH),
  overview: shorten(overview.trim(), MAX_FILE_OVERVIEW_LENGTH),
});

function isUsable({ abstract, overview }: Layers, text: string): boolean {
  if (!/\p{L}/u.test(abstract) || !/\p{L}/u.test(overview)) return false;
  return cjkShare(text) >= MOSTLY ? cjkShare(abstract) > 0 : cjkShare(abstract) < MOSTLY;
}

function cjkShare(text: string): number {
  const letters = text.match(/\p{L}/gu) ?? [];
  return letters.length === 0
    ? 0
    : letters.filter((letter) => isCjk(letter.charCodeAt(0))).length / letters.length;
}
