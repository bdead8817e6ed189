import { knownTextLayers } from "./known-texts.ts";
import type { LayerSource, Layers } from "./layers.ts";
import { outlineLayers } from "./outline-layers.ts";
import { proseLayers } from "./prose-layers.ts";
import { recordLayers } from "./record-layers.ts";
import { nameWords } from "./shorten.ts";

/**
 * Layers of a file without a language model, in the language of the file. Never empty: a file without words
 * gets its `name`. Deterministic.
 */
export function fileLayers(source: LayerSource, name: string): Layers {
  const words = nameWords(name, false);
  const record = knownTextLayers(source, words) ?? recordLayers(source, words);
  if (record !== undefined) return record;
  const title = source.title.trim() || words;
  const isProse = source.kind !== "data" && source.kind !== "code" && source.kind !== "binary";
  return isProse ? proseLayers(source, words, name) : outlineLayers(source, name, title);
}
