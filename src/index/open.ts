import type { Log } from "../base/log.ts";
import { addonFault } from "./faiss/addon.ts";
import { FaissNeighbours } from "./faiss/faiss-neighbours.ts";
import type { IndexFiles } from "./faiss/index-files.ts";
import type { NeighbourIndexes } from "./vectors/neighbours.ts";

/** Why large indexes are scanned; undefined if they are not. */
export const neighboursFault = (): string | undefined => addonFault();

/** Undefined if no library is installed: then all segments are scanned. */
export function openNeighbours(files: IndexFiles, log: Log): NeighbourIndexes | undefined {
  if (FaissNeighbours.isInstalled()) return new FaissNeighbours(files, log);
  log.debug("FAISS is not installed: vector searches scan; `ctxdb doctor` says how to install it");
  return undefined;
}
