import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { atOnce } from "../../../src/base/event-loop.ts";
import { narrowedSteps, redactedSteps, widthOf } from "../../../src/domain/secrets/redact.ts";
import { SECRET_KINDS, secretSteps } from "../../../src/domain/secrets/scan.ts";

/** Returns random letters and digits, always the same for a name. */
function random(
  length: number,
  name = "x",
  alphabet = "abcdefghijkmnopqrstuvwyzABCDEFGHJKLMNPQRSTUVWYZ2456789",
): string {
  let made = "";
  for (let block = 0; made.length < length; block++)
    for (const byte of createHash("sha256").update(`${name} ${block}`).digest())
      made += alphabet[byte % alphabet.length];
  return made.slice(0, length);
}
const hex = (length: number, name?: string) => random(length, name, "0123456789abcdef");
const upper = (length: number) => random(length, "upper", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567");
const pem = (body = random(400)) =>
  `-----BEGIN RSA ${"PRIVATE"} KEY-----\n${body.replace(/.{64}/g, "$&\n")}\n-----END RSA PRIVATE KEY-----`;

/** Kinds with a secret each, assembled here so that no scanner reports this file as a leak. */
const SECRETS: Readonly<Record<string, string>> = {
  "anthropic-api-key": `sk-ant-api03-${random(93)}AA`,
  "aws-access-key-id": `AKIA${upper(16)}`,
  "azure-ad-client-secret": `a1b2Q~${random(34)}`,
  "ctxdb-api-key": `ctx_${random(43)}`,
  "gcp-api-key": `AIza${random(35)}`,
  "github-token": `ghp_${random(36)}`,
  "github-fine-grained-token": `github_pat_${random(82)}`,
  "gitlab-token": `glpat-${random(20)}`,
  "google-oauth-client-secret": `GOCSPX-${random(28)}`,
  "hashicorp-tf-api-token": `${random(14)}.atlasv1.${random(64)}`,
  "huggingface-access-token": `hf_${random(34, "hf", "abcdefghijkmnopqrstuvwyzABCDEFGH")}`,
  jwt: `eyJ${random(30)}.eyJ${random(60)}.${random(43)}`,
  "npm-access-token": `npm_${random(36)}`,
  "openai-api-key": `sk-proj-${random(74)}T3BlbkFJ${random(74, "y")}`,
  "private-key": pem(),
  "pypi-upload-token": `pypi-AgEIcHlwaS5vcmc${random(120)}`,
  "sendgrid-api-token": `SG.${random(22)}.${random(43)}`,
  "slack-token": `xoxb-123456789012-1234567890123-${random(24)}`,
  "slack-webhook-url": `hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${random(24)}`,
  "stripe-access-token": `sk_live_${random(24)}`,
  "vault-token": `hvs.${random(95)}`,
};

/** Text before a secret that is only detectable by its context, the secret, and the text after it. */
const IN_CONTEXT: readonly (readonly [kind: string, before: string, secret: string, after: string])[] = [
  ["password", "DB_PASSWORD=", "Tr0ub4dor&9z", "\n"],
  ["password", "  password: '", "gH7#kQ2m!x", "'\n"],
  ["password", '{"dbPassword": "', "gH7#kQ2m!x", '"}'],
  ["url-password", "postgres://app:", "kT9-wq4Zx", "@db.internal:5432/app"],
  ["authorization-header", "curl -H 'Authorization: Bearer ", random(40), "' https://a"],
  ["authorization-header", "authorization: Basic ", Buffer.from("app:gH7#kQ2m!x").toString("base64"), "\n"],
  ["generic-api-key", "api_key = '", random(32), "'\n"],
  ["generic-api-key", "CLIENT_SECRET=", hex(40), "\n"],
  ["generic-api-key", '"access_token": "', random(40), '"'],
];

const HARMLESS = [
  "password = 'changeme'",
  `password: ${"$"}{DB_PASSWORD}`,
  "DB_PASSWORD=<your password>",
  "postgres://user:password@localhost/db",
  "https://example.com:8080/@scope/name",
  "api_key = os.environ['API_KEY']",
  "token = self.parser.next_token1()",
  "const accessToken = getAccessToken2(user);",
  'secret: "550e8400-e29b-41d4-a716-446655440000"',
  "Authorization: Bearer <token>",
  "AKIAIOSFODNN7EXAMPLE",
  `ghp_${"x".repeat(36)}`,
  `my_ghp_${random(36)}`,
  `sha256:${hex(64)}`,
  `-----BEGIN ${"PRIVATE"} KEY-----\n...\n-----END PRIVATE KEY-----`,
  `-----BEGIN CERTIFICATE-----\n${random(300)}\n-----END CERTIFICATE-----`,
  random(200, "base64"),
  "the token is kept in a secret place, and the password is known to nobody",
];

function found(bytes: Uint8Array, from?: number) {
  const steps = secretSteps(bytes, from);
  for (let count = 0; ; count++) {
    const { done, value } = steps.next();
    if (done) return { secrets: value, steps: count };
  }
}
const kindsIn = (text: string) => found(Buffer.from(text)).secrets.map(({ kind }) => kind);
function redactedBytes(bytes: Uint8Array): Buffer {
  const width = widthOf(bytes);
  const { secrets } = found(atOnce(narrowedSteps(bytes, width)));
  return atOnce(redactedSteps(bytes, secrets, width));
}
const redacted = (text: string) => redactedBytes(Buffer.from(text)).toString();

describe("the search for secrets", () => {
  it.each(Object.entries(SECRETS))("the search for secrets finds a secret of the kind %s", (kind, secret) => {
    expect(SECRET_KINDS).toContain(kind);
    for (const [before, after] of [
      ["", ""],
      ["key: ", "\nnext"],
      ['{"a":"', '"}'],
      ["é漢 (", ")."],
    ])
      expect(redacted(`${before}${secret}${after}`)).toBe(`${before}[redacted: ${kind}]${after}`);
  });

  it.each(IN_CONTEXT)(
    "the secret scanner finds a secret of the kind %s after %j",
    (kind, before, secret, after) => {
      expect(redacted(`line\n${before}${secret}${after}`)).toBe(`line\n${before}[redacted: ${kind}]${after}`);
    },
  );

  it.each(HARMLESS)("the secret scanner finds nothing in %j", (text) => {
    expect(kindsIn(`${text}\n`)).toEqual([]);
  });

  it("the secret scanner reports a known token by its own kind, whatever name it is assigned to", () => {
    expect(kindsIn(`password = "${SECRETS["github-token"]}"`)).toEqual(["github-token"]);
    expect(kindsIn(`API_KEY='${SECRETS["aws-access-key-id"]}'`)).toEqual(["aws-access-key-id"]);
  });

  it("the secret scanner finds a private key without its last line, and a private key in a JSON string", () => {
    const cut = pem().replace(/\n-----END.*/, "");
    expect(redacted(`${cut}\n\n# Title`)).toBe("[redacted: private-key]\n\n# Title");
    const json = JSON.stringify({ key: pem(), next: "text" });
    expect(JSON.parse(redacted(json))).toEqual({ key: "[redacted: private-key]", next: "text" });
  });

  it("the secret scanner finds all secrets of a long text with their lines, even across window borders", () => {
    const secret = SECRETS["gitlab-token"] ?? "";
    const line = `${"some words ".repeat(7)}${secret} end\n`;
    const text = line.repeat(4_000);
    const { secrets } = found(Buffer.from(text));
    expect(secrets.map(({ line }) => line)).toEqual(Array.from({ length: 4_000 }, (_, i) => i + 1));
    expect(redacted(text)).toBe(line.replace(secret, "[redacted: gitlab-token]").repeat(4_000));
  });

  it("redacting secrets preserves the encoding of a UTF-16 text", () => {
    const text = (secret: string) => `\ufeff漢字 é\n${secret}\n\u0141KIA end\n`;
    for (const width of ["utf-16le", "utf-16be"]) {
      const encoded = (words: string) => {
        const bytes = Buffer.from(words, "utf16le");
        return width === "utf-16be" ? bytes.swap16() : bytes;
      };
      const before = encoded(text(SECRETS["github-token"] ?? ""));
      expect(redactedBytes(before)).toEqual(encoded(text("[redacted: github-token]")));
    }
  });

  it("redacting a text with too many secrets replaces its rest", () => {
    const line = `${SECRETS["gitlab-token"]}\n`;
    const text = redacted(line.repeat(60_000));
    expect(text.split("\n")).toHaveLength(50_000);
    expect(text.endsWith("[redacted: gitlab-token][redacted: too-many-secrets]")).toBe(true);
  });

  it("the secret scanner ignores secrets that end before the new part of a file", () => {
    const secret = SECRETS["gitlab-token"] ?? "";
    const old = `${secret}\n${"x".repeat(30_000)}\n`;
    const { secrets } = found(Buffer.from(`${old}${secret}\n`), old.length);
    expect(secrets).toMatchObject([{ start: old.length, line: 3 }]);
    const half = Buffer.from(`a ${secret.slice(0, 10)}`);
    expect(found(Buffer.from(`a ${secret}`), half.length).secrets).toHaveLength(1);
  });

  it.each([
    "/eyJaaaa.",
    "fm2_AAAA/",
    `-----BEGIN ${"PRIVATE"} KEY-----`,
    "password:",
    "://a:",
    " SK ",
    'api_key="aaaaaaaa',
  ])("the search for secrets takes many small steps through a megabyte of %j", (unit) => {
    const { steps, secrets } = found(Buffer.alloc(1024 * 1024, unit));
    expect(steps).toBeGreaterThanOrEqual(63);
    expect(secrets).toEqual([]);
  });
});
