import { createRequire } from "node:module";
import { StartError } from "../../base/start-error.ts";

/** Optional dependencies that may be missing. */
export const GOOGLE_SDK = "@ai-sdk/google";
export const ANTHROPIC_SDK = "@ai-sdk/anthropic";
export const OPENAI_URL = "https://api.openai.com/v1";
export const ANTHROPIC_URL = "https://api.anthropic.com/v1";

const OPTIONAL: Readonly<Record<string, string>> = { google: GOOGLE_SDK, anthropic: ANTHROPIC_SDK };

/** Throws StartError if the provider's package is missing. `setting`: the setting that names the provider. */
export function assertInstalled(provider: string, setting: string): void {
  const sdk = OPTIONAL[provider];
  if (sdk === undefined) return;
  try {
    createRequire(import.meta.url).resolve(sdk);
  } catch (error) {
    throw new StartError(
      `${setting}=${provider} needs the package ${sdk}, which is not installed: run npm ci --include=optional`,
      error,
    );
  }
}
