import type { Closers } from "../base/closers.ts";
import type { Log } from "../base/log.ts";
import type { ProcessPool } from "../base/processes/process-pool.ts";
import type { Config } from "../config/config.ts";
import { Describer } from "../ingest/describe/describer.ts";
import { type FilmScratch, Films } from "../ingest/describe/films.ts";
import type { Parse } from "../ingest/parse/parsed.ts";
import { Parser } from "../ingest/parse/process/parser.ts";
import type { MediaModels } from "./models.ts";

interface FileReadingDeps {
  readonly log: Log;
  readonly closers: Closers;
  readonly media: Pick<MediaModels, "vision" | "speech">;
  readonly scratch: FilmScratch;
  readonly ids: () => string;
}

/**
 * Files are parsed in child processes that start on demand. ffmpeg is looked up only if a media model needs
 * it.
 */
export async function openFileReading(
  config: Config,
  { log, closers, media, scratch, ids }: FileReadingDeps,
): Promise<{ parse: Parse; describer: Describer; pool: ProcessPool }> {
  const parser = new Parser({
    limitSeconds: config.parseTimeoutSeconds,
    memoryMb: config.parseMemoryMb,
    log,
  });
  closers.add("parsers", "work", () => parser.close());
  const { vision, speech } = media;
  const films = vision || speech ? await Films.open(scratch, ids) : undefined;
  const describer = new Describer({ vision, speech, films, shown: parser.shown.bind(parser) });
  return { parse: describer.withMediaWarnings(parser.parse.bind(parser)), describer, pool: parser.pool };
}
