import { lookup, Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { codeOf } from "../../base/faults.ts";
import { unavailable } from "../../domain/errors.ts";

/** An IP address and its family. */
export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** All addresses of a name; the signal aborts when nobody waits for them any more. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly Address[]>;

interface NameServers {
  /** Those of the system if undefined. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
  /** Whether names that DNS does not know as they stand may be known to the system: by a search domain. */
  readonly asksSystem?: boolean;
}

const HOSTS_FILE = process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";
const MAX_HOSTS_BYTES = 1024 * 1024;
/** Of one query; the second one gets twice the time. */
const QUERY_MS = 2000;
const QUERIES = 2;
/** Limit of addresses of one name. */
const MAX_ADDRESSES = 64;
/** Limit of lookups that wait for the system. */
const MAX_WAITING = 64;
const UNKNOWN: ReadonlySet<string> = new Set(["ENOTFOUND", "ENODATA"]);

/**
 * Looks up names that callers choose: in the hosts file, then by DNS. The system's resolver has two threads
 * for the whole process, so names whose servers never answer would hold up all other connections.
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

/** Empty if DNS says that there are none; UNAVAILABLE if it does not answer. */
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

const notResolved = (name: string) => unavailable(`${name}: the host name could not be resolved`);

/** Lookups by the system, one at a time, so that the other thread stays free for the server's own. */
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
