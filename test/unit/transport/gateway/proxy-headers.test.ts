import { expect, it } from "vitest";
import { headersUp } from "../../../../src/transport/gateway/passed-headers.ts";

const up = (names: readonly string[]) => {
  const sent = headersUp({ headers: {}, rawHeaders: names.flatMap((name) => [name, "1"]) }, false);
  return sent.filter((_, i) => i % 2 === 0);
};

it("a provider learns neither a caller's address nor the identity that a proxy has added", () => {
  // ingress-nginx, Azure, App Engine, Vercel, Netlify; Pomerium, Tailscale, client certificates
  const added = [
    "X-Original-Forwarded-For",
    "X-Original-Host",
    "X-Scheme",
    "X-Azure-ClientIP",
    "X-Appengine-User-Ip",
    "X-Vercel-Forwarded-For",
    "X-Nf-Client-Connection-Ip",
    "Client-Ip",
    "X-Pomerium-Jwt-Assertion",
    "Tailscale-User-Login",
    "X-Remote-User",
    "X-WebAuth-User",
    "Ssl-Client-Cert",
    "X-SSL-Client-Cert",
  ];
  expect(up(added)).toEqual([]);
});

it("headers for a provider pass, also if they resemble those of a proxy", () => {
  const meant = [
    "X-Stainless-Lang",
    "Anthropic-Version",
    "OpenAI-Organization",
    "Cf-Aig-Authorization",
    "X-Request-Id",
  ];
  expect(up(meant)).toEqual(meant);
});
