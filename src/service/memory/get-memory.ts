import type { ServiceCall } from "../service-call.ts";
import { findMemory, type MemoryDeps, type MemoryView, viewOf } from "./own-memories.ts";

/** GET memories/{memory_id}: returns one memory. */
export async function getMemory(
  deps: Pick<MemoryDeps, "tenants">,
  call: ServiceCall,
  input: { readonly memoryId: string },
): Promise<{ memory: MemoryView }> {
  const tenant = await deps.tenants.openOrEmpty(call.caller);
  return { memory: viewOf(tenant, await findMemory(tenant, input.memoryId)) };
}
