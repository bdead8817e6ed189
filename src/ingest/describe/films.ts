import { hasFfmpeg, runFfmpeg } from "./ffmpeg.ts";

/** ffmpeg demuxers by media type. They are never guessed, because some demuxers open other files. */
const DEMUXERS: Readonly<Record<string, string>> = {
  "video/mp4": "mov",
  "video/quicktime": "mov",
  "video/x-matroska": "matroska",
  "video/webm": "matroska",
  "video/x-msvideo": "avi",
  "video/mpeg": "mpeg",
  "audio/mpeg": "mp3",
  "audio/wav": "wav",
  "audio/mp4": "mov",
  "audio/ogg": "ogg",
  "audio/flac": "flac",
};

/** Number of frames that represent a video, and their width in pixels. */
const FRAMES = 8;
const FRAME_WIDTH = 768;
/** Seconds between frames of a video of unknown length. */
const UNKNOWN_PACE_SECONDS = 10;
const MAX_FRAMES_BYTES = 8 * 1024 * 1024;
/** Maximum size of extracted audio, the providers' upload limit: about 100 minutes of speech at 32 kbit/s. */
const MAX_SOUND_BYTES = 24 * 1024 * 1024;

/** Stores temporary files for ffmpeg. */
export interface FilmScratch {
  write(id: string, content: AsyncIterable<Uint8Array>, maxBytes: number, limit: string): Promise<unknown>;
  path(id: string): Promise<string | undefined>;
  remove(id: string): Promise<void>;
}

/** Extracts frames and audio from videos with ffmpeg. */
export class Films {
  readonly #scratch: FilmScratch;
  readonly #ids: () => string;

  private constructor(scratch: FilmScratch, ids: () => string) {
    this.#scratch = scratch;
    this.#ids = ids;
  }

  static async open(scratch: FilmScratch, ids: () => string): Promise<Films | undefined> {
    return (await hasFfmpeg()) ? new Films(scratch, ids) : undefined;
  }

  /** Whether videos of this type are supported. */
  static knows(mime: string): boolean {
    return Object.hasOwn(DEMUXERS, mime);
  }

  /**
   * Up to FRAMES evenly spaced frames (JPEG). `seconds`: length of the video, if known. Rejects if there are
   * no frames.
   */
  frames(
    mime: string,
    bytes: Uint8Array,
    seconds: number | undefined,
    signal: AbortSignal,
  ): Promise<Buffer[]> {
    const pace = seconds !== undefined && seconds > 0 ? Math.max(seconds / FRAMES, 1) : UNKNOWN_PACE_SECONDS;
    const filter = `fps=1/${pace.toFixed(3)},scale='min(${FRAME_WIDTH},iw)':-2`;
    const after = [
      "-map",
      "0:v:0",
      "-vf",
      filter,
      "-frames:v",
      String(FRAMES),
      "-f",
      "image2pipe",
      "-c:v",
      "mjpeg",
      "-q:v",
      "5",
    ];
    return this.#run(mime, bytes, after, MAX_FRAMES_BYTES, signal).then(pictures);
  }

  /** The audio as mono MP3, cut at the size limit. Rejects if there is no audio. */
  sound(mime: string, bytes: Uint8Array, signal: AbortSignal): Promise<Buffer> {
    const after = ["-map", "0:a:0", "-vn", "-ac", "1", "-ar", "16000", "-b:a", "32k", "-f", "mp3"];
    return this.#run(mime, bytes, after, MAX_SOUND_BYTES, signal);
  }

  async #run(
    mime: string,
    bytes: Uint8Array,
    after: string[],
    maxBytes: number,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const demuxer = DEMUXERS[mime];
    if (demuxer === undefined) throw new Error(`ffmpeg is not asked about ${mime}`);
    const id = this.#ids();
    try {
      await this.#scratch.write(id, once(bytes), bytes.length, "its own length");
      const input = await this.#scratch.path(id);
      if (input === undefined) throw new Error("the temporary file of the video is missing");
      return await runFfmpeg({ before: ["-f", demuxer], input: `file:${input}`, after, maxBytes }, signal);
    } finally {
      await this.#scratch.remove(id);
    }
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const START = Buffer.from([0xff, 0xd8, 0xff]);
const END = Buffer.from([0xff, 0xd9]);

/** Splits concatenated JPEG images; drops a truncated one. */
function pictures(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let start = bytes.indexOf(START); start >= 0 && found.length < FRAMES; ) {
    const end = bytes.indexOf(END, start + START.length);
    if (end < 0) break;
    found.push(bytes.subarray(start, end + END.length));
    start = bytes.indexOf(START, end + END.length);
  }
  return found;
}
