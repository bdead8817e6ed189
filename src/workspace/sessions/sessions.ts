import { EventLoopYielder } from "../../base/event-loop.ts";
import { lastOf } from "../../base/expect.ts";
import type { Message } from "../../domain/message.ts";
import { type Entry, type NodeId, SESSIONS } from "../../domain/node.ts";
import { archiveName } from "../../domain/session.ts";
import { after, type Kv, type KvPages, type KvReader, pairPages, prefixRange } from "../../storage/kv.ts";
import { text } from "../../storage/record-codec.ts";
import type { Keys } from "../keys.ts";
import { ENTRIES, MESSAGES, NODE_RECORDS } from "../records.ts";
import { ARCHIVES, type ArchiveRecord, SESSION_RECORDS, type SessionRecord, type Volume } from "./records.ts";

const PAGE = 1000;
/** Maximum bytes per page of messages: a message has up to 8 MiB, and a session thousands of messages. */
const PAGE_BYTES = 2 * 1024 * 1024;
/** Bytes of messages that an excerpt takes from the beginning and from the end. */
const EXCERPT_BYTES = 2 * 1024 * 1024;
const LINE_END = Buffer.from("\n");

/** A session that was found by name. */
export interface FoundSession {
  readonly id: string;
  /** Node of the session's directory; part of the keys of its records. */
  readonly node: NodeId;
  readonly entry: Entry;
  /** Node of the directory with the user's sessions. */
  readonly directory: NodeId;
  readonly record: SessionRecord;
}

/** An archive with its session. */
export interface SessionArchive extends ArchiveRecord {
  readonly session: string;
  readonly user: string;
  readonly agent: string;
  readonly archive: number;
  /** Such as `archive_001`. */
  readonly name: string;
}

/** A message with the bytes of its line. */
export interface MessageLine {
  readonly message: Message;
  readonly bytes: number;
}

/** Reads the sessions of a workspace. `reader`: a draft or a snapshot if reads must be consistent. */
export class Sessions {
  readonly #kv: Kv;
  readonly #keys: Keys;

  constructor(kv: Kv, keys: Keys) {
    this.#kv = kv;
    this.#keys = keys;
  }

