/** Named references to characters that Markdown and plain texts use. */
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  mdash: "—",
  ndash: "–",
  hellip: "…",
  copy: "©",
};

/** A text with named character references as the characters; unknown ones stay. */
export const withoutEntities = (text: string): string =>
  text.replace(/&([a-z]{2,6});/g, (entity, name: string) => ENTITIES[name] ?? entity);
