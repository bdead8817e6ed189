import { describe, expect, it } from "vitest";
import { headersDown, headersUp, trailersDown } from "../../../../src/transport/gateway/passed-headers.ts";

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

  it("the gateway passes on no cookies, and no reporting that a provider asks for", () => {
    // cookies are of a host: another service on it, or a proxy in front of it, may have set them
    expect(upFrom({ Cookie: "sso=1", accept: "*/*" })).toEqual(["accept", "*/*"]);
    const asked = {
      "Set-Cookie": "__cf_bm=1",
      NEL: '{"report_to":"cf"}',
      "Report-To": '{"group":"cf"}',
      "Reporting-Endpoints": 'cf="https://a.example"',
    };
    expect(headersDown(Object.entries({ ...asked, "request-id": "r" }).flat())).toEqual({
      "request-id": "r",
    });
  });

  it("the gateway sends the provider nothing that a proxy has added about the caller", () => {
    const added = {
      Forwarded: "for=10.0.0.7",
      "X-Forwarded-For": "10.0.0.7",
      "X-Real-IP": "10.0.0.7",
      "CF-Connecting-IP": "10.0.0.7",
      "Cf-Access-Jwt-Assertion": "e30",
      "X-Auth-Request-Email": "ann@example.org",
      "X-Goog-IAP-JWT-Assertion": "e30",
      Via: "1.1 proxy",
      "X-Original-Forwarded-For": "10.0.0.7",
      "X-Scheme": "https",
      "X-Azure-ClientIP": "10.0.0.7",
      "X-Appengine-User-Ip": "10.0.0.7",
      "X-Vercel-Forwarded-For": "10.0.0.7",
      "X-Nf-Client-Connection-Ip": "10.0.0.7",
      "Client-Ip": "10.0.0.7",
      "X-Pomerium-Jwt-Assertion": "e30",
      "Tailscale-User-Login": "ann@example.org",
      "X-Remote-User": "ann",
      "Remote-User": "ann",
      "X-WebAuth-User": "ann",
      "Ssl-Client-Cert": "MIIB",
      "X-SSL-Client-Cert": "MIIB",
    };
    const meant = {
      "cf-aig-authorization": "Bearer aig",
      "x-stainless-lang": "js",
      "x-forward-to": "eu",
      "x-request-id": "r",
      "anthropic-version": "2023-06-01",
    };
    expect(upFrom({ ...added, ...meant })).toEqual(Object.entries(meant).flat());
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
