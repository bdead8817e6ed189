import { EventLoopYielder } from "../../base/event-loop.ts";
import { sha256 } from "../../base/sha256.ts";
import { invalidArgument } from "../../domain/errors.ts";
import type { MatchedContext } from "../../retrieve/hydrate.ts";
import { planQuery } from "../../retrieve/plan/plan.ts";
import { blockText, RecallBlock, RecallBudget, tokensOf } from "../../retrieve/recall-block.ts";
import { Conflict, retryConflicts } from "../../workspace/conflict.ts";
import type { RecalledPart } from "../../workspace/records.ts";
import {
  changeRecalled,
  type NumberedPart,
  recalledAt,
  recalledExtent,
  recalledParts,
} from "../../workspace/sessions/recalled.ts";
import type { FoundSession } from "../../workspace/sessions/sessions.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenant } from "../tenants.ts";
import { type ConditionsInput, conditionsOf } from "../time-and-origin.ts";
import { type ParsedQuery, parseQuery, searched } from "./parsed-query.ts";
import { candidateOf, fitted, profileOf } from "./recall-candidates.ts";
import { instructionsOf } from "./recall-instructions.ts";
import { admittedParts, partsThere } from "./recalled-parts.ts";
import { bestFirst, runSearch, type SearchDeps } from "./run-search.ts";
import { type SearchScope, searchScope } from "./scope.ts";
import { historyOf, lastTurns, ownSession } from "./session-history.ts";
import { timeAndOriginLimits } from "./time-and-origin-masks.ts";

const KINDS = ["memory", "resource", "skill"] as const;
type Kind = (typeof KINDS)[number];
const DEFAULT_QUOTAS: Readonly<Record<Kind, number>> = { memory: 12, resource: 6, skill: 3 };
const MAX_QUOTA = 50;

const DEFAULT_TOKENS = 2000;
const DEFAULT_BLOCK_TOKENS = 8000;
export const MIN_RECALL_TOKENS = 50;
export const MAX_RECALL_TOKENS = 32_000;
/**
 * Minimum scores by kind (docs/retrieval.md, thresholds). Passing remarks in conversations have low scores
 * but are short.
 */
const THRESHOLDS: Readonly<Record<Kind, number>> = { memory: 0.1, resource: 0.2, skill: 0.2 };
/** Additional hits per kind, because some repeat known text. */
const SPARE = 2;
/** Number of ranked hits, so that each kind is found even if another fills the first ranks. */
const RANKED = 100;
/** Maximum share of the budget for the profile. */
const PROFILE_SHARE = 0.3;
/** Maximum share of the budget for instruction files of a project. */
const INSTRUCTIONS_SHARE = 0.3;
/** Maximum characters of the last message if it replaces a missing query. */
const MAX_QUERY_LENGTH = 2000;

export interface RecallInput extends ConditionsInput {
  readonly query?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly tokenBudget?: number | undefined;
  readonly blockTokenBudget?: number | undefined;
  readonly characterBudget?: number | undefined;
  readonly targetUris: readonly string[];
  readonly project?: string | undefined;
  readonly maxMemories?: number | undefined;
  readonly maxResources?: number | undefined;
  readonly maxSkills?: number | undefined;
  readonly withoutProfile?: boolean | undefined;
  readonly scoreThreshold?: number | undefined;
  readonly filter?: unknown;
  readonly restart?: boolean | undefined;
}

/** A recall turn requested by another package, such as the gateway. */
export interface RecallTurn {
  /** Name of the turn in its session; its block never changes once created. */
  readonly name: string;
  /** Texts in the model's context; by default, the messages that are not archived. */
  readonly known: readonly string[];
  /** Called right before the block is stored; if it throws, nothing is stored. */
  readonly keep: () => void;
}

export interface RecalledPartView {
  readonly kind: RecalledPart["kind"];
  readonly uri: string;
  readonly category: string;
  readonly score: number;
  readonly text: string;
  readonly tokens: number;
  readonly alsoIn: string[];
  readonly isNew: boolean;
}

