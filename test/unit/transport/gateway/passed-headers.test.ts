import { describe, expect, it } from "vitest";
import { headersUp, trailersDown } from "../../../../src/transport/gateway/passed-headers.ts";

const upFrom = (headers: Readonly<Record<string, string>>) => {
  const raw = Object.entries(headers).flat();
  return headersUp({ headers, rawHeaders: raw }, false);
};

describe("headers that pass the gateway", () => {
  it("the gateway sends the provider no header that repeats the caller's own key", () => {
    const provider = { authorization: "Bearer sk-provider", "x-api-key": "sk-provider" };
    expect(upFrom({ "x-ctxdb-key": "own", ...provider })).toEqual(Object.entries(provider).flat());
    const repeated = { authorization: "Bearer own", "x-api-key": "own", cookie: "key=own" };
    expect(upFrom({ "x-ctxdb-key": "own", ...repeated, accept: "*/*" })).toEqual(["accept", "*/*"]);
    expect(upFrom(provider)).toEqual(Object.entries(provider).flat());
  });

  it("the gateway passes on trailers except for connection headers and those of ctxdb", () => {
    const raw = [
      "Connection",
      "x-gone",
      "x-gone",
      "1",
      "X-Ctxdb-Complete",
      "1",
      "x-cost",
      "2",
      "X-Cost",
      "3",
    ];
    expect(trailersDown(raw)).toEqual({ "x-cost": "2,3" });
  });
});
