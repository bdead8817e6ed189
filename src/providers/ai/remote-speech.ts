import { z } from "zod";
import { estimateTokens } from "../../domain/text/tokens.ts";
import { ProviderFault } from "../fault.ts";
import type { Media } from "../language.ts";
import type { SpeechModel } from "../speech.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { GuardedCalls } from "./guarded-calls.ts";
import { MAX_ANSWER_VALUES, type RemoteLanguage } from "./language-call.ts";
import { type LanguageDeps, remoteLanguage } from "./remote-language.ts";
import { OPENAI_URL } from "./sdk.ts";

/** Concurrency limits and timeout; a long recording takes minutes. */
const CALLS = {
  name: "speech model",
  failed: "VLM_FAILED",
  meanwhile: "recordings are stored without what they say",
  manner: { requests: 2, waiting: 256, limitMs: 300_000, retries: 1, rests: 0 },
  work: "recordings",
} as const;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

const TRANSCRIPTION = z.object({
  text: z.string(),
  usage: z.object({ input_tokens: z.number().optional(), output_tokens: z.number().optional() }).optional(),
});

/**
 * A speech model: OpenAI's transcription API, which many servers support, or a Google model that accepts
 * audio.
 */
export function remoteSpeech(remote: RemoteLanguage, deps: LanguageDeps): SpeechModel {
  return remote.provider === "openai" ? new TranscriptionApi(remote, deps) : hearing(remote, deps);
}

class TranscriptionApi implements SpeechModel {
  readonly provider: string;
  readonly model: string;
  readonly #remote: RemoteLanguage;
  readonly #fetch: ReturnType<typeof boundedFetch>;
  readonly #calls: GuardedCalls;

  constructor(remote: RemoteLanguage, deps: LanguageDeps) {
    this.provider = remote.provider;
    this.model = remote.model;
    this.#remote = remote;
    this.#fetch = boundedFetch({
      maxBytes: MAX_ANSWER_BYTES,
      maxValues: MAX_ANSWER_VALUES,
      settings: remote.settings,
    });
    this.#calls = new GuardedCalls(CALLS, remote, deps);
  }

  transcribe(recording: Media, { signal, count }: Parameters<SpeechModel["transcribe"]>[1]): Promise<string> {
    const attempt = async (ended: AbortSignal): Promise<string> => {
      const { text, usage } = await this.#ask(recording, ended);
      count({ prompt: usage?.input_tokens ?? 0, completion: usage?.output_tokens ?? estimateTokens(text) });
      return text;
    };
    return this.#calls.run(attempt, signal);
  }

  close(): void {
    this.#calls.close();
  }

  async #ask({ mime, bytes }: Media, signal: AbortSignal): Promise<z.infer<typeof TRANSCRIPTION>> {
    const { model, apiKey, baseUrl = OPENAI_URL } = this.#remote;
    const form = new FormData();
    form.set("model", model);
    form.set("response_format", "json");
    form.set("file", new Blob([bytes.slice()], { type: mime }), `recording.${EXTENSIONS[mime] ?? "bin"}`);
    const answer = await this.#fetch(`${baseUrl.replace(/\/+$/, "")}/audio/transcriptions`, {
      method: "POST",
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
      body: form,
      signal,
    });
    const said = TRANSCRIPTION.safeParse(await answer.json().catch(() => undefined));
    if (!said.success) throw new ProviderFault("input", "its answer is not a transcription");
    return said.data;
  }
}

/** File extension by media type, because servers detect the audio format by file name. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  "audio/mpeg": "mp3",
  "audio/wav": "wav",
  "audio/mp4": "m4a",
  "audio/ogg": "ogg",
  "audio/flac": "flac",
  "audio/webm": "webm",
};

const HEARD = {
  prompt: "transcript/1",
  instructions:
    'You write down what is said in a recording, word for word, in the language in which it is said, with a line for each speaker\'s turn. "text" is that, and "" where nobody speaks.',
  material: [],
  answer: z.object({ text: z.string() }),
};

function hearing(remote: RemoteLanguage, deps: LanguageDeps): SpeechModel {
  const model = remoteLanguage(remote, deps);
  return {
    provider: model.provider,
    model: model.model,
    transcribe: async (recording, asking) =>
      (await model.generate({ ...HEARD, media: [recording] }, { ...asking, isUrgent: false })).text,
    close: () => model.close(),
  };
}
