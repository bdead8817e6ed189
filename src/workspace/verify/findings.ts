import { append } from "../../base/append.ts";
import { type ChunkRange, type Entry, FIRST_FREE_NODE, type NodeId } from "../../domain/node.ts";
import { lastNumber } from "../../storage/key-numbers.ts";
import { pairPages, prefixRange } from "../../storage/kv.ts";
import { DamagedRecord, NUMBERS } from "../../storage/record-codec.ts";
import { STAGES } from "../records.ts";
import type { Workspace } from "../workspace.ts";

const PAGE = 500;
/** Maximum bytes of a page: a message may have 8 MiB. */
const PAGE_BYTES = 4 * 1024 * 1024;
/** Maximum number of findings in a report. */
const MAX_FINDINGS = 1000;

/** An inconsistency found by `verify`. */
export interface Finding {
  /**
   * Kind of record, as in keys.ts: entry, node, content, version, blob, layer, chunk, vector, partition,
   * usage, property, tag, relation, grant, task, reservation, session, archive, message, change, webhook,
   * schedule, trash, snapshot, counter, record (any other); `index` for index files, `table` and `tail` for memory.
   */
  readonly kind: string;
  /** The node, with its URI if it has one, or another subject of the record. */
  readonly subject: string;
  readonly fault: string;
}

/** Reachability of a node: from the root or the trash, from a pending purge or import, or lost. */
export type Reachability = "reachable" | "pending" | "lost";

/**
 * One verification of a workspace: its findings, and lookups for the parts of `verify`. Uses a byte of memory
 * per node.
 */
export class Audit {
  readonly workspace: Workspace;
  readonly findings: Finding[] = [];
  readonly #purging: ReadonlySet<NodeId>;
  readonly #places: (Reachability | undefined)[] = [];
  readonly #stagedNodes = new Set<NodeId>();
  readonly #stagedVersions = new Set<string>();
  readonly #stagedChunks: ChunkRange[] = [];
  readonly #limits = new Map<string, number>();

  private constructor(workspace: Workspace, purging: ReadonlySet<NodeId>) {
    this.workspace = workspace;
    this.#purging = purging;
  }

  static async begin(workspace: Workspace, purging: ReadonlySet<NodeId>): Promise<Audit> {
    const audit = new Audit(workspace, purging);
    await audit.run(() => audit.#readStages());
    return audit;
  }

  /** Runs a part of the verification; a damaged record ends it. */
  async run(part: () => Promise<void>): Promise<void> {
    try {
      await part();
    } catch (error) {
      if (!(error instanceof DamagedRecord)) throw error;
      this.report("record", error.subject, error.fault);
    }
  }

  /** Checks that an index file is complete. */
  async checkIndexFile(name: string, subject: string): Promise<void> {
    const isWhole = await this.workspace.index.isWhole(name);
    if (!isWhole) this.report("index", subject, `its file ${name} is missing or damaged`);
  }

  /** All records under a prefix, with one page in memory; ends early at the maximum number of findings. */
  async *records(prefix: string): AsyncGenerator<[key: string, value: Uint8Array]> {
    const range = { ...prefixRange(prefix, PAGE), maxBytes: PAGE_BYTES };
    for await (const page of pairPages(this.workspace.kv, range)) {
      yield* page;
      if (this.findings.length >= MAX_FINDINGS) return;
    }
  }

  report(kind: string, subject: NodeId | string, fault: string): void {
    this.findings.push({ kind, subject: typeof subject === "string" ? subject : this.named(subject), fault });
  }

  named(node: NodeId): string {
    const uri = this.workspace.uriOf(node);
    return uri === undefined ? `node ${node}` : `node ${node} (${uri})`;
  }

  placeOf(node: NodeId): Reachability {
    const chain: NodeId[] = [];
    let place: Reachability | undefined;
    for (let at = node; place === undefined; ) {
      place = this.#places[at];
      if (place !== undefined) break;
      chain.push(at);
      // marks the node as visited, so that a cycle of directories ends here
      this.#places[at] = "lost";
      const above = this.workspace.entryOf(at)?.record.directory;
      if (above === undefined) place = this.#rootPlace(at);
      else at = above;
    }
    for (const passed of chain) this.#places[passed] = place;
    return place;
  }

  async #readStages(): Promise<void> {
    for await (const [key, value] of this.records(this.workspace.keys.allStages())) {
      const noted = STAGES.decode(value, key);
      for (const node of noted.nodes) this.#stagedNodes.add(node);
      for (const [node, generation] of noted.versions) this.#stagedVersions.add(`${node}/${generation}`);
      append(this.#stagedChunks, noted.chunks);
    }
  }

  /** State of a node without an entry. */
  #rootPlace(node: NodeId): Reachability {
    if (node < FIRST_FREE_NODE) return node > 0 && this.workspace.table.isKept(node) ? "reachable" : "lost";
    return this.#purging.has(node) || this.#stagedNodes.has(node) ? "pending" : "lost";
  }

  /** The entry of a node that is reachable from the root or the trash. */
  liveEntry(node: NodeId): Entry | undefined {
    return this.placeOf(node) === "reachable" ? this.workspace.entryOf(node)?.entry : undefined;
  }

  /** Whether the records of a node generation belong to an entry, a purge, or an unfinished import. */
  owns(node: NodeId, generation: number): boolean {
    if (this.#purging.has(node) || this.#stagedVersions.has(`${node}/${generation}`)) return true;
    return this.workspace.entryOf(node)?.entry.generation === generation && this.placeOf(node) !== "lost";
  }

  isStagedChunk(partition: number, doc: number): boolean {
    return this.#stagedChunks.some((range) => holds(range, partition, doc));
  }

  isPurging(node: NodeId): boolean {
    return this.#purging.has(node);
  }

  /**
   * Reports a number in use at or above the durable limit of its counter, because it would be assigned again.
   */
  checkNumber(counter: string, value: number, subject: NodeId | string): void {
    let limit = this.#limits.get(counter);
    if (limit === undefined) {
      limit = NUMBERS.read(this.workspace.kv, this.workspace.keys.counter(counter)) ?? 0;
      this.#limits.set(counter, limit);
    }
    if (value >= limit)
      this.report(
        "counter",
        subject,
        `the ${counter} number ${value} is not below the limit ${limit} of its counter`,
      );
  }

  /** The greatest number at the end of a key under a prefix; undefined if there is none. */
  async greatest(prefix: string): Promise<number | undefined> {
    const [last] = await this.workspace.kv.keys({ ...prefixRange(prefix, 1), reverse: true });
    return last === undefined ? undefined : lastNumber(last);
  }
}

export const holds = (range: ChunkRange | undefined, partition: number, doc: number): boolean =>
  range !== undefined &&
  range.partition === partition &&
  doc >= range.first &&
  doc < range.first + range.count;
