import type { NodeId, NodeRecord } from "../domain/node.ts";
import type { NamedWords } from "../domain/text/analyse.ts";
import type { ExploredDirectory, Hit, SearchTrace } from "./view.ts";

/** Maximum number of directories named in an explanation. */
const MAX_NAMED = 64;
const LEVELS = ["abstract", "overview", "content"] as const;

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;
const percent = (value: number): string => `${Math.round(value * 100)} %`;

/** Maximum number of query words named in a reason. */
const MAX_NAMED_WORDS = 8;
/** Minimum contribution of meaning to the score for mentioning it. */
const TELLING_MEANING = 0.2;

/** Explains in a sentence why a hit matched. `match`: its passage; `named` finds the query's words. */
export function matchReason(
  { level, quoted, dense, own, semantic }: Hit,
  named: NamedWords,
  match: string,
): string {
  const { found, missing } = named(match);
  const words = found.slice(0, MAX_NAMED_WORDS).map((word) => `"${word}"`);
  const reasons = [
    quoted
      ? "holds the query word for word"
      : words.length > 0 && `has ${missing === 0 ? "all words of the query" : words.join(", ")}`,
    dense >= TELLING_MEANING && "is close to it in meaning",
    semantic - own >= 0.05 && "lies in a folder that matches too",
  ].filter((reason) => reason !== false);
  const said = reasons.length > 0 ? reasons.join(", ") : "shares little with the query";
  return `${SUBJECTS[level]} ${said}`;
}

const SUBJECTS = ["The folder's abstract", "The folder's overview", "The passage"] as const;

/** Explanation of a hit's score (docs/retrieval.md, "The score"). */
export interface HitExplanation {
  readonly level: (typeof LEVELS)[number];
  /** Span of the best passage in the text of the level, in UTF-16 units. */
  readonly passage?: { readonly start: number; readonly end: number };
  /** Whether the passage contains the query verbatim, which outweighs all words of any other passage. */
  readonly quoted: boolean;
  readonly lexical: number;
  readonly dense: number;
  readonly own: number;
  readonly semantic: number;
  readonly hotness: number;
  readonly score: number;
  /** Score from the reranker, which replaces `semantic`. */
  readonly relevance?: number;
  /** Source messages of a memory; otherwise empty. */
  readonly sources: (Omit<MemorySource, "messages"> & { readonly messages: string[] })[];
}

export function explainHit(
  hit: Hit,
  passage: { start: number; end: number } | undefined,
  sources: readonly MemorySource[],
): HitExplanation {
  return {
    level: LEVELS[hit.level],
    ...(passage && { passage: { start: passage.start, end: passage.end } }),
    quoted: hit.quoted,
    lexical: rounded(hit.lexical),
    dense: rounded(hit.dense),
    own: rounded(hit.own),
    semantic: rounded(hit.semantic),
    hotness: rounded(hit.hotness),
    score: rounded(hit.score),
    sources: sources.map((source) => ({ ...source, messages: [...source.messages] })),
  };
}

/** Explanation of a search for callers, with directories as URIs. */
export interface SearchExplanation extends Omit<SearchTrace, "seeds" | "steps" | "spaces" | "missed"> {
  readonly query: string;
  readonly filtered: boolean;
  /** Number of hits that a model reranked. */
  readonly reranked: number;
  readonly spaces: string[];
  readonly missed: string[];
  readonly seeds: string[];
  /** Opened directories, in order. */
  readonly explored: string[];
  readonly rounds: number;
  readonly steps: ExplorationStep[];
}

/** A round in API responses. */
interface ExplorationStep extends Pick<ExploredDirectory, "waiting" | "changed"> {
  readonly uri: string;
  readonly score: number;
}

export function explainSearch(
  trace: SearchTrace,
  about: {
    readonly query: string;
    readonly filtered: boolean;
    readonly reranked: number;
    readonly uriOf: (directory: NodeId) => string | undefined;
  },
): SearchExplanation {
  const { query, filtered, reranked } = about;
  const steps = trace.steps.slice(0, MAX_NAMED).flatMap(({ directory, priority, waiting, changed }) => {
    const uri = about.uriOf(directory);
    return uri === undefined ? [] : [{ uri, score: rounded(priority), waiting, changed }];
  });
  return {
    query,
    filtered,
    reranked,
    ...trace,
    spaces: [...trace.spaces],
    missed: [...trace.missed],
    seeds: trace.seeds.slice(0, MAX_NAMED).flatMap((node) => about.uriOf(node) ?? []),
    explored: steps.map(({ uri }) => uri),
    rounds: trace.steps.length,
    steps,
  };
}

/** Describes the search in sentences, one per step. */
export function thinkingTrace({
  documents,
  candidates,
  spaces,
  missed,
  meaning,
  quotes,
  filtered,
  seeds,
  explored,
  rounds,
  converged,
  filled,
  reranked,
}: SearchExplanation): string[] {
  const steps = [
    `Scored ${documents} passages${filtered ? "; only those that pass the filter can be hits" : ""}.`,
    `Compared meaning in ${spaces.join(", then ") || "no space"}${missed.length > 0 ? `; the query was embedded too late for ${missed.join(", ")}` : ""}.`,
    `Weighted meaning at ${percent(meaning.documents)} for documents and ${percent(meaning.code)} for source code, words at the rest.`,
    `Took ${candidates.lexical} candidates by words and ${candidates.dense} by meaning, ${candidates.nodes} in all.`,
    seeds.length > 0
      ? `Started from ${seeds.length} folders, ${seeds[0]} first.`
      : "Started from no folder: none matches the query.",
    `Explored ${explored.length} folders in ${rounds} rounds; ${converged ? "the best hits no longer changed" : "no folder was left"}.`,
  ];
  if (quotes > 0) steps.splice(1, 0, `Found the query word for word in ${quotes} files.`);
  if (reranked > 0) steps.push(`Reranked the best ${reranked} hits with a model.`);
  if (filled > 0)
    steps.push(`Added ${filled} weaker candidates, because fewer hits were found than requested.`);
  return steps;
}

/** Maximum number of sources in a hit. */
const MAX_SOURCES = 16;

/** Messages of an archive that support a memory. */
export interface MemorySource {
  readonly session: string;
  readonly archive: number;
  /** Message ids. */
  readonly messages: readonly string[];
  /** The supported statement, if the file contains several. */
  readonly fact?: string;
}

/** Provenance fields of memory files (src/memory). */
interface MemoryMeta extends Partial<Omit<MemorySource, "fact">> {
  readonly facts?: {
    readonly facts: readonly { readonly text: string; readonly sources: readonly MemorySource[] }[];
  };
}

/**
 * Source messages of a memory: for an episode its own, for a fact file those of the facts in `match`. Empty
 * for anything else.
 */
export function memorySourcesOf(record: NodeRecord | undefined, match: string): MemorySource[] {
  const { facts, session, archive, messages } = (record?.meta ?? {}) as MemoryMeta;
  if (session !== undefined && archive !== undefined && messages) return [{ session, archive, messages }];
  const shown = (facts?.facts ?? []).filter(({ text }) => match.includes(text));
  return shown
    .flatMap(({ text, sources }) => sources.map((source) => ({ ...source, fact: text })))
    .slice(0, MAX_SOURCES);
}
