import { createHash } from "node:crypto";
import { notFound, ServiceError } from "../../domain/errors.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import { idKey } from "../../storage/key-numbers.ts";
import { type Kv, type KvReader, pairPages, prefixRange } from "../../storage/kv.ts";
import { encodeRecord } from "../../storage/record-codec.ts";
import { UPLOADS } from "../keys.ts";
import { UPLOADED, type UploadRecord } from "../records.ts";

/** Storage of upload contents (src/storage/disk/spool.ts). */
export interface UploadBytes {
  write(
    id: string,
    content: AsyncIterable<Uint8Array>,
    maxBytes: number,
    limit: string,
  ): Promise<{ size: number; sha256: string }>;
  read(id: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Path of the content, for readers that need a file; undefined if missing. */
  path(id: string): Promise<string | undefined>;
  remove(id: string): Promise<void>;
  list(): AsyncIterable<string>;
}

type Uploader = Pick<UploadRecord, "user" | "userIncarnation">;

interface SaveOptions {
  /** Called with the number of further bytes; throws to refuse them. */
  readonly room?: (bytes: number) => void;
  /** Called at the commit point; throws to refuse the upload. */
  readonly allowed?: (read: KvReader) => void;
  readonly signal?: AbortSignal;
}

interface Kept {
  readonly timer: NodeJS.Timeout;
  readonly incarnation: WorkspaceId;
  readonly user: string;
  readonly bytes: number;
}

const PAGE = 1000;
/** Maximum number of uploads that have not expired: each takes a file, a record, a timer and memory. */
export const MAX_UPLOADS = { user: 1000, account: 10_000 } as const;
const MAX_TIMER_MS = 2 ** 31 - 1;
const uploadsOf = (incarnation: WorkspaceId): string => `${UPLOADS}${idKey(incarnation)}/`;
const keyOf = (incarnation: WorkspaceId, id: string): string => `${uploadsOf(incarnation)}${id}`;

/**
 * Uploads: identified by opaque ids, bound to account and user, usable any number of times until they expire.
 */
export class Uploads {
  readonly #kv: Kv;
  readonly #bytes: UploadBytes;
  readonly #clock: () => number;
  readonly #lifeMs: number;
  readonly #kept = new Map<string, Kept>();
  /** Bytes of stored and incoming uploads by incarnation. */
  readonly #held = new Map<number, number>();
  /** Number of stored and incoming uploads by account, and by user of an account. */
  readonly #counts = new Map<string, number>();

  constructor(deps: { kv: Kv; bytes: UploadBytes; clock: () => number; lifeSeconds: number }) {
    this.#kv = deps.kv;
    this.#bytes = deps.bytes;
    this.#clock = deps.clock;
    this.#lifeMs = deps.lifeSeconds * 1000;
  }

