import { createHmac, randomBytes } from "node:crypto";

/** Format of secrets in Standard Webhooks 1.0: a prefix, then the key in base64. */
const SECRET_PREFIX = "whsec_";
const SECRET_BYTES = 32;
const MS_PER_SECOND = 1000;

export const newSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");

/** Headers that identify and sign a message, with one signature per secret. */
export function signedHeaders(
  secrets: readonly string[],
  id: string,
  body: Uint8Array,
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / MS_PER_SECOND));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
    const digest = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64");
    return `v1,${digest}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}
