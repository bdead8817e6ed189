import { type Message, wordsOf } from "../domain/message.ts";
import { rankSentences } from "./extract-sentences.ts";
import { joined, type Layers, MAX_ABSTRACT_LENGTH } from "./file-layers.ts";
import { shorten } from "./shorten.ts";

/** Characters of a conversation that are read for its layers; of a longer one the beginning and the end. */
const READ_LENGTH = 64_000;
const ABSTRACT_SENTENCES = 2;
const OVERVIEW_SENTENCES = 8;
const MAX_OVERVIEW_LENGTH = 1500;

/**
 * L0 and L1 of archived messages without a language model, in their language: the sentences that say most, of what speakers said themselves; of contexts and tools
 * only where nobody said a word. Never empty, deterministic.
 */
export function archiveLayers(said: readonly Message[], name: string): Layers {
  const text = saidIn(said);
  const extract = rankSentences(text, { isMarkdown: false });
  const words = shorten(text.replace(/\s+/g, " ").trim(), MAX_ABSTRACT_LENGTH) || name;
  const abstract = shorten(joined(extract(ABSTRACT_SENTENCES, MAX_ABSTRACT_LENGTH)), MAX_ABSTRACT_LENGTH) || words;
  const overview = joined(extract(OVERVIEW_SENTENCES, MAX_OVERVIEW_LENGTH)) || words;
  const dates = [...new Set([said[0], said.at(-1)].flatMap((message) => message?.created_at.slice(0, 10) ?? []))].join(" – ");
  return { abstract, overview: [`# ${dates}`, "", overview, "", `${said.length} messages`].join("\n") };
}

function saidIn(said: readonly Message[]): string {
  const parts = said.flatMap((message) => message.parts);
  const spoken = parts.filter(({ type }) => type === "text").map(wordsOf);
  const texts = (spoken.some((words) => words.trim() !== "") ? spoken : parts.map(wordsOf)).filter((words) => words.trim() !== "");
  const text = texts.join("\n\n");
  const half = READ_LENGTH / 2;
  return text.length <= READ_LENGTH ? text : `${text.slice(0, half)}\n\n${text.slice(-half)}`;
}
