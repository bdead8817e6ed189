import { staticEmbedder } from "./builtin/static-embedding.ts";
import type { InstantEmbedder } from "./embedding.ts";

/** The embedder of the instant space, shipped in `models/`. */
export const openEmbedder = (models: string): InstantEmbedder => staticEmbedder(models);
