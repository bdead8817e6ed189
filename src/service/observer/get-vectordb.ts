import type { ServiceCall } from "../service-call.ts";
import { type ComponentStatus, NO_SUM, type ObserverDeps, seesServer, table } from "./component.ts";

const HEADER = ["Collection", "Index Count", "Vector Count", "Status"];
/** The only collection: everything that can be searched. */
const COLLECTION = "context";

/**
 * GET observer/vectordb: counts of partitions, chunks and vectors, and how many vectors each search method
 * covers.
 */
export async function getVectordb(deps: ObserverDeps, call: ServiceCall): Promise<ComponentStatus> {
  const counts = await deps.tenants.chunkCounts(seesServer(call) ? "everything" : call.caller);
  const indexes = counts.length;
  const vectors = counts.reduce((sum, { chunks }) => sum + chunks, 0);
  const { neighbours } = deps;
  const indexed = neighbours ? counts.reduce((sum, one) => sum + one.indexed, 0) : 0;
  const servedBy =
    neighbours && indexed > 0 ? `${neighbours.name} ${indexed}, scan ${vectors - indexed}` : "scan";
  const isHealthy = deps.ready().vectors === "ok";
  return {
    name: "vectordb",
    isHealthy,
    hasErrors: !isHealthy,
    status: table(HEADER, [COLLECTION, indexes, vectors, servedBy], ["TOTAL", indexes, vectors, NO_SUM]),
  };
}
