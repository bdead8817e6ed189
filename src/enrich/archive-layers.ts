import { atOnce, EventLoopYielder } from "../base/event-loop.ts";
import { itemAt } from "../base/expect.ts";
import { type Message, type MessagePart, partText } from "../domain/message.ts";
import type { CallScope } from "../providers/language.ts";
import { type Layers, MAX_ABSTRACT_LENGTH } from "./layers.ts";
import { placedSentences } from "./lead-sentence.ts";
import type { ModelLayers } from "./model-layers.ts";
import { ARCHIVE_LAYERS } from "./prompts.ts";
import { joinSentences } from "./prose-layers.ts";
import { rankSteps } from "./rank-sentences.ts";
import { shorten } from "./shorten.ts";
import { plainOutline } from "./text-blocks.ts";

/** Maximum characters of a conversation used for its layers: beginning and end of a longer one. */
const READ_LENGTH = 32_000;
const ABSTRACT_SENTENCES = 2;
const OVERVIEW_SENTENCES = 8;
/** Parts of messages that are read per step. */
const PARTS_PER_STEP = 500;
/** Maximum number of sentences compared pairwise; the middle of a longer list is skipped. */
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

/** Like archiveLayers, in steps. */
export function* archiveLayerSteps(
  said: readonly Message[],
  name: string,
  messages: number,
): Generator<undefined, Layers> {
  const text = yield* saidIn(said);
  yield;
  const { blocks } = plainOutline(text);
  yield;
  const sentences = ranking(placedSentences(blocks).map((sentence) => sentence.text));
  yield;
  const ranked = yield* rankSteps(sentences);
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

/** Layers written by a language model, if one is configured; the dates precede its text. */
export async function layersOfArchive(
  advised: ModelLayers | undefined,
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

function* saidIn(said: readonly Message[]): Generator<undefined, string> {
  const spoken = yield* textsOf(said, ({ type }) => type === "text");
  const texts = spoken.length > 0 ? spoken : yield* textsOf(said, () => true);
  return endsOf(texts, READ_LENGTH);
}

function* textsOf(
  said: readonly Message[],
  isRead: (part: MessagePart) => boolean,
): Generator<undefined, string[]> {
  const texts: string[] = [];
  let read = 0;
  for (const { parts } of said) {
    for (const part of parts) {
      if (++read % PARTS_PER_STEP === 0) yield;
      const words = isRead(part) ? partText(part) : "";
      if (words.trim() !== "") texts.push(words);
    }
  }
  return texts;
}

const BREAK = "\n\n";

/** The texts as paragraphs; if longer than `most` UTF-16 units, their beginning and end. */
function endsOf(texts: readonly string[], most: number): string {
  const length = texts.reduce((sum, text) => sum + text.length + BREAK.length, -BREAK.length);
  if (length <= most) return texts.join(BREAK);
  const half = most / 2;
  const end = joined([...texts].reverse(), half)
    .reverse()
    .join(BREAK);
  return `${joined(texts, half).join(BREAK).slice(0, half)}${BREAK}${end.slice(-half)}`;
}

/** The first texts, which have at least `least` UTF-16 units together. */
function joined(texts: readonly string[], least: number): string[] {
  const first: string[] = [];
  for (let length = 0, at = 0; at < texts.length && length < least; at++) {
    const text = itemAt(texts, at);
    first.push(text);
    length += text.length + BREAK.length;
  }
  return first;
}
