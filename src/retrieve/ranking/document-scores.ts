import { type NodeId, nodeId } from "../../domain/node.ts";
import type { SearchView } from "../view.ts";
import { TopK } from "./top-k.ts";

/** Number of best files whose documents are compared; each needs a look-up of its document. */
const COMPARED = 32;
/** Number of best chunks of a document that are averaged. */
const BEST = 3;
/**
 * Weight of the average per averaged chunk after the first; the file's best chunk has the remaining weight.
 */
const SHARE_PER_CHUNK = 0.25;

/** The compared files of a document. */
interface ComparedDocument {
  readonly files: number[];
  /** Whether the document has other files. */
  isDivided: boolean;
}

/**
 * F of the best files, moved towards the average of their documents' best chunks: one chunk may match by
 * chance, but a page on the subject has several that match. Unchanged for a document of one chunk and for
 * phrase matches. A chunk counts at least as much as the worst compared file, so that no other file
 * overtakes. `files`: F of each file's best chunks, from offerBest; never empty.
 */
export function blendWithDocumentAverages(
  { documentOf, phraseMatches }: Pick<SearchView, "documentOf" | "phraseMatches">,
  files: ReadonlyMap<number, readonly number[]>,
): Map<number, number> {
  const best = new TopK(COMPARED);
  let floor = Number.POSITIVE_INFINITY;
  for (const [file, [f = 0]] of files) best.offer(file, f);
  const documents = new Map<NodeId, ComparedDocument>();
  for (const file of best.keys()) {
    floor = Math.min(floor, files.get(file)?.[0] ?? floor);
    const { document, isWhole } = documentOf?.(nodeId(file)) ?? { document: nodeId(file), isWhole: true };
    const known = documents.get(document);
    known?.files.push(file);
    documents.set(document, {
      files: known?.files ?? [file],
      isDivided: known !== undefined || !isWhole,
    });
  }
  const scores = new Map<number, number>();
  for (const { files: parts, isDivided } of documents.values()) {
    const chunks = parts.flatMap((file) => files.get(file) ?? []);
    const count = isDivided ? BEST : Math.min(BEST, chunks.length);
    const average = averageOfBest(chunks, floor, count);
    const share = SHARE_PER_CHUNK * (count - 1);
    for (const file of parts) {
      const f = files.get(file)?.[0] ?? average;
      if (phraseMatches?.has(file) !== true) scores.set(file, f + share * (average - f));
    }
  }
  return scores;
}

/** Inserts a score into `best` (in descending order) if it is among the BEST highest. */
export function offerBest(best: number[], score: number): void {
  if (best.length === BEST && score <= (best[BEST - 1] ?? score)) return;
  let at = Math.min(best.length, BEST - 1);
  for (; at > 0 && (best[at - 1] ?? score) < score; at--) best[at] = best[at - 1] ?? score;
  best[at] = score;
}

/** Average of the `count` best scores, none less than `floor`; missing ones count as `floor`. */
function averageOfBest(scores: readonly number[], floor: number, count: number): number {
  const best = [...scores].sort((a, b) => b - a).slice(0, count);
  const sum = best.reduce((all, score) => all + Math.max(floor, score), 0);
  return (sum + floor * (count - best.length)) / count;
}
