import { EventLoopYielder } from "../../base/event-loop.ts";
import { itemAt } from "../../base/expect.ts";
import { sha256 } from "../../base/sha256.ts";
import { directoryLayersJob, LAYERS_DELAY_MS } from "../../domain/job.ts";
import type { NodeId } from "../../domain/node.ts";
import type { Path } from "../../domain/uri.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import { Conflict, retryConflicts } from "../../workspace/conflict.ts";
import { NODE_IDS } from "../../workspace/records.ts";
import { countMemories } from "../../workspace/sessions/commits.ts";
import { Builder, type BuiltNode, type NewChunk } from "../../workspace/tree/builder.ts";
import { putLayers } from "../../workspace/tree/layers.ts";
import { partitionOwner } from "../../workspace/tree/locate.ts";
import { attachNode, ensureDirectory } from "../../workspace/tree/tree.ts";
import type { WorkspaceDraft } from "../../workspace/workspace-draft.ts";
import type { VectorJobs } from "../facts/change-fact-file.ts";
import type { Origin } from "../facts/persist-facts.ts";
import { type OriginOf, type TimesOf, timeLookup, type Utterance } from "../utterance.ts";
import { type EpisodeText, episodeLayers, episodeText, raritySteps } from "./episode-text.ts";
import { type Episode, splitIntoEpisodeSteps } from "./split-episodes.ts";

/** Number of episodes per transaction, which takes a few milliseconds. */
const EPISODES_PER_CHANGE = 50;

export interface EpisodeDeps {
  readonly queue: JobQueue;
  /** Creates the indexed text of an episode. Injected, because indexing belongs to `enrich`. */
  readonly passage: (passage: EpisodeText) => NewChunk;
  readonly vectorJobs: VectorJobs;
}

type Layers = ReturnType<typeof episodeLayers>;

/** An episode with the key under which its session records it. */
interface Digested {
  readonly episode: Episode;
  readonly digest: string;
}

/**
 * Stores episodes, in transactions of bounded size. Skips episodes that the session has already stored, from
 * this archive or an earlier one with the same content. Returns the episode of each message.
 */
export async function persistEpisodes(
  deps: EpisodeDeps,
  origin: Origin,
  utterances: readonly Utterance[],
  originOf: OriginOf,
  signal: AbortSignal,
): Promise<(message: string) => Path | undefined> {
  const { workspace, node } = origin;
  const yielder = new EventLoopYielder(workspace.incarnation);
  const idf = await yielder.through(raritySteps(utterances));
  const about = { idf, originOf, timesOf: timeLookup(utterances) };
  const all: Digested[] = [];
  for (const episode of await yielder.through(splitIntoEpisodeSteps(utterances))) {
    all.push({ episode, digest: digestOf(episode) });
    await yielder.yieldIfDue();
  }
  const different = [...new Map(all.map((one) => [one.digest, one])).values()];
  for (let at = 0; at < different.length; at += EPISODES_PER_CHANGE) {
    signal.throwIfAborted();
    await retryConflicts(async () => {
      const missing = different
        .slice(at, at + EPISODES_PER_CHANGE)
        .filter(({ digest }) => workspace.kv.get(workspace.keys.episode(node, digest)) === undefined);
      if (missing.length > 0) await keep(deps, origin, missing, about);
    });
  }
  const digests = new Map(all.flatMap(({ episode, digest }) => episode.said.map(({ id }) => [id, digest])));
  return (message) => {
    const digest = digests.get(message);
    const kept =
      digest === undefined ? undefined : NODE_IDS.read(workspace.kv, workspace.keys.episode(node, digest));
    return kept !== undefined && workspace.table.isReachable(kept) ? workspace.pathOf(kept) : undefined;
  };
}

const digestOf = ({ said }: Episode): string =>
  sha256(JSON.stringify(said.map(({ speaker, text }) => [speaker, text])));

async function keep(
  deps: EpisodeDeps,
  origin: Origin,
  episodes: readonly Digested[],
  about: {
    readonly idf: (word: string) => number;
    readonly originOf: OriginOf;
    readonly timesOf: TimesOf;
  },
): Promise<void> {
  const { workspace, owner, homes, session, node, archive } = origin;
  const { idf, originOf, timesOf: saidIn } = about;
  const events = [...homes.user, "events"];
  const builder = new Builder(workspace, await workspace.partitionFor(partitionOwner(owner, events)));
  const yielder = new EventLoopYielder(workspace.incarnation);
  try {
    const made: { episode: Episode; digest: string; built: BuiltNode; layers: Layers }[] = [];
    for (const { episode, digest } of episodes) {
      const text = episodeText(episode);
      const bytes = Buffer.from(text.text);
      const file = {
        name: "",
        mime: "text/markdown",
        size: bytes.byteLength,
        hash: sha256(bytes),
        content: { inline: bytes },
      };
      const built = await builder.addFile({ ...file, chunks: [deps.passage(text)] });
      await yielder.yieldIfDue();
      made.push({ episode, digest, built, layers: episodeLayers(episode, idf) });
      await yielder.yieldIfDue();
    }
    const isKept = await workspace.transact((draft) => {
      draft.isBeyondQuota = true;
      if (made.some(({ digest }) => draft.get(draft.keys.episode(node, digest)) !== undefined))
        throw new Conflict(session);
      if (!countMemories(draft, workspace, node, archive, made.length)) return () => false;
      const directories = new Set<NodeId>();
      for (const { episode, digest, built, layers } of made) {
        const path = [...events, `${itemAt(episode.said, 0).date}-${session}`];
        const directory = ensureDirectory(draft, workspace, owner, path, workspace.uris.format(path), {
          unindexed: true,
        });
        const messages = [...new Set(episode.said.map(({ id }) => id))];
        const said = saidIn(messages);
        attachNode(draft, workspace, directory, freeName(draft, directory), built, {
          meta: { session, archive, messages, origin: originOf(messages), ...(said && { said }) },
        });
        putLayers(draft, built.entry.node, built.entry.generation, layers);
        draft.put(draft.keys.episode(node, digest), encodeRecord(built.entry.node));
        directories.add(directory);
      }
      builder.putRest(draft);
      for (const job of deps.vectorJobs(workspace, builder.indexed)) deps.queue.enqueue(draft, job);
      for (const directory of directories)
        deps.queue.enqueue(
          draft,
          directoryLayersJob(workspace.incarnation, directory, [], workspace.clock() + LAYERS_DELAY_MS),
        );
      return () => true;
    });
    if (!isKept) await builder.abandon();
  } catch (error) {
    await builder.abandon();
    throw error;
  }

  function freeName(draft: WorkspaceDraft, directory: NodeId): string {
    for (let n = workspace.childrenAt(draft, directory) + 1; ; n++) {
      const name = `${String(n).padStart(2, "0")}.md`;
      if (!draft.entry(directory, name)) return name;
    }
  }
}
