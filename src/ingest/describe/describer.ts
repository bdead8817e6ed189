import type { WorkspaceId } from "../../domain/ids.ts";
import { headings } from "../../domain/text/headings.ts";
import type { Adviser, CallScope, Media } from "../../providers/language.ts";
import type { Transcriber } from "../../providers/speech.ts";
import { outlineOf } from "../parse/markdown/markdown.ts";
import { isMedia } from "../parse/media/formats.ts";
import type { Parse, Parsed } from "../parse/parsed.ts";
import { sections } from "../parse/sections.ts";
import { Films } from "./films.ts";
import { FILM, PICTURE } from "./prompts.ts";

/** Maximum length of a model's output per file, in characters. */
const MAX_DESCRIPTION_LENGTH = 4000;
const MAX_READ_LENGTH = 16_000;
const MAX_TRANSCRIPT_LENGTH = 2_000_000;
/** Maximum length of a transcript given to the vision model, in characters. */
const MAX_HEARD_LENGTH = 8000;
/** Maximum size of a recording that is sent without conversion if ffmpeg is missing: the providers' limit. */
const MAX_SENT_BYTES = 24 * 1024 * 1024;

export interface DescriberDeps {
  readonly vision: Adviser | undefined;
  readonly speech: Transcriber | undefined;
  /** Undefined if ffmpeg is not installed. */
  readonly films: Films | undefined;
  /**
   * Converts a picture to a format that models accept, in a process that can be killed. Rejects if it cannot
   * be decoded.
   */
  readonly shown: (workspace: WorkspaceId, bytes: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>;
}

/** A parsed picture, recording or video without a description. */
export interface Undescribed {
  readonly parsed: Parsed;
  readonly bytes: Uint8Array;
  /**
   * The importing caller's instruction; "" if none. Unlike the material, it comes from the owner and is
   * trusted.
   */
  readonly instruction: string;
}

interface Said {
  readonly description: string;
  readonly text: string;
  readonly transcript: string;
}

type Asking = Pick<CallScope, "workspace" | "signal">;

/** Lets models describe files in words. */
export class Describer {
  readonly #deps: DescriberDeps;

  constructor(deps: DescriberDeps) {
    this.#deps = deps;
  }

  /**
   * Why files of this media type are not described, worded for the caller of an import. Undefined if they are
   * described, or need no description.
   */
  whyNot(mime: string): string | undefined {
    const { vision, speech, films } = this.#deps;
    if (!isMedia(mime)) return undefined;
    const [kind] = mime.split("/");
    if (kind === "image" && !vision)
      return "described only by its metadata, because no vision model is configured";
    if (kind === "audio" && !speech)
      return "described only by its metadata, because no speech model is configured";
    if (kind !== "video") return undefined;
    if (!vision && !speech) return "no vision or speech model is configured: described by its metadata alone";
    return films ? undefined : "ffmpeg is not installed: described by its metadata alone";
  }

  describes(mime: string): boolean {
    return isMedia(mime) && this.whyNot(mime) === undefined;
  }

  /** Adds a warning to files that no model describes. */
  withMediaWarnings(parse: Parse): Parse {
    return async (name, bytes, options) => {
      const parsed = await parse(name, bytes, options);
      const why = parsed.error === undefined ? this.whyNot(parsed.mime) : undefined;
      return why === undefined ? parsed : { ...parsed, warnings: [...parsed.warnings, why] };
    };
  }

  /**
   * The file with the models' description as its text; undefined if there is none. Rejects only with the
   * signal's reason.
   */
  async describe(file: Undescribed, asking: Asking): Promise<Parsed | undefined> {
    const said = await this.#said(file, asking);
    return said && (said.description || said.text || said.transcript)
      ? withWords(file.parsed, said)
      : undefined;
  }

  async #said(file: Undescribed, asking: Asking): Promise<Said | undefined> {
    const { mime } = file.parsed;
    if (!this.describes(mime)) return undefined;
    if (mime.startsWith("image/")) return this.#picture(file, asking);
    return mime.startsWith("audio/") ? this.#recording(file, asking) : this.#film(file, asking);
  }

