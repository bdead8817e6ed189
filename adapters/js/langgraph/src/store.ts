import type { Client } from "@ctxdb/client";
import { below, inParallel, keyPath, putText, readText, remove, takeKey, unless } from "@ctxdb/records";
import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type MatchCondition,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from "@langchain/langgraph-checkpoint";
import { matches } from "./filters.ts";

const SUFFIX = ".json";
const DEFAULT_LIMIT = 10;
/** Maximum number of hits that one search of the server returns. */
const MAX_HITS = 1000;
/** Factor by which more hits are requested if a filter has left too few. */
const GROWTH = 4;
/** Number of items that are read in parallel. */
const WINDOW = 64;

export interface CtxdbStoreOptions {
  /** Folder of the store. Default: the caller's own `langgraph/store`, as in the Python package. */
  readonly root?: string;
}

interface StoredItem extends Item {
  readonly isIndexed: boolean;
}

/** Long-term memory in ctxdb. The server runs searches with a query, so you need no embedding model. */
export class CtxdbStore extends BaseStore {
  readonly #client: Client;
  #root: string | undefined;

  constructor(client: Client, { root }: CtxdbStoreOptions = {}) {
    super();
    this.#client = client;
    this.#root = root;
  }

  /** Reads see the state before the batch; of several puts with the same key the last one wins. */
  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const puts = new Map<string, PutOperation>();
    for (const put of operations.filter(isPut)) {
      // values that are not JSON throw before anything is written
      JSON.stringify(put.value);
      const uri = await this.#uri(put.namespace, put.key);
      puts.set(uri, put);
    }
    const results = await inParallel(operations, (operation) => this.#answer(operation));
    await inParallel(puts, ([uri, put]) => this.#put(uri, put));
    return results as OperationResults<Op>;
  }

  async #answer(operation: Operation): Promise<Item | SearchItem[] | string[][] | null | undefined> {
    if (isPut(operation)) return undefined;
    if ("namespacePrefix" in operation) return this.#search(operation);
    if ("key" in operation) return this.#get(operation);
    return this.#listNamespaces(operation);
  }

  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    const record = await this.#read(await this.#uri(namespace, key));
    return record === undefined ? null : itemOf(record);
  }

  async #put(uri: string, { value, index }: PutOperation): Promise<void> {
    if (value === null) {
      await remove(this.#client, uri);
      return;
    }
    const before = await this.#read(uri);
    const now = new Date().toISOString();
    const created = before?.createdAt.toISOString() ?? now;
    const fields = { value, created_at: created, updated_at: now, ...(index === false && { index }) };
    await putText(this.#client, uri, JSON.stringify(fields, undefined, 1));
  }

  async #search(operation: SearchOperation): Promise<SearchItem[]> {
    const { offset = 0, limit = DEFAULT_LIMIT, query } = operation;
    const found = query ? this.#found(operation, query) : this.#listed(operation);
    const items: SearchItem[] = [];
    if (limit <= 0) return items;
    for await (const item of found) if (items.push(item) >= offset + limit) break;
    // a larger request may include better hits that a smaller one left out, such as repetitions
    if (query) items.sort((one, other) => (other.score ?? 0) - (one.score ?? 0));
    return items.slice(offset);
  }

  /** Returns the items below a namespace, last written first. */
  async *#listed({ namespacePrefix, filter }: SearchOperation): AsyncGenerator<SearchItem> {
    const uris = await this.#files(namespacePrefix);
    for (let at = 0; at < uris.length; at += WINDOW)
      for (const record of await inParallel(uris.slice(at, at + WINDOW), (uri) => this.#read(uri)))
        if (record && matches(record.value, filter)) yield itemOf(record);
  }

  /** Yields the items below a namespace that the server finds; requests more if few match. */
  async *#found(operation: SearchOperation, query: string): AsyncGenerator<SearchItem> {
    const { namespacePrefix, filter, offset = 0, limit: wanted = DEFAULT_LIMIT } = operation;
    const targetUri = await this.#folder(namespacePrefix);
    const seen = new Set<string>();
    for (let limit = Math.min(MAX_HITS, offset + wanted); ; limit = Math.min(MAX_HITS, limit * GROWTH)) {
      const answer = await this.#client.search.find({ query, targetUri, limit, filter: { level: 2 } });
      const hits = [...answer.memories, ...answer.resources, ...answer.skills];
      hits.sort((one, other) => other.score - one.score || (one.uri < other.uri ? -1 : 1));
      const fresh = hits.filter(({ uri }) => !seen.has(uri));
      for (let at = 0; at < fresh.length; at += WINDOW) {
        const window = fresh.slice(at, at + WINDOW);
        const records = await inParallel(window, ({ uri }) => this.#read(uri));
        for (const [index, record] of records.entries()) {
          const hit = window[index];
          if (hit) seen.add(hit.uri);
          if (record?.isIndexed && matches(record.value, filter))
            yield { ...itemOf(record), score: hit?.score };
        }
      }
      if (hits.length < limit || limit === MAX_HITS) return;
    }
  }

  async #listNamespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [], maxDepth, limit, offset } = operation;
    const names = new Map<string, string[]>();
    for (const uri of await this.#files([])) {
      const namespace = (await this.#place(uri))?.namespace;
      if (!namespace || !matchConditions.every((condition) => fits(condition, namespace))) continue;
      const name = namespace.slice(0, maxDepth);
      names.set(JSON.stringify(name), name);
    }
    const sorted = [...names.values()].sort((one, other) => (one.join("\0") < other.join("\0") ? -1 : 1));
    return sorted.slice(offset, offset + limit);
  }

  /** Returns the files of the items below a namespace, last written first. */
  async #files(namespace: readonly string[]): Promise<string[]> {
    const uri = await this.#folder(namespace);
    const files: { readonly uri: string; readonly mtime: number }[] = [];
    await unless("NOT_FOUND", async () => {
      for await (const entry of this.#client.fs.treeAll({ uri, levelLimit: 0 }))
        if (!entry.isDir) files.push({ uri: entry.uri, mtime: entry.mtime ?? 0 });
    });
    files.sort((one, other) => other.mtime - one.mtime || (one.uri < other.uri ? -1 : 1));
    return files.map((file) => file.uri);
  }

  /** Returns the item in a file, or undefined if there is none or the store did not write it. */
  async #read(uri: string): Promise<StoredItem | undefined> {
    const place = await this.#place(uri);
    const text = place && (await readText(this.#client, uri));
    if (!place || text === undefined) return undefined;
    const fields = parsed(text);
    if (fields === undefined || isOver(fields)) return undefined;
    const { value, created_at: created, updated_at: updated, index } = fields;
    if (!isFields(value) || typeof created !== "string" || typeof updated !== "string") return undefined;
    const times = { createdAt: new Date(created), updatedAt: new Date(updated) };
    return { ...place, value, ...times, isIndexed: index !== false };
  }

  async #folder(namespace: readonly string[]): Promise<string> {
    this.#root ??= `ctx://user/${(await this.#client.system.status()).user}/langgraph/store`;
    return [this.#root, ...namespace.map(keyPath)].join("/");
  }

  async #uri(namespace: readonly string[], key: string): Promise<string> {
    return `${await this.#folder(namespace)}/${keyPath(key)}${SUFFIX}`;
  }

  /** Returns the namespace and key of an item's file, or undefined for any other file. */
  async #place(uri: string): Promise<{ readonly namespace: string[]; readonly key: string } | undefined> {
    let rest = below(uri, await this.#folder([]), SUFFIX);
    const keys: string[] = [];
    while (rest.length > 0) {
      const taken = takeKey(rest);
      if (taken === undefined) return undefined;
      keys.push(taken.key);
      rest = taken.rest;
    }
    const key = keys.pop();
    return key === undefined ? undefined : { namespace: keys, key };
  }
}

const isPut = (operation: Operation): operation is PutOperation => "value" in operation;

const itemOf = ({ value, key, namespace, createdAt, updatedAt }: StoredItem): Item => ({
  value,
  key,
  namespace,
  createdAt,
  updatedAt,
});

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parsed(text: string): Fields | undefined {
  try {
    const fields: unknown = JSON.parse(text);
    return isFields(fields) ? fields : undefined;
  } catch {
    return undefined;
  }
}

/** The Python package gives items an expiry time. */
const isOver = ({ expires_at: end }: Fields): boolean =>
  typeof end === "string" && Date.parse(end) <= Date.now();

function fits({ matchType, path }: MatchCondition, namespace: readonly string[]): boolean {
  if (namespace.length < path.length) return false;
  const from = matchType === "prefix" ? 0 : namespace.length - path.length;
  return path.every((label, at) => label === "*" || label === namespace[from + at]);
}
