import type { TokenLedger } from "../../accounts/token-ledger.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { ServiceCall } from "../service-call.ts";
import type { Tenants } from "../tenants.ts";

export interface ObserverDeps {
  readonly tenants: Tenants;
  readonly queue: JobQueue;
  readonly ledger: TokenLedger;
  /** Library of the neighbour indexes; undefined if there is none. */
  readonly neighbours?: { readonly name: string } | undefined;
  /** State by component (`storage`, `vectors`, `queue`): `ok` or the problem. */
  readonly ready: () => Readonly<Record<string, string>>;
}

/** State of a component in the format of the API. */
export interface ComponentStatus {
  name: string;
  isHealthy: boolean;
  /** Whether the component does not work, or any of its jobs has failed for good since the start. */
  hasErrors: boolean;
  /** A table: rows separated by newlines, cells by tabs; the header first, TOTAL last. */
  status: string;
}

export type Cell = string | number;

/** Replaces a missing sum in TOTAL. */
export const NO_SUM = "-";

export const table = (...rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => row.join("\t")).join("\n");

/** Whether the caller sees the whole server (ROOT without an account); all others see one account. */
export const seesServer = ({ caller }: ServiceCall): boolean =>
  caller.role === "root" && !caller.accountNamed;
