import { type Chunk, INSTANT_SPACE } from "../../../../src/domain/chunk.ts";
import { nodeId } from "../../../../src/domain/node.ts";
import { quantise } from "../../../../src/domain/quantise.ts";
import type { SegmentTables } from "../../../../src/index/searchable.ts";

const WORDS = ["owl", "elk", "emu"];

/** A chunk whose terms and vector are derived from its number. */
export function chunk(doc: number, node = doc % 7): Chunk {
  const terms = new Map(WORDS.slice(0, 1 + (doc % 3)).map((word, i) => [word, 1 + i / 2]));
  const instant = quantise(Float32Array.from({ length: 128 }, (_, i) => Math.sin(doc + i)));
  return {
    node: nodeId(node),
    generation: 1,
    level: 2,
    start: doc,
    end: doc + 10,
    length: terms.size,
    terms,
    instant,
  };
}

/** Returns everything that a search could read from a part, by document number. */
export function contents({ documents, terms, vectors }: SegmentTables) {
  const rows = Array.from({ length: documents.rows }, (_, row) => row).filter(
    (row) => documents.node[row] !== -1,
  );
  const cosine = new Float32Array(documents.rows).fill(Number.NaN);
  vectors.get(INSTANT_SPACE)?.scan(new Float32Array(128).fill(0.1), cosine);
  const weights = WORDS.map((word) => {
    const list = terms.list(word);
    return new Map([...(list?.rows ?? [])].map((row, i) => [row, list!.weights[i]]));
  });
  const facts = rows.map((row) => {
    const { node, generation, level, start, end, length, doc } = documents;
    const columns = [node, generation, level, start, end, length].map((column) => column[row]);
    return [
      doc[row]!,
      { columns, cosine: cosine[row], weights: weights.map((ofWord) => ofWord.get(row)) },
    ] as const;
  });
  return new Map(facts.sort(([a], [b]) => a - b));
}

/** Returns a node's documents in the order in which a search meets them. */
export function docsOf(part: SegmentTables, node: number): number[] {
  const { doc, next } = part.documents;
  const docs: number[] = [];
  for (let row = part.firstRow(node); row >= 0; row = next[row]!) docs.push(doc[row]!);
  return docs;
}
