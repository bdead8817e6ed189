import { atOnce, EventLoopYielder } from "../base/event-loop.ts";
import { type Message, partText } from "../domain/message.ts";
import type { CallScope } from "../providers/language.ts";
import type { AdvisedLayers } from "./advised-layers.ts";
import { type Layers, MAX_ABSTRACT_LENGTH } from "./layers.ts";
import { placedSentences } from "./lead-sentence.ts";
import { ARCHIVE_LAYERS } from "./prompts.ts";
import { joinSentences } from "./prose-layers.ts";
import { rankSentences } from "./rank-sentences.ts";
import { beginningAndEnd, shorten } from "./shorten.ts";
import { plainOutline } from "./text-blocks.ts";

/** Maximum characters of a conversation used for its layers: beginning and end of a longer one. */
const READ_LENGTH = 32_000;
const ABSTRACT_SENTENCES = 2;
const OVERVIEW_SENTENCES = 8;
/** Limit of sentences that are compared with each other: beginning and end of more. */
const MAX_RANKED = 600;
const MAX_OVERVIEW_LENGTH = 1500;
/** Weight of an early position relative to centrality. */
const POSITION_WEIGHT = 0.4;
/** Maximum characters of a message that a model reads. */
const MESSAGE_LENGTH = 2000;

/**
 * L0 and L1 of archived messages without a language model, in their language: the sentences with the most
 * information; contexts and tools are used only if nothing was said. Never empty; deterministic. `messages`:
 * their total number if `said` has only some.
 */
export const archiveLayers = (said: readonly Message[], name: string, messages = said.length): Layers =>
  atOnce(archiveLayerSteps(said, name, messages));

function* archiveLayerSteps(
  said: readonly Message[],
  name: string,
  messages: number,
): Generator<undefined, Layers> {
  const text = saidIn(said);
  yield;
  const { blocks } = plainOutline(text);
  yield;
  const sentences = ranking(placedSentences(blocks).map((sentence) => sentence.text));
  yield;
  const ranked = rankSentences(sentences);
  const scores = ranked.centrality.map(
    (rank, i) => rank * (1 - POSITION_WEIGHT) + POSITION_WEIGHT / (1 + i / 3),
  );
  yield;
  const extract = (most: number, length: number) =>
    ranked.choose(scores, most, length).map((i) => sentences[i] ?? "");
  const words = shorten(text.replace(/\s+/g, " ").trim(), MAX_ABSTRACT_LENGTH) || name;
  const abstract =
    shorten(joinSentences(extract(ABSTRACT_SENTENCES, MAX_ABSTRACT_LENGTH)), MAX_ABSTRACT_LENGTH) || words;
  const overview = joinSentences(extract(OVERVIEW_SENTENCES, MAX_OVERVIEW_LENGTH)) || words;
  const dates = [
    ...new Set([said[0], said.at(-1)].flatMap((message) => message?.created_at.slice(0, 10) ?? [])),
  ].join(" – ");
  return { abstract, overview: [`# ${dates}`, "", overview, "", `${messages} messages`].join("\n") };
}

const ranking = (sentences: readonly string[]): readonly string[] =>
  sentences.length <= MAX_RANKED
    ? sentences
    : [...sentences.slice(0, MAX_RANKED / 2), ...sentences.slice(-MAX_RANKED / 2)];

/** Layers by a language model, if configured; its text follows the dates. */
export async function layersOfArchive(
  advised: AdvisedLayers | undefined,
  {
    said,
    name,
    messages,
  }: { readonly said: readonly Message[]; readonly name: string; readonly messages: number },
  asked: CallScope,
): Promise<Layers> {
  const made = await new EventLoopYielder().through(archiveLayerSteps(said, name, messages));
  const told = await advised?.of(ARCHIVE_LAYERS, { label: "conversation", text: transcriptOf(said) }, asked);
  if (!told) return made;
  const [heading = ""] = made.overview.split("\n", 1);
  return {
    abstract: told.abstract,
    overview: [heading, "", told.overview, "", `${messages} messages`].join("\n"),
  };
}

function transcriptOf(said: readonly Message[]): string {
  return said
    .map(
      ({ role, created_at, parts }) =>
        `[${created_at.slice(0, 16)}] ${role}: ${parts.map(partText).join("\n").slice(0, MESSAGE_LENGTH)}`,
    )
    .join("\n\n");
}

function saidIn(said: readonly Message[]): string {
  const parts = said.flatMap((message) => message.parts);
  const spoken = parts.filter(({ type }) => type === "text").map(partText);
  const texts = (spoken.some((words) => words.trim() !== "") ? spoken : parts.map(partText)).filter(
    (words) => words.trim() !== "",
  );
  return beginningAndEnd(texts.join("\n\n"), READ_LENGTH);
}
