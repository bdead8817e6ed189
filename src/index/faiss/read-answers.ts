import { z } from "zod";
import type { ChildAnswer } from "../../base/processes/child-process.ts";
import type { BuiltIndex, Loaded } from "./protocol.ts";

const count = z
  .int()
  .min(0)
  .max(2 ** 32);
const loaded = z.strictObject({ vectors: count, dimensions: count, bytes: z.int().min(0) });
/** The hash becomes the file name, so its format is checked. */
const built = z.strictObject({ hash: z.string().regex(/^[0-9a-f]{64}$/) });

export const readLoaded = ({ value }: ChildAnswer): Loaded => loaded.parse(value);
export const readCount = ({ value }: ChildAnswer): number => count.parse(value);
export const readBuilt = ({ value }: ChildAnswer): BuiltIndex => built.parse(value);

/** Validates the positions in an answer: at most `most`, below `vectors`, no duplicates. */
export function readPlaces({ bytes }: ChildAnswer, most: number, vectors: number): Uint32Array {
  if (bytes === undefined || bytes.byteLength % 4 !== 0 || bytes.byteLength / 4 > most)
    throw new Error(`no list of at most ${most} positions`);
  const places = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  if (places.some((place) => place >= vectors)) throw new Error(`a position outside of ${vectors} vectors`);
  if (new Set(places).size !== places.length) throw new Error("a position occurs twice");
  return places;
}
