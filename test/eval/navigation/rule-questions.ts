import { basename } from "node:path";
import { workspaceId } from "../../../src/domain/ids.ts";
import { sentenceEnd } from "../../../src/domain/text/sentences.ts";
import { fileLayers } from "../../../src/enrich/file-layers.ts";
import { isHousekeeping, isMerelyProcedural } from "../../../src/enrich/lead-sentence.ts";
import { markdownOutline } from "../../../src/enrich/text-blocks.ts";
import { isManualPage, parseManualPage } from "../../../src/ingest/parse/manual-page/manual-page.ts";
import { parseHere } from "../../support/parse-here.ts";

export interface Asked {
  readonly text: string;
  readonly path: string;
  readonly isByHand?: boolean;
}

const MIN_SENTENCE_WORDS = 8;
const MAX_SENTENCE_WORDS = 30;
/** Maximum share of a question's words that may occur in the abstract of its file. */
const MAX_COPIED = 0.5;
/** Minimum number of rare words in a question: without them it is not about one file. */
const MIN_PARTICULAR_WORDS = 3;
/** A word is rare if at most this share of the files contains it. */
const MAX_PARTICULAR_SHARE = 0.05;
/** A sentence that continues as a list, or a row of links. */
const IS_A_PART = /[:：]$|[|]/;
const COMMENT = /\/\*\*\s*((?:[^*]|\*(?!\/)){20,2000})\*\/\s*export\s/g;
/** Documents that nobody asks about. */
const IS_HOUSEKEEPING =
  /(?:^|\/)(?:change(?:s|log)|history|upgrading|contributing|security|code_of_conduct|governance|agents)\.md$|\.github\//i;

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];

/**
 * Returns at most one question per file, in the order of the files: the first sentence of a paragraph (in
 * source code, of a comment on an export) that says something the abstract does not. Sentences are skipped
 * that occur in several files, have no rare words, address the reader, or share half of their words with the
 * abstract of their file.
 */
export async function ruleQuestions(documents: ReadonlyMap<string, Buffer>): Promise<Asked[]> {
  const asked: Asked[] = [];
  const sources = new Map([...documents].map(([path, bytes]) => [path, sentencesOf(path, bytes.toString())]));
  const files = new Map<string, number>();
  for (const sentences of sources.values())
    for (const text of new Set(sentences)) files.set(text, (files.get(text) ?? 0) + 1);
  const spread = new Map<string, number>();
  for (const bytes of documents.values())
    for (const word of new Set(wordsOf(bytes.toString()))) spread.set(word, (spread.get(word) ?? 0) + 1);
  const isParticular = (word: string): boolean =>
    (spread.get(word) ?? 0) <= documents.size * MAX_PARTICULAR_SHARE;
  for (const [path, bytes] of documents) {
    if (IS_HOUSEKEEPING.test(path)) continue;
    const name = basename(path);
    const parsed = await parseHere(name, bytes, { workspace: workspaceId(1), hash: path });
    const abstract = new Set(wordsOf(fileLayers(parsed, name).abstract));
    const fresh = sources.get(path)?.find((text) => {
      const words = wordsOf(text);
      return (
        files.get(text) === 1 &&
        new Set(words.filter(isParticular)).size >= MIN_PARTICULAR_WORDS &&
        words.filter((word) => abstract.has(word)).length < words.length * MAX_COPIED
      );
    });
    if (fresh !== undefined) asked.push({ text: fresh, path });
  }
  return asked;
}

/** Returns the first sentences of a file's paragraphs or comments. */
function sentencesOf(path: string, text: string): string[] {
  if (/\.(?:ts|wat|proto)$/.test(path))
    return [...text.matchAll(COMMENT)].flatMap(([, comment = ""]) =>
      firstSentence(comment.replace(/^\s*\* ?/gm, "")),
    );
  const { blocks } = markdownOutline(
    isManualPage("1", text) ? parseManualPage("", { text, encoding: "utf-8", damaged: false }).text : text,
  );
  return blocks
    .filter(({ kind, heading }) => kind === "paragraph" && !isHousekeeping(heading))
    .flatMap((block) => firstSentence(block.text));
}

function firstSentence(text: string): string[] {
  const plain = text.replace(/\s+/g, " ").trim();
  const sentence = plain.slice(0, sentenceEnd(plain, 0, plain.length)).trim();
  const words = sentence.split(" ").length;
  const isFit =
    words >= MIN_SENTENCE_WORDS &&
    words <= MAX_SENTENCE_WORDS &&
    !isMerelyProcedural(sentence) &&
    !IS_A_PART.test(sentence);
  return isFit ? [sentence] : [];
}
