import type { YieldBudget } from "../../base/event-loop.ts";
import { itemAt } from "../../base/expect.ts";
import { INSTANT_SPACE } from "../../domain/chunk.ts";
import { Matrix } from "../vectors/matrix.ts";
import type { OpenNeighbours } from "../vectors/neighbours.ts";
import { SpaceMatrices } from "../vectors/space-matrices.ts";
import type { VectorColumns } from "../vectors/vectors.ts";
import { SealableSegment, type Tables } from "./sealable.ts";
import { SealedRows } from "./sealed-rows.ts";
import { SealedTerms } from "./sealed-terms.ts";
import type { SegmentColumns } from "./segment-columns.ts";

interface WholeSpace {
  readonly space: string;
  readonly rows: Uint32Array;
}

/**
 * A sealed segment. Its chunks never change, but vectors of more spaces may arrive later. Removed chunks stay
 * in the files; searches ignore them, because their generation is no longer current and generations are
 * never reused.
 */
export class Segment extends SealableSegment {
  readonly source: Tables;
  /** Number of vectors in the files, by space. */
  readonly #sealed: ReadonlyMap<string, number>;
  /** The space that a neighbour index can serve, and the rows in the order of its vector file. */
  readonly whole: WholeSpace | undefined;
  neighbours: OpenNeighbours | undefined;

  private constructor(
    documents: SealedRows,
    lists: SealedTerms,
    vectors: Map<string, Matrix>,
    whole: WholeSpace | undefined,
  ) {
    super();
    this.source = {
      documents,
      lists,
      vectors: new SpaceMatrices(
        (dimensions) => new Matrix({ dimensions, capacity: documents.rows }),
        vectors,
      ),
    };
    this.whole = whole;
    this.#sealed = new Map([...vectors].map(([space, { size }]) => [space, size]));
  }

  static async open({ documents, terms, vectors }: SegmentColumns, turns: YieldBudget): Promise<Segment> {
    const matrices = new Map<string, Matrix>();
    for (const [space, columns] of vectors) matrices.set(space, await matrixOf(columns, turns));
    return new Segment(
      new SealedRows(documents),
      new SealedTerms(terms),
      matrices,
      wholeSpace(documents.doc.length, vectors),
    );
  }

  get count(): number {
    return this.source.documents.rows;
  }

  override get bytes(): number {
    return super.bytes + (this.neighbours?.bytes ?? 0);
  }

  /** Number of vectors of a space that arrived after the files were written. */
  lateVectors(space: string): number {
    return (this.source.vectors.get(space)?.size ?? 0) - (this.#sealed.get(space) ?? 0);
  }
}

/**
 * The preferred space, if all chunks have a vector in it; otherwise undefined, because a search compares some
 * chunks in another space.
 */
function wholeSpace(docs: number, vectors: SegmentColumns["vectors"]): WholeSpace | undefined {
  const preferred = [...vectors.keys()].find((space) => space !== INSTANT_SPACE) ?? INSTANT_SPACE;
  const rows = vectors.get(preferred)?.rows;
  // copy, to release the file's content
  return rows?.length === docs ? { space: preferred, rows: rows.slice() } : undefined;
}

/** Estimated work per vector (see seal.ts). */
const VECTOR_WORK = 50;

async function matrixOf({ rows, scales, values }: VectorColumns, turns: YieldBudget): Promise<Matrix> {
  const dimensions = values.length / rows.length;
  const matrix = new Matrix({ dimensions, capacity: rows.length });
  for (const [i, row] of rows.entries()) {
    matrix.set(row, {
      scale: itemAt(scales, i),
      values: values.subarray(i * dimensions, (i + 1) * dimensions),
    });
    await turns.spend(VECTOR_WORK);
  }
  return matrix;
}
