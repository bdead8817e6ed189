import { isIPv4 } from "node:net";

const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i;
const IPV6_GROUPS = 8;
/** Groups of an IPv6 address that form a network: /64, the block of one customer. */
const NETWORK_GROUPS = 4;

/** Key for limits by address: an IPv4 address, or the /64 network of an IPv6 address. */
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
