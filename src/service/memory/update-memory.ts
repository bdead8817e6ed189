import { failedPrecondition, invalidArgument, notFound } from "../../domain/errors.ts";
import { expireJob, jobOwner } from "../../domain/job.ts";
import { checkWritable } from "../../domain/scope.ts";
import { timeIn } from "../../domain/text/iso-time.ts";
import { changeFactFile } from "../../memory/facts/change-fact-file.ts";
import type { FactText } from "../../memory/facts/fact-file.ts";
import {
  type FactFile,
  heldFrom,
  type KnownFact,
  MAX_EARLIER,
  normal,
} from "../../memory/facts/fact-file.ts";
import { readFacts, rewritten } from "../../memory/facts/fact-text.ts";
import { newFactKey } from "../../memory/memory-id.ts";
import type { ServiceCall } from "../service-call.ts";
import {
  allFacts,
  type FoundFact,
  findMemory,
  type MemoryDeps,
  type MemoryView,
  viewOf,
} from "./own-memories.ts";
import { checkExpiry, checkStatement, dayOf } from "./statement.ts";

export interface UpdateMemoryInput {
  readonly memoryId: string;
  readonly statement?: string | undefined;
  readonly validFrom?: string | undefined;
  readonly expiresAt?: string | undefined;
}

/**
 * PATCH memories/{memory_id}: stores a new statement with the same id; the previous one moves below `##
 * Earlier`.
 */
export async function updateMemory(
  deps: MemoryDeps,
  call: ServiceCall,
  input: UpdateMemoryInput,
): Promise<{ memory: MemoryView }> {
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const { workspace, owner } = tenant;
  const screened = await workspace.secrets.screenFields(call.reply, input, ["statement"]);
  const statement = screened.statement === undefined ? undefined : checkStatement(screened.statement);
  const from = timeIn(input.validFrom, "valid_from");
  const expires = checkExpiry(input.expiresAt, workspace.clock());
  if (statement === undefined && input.expiresAt === undefined)
    throw invalidArgument("statement", "statement or expires_at is required");
  const { memoryId: id } = input;
  const found = await findMemory(tenant, id);
  if (found.kind === "episode")
    throw failedPrecondition(id, "it is an episode, which cannot be changed: delete it, or create a fact");
  const { path, entry, category } = found.place;
  checkWritable(owner, path, workspace.uris.format(path), "memory_id");
  let answer: MemoryView | undefined;
  let changed: FactText | undefined;
  await changeFactFile(
    deps,
    { workspace, owner, path },
    {
      isBeyondQuota: false,
      decide: ({ located, known, text }) => {
        if (text === undefined || located?.entry?.node !== entry.node || category === "events")
          throw notFound("memory", id);
        const before = readFacts(text, known, category);
        const current = allFacts(found.place, before.file).find(({ key }) => key === found.key);
        if (!current) throw notFound("memory", id);
        const change = {
          statement,
          from,
          now: workspace.clock(),
          ...(input.expiresAt !== undefined && { expires: { at: expires } }),
        };
        changed = rewritten(before, replaced(current, change, id));
        return changed;
      },
      within: (draft) => {
        const fact = changed && allFacts(found.place, changed.file).find(({ key }) => key === found.key);
        if (!fact) return false;
        answer = viewOf(tenant, fact);
        deps.queue.admit(draft, workspace.incarnation);
        if (expires !== undefined) {
          const expiring = { node: entry.node, key: found.key, user: owner.user, agent: owner.agent };
          deps.queue.enqueue(
            draft,
            expireJob(workspace.incarnation, jobOwner(call.caller), expiring, expires),
          );
        }
        call.keepAnswer?.(draft, { memory: answer });
        return true;
      },
    },
  );
  if (!answer) throw notFound("memory", id);
  return { memory: answer };
}

interface FactUpdate {
  readonly statement: string | undefined;
  readonly from: number | undefined;
  readonly now: number;
  readonly expires?: { readonly at: number | undefined };
}

function replaced(
  { file, fact, key }: FoundFact,
  { statement, from, now, expires }: FactUpdate,
  id: string,
): FactFile {
  if (!file.facts.includes(fact))
    throw failedPrecondition(id, "it is superseded: change the memory that superseded it (see its history)");
  const { expires: _, ...lasting } = fact;
  const kept: KnownFact = expires
    ? { ...lasting, key, ...(expires.at !== undefined && { expires: expires.at }) }
    : { ...fact, key };
  const inPlace = (next: KnownFact) => file.facts.map((one) => (one === fact ? next : one));
  if (statement === undefined || normal(statement) === normal(fact.text))
    return { ...file, facts: inPlace(statement === undefined ? kept : { ...kept, text: statement }) };
  const begins = from ?? now;
  if (begins < heldFrom(fact))
    throw invalidArgument("valid_from", "must not be earlier than the valid_from of the current statement");
  const { answer: __, ...next } = kept;
  const before: KnownFact = {
    ...fact,
    key: newFactKey("superseded", key, now, file.earlier.length),
    until: begins,
    supersededBy: key,
  };
  // earlier facts still name this memory as their successor
  return {
    ...file,
    facts: inPlace({
      ...next,
      text: statement,
      date: dayOf(begins),
      from: begins,
      stored: now,
      said: begins,
      origin: "user",
      sources: [],
    }),
    earlier: [before, ...file.earlier].slice(0, MAX_EARLIER),
  };
}