export interface RecallResult {
  readonly text: string;
  readonly added: string;
  readonly parts: RecalledPartView[];
  readonly tokens: number;
  readonly leftOut: number;
}

/** A block and its additions. */
type Block = Pick<RecallBlock, "kept" | "added" | "leftOut">;

/**
 * POST search/recall: text to insert into a prompt before a model answers. First the user's profile, then
 * memories, resources and skills relevant to the question, each within its quota and all within a budget.
 * With a session, the block grows from turn to turn: the same turn gets the same bytes and a new turn
 * appends, so that a provider's prompt cache remains valid.
 */
export async function recall(
  deps: SearchDeps,
  call: ServiceCall,
  input: RecallInput,
  named?: RecallTurn,
): Promise<RecallResult> {
  const wish = wishOf(input);
  if (input.sessionId === undefined) {
    const tenant = await deps.tenants.openOrEmpty(call.caller);
    const asked = await askedOf(deps, call, tenant, input);
    const block = await chosen(deps, call, tenant, { ...asked, kept: [], first: 1 }, wish);
    return resultOf(block);
  }
  const tenant = await deps.tenants.openOrCreate(call.caller);
  const { sessionId } = input;
  return retryConflicts(() => recallForSession(deps, call, tenant, { ...input, sessionId }, wish, named));
}

async function recallForSession(
  deps: SearchDeps,
  call: ServiceCall,
  tenant: Tenant,
  input: RecallInput & { readonly sessionId: string },
  wish: Wish,
  named: RecallTurn | undefined,
): Promise<RecallResult> {
  const { workspace, owner } = tenant;
  const { kv, keys, forgets } = workspace;
  const forgotten = forgets.get(call.caller.user);
  const session = ownSession(workspace, call.caller.user, input.sessionId);
  const before = recalledExtent(kv, keys, session.node);
  const turn = named?.name ?? turnOf(session, input);
  const answered = recalledAt(kv, keys, session.node, turn);
  // read after the turn, so that its additions are included
  const stored = await recalledParts(kv, keys, session.node);
  const admission = timeAndOriginLimits(workspace, conditionsOf(input));
  const there = await admittedParts(workspace, admission, partsThere(workspace, owner, stored));
  const kept = there.filter(([sequence]) => sequence >= before.first);
  if (answered?.first === before.first && !input.restart)
    return resultOf({
      kept: kept.filter(([sequence]) => sequence <= answered.last),
      added: [],
      leftOut: 0,
    });
  const asked = await askedOf(deps, call, tenant, input);
  const going = input.restart ? [] : kept;
  const block = await chosen(
    deps,
    call,
    tenant,
    { ...asked, kept: going, first: before.last + 1, session, known: named?.known },
    wish,
  );
  const shown = new Set(going.map(([sequence]) => sequence));
  const dropped = stored.map(([sequence]) => sequence).filter((sequence) => !shown.has(sequence));
  // a named turn precedes its messages, whose durable transaction makes this one durable, too
  const options = { sync: named === undefined };
  await workspace.transact((draft) => {
    named?.keep();
    if (forgets.get(call.caller.user) !== forgotten) throw new Conflict("the memories of the user");
    const now = workspace.sessions.find(draft, call.caller.user, input.sessionId);
    if (now?.node === session.node)
      changeRecalled(draft, session.node, {
        before,
        turn,
        added: block.added.map(([, part]) => part),
        dropped,
        isRestarted: input.restart === true,
        isFixed: named !== undefined,
      });
    return () => undefined;
  }, options);
  return resultOf(block);
}

/** Identity of a turn: the session's content and the question. */
function turnOf({ record }: FoundSession, { restart: _, ...input }: RecallInput): string {
  const { archives, first, buffer } = record;
  return sha256(JSON.stringify([archives, first, buffer.messages, input])).slice(0, 32);
}

