import { isIPv4 } from "node:net";

const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i;
const IPV6_GROUPS = 8;
/** IPv6 addresses count by /64, the block one customer gets. */
const NETWORK_GROUPS = 4;

/** The subject of limits for an address: an IPv4 address itself, the /64 of an IPv6 address. */
export function networkOf(address: string | undefined): string {
  const plain = (address ?? "").replace(MAPPED_IPV4, "").replace(/%.*$/, "").toLowerCase();
  if (isIPv4(plain) || !plain.includes(":")) return plain;
  const [head = "", tail] = plain.split("::", 2);
  const groups = head === "" ? [] : head.split(":");
  if (tail !== undefined) {
    const last = tail === "" ? [] : tail.split(":");
    while (groups.length + last.length < IPV6_GROUPS) groups.push("0");
  }
  return `${groups.slice(0, NETWORK_GROUPS).join(":")}::/64`;
}
