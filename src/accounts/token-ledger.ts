import type { Clock } from "../base/clock.ts";
import type { ModelUse } from "../providers/usage.ts";
import { Draft } from "../storage/draft.ts";
import type { Kv } from "../storage/kv.ts";
import { decodeRecord, encodeRecord } from "../storage/records.ts";
import { accountKeys as keys } from "./account-records.ts";

/** Counts are written together so long after the first of them; a server that is killed loses no more. */
const WRITE_AFTER_MS = 1000;
const DAY_MS = 86_400_000;
/** Under which the counts of all accounts together stand, those of deleted ones included. */
const SERVER = 0;

/** Tokens of a model since its first call, over restarts. */
export interface ModelTokens extends Pick<ModelUse, "provider" | "model" | "prompt" | "completion"> {
  /** Unix time in ms of the last call. */
  readonly updatedAt: number;
}

/** A record of the store. */
interface Tokens {
  readonly models: readonly ModelTokens[];
  /** The last day (UTC, days since 1970) with calls of a language model, and the tokens of that day. */
  readonly day: number;
  readonly spent: number;
}

interface Deps {
  readonly kv: Kv;
  readonly clock: Clock;
  readonly report: (what: string, error: unknown) => void;
}

const NOTHING: Tokens = { models: [], day: 0, spent: 0 };

/** Tokens by model and account. Counting costs no write of its own; what is read is always up to date. */
export class TokenLedger {
  readonly #deps: Deps;
  /** Not written yet, and being written; by incarnation. */
  #pending = new Map<number, Tokens>();
  #writing: ReadonlyMap<number, Tokens> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #write: Promise<void> = Promise.resolve();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Notes what a call has cost the account of an incarnation; 0 = nobody but the server. */
  count(account: number, { provider, model, kind, prompt, completion }: ModelUse): void {
    const now = this.#deps.clock();
    const day = kind === "language" ? Math.floor(now / DAY_MS) : 0;
    const spent = kind === "language" ? prompt + completion : 0;
    const more: Tokens = { models: [{ provider, model, prompt, completion, updatedAt: now }], day, spent };
    for (const payer of new Set([account, SERVER]))
      this.#pending.set(payer, sum(this.#pending.get(payer) ?? NOTHING, more));
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref();
  }

  /** Tokens of language models of an account on this day. */
  spentToday(account: number): number {
    const { day, spent } = this.#tokensOf(account);
    return day === Math.floor(this.#deps.clock() / DAY_MS) ? spent : 0;
  }

  /** By model, in the order in which they were first called: of an account, or of the server. */
  models(of: number | "server"): readonly ModelTokens[] {
    return this.#tokensOf(of === "server" ? SERVER : of).models;
  }

  /** Writes what is not written yet. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#write = this.#write.then(() => this.#writePending());
    return this.#write;
  }

  #tokensOf(account: number): Tokens {
    const written = decodeRecord<Tokens>(this.#deps.kv.get(keys.tokens(account))) ?? NOTHING;
    return sum(sum(written, this.#writing.get(account) ?? NOTHING), this.#pending.get(account) ?? NOTHING);
  }

  async #writePending(): Promise<void> {
    if (this.#pending.size === 0) return;
    const writing = this.#pending;
    this.#pending = new Map();
    this.#writing = writing;
    try {
      await this.#deps.kv.transact(
        (read) => {
          const draft = new Draft(read);
          for (const [account, more] of writing) {
            // of an account that was deleted meanwhile nothing is kept
            if (account !== SERVER && !draft.get(keys.incarnation(account))) continue;
            const key = keys.tokens(account);
            draft.put(key, encodeRecord(sum(decodeRecord<Tokens>(draft.get(key)) ?? NOTHING, more)));
          }
          return draft.finish(() => {
            this.#writing = new Map();
          });
        },
        { sync: false },
      );
    } catch (error) {
      this.#writing = new Map();
      for (const [account, more] of writing)
        this.#pending.set(account, sum(more, this.#pending.get(account) ?? NOTHING));
      this.#deps.report("counting tokens", error);
    }
  }
}

function sum(a: Tokens, b: Tokens): Tokens {
  const models = [...a.models];
  for (const more of b.models) {
    const at = models.findIndex(({ provider, model }) => provider === more.provider && model === more.model);
    const known = models[at];
    if (!known) models.push(more);
    else
      models[at] = {
        ...known,
        prompt: known.prompt + more.prompt,
        completion: known.completion + more.completion,
        updatedAt: Math.max(known.updatedAt, more.updatedAt),
      };
  }
  const [early, late] = a.day <= b.day ? [a, b] : [b, a];
  return { models, day: late.day, spent: late.spent + (early.day === late.day ? early.spent : 0) };
}
