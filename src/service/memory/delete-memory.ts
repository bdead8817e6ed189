import { notFound } from "../../domain/errors.ts";
import { checkWritable } from "../../domain/scope.ts";
import { changeFactFile } from "../../memory/facts/change-fact-file.ts";
import { readFacts, rewritten, withoutFacts } from "../../memory/facts/fact-text.ts";
import { locate } from "../../workspace/tree/locate.ts";
import { removeLocated } from "../remove-located.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenant } from "../tenants.ts";
import { type FoundFact, findMemory, type MemoryDeps } from "./own-memories.ts";

/**
 * DELETE memories/{memory_id}: removes the line of a fact, or the file of an episode. The messages remain in
 * their archive.
 */
export async function deleteMemory(
  deps: MemoryDeps,
  call: ServiceCall,
  input: { readonly memoryId: string },
): Promise<{ memoryId: string }> {
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const { workspace, owner } = tenant;
  const found = await findMemory(tenant, input.memoryId);
  checkWritable(owner, found.place.path, workspace.uris.format(found.place.path), "memory_id");
  if (found.kind === "fact") {
    await deleteFact(deps, tenant, found, input.memoryId);
    return { memoryId: input.memoryId };
  }
  await workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    const located = locate(draft, workspace.keys, owner, found.place.path);
    if (located?.entry?.node !== found.place.entry.node) throw notFound("memory", input.memoryId);
    removeLocated(draft, deps.queue, workspace, located, { owner, isPermanent: true });
    return () => undefined;
  });
  return { memoryId: input.memoryId };
}

async function deleteFact(
  deps: MemoryDeps,
  { workspace, owner }: Tenant,
  { place: { path, entry }, key }: FoundFact,
  id: string,
): Promise<void> {
  await changeFactFile(
    deps,
    { workspace, owner, path },
    {
      isBeyondQuota: true,
      decide: ({ located, known, text }) => {
        if (text === undefined || located?.entry?.node !== entry.node) throw notFound("memory", id);
        const before = readFacts(text, known, known?.category ?? "entities");
        const left = withoutFacts(before.file, new Set([key]));
        if (left === before.file) throw notFound("memory", id);
        return rewritten(before, left);
      },
    },
  );
}
