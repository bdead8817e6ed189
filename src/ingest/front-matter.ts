import { isAlias, isMap, isScalar, isSeq, type Node } from "yaml";
import { invalidArgument } from "../domain/errors.ts";
import { type FrontMatter, SKILL_KEYS } from "../domain/skill.ts";
import { frontMatterEnd } from "../domain/text/headings.ts";
import { isDeep, MAX_MARKS, MAX_YAML_LENGTH, withFewMarks, yamlDocument } from "./parse/data/yaml.ts";

const MAX_LENGTH = MAX_YAML_LENGTH / 2;

/**
 * Reads a document's front matter: strings and lists of strings; other values are ignored. Reads from the
 * syntax tree, so that numbers and dates keep their spelling, aliases are not followed and tags have no
 * effect. Of a very long one, only the entries of a skill are read. Throws INVALID_ARGUMENT naming `field` if
 * the front matter is missing or malformed.
 */
export function readFrontMatter(text: string, field: string): FrontMatter {
  const end = frontMatterEnd(text);
  if (end === 0)
    throw invalidArgument(field, "the document must begin with YAML front matter between two lines of ---");
  const whole = text.slice(text.indexOf("\n") + 1, end).replace(/(?:---|\.\.\.)\s*$/, "");
  if (whole.length > MAX_LENGTH)
    throw invalidArgument(field, `the front matter must have at most ${MAX_LENGTH} characters`);
  const block = withFewMarks(whole, SKILL_KEYS);
  if (block === undefined)
    throw invalidArgument(
      field,
      `the front matter has more than ${MAX_MARKS} lines and YAML indicators: use a simpler one`,
    );
  const document = isDeep(whole) ? undefined : yamlDocument(block, { schema: "failsafe" });
  if (!document || document.errors.length > 0 || !isMap(document.contents))
    throw invalidArgument(field, "the front matter must be YAML with keys and values");
  const found = new Map<string, string | readonly string[]>();
  for (const { key, value } of document.contents.items) {
    const read = plainValue(value as Node | null, field);
    if (isScalar(key) && read !== undefined) found.set(String(key.value), read);
  }
  return found;
}

function plainValue(node: Node | null, field: string): string | string[] | undefined {
  if (isAlias(node) || (isSeq(node) && node.items.some(isAlias)))
    throw invalidArgument(field, "the front matter must not use YAML aliases");
  if (isScalar(node)) return String(node.value ?? "");
  if (!isSeq(node)) return undefined;
  return node.items.flatMap((item) => (isScalar(item) ? [String(item.value ?? "")] : []));
}
