import type { Client } from "@ctxdb/client";
import {
  below,
  createText,
  fromNewestFirst,
  inParallel,
  keyPath,
  newestFirst,
  putText,
  readValue,
  remove,
  takeKey,
  unless,
  valueText,
} from "@ctxdb/records";
import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  compareWritesSortKeys,
  maxChannelVersion,
  type PendingWrite,
  type SerializerProtocol,
  TASKS,
  WRITES_IDX_MAP,
  writesSortKey,
} from "@langchain/langgraph-checkpoint";

const CHECKPOINTS = "checkpoints";
const WRITES = "writes";
const SUFFIX = ".bin";
/** First checkpoint format in which the tasks sent by a step are a channel. */
const SENDS_IN_CHANNELS = 4;
/** Offset that turns the negative indexes of special channels into sortable names. */
const INDEX_OFFSET = 1000;

export interface CtxdbSaverOptions {
  /** Folder of the threads. Default: the caller's part of the agent space `langgraph-js`. */
  readonly root?: string;
  readonly serde?: SerializerProtocol;
}

/** Identifies a checkpoint. */
interface Place {
  readonly thread: string;
  readonly namespace: string;
  readonly id: string;
}

type Saved = readonly [kind: string, base64: string];

interface SavedCheckpoint {
  readonly checkpoint: Saved;
  readonly metadata: Saved;
  readonly parent?: string;
}

interface SavedWrite {
  readonly task: string;
  readonly path: string;
  readonly index: number;
  readonly channel: string;
  readonly value: Saved;
}

/** Stores threads in ctxdb, with one file per checkpoint and one per pending write. */
export class CtxdbSaver extends BaseCheckpointSaver {
  readonly #client: Client;
  #root: string | undefined;

