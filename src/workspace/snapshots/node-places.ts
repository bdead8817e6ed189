import type { EventLoopYielder } from "../../base/event-loop.ts";
import type { NodeId, NodeRecord } from "../../domain/node.ts";
import { type KvPages, pairPages, prefixRange } from "../../storage/kv.ts";
import { type Keys, keptEntryParts } from "../keys.ts";
import { NODE_RECORDS } from "../records.ts";
import { KEPT_ENTRIES } from "./records.ts";
import { NOW } from "./snapshot-tree.ts";

const PAGE = 500;

/** Where nodes were at the time of a snapshot; node records contain only the current place. */
export class NodePlaces {
  readonly #kv: KvPages;
  readonly #keys: Keys;
  readonly #former: ReadonlyMap<NodeId, NodeRecord>;

  private constructor(kv: KvPages, keys: Keys, former: ReadonlyMap<NodeId, NodeRecord>) {
    this.#kv = kv;
    this.#keys = keys;
    this.#former = former;
  }

  /** Reads the entries kept since the snapshot. Memory: one place for each node that has left its place. */
  static async read(
    kv: KvPages,
    keys: Keys,
    number: number,
    { signal, yielder }: { readonly signal: AbortSignal; readonly yielder: EventLoopYielder },
  ): Promise<NodePlaces> {
    const former = new Map<NodeId, NodeRecord & { readonly number: number }>();
    const range = prefixRange(keys.allKeptEntries(), PAGE);
    if (number !== NOW)
      for await (const page of pairPages(kv, range)) {
        signal.throwIfAborted();
        for (const [key, value] of page) {
          await yielder.yieldIfDue();
          const place = keptEntryParts(keys, key);
          if (place.number < number) continue;
          const [, entry] = KEPT_ENTRIES.decode(value, key);
          if (!entry) continue;
          // if the node moved several times, the snapshot has the place that it left first
          const known = former.get(entry.node);
          if (!known || place.number < known.number) former.set(entry.node, place);
        }
      }
    for (const [node, { directory, name }] of former) {
      await yielder.yieldIfDue();
      const now = NODE_RECORDS.readShared(kv, keys.node(node));
      if (now?.directory === directory && now.name === name) former.delete(node);
    }
    return new NodePlaces(kv, keys, former);
  }

  /** The nodes that are elsewhere now, or were removed. */
  get left(): Iterable<NodeId> {
    return this.#former.keys();
  }

  /** The folder and name of a node; unchecked, because entries outside the snapshot are not kept. */
  of(node: NodeId): NodeRecord | undefined {
    return this.#former.get(node) ?? NODE_RECORDS.readShared(this.#kv, this.#keys.node(node));
  }
}
