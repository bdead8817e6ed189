import { atOnce } from "../base/event-loop.ts";
import { boilerplateLayers } from "./boilerplate-layers.ts";
import type { LayerSource, Layers } from "./layers.ts";
import { outlineLayers } from "./outline-layers.ts";
import { proseLayerSteps } from "./prose-layers.ts";
import { recordLayers } from "./record-layers.ts";
import { nameWords } from "./shorten.ts";

/**
 * Layers of a file without a language model, in the language of the file. Never empty: a file without words
 * gets its `name`. Deterministic.
 */
export const fileLayers = (source: LayerSource, name: string): Layers => atOnce(fileLayerSteps(source, name));

/** Like fileLayers, in steps. */
export function* fileLayerSteps(source: LayerSource, name: string): Generator<undefined, Layers> {
  const words = nameWords(name, false);
  const record = (yield* boilerplateLayers(source, words)) ?? (yield* recordLayers(source, words));
  yield;
  if (record !== undefined) return record;
  const title = source.title.trim() || words;
  const isProse = source.kind !== "data" && source.kind !== "code" && source.kind !== "binary";
  return isProse ? yield* proseLayerSteps(source, words, name) : outlineLayers(source, name, title);
}
