import { EventLoopYielder } from "../../base/event-loop.ts";
import { failedPrecondition } from "../../domain/errors.ts";
import { factsIn } from "../memory-files.ts";
import {
  findMemories,
  ownersOf,
  type WantedFact,
  type WantedFile,
  type Whose,
  type Wish,
} from "./find-memories.ts";
import { findSaid, type SaidMessage } from "./find-said.ts";
import { KeyWords } from "./key-words.ts";
import {
  findEpisodes,
  isDocument,
  readEpisode,
  saidSteps,
  sourcesOf,
  type TouchedEpisode,
} from "./redact-episodes.ts";
import { type ForgetTarget, factTarget, messageKey, Targets } from "./targets.ts";

const NO_WORDS = { phrase: new KeyWords(""), minShare: 1 };

/** Everything that will be forgotten. */
export interface ForgetPlan {
  readonly wish: Wish;
  readonly targets: Targets;
  readonly facts: readonly WantedFact[];
  readonly episodes: readonly TouchedEpisode[];
  readonly said: readonly SaidMessage[];
}

/**
 * Finds everything to forget, without changing anything. Throws FAILED_PRECONDITION for more memories than
 * `limit`.
 */
export async function planForget(
  whose: Whose,
  wish: Wish,
  limit: number,
  signal: AbortSignal,
): Promise<ForgetPlan> {
  const { workspace, owner } = whose;
  const check = (memories: number) => checkLimit(memories, limit);
  const found = await findMemories(whose, await ownersOf(whose), wish, check, signal);
  const yielder = new EventLoopYielder(workspace.incarnation);
  // keep messages of other sessions
  const isOfSession = "session" in wish;
  const targets = new Targets();
  for (const { fact } of isOfSession ? [] : found.facts) {
    targets.add(factTarget(fact));
    await yielder.yieldIfDue();
  }
  for (const kept of found.kept) {
    targets.keep(kept);
    await yielder.yieldIfDue();
  }
  if ("query" in wish) targets.add({ phrase: wish.query, minShare: wish.minScore, sources: new Set() });
  if ("subject" in wish && wish.subject.toLowerCase() !== "user")
    targets.add({ phrase: wish.names, minShare: 1, sources: new Set() });
  if ("path" in wish) targets.uris.add(workspace.uris.format(wish.path));
  for (const place of found.episodes) if (!isOfSession) targets.add(await episodeTarget(whose, place));
  const find = async () => (isOfSession ? [] : findSaid(workspace, owner.user, targets, signal));
  let said = await find();
  const keys = new Set(said.map(({ session, archive, message }) => messageKey(session, archive, message)));
  const derived = found.derivable.filter(({ fact }) =>
    [...factTarget(fact).sources].some((source) => keys.has(source)),
  );
  for (const { fact } of derived) targets.add(factTarget(fact));
  const facts = [...found.facts, ...derived];
  for (const { place } of await emptiedBy(whose, facts)) targets.uris.add(workspace.uris.format(place.path));
  if (derived.length > 0 || targets.uris.size > 0) said = await find();
  for (const { session, archive, message, gone } of said)
    targets.add({ ...NO_WORDS, sources: new Set([messageKey(session, archive, message)]), sentences: gone });
  const whole = new Set(found.episodes.map(({ place }) => place.entry.node));
  const episodes = await findEpisodes(workspace, owner, targets, whole, signal);
  checkLimit(facts.length + episodes.filter(({ isSelected }) => isSelected).length, limit);
  return { wish, targets, facts, episodes, said };
}

function checkLimit(memories: number, limit: number): void {
  if (memories > limit)
    throw failedPrecondition(
      "limit",
      `nothing was forgotten: at least ${memories} memories match, more than the limit of ${limit}; narrow the request or raise the limit`,
    );
}

/** An episode as a forget target: its source messages, and the sentences of them that it quotes. */
async function episodeTarget({ workspace }: Whose, { place }: WantedFile): Promise<ForgetTarget> {
  // a document quotes no message
  if (isDocument(place)) return { ...NO_WORDS, sources: new Set() };
  const yielder = new EventLoopYielder(workspace.incarnation);
  const sentences = await yielder.through(saidSteps(await readEpisode(workspace, place)));
  return { ...NO_WORDS, sources: new Set(sourcesOf(workspace, place)), sentences };
}

/** The files that lose all facts. */
async function emptiedBy({ workspace }: Whose, facts: readonly WantedFact[]): Promise<WantedFile[]> {
  const files = new Map<number, { readonly file: WantedFile; count: number }>();
  for (const wanted of facts) {
    const { node } = wanted.place.entry;
    const known = files.get(node);
    if (known) known.count++;
    else files.set(node, { file: wanted, count: 1 });
  }
  const emptied: WantedFile[] = [];
  for (const { file, count } of files.values()) {
    const { facts, earlier } = (await factsIn(workspace, file.place)).file;
    if (facts.length + earlier.length === count) emptied.push(file);
  }
  return emptied;
}
