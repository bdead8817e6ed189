import { notFound } from "../../domain/errors.ts";
import { changeFactFile } from "../../memory/change-fact-file.ts";
import type { FactFile } from "../../memory/fact-file.ts";
import { readFacts, rewritten } from "../../memory/fact-text.ts";
import { locate } from "../../workspace/tree/locate.ts";
import type { ServiceCall } from "../call.ts";
import { removeLocated } from "../cleanup.ts";
import type { Tenant } from "../tenants.ts";
import { allFacts, type FoundFact, findMemory, type MemoryDeps } from "./own-memories.ts";

/** DELETE memories/{memory_id}: the line of a fact, the file of an episode. What was said stays in its archive. */
export async function deleteMemory(
  deps: MemoryDeps,
  call: ServiceCall,
  input: { readonly memoryId: string },
): Promise<{ memoryId: string }> {
  const tenant = await deps.tenants.writing(call.caller);
  const { workspace, owner } = tenant;
  const found = await findMemory(tenant, input.memoryId);
  if (found.kind === "fact") {
    await deleteFact(deps, tenant, found, input.memoryId);
    return { memoryId: input.memoryId };
  }
  await workspace.commit((draft) => {
    draft.isBeyondQuota = true;
    const located = locate(draft, workspace.keys, owner, found.place.path);
    if (located?.entry?.node !== found.place.entry.node) throw notFound("memory", input.memoryId);
    removeLocated(draft, deps.queue, workspace, located);
    return () => undefined;
  });
  return { memoryId: input.memoryId };
}

async function deleteFact(
  deps: MemoryDeps,
  { workspace, owner }: Tenant,
  { place, key }: FoundFact,
  id: string,
): Promise<void> {
  const { path, entry } = place;
  await changeFactFile(
    deps,
    { workspace, owner, path },
    {
      isBeyondQuota: true,
      decide: ({ located, known, text }) => {
        if (text === undefined || located?.entry?.node !== entry.node) throw notFound("memory", id);
        const before = readFacts(text, known, known?.category ?? "entities");
        const left = without(place, before.file, new Set([key]));
        if (left === before.file) throw notFound("memory", id);
        return rewritten(before, left);
      },
    },
  );
}

/** A file without some of its facts; what they had superseded stays superseded. */
export function without(place: FoundFact["place"], file: FactFile, keys: ReadonlySet<string>): FactFile {
  const all = allFacts(place, file);
  const gone = new Set(all.filter(({ key }) => keys.has(key)).map(({ fact }) => fact));
  if (gone.size === 0) return file;
  return {
    ...file,
    facts: file.facts.filter((fact) => !gone.has(fact)),
    earlier: file.earlier
      .filter((fact) => !gone.has(fact))
      .map(({ supersededBy, ...fact }) =>
        supersededBy === undefined || keys.has(supersededBy) ? fact : { ...fact, supersededBy },
      ),
  };
}
