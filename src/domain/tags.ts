import { invalidArgument } from "./errors.ts";

/** Maximum number of tags per file or folder. */
export const MAX_TAGS = 32;
/** Maximum length of a tag in characters. */
export const MAX_TAG_LENGTH = 64;

/** A letter or digit of any script, followed by letters, digits and marks. */
const FORM = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._:/+#-]*$/u;

const form =
  `must be 1 to ${MAX_TAG_LENGTH} characters: letters and digits, and after the first one . _ : / + # -; ` +
  'for example "release-2"';

/** The normalized form in which tags are compared. */
export const tagForm = (text: string): string => text.normalize("NFC").toLowerCase();

/** Validates, deduplicates and sorts the tags of a request. Throws INVALID_ARGUMENT naming `field`. */
export function checkTags(values: readonly string[], field: string): readonly string[] {
  if (values.length > MAX_TAGS) throw invalidArgument(field, `must have at most ${MAX_TAGS} tags`);
  return sortedTags(
    values.map((value, i) => {
      const tag = tagForm(value);
      if ([...tag].length > MAX_TAG_LENGTH || !FORM.test(tag)) throw invalidArgument(`${field}[${i}]`, form);
      return tag;
    }),
  );
}

/** Whether strings from a record or an import are a valid list of tags. */
export function areTags(values: readonly string[]): boolean {
  const isTag = (value: string) =>
    value === tagForm(value) && [...value].length <= MAX_TAG_LENGTH && FORM.test(value);
  return values.length <= MAX_TAGS && values.every(isTag) && sortedTags(values).length === values.length;
}

export const sortedTags = (tags: Iterable<string>): readonly string[] => [...new Set(tags)].sort();
