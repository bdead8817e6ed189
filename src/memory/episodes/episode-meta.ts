import type { Workspace } from "../../workspace/workspace.ts";
import type { FactSource } from "../facts/fact-file.ts";
import type { MemoryTimes } from "../facts/validity.ts";
import type { MemoryFile } from "../memory-files.ts";
import type { MemoryOrigin } from "../utterance.ts";

/** Provenance of an episode, stored in the metadata of its file. */
export interface EpisodeMeta extends Partial<FactSource> {
  readonly origin?: MemoryOrigin;
  /** Times of its first and last message, Unix time in ms. */
  readonly said?: readonly [number, number];
}

export const episodeMeta = (workspace: Workspace, { entry }: Pick<MemoryFile, "entry">): EpisodeMeta =>
  (workspace.entryOf(entry.node)?.record.meta ?? {}) as EpisodeMeta;

/** Times of an episode. It is valid from the time of its last message. */
export function timesOfEpisode(
  { path, entry }: Pick<MemoryFile, "path" | "entry">,
  { origin, said }: EpisodeMeta,
): MemoryTimes {
  // the name of an episode's directory contains its date
  const day = Date.parse(path.at(-2)?.slice(0, 10) ?? "") || entry.created;
  const [first, last] = said ?? [day, day];
  return { origin: origin ?? "user", from: last, isSuperseded: false, first, last };
}