  constructor(client: Client, { root, serde }: CtxdbSaverOptions = {}) {
    super(serde);
    this.#client = client;
    this.#root = root;
  }

  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread, namespace = "", id } = keysOf(config);
    if (thread === undefined) return undefined;
    const known = id ?? (await this.#latest(thread, namespace));
    return known === undefined ? undefined : this.#load({ thread, namespace, id: known });
  }

  /** Yields newest first, by thread and namespace. */
  async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const { before, limit = Number.POSITIVE_INFINITY, filter = {} } = options;
    const { id } = keysOf(config);
    const last = before === undefined ? undefined : keysOf(before).id;
    let count = 0;
    if (limit <= 0) return;
    for await (const place of this.#places(config)) {
      if ((id !== undefined && place.id !== id) || (last !== undefined && place.id >= last)) continue;
      const tuple = await this.#load(place);
      const metadata: Readonly<Record<string, unknown>> = { ...tuple?.metadata };
      if (!tuple || !Object.entries(filter).every(([key, value]) => metadata[key] === value)) continue;
      yield tuple;
      if (++count >= limit) return;
    }
  }

  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
  ): Promise<RunnableConfig> {
    const { thread, namespace = "", id: parent } = keysOf(config);
    const place = { thread: needed(thread, "thread_id"), namespace, id: checkpoint.id };
    const saved: SavedCheckpoint = {
      checkpoint: await this.#dump(checkpoint),
      metadata: await this.#dump(metadata),
      parent,
    };
    await putText(this.#client, await this.#checkpointUri(place), valueText(saved));
    return configOf(place);
  }

  async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath = "",
  ): Promise<void> {
    const { thread, namespace = "", id } = keysOf(config);
    const place = { thread: needed(thread, "thread_id"), namespace, id: needed(id, "checkpoint_id") };
    const folder = `${await this.#writesUri(place)}/${keyPath(taskId)}`;
    await inParallel(writes.entries(), async ([at, [channel, value]]) => {
      const index = WRITES_IDX_MAP[channel] ?? at;
      const saved: SavedWrite = {
        task: taskId,
        path: taskPath,
        index,
        channel,
        value: await this.#dump(value),
      };
      const uri = `${folder}/${String(index + INDEX_OFFSET).padStart(6, "0")}${SUFFIX}`;
      // a task that runs again repeats its writes: the first ones win, except for errors and interrupts
      if (index < 0) await putText(this.#client, uri, valueText(saved));
      else await createText(this.#client, uri, valueText(saved));
    });
  }

  async deleteThread(threadId: string): Promise<void> {
    await remove(this.#client, await this.#folder(threadId));
  }

  async #load(place: Place): Promise<CheckpointTuple | undefined> {
    const saved = await readValue(this.#client, await this.#checkpointUri(place));
    if (saved === undefined) return undefined;
    const { checkpoint: state, metadata, parent } = saved as SavedCheckpoint;
    const checkpoint = (await this.#restore(state)) as Checkpoint;
    if (checkpoint.v < SENDS_IN_CHANNELS && parent !== undefined)
      await this.#moveSends(checkpoint, { ...place, id: parent });
    return {
      config: configOf(place),
      checkpoint,
      metadata: (await this.#restore(metadata)) as CheckpointMetadata,
      pendingWrites: await this.#pending(place),
      ...(parent !== undefined && { parentConfig: configOf({ ...place, id: parent }) }),
    };
  }

  /** Older formats store the tasks sent by a step among the writes of the previous checkpoint. */
  async #moveSends(checkpoint: Checkpoint, parent: Place): Promise<void> {
    const pending = await this.#pending(parent);
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_values[TASKS] = pending
      .filter(([, channel]) => channel === TASKS)
      .map(([, , sent]) => sent);
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
  }

  /** Sorted in the order in which a run applies them: by path of the task, task and index. */
  async #pending(place: Place): Promise<CheckpointPendingWrite[]> {
    const folder = await this.#writesUri(place);
    const uris = await this.#filesBelow(folder, "**");
    const read = await inParallel(uris, (uri) => readValue(this.#client, uri));
    const writes = read.filter((saved) => saved !== undefined) as SavedWrite[];
    const keyOf = ({ path, task, index }: SavedWrite) => writesSortKey(path, task, index);
    writes.sort((one, other) => compareWritesSortKeys(keyOf(one), keyOf(other)));
    return inParallel(writes, async ({ task, channel, value }) => [
      task,
      channel,
      await this.#restore(value),
    ]);
  }

  async #latest(thread: string, namespace: string): Promise<string | undefined> {
    const uri = `${await this.#folder(thread, namespace)}/${CHECKPOINTS}`;
    const page = await unless("NOT_FOUND", () => this.#client.fs.uris({ uri, nodeLimit: 1 }));
    const name = page?.uris[0]?.split("/").at(-1);
    return name === undefined ? undefined : fromNewestFirst(name.replace(SUFFIX, ""));
  }

  /** Yields the locations of checkpoints, newest first in each namespace. */
  async *#places(config: RunnableConfig): AsyncGenerator<Place> {
    const { thread, namespace } = keysOf(config);
    const keys = thread === undefined ? [] : [thread, ...(namespace === undefined ? [] : [namespace])];
    for (const uri of await this.#filesBelow(await this.#folder(...keys), `**/${CHECKPOINTS}`)) {
      const place = await this.#placeOf(uri);
      if (place && (namespace === undefined || place.namespace === namespace)) yield place;
    }
  }

  async #filesBelow(uri: string, folders: string): Promise<string[]> {
    const uris: string[] = [];
    await unless("NOT_FOUND", async () => {
      for await (const each of this.#client.search.globAll({ uri, pattern: `${folders}/*${SUFFIX}` }))
        uris.push(each);
    });
    return uris;
  }

  async #placeOf(uri: string): Promise<Place | undefined> {
    const thread = takeKey(below(uri, await this.#folder()));
    const namespace = thread && takeKey(thread.rest);
    const [folder, name, ...more] = namespace?.rest ?? [];
    if (!thread || !namespace || folder !== CHECKPOINTS || name === undefined || more.length > 0)
      return undefined;
    return { thread: thread.key, namespace: namespace.key, id: fromNewestFirst(name.replace(SUFFIX, "")) };
  }

  async #folder(...keys: string[]): Promise<string> {
    this.#root ??= `ctx://agent/langgraph-js/${(await this.#client.system.status()).user}/threads`;
    return [this.#root, ...keys.map(keyPath)].join("/");
  }

  async #checkpointUri({ thread, namespace, id }: Place): Promise<string> {
    return `${await this.#folder(thread, namespace)}/${CHECKPOINTS}/${newestFirst(id)}${SUFFIX}`;
  }

  async #writesUri({ thread, namespace, id }: Place): Promise<string> {
    return `${await this.#folder(thread, namespace)}/${WRITES}/${newestFirst(id)}`;
  }

  async #dump(value: unknown): Promise<Saved> {
    const [kind, bytes] = await this.serde.dumpsTyped(value);
    return [kind, Buffer.from(bytes).toString("base64")];
  }

  #restore([kind, base64]: Saved): Promise<unknown> {
    return this.serde.loadsTyped(kind, Buffer.from(base64, "base64"));
  }
}

interface Keys {
  readonly thread?: string;
  readonly namespace?: string;
  readonly id?: string;
}

function keysOf({ configurable = {} }: RunnableConfig): Keys {
  const text = (value: unknown) => (value === undefined || value === null ? undefined : String(value));
  return {
    thread: text(configurable.thread_id),
    namespace: text(configurable.checkpoint_ns),
    id: text(configurable.checkpoint_id) || undefined,
  };
}

function needed(value: string | undefined, field: string): string {
  if (value === undefined) throw new Error(`the config is missing "${field}" in "configurable"`);
  return value;
}

const configOf = ({ thread, namespace, id }: Place): RunnableConfig => ({
  configurable: { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: id },
});
