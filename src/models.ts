import { TokenLedger } from "./accounts/token-ledger.ts";
import type { Clock } from "./base/clock.ts";
import type { Closers } from "./base/closers.ts";
import type { Log } from "./base/log.ts";
import type { Trace } from "./base/trace.ts";
import type { Config } from "./config/config.ts";
import { type Embedding, openEmbedding } from "./embedding.ts";
import { openLanguage } from "./language.ts";
import type { Adviser } from "./providers/language.ts";
import type { Kv } from "./storage/kv.ts";

interface Deps {
  readonly log: Log;
  readonly closers: Closers;
  readonly kv: Kv;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly trace: Trace;
  readonly report: (what: string, error: unknown) => void;
}

/** All models of the settings, and the ledger in which their tokens are counted. */
export interface Models {
  readonly ledger: TokenLedger;
  readonly embedding: Embedding;
  readonly adviser: Adviser | undefined;
}

/** Nothing is loaded, started or asked yet. Throws StartError where a package is missing. */
export function openModels(config: Config, deps: Deps): Models {
  const ledger = new TokenLedger(deps);
  deps.closers.add("token counts", () => ledger.flush());
  const count: TokenLedger["count"] = (account, use) => ledger.count(account, use);
  const embedding = openEmbedding(config, { ...deps, countTokens: count });
  const adviser = openLanguage(config, { ...deps, count, spentToday: (account) => ledger.spentToday(account) });
  return { ledger, embedding, adviser };
}
