import type { Question } from "./question-set.ts";

/** The fields of one line; a field in quotes may hold commas, and quotes that are doubled. */
function fieldsOf(line: string): string[] {
  const fields: string[] = [];
  for (const [, quoted, plain] of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    fields.push(quoted === undefined ? (plain ?? "").trim() : quoted.replaceAll('""', '"'));
  }
  return fields;
}

/** Lines of a question and the URIs that it should find; a first line without a URI is a head. */
export function questionsOf(csv: string): Question[] {
  const byQuery = new Map<string, string[]>();
  for (const line of csv.split(/\r?\n/)) {
    const [query = "", ...rest] = fieldsOf(line);
    const uris = rest.flatMap((field) => field.split(/\s+/)).filter((uri) => uri.includes("://"));
    if (query !== "" && uris.length > 0) byQuery.set(query, [...(byQuery.get(query) ?? []), ...uris]);
  }
  return [...byQuery].map(([query, expected]) => ({ query, expected: [...new Set(expected)] }));
}

const quoted = (field: string): string => `"${field.replaceAll('"', '""')}"`;

export const csvOf = (questions: readonly Question[]): string =>
  questions.map(({ query, expected }) => [query, expected.join(" ")].map(quoted).join(",")).join("\n");
