import { boundedFetch } from "./bounded-fetch.ts";
import { GOOGLE_SDK, OPENAI_URL } from "./sdk.ts";

export interface RemoteModel {
  readonly provider: "openai" | "google";
  readonly model: string;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** Requested dimensions; undefined for the model's default. */
  readonly dimensions: number | undefined;
}

export type Purpose = "document" | "query";

/**
 * One call of an embedding model. Throws ProviderFault without a usable response, and an SDK error for an
 * unexpected format.
 */
export type EmbedCall = (
  values: readonly string[],
  purpose: Purpose,
  signal: AbortSignal,
) => Promise<{ readonly embeddings: readonly (readonly number[])[]; readonly tokens: number }>;

/** The part of the SDK's embedding models that is used. */
interface SdkModel {
  doEmbed(call: {
    values: string[];
    abortSignal: AbortSignal;
    providerOptions: Record<string, Record<string, string | number>>;
  }): PromiseLike<{ embeddings: number[][]; usage?: { tokens: number } }>;
}

interface GoogleSdk {
  createGoogleGenerativeAI(options: object): { embeddingModel(id: string): SdkModel };
}

/** Large enough for 32 vectors of 16,384 components, about 10 MiB. */
const fetchBounded = boundedFetch({
  maxBytes: 16 * 1024 * 1024,
  maxValues: 33 * 16_384,
  settings: "CTXDB_EMBEDDING",
});
const GOOGLE_TASKS: Record<Purpose, string> = { document: "RETRIEVAL_DOCUMENT", query: "RETRIEVAL_QUERY" };

/** Loads the SDK, which is slow; called with the first text. */
export async function loadEmbedCall({
  provider,
  model,
  baseUrl,
  apiKey,
  dimensions,
}: RemoteModel): Promise<EmbedCall> {
  const options = { name: provider, baseURL: baseUrl, apiKey, fetch: fetchBounded };
  if (provider === "google") {
    const sdk: GoogleSdk = await import(GOOGLE_SDK);
    // without a key, the SDK would look for one in the environment
    const google = sdk.createGoogleGenerativeAI({ ...options, apiKey: apiKey ?? "" }).embeddingModel(model);
    return calling(google, (purpose) => ({
      google: {
        taskType: GOOGLE_TASKS[purpose],
        ...(dimensions !== undefined && { outputDimensionality: dimensions }),
      },
    }));
  }
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const openai = createOpenAICompatible({ ...options, baseURL: baseUrl ?? OPENAI_URL }).embeddingModel(model);
  return calling(openai, () => ({ openaiCompatible: { ...(dimensions !== undefined && { dimensions }) } }));
}

const calling =
  (
    model: SdkModel,
    optionsFor: (purpose: Purpose) => Record<string, Record<string, string | number>>,
  ): EmbedCall =>
  async (values, purpose, abortSignal) => {
    const { embeddings, usage } = await model.doEmbed({
      values: [...values],
      abortSignal,
      providerOptions: optionsFor(purpose),
    });
    return { embeddings, tokens: usage?.tokens ?? 0 };
  };
