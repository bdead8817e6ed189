/** How secrets in incoming content are handled: ignored, reported, replaced, or refused. */
export const SECRET_MODES = ["off", "warn", "redact", "refuse"] as const;
export type SecretMode = (typeof SECRET_MODES)[number];
