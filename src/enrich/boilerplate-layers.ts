import { append } from "../base/append.ts";
import { sentenceEnd } from "../domain/text/sentences.ts";
import { type LayerSource, type Layers, MAX_FILE_OVERVIEW_LENGTH } from "./layers.ts";
import { trimmed } from "./lead-sentence.ts";
import { capitalized, sentence } from "./sentence.ts";
import { normalised, shorten } from "./shorten.ts";
import { markdownOutline, plainOutline, type TextOutline } from "./text-blocks.ts";

/** Maximum characters that are read. */
const MAX_READ_LENGTH = 64 * 1024;
/** Maximum characters at the beginning of a licence in which its name must occur. */
const MAX_LICENCE_HEAD = 6000;
const MAX_PREVIEW_LENGTH = 900;

/**
 * Layers of texts that many projects share verbatim, which are named rather than summarised: licences,
 * changelogs and copyright files of packages. Undefined for any other text. `words`: the words
 * of the file name.
 */
export function boilerplateLayers(source: LayerSource, words: string): Layers | undefined {
  if (source.kind !== "text" && source.kind !== "markdown") return undefined;
  const text = source.text.slice(0, MAX_READ_LENGTH);
  return (
    licenceLayers(text, words) ??
    packageCopyrightLayers(text, words) ??
    packageChangelogLayers(text) ??
    releaseNotesLayers(source, text) ??
    changelogLayers(source, words)
  );
}

/** Licences, each recognised by words that occur only in its text. */
const LICENCES: readonly (readonly [words: RegExp, name: string])[] = [
  [/GNU AFFERO GENERAL PUBLIC LICENSE/, "GNU Affero General Public License"],
  [/GNU LESSER GENERAL PUBLIC LICENSE/, "GNU Lesser General Public License"],
  [/GNU GENERAL PUBLIC LICENSE/, "GNU General Public License"],
  [/Apache License\s+Version 2\.0/, "Apache License 2.0"],
  [/Mozilla Public License,? [Vv]ersion 2\.0/, "Mozilla Public License 2.0"],
  [/CC0 1\.0 Universal/, "CC0 1.0 Universal"],
  [/Creative Commons Attribution(?:-\w+)* \d\.\d/, "Creative Commons Attribution licence"],
  [/free and unencumbered software released into the public domain/i, "Unlicense"],
  [/Permission is hereby granted, free of charge, to any person obtaining a copy/i, "MIT License"],
  [/Permission to use, copy, modify, and(?:\/or)? distribute this software for any/i, "ISC License"],
  [/Redistribution and use in source and binary forms/i, "BSD License"],
];
const LICENCE_NAME = /^(?:un)?licen[cs]es?\b|^copying\b|^notice\b|\blicen[cs]e$/i;
const HOLDER = /^[^\n]{0,20}\bCopyright (?:\(c\)|©)?\s*([^\n]{3,120})$/im;

/** Names a licence with its holder. A document that merely contains one is not a licence. */
function licenceLayers(text: string, words: string): Layers | undefined {
  if (!LICENCE_NAME.test(words)) return undefined;
  const head = text.slice(0, MAX_LICENCE_HEAD);
  const name = LICENCES.find(([form]) => form.test(head))?.[1];
  if (name === undefined) return undefined;
  const holder = HOLDER.exec(head)?.[1]?.replace(/^\(c\)\s*|[\s.*]+$|\s*all rights reserved.*$/gi, "") ?? "";
  const isForm = !/^["“]?[\d\p{Lu}]/u.test(holder) || /[[<{]|Free Software Foundation/.test(holder);
  const said = isForm ? `text of the ${name}` : `${name}, copyright ${holder}`;
  return { abstract: sentence(`${shorten(words, 60)}: ${said}`), overview: preview(words, said, head) };
}

const COPYRIGHT_FORMAT = /^Format: https?:\/\/www\.debian\.org\/doc\/packaging-manuals\/copyright-format/m;

function packageCopyrightLayers(text: string, words: string): Layers | undefined {
  if (!COPYRIGHT_FORMAT.test(text.slice(0, 2000))) return undefined;
  const name = /^Upstream-Name: (.{1,80})$/m.exec(text)?.[1]?.trim() ?? "";
  const licences = [...new Set([...text.matchAll(/^License: (\S{1,40})/gm)].map(([, licence]) => licence))];
  const under = licences.length === 0 ? "" : `: ${licences.slice(0, 6).join(", ")}`;
  const said = `copyright and licences${name === "" ? "" : ` of ${name}`}${under}`;
  return { abstract: sentence(`${shorten(words, 60)}: ${said}`), overview: preview(words, said, text) };
}

const CHANGELOG_ENTRY = /^(\S{1,80}) \(([^()\s]{1,60})\) [^;\n]{1,80}; urgency=/;
const CHANGE = /^ {2}\* (.{3,300})$/gm;
const MAX_CHANGES = 12;

function packageChangelogLayers(text: string): Layers | undefined {
  const [, name, version] = CHANGELOG_ENTRY.exec(text) ?? [];
  if (name === undefined) return undefined;
  const said = `changelog of the Debian package ${name}, newest version ${version}`;
  const changes = [...text.matchAll(CHANGE)].slice(0, MAX_CHANGES).map(([, change]) => `- ${change}`);
  return {
    abstract: sentence(said.replace(/^c/, "C")),
    overview: [`# Changelog of ${name}`, "", sentence(said.replace(/^c/, "C")), "", ...changes].join("\n"),
  };
}

const CHANGELOG_NAME = /^(?:change ?log|changes|history|news|releases|release ?notes)$/i;
const VERSION = /^\W{0,4}(?:version |release |v)?\d+\.\d+(?:\.\d+)*\b/i;

/** Names a changelog with its newest version. */
function changelogLayers(source: LayerSource, words: string): Layers | undefined {
  if (!CHANGELOG_NAME.test(words)) return undefined;
  const outline = outlineOf(source);
  const versions = outline.headings.map(({ title }) => title.trim()).filter((title) => VERSION.test(title));
  const [newest] = versions;
  if (newest === undefined) return undefined;
  const said = `changes by version, newest ${versionIn(newest)}`;
  return { abstract: sentence(`${words}: ${said}`), overview: changesOverview(words, said, outline) };
}

const DATE =
  /\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}\.? \p{Lu}\p{L}{2,8}\.? \d{4}|\p{Lu}\p{L}{2,8} \d{1,2}(?:st|nd|rd|th)?,? \d{4}/u;

