import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { before } from "../../base/deadline.ts";
import { invalidArgument, permissionDenied, unavailable } from "../../domain/errors.ts";
import { type Address, addressOf, nameLookup, type Resolve } from "./name-lookup.ts";

/** Publicly reachable address ranges. */
const PUBLIC: ReadonlySet<string> = new Set(["unicast"]);
/** Ranges that CTXDB_URL_ALLOW_PRIVATE adds; link-local addresses are never allowed. */
const PRIVATE: ReadonlySet<string> = new Set([
  ...PUBLIC,
  "loopback",
  "private",
  "uniqueLocal",
  "carrierGradeNat",
]);
/** Cloud metadata services outside link-local ranges: Amazon (IPv6), Alibaba, Oracle and Azure. */
const METADATA: ReadonlySet<string> = new Set([
  "fd00:ec2::254",
  "100.100.100.200",
  "192.0.0.192",
  "168.63.129.16",
]);
/** Globally allocated IPv6 addresses; others may embed IPv4 addresses. */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");
const WEB_PORTS: ReadonlySet<number> = new Set([80, 443]);
const FIRST_FREE_PORT = 1024;
const RESOLVE_LIMIT_MS = 10_000;

/** Names for error messages: what connects, and the setting that allows private addresses. */
interface Connecting {
  readonly what: string;
  readonly setting: string;
}

const IMPORTS: Connecting = { what: "imports", setting: "CTXDB_URL_ALLOW_PRIVATE" };

/**
 * Decides which addresses the server may connect to on behalf of a caller. A name is resolved once, all of
 * its addresses are checked, and the connection uses exactly these, so that later DNS answers have no effect.
 */
export class AddressGuard {
  readonly #allowPrivate: boolean;
  readonly #resolve: Resolve;
  readonly #connecting: Connecting;

  constructor(
    allowPrivate: boolean,
    resolve: Resolve = nameLookup({ asksSystem: allowPrivate }),
    connecting: Connecting = IMPORTS,
  ) {
    this.#allowPrivate = allowPrivate;
    this.#resolve = resolve;
    this.#connecting = connecting;
  }

  /**
   * The addresses of a host in a URL. Throws PERMISSION_DENIED if an address or the port is forbidden,
   * UNAVAILABLE if the name is unknown.
   */
  async addressesOf(host: string, port: number): Promise<readonly Address[]> {
    const { what, setting } = this.#connecting;
    const name = host.replace(/^\[(.*)\]$/, "$1");
    if (!this.#allowPrivate && !WEB_PORTS.has(port) && port < FIRST_FREE_PORT)
      throw permissionDenied(`${host}:${port}`, `${what} may use only ports 80, 443, and 1024 or higher`);
    const family = isIP(name);
    const found = family === 0 ? await this.#resolved(name) : [addressOf(name, family)];
    if (found.length === 0) throw unavailable(`the host name ${host} is unknown: check the address`);
    // a mix of forbidden and allowed addresses indicates an attack
    if (!found.every(({ address }) => this.#isAllowed(address)))
      throw permissionDenied(
        host,
        `${what} must not connect to private addresses: set ${setting}=true to allow it`,
      );
    return found;
  }

  async #resolved(name: string): Promise<readonly Address[]> {
    if (name === "" || name.length > 253) throw invalidArgument("path", "the URL has no host name");
    const late = new AbortController();
    const reason = unavailable(`the host name ${name} could not be resolved in time; try again later`);
    const timer = setTimeout(() => late.abort(reason), RESOLVE_LIMIT_MS);
    try {
      return await before(late.signal, this.#resolve(name, late.signal));
    } finally {
      clearTimeout(timer);
    }
  }

  #isAllowed(address: string): boolean {
    const parsed = ipaddr.process(address);
    const range = parsed.range();
    if (METADATA.has(parsed.toString())) return false;
    if (this.#allowPrivate && PRIVATE.has(range) && range !== "unicast") return true;
    if (!PUBLIC.has(range)) return false;
    return parsed.kind() === "ipv4" || (parsed as ipaddr.IPv6).match(GLOBAL_IPV6);
  }
}
