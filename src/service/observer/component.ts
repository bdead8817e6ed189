import type { TokenLedger } from "../../accounts/token-ledger.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { ServiceCall } from "../call.ts";
import type { Tenants } from "../tenants.ts";

export interface ObserverDeps {
  readonly tenants: Tenants;
  readonly queue: JobQueue;
  readonly ledger: TokenLedger;
  /** The library of the neighbour indexes; undefined if there is none. */
  readonly neighbours?: { readonly name: string } | undefined;
  /** State per component (`storage`, `vectors`, `queue`): `ok` or the problem. */
  readonly ready: () => Readonly<Record<string, string>>;
}

/** The state of one component, in the form of the specification. */
export interface ComponentStatus {
  name: string;
  isHealthy: boolean;
  /** Something has failed permanently since the start. */
  hasErrors: boolean;
  /** A table: rows by newline, cells by tab; the header first, TOTAL last. */
  status: string;
}

export type Cell = string | number;

/** Replaces a missing sum in TOTAL. */
export const NO_SUM = "-";

export const table = (...rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => row.join("\t")).join("\n");

/** ROOT without an account sees the whole server, everybody else an account. */
export const seesServer = ({ caller }: ServiceCall): boolean =>
  caller.role === "root" && !caller.accountNamed;
