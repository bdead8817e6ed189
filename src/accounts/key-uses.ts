import type { Clock } from "../base/clock.ts";
import type { Caller } from "../domain/caller.ts";
import type { WorkspaceId } from "../domain/ids.ts";
import { Draft } from "../storage/draft.ts";
import type { Kv } from "../storage/kv.ts";
import { encodeRecord } from "../storage/record-codec.ts";
import { KEY_USES, type KeyUses, accountKeys as keys, MAIN_KEY } from "./account-records.ts";

/**
 * Minimum age in ms of the last recorded use before a new one is recorded, so that most calls write nothing.
 */
const PRECISION_MS = 10 * 60_000;
/** Delay in ms before recorded uses are written; a killed server loses no more than that. */
const WRITE_AFTER_MS = 30_000;
/** Maximum number of keys whose last recorded use is in memory. */
const MAX_NOTED = 10_000;

interface Use {
  /** Hash of an additional key; incarnation and user for a main key. */
  readonly id: string;
  readonly incarnation: WorkspaceId;
  readonly user: string;
  readonly name: string;
  readonly at: number;
}

/** Records when API keys were last used, with a precision of minutes. */
export class KeyUseLog {
  readonly #kv: Kv;
  readonly #clock: Clock;
  readonly #report: (what: string, error: unknown) => void;
  /** Time of the last recorded use, by key. */
  readonly #noted = new Map<string, number>();
  #unwritten: Use[] = [];
  #timer: NodeJS.Timeout | undefined;
  #write: Promise<void> = Promise.resolve();

  constructor(kv: Kv, clock: Clock, report: (what: string, error: unknown) => void) {
    this.#kv = kv;
    this.#clock = clock;
    this.#report = report;
  }

  /** Wraps authentication to record the use of the key. */
  noting<C>(identify: (claims: C) => Caller): (claims: C) => Caller {
    return (claims) => {
      const caller = identify(claims);
      this.#note(caller);
      return caller;
    };
  }

  #note({ role, key, accountIncarnation: incarnation, user }: Caller): void {
    if (role === "root" || incarnation === undefined) return;
    const id = key?.hash ?? `${incarnation}/${user}`;
    const at = this.#clock();
    const before = this.#noted.get(id);
    if (before !== undefined && at - before < PRECISION_MS) return;
    if (this.#noted.size >= MAX_NOTED) this.#noted.clear();
    this.#noted.set(id, at);
    this.#unwritten.push({ id, incarnation, user, name: key?.name ?? MAIN_KEY, at });
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref();
  }

  /** Writes pending uses. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#write = this.#write.then(() => this.#writeNotes());
    return this.#write;
  }

  /** Discards pending uses of a workspace that this server can no longer write. */
  drop(incarnation: WorkspaceId): void {
    for (const { id } of this.#unwritten.filter((use) => use.incarnation === incarnation))
      this.#noted.delete(id);
    this.#unwritten = this.#unwritten.filter((use) => use.incarnation !== incarnation);
  }

  /** Last use of a user's keys, by name. */
  async of(incarnation: WorkspaceId, user: string): Promise<KeyUses> {
    await this.flush();
    return KEY_USES.read(this.#kv, keys.keyUses(incarnation, user)) ?? {};
  }

  async #writeNotes(): Promise<void> {
    const uses = this.#unwritten;
    this.#unwritten = [];
    // the transactions begin together, so that they share a write
    await Promise.all(uses.map((use) => this.#writeOne(use)));
  }

  /** Writes nothing for a removed user. A use that cannot be written is recorded again by a later call. */
  async #writeOne({ id, incarnation, user, name, at }: Use): Promise<void> {
    try {
      await this.#kv.transact(
        (read) => {
          const draft = new Draft(read);
          const key = keys.keyUses(incarnation, user);
          if (draft.get(keys.user(incarnation, user)))
            draft.put(key, encodeRecord({ ...KEY_USES.read(draft, key), [name]: at } satisfies KeyUses));
          return draft.toChange(() => undefined);
        },
        { sync: false },
      );
    } catch (error) {
      this.#noted.delete(id);
      this.#report("noting the last use of API keys", error);
    }
  }
}
