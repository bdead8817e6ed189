import { messageOf } from "../base/faults.ts";
import type { Log } from "../base/log.ts";
import { loadAddon } from "./faiss/addon.ts";
import { FaissNeighbours } from "./faiss/faiss-neighbours.ts";
import type { IndexFiles } from "./faiss/index-files.ts";
import type { NeighbourIndexes } from "./vectors/neighbours.ts";

/**
 * The available FAISS build ("shipped", "compiled here"), or why there is none and large indexes are scanned.
 */
export function describeFaiss(): { readonly kind: string } | { readonly fault: string } {
  try {
    return { kind: loadAddon().kind };
  } catch (error) {
    return { fault: messageOf(error) };
  }
}

/** Undefined if no library is installed; all segments are then scanned. */
export function openNeighbours(files: IndexFiles, log: Log): NeighbourIndexes | undefined {
  const found = describeFaiss();
  if ("kind" in found) return new FaissNeighbours(files, log);
  log.debug({ fault: found.fault }, "no FAISS: vector searches scan; `ctxdb doctor` says what to do");
  return undefined;
}
