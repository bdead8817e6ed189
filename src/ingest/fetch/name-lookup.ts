import { lookup, Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { codeOf } from "../../base/faults.ts";
import { unavailable } from "../../domain/errors.ts";

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Resolves all addresses of a name. The signal aborts when the last caller stops waiting. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly Address[]>;

interface NameServers {
  /** DNS servers; undefined: those of the system. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
  /** Whether to ask the system for names unknown to DNS, which a search domain may complete. */
  readonly asksSystem?: boolean;
}

const HOSTS_FILE = process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";
const MAX_HOSTS_BYTES = 1024 * 1024;
/** Timeout of the first query in ms; the second query gets twice as long. */
const QUERY_MS = 2000;
const QUERIES = 2;
/** Maximum number of addresses per name. */
const MAX_ADDRESSES = 64;
/** Maximum number of lookups waiting for the system's resolver. */
const MAX_WAITING = 64;
const UNKNOWN: ReadonlySet<string> = new Set(["ENOTFOUND", "ENODATA"]);

/**
 * Resolves names given by callers: first the hosts file, then DNS. The system's resolver is avoided because
 * it has only two threads per process: names whose servers never answer would block all other connections.
 */
export function nameLookup({ servers, hostsFile = HOSTS_FILE, asksSystem = false }: NameServers): Resolve {
  return async (name, signal) => {
    const host = name.toLowerCase().replace(/\.$/, "");
    const known = (await hostsIn(hostsFile)).get(host) ?? [];
    const found = known.length > 0 ? known : await byDns(host, signal, servers);
    return found.length === 0 && asksSystem ? system.lookup(name, signal) : found.slice(0, MAX_ADDRESSES);
  };
}

export const addressOf = (address: string, family: number): Address => ({
  address,
  family: family === 6 ? 6 : 4,
});

async function hostsIn(file: string): Promise<ReadonlyMap<string, readonly Address[]>> {
  const found = new Map<string, Address[]>();
  const text = await readFile(file, "utf8").catch(() => "");
  if (text.length > MAX_HOSTS_BYTES) return found;
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      found.set(key, [...(found.get(key) ?? []), addressOf(address, family)]);
    }
  }
  return found;
}

/** Returns no addresses if DNS has none. Throws UNAVAILABLE if no DNS server answers. */
async function byDns(
  name: string,
  signal: AbortSignal,
  servers: readonly string[] | undefined,
): Promise<readonly Address[]> {
  const resolver = new Resolver({ timeout: QUERY_MS, tries: QUERIES });
  if (servers) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.throwIfAborted();
    const found = answers.flatMap((answer, i) =>
      answer.status === "fulfilled" ? answer.value.map((one) => addressOf(one, i === 0 ? 4 : 6)) : [],
    );
    const isUnknown = answers.every(
      (answer) => answer.status === "fulfilled" || UNKNOWN.has(codeOf(answer.reason)),
    );
    if (found.length === 0 && !isUnknown) throw notResolved(name);
    return found;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

const notResolved = (name: string) =>
  unavailable(`the host name ${name} could not be resolved; try again later`);

/**
 * Lookups by the system's resolver, one at a time, so that its other thread stays free for the server's own
 * connections.
 */
class SystemLookup {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  lookup(name: string, signal: AbortSignal): Promise<readonly Address[]> {
    if (this.#waiting >= MAX_WAITING) throw notResolved(name);
    this.#waiting++;
    const asked = this.#last
      .then(() => (signal.aborted ? [] : lookup(name, { all: true })))
      .catch(() => Promise.reject(notResolved(name)))
      .then((found) => found.slice(0, MAX_ADDRESSES).map((one) => addressOf(one.address, one.family)))
      .finally(() => this.#waiting--);
    this.#last = asked.catch(() => undefined);
    return asked;
  }
}

const system = new SystemLookup();
