import { pino } from "pino";
import { untraced } from "../../../src/base/trace.ts";
import { remoteLanguage } from "../../../src/providers/ai/remote-language.ts";
import { KEY, languageSuite, type Opening } from "./language.ts";

const opening =
  (provider: "openai" | "anthropic" | "google") =>
  ({ url, timing, write }: Opening) =>
    remoteLanguage(
      { provider, model: "small-1", baseUrl: url, apiKey: KEY, settings: "CTXDB_LLM" },
      { timing, trace: untraced, log: pino({ level: "info" }, { write }) },
    );

languageSuite("a language model of the OpenAI API", opening("openai"), (headers) => headers.authorization);
languageSuite(
  "a language model of the Anthropic API",
  opening("anthropic"),
  (headers) => headers["x-api-key"],
);
languageSuite(
  "a language model of the Google API",
  opening("google"),
  (headers) => headers["x-goog-api-key"],
);
