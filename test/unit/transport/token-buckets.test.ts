import { describe, expect, it } from "vitest";
import { networkOf } from "../../../src/transport/connections/network.ts";
import { TokenBuckets } from "../../../src/transport/pipeline/token-buckets.ts";

describe("token buckets", () => {
  it("a token bucket allows a burst, then its refill rate, and returns the time to wait", () => {
    let now = 0;
    const buckets = new TokenBuckets({ capacity: 2, perSecond: 4, maxKeys: 10, now: () => now });
    expect([buckets.take("a"), buckets.take("a"), buckets.take("a")]).toEqual([0, 0, 0.25]);
    expect(buckets.take("b")).toBe(0);
    now = 250;
    expect([buckets.take("a"), buckets.take("a")]).toEqual([0, 0.25]);
    now = 60_000;
    expect([buckets.take("a"), buckets.take("a"), buckets.take("a")]).toEqual([0, 0, 0.25]);
  });

  it("token buckets remember a bounded number of keys and forget the least recently used", () => {
    const buckets = new TokenBuckets({ capacity: 1, perSecond: 1, maxKeys: 2, now: () => 0 });
    buckets.take("old");
    buckets.take("busy");
    expect(buckets.take("old")).toBe(1);
    buckets.take("new");
    expect(buckets.take("old")).toBe(1);
    expect(buckets.take("busy")).toBe(0);
  });
});

describe("callers are counted by network", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::9", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    [undefined, ""],
  ])("the rate limit counts the address %s as %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
