/** What happens to secrets in content that comes in: nothing, a warning, replacement, an error. */
export const SECRET_MODES = ["off", "warn", "redact", "refuse"] as const;
export type SecretMode = (typeof SECRET_MODES)[number];
