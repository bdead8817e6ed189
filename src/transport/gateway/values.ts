/** A value as a list; nothing in it where it is none. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The input of a tool call, as its JSON says; the text itself where it is none. */
export function parsedInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
