import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/domain/errors.ts";
import { AddressGuard } from "../../../src/ingest/fetch/guard.ts";
import type { Address } from "../../../src/ingest/fetch/name-lookup.ts";
import { portOf, webAddress } from "../../../src/ingest/fetch/web-address.ts";
import { remoteSpec } from "../../../src/ingest/source-address.ts";

const address = (text: string): Address => ({ address: text, family: text.includes(":") ? 6 : 4 });
const resolver = (answers: Readonly<Record<string, readonly string[]>>) => async (name: string) =>
  (answers[name] ?? []).map(address);
const codeOf = (work: () => unknown): Promise<string> =>
  Promise.resolve()
    .then(work)
    .then(
      () => "OK",
      (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
    );

const judge = (
  text: string,
  allowPrivate = false,
  answers: Readonly<Record<string, readonly string[]>> = {},
) =>
  codeOf(() => {
    const url = webAddress(text);
    return new AddressGuard(allowPrivate, resolver(answers)).addressesOf(url.hostname, portOf(url));
  });

const LOOPBACK = [
  "127.0.0.1",
  "127.1",
  "2130706433",
  "0x7f000001",
  "0177.0.0.1",
  "017700000001",
  "127.0.0.1.",
  "127.255.255.254",
];
const LOOPBACK_6 = [
  "[::1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[2002:7f00:1::]",
  "[64:ff9b:1::7f00:1]",
];
const UNICODE = ["①②⑦.⓪.⓪.①", "127。0。0。1"];
const ELSEWHERE = [
  "0.0.0.0",
  "0",
  "10.0.0.1",
  "172.16.3.4",
  "192.168.1.1",
  "169.254.169.254",
  "100.64.0.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "240.0.0.1",
];
const ELSEWHERE_6 = [
  "[fe80::1]",
  "[fc00::1]",
  "[fec0::1]",
  "[ff02::1]",
  "[2001:db8::1]",
  "[::]",
  "[2001::1]",
];

describe("the guard", () => {
  it.each([...LOOPBACK, ...LOOPBACK_6, ...UNICODE, ...ELSEWHERE, ...ELSEWHERE_6])(
    "a URL with the host %s is refused",
    async (host) => {
      expect(await judge(`http://${host}:8080/x`)).toBe("PERMISSION_DENIED");
    },
  );

  it("URLs with public addresses are allowed", async () => {
    const hosts = ["8.8.8.8", "[2001:4860:4860::8888]", "[::ffff:8.8.8.8]"];
    expect(await Promise.all(hosts.map((host) => judge(`https://${host}/`)))).toEqual(hosts.map(() => "OK"));
  });

  it.each([
    "[fd00:ec2::254]",
    "[fd00:ec2:0:0::254]",
    "100.100.100.200",
    "192.0.0.192",
    "168.63.129.16",
    "[::ffff:168.63.129.16]",
  ])("the cloud metadata address %s is refused even where private addresses are allowed", async (host) => {
    expect([await judge(`http://${host}/`), await judge(`http://${host}/`, true)]).toEqual([
      "PERMISSION_DENIED",
      "PERMISSION_DENIED",
    ]);
  });

  it("a name is refused if any of its addresses is private", async () => {
    const answers = {
      good: ["8.8.8.8", "2001:4860:4860::8888"],
      mixed: ["8.8.8.8", "127.0.0.1"],
      inner: ["10.0.0.7"],
      six: ["8.8.8.8", "::1"],
    };
    const found = await Promise.all(
      ["good", "mixed", "inner", "six", "unknown"].map((host) => judge(`http://${host}/`, false, answers)),
    );
    expect(found).toEqual([
      "OK",
      "PERMISSION_DENIED",
      "PERMISSION_DENIED",
      "PERMISSION_DENIED",
      "UNAVAILABLE",
    ]);
  });

  it("a fetch connects to the addresses that were checked and makes no second lookup", async () => {
    let asked = 0;
    // the second DNS answer is the attack
    const guard = new AddressGuard(false, async () => [address(asked++ === 0 ? "8.8.8.8" : "127.0.0.1")]);
    expect(await guard.addressesOf("rebound", 443)).toEqual([address("8.8.8.8")]);
    expect(asked).toBe(1);
  });

  it("web ports and unreserved ports are allowed, and ports of other services are refused", async () => {
    const judged = await Promise.all(
      [80, 443, 8443, 22, 25, 6379, 587].map((port) => judge(`http://8.8.8.8:${port}/`)),
    );
    expect(judged).toEqual([
      "OK",
      "OK",
      "OK",
      "PERMISSION_DENIED",
      "PERMISSION_DENIED",
      "OK",
      "PERMISSION_DENIED",
    ]);
  });

  it("private addresses are allowed by a setting, link-local ones never", async () => {
    const judged = await Promise.all(
      ["127.0.0.1", "10.0.0.1", "[::1]", "[fc00::1]", "169.254.169.254", "[fe80::1]", "0.0.0.0"].map((host) =>
        judge(`http://${host}/`, true),
      ),
    );
    expect(judged).toEqual([
      "OK",
      "OK",
      "OK",
      "OK",
      "PERMISSION_DENIED",
      "PERMISSION_DENIED",
      "PERMISSION_DENIED",
    ]);
  });

  it.each([
    "http://",
    "http://[::1",
    "https://%00/",
    "http://a b/",
    "http://u:p@8.8.8.8/",
    "http://u@8.8.8.8/",
    `http://x/${"a".repeat(5000)}`,
  ])("the malformed URL %s is refused", async (text) => {
    expect(await judge(text)).toBe("INVALID_ARGUMENT");
  });
});

describe("an address as callers give it", () => {
  const git = (url: string, ...tree: string[]) => ({ kind: "git", url, ...(tree.length > 0 && { tree }) });

  it.each([
    ["HTTP://Example.COM:80/./a/../b#part", { kind: "url", url: "http://example.com/b" }],
    ["https://example.com/x/birds.git", git("https://example.com/x/birds.git")],
    ["https://github.com/owner/name", git("https://github.com/owner/name")],
    ["https://github.com/owner/name.git/", git("https://github.com/owner/name")],
    [
      "https://github.com/owner/name/tree/main/docs/a%20b",
      git("https://github.com/owner/name", "main", "docs", "a b"),
    ],
    [
      "https://github.com/owner/name/blob/main/a.md",
      { kind: "url", url: "https://github.com/owner/name/blob/main/a.md" },
    ],
    ["https://github.com/topics/birds", { kind: "url", url: "https://github.com/topics/birds" }],
    [
      "https://gitlab.com/group/sub/name/-/tree/v1/docs",
      git("https://gitlab.com/group/sub/name", "v1", "docs"),
    ],
    ["git@github.com:owner/name.git", git("https://github.com/owner/name")],
    ["ssh://git@example.com:22/x/y.git", git("https://example.com/x/y.git")],
    ["git://example.com/x.git", git("git://example.com/x.git")],
  ])("the import address %s is parsed", (text, spec) => {
    expect(remoteSpec(text)).toEqual(spec);
  });

  it.each([
    "/home/ann/docs",
    "relative",
    "file:///etc/passwd",
    "ftp://x/y",
    "ext::sh -c id",
    "--upload-pack=touch",
    "data:text/html,x",
  ])("the text %s is not a remote address", (text) => {
    expect(remoteSpec(text)).toBeUndefined();
  });

  it.each([
    "ssh://-oProxyCommand=touch%20/tmp/x/x.git",
    "git@-oProxyCommand=touch:x/y.git",
    "git://u:p@example.com/x",
    "ssh://git@/x",
  ])("the hostile address %s is refused", async (text) => {
    expect(await codeOf(() => remoteSpec(text))).toBe("INVALID_ARGUMENT");
  });
});
