import { atOnce } from "../base/event-loop.ts";
import { boilerplateLayers } from "./boilerplate-layers.ts";
import { codeLayers } from "./code/code-layers.ts";
import { podDocument } from "./code/pod-markdown.ts";
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
  const pod = podDocument(source);
  if (pod !== undefined) return yield* proseLayerSteps(pod, words, name);
  const record = boilerplateLayers(source, words) ?? (yield* recordLayers(source, words));
  yield;
  if (record !== undefined) return record;
  const title = source.title.trim() || words;
  if (source.kind === "code") return codeLayers(source, name, title);
  const isProse = source.kind !== "data" && source.kind !== "binary";
  return isProse ? yield* proseLayerSteps(source, words, name) : outlineLayers(source, name, title);
}
