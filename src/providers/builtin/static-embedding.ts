import { INSTANT_DIMENSIONS, INSTANT_SPACE } from "../../domain/chunk.ts";
import { invalidArgument } from "../../domain/errors.ts";
import { languageOf } from "../../domain/text/languages.ts";
import { type InstantEmbedder, MAX_EMBED_TEXTS } from "../embedding.ts";
import { modelFiles } from "./model-files.ts";
import { type Vocabulary, WordPiece } from "./wordpiece.ts";

/**
 * Known share of text in other languages with Latin script: the English model knows only names and cognates
 * in it.
 */
const FOREIGN_SHARE = 0.25;

/** Maximum number of word pieces; the rest of a longer text is ignored. */
export const MAX_STATIC_PIECES = 512;
const DIMENSIONS = INSTANT_DIMENSIONS;

interface Table {
  readonly rows: Int8Array;
  readonly scales: Float32Array;
  readonly pieces: WordPiece;
}

/**
 * The shipped static embedding table: a text's vector is the normalised sum of its word pieces' rows.
 * `folder` contains `static.i8`, `static.scale.f32`, `tokenizer.json` and the `MANIFEST.json` with their
 * SHA-256, which is verified on first use. Throws EMBEDDING_FAILED on every use if a file is damaged.
 */
export function staticEmbedder(folder: string): InstantEmbedder {
  let table: Table | undefined;
  const loaded = (): Table => {
    table ??= load(folder);
    return table;
  };

  const embedNow = (text: string): Float32Array => embedWith(loaded(), text);

  return {
    space: { name: INSTANT_SPACE, dimensions: DIMENSIONS },
    instant: true,
    embedNow,
    async embed(texts, signal) {
      if (texts.length > MAX_EMBED_TEXTS)
        throw invalidArgument("texts", `must have at most ${MAX_EMBED_TEXTS} texts`);
      return texts.map((text) => {
        signal?.throwIfAborted();
        return embedNow(text);
      });
    },
    countPieces(text) {
      let count = 0;
      loaded().pieces.each(text, () => {
        count++;
        return true;
      });
      return count;
    },
    knownShare(text) {
      const { pieces } = loaded();
      let known = 0;
      let count = 0;
      pieces.each(text, (id) => {
        if (pieces.understands(id)) known++;
        return ++count < MAX_STATIC_PIECES;
      });
      const share = count === 0 ? 0 : known / count;
      return languageOf(text) === undefined ? share : FOREIGN_SHARE * share;
    },
  };
}

function embedWith({ rows, scales, pieces }: Table, text: string): Float32Array {
  const sum = new Float64Array(DIMENSIONS);
  let count = 0;
  pieces.each(text, (id) => {
    const scale = scales[id]!;
    const at = id * DIMENSIONS;
    for (let d = 0; d < DIMENSIONS; d++) sum[d]! += scale * rows[at + d]!;
    return ++count < MAX_STATIC_PIECES;
  });
  let square = 0;
  for (const value of sum) square += value * value;
  const vector = new Float32Array(DIMENSIONS);
  if (square > 0) {
    const factor = 1 / Math.sqrt(square);
    for (let d = 0; d < DIMENSIONS; d++) vector[d] = sum[d]! * factor;
  }
  return vector;
}

function load(folder: string): Table {
  const file = modelFiles(folder);
  const rows = file("static.i8");
  const scales = file("static.scale.f32");
  const { model }: { model: Vocabulary } = JSON.parse(file("tokenizer.json").toString());
  return {
    rows: new Int8Array(rows.buffer, rows.byteOffset, rows.byteLength),
    scales: Float32Array.from({ length: scales.byteLength / 4 }, (_, i) => scales.readFloatLE(i * 4)),
    pieces: new WordPiece(model),
  };
}
