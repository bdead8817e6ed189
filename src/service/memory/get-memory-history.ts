import type { ServiceCall } from "../service-call.ts";
import {
  allFacts,
  type FoundFact,
  findMemory,
  type MemoryDeps,
  type MemoryView,
  viewOf,
} from "./own-memories.ts";

/** GET memories/{memory_id}/history: a fact with all earlier answers to its question, newest first. */
export async function getMemoryHistory(
  deps: Pick<MemoryDeps, "tenants">,
  call: ServiceCall,
  input: { readonly memoryId: string },
): Promise<{ memories: MemoryView[] }> {
  const tenant = await deps.tenants.openOrEmpty(call.caller);
  const found = await findMemory(tenant, input.memoryId);
  const history = found.kind === "fact" ? chainOf(found) : [found];
  return { memories: history.map((one) => viewOf(tenant, one)) };
}

/** Facts that superseded each other, the current one first. */
export function chainOf(found: FoundFact): FoundFact[] {
  const all = allFacts(found.place, found.file);
  const keys = new Set([found.key]);
  const { slot } = found.fact;
  // each round adds at least one neighbour, so there are no more rounds than facts
  for (let size = 0; size !== keys.size; ) {
    size = keys.size;
    for (const { key, fact } of all) {
      const isLinked =
        keys.has(key) ||
        (fact.supersededBy !== undefined && keys.has(fact.supersededBy)) ||
        (slot !== undefined && fact.slot === slot);
      if (!isLinked) continue;
      keys.add(key);
      if (fact.supersededBy !== undefined) keys.add(fact.supersededBy);
    }
  }
  return all.filter(({ key }) => keys.has(key));
}
