import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { ListEntriesRequestSchema } from "../../gen/ctxdb/v1/filesystem_pb.ts";
import { withoutNotices } from "../../src/base/capture/captured-message.ts";
import { redacted } from "../../src/base/capture/redact.ts";
import { atOnce } from "../../src/base/event-loop.ts";
import { ServiceError } from "../../src/domain/errors.ts";
import { nodeId } from "../../src/domain/node.ts";
import { compileGlob } from "../../src/domain/patterns/glob.ts";
import { compileCost } from "../../src/domain/patterns/pattern-cost.ts";
import { kebabName } from "../../src/domain/skill.ts";
import {
  analyse,
  analyseQuery,
  hasWordFrom,
  namedWords,
  namesIdentifier,
  weightedTerms,
  wordsOf,
} from "../../src/domain/text/analyse.ts";
import { datesIn } from "../../src/domain/text/dates.ts";
import { textOf } from "../../src/domain/text/decode.ts";
import { atxHeading, frontMatterEnd, headings, plainInline } from "../../src/domain/text/headings.ts";
import { withoutEntities } from "../../src/domain/text/html-entities.ts";
import { cjkContent, languageOf } from "../../src/domain/text/languages.ts";
import { phraseOf } from "../../src/domain/text/phrase.ts";
import { plainPassage } from "../../src/domain/text/plain-passage.ts";
import { sentencesOf } from "../../src/domain/text/sentences.ts";
import { sketchOf, wordHashes } from "../../src/domain/text/shingles.ts";
import { UriCodec } from "../../src/domain/uri.ts";
import { chunkText } from "../../src/enrich/chunk-text.ts";
import { furtherLines } from "../../src/enrich/directory/further-lines.ts";
import { cutOverview } from "../../src/enrich/directory/overview-within.ts";
import { topicsIn } from "../../src/enrich/directory/topics.ts";
import { fileLayers } from "../../src/enrich/file-layers.ts";
import type { LayerSource } from "../../src/enrich/layers.ts";
import { isMerelyProcedural, tidy, trimmed, wordCount } from "../../src/enrich/lead-sentence.ts";
import { readPart } from "../../src/enrich/model-layers.ts";
import { sentence } from "../../src/enrich/sentence.ts";
import { beginningAndEnd, nameWords, normalised, shorten } from "../../src/enrich/shorten.ts";
import { markdownOutline, plainOutline, withoutInlineMarks } from "../../src/enrich/text-blocks.ts";
import { readFrontMatter } from "../../src/ingest/front-matter.ts";
import { parseIgnoreFile } from "../../src/ingest/gitignore.ts";
import { archiveNameOf } from "../../src/ingest/open-source.ts";
import { isDeep, readPageFrontMatter, withFewMarks } from "../../src/ingest/parse/data/yaml.ts";
import { parseManualPage } from "../../src/ingest/parse/manual-page/manual-page.ts";
import { sections } from "../../src/ingest/parse/sections.ts";
import { remoteSpec } from "../../src/ingest/source-address.ts";
import { legalSegment, rootName } from "../../src/ingest/source-name.ts";
import { contentWords, hasContent } from "../../src/memory/content-words.ts";
import { cutEpisodes } from "../../src/memory/episodes/split-episodes.ts";
import { fileFor, slug, TopicFiles } from "../../src/memory/facts/choose-fact-file.ts";
import type { Fact } from "../../src/memory/facts/fact.ts";
import { appendSteps, type KnownFact } from "../../src/memory/facts/fact-file.ts";
import { readFacts } from "../../src/memory/facts/fact-text.ts";
import { mergeSteps } from "../../src/memory/facts/merge-facts.ts";
import { caseSteps } from "../../src/memory/rules/cases.ts";
import { coordinated } from "../../src/memory/rules/clauses.ts";
import { conditionIn } from "../../src/memory/rules/conditions.ts";
import { parseClause } from "../../src/memory/rules/readers/read-clause.ts";
import { isQuoted, isTask } from "../../src/memory/rules/readers/task.ts";
import { statedFactSteps } from "../../src/memory/rules/statements.ts";
import { workflowSteps } from "../../src/memory/rules/workflows.ts";
import type { ToolCall, Utterance } from "../../src/memory/utterance.ts";
import { dateIn } from "../../src/memory/utterance.ts";
import { parseNearlyJson } from "../../src/providers/ai/nearly-json.ts";
import { answersKind, askedOfPassage, bestPart, chooseChunks } from "../../src/retrieve/choose-passage.ts";
import { ShownText, WeighedText } from "../../src/retrieve/chunk-texts.ts";
import { joinPassages } from "../../src/retrieve/join-passages.ts";
import { planQuery } from "../../src/retrieve/plan/plan.ts";
import { holds, tokensOf } from "../../src/retrieve/recall-block.ts";
import { parseIf } from "../../src/transport/dav/if-header.ts";
import { pathOf, pathOfUrl } from "../../src/transport/dav/paths.ts";
import { MAX_XML_BYTES, parseXml } from "../../src/transport/dav/xml-reader.ts";
import { bindQuery } from "../../src/transport/rest/bind-query.ts";
import { UnknownFields } from "../../src/transport/rest/unknown-fields.ts";
import { faultAmong } from "../support/growth.ts";

