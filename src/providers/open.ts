import type { Log } from "../base/log.ts";
import { miniLmEmbedder } from "./builtin/minilm-embedding.ts";
import { staticEmbedder } from "./builtin/static-embedding.ts";
import type { Embedders } from "./embedding.ts";

/** The embedders of a provider by its name in the settings; `models` is the folder of the shipped models. Nothing is loaded or started yet. */
export function openEmbedders(provider: string, models: string, log: Log): Embedders {
  const instant = staticEmbedder(models);
  return { instant, queued: provider === "light" ? [] : [miniLmEmbedder(models, instant, log)] };
}
