import type { SecretReport } from "../../workspace/secret-guard.ts";

/** Maximum number of warnings about secrets in a response, and of characters in each. */
const MAX_SECRET_WARNINGS = 8;
const MAX_SECRET_LENGTH = 300;

/** Warnings about secrets in incoming content. */
export function secretWarnings({ secrets }: SecretReport): readonly string[] {
  const notes = secrets?.notes ?? [];
  const more = notes.length - MAX_SECRET_WARNINGS;
  return [
    ...notes.slice(0, MAX_SECRET_WARNINGS).map((note) => plainWarning(note, MAX_SECRET_LENGTH)),
    ...(more > 0 ? [`secrets were found in ${more} more places`] : []),
  ];
}

/** A warning in printable ASCII without quotes and backslashes, so that it fits into a header. */
export function plainWarning(words: string, maxLength: number): string {
  const shown = words.length > maxLength ? `${words.slice(0, maxLength)}...` : words;
  return shown.replace(/[^\x20-\x7e]|["\\]/g, "?");
}

/** The Warning header (RFC 9111, section 5.5); undefined without warnings. */
export function warningHeader(warnings: readonly string[]): string | undefined {
  return warnings.length === 0 ? undefined : warnings.map((warning) => `299 ctxdb "${warning}"`).join(", ");
}
