import { sentenceEnd } from "../../src/domain/text/sentences.ts";
import type { Api } from "../bench/harness/api.ts";
import type { Text } from "./test-set.ts";

export const LIMIT = 10;
/** Number of documents; half of them are the longest of a set. */
const OWN_SAMPLES = 20;
/** Shorter texts contain no unique sentence. */
const MIN_OWN_LENGTH = 40;
const MIN_SENTENCE = 20;
const MAX_SENTENCE = 1000;

/** A hit as returned by the server, with `explain` if requested. */
export interface Hit {
  readonly uri: string;
  readonly score: number;
  readonly explain?: { readonly semantic: number };
}

/** The documents of a namespace as the server stores them. */
export interface Root {
  readonly uri: string;
  /** Document ids by file name without extension. */
  readonly ids: ReadonlyMap<string, string>;
}

export async function ask(api: Api, query: string, { uri }: Root, explain = false): Promise<readonly Hit[]> {
  const body = { query: query.slice(0, MAX_SENTENCE), target_uri: uri, limit: LIMIT, explain };
  return (await api.post<{ resources: Hit[] }>("/api/v1/search/find", body)).resources;
}

/** Returns the document that a hit belongs to, or undefined for a folder. */
function documentOf({ uri }: Hit, { ids }: Root): string | undefined {
  const stem = uri
    .split("/")
    .map((part) => part.split(".")[0]!)
    .findLast((part) => ids.has(part));
  return stem === undefined ? undefined : ids.get(stem);
}

/** Returns the documents of the hits, each at the rank of its first hit. */
export function ranking(hits: readonly Hit[], root: Root): (string | undefined)[] {
  const all = hits.map((hit) => documentOf(hit, root));
  return all.map((id, i) => (all.indexOf(id) === i ? id : undefined));
}

/** Returns the faults of an answer that do not depend on the question, or an empty list. */
export function faultsOf(hits: readonly Hit[], root: Root): string[] {
  const faults: string[] = [];
  if (hits.length < Math.min(LIMIT, root.ids.size)) faults.push("short");
  const subjects = hits.map((hit) => documentOf(hit, root) ?? hit.uri);
  if (new Set(subjects).size < subjects.length) faults.push("repeated");
  if (hits.some(({ score }, i) => i > 0 && score > hits[i - 1]!.score)) faults.push("unsorted");
  if (hits.some(({ uri }) => !uri.startsWith(`${root.uri}/`))) faults.push("outside");
  return faults;
}

/** Selects the longest documents and others from across the set, each with a sentence from its middle. */
export function ownSentences(
  documents: readonly Text[],
): { readonly document: Text; readonly sentence: string }[] {
  const byLength = documents
    .filter(({ text }) => text.length > MIN_OWN_LENGTH)
    .toSorted((a, b) => b.text.length - a.text.length);
  const long = byLength.slice(0, OWN_SAMPLES / 2);
  const rest = byLength.slice(long.length).toSorted((a, b) => documents.indexOf(a) - documents.indexOf(b));
  const step = Math.max(1, rest.length / (OWN_SAMPLES / 2));
  const others = rest.filter((_, i) => Math.floor(i / step) > Math.floor((i - 1) / step));
  return [...long, ...others].map((document) => ({ document, sentence: middleSentence(document.text) }));
}

/** A short sentence is extended by its neighbours. */
function middleSentence(text: string): string {
  let from = 0;
  for (let at = 0; at < text.length / 2; ) {
    from = at;
    at = sentenceEnd(text, at, text.length);
  }
  let to = sentenceEnd(text, from, text.length);
  while (to < text.length && to - from < MIN_SENTENCE) to = sentenceEnd(text, to, text.length);
  return text.slice(from, to).trim();
}
