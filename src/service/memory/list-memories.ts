import { EventLoopYielder } from "../../base/event-loop.ts";
import { invalidArgument } from "../../domain/errors.ts";
import type { Path } from "../../domain/uri.ts";
import { episodeMeta, timesOfEpisode } from "../../memory/episodes/episode-meta.ts";
import { normal } from "../../memory/facts/fact-file.ts";
import { isAdmitted, timesOfFact } from "../../memory/facts/validity.ts";
import { factsIn, MEMORY_CATEGORIES, type MemoryFile, memoryFiles } from "../../memory/memory-files.ts";
import { AnswerLength } from "../answer-length.ts";
import type { Cursors } from "../cursors.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenant } from "../tenants.ts";
import { conditionsOf } from "../time-and-origin.ts";
import { allFacts, type FoundMemory, type MemoryDeps, type MemoryView, viewOf } from "./own-memories.ts";

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const MAX_TEXT_LENGTH = 1000;

export interface ListMemoriesInput {
  readonly category?: string | undefined;
  readonly text?: string | undefined;
  readonly subject?: string | undefined;
  readonly asOf?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly includeSuperseded: boolean;
  readonly excludeOrigins: readonly string[];
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Position at which a list resumes: after this number of memories in this file. */
interface Place {
  readonly path: Path;
  readonly shown: number;
}

/** Parses the position in a cursor: a number, then a path. */
function placeOf(resumed: string): Place {
  const [shown, ...path] = resumed.split("/");
  return { path, shown: Number(shown) };
}

/** GET memories: facts by category, file and line, then episodes. */
export async function listMemories(
  deps: Pick<MemoryDeps, "tenants"> & { readonly cursors: Cursors },
  call: ServiceCall,
  input: ListMemoriesInput,
): Promise<{ memories: MemoryView[]; nextCursor?: string }> {
  const limit = input.limit ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) throw invalidArgument("limit", `must be 1 to ${MAX_LIMIT}`);
  const tenant = await deps.tenants.openOrEmpty(call.caller);
  const fits = choiceOf(tenant, input);
  const { category, text, subject, asOf, since, until, includeSuperseded, excludeOrigins } = input;
  const args = [category, text, subject, asOf, since, until].map((arg) => arg ?? "\u0000");
  const list = {
    operation: "memories",
    caller: call.caller,
    incarnation: tenant.workspace.incarnation,
    args: [...args, includeSuperseded, excludeOrigins.join(",")],
  };
  const resumed = deps.cursors.open(list, input.cursor);
  const from = resumed === undefined ? undefined : placeOf(resumed);
  const memories: MemoryView[] = [];
  const length = new AnswerLength();
  for await (const { place, found, at } of inOrder(tenant, category, from, call.signal)) {
    if (!fits(found)) continue;
    if (memories.length === limit || length.isFull) {
      const next = [String(at), ...place.path].join("/");
      return { memories, nextCursor: deps.cursors.seal(list, next) };
    }
    const view = viewOf(tenant, found);
    // some statements are whole files
    length.add(view.statement, view.subject, view.uri);
    memories.push(view);
  }
  return { memories };
}

interface Ordered {
  readonly place: MemoryFile;
  readonly found: FoundMemory;
  /** Index of the memory in the file. */
  readonly at: number;
}

async function* inOrder(
  tenant: Tenant,
  category: string | undefined,
  from: Place | undefined,
  signal: AbortSignal,
): AsyncGenerator<Ordered> {
  const { workspace, owner } = tenant;
  const yielder = new EventLoopYielder(workspace.incarnation);
  const wanted = MEMORY_CATEGORIES.filter((one) => category === undefined || one === category);
  const begun = from === undefined ? undefined : wanted.findIndex((one) => isWithin(from.path, one));
  for (const [i, one] of wanted.entries()) {
    if (begun !== undefined && i < begun) continue;
    const after = i === begun ? from?.path : undefined;
    for await (const place of memoryFiles(workspace, owner, one, after)) {
      signal.throwIfAborted();
      await yielder.yieldIfDue();
      const isResumed = from !== undefined && place.path.join("/") === from.path.join("/");
      const found = await memoriesIn(tenant, place);
      for (const [at, memory] of found.entries()) {
        await yielder.yieldIfDue();
        if (!isResumed || at >= from.shown) yield { place, found: memory, at };
      }
    }
  }
}

const isWithin = (path: Path, category: string): boolean =>
  path[3] === category || (category === "profile" && path[3] === "profile.md");

async function memoriesIn({ workspace }: Tenant, place: MemoryFile): Promise<FoundMemory[]> {
  if (place.category === "events") return [{ kind: "episode", place }];
  return allFacts(place, (await factsIn(workspace, place)).file);
}

/** A filter for memories according to the request. Throws INVALID_ARGUMENT naming the invalid field. */
function choiceOf(tenant: Tenant, input: ListMemoriesInput): (found: FoundMemory) => boolean {
  const { category, text, subject } = input;
  if (category !== undefined && !MEMORY_CATEGORIES.some((one) => one === category))
    throw invalidArgument("category", `must be one of ${MEMORY_CATEGORIES.join(", ")}`);
  for (const [name, value] of [
    ["text", text],
    ["subject", subject],
  ] as const)
    if (value !== undefined && value.length > MAX_TEXT_LENGTH)
      throw invalidArgument(name, `must have at most ${MAX_TEXT_LENGTH} characters`);
  const conditions = { ...conditionsOf(input), withSuperseded: input.includeSuperseded };
  const words = text === undefined ? [] : normal(text).split(" ");
  const about = subject === undefined ? undefined : normal(subject);
  const now = tenant.workspace.clock();
  return (found) => {
    const { place } = found;
    const times =
      found.kind === "fact"
        ? timesOfFact(found.file, found.fact, place.entry.created)
        : timesOfEpisode(place, episodeMeta(tenant.workspace, place));
    if (!isAdmitted(times, conditions, now)) return false;
    const view = viewOf(tenant, found);
    if (about !== undefined && normal(view.subject) !== about) return false;
    const statement = normal(view.statement);
    return words.every((word) => statement.includes(word));
  };
}
