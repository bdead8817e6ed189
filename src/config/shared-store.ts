import { isIPv6 } from "node:net";
import { parseObjectsUrl } from "../base/backup-location.ts";
import type { SettingName, Settings } from "./settings.ts";

/** A store of several servers. */
export interface StoreConfig {
  readonly url: string;
  readonly leaseSeconds: number;
  /** How long an imbalance must persist before accounts are handed over; 0: they never are. */
  readonly balanceSeconds: number;
  /**
   * How long contents without references are kept, so that earlier states of the database can be restored.
   */
  readonly retentionMs: number;
  /** URL at which other servers reach this one. */
  readonly memberUrl: string;
  /** Undefined: large contents are in the data directory, and no other server can join. */
  readonly objects: ObjectsConfig | undefined;
}

/** A bucket of an S3-compatible object store. */
export interface BucketConfig {
  /** `s3://bucket/prefix` */
  readonly url: string;
  readonly bucket: string;
  /** Prefix with a trailing slash, or "". */
  readonly prefix: string;
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

/** A bucket for large contents. */
export interface ObjectsConfig extends BucketConfig {
  /** Maximum bytes of the cache on the local disk. */
  readonly cacheBytes: number;
}

const DEFAULT_LEASE_SECONDS = 5;
const DEFAULT_BALANCE_SECONDS = 60;
const DEFAULT_RESTORE_DAYS = 7;
const DAY_MS = 86_400_000;
const DEFAULT_REGION = "us-east-1";
const DEFAULT_CACHE_BYTES = 4 * 2 ** 30;

/** Settings that have no effect without CTXDB_STORE, and those that have none without CTXDB_OBJECTS. */
const OF_STORE: readonly SettingName[] = [
  "CTXDB_LEASE_SECONDS",
  "CTXDB_BALANCE_SECONDS",
  "CTXDB_RESTORE_DAYS",
  "CTXDB_PEER_URL",
  "CTXDB_OBJECTS",
];
const OF_OBJECTS: readonly SettingName[] = [
  "CTXDB_OBJECTS_ENDPOINT",
  "CTXDB_OBJECTS_REGION",
  "CTXDB_OBJECTS_ACCESS_KEY",
  "CTXDB_OBJECTS_SECRET_KEY",
  "CTXDB_CACHE_BYTES",
];
const KEYS = ["CTXDB_OBJECTS_ACCESS_KEY", "CTXDB_OBJECTS_SECRET_KEY"] as const;

export function storeFaults(found: Settings): string[] {
  const faults = [
    ...needless(found, "CTXDB_STORE", OF_STORE),
    ...needless(found, "CTXDB_OBJECTS", OF_OBJECTS),
  ];
  if (found.CTXDB_STORE !== undefined && found.CTXDB_BACKUP_HOURS !== undefined)
    faults.push(
      "CTXDB_BACKUP_HOURS has no effect while CTXDB_STORE is set: back up PostgreSQL with its own tools",
    );
  if (found.CTXDB_OBJECTS !== undefined)
    for (const name of KEYS)
      if (found[name] === undefined) faults.push(`${name} is required with CTXDB_OBJECTS`);
  return faults;
}

/** Errors for settings that have no effect because `owner` is not set. */
export function needless(found: Settings, owner: SettingName, names: readonly SettingName[]): string[] {
  if (found[owner] !== undefined) return [];
  return names
    .filter((name) => found[name] !== undefined)
    .map((name) => `${name} has no effect while ${owner} is not set: set ${owner}, or remove ${name}`);
}

/** Undefined: this server has a store of its own. */
export function storeOf(found: Settings): StoreConfig | undefined {
  const { CTXDB_STORE: url, CTXDB_LEASE_SECONDS: leaseSeconds = DEFAULT_LEASE_SECONDS } = found;
  if (url === undefined) return undefined;
  return {
    url,
    leaseSeconds,
    balanceSeconds: found.CTXDB_BALANCE_SECONDS ?? DEFAULT_BALANCE_SECONDS,
    retentionMs: (found.CTXDB_RESTORE_DAYS ?? DEFAULT_RESTORE_DAYS) * DAY_MS,
    memberUrl: found.CTXDB_PEER_URL ?? ownUrl(found),
    objects: objectsOf(found),
  };
}

function objectsOf(found: Settings): ObjectsConfig | undefined {
  const bucket = bucketOf({
    url: found.CTXDB_OBJECTS,
    endpoint: found.CTXDB_OBJECTS_ENDPOINT,
    region: found.CTXDB_OBJECTS_REGION,
    accessKey: found.CTXDB_OBJECTS_ACCESS_KEY,
    secretKey: found.CTXDB_OBJECTS_SECRET_KEY,
  });
  return bucket && { ...bucket, cacheBytes: found.CTXDB_CACHE_BYTES ?? DEFAULT_CACHE_BYTES };
}

type FoundBucket = {
  readonly [K in "url" | "endpoint" | "region" | "accessKey" | "secretKey"]: string | undefined;
};

/** Undefined without a URL. */
export function bucketOf(found: FoundBucket): BucketConfig | undefined {
  const { url, region = DEFAULT_REGION, accessKey = "", secretKey = "" } = found;
  const place = url === undefined ? undefined : parseObjectsUrl(url);
  if (url === undefined || !place) return undefined;
  const endpoint = (found.endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, "");
  return { url, ...place, endpoint, region, accessKey, secretKey };
}

function ownUrl({ CTXDB_HOST: host, CTXDB_PORT: port, CTXDB_TLS_CERT: cert }: Settings): string {
  const scheme = cert === undefined ? "http" : "https";
  return `${scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
