import { invalidArgument } from "./errors.ts";

/** Limits of the tags of one file or folder. */
export const MAX_TAGS = 32;
/** Characters of one tag. */
export const MAX_TAG_LENGTH = 64;

/** A letter or digit of any script first, then those and marks. */
const FORM = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._:/+#-]*$/u;

const form =
  `must be 1 to ${MAX_TAG_LENGTH} characters: letters and digits, and after the first one . _ : / + # -; ` +
  'for example "release-2"';

/** Tags are compared in this form. */
export const tagForm = (text: string): string => text.normalize("NFC").toLowerCase();

/** Tags of a request, sorted and each once. INVALID_ARGUMENT that names `field`. */
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

/** Whether stored or foreign text has the form of a list of tags. */
export function areTags(values: readonly string[]): boolean {
  const isTag = (value: string) =>
    value === tagForm(value) && [...value].length <= MAX_TAG_LENGTH && FORM.test(value);
  return values.length <= MAX_TAGS && values.every(isTag) && sortedTags(values).length === values.length;
}

export const sortedTags = (tags: Iterable<string>): readonly string[] => [...new Set(tags)].sort();
