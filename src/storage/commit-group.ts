import { checkOneOwner } from "./key-owner.ts";
import type { Change, KvOp, KvReader } from "./kv.ts";

/** A transaction waiting to be decided. */
export interface PendingCommit {
  readonly decide: (read: KvReader) => Change<unknown>;
  readonly sync: boolean;
  readonly maxBytes: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface Decided {
  readonly waiting: PendingCommit;
  readonly change: Change<unknown>;
  readonly bytes: number;
  readonly admitted: Admitted;
}

/** Conditions under which a store accepts a change. */
export interface Admitted {
  /** Whether it must be the only transaction of its group. */
  readonly isAlone: boolean;
  /** Throws if the change was decided on a state that the store no longer has. */
  readonly recheck?: () => void;
}

const ADMITTED: Admitted = { isAlone: false };

/** The state on which a group is decided. */
interface GroupPlace {
  get(key: string): Uint8Array | undefined;
  admit?(ops: readonly KvOp[]): Admitted;
}

/** Estimated overhead of an operation in bytes. */
const OP_BYTES = 16;

/**
 * The transactions of one batch. Each is decided on the state that includes the writes of earlier ones in the
 * group.
 */
export class CommitGroup implements KvReader {
  readonly members: Decided[] = [];
  readonly #place: GroupPlace;
  readonly #written = new Map<string, Uint8Array | undefined>();
  bytes = 0;

  /** `place`: the state before the group. */
  constructor(place: GroupPlace) {
    this.#place = place;
  }

  get(key: string): Uint8Array | undefined {
    return this.#written.has(key) ? this.#written.get(key) : this.#place.get(key);
  }

  touched(prefix: string): string[] {
    const keys: string[] = [];
    for (const key of this.#written.keys()) if (key.startsWith(prefix)) keys.push(key);
    return keys;
  }

  /**
   * Decides a transaction on the state including all members so far; undefined if it was refused. Only its
   * caller gets the error.
   */
  decide(waiting: PendingCommit): Decided | undefined {
    let change: Change<unknown> | undefined;
    try {
      change = waiting.decide(this);
      checkOneOwner(change.ops);
      const bytes = sizeOf(change.ops);
      if (bytes > waiting.maxBytes)
        throw new Error(`a change of ${bytes} bytes is above the limit of ${waiting.maxBytes}`);
      const admitted = this.#place.admit?.(change.ops) ?? ADMITTED;
      return { waiting, change, bytes, admitted };
    } catch (error) {
      change?.refused?.();
      waiting.reject(error);
      return undefined;
    }
  }

  add(decided: Decided): void {
    this.members.push(decided);
    this.bytes += decided.bytes;
    for (const { key, value } of decided.change.ops) this.#written.set(key, value);
  }

  /** Adds a transaction that was decided for an earlier group; refuses it if that state is outdated. */
  addLater(decided: Decided): void {
    try {
      decided.admitted.recheck?.();
      this.add(decided);
    } catch (error) {
      refuse(decided, error);
    }
  }

  get isAlone(): boolean {
    return this.members.some((member) => member.admitted.isAlone);
  }

  get sync(): boolean {
    return this.members.some((member) => member.waiting.sync && member.change.ops.length > 0);
  }

  /** The final value of every key that the group writes. */
  ops(): KvOp[] {
    return Array.from(this.#written, ([key, value]) => ({ key, value }));
  }
}

/** Takes back a decided transaction and rejects it. */
export function refuse({ waiting, change }: Decided, error: unknown): void {
  change.refused?.();
  waiting.reject(error);
}

function sizeOf(ops: readonly KvOp[]): number {
  let bytes = 0;
  for (const { key, value } of ops) bytes += OP_BYTES + Buffer.byteLength(key) + (value?.byteLength ?? 0);
  return bytes;
}