interface Wish {
  readonly quotas: Readonly<Record<Kind, number>>;
  readonly tokens: number;
  readonly blockTokens: number;
  readonly characters: number;
  readonly hasProfile: boolean;
  readonly hasThreshold: boolean;
}

function wishOf(input: RecallInput): Wish {
  const quota = (field: "maxMemories" | "maxResources" | "maxSkills", name: string, standard: number) => {
    const value = input[field] ?? standard;
    if (value > MAX_QUOTA) throw invalidArgument(name, `must be 0 to ${MAX_QUOTA}`);
    return value;
  };
  const tokens = input.tokenBudget ?? DEFAULT_TOKENS;
  const blockTokens = input.blockTokenBudget ?? Math.max(tokens, DEFAULT_BLOCK_TOKENS);
  for (const [name, value] of [
    ["token_budget", tokens],
    ["block_token_budget", blockTokens],
  ] as const)
    if (value < MIN_RECALL_TOKENS || value > MAX_RECALL_TOKENS)
      throw invalidArgument(name, `must be ${MIN_RECALL_TOKENS} to ${MAX_RECALL_TOKENS}`);
  if (input.project && input.targetUris.some((uri) => uri !== ""))
    throw invalidArgument("project", "cannot be combined with target_uri: give one of them");
  return {
    quotas: {
      memory: quota("maxMemories", "max_memories", DEFAULT_QUOTAS.memory),
      resource: quota("maxResources", "max_resources", DEFAULT_QUOTAS.resource),
      skill: quota("maxSkills", "max_skills", DEFAULT_QUOTAS.skill),
    },
    tokens,
    blockTokens,
    characters: input.characterBudget ?? Number.POSITIVE_INFINITY,
    hasProfile: input.withoutProfile !== true,
    hasThreshold: input.scoreThreshold !== undefined,
  };
}

interface Asked {
  readonly parsed: ParsedQuery;
  readonly scope: SearchScope;
  readonly project?: string | undefined;
}

/**
 * The query and its scope. An empty query is replaced by the user's last message, with the subjects it refers
 * to.
 */
async function askedOf(
  deps: SearchDeps,
  call: ServiceCall,
  tenant: Tenant,
  input: RecallInput,
): Promise<Asked> {
  const { workspace } = tenant;
  const conversation =
    input.sessionId === undefined ? undefined : await historyOf(workspace, call.caller.user, input.sessionId);
  const spoken = conversation?.turns.findLast(({ role }) => role === "user")?.text ?? "";
  const given =
    searched(input.query?.trim() ?? "") || spoken.slice(0, MAX_QUERY_LENGTH).toWellFormed().trim();
  if (given === "")
    throw invalidArgument("query", "is required unless session_id names a session with a user message");
  const targets =
    input.project === undefined || input.project === ""
      ? input.targetUris
      : [input.project, workspace.uris.format(["user"]), workspace.uris.format(["agent"])];
  const scope = await searchScope(tenant, targets);
  const [planned] = planQuery({ query: given, types: KINDS, conversation, now: deps.clock() }).queries;
  const parsed = await parseQuery(
    {
      query: planned?.query ?? given,
      targetUris: targets,
      limit: 1,
      scoreThreshold: input.scoreThreshold ?? Math.min(...Object.values(THRESHOLDS)),
      filter: input.filter,
      asOf: input.asOf,
      since: input.since,
      until: input.until,
      excludeOrigins: input.excludeOrigins,
    },
    () => deps.patterns.begin(workspace.incarnation, call.signal, "filter"),
  );
  return { parsed, scope, project: input.project };
}

