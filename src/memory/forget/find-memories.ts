import { EventLoopYielder } from "../../base/event-loop.ts";
import { failedPrecondition } from "../../domain/errors.ts";
import { AGENTS } from "../../domain/node.ts";
import { isAtOrInside, type Path } from "../../domain/uri.ts";
import { keyPages, prefixRange } from "../../storage/kv.ts";
import { ENTRIES } from "../../workspace/records.ts";
import { type Owner, SHARED_AGENTS } from "../../workspace/tree/locate.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { mayWrite } from "../facts/change-fact-file.ts";
import { type FactFile, type KnownFact, MAX_EDITED_BYTES, normal } from "../facts/fact-file.ts";
import { factsIn, MEMORY_CATEGORIES, type MemoryFile, memoryFiles } from "../memory-files.ts";
import { EPISODE_KEY, factKeys, type MemoryPlace } from "../memory-id.ts";
import { type KeyWords, wordsOf } from "./key-words.ts";
import { type ForgetTarget, factTarget } from "./targets.ts";

const PAGE = 1000;
/** Minimum share of a statement's words in the query for removing it along with its source sentence. */
const DERIVED_SHARE = 0.5;
/** Maximum characters of all selected facts, which are in memory together: a case is a whole file. */
const MAX_SELECTED_LENGTH = 32 * 1024 * 1024;
/** Characters of a kept fact whose words protect its source message. */
const MAX_KEPT_LENGTH = 4096;

/** Owner of the memories: a user, with the user's agents. */
export interface Whose {
  readonly workspace: Workspace;
  readonly owner: Owner;
}

/** What the caller wants to forget. */
export type Wish =
  /** A file, or a directory with everything below. */
  | { readonly path: Path }
  /** One memory, with everything it has superseded. */
  | { readonly memory: MemoryPlace }
  /** `minScore`: minimum share of the query's words in a memory. */
  | { readonly query: KeyWords; readonly minScore: number }
  /** Memories that come only from this session. */
  | { readonly session: string }
  /** Everything about a person or thing, and every statement that mentions it. */
  | { readonly subject: string; readonly names: KeyWords };

export interface WantedFile {
  readonly place: MemoryFile;
  readonly owner: Owner;
}

export interface WantedFact extends WantedFile {
  readonly key: string;
  readonly fact: KnownFact;
  /** Match score, 0 to 1. */
  readonly score: number;
}

export interface FoundMemories {
  readonly facts: readonly WantedFact[];
  /** Episodes to remove as a whole. */
  readonly episodes: readonly WantedFile[];
  /** Facts to remove if their source sentence is removed. */
  readonly derivable: readonly WantedFact[];
  /** Facts to keep that come from messages, as targets. */
  readonly kept: readonly ForgetTarget[];
}

/**
 * The user with each of the user's agents; if agents are shared by all users, only the agent of the request.
 */
export async function ownersOf({ workspace, owner }: Whose): Promise<Owner[]> {
  const { kv, keys } = workspace;
  const home = ENTRIES.read(kv, keys.entry(AGENTS, owner.agentsOf))?.node;
  if (owner.agentsOf === SHARED_AGENTS || home === undefined) return [owner];
  const prefix = keys.entries(home);
  const owners = [owner];
  for await (const page of keyPages(kv, prefixRange(prefix, PAGE)))
    for (const key of page) {
      const agent = key.slice(prefix.length);
      if (agent !== owner.agent) owners.push({ ...owner, agent });
    }
  return owners;
}

/** The memory files of a user and of the user's agents. */
export async function* filesOf(workspace: Workspace, owners: readonly Owner[]): AsyncGenerator<WantedFile> {
  for (const [i, owner] of owners.entries())
    for (const category of MEMORY_CATEGORIES) {
      if (i > 0 && category !== "cases" && category !== "patterns") continue;
      for await (const place of memoryFiles(workspace, owner, category)) yield { place, owner };
    }
}

/**
 * Finds the selected memories. Throws FAILED_PRECONDITION if one is in a file that cannot be rewritten.
 * `check` throws if there are too many.
 */
