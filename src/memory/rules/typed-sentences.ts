import { sentencesOf } from "../../domain/text/sentences.ts";

/**
 * Where a sentence ends although the next one begins in lower case, as people type: a run of full stops and
 * exclamation marks after a word, or the part of one after its first exclamation mark. It matches from no other
 * place of a run, because it would look for the end of the run from each of them.
 */
const LOWER_START =
  /(?:(?<=\p{L}{3}|[\p{L})]\d|\))(?<!(?<!\p{L})(?:etc|usw|bzw|inkl|evtl|incl|approx|vgl|ggf|max|min|env))|(?<=(?<![.!])\.*!))[.!]+\s+(?=\p{Ll})/u;

/** The sentences of a message, as people type them. */
export const typedSentences = (text: string): string[] =>
  sentencesOf(text).flatMap((one) => one.trim().split(LOWER_START));
