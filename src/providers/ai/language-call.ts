import type { Media } from "../language.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { ANTHROPIC_SDK, ANTHROPIC_URL, GOOGLE_SDK, OPENAI_URL } from "./sdk.ts";

/** Settings group of a model. */
export type ModelSettings = "CTXDB_LLM" | "CTXDB_VISION" | "CTXDB_SPEECH";

export interface RemoteLanguage {
  readonly provider: "openai" | "anthropic" | "google";
  readonly model: string;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** Settings group named in errors. */
  readonly settings: ModelSettings;
}

export interface Wording {
  readonly system: string;
  readonly user: string;
  readonly media: readonly Media[];
  /** JSON Schema of the answer; undefined if only the prompt describes the format. */
  readonly schema: Record<string, unknown> | undefined;
}

export interface Worded {
  readonly text: string;
  /** Undefined if the provider does not report tokens. */
  readonly prompt: number | undefined;
  readonly completion: number | undefined;
}

/**
 * One call of a language model. Throws ProviderFault without a usable response, and an SDK error for an
 * unexpected format.
 */
export type LanguageCall = (wording: Wording, signal: AbortSignal) => Promise<Worded>;

/** Maximum tokens of an answer, including the model's reasoning. */
const MAX_ANSWER_TOKENS = 8192;
const MAX_ANSWER_BYTES = 1024 * 1024;
/** Maximum number of values and names in an answer; more than its tokens have room for. */
export const MAX_ANSWER_VALUES = 20_000;

type UserPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "file"; readonly mediaType: string; readonly data: Uint8Array };

/** The part of the SDK's language models that is used. */
interface SdkModel {
  doGenerate(call: {
    prompt: ({ role: "system"; content: string } | { role: "user"; content: UserPart[] })[];
    responseFormat?: { type: "json"; schema: Record<string, unknown>; name: string };
    maxOutputTokens?: number;
    providerOptions?: Record<string, Record<string, number>>;
    abortSignal: AbortSignal;
  }): PromiseLike<{
    content: readonly { readonly type: string; readonly text?: string }[];
    usage: { inputTokens: { total: number | undefined }; outputTokens: { total: number | undefined } };
  }>;
}

interface Sdk {
  createGoogleGenerativeAI(options: object): { languageModel(id: string): SdkModel };
  createAnthropic(options: object): { languageModel(id: string): SdkModel };
}

/** Loads the SDK; called with the first question. */
export async function loadLanguageCall(remote: RemoteLanguage): Promise<LanguageCall> {
  const { provider, baseUrl } = remote;
  const model = await sdkModel(remote);
  // new OpenAI models reject the old parameter; many other servers do not know the new one
  const limit =
    provider === "openai" && baseUrl === undefined
      ? { providerOptions: { [provider]: { max_completion_tokens: MAX_ANSWER_TOKENS } } }
      : { maxOutputTokens: MAX_ANSWER_TOKENS };
  return async ({ system, user, media, schema }, abortSignal) => {
    const { content, usage } = await model.doGenerate({
      prompt: [
        { role: "system", content: system },
        { role: "user", content: [{ type: "text", text: user }, ...media.map(filePart)] },
      ],
      ...(schema && { responseFormat: { type: "json", schema, name: "answer" } }),
      ...limit,
      abortSignal,
    });
    const text = content.flatMap((part) => (part.type === "text" ? [part.text ?? ""] : [])).join("");
    return { text, prompt: usage.inputTokens.total, completion: usage.outputTokens.total };
  };
}

const filePart = ({ mime, bytes }: Media): UserPart => ({ type: "file", mediaType: mime, data: bytes });

async function sdkModel({ provider, model, baseUrl, apiKey, settings }: RemoteLanguage): Promise<SdkModel> {
  const fetch = boundedFetch({ maxBytes: MAX_ANSWER_BYTES, maxValues: MAX_ANSWER_VALUES, settings });
  // without a key and an address, the SDKs would look for them in the environment
  const options = { name: provider, baseURL: baseUrl, apiKey: apiKey ?? "", fetch };
  if (provider === "google") {
    const { createGoogleGenerativeAI }: Sdk = await import(GOOGLE_SDK);
    return createGoogleGenerativeAI(options).languageModel(model);
  }
  if (provider === "anthropic") {
    const { createAnthropic }: Sdk = await import(ANTHROPIC_SDK);
    return createAnthropic({ ...options, baseURL: baseUrl ?? ANTHROPIC_URL }).languageModel(model);
  }
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const openai = { ...options, apiKey, baseURL: baseUrl ?? OPENAI_URL, supportsStructuredOutputs: true };
  return createOpenAICompatible(openai).languageModel(model);
}
