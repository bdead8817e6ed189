import { z } from "zod";
import { estimateTokens } from "../../domain/text/tokens.ts";
import { ProviderFault } from "../fault.ts";
import type { RerankModel } from "../rerank.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { GuardedCalls } from "./guarded-calls.ts";
import type { LanguageDeps } from "./remote-language.ts";

export interface RemoteRerank {
  /**
   * API format: Jina (also used by vLLM and others), Cohere version 2, or Hugging Face's
   * text-embeddings-inference.
   */
  readonly provider: "jina" | "cohere" | "tei";
  /** "" if the server has only one model. */
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
}

/** A caller waits, so there is one attempt; if it fails, the search continues without reranking. */
const CALLS = {
  name: "rerank model",
  failed: "VLM_FAILED",
  meanwhile: "hits keep their order",
  manner: { requests: 16, waiting: 0, limitMs: 2000, retries: 0, rests: 0 },
  work: "reranking",
} as const;
const fetchBounded = boundedFetch({ maxBytes: 1024 * 1024, maxValues: 10_000, settings: "CTXDB_RERANK" });

const LISTED = z.object({
  results: z.array(z.object({ index: z.number(), relevance_score: z.number() })),
  usage: z.object({ total_tokens: z.number().optional() }).optional(),
});
const BARE = z.array(z.object({ index: z.number(), score: z.number() }));

interface Judged {
  readonly scores: readonly { readonly index: number; readonly score: number }[];
  readonly tokens: number | undefined;
}

export class RemoteRerankModel implements RerankModel {
  readonly provider: string;
  readonly model: string;
  readonly #remote: RemoteRerank;
  readonly #calls: GuardedCalls;

  constructor(remote: RemoteRerank, deps: LanguageDeps) {
    this.provider = remote.provider;
    this.model = remote.model || "default";
    this.#remote = remote;
    this.#calls = new GuardedCalls(CALLS, this, deps);
  }

  relevance(
    query: string,
    texts: readonly string[],
    { signal, count }: Parameters<RerankModel["relevance"]>[2],
  ): Promise<number[]> {
    const attempt = async (ended: AbortSignal): Promise<number[]> => {
      const { scores, tokens } = await this.#ask(query, texts, ended);
      count({
        prompt: tokens ?? estimateTokens(query) + texts.reduce((sum, text) => sum + estimateTokens(text), 0),
        completion: 0,
      });
      return inOrder(scores, texts.length);
    };
    return this.#calls.run(attempt, signal);
  }

  close(): void {
    this.#calls.close();
  }

  async #ask(query: string, texts: readonly string[], signal: AbortSignal): Promise<Judged> {
    const { provider, model, baseUrl, apiKey } = this.#remote;
    const form =
      provider === "tei"
        ? { query, texts, raw_scores: false, truncate: true }
        : { ...(model && { model }), query, documents: texts, top_n: texts.length };
    const answer = await fetchBounded(`${baseUrl.replace(/\/+$/, "")}/rerank`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(form),
      signal,
    });
    const said: unknown = await answer.json().catch(() => undefined);
    const [listed, bare] = [LISTED.safeParse(said), BARE.safeParse(said)];
    if (bare.success) return { scores: bare.data, tokens: undefined };
    if (!listed.success) throw new ProviderFault("input", "its answer is not a list of scores");
    const scores = listed.data.results.map(({ index, relevance_score: score }) => ({ index, score }));
    return { scores, tokens: listed.data.usage?.total_tokens };
  }
}

/** Returns the scores in the order of the texts; checks that every text has exactly one valid score. */
function inOrder(scores: Judged["scores"], count: number): number[] {
  const found = new Array<number>(count).fill(Number.NaN);
  for (const { index, score } of scores)
    if (Number.isInteger(index) && index >= 0 && index < count) found[index] = score;
  if (!found.every((score) => score >= 0 && score <= 1))
    throw new ProviderFault("input", "its answer is not one score from 0 to 1 for each text");
  return found;
}
