import { join } from "node:path";
import { embeddedText } from "../../src/domain/chunk.ts";
import { type Embedder, MAX_EMBED_TEXTS } from "../../src/providers/embedding.ts";
import { openEmbedders } from "../../src/providers/open.ts";
import { REPOSITORY } from "../bench/harness/server.ts";
import { silentLog } from "../support/silent-log.ts";
import type { Text } from "./test-set.ts";

const DEPTH = 10;

/** The server's model, in processes of this program. */
export function openModel(provider: "builtin" | "light"): {
  readonly embedder: Embedder;
  readonly close: () => Promise<void>;
} {
  const { instant, queued } = openEmbedders(provider, join(REPOSITORY, "models"), silentLog);
  const embedder = queued[0];
  return embedder
    ? { embedder, close: () => embedder.close() }
    : { embedder: instant, close: async () => undefined };
}

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

async function embedAll(embedder: Embedder, texts: readonly string[]): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let from = 0; from < texts.length; from += MAX_EMBED_TEXTS)
    vectors.push(...(await embedder.embed(texts.slice(from, from + MAX_EMBED_TEXTS))));
  return vectors;
}

/**
 * Search with the model alone: one vector per document, truncated at the model's window. Returns the best
 * documents for a query.
 */
export async function plainCosine(
  embedder: Embedder,
  documents: readonly Text[],
): Promise<(query: string) => Promise<string[]>> {
  const vectors = await embedAll(
    embedder,
    documents.map(({ title = "", text }) => embeddedText(title, text)),
  );
  return async (query) => {
    const [asked] = await embedder.embed([query]);
    const scores = vectors.map((vector, i) => [i, dot(asked!, vector)] as const);
    return scores
      .sort(([a, x], [b, y]) => y - x || a - b)
      .slice(0, DEPTH)
      .map(([i]) => documents[i]!.id);
  };
}