export async function findMemories(
  { workspace }: Whose,
  owners: readonly Owner[],
  wish: Wish,
  check: (memories: number) => void,
  signal: AbortSignal,
): Promise<FoundMemories> {
  const yielder = new EventLoopYielder(workspace.incarnation);
  const facts: WantedFact[] = [];
  const episodes: WantedFile[] = [];
  const derivable: WantedFact[] = [];
  const kept: ForgetTarget[] = [];
  let length = 0;
  for await (const wanted of filesOf(workspace, owners)) {
    signal.throwIfAborted();
    await yielder.yieldIfDue();
    const { place } = wanted;
    // the caller may not change this file
    if (!mayWrite(wanted.owner, place.path)) continue;
    if (place.category === "events") {
      if (isWholeFile(wish, place) || isEpisode(workspace, wish, place)) episodes.push(wanted);
      continue;
    }
    const { file } = await factsIn(workspace, place);
    const found = await yielder.through(factSteps(wanted, file, wish));
    for (const one of found.filter(({ score }) => score === 0)) {
      await yielder.yieldIfDue();
      if ("query" in wish && wish.query.shareOf(one.fact.text) >= DERIVED_SHARE) derivable.push(one);
      else if (one.fact.sources.length > 0) kept.push(keptTarget(one.fact));
    }
    const selected = found.filter(({ score }) => score > 0);
    if (selected.length > 0 && place.entry.size >= MAX_EDITED_BYTES)
      throw failedPrecondition(
        workspace.uris.format(place.path),
        `it contains what is to be forgotten, but was edited into a document of ${place.entry.size} bytes that cannot be changed automatically: edit it yourself, or delete it`,
      );
    for (const one of selected) {
      facts.push(one);
      length += one.fact.text.length;
    }
    check(facts.length + episodes.length);
    if (length > MAX_SELECTED_LENGTH)
      throw failedPrecondition(
        "limit",
        `nothing was forgotten: the memories that match have more than ${MAX_SELECTED_LENGTH} characters ` +
          "in all; narrow the request",
      );
  }
  check(facts.length + episodes.length);
  return { facts, episodes, derivable, kept };
}

/** A copy, because a word of a long text would retain all of it. */
const keptTarget = ({ text, sources }: KnownFact): ForgetTarget =>
  factTarget({ text: Buffer.from(text.slice(0, MAX_KEPT_LENGTH)).toString(), sources });

function isEpisode(workspace: Workspace, wish: Wish, { entry }: MemoryFile): boolean {
  if ("memory" in wish) return wish.memory.node === entry.node && wish.memory.key === EPISODE_KEY;
  return "session" in wish && workspace.entryOf(entry.node)?.record.meta?.session === wish.session;
}

const isWholeFile = (wish: Wish, { path }: MemoryFile): boolean =>
  "path" in wish && isAtOrInside(path, wish.path);

/** The facts of a file with their match scores; 0: not selected. */
function* factSteps(wanted: WantedFile, file: FactFile, wish: Wish): Generator<undefined, WantedFact[]> {
  const facts = [...file.facts, ...file.earlier];
  const keys = factKeys(facts);
  const chain = "memory" in wish ? supersededOf(file, facts, keys, wish.memory, wanted.place) : undefined;
  const found: WantedFact[] = [];
  for (const [i, fact] of facts.entries()) {
    yield;
    const key = keys[i] ?? "";
    const score = chain ? Number(chain.has(key)) : scoreOf(wanted, file, fact, wish);
    found.push({ ...wanted, key, fact, score });
  }
  return found;
}

function scoreOf({ place }: WantedFile, file: FactFile, { text, sources }: KnownFact, wish: Wish): number {
  if ("session" in wish)
    return Number(sources.length > 0 && sources.every(({ session }) => session === wish.session));
  if ("path" in wish) return isWholeFile(wish, place) ? 1 : 0;
  const isOfUser = place.category === "profile";
  const said = wordsOf(isOfUser ? text : `${file.topic} ${text}`);
  if ("query" in wish) {
    const share = wish.query.shareOf(text) === 1 ? 1 : wish.query.shareIn(said);
    return share >= wish.minScore ? share : 0;
  }
  if (!("subject" in wish)) return 0;
  const subject = normal(wish.subject);
  if (subject === (isOfUser ? "user" : normal(file.topic))) return 1;
  return subject !== "user" && wish.names.shareIn(said) === 1 ? 1 : 0;
}

/** The keys of a fact and of those it has superseded, transitively. */
function supersededOf(
  file: FactFile,
  facts: readonly KnownFact[],
  keys: readonly string[],
  { node, key }: MemoryPlace,
  { entry }: MemoryFile,
): ReadonlySet<string> {
  const at = entry.node === node ? keys.indexOf(key) : -1;
  const first = facts[at];
  if (!first) return new Set();
  const chain = new Set([key]);
  // each round adds at least one earlier fact, so there are no more rounds than facts
  for (let size = 0; size !== chain.size; ) {
    size = chain.size;
    for (const [i, fact] of facts.entries()) {
      const isEarlier = i >= file.facts.length && i > at;
      const isSame = first.slot !== undefined && fact.slot === first.slot && fact.supersededBy === undefined;
      const isLinked = fact.supersededBy !== undefined && chain.has(fact.supersededBy);
      if (isEarlier && (isLinked || isSame)) chain.add(keys[i] ?? "");
    }
  }
  return chain;
}
