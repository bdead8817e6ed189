import { describe, expect, it } from "vitest";
import { Cors } from "../../../src/transport/cors.ts";

const ORIGIN = "Access-Control-Allow-Origin";

describe("with a key", () => {
  const cors = new Cors({ keyless: false, loopback: false });

  it("serves every origin and host, without credentials", () => {
    expect(cors.refusal("ctx.example", "https://app.example")).toBeUndefined();
    expect(cors.headers("https://app.example")).toMatchObject({ [ORIGIN]: "*" });
    expect(cors.headers("https://app.example")).not.toHaveProperty("Access-Control-Allow-Credentials");
  });

  it("lets only the named origins read, where some are named", () => {
    const named = new Cors({ keyless: false, loopback: false, origins: ["https://app.example/"] });
    expect(named.headers("https://app.example")).toMatchObject({ [ORIGIN]: "https://app.example", Vary: "Origin" });
    expect(named.headers("https://other.example")).not.toHaveProperty(ORIGIN);
    expect(named.refusal("ctx.example", "https://other.example")).toBeUndefined();
  });

  it("allows keys, identity and the typed wires in a preflight", () => {
    const allowed = cors
      .preflight({ get: () => undefined })
      ["Access-Control-Allow-Headers"]!.toLowerCase()
      .split(", ");
    const wanted =
      "authorization x-api-key x-ctx-account x-ctx-user x-ctx-agent content-type connect-protocol-version x-grpc-web grpc-timeout if-match idempotency-key";
    expect(allowed).toEqual(expect.arrayContaining(wanted.split(" ")));
  });
});

describe("without a key", () => {
  const cors = new Cors({ keyless: true, loopback: true });

  it.each(["http://localhost:4199", "http://127.0.0.1", "https://[::1]:8443", "http://127.8.9.1:1"])("serves pages of %s", (origin) => {
    expect(cors.refusal("127.0.0.1:1933", origin)).toBeUndefined();
    expect(cors.headers(origin)).toMatchObject({ [ORIGIN]: origin });
  });

  it.each([
    "http://evil.example",
    "http://127.0.0.1.evil.example",
    "http://localhost.evil.example",
    "null",
    "",
    "http://localhost@evil.example",
  ])("refuses pages of %j", (origin) => {
    expect(cors.refusal("127.0.0.1:1933", origin)).toMatchObject({ code: "PERMISSION_DENIED" });
  });

  it.each(["evil.example", "evil.example:1933", "127.0.0.1.evil.example", "", undefined])("refuses the name %j", (authority) => {
    expect(cors.refusal(authority, undefined)).toMatchObject({ code: "PERMISSION_DENIED" });
  });

  it.each(["localhost:1933", "LOCALHOST", "127.0.0.1:1933", "[::1]:1933", "[::1]"])("answers under the name %s", (authority) => {
    expect(cors.refusal(authority, undefined)).toBeUndefined();
  });

  it("serves named origins and their hosts, too", () => {
    const named = new Cors({ keyless: true, loopback: true, origins: ["https://app.example"] });
    expect(named.refusal("app.example", "https://app.example")).toBeUndefined();
    expect(named.refusal("app.example", "https://evil.example")).toMatchObject({ code: "PERMISSION_DENIED" });
  });

  it("answers under any name where it was bound to other addresses on purpose", () => {
    expect(new Cors({ keyless: true, loopback: false }).refusal("10.0.0.5:1933", undefined)).toBeUndefined();
  });
});
