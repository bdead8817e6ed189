import type { NodeRecord } from "../domain/node.ts";

/** Limit of sources in a hit. */
const MAX_SOURCES = 16;

/** Messages of an archive that support a memory. */
export interface MemorySource {
  readonly session: string;
  readonly archive: number;
  /** Ids. */
  readonly messages: readonly string[];
  /** The statement that they support, if the file holds several. */
  readonly fact?: string;
}

/** Provenance fields of memory files (src/memory). */
interface MemoryMeta extends Partial<Omit<MemorySource, "fact">> {
  readonly facts?: {
    readonly facts: readonly { readonly text: string; readonly sources: readonly MemorySource[] }[];
  };
}

/**
 * The source messages of a memory: for an episode its own, for a fact file those of the facts in `match`.
 * Empty for anything else.
 */
export function memorySourcesOf(record: NodeRecord | undefined, match: string): MemorySource[] {
  const { facts, session, archive, messages } = (record?.meta ?? {}) as MemoryMeta;
  if (session !== undefined && archive !== undefined && messages) return [{ session, archive, messages }];
  const shown = (facts?.facts ?? []).filter(({ text }) => match.includes(text));
  return shown
    .flatMap(({ text, sources }) => sources.map((source) => ({ ...source, fact: text })))
    .slice(0, MAX_SOURCES);
}