  async #picture({ parsed, bytes, instruction }: Undescribed, asking: Asking): Promise<Said | undefined> {
    const shown = await orNothing(this.#deps.shown(asking.workspace, bytes, asking.signal), asking.signal);
    if (!shown) return undefined;
    const question = {
      ...PICTURE,
      instructions: wished(PICTURE.instructions, instruction),
      material: [about(parsed)],
      media: [jpeg(shown)],
    };
    return bounded(await this.#deps.vision?.ask(question, asking));
  }

  async #recording({ parsed, bytes }: Undescribed, asking: Asking): Promise<Said | undefined> {
    const transcript = await this.#transcript(parsed.mime, bytes, asking);
    return transcript === undefined ? undefined : { description: "", text: "", transcript };
  }

  async #film({ parsed, bytes, instruction }: Undescribed, asking: Asking): Promise<Said | undefined> {
    const transcript = (await this.#transcript(parsed.mime, bytes, asking)) ?? "";
    const seen = await this.#frames(parsed, bytes, transcript, instruction, asking);
    return seen || transcript ? { description: "", text: "", ...bounded(seen), transcript } : undefined;
  }

  async #frames(parsed: Parsed, bytes: Uint8Array, transcript: string, instruction: string, asking: Asking) {
    const { vision, films } = this.#deps;
    if (!vision || !films) return undefined;
    const frames = await orNothing(
      films.frames(parsed.mime, bytes, parsed.seconds, asking.signal),
      asking.signal,
    );
    if (!frames?.length) return undefined;
    const heard =
      transcript === "" ? [] : [{ label: "what is said", text: transcript.slice(0, MAX_HEARD_LENGTH) }];
    const material = [about(parsed), ...heard];
    return vision.ask(
      { ...FILM, instructions: wished(FILM.instructions, instruction), material, media: frames.map(jpeg) },
      asking,
    );
  }

  async #transcript(mime: string, bytes: Uint8Array, asking: Asking): Promise<string | undefined> {
    const { speech, films } = this.#deps;
    if (!speech) return undefined;
    const sound =
      films && Films.knows(mime)
        ? await orNothing(films.sound(mime, bytes, asking.signal), asking.signal)
        : undefined;
    // without ffmpeg, or if it fails, send the file itself: the provider may support its format
    const recording: Media | undefined = sound
      ? { mime: "audio/mpeg", bytes: sound }
      : mime.startsWith("audio/")
        ? { mime, bytes }
        : undefined;
    if (!recording || recording.bytes.length === 0 || recording.bytes.length > MAX_SENT_BYTES)
      return undefined;
    return (await speech.transcribe(recording, asking))
      ?.trim()
      .slice(0, MAX_TRANSCRIPT_LENGTH)
      .toWellFormed();
  }
}

const jpeg = (bytes: Uint8Array): Media => ({ mime: "image/jpeg", bytes });
const about = ({ title, outline }: Parsed) => ({ label: "metadata", text: `${title}\n${outline}` });

const wished = (instructions: string, instruction: string): string =>
  instruction === "" ? instructions : `${instructions}\nWhoever keeps it asks to heed: ${instruction}`;

const bounded = (
  seen: { readonly description: string; readonly text: string } | undefined,
): Said | undefined =>
  seen && {
    description: seen.description.trim().slice(0, MAX_DESCRIPTION_LENGTH).toWellFormed(),
    text: seen.text.trim().slice(0, MAX_READ_LENGTH).toWellFormed(),
    transcript: "",
  };

/** Returns undefined if the media cannot be decoded. */
async function orNothing<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await work;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

function withWords(parsed: Parsed, { description, text, transcript }: Said): Parsed {
  const parts = [
    `# ${parsed.title}`,
    description,
    text && `## Text\n\n${text}`,
    transcript && `## Transcript\n\n${transcript}`,
    `## Metadata\n\n${parsed.outline}`,
  ];
  const words = `${parts.filter((part) => part !== "").join("\n\n")}\n`;
  const found = headings(words);
  const long = sections(words, found, parsed.title);
  const outline = [description.split("\n")[0], parsed.outline, text || transcript ? outlineOf(found) : ""]
    .filter(Boolean)
    .join("\n");
  return { ...parsed, text: words, converted: words, outline, ...(long && { sections: long }) };
}