  /**
   * Loads the uploads of an earlier process, for one workspace or all: starts their timers, and removes
   * expired ones. With all, also removes contents without a record and records without content.
   */
  async adopt(of: WorkspaceId | "everything"): Promise<void> {
    const present = of === "everything" ? await this.#present() : undefined;
    const range = prefixRange(of === "everything" ? UPLOADS : uploadsOf(of), PAGE);
    for await (const page of pairPages(this.#kv, range))
      for (const [key, value] of page) {
        const id = key.slice(key.lastIndexOf("/") + 1);
        const record = UPLOADED.decode(value, key);
        this.#keep(id, record);
        this.#hold(record.incarnation, record.size);
        if (this.#expired(record) || present?.delete(id) === false)
          await this.#remove(id, record.incarnation);
      }
    for (const id of present ?? []) await this.#bytes.remove(id);
  }

  /**
   * Drops from memory the uploads of a workspace that another server has taken over. Their contents remain
   * until they expire, because the workspace may come back.
   */
  drop(incarnation: WorkspaceId): void {
    for (const [id, kept] of this.#kept) {
      if (kept.incarnation !== incarnation) continue;
      this.#kept.delete(id);
      this.#count(kept, -1);
      // not the incoming ones: those that fail take back their own bytes
      this.#hold(incarnation, -kept.bytes);
    }
  }

  /**
   * Removes the contents of uploads that are not in memory: of workspaces that moved before this process
   * began, and of uploads that a killed process did not finish. Call it before uploads are accepted.
   */
  async removeStrays(): Promise<void> {
    for (const id of await this.#present()) if (!this.#kept.has(id)) await this.#bytes.remove(id);
  }

  async #present(): Promise<Set<string>> {
    const ids = new Set<string>();
    for await (const id of this.#bytes.list()) ids.add(id);
    return ids;
  }

  /** Bytes of a workspace's uploads, including incoming ones. */
  held(incarnation: WorkspaceId): number {
    return this.#held.get(incarnation) ?? 0;
  }

  /**
   * Stores nothing on failure or if `signal` aborts. Throws RESOURCE_EXHAUSTED if there are too many uploads.
   */
  async save(
    id: string,
    owner: Omit<UploadRecord, "size" | "sha256" | "created">,
    content: AsyncIterable<Uint8Array>,
    maxBytes: number,
    { room = () => undefined, allowed = () => undefined, signal }: SaveOptions = {},
  ): Promise<UploadRecord> {
    this.#checkCount(owner);
    // an incoming upload counts, too: many may arrive at once
    this.#count(owner, 1);
    let held = 0;
    const hold = (bytes: number) => {
      room(bytes);
      held += bytes;
      this.#hold(owner.incarnation, bytes);
    };
    try {
      const written = await this.#bytes.write(
        id,
        eachPart(content, hold),
        maxBytes,
        "CTXDB_MAX_UPLOAD_BYTES",
      );
      const record: UploadRecord = { ...owner, ...written, created: this.#clock() };
      // an HTTP/2 client that cancels may first end its body as if it were complete
      await this.#kv.transact((read) => {
        signal?.throwIfAborted();
        allowed(read);
        return {
          ops: [{ key: keyOf(owner.incarnation, id), value: encodeRecord(record) }],
          apply: () => undefined,
        };
      });
      this.#keep(id, record);
      return record;
    } catch (error) {
      this.#hold(owner.incarnation, -held);
      await this.#bytes.remove(id).catch(() => undefined);
      throw error;
    } finally {
      // a stored upload is counted with its record
      this.#count(owner, -1);
    }
  }

  /**
   * Finds an upload. Throws the same NOT_FOUND {type upload} for forged ids, uploads of other users and
   * expired ones.
   */
  find(id: string, incarnation: WorkspaceId, { user, userIncarnation }: Uploader): UploadRecord {
    const record = UPLOADED.read(this.#kv, keyOf(incarnation, id));
    if (!record || !isOf(record, { user, userIncarnation }) || this.#expired(record))
      throw notFound("upload", id);
    return record;
  }

  /** Size in bytes of an upload that was found before. */
  sizeOf(id: string): number {
    return this.#kept.get(id)?.bytes ?? 0;
  }

  /** Path of an upload that was found before. Must not be shown to callers. */
  async fileOf(id: string): Promise<string> {
    const path = await this.#bytes.path(id);
    if (path === undefined) throw notFound("upload", id);
    return path;
  }

  async read(id: string): Promise<Uint8Array> {
    const stream = await this.#bytes.read(id);
    const kept = this.#kept.get(id);
    const record = kept && UPLOADED.read(this.#kv, keyOf(kept.incarnation, id));
    if (!stream || !record) throw notFound("upload", id);
    // in parts, because hashing and copying a large file at once blocks the event loop
    const content = Buffer.alloc(record.size);
    const hash = createHash("sha256");
    let size = 0;
    for await (const part of stream) {
      hash.update(part);
      content.set(part.subarray(0, Math.max(0, record.size - size)), size);
      size += part.byteLength;
    }
    if (size !== record.size || hash.digest("hex") !== record.sha256)
      throw new Error(`upload ${id} is damaged: upload the file again`);
    return content;
  }

  /** Removes an upload before it expires. */
  async discard(id: string): Promise<void> {
    const kept = this.#kept.get(id);
    if (kept) await this.#remove(id, kept.incarnation);
  }

  /** Removes the uploads of a deleted workspace, or of one of its users. */
  async removeOf(incarnation: WorkspaceId, owner?: Uploader): Promise<void> {
    const prefix = uploadsOf(incarnation);
    for (const [key, value] of await this.#kv.range(prefixRange(prefix)))
      if (owner === undefined || isOf(UPLOADED.decode(value, key), owner))
        await this.#remove(key.slice(prefix.length), incarnation);
  }

  close(): void {
    for (const { timer } of this.#kept.values()) clearTimeout(timer);
    this.#kept.clear();
    this.#counts.clear();
  }

  #expired(record: UploadRecord): boolean {
    return record.created + this.#lifeMs <= this.#clock();
  }

  #keep(id: string, record: UploadRecord): void {
    const left = Math.max(0, record.created + this.#lifeMs - this.#clock());
    // a server that has lost the workspace cannot remove the record, but it can remove the content
    const expire = () =>
      this.#remove(id, record.incarnation).catch(() => this.#bytes.remove(id).catch(() => undefined));
    const timer = setTimeout(() => void expire(), Math.min(left, MAX_TIMER_MS));
    const { incarnation, user, size: bytes } = record;
    const kept = { timer: timer.unref(), incarnation, user, bytes };
    this.#kept.set(id, kept);
    this.#count(kept, 1);
  }

  #checkCount({ incarnation, user }: Pick<UploadRecord, "incarnation" | "user">): void {
    for (const [whose, key, limit] of [
      [`user ${user}`, countOf(incarnation, user), MAX_UPLOADS.user],
      ["the account", countOf(incarnation), MAX_UPLOADS.account],
    ] as const) {
      const used = this.#counts.get(key) ?? 0;
      if (used < limit) continue;
      const reason = `${used} uploads of ${whose} have not expired; the limit is ${limit}: import or wait`;
      const details = { resource: "uploads", reason, used, limit };
      throw new ServiceError("RESOURCE_EXHAUSTED", `uploads: ${reason}`, details);
    }
  }

  #count({ incarnation, user }: Pick<Kept, "incarnation" | "user">, change: 1 | -1): void {
    for (const key of [countOf(incarnation), countOf(incarnation, user)]) {
      const count = (this.#counts.get(key) ?? 0) + change;
      if (count > 0) this.#counts.set(key, count);
      else this.#counts.delete(key);
    }
  }

  #hold(incarnation: WorkspaceId, bytes: number): void {
    const held = this.held(incarnation) + bytes;
    if (held === 0) this.#held.delete(incarnation);
    else this.#held.set(incarnation, held);
  }

  async #remove(id: string, incarnation: WorkspaceId): Promise<void> {
    const kept = this.#kept.get(id);
    clearTimeout(kept?.timer);
    await this.#kv.transact(
      () => ({ ops: [{ key: keyOf(incarnation, id), value: undefined }], apply: () => undefined }),
      { sync: false },
    );
    await this.#bytes.remove(id);
    // the bytes count until the content is removed
    if (!kept || !this.#kept.delete(id)) return;
    this.#hold(kept.incarnation, -kept.bytes);
    this.#count(kept, -1);
  }
}

const countOf = (incarnation: WorkspaceId, user = ""): string => `${incarnation} ${user}`;

const isOf = (record: Uploader, { user, userIncarnation }: Uploader): boolean =>
  record.user === user && (record.userIncarnation ?? 0) === (userIncarnation ?? 0);

async function* eachPart(
  content: AsyncIterable<Uint8Array>,
  seen: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const part of content) {
    seen(part.byteLength);
    yield part;
  }
}
