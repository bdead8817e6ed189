import { type Evidence, fusedRow } from "./ranking/fuse.ts";
import type { Ranked, SearchView, ShownChunk } from "./view.ts";

/** Maximum number of a document's chunks read to find the best answer. */
const MAX_CHUNKS = 6;
/** Maximum score difference of chunks that may replace the best one. */
const NEAR = 0.12;
/** Number of first hits whose best chunk is searched; further hits show the chunk that was found. */
const MAX_WEIGHED_HITS = 5;
/** Maximum number of chunks considered for these; a longer file shows the chunk that was found. */
const MAX_LOOKED_AT = 512;
/** Maximum number of other parts of the document among them. */
const MAX_PARTS = 8;

/** The other found parts of a hit's document, best first; once per document. */
export function furtherParts(
  { documentOf: partOf }: SearchView,
  further: readonly Ranked[],
): (hit: Ranked) => readonly Ranked[] {
  const parts = new Map<number, Ranked[]>();
  for (const hit of further) {
    const document = partOf?.(hit.node).document;
    if (document === undefined || hit.level < 2) continue;
    const known = parts.get(document);
    if (!known) parts.set(document, [hit]);
    else if (known.length < MAX_PARTS) known.push(hit);
  }
  return ({ node }) => {
    const document = partOf?.(node).document ?? node;
    const found = parts.get(document) ?? [];
    parts.delete(document);
    return found;
  };
}

/** The chunk by which a node was found. */
export function shownChunk(evidence: Evidence, { node, segment, row, doc }: Ranked): ShownChunk {
  const found = evidence.segments[segment];
  return { node, segment, doc, fused: found ? fusedRow(evidence, found, node, row) : 0 };
}

/**
 * The best chunks of a hit and of the other parts of its document, the hit's own first. `place`: rank of the
 * hit, from 0.
 */
export function chunksToShow(
  evidence: Evidence,
  hit: Ranked,
  parts: readonly Ranked[],
  place: number,
): ShownChunk[] {
  const own = shownChunk(evidence, hit);
  if (hit.level < 2 || place >= MAX_WEIGHED_HITS) return [own];
  const others: ShownChunk[] = [];
  let left = MAX_LOOKED_AT;
  for (const { node } of [hit, ...parts.filter(({ node }) => node !== hit.node)]) {
    for (const [segment, found] of evidence.segments.entries()) {
      const { documents, live } = found;
      for (let row = found.segment.firstRow(node); row >= 0 && left > 0; row = documents.next[row] ?? -1) {
        left--;
        if (live.mask[row] !== 1 || documents.level[row] !== 2) continue;
        const doc = documents.doc[row] ?? 0;
        const fused = fusedRow(evidence, found, node, row);
        const isOwn = segment === own.segment && doc === own.doc;
        if (!isOwn && fused >= own.fused - NEAR) others.push({ node, segment, doc, fused });
      }
    }
  }
  others.sort((a, b) => b.fused - a.fused || a.node - b.node || a.doc - b.doc);
  return [own, ...others.slice(0, MAX_CHUNKS - 1)];
}
