const REDACTED = "[redacted]";

const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g;
/** Known formats of API keys. Every pattern runs in linear time. */
const KEYS: readonly RegExp[] = [
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}/g,
  /\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{10,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bAKIA[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  // match only at the start of a token: matching from each hyphen would take quadratic time
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
];

/** A name that indicates a secret, and its value: `DB_PASSWORD=…`, `"api_key": "…"`. */
const NAMED =
  /((?:secret|token|password|passwd|api[_-]?key|private[_-]?key)["']?\s{0,4}[:=]\s{0,4}["']?)([^\s"',;]{8,})/gi;
const BEARER = /(\b(?:bearer|basic)\s+)([A-Za-z0-9+/_.~=-]{16,})/gi;
const IN_ADDRESS = /([a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{1,100}:)([^\s/@]{1,200})(@)/gi;

/**
 * Redacts likely secrets. For output that agents read and print, such as settings. Secrets in unknown formats
 * remain.
 */
export function redacted(text: string): string {
  let clean = withoutPrivateKeys(text);
  for (const key of KEYS) clean = clean.replace(key, REDACTED);
  return clean
    .replace(BEARER, `$1${REDACTED}`)
    .replace(IN_ADDRESS, `$1${REDACTED}$3`)
    .replace(NAMED, `$1${REDACTED}`);
}

export const withoutPrivateKeys = (text: string): string => text.replace(PRIVATE_KEY, REDACTED);
