import { INSTANT_SPACE } from "../../domain/chunk.ts";
import { isSameVector } from "../../domain/quantise.ts";
import type { RecordComparison } from "../searchable.ts";
import { halvesOf } from "../terms.ts";
import type { PostingLists } from "./posting-lists.ts";
import type { SealSource } from "./seal.ts";

const FACTS = ["node", "generation", "level", "length", "start", "end"] as const;

/** Prepares comparing a segment's rows with their records; makes one pass over all postings. */
export function comparisonOf(
  { documents, lists, vectors }: SealSource,
  rowOf: (doc: number) => number | undefined,
): RecordComparison {
  const sums = checksums(lists, documents.rows);
  const instant = vectors.get(INSTANT_SPACE);
  return (doc, chunk) => {
    const row = rowOf(doc);
    if (row === undefined) return ["it is not in memory"];
    const faults = FACTS.filter((fact) => documents[fact][row] !== chunk[fact]).map(
      (fact) => `its ${fact} is ${documents[fact][row]} in memory and ${chunk[fact]} in its record`,
    );
    if (sums[row] !== checksumOf(chunk.terms))
      faults.push("its postings in memory are not those of its record");
    if (!isSameVector(instant?.get(row), chunk.instant))
      faults.push("its vector in memory is not that of its record");
    return faults;
  };
}

/** Checksum of each row's terms (see checksumOf), computed from its postings. */
function checksums(lists: PostingLists, rows: number): Uint32Array {
  const sums = new Uint32Array(rows);
  let term = 0;
  for (const name of lists.names()) {
    const seed = hashOf(name);
    const weights = lists.weightsOf(term);
    for (const [i, row] of lists.rowsOf(term++).entries()) sums[row]! += mixed(seed, weights[i]!);
  }
  return sums;
}

/** An order-independent checksum of terms with their weights; collisions are unlikely. */
function checksumOf(terms: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [term, weight] of terms) sum = (sum + mixed(hashOf(term), halvesOf(weight))) >>> 0;
  return sum;
}

/** FNV-1a over UTF-16 units. */
function hashOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

const mixed = (seed: number, weight: number): number =>
  Math.imul(seed ^ Math.imul(weight, 0x9e3779b1), 0x85ebca6b) >>> 0;