/** Chooses the parts to add to a block: the profile, the project's instructions, then hits of each kind. */
async function chosen(
  deps: SearchDeps,
  call: ServiceCall,
  tenant: Tenant,
  {
    parsed,
    scope,
    project,
    kept,
    first,
    session,
    known,
  }: Asked & {
    readonly kept: readonly NumberedPart[];
    /** Sequence number of the first added part. */
    readonly first: number;
    readonly session?: FoundSession;
    readonly known?: readonly string[] | undefined;
  },
  wish: Wish,
): Promise<Block> {
  const used = tokensOf(blockText(kept.map(([, { text }]) => text)));
  const left = Math.min(wish.tokens, wish.blockTokens - used);
  const budget = new RecallBudget(left, wish.characters);
  const block = new RecallBlock(kept, first, budget);
  const [turns, hits] = await Promise.all([
    known ?? (session ? lastTurns(tenant.workspace, session) : []),
    scope.roots.length === 0 || left <= 0 ? [] : hitsOf(deps, call, tenant, { parsed, scope }, wish),
  ]);
  const yielder = new EventLoopYielder(tenant.workspace.incarnation);
  for (const turn of turns) {
    block.know(turn);
    await yielder.yieldIfDue();
  }
  const admission = timeAndOriginLimits(tenant.workspace, parsed.conditions);
  if (wish.hasProfile && !parsed.filter && !isOfPeriod(parsed)) {
    const profile = await profileOf(tenant, (statement) => block.isKnown(statement), admission);
    if (profile) block.add(fitted(profile, wish.tokens * PROFILE_SHARE));
  }
  if (project && wish.quotas.resource > 0 && !parsed.filter && !isOfPeriod(parsed)) {
    const share = wish.tokens * INSTRUCTIONS_SHARE;
    for (const candidate of await instructionsOf(tenant, project, share)) block.add(candidate);
  }
  for (const kind of KINDS) {
    let wanted = wish.quotas[kind];
    const least = wish.hasThreshold ? 0 : THRESHOLDS[kind];
    for (const hit of hits.filter(({ contextType, score }) => contextType === kind && score > least)) {
      if (wanted === 0) break;
      await yielder.yieldIfDue();
      const candidate = candidateOf(tenant, hit, admission !== undefined);
      if (candidate && block.add(candidate)) wanted--;
    }
  }
  return block;
}

const isOfPeriod = ({ conditions }: ParsedQuery): boolean =>
  conditions?.since !== undefined || conditions?.until !== undefined;

/** Hits of all kinds, best first. A kind displaced by others is searched separately. */
async function hitsOf(
  deps: SearchDeps,
  call: ServiceCall,
  tenant: Tenant,
  { parsed, scope }: Asked,
  { quotas }: Wish,
): Promise<MatchedContext[]> {
  const kinds = KINDS.filter((kind) => quotas[kind] > 0 && scope.roots.some(({ type }) => type === kind));
  const wanted = {
    memory: quotas.memory + SPARE,
    resource: quotas.resource + SPARE,
    skill: quotas.skill > 0 ? quotas.skill + 1 : 0,
  };
  const asked = { ...parsed, limit: RANKED, quotas: wanted };
  const { hits, ranked } = await runSearch(deps, call, tenant, scope, asked);
  const found = (kind: Kind) => hits.filter(({ contextType }) => contextType === kind).length;
  const missing = ranked < RANKED ? [] : kinds.filter((kind) => found(kind) < quotas[kind]);
  const more = await Promise.all(
    missing.map((kind) => runSearch(deps, call, tenant, scope, { ...parsed, limit: wanted[kind] }, kind)),
  );
  const all = new Map([...more.flatMap((one) => one.hits), ...hits].map((hit) => [hit.uri, hit]));
  return [...all.values()].sort(bestFirst);
}

function resultOf({ kept, added, leftOut }: Block): RecallResult {
  const view = ([, { node: _, ...part }]: NumberedPart, isNew: boolean): RecalledPartView => ({
    ...part,
    alsoIn: [...part.alsoIn],
    text: part.text.trim(),
    tokens: tokensOf(part.text),
    isNew,
  });
  const text = blockText([...kept, ...added].map(([, part]) => part.text));
  const more = added.map(([, part]) => part.text);
  return {
    text,
    added: kept.length === 0 ? text : more.join("").trim(),
    parts: [...kept.map((part) => view(part, false)), ...added.map((part) => view(part, true))],
    tokens: tokensOf(text),
    leftOut,
  };
}
