import { invalidArgument, notFound, permissionDenied } from "../../domain/errors.ts";
import type { NodeId } from "../../domain/node.ts";
import { checkRemovable, isInMemories } from "../../domain/scope.ts";
import { archiveName } from "../../domain/session.ts";
import { memoriesLock } from "../../memory/forget/clear-job.ts";
import type { WantedFact, Wish } from "../../memory/forget/find-memories.ts";
import { KeyWords } from "../../memory/forget/key-words.ts";
import { type ForgetPlan, planForget } from "../../memory/forget/plan.ts";
import type { TouchedEpisode } from "../../memory/forget/redact-episodes.ts";
import { countsOf } from "../../memory/forget/store-plan.ts";
import { EPISODE_KEY, memoryId, placeOfMemory } from "../../memory/memory-id.ts";
import { layerOf } from "../../workspace/tree/layers.ts";
import { locate } from "../../workspace/tree/locate.ts";
import { type ForgetOperationDeps, forgetFollowed, resumeForget } from "../follow-forget.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenant } from "../tenants.ts";
import { findMemory } from "./own-memories.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const MAX_QUERY_LENGTH = 2000;
const MAX_SUBJECT_LENGTH = 200;
const MIN_SCORE = 0.5;
/** Maximum characters of a statement in a receipt; some are whole files. */
const MAX_SHOWN_LENGTH = 2000;
/** Maximum number of messages named in a receipt. */
const MAX_NAMED_MESSAGES = 1000;

export interface ForgetInput {
  readonly uri?: string | undefined;
  readonly query?: string | undefined;
  readonly subject?: string | undefined;
  readonly minScore?: number | undefined;
  readonly limit?: number | undefined;
  readonly dryRun: boolean;
}

export interface ForgetReceipt {
  dryRun: boolean;
  facts: number;
  episodes: number;
  messages: number;
  memories: {
    memoryId: string;
    kind: "fact" | "episode";
    category: string;
    score: number;
    isGone: boolean;
    statement: string;
    uri: string;
  }[];
  redacted: { sessionId: string; archiveId: string; messageIds: string[] }[];
  taskId?: string;
}

/**
 * POST memories/forget: removes memories with their messages and everything derived from them. A job then
 * erases them from disk; the task in the response tracks it.
 */
export async function forget(
  deps: ForgetOperationDeps,
  call: ServiceCall,
  input: ForgetInput,
): Promise<ForgetReceipt> {
  const limit = input.limit ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) throw invalidArgument("limit", `must be 1 to ${MAX_LIMIT}`);
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const { workspace, owner } = tenant;
  const wish = await wishOf(tenant, input);
  const asked = JSON.stringify(input);
  return workspace.locks.run(memoriesLock(owner.user), async () => {
    const answered = await resumeForget<ForgetReceipt>(deps, call, tenant, asked);
    if (answered) return answered;
    const plan = await planForget(tenant, wish, limit, call.signal);
    const receipt = receiptOf(tenant, plan, input.dryRun);
    if (input.dryRun || receipt.memories.length + receipt.messages === 0) return receipt;
    return forgetFollowed(deps, call, tenant, { plan, answer: receipt, asked });
  });
}

/**
 * The selection in a request. Throws INVALID_ARGUMENT unless exactly one of query, uri and subject is given.
 */
async function wishOf(tenant: Tenant, input: ForgetInput): Promise<Wish> {
  const { uri, query, subject } = input;
  const given = [uri, query, subject].filter((one) => one !== undefined);
  if (given.length !== 1) throw invalidArgument("query", "give exactly one of query, uri and subject");
  if (input.minScore !== undefined && query === undefined)
    throw invalidArgument("min_score", "can be used only with query");
  if (uri !== undefined) return wishOfUri(tenant, uri);
  if (query !== undefined) {
    const minScore = input.minScore ?? 1;
    if (!(minScore >= MIN_SCORE && minScore <= 1))
      throw invalidArgument("min_score", `must be ${MIN_SCORE} to 1`);
    return { query: phraseOf("query", query, MAX_QUERY_LENGTH), minScore };
  }
  const about = subject ?? "";
  return { subject: about, names: phraseOf("subject", about, MAX_SUBJECT_LENGTH) };
}

function phraseOf(field: string, text: string, most: number): KeyWords {
  const phrase = new KeyWords(text.length > most ? "" : text.toWellFormed());
  if (phrase.isEmpty)
    throw invalidArgument(
      field,
      `must have 1 to ${most} characters, and at least one word that is not a stop word`,
    );
  return phrase;
}

/** The selection for a URI: a path below memories, or the id of a memory. */
async function wishOfUri(tenant: Tenant, uri: string): Promise<Wish> {
  const { workspace, owner } = tenant;
  const memory = placeOfMemory(workspace.incarnation, uri);
  if (memory) {
    await findMemory(tenant, uri);
    return { memory };
  }
  const path = workspace.uris.parse(uri);
  const located = locate(workspace.kv, workspace.keys, owner, path);
  const node = workspace.uris.format(path);
  if (!located) throw notFound("node", node);
  if (!isInMemories(path))
    throw invalidArgument(
      "uri",
      "must be a memory file or folder, or the id of a memory. Delete a session with DELETE sessions/{id}, other files with DELETE fs",
    );
  // only the owner of a shared space may forget its memories
  if (path[0] === "user" && path[1] !== owner.user)
    throw permissionDenied(node, "only its owner can forget what is in this space");
  checkRemovable(owner, path, node, "uri");
  return { path };
}

/** Lists the items to remove, with their text in a dry run only. Must be created before the removal. */
function receiptOf(tenant: Tenant, plan: ForgetPlan, isDryRun: boolean): ForgetReceipt {
  const { workspace } = tenant;
  const shown = (statement: string, fact: Pick<WantedFact, "place">) => ({
    statement: isDryRun ? statement.slice(0, MAX_SHOWN_LENGTH).toWellFormed() : "",
    uri: isDryRun ? workspace.uris.format(fact.place.path) : "",
  });
  const idOf = (node: NodeId, key: string) => memoryId(workspace.incarnation, { node, key });
  const facts = plan.facts.map((fact) => ({
    memoryId: idOf(fact.place.entry.node, fact.key),
    kind: "fact" as const,
    category: fact.place.category,
    score: fact.score,
    isGone: true,
    ...shown(fact.fact.text, fact),
  }));
  const episode = ({ place, isGone }: TouchedEpisode) => ({
    memoryId: idOf(place.entry.node, EPISODE_KEY),
    kind: "episode" as const,
    category: place.category,
    score: 1,
    isGone,
    ...shown(layerOf(workspace, place.entry, 0) ?? "", { place }),
  });
  const episodes = plan.episodes.filter(({ isSelected }) => isSelected).map(episode);
  return {
    dryRun: isDryRun,
    ...countsOf(plan),
    memories: [...facts, ...episodes],
    redacted: redactedIn(plan),
  };
}

function redactedIn({ said }: ForgetPlan): ForgetReceipt["redacted"] {
  const archives = new Map<string, ForgetReceipt["redacted"][number]>();
  for (const { session, archive, message } of said.slice(0, MAX_NAMED_MESSAGES)) {
    const key = `${session}\n${archive}`;
    const known = archives.get(key);
    if (known) known.messageIds.push(message);
    else
      archives.set(key, {
        sessionId: session,
        archiveId: archiveName(archive),
        messageIds: [message],
      });
  }
  return [...archives.values()];
}