/** Sentences of more than 300 characters are not parsed. */
const perSentence = (text: string, read: (part: string) => unknown): void => {
  for (let at = 0; at < text.length; at += 300) read(text.slice(at, at + 300));
};

const utterance = (text: string, tools: readonly ToolCall[] = []): Utterance => ({
  id: "m1",
  role: "user",
  speaker: "user",
  isNamed: false,
  when: "2026-11-21 16:05",
  time: Date.parse("2026-11-21T16:05:00Z"),
  date: "2026-11-21",
  text,
  tools,
});
const failed: ToolCall = { name: "t", input: "", output: "e", status: "error" };
/** Splits a text into calls of ten characters each, with the given status. */
const calls = (text: string, status: ToolCall["status"] = "error") => [
  utterance(
    "",
    Array.from({ length: text.length / 10 }, (_, i) =>
      status === "error" ? failed : { ...failed, status, name: `${text.slice(i * 10, i * 10 + 10)}${i % 7}` },
    ),
  ),
];
/** Messages of a hundred characters each. */
const messages = (text: string) => partsOf(text, 100).map((part) => utterance(part));
/** Facts about the same number of things, a hundred characters each. */
const facts = (text: string): (Fact & KnownFact)[] =>
  partsOf(text, 100).map((part, i) => ({
    category: "preferences",
    topic: `${part} ${i}`,
    text: `${part} ${i}`,
    date: "2026-11-21",
    sources: [],
  }));
const partsOf = (text: string, length: number): string[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, i) => text.slice(i * length, (i + 1) * length));
const layersOf = (kind: LayerSource["kind"]) => (text: string) =>
  fileLayers({ kind, title: "A title", text, outline: "" }, "name.md");
const LICENCE = "Permission is hereby granted, free of charge, to any person obtaining a copy\n";
const manualPage = (text: string) => ({
  text: `.TH X 1\n.SH NAME\nx \\- an owl\n${text}`,
  encoding: "utf-8",
  damaged: false,
});
const uris = new UriCodec("ctx", []);
/** Text from a caller may be refused. */
const orRefused = (read: (text: string) => unknown) => (text: string) => {
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return undefined;
  }
};

