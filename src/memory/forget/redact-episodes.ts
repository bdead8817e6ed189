import { EventLoopYielder } from "../../base/event-loop.ts";
import { lastOf } from "../../base/expect.ts";
import { sha256 } from "../../base/sha256.ts";
import { failedPrecondition } from "../../domain/errors.ts";
import { purgeJob } from "../../domain/job.ts";
import { analyse } from "../../domain/text/analyse.ts";
import { textOf as decoded } from "../../domain/text/decode.ts";
import { decodeChunk } from "../../index/segments/record.ts";
import { isTexts } from "../../storage/record-codec.ts";
import { Conflict, retryConflicts } from "../../workspace/conflict.ts";
import { Builder, type NewChunk } from "../../workspace/tree/builder.ts";
import { layerOf } from "../../workspace/tree/layers.ts";
import { locate, type Owner, partitionOwner } from "../../workspace/tree/locate.ts";
import { attachNode, unlink } from "../../workspace/tree/tree.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import type { EpisodeText } from "../episodes/episode-text.ts";
import type { FactDeps } from "../facts/change-fact-file.ts";
import { MAX_EDITED_BYTES } from "../facts/fact-file.ts";
import type { MemoryFile } from "../memory-files.ts";
import { memoryFiles } from "../memory-files.ts";
import type { WantedFile } from "./find-memories.ts";
import { wordsOf } from "./key-words.ts";
import {
  digestOf,
  FORGOTTEN,
  isAllForgotten,
  type Sentence,
  sentenceSteps,
  withoutSentences,
} from "./redact-text.ts";
import { messageKey, type Targets, textOf } from "./targets.ts";

/** Minimum share of a phrase's terms in an episode's index for assuming that they come from a neighbour. */
const BORDER_SHARE = 0.5;
/** Prefix of a message in an episode, or of a sentence in its overview: time and speaker. */
const SPEAKER = /^(?:- )?(?:\[[^\]\n]{1,60}\] )?([^:\n]{1,100}): /;
const HEADING = /^# (.*?) · ([^\n]*)\n\n/;

export interface RedactEpisodeDeps extends Pick<FactDeps, "queue" | "vectorJobs"> {
  readonly passage: (passage: EpisodeText) => NewChunk;
}

/** An episode that must change. */
export interface TouchedEpisode extends WantedFile {
  /** Whether the whole file is removed: it was selected itself, or contains nothing else. */
  readonly isGone: boolean;
  /** Whether it contains selected content itself; otherwise only a neighbour that is indexed with it does. */
  readonly isSelected: boolean;
  /** Digests of the selected sentences. */
  readonly gone: readonly string[];
}

/**
 * Whether a file is a document that a user has put among the episodes; episodes have a few kilobytes, and a
 * text of any size cannot be searched sentence by sentence.
 */
export const isDocument = ({ entry }: Pick<MemoryFile, "entry">): boolean => entry.size > MAX_EDITED_BYTES;

function checkSearchable({ uris }: Workspace, place: MemoryFile): void {
  if (isDocument(place))
    throw failedPrecondition(
      uris.format(place.path),
      `it is a document of ${place.entry.size} bytes, too long to be searched for what is to be forgotten: ` +
        "move it out of the memories, or delete it",
    );
}

/**
 * Finds a user's episodes that contain selected content, or are next to it. Throws FAILED_PRECONDITION for a
 * document among them.
 */
export async function findEpisodes(
  workspace: Workspace,
  owner: Owner,
  targets: Targets,
  whole: ReadonlySet<number>,
  signal: AbortSignal,
): Promise<TouchedEpisode[]> {
  const yielder = new EventLoopYielder(workspace.incarnation);
  const phrases = targets.phrases.map(({ words }) => [...new Set(analyse(words.join(" ")))]);
  const touched: TouchedEpisode[] = [];
  for await (const place of memoryFiles(workspace, owner, "events")) {
    signal.throwIfAborted();
    await yielder.yieldIfDue();
    if (whole.has(place.entry.node)) {
      touched.push({ place, owner, isGone: true, isSelected: true, gone: [] });
      continue;
    }
    checkSearchable(workspace, place);
    const text = await readEpisode(workspace, place);
    const gone = await yielder.through(selectedSteps(workspace, place, text, targets));
    const made = await yielder.through(redactedSteps(text, new Set(gone), targets));
    if (made !== text) touched.push({ place, owner, isGone: isEmptied(made), isSelected: true, gone });
    else if (isUnderWordsOf(workspace, place, text, phrases))
      touched.push({ place, owner, isGone: false, isSelected: false, gone });
  }
  return touched;
}