  /** Directory of a user's sessions; undefined if the user never had one. */
  directoryOf(reader: KvReader, user: string): NodeId | undefined {
    return ENTRIES.read(reader, this.#keys.entry(SESSIONS, user))?.node;
  }

  find(reader: KvReader, user: string, id: string): FoundSession | undefined {
    const directory = this.directoryOf(reader, user);
    if (directory === undefined) return undefined;
    const entry = ENTRIES.read(reader, this.#keys.entry(directory, id));
    const record = entry && this.record(reader, entry.node);
    return record && { id, node: entry.node, entry, directory, record };
  }

  /** Whether the user deleted a session with this name. */
  wasDeleted(reader: KvReader, user: string, id: string): boolean {
    const directory = this.directoryOf(reader, user);
    return directory !== undefined && reader.get(this.#keys.deletedSession(directory, id)) !== undefined;
  }

  record(reader: KvReader, session: NodeId): SessionRecord | undefined {
    return SESSION_RECORDS.read(reader, this.#keys.session(session));
  }

  archiveRecord(reader: KvReader, session: NodeId, archive: number): ArchiveRecord | undefined {
    return ARCHIVES.read(reader, this.#keys.archive(session, archive));
  }

  /** L0 or L1 of an archive; undefined until created. */
  layer(reader: KvReader, session: NodeId, archive: number, level: 0 | 1): string | undefined {
    const bytes = reader.get(this.#keys.archiveLayer(session, archive, level));
    return bytes && text(bytes);
  }

  /** All sessions of a user by name, one page in memory at a time. */
  async *of(kv: KvPages, user: string): AsyncGenerator<FoundSession> {
    const directory = this.directoryOf(kv, user);
    if (directory === undefined) return;
    const prefix = this.#keys.entries(directory);
    for await (const page of pairPages(kv, prefixRange(prefix, PAGE))) {
      for (const [key, value] of page) {
        const entry = ENTRIES.decode(value, key);
        const record = this.record(kv, entry.node);
        if (record) yield { id: key.slice(prefix.length), node: entry.node, entry, directory, record };
      }
    }
  }

  /** An archive without its messages; undefined if it does not exist. `session`: node of its directory. */
  archive(session: NodeId, archive: number): SessionArchive | undefined {
    const record = this.archiveRecord(this.#kv, session, archive);
    const header = this.record(this.#kv, session);
    const place = NODE_RECORDS.read(this.#kv, this.#keys.node(session));
    const user = place && NODE_RECORDS.read(this.#kv, this.#keys.node(place.directory))?.name;
    if (!record || !header || !place || user === undefined) return undefined;
    return {
      ...record,
      session: place.name,
      user,
      agent: header.agent,
      archive,
      name: archiveName(archive),
    };
  }

  /** The messages of an archive in order, with a limited number in memory at a time. */
  async *messagesOfArchive(
    session: NodeId,
    archive: number,
    { messages }: Pick<Volume, "messages">,
  ): AsyncGenerator<MessageLine> {
    for await (const lines of this.#pages(this.#kv, session, archive, messages))
      for (const line of lines) yield { message: MESSAGES.decode(line), bytes: line.byteLength };
  }

  /** The last messages of an archive in order: up to `maxBytes`, but at least one. */
  async lastSaid(session: NodeId, archive: number, maxBytes: number): Promise<Message[]> {
    const range = { ...prefixRange(this.#keys.messages(session, archive), PAGE), reverse: true, maxBytes };
    const yielder = new EventLoopYielder();
    const said: Message[] = [];
    for (const [key, line] of await this.#kv.range(range)) {
      said.push(MESSAGES.decode(line, key));
      await yielder.yieldIfDue();
    }
    return said.reverse();
  }

  /** All messages of an archive; for a long one, those at the beginning and end. */
  async firstAndLastMessages(session: NodeId, archive: SessionArchive): Promise<Message[]> {
    const yielder = new EventLoopYielder();
    const said: Message[] = [];
    let left = EXCERPT_BYTES;
    for await (const { message, bytes } of this.messagesOfArchive(session, archive.archive, archive)) {
      said.push(message);
      left -= bytes;
      if (left <= 0) break;
      await yielder.yieldIfDue();
    }
    const missing = archive.messages - said.length;
    if (missing <= 0) return said;
    return [...said, ...(await this.lastSaid(session, archive.archive, EXCERPT_BYTES)).slice(-missing)];
  }

  /** A message, if it still exists. */
  message(reader: KvReader, session: NodeId, archive: number, sequence: number): Message | undefined {
    return MESSAGES.read(reader, this.#keys.message(session, archive, sequence));
  }

  /** The uncommitted messages, newest first, in pages of at most `pageSize` messages and PAGE_BYTES. */
  async *newestFirst(
    kv: KvPages,
    session: NodeId,
    { archives, first, buffer }: SessionRecord,
    pageSize: number,
  ): AsyncGenerator<string[]> {
    const key = (sequence: number) => this.#keys.message(session, archives + 1, sequence);
    for (let end = first + buffer.messages; end > first; ) {
      const gte = key(Math.max(first, end - pageSize));
      const range = { gte, lt: key(end), limit: pageSize, maxBytes: PAGE_BYTES };
      // read forward and reverse: the store reads backwards at half the speed
      const page = await kv.texts(range);
      const isWhole = page.length === Math.min(pageSize, end - first);
      const lines = isWhole ? page.reverse() : await kv.texts({ ...range, reverse: true });
      if (lines.length === 0) return;
      yield lines.map(([, line]) => line);
      end -= lines.length;
    }
  }

  /**
   * Streams bytes `start` to `end` (exclusive) of `messages.jsonl` of an archive, or of the uncommitted
   * messages counted in `volume`. Later messages are excluded, and a concurrent commit has no effect, because
   * messages stay where they are.
   */
  async *lines(
    kv: KvPages,
    session: NodeId,
    archive: number,
    volume: Volume,
    start = 0,
    end = volume.bytes,
  ): AsyncGenerator<Uint8Array> {
    let at = 0;
    for await (const page of this.#pages(kv, session, archive, volume.messages)) {
      const bytes = Buffer.concat(page.flatMap((line) => [line, LINE_END]));
      const part = bytes.subarray(Math.max(0, start - at), Math.max(0, end - at));
      at += bytes.length;
      if (part.length > 0) yield part;
      if (at >= end) return;
    }
  }

  async *#pages(
    kv: KvPages,
    session: NodeId,
    archive: number,
    messages: number,
  ): AsyncGenerator<Uint8Array[]> {
    const all = prefixRange(this.#keys.messages(session, archive));
    let gte = all.gte;
    for (let left = messages; left > 0; ) {
      const page = await kv.range({ ...all, gte, limit: Math.min(PAGE, left), maxBytes: PAGE_BYTES });
      if (page.length === 0) return;
      yield page.map(([, line]) => line);
      left -= page.length;
      gte = after(lastOf(page)[0]);
    }
  }
}