/** Functions that process callers' texts of any length on the main thread. */
const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  // terms, words, passages
  analyse,
  analyseQuery,
  weightedTerms,
  namesIdentifier,
  wordsOf,
  namedWords: (text) => namedWords(text)("a text"),
  "what namedWords finds": (text) => namedWords("tea, coffee or 茶")(text),
  hasWordFrom: (text) => hasWordFrom(text, text.slice(1, 2)),
  languageOf,
  cjkContent,
  datesIn: (text) => datesIn(text, 0),
  phraseOf,
  "what phraseOf finds": (text) => phraseOf("one two three four five six")?.(text),
  sentencesOf,
  sketchOf: (text) => sketchOf(text, 48),
  textOf: (text) => textOf(Buffer.from(text)),
  tokensOf,
  wordHashes,
  "holds of words and half of them": (text) => {
    const words = wordHashes(text);
    const half = words.slice(0, words.length >> 1);
    return [holds(words, [...half, 1]), holds(words, [1, ...half])];
  },
  plainPassage: (text) => plainPassage(text, { start: 0, end: text.length }, { max: 1000, enough: 300 }),
  "plainPassage of a part": (text) =>
    plainPassage(
      text,
      { start: text.length >> 1, end: (text.length >> 1) + 500 },
      { max: 1000, enough: 300 },
    ),
  bestPart: (text) => bestPart(new ShownText(text), ["tea", "a", "en"]),
  joinPassages: (text) => {
    const chunk = { node: nodeId(1), start: 0, end: text.length };
    return joinPassages(
      { text, chunk },
      { text: `.${text}`, chunk },
      askedOfPassage("tea", new Map([["tea", 1]])),
    );
  },
  chooseChunks: (text) =>
    chooseChunks(
      [text, text].map((chunk) => ({ fused: 1, weighed: new WeighedText(chunk) })),
      askedOfPassage("when was tea", new Map([["tea", 1]])),
    ),
  "what a passage keeps": (text) => ShownText.keptOf(text).bytesBeside(undefined),
  planQuery: (text) => planQuery({ query: text, types: ["resource"], now: 0 }),
  answersKind: (text) => answersKind("how many were there")(text),
  "answersKind of a question": (text) => answersKind(text),
  // layers and chunks
  headings,
  frontMatterEnd,
  plainInline,
  withoutEntities,
  markdownOutline,
  plainOutline,
  withoutInlineMarks,
  chunkText: (text) => chunkText(text, { kind: "markdown", title: "", countPieces: (part) => part.length }),
  "chunkText of plain text": (text) =>
    chunkText(text, { kind: "text", title: "", countPieces: (part) => part.length }),
  tidy,
  trimmed,
  "trimmed before a clause": (text) => trimmed(`a b c d e ${text} f; ${"g ".repeat(30)}`),
  wordCount,
  sentence,
  isMerelyProcedural,
  shorten: (text) => shorten(text, 256),
  "shorten to most of a text": (text) => shorten(`${text}; b cd`, text.length + 5),
  beginningAndEnd: (text) => beginningAndEnd(text, 500),
  nameWords: (text) => nameWords(text, false),
  normalised,
  readPart,
  atxHeading,
  "atxHeading of a heading": (text) => atxHeading(`# a${text}`),
  "layers of Markdown": layersOf("markdown"),
  "layers of text": layersOf("text"),
  "layers of data": layersOf("data"),
  "layers of code": layersOf("code"),
  "layers of a conversation": (text) => layersOf("text")(`Ann: a\nBob: b\nAnn: ${text}\n`),
  "layers of a mail": (text) => layersOf("text")(`From: a\nSubject: b\n\nHi ${text}\n`),
  "layers of a licence": (text) =>
    fileLayers({ kind: "text", title: "", text: `${LICENCE}${text}`, outline: "" }, "LICENSE"),
  "layers of a changelog": (text) => fileLayers({ kind: "text", title: "", text, outline: "" }, "CHANGELOG"),
  "layers of reStructuredText": (text) =>
    fileLayers({ kind: "text", title: "", text: `A\n=\n\n${text}`, outline: "" }, "name.rst"),
  "layers of a manual page": (text) =>
    fileLayers({ kind: "text", title: "", text: `.TH A 1\n.SH NAME\n${text}`, outline: "" }, "a.1"),
  cutOverview: (text) => cutOverview(text, text.length / 8),
  "cutOverview after a run": (text) => cutOverview(`a${text}b\n${"word ".repeat(text.length)}`, text.length),
  "topicsIn of a line": (text) => topicsIn(`# a\n\n- a${text}\n`),
  "furtherLines of a line": (text) => furtherLines(`# a\nfn a ${text}\n`, "b", 200),
  // captured conversations
  redacted,
  withoutNotices,
  // memory
  readFacts: (text) => readFacts(text, undefined, "preferences"),
  hasContent,
  contentWords,
  slug,
  dateIn,
  cutEpisodes: (text) => cutEpisodes([utterance(text)]),
  "cutEpisodes of a tool call for ten characters": (text) => cutEpisodes(calls(text)),
  statedFactSteps: (text) => atOnce(statedFactSteps({ utterances: [utterance(text)] })),
  // longer messages are left out, which hides growth below that length
  "statedFactSteps of messages of the greatest length": (text) => {
    const utterances = partsOf(text.slice(0, 12_000), 4000).map((part) => utterance(part));
    return atOnce(statedFactSteps({ utterances }));
  },
  "parseClause of a sentence": (text) => perSentence(text, (part) => parseClause(`I keep ${part}`)),
  "parseClause of a German sentence": (text) => perSentence(text, (part) => parseClause(`Ich trage ${part}`)),
  "parseClause of a French sentence": (text) => perSentence(text, (part) => parseClause(`Je range ${part}`)),
  "conditionIn of a habit": (text) => perSentence(text, (part) => conditionIn(`I walk when it ${part}`)),
  "parseClause of a Chinese sentence": (text) => perSentence(text, (part) => parseClause(`我养${part}`)),
  "coordinated of a sentence": (text) => perSentence(text, coordinated),
  isTask,
  isQuoted: (text) => perSentence(text, isQuoted),
  caseSteps: (text) => atOnce(caseSteps({ utterances: [utterance(text)] })),
  "caseSteps of messages": (text) => atOnce(caseSteps({ utterances: messages(text) })),
  "caseSteps of a tool call for ten characters": (text) => atOnce(caseSteps({ utterances: calls(text) })),
  "workflowSteps of a tool call for ten characters": (text) =>
    atOnce(workflowSteps({ utterances: calls(text, "completed") })),
  "fileFor of facts": (text) => {
    const files = new TopicFiles();
    return facts(text).map((fact) => [
      fileFor(fact, files),
      fileFor({ ...fact, category: "entities" }, files),
    ]);
  },
  "mergeSteps of facts": (text) =>
    atOnce(mergeSteps({ category: "preferences", topic: "a", facts: [], earlier: [] }, facts(text))),
  "appendSteps of facts": (text) => atOnce(appendSteps("# A\n", facts(text))),
  // answers of models
  parseNearlyJson: (text) => parseNearlyJson(`{${text}`),
  "parseNearlyJson in a string": (text) => parseNearlyJson(`{"${text}`),
  "parseNearlyJson in a string before a lone backslash": (text) => parseNearlyJson(`{"${text}\\`),
  "parseNearlyJson in open lists": (text) => parseNearlyJson(`{"a":${"[".repeat(text.length)}${text}`),
  "parseNearlyJson of lists in open lists": ({ length }) =>
    parseNearlyJson(`{"a":${"[".repeat(length)}${"[],".repeat(length / 3)}`),
  "parseNearlyJson of escaped quotes": ({ length }) => parseNearlyJson(`{"${'\\"'.repeat(length / 2)}\\`),
  // names and uploads from callers
  parse: orRefused((text) => uris.parse(`ctx://resources/${text}`)),
  compileGlob: orRefused((text) => compileGlob(text, "pattern")),
  compileCost: (text) => compileCost(text, false),
  parseIgnoreFile,
  remoteSpec: orRefused(remoteSpec),
  archiveNameOf: (text) => archiveNameOf({ kind: "path", path: `/${text}` }),
  legalSegment: orRefused(legalSegment),
  rootName: orRefused((text) => rootName(text, false)),
  kebabName,
  readFrontMatter: orRefused((text) => readFrontMatter(`---\n${text}\n---\n`, "data")),
  sections: (text) => sections(text, headings(text), ""),
  isDeep,
  readPageFrontMatter,
  withFewMarks: (text) => withFewMarks(text, new Set(["a"])),
  parseManualPage: (text) => parseManualPage("x", manualPage(text)),
  "parseManualPage of arguments": (text) => parseManualPage("x", manualPage(`.B ${text}`)),
  bindQuery: orRefused((text) =>
    bindQuery(
      ListEntriesRequestSchema,
      create(ListEntriesRequestSchema),
      new Map([["node_limit", [text]]]),
      new UnknownFields(),
    ),
  ),
  parseIf: orRefused(parseIf),
  pathOf: orRefused((text) => pathOf(`/dav/resources/${text}`, true)),
  pathOfUrl: orRefused((text) => pathOfUrl("Destination", text, "host")),
  parseXml: orRefused((text) => parseXml(Buffer.from(text.slice(0, MAX_XML_BYTES)))),
};