/** A planned change of an episode. */
export interface EpisodeChange extends Pick<TouchedEpisode, "place" | "isGone"> {
  readonly gone: ReadonlySet<string>;
  /** Runs in the transaction of the change. */
  readonly within: (draft: WorkspaceDraft) => void;
}

/** Rewrites an episode without the selected content and indexes only its own words, or removes it. */
export function redactEpisode(
  deps: RedactEpisodeDeps,
  workspace: Workspace,
  owner: Owner,
  { place, isGone, gone, within }: EpisodeChange,
  targets: Targets,
): Promise<void> {
  return retryConflicts(async () => {
    const located = locate(workspace.kv, workspace.keys, owner, place.path);
    const { entry } = located ?? {};
    if (!located || entry?.node !== place.entry.node) return;
    const found = { ...place, entry };
    if (isGone) return takeOut(deps, workspace, owner, found, within);
    // it has become a document since
    if (isDocument(found)) return;
    const yielder = new EventLoopYielder(workspace.incarnation);
    const text = await yielder.through(redactedSteps(await readEpisode(workspace, found), gone, targets));
    await rewrite(deps, workspace, owner, found, { text, within });
  });
}

async function rewrite(
  deps: RedactEpisodeDeps,
  workspace: Workspace,
  owner: Owner,
  { path, entry }: MemoryFile,
  { text, within }: Pick<EpisodeChange, "within"> & { readonly text: string },
): Promise<void> {
  const heading = HEADING.exec(text);
  const yielder = new EventLoopYielder(workspace.incarnation);
  const layers: string[] = [];
  for (const level of [0, 1] as const)
    layers.push(await yielder.through(redactedLayerSteps(layerOf(workspace, entry, level) ?? "", text)));
  const builder = new Builder(workspace, await workspace.partitionFor(partitionOwner(owner, path)));
  const bytes = Buffer.from(text);
  try {
    // some words of its neighbours are selected and must no longer find this episode
    const chunk = deps.passage({
      text,
      start: heading?.[0].length ?? 0,
      title: heading ? `[${heading[1]}]` : "",
      border: "",
    });
    const built = await builder.addFile(
      {
        name: lastOf(path),
        mime: "text/markdown",
        size: bytes.byteLength,
        hash: sha256(bytes),
        content: { inline: bytes },
        chunks: [chunk],
      },
      { node: entry.node, created: entry.created },
    );
    await workspace.transact((draft) => {
      draft.isBeyondQuota = true;
      const directory = checkThere(draft, owner, { path, entry });
      const meta = draft.node(entry.node)?.meta;
      attachNode(draft, workspace, directory, lastOf(path), built, { ...(meta && { meta }) });
      for (const [level, layer] of layers.entries())
        draft.put(
          draft.keys.layer(entry.node, built.entry.generation, level === 0 ? 0 : 1),
          Buffer.from(layer),
        );
      builder.putRest(draft);
      within(draft);
      for (const job of deps.vectorJobs(workspace, builder.indexed)) deps.queue.enqueue(draft, job);
      return () => undefined;
    });
  } catch (error) {
    await builder.abandon();
    throw error;
  }
}

function takeOut(
  deps: RedactEpisodeDeps,
  workspace: Workspace,
  owner: Owner,
  { path, entry }: MemoryFile,
  within: EpisodeChange["within"],
): Promise<void> {
  return workspace.transact((draft) => {
    draft.isBeyondQuota = true;
    within(draft);
    const { purge } = unlink(
      draft,
      workspace,
      checkThere(draft, owner, { path, entry }),
      lastOf(path),
      entry,
    );
    deps.queue.enqueue(draft, purgeJob(workspace.incarnation, { removed: purge }));
    return () => undefined;
  });
}

/** Returns the directory of a file that has not changed. */
function checkThere(
  draft: WorkspaceDraft,
  owner: Owner,
  { path, entry }: Pick<MemoryFile, "path" | "entry">,
) {
  const located = locate(draft, draft.keys, owner, path);
  if (located?.entry?.node !== entry.node || located.entry.generation !== entry.generation)
    throw new Conflict(lastOf(path));
  return located.directory;
}

export const readEpisode = async (
  { contents }: Workspace,
  { entry }: Pick<MemoryFile, "entry">,
): Promise<string> => decoded(await contents.read(entry)) ?? "";

