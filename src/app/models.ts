import { TokenLedger } from "../accounts/token-ledger.ts";
import type { Config } from "../config/config.ts";
import type { Adviser } from "../providers/language.ts";
import { type Embedding, type EmbeddingDeps, openEmbedding } from "./embedding.ts";
import { openLanguage } from "./language.ts";
import { type FurtherModels, openFurtherModels } from "./media-models.ts";

interface Deps extends Omit<EmbeddingDeps, "countTokens"> {
  readonly report: (what: string, error: unknown) => void;
}

/** All models of the settings, and the ledger in which their tokens are counted. */
export interface Models extends FurtherModels {
  readonly ledger: TokenLedger;
  readonly embedding: Embedding;
  readonly adviser: Adviser | undefined;
}

/** Nothing is loaded, started or asked yet. Throws StartError where a package is missing. */
export function openModels(config: Config, deps: Deps): Models {
  const ledger = new TokenLedger(deps);
  deps.closers.add("token counts", "state", () => ledger.flush());
  const count: TokenLedger["count"] = (account, use) => ledger.count(account, use);
  const embedding = openEmbedding(config, { ...deps, countTokens: count });
  const metered = { ...deps, count, spentToday: (account: number) => ledger.spentToday(account) };
  return { ledger, embedding, adviser: openLanguage(config, metered), ...openFurtherModels(config, metered) };
}