const filled = (unit: string) => (length: number) =>
  unit.repeat(Math.max(0, Math.ceil(length / unit.length))).slice(0, Math.max(0, length));

/** Beginnings of markup, words and signs in many formats and languages, repeated to the length of a text. */
const UNITS = [
  "!",
  ".",
  "?",
  ",",
  ";",
  ":",
  "-",
  "_",
  "*",
  "**",
  "~",
  "`",
  "``",
  "#",
  "# a\n",
  "## ",
  ">",
  "> ",
  "- ",
  "- a\n",
  "1. ",
  "1. a\n",
  "|",
  "|-",
  "| a ",
  "a|b\n",
  "<",
  "<a ",
  "<a>",
  "</a>",
  "<!--",
  "-->",
  "<!-- -->",
  "&",
  "&amp;",
  "&#1",
  "[",
  "]",
  "[a](",
  "](",
  "![",
  "[a]",
  "(",
  ")",
  "()",
  "{",
  "}",
  '"',
  "'",
  "“",
  "”",
  "\\",
  "/",
  "../",
  "%",
  "%25",
  "@",
  "=",
  "==\n",
  "--\n",
  "---\n",
  "```\n",
  "~~~\n",
  "\n",
  "\r\n",
  "\r",
  " ",
  "\t",
  " \n",
  "\n ",
  "a",
  "A",
  "aA",
  "Aa ",
  "a ",
  "a b ",
  "a. ",
  "A. ",
  "a.b",
  "a_b",
  "a-b",
  "a, ",
  "a,b,",
  "1",
  "1 ",
  "1.",
  "1,",
  "0.1 ",
  "2026-11-",
  "2026-11-21 ",
  "12:00 ",
  "é",
  "e\u0301",
  "\u0301",
  "я ",
  "哈",
  "哈。",
  "今天",
  "の",
  "한",
  "😀",
  "\u200b",
  "\ufeff",
  "\u00a0",
  "\u3000",
  "\u2028",
  "\ud800",
  "http://",
  "http://a ",
  "www.",
  "a@b",
  "a@b.c ",
  "From: a\n",
  "Subject: x\n",
  "> a\n",
  "On a wrote:\n",
  "user: ",
  "I ",
  "I like ",
  "I like a and ",
  "and ",
  "or ",
  "no longer ",
  "Remember that ",
  "my ",
  "We use ",
  "not ",
  "instead of ",
  "Ich mag ",
  "und ",
  "J'aime ",
  "et ",
  "我喜欢",
  "和",
  "Mr. ",
  "Dr. ",
  "e.g. ",
  "...",
  "…",
  "—",
  "[2026-11-21T12:00:00Z] INFO a\n",
  "2026-11-21 12:00:00 ERROR a\n",
  '{"a":',
  "[[",
  '{"cells":[',
  "<item>",
  "<entry><title>",
  "<?xml ",
  "\u0000",
  "key: ",
  "a: b\n",
  "- [ ] ",
  "[^1]",
  "[^1]: ",
  ": ",
  "  - ",
  "    a\n",
  "a\\\n",
  "the ",
  "is ",
  "was ",
  "%20",
  "*a*",
  "_a_",
  "**a",
  "a**",
  "<b",
  "b>",
  "'a",
  "a'",
  "eyJ-",
  "eyJaaaaaaaaaa.-",
  "sk-",
  "token=",
  "bearer ",
  "a://b:",
  "-----BEGIN PRIVATE KEY-----",
  "<system-reminder>",
  ".SH a\n",
  ".. |a| replace:: b\n",
  "|a|",
  "`a<b",
  "a_ ",
  "License: a\n",
  '\\"',
];
/** Sequences of two signs. */
const SIGNS = ["*", "_", "[", "]", "(", "`", "<", "!", ".", " ", "\n", "a", "#", "|", '"', "哈"];

