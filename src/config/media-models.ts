import { modelFaults } from "./model-faults.ts";
import type { Settings } from "./settings.ts";

type Provider = "openai" | "anthropic" | "google";

/** A model for images or recordings. */
export interface MediaModel {
  readonly provider: Provider;
  readonly model: string;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** Prefix of the settings that define it. */
  readonly settings: "CTXDB_LLM" | "CTXDB_VISION" | "CTXDB_SPEECH";
}

/** Undefined fields: the model is off. */
export interface MediaModelSettings {
  readonly vision: MediaModel | undefined;
  readonly speech: MediaModel | undefined;
}

/** OpenAI's default speech model. */
const WHISPER = "whisper-1";

export function mediaModelFaults(found: Settings): string[] {
  const { CTXDB_VISION_PROVIDER: vision, CTXDB_SPEECH_PROVIDER: speech } = found;
  if (speech === "anthropic")
    return ["CTXDB_SPEECH_PROVIDER: anthropic has no speech models: use openai or google"];
  return [
    ...(vision === undefined || vision === "none" ? [] : modelFaults("VISION", found)),
    ...(speech === undefined || speech === "none" ? [] : modelFaults("SPEECH", found)),
  ];
}

/** The configured media models; the default is what the language model's provider offers. */
export function mediaModels(found: Settings): MediaModelSettings {
  const language = {
    provider: found.CTXDB_LLM_PROVIDER,
    model: found.CTXDB_LLM_MODEL,
    baseUrl: found.CTXDB_LLM_BASE_URL,
    apiKey: found.CTXDB_LLM_API_KEY,
    settings: "CTXDB_LLM" as const,
  };
  const vision = {
    provider: found.CTXDB_VISION_PROVIDER,
    model: found.CTXDB_VISION_MODEL,
    baseUrl: found.CTXDB_VISION_BASE_URL,
    apiKey: found.CTXDB_VISION_API_KEY,
    settings: "CTXDB_VISION" as const,
  };
  const speech = {
    provider: found.CTXDB_SPEECH_PROVIDER,
    model: found.CTXDB_SPEECH_MODEL,
    baseUrl: found.CTXDB_SPEECH_BASE_URL,
    apiKey: found.CTXDB_SPEECH_API_KEY,
    settings: "CTXDB_SPEECH" as const,
  };
  return {
    vision: modelOf(vision.provider === undefined ? language : vision),
    speech: modelOf(speech.provider === undefined ? hearing(language) : speech),
  };
}

interface Named {
  readonly provider: Provider | "none" | undefined;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly settings: MediaModel["settings"];
}

const modelOf = ({ provider, model, ...rest }: Named): MediaModel | undefined =>
  provider === undefined || provider === "none" || model === undefined
    ? undefined
    : { ...rest, provider, model };

/**
 * Default speech model. Google's language models accept audio, OpenAI has a separate model; other servers are
 * unknown.
 */
function hearing(language: Named): Named {
  const { provider, baseUrl } = language;
  if (provider === "google") return language;
  return provider === "openai" && baseUrl === undefined
    ? { ...language, model: WHISPER }
    : { ...language, provider: "none" };
}
