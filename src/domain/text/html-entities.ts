/** Named character references that occur in Markdown and plain text. */
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ensp: " ",
  emsp: " ",
  thinsp: " ",
  mdash: "—",
  ndash: "–",
  hellip: "…",
  copy: "©",
};

/** Decodes named character references; leaves unknown ones unchanged. */
export const withoutEntities = (text: string): string =>
  text.replace(/&([a-z]{2,6});/g, (entity, name: string) => ENTITIES[name] ?? entity);