/** Line ends that `\s` matches, but neither `.` nor a search for line feeds. */
const LINE_ENDS = ["\u2028", "\u2029", "\r", "\u0085"];
/** Parts of lines that expressions look for, and endings with which they do not match. */
const REPEATED = [": ", "fn a ", ", and "];
const ENDINGS = ["\r", "—x"];
const OPENINGS = ["", "#", "# a", ".a", ". ", "- ", "a: ", "[a]", "<a", "1"];
/**
 * Lines that begin with a run, with lengths below the limits that many functions have for a line: a run of
 * spaces before other line ends, repeated parts and digits that end wrong, and backticks before letters.
 */
const LINES = [
  ...LINE_ENDS.flatMap((end) =>
    OPENINGS.map((opening) => (length: number) => `${opening}${filled(" ")(length - 10)}b${end}c`),
  ),
  ...REPEATED.flatMap((unit) =>
    ENDINGS.map((ending) => (length: number) => `a${filled(unit)(length - 10)}${ending}`),
  ),
  ...["", "# ", ".a "].flatMap((opening) => [
    (length: number) => `${opening}${filled("1")(length - 10)}x`,
    (length: number) => `${opening}${filled("1")(length / 2)}.${filled("1")(length / 2 - 10)}x`,
    (length: number) => `${opening}${filled("`")((length * 3) / 4)}${filled("a")(length / 4 - 10)}`,
  ]),
];

