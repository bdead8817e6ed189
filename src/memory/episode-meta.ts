import type { Workspace } from "../workspace/workspace.ts";
import type { FactSource } from "./fact-file.ts";
import type { MemoryTimes } from "./held-facts.ts";
import type { MemoryFile } from "./memory-files.ts";
import type { MemoryOrigin } from "./utterance.ts";

/** Provenance of an episode, in the metadata of its file. */
export interface EpisodeMeta extends Partial<FactSource> {
  readonly origin?: MemoryOrigin;
  /** When its first and its last message were said, Unix times in ms. */
  readonly said?: readonly [number, number];
}

export const episodeMeta = (workspace: Workspace, { entry }: Pick<MemoryFile, "entry">): EpisodeMeta =>
  (workspace.entryOf(entry.node)?.record.meta ?? {}) as EpisodeMeta;

/** The times of an episode: it counts from when all of it had been said. */
export function timesOfEpisode(
  { path, entry }: Pick<MemoryFile, "path" | "entry">,
  { origin, said }: EpisodeMeta,
): MemoryTimes {
  // the directory of an episode names its day
  const day = Date.parse(path.at(-2)?.slice(0, 10) ?? "") || entry.created;
  const [first, last] = said ?? [day, day];
  return { origin: origin ?? "user", from: last, isSuperseded: false, first, last };
}
