import type { Clock } from "../base/clock.ts";
import { NO_WORKSPACE, type WorkspaceId } from "../domain/ids.ts";
import type { ModelUse } from "../providers/usage.ts";
import { Draft } from "../storage/draft.ts";
import type { Kv } from "../storage/kv.ts";
import { encodeRecord } from "../storage/records.ts";
import { accountKeys as keys, type ModelTokens, TOKENS, type Tokens } from "./account-records.ts";

/**
 * Delay in ms between the first count and the write of all counts; a killed server loses no more than that.
 */
const WRITE_AFTER_MS = 1000;
const DAY_MS = 86_400_000;
/** The counts of all accounts together, deleted ones included, are those of no workspace. */
const SERVER = NO_WORKSPACE;

interface Deps {
  readonly kv: Kv;
  readonly clock: Clock;
  readonly report: (what: string, error: unknown) => void;
}

const NOTHING: Tokens = { models: [], day: 0, spent: 0 };

/** Tokens by model and account. Counting does not write; reads are always up to date. */
export class TokenLedger {
  readonly #deps: Deps;
  /** Not written yet, and being written; by incarnation. */
  #pending = new Map<WorkspaceId, Tokens>();
  #writing: ReadonlyMap<WorkspaceId, Tokens> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #write: Promise<void> = Promise.resolve();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Adds the cost of a call to the workspace's and the server's counts. */
  count(workspace: WorkspaceId, { provider, model, kind, prompt, completion }: ModelUse): void {
    const now = this.#deps.clock();
    const day = kind === "language" ? Math.floor(now / DAY_MS) : 0;
    const spent = kind === "language" ? prompt + completion : 0;
    const more: Tokens = { models: [{ provider, model, prompt, completion, updatedAt: now }], day, spent };
    for (const payer of new Set([workspace, SERVER]))
      this.#pending.set(payer, sum(this.#pending.get(payer) ?? NOTHING, more));
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref();
  }

  /** Tokens of language models that a workspace has used today (UTC). */
  spentToday(workspace: WorkspaceId): number {
    const { day, spent } = this.#tokensOf(workspace);
    return day === Math.floor(this.#deps.clock() / DAY_MS) ? spent : 0;
  }

  /** By model, in the order in which they were first called: of an account, or of the server. */
  models(of: WorkspaceId | "server"): readonly ModelTokens[] {
    return this.#tokensOf(of === "server" ? SERVER : of).models;
  }

  /** Writes pending counts. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#write = this.#write.then(() => this.#writePending());
    return this.#write;
  }

  #tokensOf(workspace: WorkspaceId): Tokens {
    const written = TOKENS.read(this.#deps.kv, keys.tokens(workspace)) ?? NOTHING;
    const underWay = this.#writing.get(workspace) ?? NOTHING;
    return sum(sum(written, underWay), this.#pending.get(workspace) ?? NOTHING);
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
          for (const [workspace, more] of writing) {
            // a deleted account has no counts
            if (workspace !== SERVER && !draft.get(keys.incarnation(workspace))) continue;
            const key = keys.tokens(workspace);
            draft.put(key, encodeRecord(sum(TOKENS.read(draft, key) ?? NOTHING, more)));
          }
          return draft.finish(() => {
            this.#writing = new Map();
          });
        },
        { sync: false },
      );
    } catch (error) {
      this.#writing = new Map();
      for (const [workspace, more] of writing)
        this.#pending.set(workspace, sum(more, this.#pending.get(workspace) ?? NOTHING));
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
