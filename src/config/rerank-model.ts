import type { Settings } from "./settings.ts";

export interface RerankConfig {
  readonly provider: "jina" | "cohere" | "tei";
  /** "" if the server has only one model. */
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
}

/** Default base URLs of the providers. */
const PUBLIC = {
  jina: "https://api.jina.ai/v1",
  cohere: "https://api.cohere.com/v2",
  tei: undefined,
} as const;

export function rerankFaults({
  CTXDB_RERANK_PROVIDER: provider,
  CTXDB_RERANK_MODEL: model,
  CTXDB_RERANK_BASE_URL: url,
  CTXDB_RERANK_API_KEY: key,
}: Settings): string[] {
  if (provider === undefined || provider === "none") return [];
  const why = `is required while CTXDB_RERANK_PROVIDER is ${provider}`;
  if (provider === "tei") return url === undefined ? [`CTXDB_RERANK_BASE_URL ${why}`] : [];
  const faults = model === undefined ? [`CTXDB_RERANK_MODEL ${why}`] : [];
  if (key === undefined && url === undefined)
    faults.push(`CTXDB_RERANK_API_KEY ${why}; for your own server without a key, set CTXDB_RERANK_BASE_URL`);
  return faults;
}

/** Undefined if reranking is off. */
export function rerankModel(found: Settings): RerankConfig | undefined {
  const {
    CTXDB_RERANK_PROVIDER: provider,
    CTXDB_RERANK_MODEL: model = "",
    CTXDB_RERANK_API_KEY: apiKey,
  } = found;
  if (provider === undefined || provider === "none") return undefined;
  const baseUrl = found.CTXDB_RERANK_BASE_URL ?? PUBLIC[provider];
  return baseUrl === undefined ? undefined : { provider, model, baseUrl, apiKey };
}