/** Ids of an episode's source messages. */
export function sourcesOf(workspace: Workspace, { entry }: Pick<MemoryFile, "entry">): string[] {
  const { session, archive, messages } = workspace.entryOf(entry.node)?.record.meta ?? {};
  if (typeof session !== "string" || typeof archive !== "number" || !isTexts(messages)) return [];
  return messages.map((message) => messageKey(session, archive, message));
}

/** Digests of the selected sentences in an episode. */
function* selectedSteps(
  workspace: Workspace,
  place: MemoryFile,
  text: string,
  targets: Targets,
): Generator<undefined, string[]> {
  const sentences = yield* sentencesIn(text);
  const selected = yield* targets.selectedSteps([{ text, sentences }], sourcesOf(workspace, place));
  return [...(yield* digestsOf(text, selected))];
}

/** The text of an episode without the selected content; keeps heading and speakers. */
function* redactedSteps(
  text: string,
  gone: ReadonlySet<string>,
  targets: Targets,
): Generator<undefined, string> {
  const removed: Sentence[] = [];
  for (const sentence of gone.size > 0 ? yield* sentencesIn(text) : []) {
    yield;
    if (gone.has(digestOf(text, sentence))) removed.push(sentence);
  }
  const made = removed.length === 0 ? text : withoutSentences(text, removed);
  const [heading = "", when = ""] = HEADING.exec(made) ?? [];
  return (yield* targets.isSelectedSteps(wordsOf(heading)))
    ? `# ${when} · ${FORGOTTEN}\n\n${made.slice(heading.length)}`
    : made;
}

/** L0 or L1 of an episode without sentences that its text no longer has. */
function* redactedLayerSteps(layer: string, text: string): Generator<undefined, string> {
  const gone: Sentence[] = [];
  for (const sentence of yield* sentencesIn(layer)) {
    yield;
    if (!text.includes(textOf(layer, sentence))) gone.push(sentence);
  }
  return gone.length === 0 ? layer : withoutSentences(layer, gone);
}

/** Digests of the sentences of an episode's messages. */
export function* saidSteps(text: string): Generator<undefined, Set<string>> {
  return yield* digestsOf(text, yield* sentencesIn(text));
}

function* digestsOf(text: string, sentences: Iterable<Sentence>): Generator<undefined, Set<string>> {
  const digests = new Set<string>();
  for (const sentence of sentences) {
    yield;
    digests.add(digestOf(text, sentence));
  }
  return digests;
}

/** The sentences of an episode or its layer, without heading and speakers. */
function* sentencesIn(text: string): Generator<undefined, Sentence[]> {
  const [heading = "", , names = ""] = HEADING.exec(text) ?? [];
  const speakers = new Set(names.split(", "));
  const found: Sentence[] = [];
  for (const sentence of yield* sentenceSteps(text)) {
    yield;
    if (sentence.start >= heading.length) found.push(behindSpeaker(text, sentence, speakers));
  }
  return found;
}

function behindSpeaker(text: string, sentence: Sentence, speakers: ReadonlySet<string>): Sentence {
  const { start, end } = sentence;
  const isAtStart = start === 0 || text[start - 1] === "\n";
  const [note = "", name = ""] = (isAtStart && SPEAKER.exec(text.slice(start, end))) || [];
  return speakers.has(name) && start + note.length < end
    ? { ...sentence, start: start + note.length }
    : sentence;
}

/** Whether an episode contains nothing but its heading, speakers and markers. */
const isEmptied = (text: string): boolean =>
  text
    .replace(HEADING, "")
    .split("\n")
    .every((line) => isAllForgotten(line.replace(SPEAKER, "")));

/** Whether an episode is indexed under words of a phrase that it does not contain. */
function isUnderWordsOf(
  { kv, keys }: Workspace,
  { entry: { chunks } }: MemoryFile,
  text: string,
  phrases: readonly (readonly string[])[],
): boolean {
  const value = chunks && kv.get(keys.chunk(chunks.partition, chunks.first));
  if (!value) return false;
  const { terms } = decodeChunk(value);
  const near = phrases.filter((phrase) => {
    const found = phrase.filter((term) => terms.has(term)).length;
    return found > 0 && found >= phrase.length * BORDER_SHARE;
  });
  if (near.length === 0) return false;
  const own = new Set(analyse(text));
  return near.some((phrase) => phrase.some((term) => terms.has(term) && !own.has(term)));
}
