import type { TokenLedger } from "../../accounts/token-ledger.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { ServiceCall } from "../call.ts";
import type { Tenants } from "../tenants.ts";

export interface ObserverDeps {
  readonly tenants: Tenants;
  readonly queue: JobQueue;
  readonly ledger: TokenLedger;
  /** The library whose indexes of neighbours serve; undefined where none does. */
  readonly neighbours?: { readonly name: string } | undefined;
  /** State per component (`storage`, `vectors`, `queue`): `ok` or the problem. */
  readonly ready: () => Readonly<Record<string, string>>;
}

/** The state of one part as the specification describes it. */
export interface ComponentStatus {
  name: string;
  isHealthy: boolean;
  /** Something has failed for good since the start. */
  hasErrors: boolean;
  /** A table: rows by newline, cells by tab; the header first, TOTAL last. */
  status: string;
}

export type Cell = string | number;

/** Stands in TOTAL where there is no sum. */
export const NO_SUM = "-";

export const table = (...rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => row.join("\t")).join("\n");

/** ROOT that names no account sees the server, everybody else an account. */
export const seesServer = ({ caller }: ServiceCall): boolean =>
  caller.role === "root" && !caller.accountNamed;
