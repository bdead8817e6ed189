import { describe, expect, it } from "vitest";
import { Cors } from "../../../src/transport/cors.ts";

const ORIGIN = "Access-Control-Allow-Origin";

const refusal = (cors: Cors, authority: string | undefined, origin?: string) =>
  cors.refusal({
    method: "GET",
    path: "/api/v1/fs/ls",
    authority,
    origin,
    headers: { get: () => undefined },
  });

describe("with a key", () => {
  const cors = new Cors({ keyless: false, loopback: false });

  it("a server with a key allows CORS from every origin and host, without credentials", () => {
    expect(refusal(cors, "ctx.example", "https://app.example")).toBeUndefined();
    expect(cors.headers("https://app.example")).toMatchObject({ [ORIGIN]: "*" });
    expect(cors.headers("https://app.example")).not.toHaveProperty("Access-Control-Allow-Credentials");
  });

  it("only configured origins may read responses if any are configured", () => {
    const named = new Cors({ keyless: false, loopback: false, origins: ["https://app.example/"] });
    expect(named.headers("https://app.example")).toMatchObject({
      [ORIGIN]: "https://app.example",
      Vary: "Origin",
    });
    expect(named.headers("https://other.example")).not.toHaveProperty(ORIGIN);
    expect(refusal(named, "ctx.example", "https://other.example")).toBeUndefined();
  });

  it("a preflight allows keys, identity headers and the typed protocols", () => {
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

  it.each(["http://localhost:4199", "http://127.0.0.1", "https://[::1]:8443", "http://127.8.9.1:1"])(
    "a server without a key accepts requests from pages of %s",
    (origin) => {
      expect(refusal(cors, "127.0.0.1:1933", origin)).toBeUndefined();
      expect(cors.headers(origin)).toMatchObject({ [ORIGIN]: origin });
    },
  );

  it.each([
    "http://evil.example",
    "http://127.0.0.1.evil.example",
    "http://localhost.evil.example",
    "null",
    "",
    "http://localhost@evil.example",
  ])("a server without a key refuses requests from pages of %j", (origin) => {
    expect(refusal(cors, "127.0.0.1:1933", origin)).toMatchObject({ code: "PERMISSION_DENIED" });
  });

  it.each(["evil.example", "evil.example:1933", "127.0.0.1.evil.example", "", undefined])(
    "a server without a key refuses the host name %j",
    (authority) => {
      expect(refusal(cors, authority)).toMatchObject({ code: "PERMISSION_DENIED" });
    },
  );

  it.each(["localhost:1933", "LOCALHOST", "127.0.0.1:1933", "[::1]:1933", "[::1]"])(
    "a server without a key accepts the host name %s",
    (authority) => {
      expect(refusal(cors, authority)).toBeUndefined();
    },
  );

  it("a server without a key accepts requests from named origins and for their hosts", () => {
    const named = new Cors({ keyless: true, loopback: true, origins: ["https://app.example"] });
    expect(refusal(named, "app.example", "https://app.example")).toBeUndefined();
    expect(refusal(named, "app.example", "https://evil.example")).toMatchObject({
      code: "PERMISSION_DENIED",
    });
  });

  describe("on an address that others reach", () => {
    const reached = new Cors({
      keyless: true,
      loopback: false,
      hosts: ["ctx.corp.example", "node-7.example"],
    });

    it.each([
      "10.0.0.5:1933",
      "[fd00::5]:1933",
      "192.168.1.5",
      "localhost:1933",
      "ctxdb:1933",
      "CTX.corp.example",
      "node-7.example:80",
    ])("a server without a key on a reachable address accepts the host name %s", (authority) =>
      expect(refusal(reached, authority)).toBeUndefined(),
    );

    it.each([
      "evil.example",
      "ctx.corp.example.evil.example",
      "10.0.0.5.nip.io",
      "ctx.corp.example.",
      "10.0.0.5@evil.example",
      "",
      undefined,
    ])(
      "a server without a key on a reachable address refuses %j, which an attacker may resolve to it",
      (authority) =>
        expect(refusal(reached, authority)).toMatchObject({
          code: "PERMISSION_DENIED",
          details: { resource: "Host" },
        }),
    );

    it("a server without a key on a reachable address accepts requests only from its own pages", () => {
      expect(refusal(reached, "10.0.0.5:1933", "http://10.0.0.5:1933")).toBeUndefined();
      for (const origin of [
        "http://10.0.0.6:1933",
        "http://10.0.0.5:1934",
        "http://10.0.0.5",
        "http://evil.example",
      ])
        expect(refusal(reached, "10.0.0.5:1933", origin)).toMatchObject({ code: "PERMISSION_DENIED" });
      expect(refusal(reached, "evil.example", "http://evil.example")).toMatchObject({
        details: { resource: "Host" },
      });
    });

    it("a server without a key accepts any host name with hosts *, but not with origins *", () => {
      expect(
        refusal(new Cors({ keyless: true, loopback: false, hosts: ["*"] }), "evil.example"),
      ).toBeUndefined();
      const all = new Cors({ keyless: true, loopback: false, origins: ["*"] });
      expect(refusal(all, "evil.example")).toMatchObject({ details: { resource: "Host" } });
    });
  });
});
