/** The text on one line without control characters, because names and passages are untrusted input. */
export const printable = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, " ");

/**
 * A value as JSON with all characters escaped that control a terminal. JSON itself escapes only those below
 * U+0020, and terminals also take U+009B as the start of a sequence.
 */
export const printableJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent).replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Multi-line text without terminal control sequences. */
export const printableLines = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
