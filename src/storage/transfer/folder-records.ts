import { NO_WORKSPACE, type WorkspaceId } from "../../domain/ids.ts";
import { DIRECTORY_PLACES } from "../account-directory.ts";
import type { Pair } from "../backup/packed-records.ts";
import { FACTS, rangesOf, workspaceOfKey } from "../key-owner.ts";
import { after, type KeyRange, type Kv, type KvOp, pairPages, prefixRange } from "../kv.ts";
import type { RecordsPlace } from "./records-place.ts";

const PAGE = { limit: 1000, maxBytes: 1024 * 1024 };
/** All keys begin with an ASCII letter. */
const END = "\u007f";
/** Prefixes of accounts and API keys. */
const DIRECTORY = ["a/", "k/"];

/** Records of an embedded data directory, without server facts and the last workspace number. */
export class FolderRecords implements RecordsPlace {
  readonly #kv: Kv;
  readonly #isLeftOut: (key: string) => boolean;
  /** Keys of account directory records, by workspace. */
  readonly #names = new Map<WorkspaceId, Set<string>>();

  private constructor(kv: Kv, isLeftOut: (key: string) => boolean) {
    this.#kv = kv;
    this.#isLeftOut = isLeftOut;
  }

  /** `isLeftOut`: whether a record is meaningless in another store. */
  static async open(kv: Kv, isLeftOut: (key: string) => boolean): Promise<FolderRecords> {
    const records = new FolderRecords(kv, isLeftOut);
    for (const prefix of DIRECTORY)
      for await (const page of pairPages(kv, { ...prefixRange(prefix), ...PAGE }))
        for (const [key, value] of page) records.#name(DIRECTORY_PLACES.decode(value, key).incarnation, key);
    return records;
  }

  /** All workspaces, including those of deleted accounts and NO_WORKSPACE. */
  async workspaces(): Promise<readonly WorkspaceId[]> {
    const found = new Set<WorkspaceId>([NO_WORKSPACE, ...this.#names.keys()]);
    for (const { gte, lt } of rangesOf(undefined))
      for (let from = gte; ; ) {
        const [key] = await this.#kv.keys({ gte: from, lt, limit: 1 });
        if (key === undefined) break;
        const workspace = workspaceOfKey(key) ?? NO_WORKSPACE;
        found.add(workspace);
        from = workspace === NO_WORKSPACE ? after(key) : `${key.slice(0, key.indexOf("/") + 8)}0`;
      }
    return [...found].sort((a, b) => a - b);
  }

  async *records(workspace: WorkspaceId, prefix?: string): AsyncGenerator<Pair[]> {
    const ranges = prefix === undefined ? this.#rangesOf(workspace) : [prefixRange(prefix)];
    for (const range of ranges)
      for await (const page of pairPages(this.#kv, { ...range, ...PAGE })) {
        const own = page.filter(([key]) => !this.#isLeftOut(key) && this.#isOf(workspace, key));
        if (own.length > 0) yield own;
      }
  }

  async write(workspace: WorkspaceId, ops: readonly KvOp[]): Promise<void> {
    for (const { key } of ops) if (workspaceOfKey(key) === undefined) this.#name(workspace, key);
    await this.#kv.transact(() => ({ ops, apply: () => undefined }), { maxBytes: Number.POSITIVE_INFINITY });
  }

  #rangesOf(workspace: WorkspaceId): Pick<KeyRange, "gte" | "lt">[] {
    if (workspace === NO_WORKSPACE) return this.#rangesOfServer();
    const names = [...(this.#names.get(workspace) ?? [])].map((key) => ({ gte: key, lt: after(key) }));
    return inOrder([...rangesOf(workspace), ...names]);
  }

  /** What lies between the ranges of workspaces and of the directory. */
  #rangesOfServer(): Pick<KeyRange, "gte" | "lt">[] {
    const others = inOrder([...rangesOf(undefined), ...DIRECTORY.map((prefix) => prefixRange(prefix))]);
    // keys with the number 0 belong to the server
    const own = inOrder(rangesOf(NO_WORKSPACE));
    let from = "";
    const between = [...others, { gte: END, lt: END }].map(({ gte, lt }) => {
      const range = { gte: from, lt: gte };
      from = lt;
      return range;
    });
    return inOrder([...between, ...own]);
  }

  #isOf(workspace: WorkspaceId, key: string): boolean {
    const owner = workspaceOfKey(key);
    if (owner === undefined) return this.#names.get(workspace)?.has(key) ?? false;
    return owner === workspace && !(workspace === NO_WORKSPACE && key.startsWith(FACTS));
  }

  #name(workspace: WorkspaceId, key: string): void {
    const names = this.#names.get(workspace);
    if (names) names.add(key);
    else this.#names.set(workspace, new Set([key]));
  }
}

/** Ranges of ASCII keys by their start. */
const inOrder = <T extends Pick<KeyRange, "gte" | "lt">>(ranges: readonly T[]): T[] =>
  [...ranges].sort((a, b) => Buffer.compare(Buffer.from(a.gte), Buffer.from(b.gte)));
