import type { Closers } from "../base/closers.ts";
import type { Log } from "../base/log.ts";
import type { ProcessPool } from "../base/process-pool.ts";
import type { Config } from "../config/config.ts";
import { Describer } from "../ingest/describe/describer.ts";
import { Films, type Scratch } from "../ingest/describe/films.ts";
import type { Parse } from "../ingest/parse/parsed.ts";
import { Parser } from "../ingest/parse/parser.ts";
import type { FurtherModels } from "./media-models.ts";

interface Deps {
  readonly log: Log;
  readonly closers: Closers;
  readonly models: Pick<FurtherModels, "vision" | "speech">;
  readonly scratch: Scratch;
  readonly ids: () => string;
}

/** How files are read and described. */
export interface FileReading {
  readonly parse: Parse;
  readonly describer: Describer;
  readonly pool: ProcessPool;
}

/** No process is started before the first file that needs one; ffmpeg is looked for where a model would use it. */
export async function openReading(config: Config, { log, closers, models, scratch, ids }: Deps): Promise<FileReading> {
  const parser = new Parser({ limitSeconds: config.parseTimeoutSeconds, memoryMb: config.parseMemoryMb, log });
  closers.add("parsers", "work", () => parser.close());
  const { vision, speech } = models;
  const films = vision || speech ? await Films.open(scratch, ids) : undefined;
  const describer = new Describer({ vision, speech, films, shown: parser.shown.bind(parser) });
  return { parse: describer.telling(parser.parse.bind(parser)), describer, pool: parser.pool };
}
