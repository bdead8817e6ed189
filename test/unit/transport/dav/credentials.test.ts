import { describe, expect, it } from "vitest";
import { withBasic } from "../../../../src/transport/dav/credentials.ts";
import { type HeaderView, readIdentity } from "../../../../src/transport/identity.ts";

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString("base64")}`;
const view = (headers: Record<string, string>): HeaderView => ({ get: (name) => headers[name] });
const identity = (headers: Record<string, string>, isSafe = true, keyless = false) =>
  readIdentity(withBasic(view(headers), isSafe, keyless));

describe("Basic credentials", () => {
  it.each([
    ["ann:the-key", { key: "the-key" }],
    [":the-key", { key: "the-key" }],
    ["ann:the:key", { key: "the:key" }],
    ["acme/ann:the-key", { key: "the-key", account: "acme", user: "ann" }],
    ["acme/:the-key", { key: "the-key", account: "acme", user: "" }],
  ])("Basic credentials have the key as password and may name account and user: %s", (pair, expected) => {
    expect(identity({ authorization: basic(pair) })).toMatchObject(expected);
  });

  it("an identity header overrides the account in Basic credentials", () => {
    const headers = { authorization: basic("acme/ann:the-key"), "x-ctx-account": "beta" };
    expect(identity(headers)).toMatchObject({ account: "beta", user: "ann" });
  });

  it.each(["Basic", "Basic ", "Basic !!!", `Basic ${"a".repeat(2000)}`, basic("no colon")])(
    "malformed Basic credentials count as a missing key: %s",
    (authorization) => {
      expect(identity({ authorization }).key ?? "").toBe("");
    },
  );

  it("without TLS, Basic credentials are neither accepted nor requested", () => {
    expect(() => identity({ authorization: basic("ann:the-key") }, false)).toThrow(/over TLS/);
    expect(() => identity({}, false)).toThrow(/over TLS/);
    expect(identity({ authorization: "Bearer the-key" }, false).key).toBe("the-key");
    expect(identity({ "x-api-key": "the-key" }, false).key).toBe("the-key");
  });

  it("Basic credentials need no TLS on a server without keys", () => {
    expect(identity({ authorization: basic("acme/ann:") }, false, true)).toMatchObject({ account: "acme" });
    expect(identity({}, false, true).key).toBeUndefined();
  });
});
