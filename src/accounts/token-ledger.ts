import type { Clock } from "../base/clock.ts";
import { NO_WORKSPACE, type WorkspaceId } from "../domain/ids.ts";
import type { ModelUse } from "../providers/usage.ts";
import { Draft } from "../storage/draft.ts";
import type { Kv } from "../storage/kv.ts";
import { encodeRecord } from "../storage/record-codec.ts";
import type { ServerFacts } from "../storage/server-facts.ts";
import { accountKeys as keys, type ModelTokens, TOKENS, type Tokens } from "./account-records.ts";
import { modelsOf, SERVER_TOKENS, tallyOf } from "./server-tokens.ts";

/**
 * Delay in ms between the first count and the write of all counts; a killed server loses no more than that.
 */
const WRITE_AFTER_MS = 1000;
const DAY_MS = 86_400_000;

interface Deps {
  readonly kv: Kv;
  readonly facts: ServerFacts;
  readonly clock: Clock;
  readonly report: (what: string, error: unknown) => void;
}

const NOTHING: Tokens = { models: [], day: 0, spent: 0 };

/**
 * Tokens by model, per account and for the server. Counting does not write, but reads are always up to date.
 * Each account's counts are written in a separate transaction.
 */
export class TokenLedger {
  readonly #deps: Deps;
  /** Tokens of the server, including deleted accounts: stored ones and those counted since the start. */
  #server: Tokens;
  /** Counts of the server that are not written yet. */
  #unwritten: Tokens = NOTHING;
  /** Counts by incarnation: not written yet, and being written. */
  #pending = new Map<WorkspaceId, Tokens>();
  readonly #writing = new Map<WorkspaceId, Tokens>();
  /** Tokens of accounts that were never written: they have no record and are lost when the process ends. */
  #unowned: Tokens = NOTHING;
  #timer: NodeJS.Timeout | undefined;
  #write: Promise<void> = Promise.resolve();

  private constructor(deps: Deps, models: readonly ModelTokens[]) {
    this.#deps = deps;
    this.#server = { ...NOTHING, models };
  }

  static async open(deps: Deps): Promise<TokenLedger> {
    return new TokenLedger(deps, modelsOf(await deps.facts.tally(SERVER_TOKENS)));
  }

  /** Adds the tokens of a call to the counts of the workspace and the server. */
  count(workspace: WorkspaceId, { provider, model, kind, prompt, completion }: ModelUse): void {
    const now = this.#deps.clock();
    const day = kind === "language" ? Math.floor(now / DAY_MS) : 0;
    const spent = kind === "language" ? prompt + completion : 0;
    const more: Tokens = { models: [{ provider, model, prompt, completion, updatedAt: now }], day, spent };
    this.#server = sum(this.#server, more);
    this.#unwritten = sum(this.#unwritten, more);
    if (workspace === NO_WORKSPACE) this.#unowned = sum(this.#unowned, more);
    else this.#pending.set(workspace, sum(this.#pending.get(workspace) ?? NOTHING, more));
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref();
  }

  /** Language model tokens that a workspace has used today (UTC). */
  spentToday(workspace: WorkspaceId): number {
    const { day, spent } = this.#tokensOf(workspace);
    return day === Math.floor(this.#deps.clock() / DAY_MS) ? spent : 0;
  }

  /** Unix time in ms at which the tokens of the day start again. */
  get dayEndsAt(): number {
    return (Math.floor(this.#deps.clock() / DAY_MS) + 1) * DAY_MS;
  }

  /** Tokens by model, in the order of their first call, for an account or the server. */
  models(of: WorkspaceId | "server"): readonly ModelTokens[] {
    return (of === "server" ? this.#server : this.#tokensOf(of)).models;
  }

  /** Drops the counts of a workspace that is no longer held; unwritten ones are lost. */
  drop(workspace: WorkspaceId): void {
    this.#pending.delete(workspace);
  }

  /** Writes pending counts. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#write = this.#write.then(() => this.#writePending());
    return this.#write;
  }

  #tokensOf(workspace: WorkspaceId): Tokens {
    if (workspace === NO_WORKSPACE) return this.#unowned;
    const written = TOKENS.read(this.#deps.kv, keys.tokens(workspace)) ?? NOTHING;
    const underWay = this.#writing.get(workspace) ?? NOTHING;
    return sum(sum(written, underWay), this.#pending.get(workspace) ?? NOTHING);
  }

  /** The transactions start together, so that they share a write. */
  async #writePending(): Promise<void> {
    const pending = this.#pending;
    this.#pending = new Map();
    const writes = Array.from(pending, ([workspace, more]) => this.#writeOf(workspace, more));
    await Promise.all([...writes, this.#writeServer()]);
  }

  async #writeOf(workspace: WorkspaceId, more: Tokens): Promise<void> {
    this.#writing.set(workspace, more);
    try {
      await this.#deps.kv.transact(
        (read) => {
          const draft = new Draft(read);
          // a deleted account has no counts
          if (draft.get(keys.incarnation(workspace))) {
            const key = keys.tokens(workspace);
            draft.put(key, encodeRecord(sum(TOKENS.read(draft, key) ?? NOTHING, more)));
          }
          return draft.toChange(() => void this.#writing.delete(workspace));
        },
        { sync: false },
      );
    } catch (error) {
      this.#writing.delete(workspace);
      this.#pending.set(workspace, sum(more, this.#pending.get(workspace) ?? NOTHING));
      this.#deps.report("counting tokens", error);
    }
  }

  async #writeServer(): Promise<void> {
    const { models } = this.#unwritten;
    if (models.length === 0) return;
    this.#unwritten = NOTHING;
    try {
      await this.#deps.facts.add(SERVER_TOKENS, tallyOf(models));
    } catch (error) {
      this.#unwritten = sum({ ...NOTHING, models }, this.#unwritten);
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
