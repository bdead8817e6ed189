import { describe, expect, it } from "vitest";
import { readIdentity } from "../../../src/transport/identity.ts";

const read = (headers: Record<string, string>) => readIdentity({ get: (name) => headers[name] });

describe("the key of a request", () => {
  it.each([
    [{}, undefined],
    [{ "x-api-key": "" }, undefined],
    [{ "x-api-key": "a", authorization: "Bearer b" }, "a"],
    [{ "x-api-key": "", authorization: "Bearer b" }, "b"],
    [{ authorization: "bearer  b " }, "b"],
    [{ authorization: "BEARER b" }, "b"],
    [{ authorization: "Bearer" }, ""],
    [{ authorization: "Basic b" }, ""],
    [{ authorization: "Bearerb" }, ""],
  ])("the headers %o contain the key %j", (headers, key) => {
    expect(read(headers as Record<string, string>).key).toBe(key);
  });
});

describe("the identity of a request", () => {
  it("identity headers are read with both prefixes, and X-Ctx has precedence", () => {
    const headers = { "x-ctx-account": "acme", "x-openviking-account": "other", "x-openviking-user": "ann" };
    expect(read(headers)).toEqual({ key: undefined, account: "acme", user: "ann", agent: undefined });
  });
});