/** Version and date of a heading, without links. */
function versionIn(heading: string): string {
  const version = /(?<!\d)v?\d+(?:\.\d+)+[\w.+-]{0,30}/.exec(heading)?.[0] ?? heading;
  const date = DATE.exec(heading)?.[0];
  return date === undefined ? version : `${version} (${date})`;
}

const RELEASE_NOTES = [
  /^(.{1,60}?),? (?:version |release )?v?(\d+(?:\.\d+)+[\w.-]{0,20}) release notes$/i,
  /^release notes (?:for|of) (?:the )?(.{1,60}?),? (?:version |release )?v?(\d+(?:\.\d+)+[\w.-]{0,20})$/i,
  /^what['’]s new in (.{1,60}?),? (?:version |release )?v?(\d+(?:\.\d+)+[\w.-]{0,20})$/i,
];
const MAX_TOPIC_WORDS = 14;

/** Names release notes with product, version and the first headings. A random change would mislead. */
function releaseNotesLayers(source: LayerSource, text: string): Layers | undefined {
  const first =
    /^[#=\s]*(\S[^\n]{5,120})/.exec(text.slice(0, 400))?.[1]?.replace(/[#=:*\s]{1,40}$/, "") ?? "";
  const [, product, version] =
    RELEASE_NOTES.map((form) => form.exec(first)).find((found) => found !== null) ?? [];
  if (product === undefined) return undefined;
  const outline = outlineOf(source);
  const topics: string[] = [];
  let left = MAX_TOPIC_WORDS;
  for (const { title } of outline.headings.slice(1)) {
    left -= title.split(" ").length;
    if (left < 0) break;
    topics.push(title);
  }
  const head = `release notes of ${product} ${version}`;
  const [opening = ""] = outline.blocks.map((block) => block.text);
  const told = trimmed(opening.slice(0, 600), MAX_TOPIC_WORDS + 6);
  // the only change says more than `Fixes since v1.0`
  const isOnly = outline.blocks.length === 1 && topics.every((topic) => VERSION.test(topic));
  if ((topics.length === 0 || isOnly) && opening !== "" && told.split(" ").length <= MAX_TOPIC_WORDS + 6)
    topics.splice(0, topics.length, told);
  const said = topics.length === 0 ? head : `${head}: ${topics.join("; ")}`;
  return {
    abstract: sentence(capitalized(said)),
    overview: changesOverview(first, said, outline),
  };
}

const outlineOf = ({ kind, text }: LayerSource): TextOutline =>
  kind === "text"
    ? plainOutline(text.slice(0, MAX_READ_LENGTH))
    : markdownOutline(text.slice(0, MAX_READ_LENGTH));

const MAX_LISTED_CHANGES = 4;
const MAX_CHANGE_LENGTH = 160;
const MAX_CHANGE_WORDS = 24;
const MAX_LISTED_SECTIONS = 12;

/** What the text is, and its first sections with their first changes. */
function changesOverview(title: string, said: string, { headings, blocks }: TextOutline): string {
  const lines = [`# ${title}`, "", sentence(capitalized(said)), ""];
  let length = lines.join("\n").length;
  const sections = headings.filter(
    (heading, i) => i > 0 || normalised(heading.title).trim() !== normalised(title).trim(),
  );
  const top = sections
    .filter((heading) => VERSION.test(heading.title))
    .reduce((least, { level }) => Math.min(least, level), 6);
  for (const { title: name, section, level } of sections.slice(0, MAX_LISTED_SECTIONS)) {
    const isHead = level <= top;
    if (!isHead && lines.at(-1) === "") continue;
    const changes = blocks
      .filter((block) => block.section === section && /\p{L}/u.test(block.text))
      .slice(0, MAX_LISTED_CHANGES * 2)
      .map(({ text }) => changeIn(text))
      .filter((change) => change !== "")
      .slice(0, MAX_LISTED_CHANGES)
      .map((change) => `    - ${change}`);
    const added = isHead ? [`- ${name}`, ...changes] : changes;
    length += added.join("\n").length + 1;
    if (length > MAX_FILE_OVERVIEW_LENGTH) break;
    append(lines, added);
  }
  return lines.join("\n").trim();
}

/** The first sentence of a change, without marks, hash and long clauses; "" for the label of a group. */
function changeIn(text: string): string {
  const plain = text.replace(/^[-*•]\s+| [0-9a-f]{7,10}$/g, "");
  if (/^\([^()]{0,80}\)$/.test(plain)) return "";
  const first = plain.slice(0, sentenceEnd(plain, 0, plain.length)).trim();
  return first.length <= MAX_CHANGE_LENGTH ? first : sentence(trimmed(first, MAX_CHANGE_WORDS));
}

const preview = (words: string, said: string, text: string): string =>
  `# ${words}\n\n${sentence(capitalized(said))}\n\n${shorten(text.replace(/\s+/g, " ").trim(), MAX_PREVIEW_LENGTH)}`;
