import Papa from "papaparse";
import type { Question } from "./measures.ts";

/** Content of a file with questions. */
interface Loaded {
  readonly questions: readonly Question[];
  /** Number of lines without a question or a URI, including a header. */
  readonly skipped: number;
}

/** Parses lines with a question and its expected URIs, in one or several fields. */
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

/** Formats questions, one per line, with their URIs in one field. */
export const csvOf = (questions: readonly Question[]): string =>
  Papa.unparse({
    fields: ["question", "uris"],
    data: questions.map(({ query, expected }) => [query, expected.join(" ")]),
  });