/** Texts of a given number of UTF-16 units, by name. */
const TEXTS: Readonly<Record<string, (length: number) => string>> = Object.fromEntries([
  ...UNITS.flatMap((unit): [string, (length: number) => string][] => [
    [`a run of ${JSON.stringify(unit)}`, filled(unit)],
    [`a run of ${JSON.stringify(unit)} before a letter`, (length) => `${filled(unit)(length - 2)} x`],
    [`a run of ${JSON.stringify(unit)} in each line`, filled(`a${unit.repeat(20)}a\n`)],
    [
      `a run of ${JSON.stringify(unit)} before another line end`,
      (length) => `${filled(unit)(length - 2)}\u2028x`,
    ],
  ]),
  ...SIGNS.flatMap((one) =>
    SIGNS.filter((other) => other !== one).map((other): [string, (length: number) => string] => [
      `a run of ${JSON.stringify(one)} before one of ${JSON.stringify(other)}`,
      (length) => filled(one)(length / 2) + filled(other)(length / 2),
    ]),
  ),
  ["a run of laughter in Chinese", (length: number) => `${filled("哈")(length - 2)}今天`],
]);

const LINE_TEXTS: typeof TEXTS = Object.fromEntries(
  LINES.flatMap((line, i): [string, (length: number) => string][] => [
    [`${JSON.stringify(line(40))}, longer`, line],
    // shorter than the least limit for a line
    [`lines like ${JSON.stringify(line(40))} ${i}`, filled(`${line(1900)}\n`)],
  ]),
);

/** Every thirteenth text; all of them with GROWTH_TEXTS=all, which takes four minutes. */
const EVERY = process.env.GROWTH_TEXTS === "all" ? 1 : 13;
const texts = {
  ...LINE_TEXTS,
  ...Object.fromEntries(Object.entries(TEXTS).filter((_, i) => i % EVERY === 0)),
};

describe("text functions", () => {
  for (const [name, run] of Object.entries(FUNCTIONS))
    test(`${name} takes time in proportion to its text, whatever the text contains`, () => {
      expect(faultAmong(run, texts)).toBeUndefined();
    });
});
