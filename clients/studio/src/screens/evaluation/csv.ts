import Papa from "papaparse";
import type { Question } from "./measures.ts";

/** What a file of questions holds. */
interface Loaded {
  readonly questions: readonly Question[];
  /** Lines without a question or without a URI; a head is one. */
  readonly skipped: number;
}

/** Lines of a question and the URIs that it should find, in one field or in several. */
export function questionsOf(csv: string): Loaded {
  const lines = Papa.parse<string[]>(csv, { skipEmptyLines: "greedy" }).data;
  const byQuery = new Map<string, Set<string>>();
  let skipped = 0;
  for (const [first = "", ...rest] of lines) {
    const query = first.trim();
    const uris = rest.flatMap((field) => field.split(/\s+/)).filter((uri) => uri.includes("://"));
    if (query === "" || uris.length === 0) {
      skipped++;
      continue;
    }
    const expected = byQuery.get(query) ?? new Set();
    for (const uri of uris) expected.add(uri.replace(/\/+$/, ""));
    byQuery.set(query, expected);
  }
  return {
    questions: [...byQuery].map(([query, expected]) => ({ query, expected: [...expected] })),
    skipped,
  };
}

/** A question to a line, its URIs in one field. */
export const csvOf = (questions: readonly Question[]): string =>
  Papa.unparse({
    fields: ["question", "uris"],
    data: questions.map(({ query, expected }) => [query, expected.join(" ")]),
  });
