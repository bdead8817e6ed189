/** FAISS's defaults for a new index. */
const DEFAULT_CONSTRUCTION = 40;
const DEFAULT_SEARCH = 16;
/** Header of an index: dimensions, vectors, two unused fields, and whether it is trained. */
const HEADER_BYTES = 4 + 4 + 8 + 8 + 8 + 1;
const METRIC_BYTES = 4;
/**
 * Element sizes in bytes of the lists in an empty graph: probabilities, neighbours per level, levels,
 * offsets, neighbours.
 */
const LISTS = [8, 4, 4, 8, 4];
/** Entry point and highest level. */
const ENTRY_BYTES = 4 + 4;

/**
 * Sets the efforts for construction and search (efConstruction, efSearch) in the serialized bytes of an empty
 * index, because faiss-node cannot set them. Throws Error if the layout differs from FAISS 1.7 and 1.8.
 */
export function setEffort(index: Uint8Array, construction: number, search: number): void {
  const view = Buffer.from(index.buffer, index.byteOffset, index.byteLength);
  if (view.toString("latin1", 0, 4) !== "IHNs") throw new Error("not a FAISS HNSW index over 8-bit vectors");
  let at = HEADER_BYTES + METRIC_BYTES;
  for (const size of LISTS) at += 8 + Number(view.readBigUInt64LE(at)) * size;
  at += ENTRY_BYTES;
  if (view.readInt32LE(at) !== DEFAULT_CONSTRUCTION || view.readInt32LE(at + 4) !== DEFAULT_SEARCH)
    throw new Error("the layout of the FAISS index is unknown");
  view.writeInt32LE(construction, at);
  view.writeInt32LE(search, at + 4);
}
