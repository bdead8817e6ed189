import { isIPv6 } from "node:net";
import type { SettingName, Settings } from "./settings.ts";

/** A store of several servers. */
export interface StoreConfig {
  readonly url: string;
  readonly leaseSeconds: number;
  /** How other servers reach this one. */
  readonly memberUrl: string;
}

const DEFAULT_LEASE_SECONDS = 5;
/** Settings that have no effect without CTXDB_STORE. */
const OF_STORE: readonly SettingName[] = ["CTXDB_LEASE_SECONDS", "CTXDB_PEER_URL"];

export function storeFaults(found: Settings): string[] {
  if (found.CTXDB_STORE === undefined)
    return OF_STORE.filter((name) => found[name] !== undefined).map(
      (name) => `${name} has no effect while CTXDB_STORE is not set: set CTXDB_STORE, or remove ${name}`,
    );
  const faults: string[] = [];
  if (found.CTXDB_BACKUP_HOURS !== undefined)
    faults.push(
      "CTXDB_BACKUP_HOURS has no effect while CTXDB_STORE is set: back up PostgreSQL with its own tools",
    );
  return faults;
}

/** Undefined if this server has its records alone. */
export function storeOf(found: Settings): StoreConfig | undefined {
  const { CTXDB_STORE: url, CTXDB_LEASE_SECONDS: leaseSeconds = DEFAULT_LEASE_SECONDS } = found;
  if (url === undefined) return undefined;
  return { url, leaseSeconds, memberUrl: found.CTXDB_PEER_URL ?? ownUrl(found) };
}

function ownUrl({ CTXDB_HOST: host, CTXDB_PORT: port, CTXDB_TLS_CERT: cert }: Settings): string {
  const scheme = cert === undefined ? "http" : "https";
  return `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
