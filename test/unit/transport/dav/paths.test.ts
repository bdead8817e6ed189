import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../../src/domain/errors.ts";
import { hrefOf, pathOf, pathOfUrl } from "../../../../src/transport/dav/paths.ts";

const outcome = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return `${error.code} ${error.http}`;
  }
};

describe("paths below /dav", () => {
  it.each([
    ["/dav", []],
    ["/dav/", []],
    ["/dav/resources", ["resources"]],
    ["/dav/resources/", ["resources"]],
    ["/dav/user/ann/memories/a%20b.md", ["user", "ann", "memories", "a b.md"]],
    ["/dav/resources/%E4%B8%AD%E6%96%87", ["resources", "中文"]],
    ["/dav/resources/e%CC%81", ["resources", "é"]],
    ["/dav/resources/100%25", ["resources", "100%"]],
    ["/dav/resources/%2525", ["resources", "%25"]],
    ["/dav/resources/a+b&c=d;e", ["resources", "a+b&c=d;e"]],
    ["/dav/session/ann/chat", ["session", "ann", "chat"]],
  ])("the WebDAV path %s is parsed and encodes to the same path", (encoded, path) => {
    expect(pathOf(encoded, false)).toEqual(path);
    expect(pathOf(hrefOf(path, true), false)).toEqual(path);
    expect(pathOf(hrefOf(path, false), false)).toEqual(path);
  });

  it.each([
    "/dav//",
    "/dav//resources",
    "/dav/resources//",
    "/dav/resources//a",
    "/dav/resources/.",
    "/dav/resources/..",
    "/dav/resources/../user",
    "/dav/resources/%2e%2e/user",
    "/dav/resources/%2E%2e",
    "/dav/resources/.%2e/a",
    "/dav/resources/a%2fb",
    "/dav/resources/a%2Fb",
    "/dav/resources/a%5cb",
    "/dav/resources/a\\b",
    "/dav/resources/a%00",
    "/dav/resources/a%0d%0aX: y",
    "/dav/resources/a%7f",
    "/dav/resources/a%E2%80%AEb",
    "/dav/resources/a b",
    "/dav/resources/ä",
    "/dav/resources/%",
    "/dav/resources/%4",
    "/dav/resources/%zz",
    "/dav/resources/%ff",
    "/dav/resources/%c0%ae%c0%ae",
    "/dav/resources/%ed%a0%80",
    "/dav/resources/a#b",
    `/dav/resources/${"a".repeat(256)}`,
  ])("the malformed WebDAV path %s is refused", (encoded) => {
    expect(outcome(() => pathOf(encoded, true))).toBe("INVALID_URI 400");
  });

  it("a WebDAV path has the limits of a URI, encoded or not", () => {
    const long = (length: number) => `/dav/resources${"/abcdefg".repeat(length / 8)}`;
    expect(outcome(() => pathOf(long(8192), false))).toBe("INVALID_URI 414");
    expect(outcome(() => pathOf(`/dav/resources${"/%61".repeat(5000)}`, false))).toBe("INVALID_URI 414");
    expect(pathOf(`/dav/resources${"/a".repeat(63)}`, false)).toHaveLength(64);
    expect(outcome(() => pathOf(`/dav/resources${"/a".repeat(64)}`, false))).toBe("INVALID_URI 414");
  });

  it("a WebDAV path outside the four scopes or of a generated file is refused", () => {
    expect(outcome(() => pathOf("/dav/skills", false))).toBe("NOT_FOUND 404");
    expect(outcome(() => pathOf("/dav/skills/new", true))).toBe("PERMISSION_DENIED 403");
    expect(outcome(() => pathOf("/dav/.DS_Store", true))).toBe("PERMISSION_DENIED 403");
    expect(outcome(() => pathOf("/dav/resources/.abstract.md", true))).toBe("PERMISSION_DENIED 403");
    expect(outcome(() => pathOf("/davresources", false))).toBe("NOT_FOUND 404");
  });
});

describe("the path in a Destination header", () => {
  const path = "/dav/resources/a%20b";
  it.each([
    [path, "host:1933"],
    [`http://host:1933${path}`, "host:1933"],
    [`HTTP://HOST:1933${path}`, "host:1933"],
    [`https://host${path}`, "host"],
    [`https://host:443${path}`, "host"],
    [`http://host${path}`, "host:80"],
    [`http://[::1]:1933${path}`, "[::1]:1933"],
    [`  ${path} `, undefined],
  ])("the Destination %s is accepted by the host %s", (url, authority) => {
    expect(pathOfUrl("Destination", url, authority)).toBe(path);
  });

  it.each([
    [`http://other:1933${path}`, 502],
    [`http://host:1934${path}`, 502],
    [`http://host.evil:1933${path}`, 502],
    ["http://host:1933/elsewhere", 502],
    ["/elsewhere", 502],
    [`http://user@host:1933${path}`, 400],
    [`//host:1933${path}`, 400],
    [`ftp://host:1933${path}`, 400],
    [`http://host:1933${path}?x=1`, 400],
    [`http://host:1933${path}#x`, 400],
    ["resources/a", 400],
    ["", 400],
  ])("the Destination %s is refused with status %i", (url, http) => {
    expect(outcome(() => pathOfUrl("Destination", url, "host:1933"))).toBe(`INVALID_ARGUMENT ${http}`);
  });
});
