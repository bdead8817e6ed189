import type { Blobs } from "../../storage/blobs.ts";
import { type Columns, packColumns, type Schema, unpackColumns } from "../columns.ts";
import { VECTOR_COLUMNS, type VectorColumns, vectorsKind } from "../vectors/vectors.ts";
import { DOCUMENT_COLUMNS } from "./sealed-rows.ts";
import { TERM_COLUMNS } from "./sealed-terms.ts";
import type { SegmentColumns } from "./segment-columns.ts";

/** Files of a segment, named by their checksums. */
export interface SegmentFiles {
  readonly documents: string;
  readonly terms: string;
  /** Vector files by space name. */
  readonly vectors: Readonly<Record<string, string>>;
  /** Neighbour index for the vectors of a space, if built. */
  readonly neighbours?: { readonly space: string; readonly file: string };
}

/** Where the files of an index are stored. */
export interface IndexFolder {
  readonly files: Blobs;
  readonly bucket: string;
}

export const namesOf = ({ documents, terms, vectors, neighbours }: SegmentFiles): string[] => [
  documents,
  terms,
  ...Object.values(vectors),
  ...(neighbours ? [neighbours.file] : []),
];

/** Writes a file; returns its name once it is durable. */
export async function writeColumns<S extends Schema>(
  { files, bucket }: IndexFolder,
  kind: string,
  schema: S,
  columns: Columns<S>,
): Promise<string> {
  const { hash } = await files.put(bucket, inTurns(packColumns(kind, schema, columns)));
  return hash;
}

/** Reads a file. Throws Error if it is missing, damaged or of another kind. */
export async function readColumns<S extends Schema>(
  { files, bucket }: IndexFolder,
  name: string,
  kind: string,
  schema: S,
): Promise<Columns<S>> {
  return unpackColumns(kind, schema, await files.get(bucket, name));
}

export async function writeSegment(folder: IndexFolder, columns: SegmentColumns): Promise<SegmentFiles> {
  const vectors: Record<string, string> = {};
  for (const [space, found] of columns.vectors)
    vectors[space] = await writeColumns(folder, vectorsKind(space), VECTOR_COLUMNS, found);
  return {
    documents: await writeColumns(folder, "documents", DOCUMENT_COLUMNS, columns.documents),
    terms: await writeColumns(folder, "terms", TERM_COLUMNS, columns.terms),
    vectors,
  };
}

/**
 * Reads the files of a segment, with the vectors of `spaces`. Throws Error if one is missing, damaged or of
 * another kind.
 */
export async function readSegment(
  folder: IndexFolder,
  files: SegmentFiles,
  spaces: readonly string[],
): Promise<SegmentColumns> {
  const vectors = new Map<string, VectorColumns>();
  for (const [space, name] of Object.entries(files.vectors))
    if (spaces.includes(space))
      vectors.set(space, await readColumns(folder, name, vectorsKind(space), VECTOR_COLUMNS));
  return {
    documents: await readColumns(folder, files.documents, "documents", DOCUMENT_COLUMNS),
    terms: await readColumns(folder, files.terms, "terms", TERM_COLUMNS),
    vectors,
  };
}

export async function removeFiles({ files, bucket }: IndexFolder, names: Iterable<string>): Promise<void> {
  for (const name of names) await files.remove(bucket, name);
}

async function* inTurns(slices: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* slices;
}
