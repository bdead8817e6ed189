import type { LayerSource, Layers } from "./layers.ts";
import { proseLayerSteps, sentence } from "./prose-layers.ts";
import { shorten } from "./shorten.ts";
import { markdownOutline, plainOutline } from "./text-blocks.ts";

/** Maximum characters that are read. */
const MAX_READ_LENGTH = 64 * 1024;
/** Maximum characters at the beginning of a licence in which its name must occur. */
const MAX_LICENCE_HEAD = 6000;
const MAX_PREVIEW_LENGTH = 900;

/**
 * Layers of texts that many projects share verbatim, which are named rather than summarised: licences,
 * changelogs and copyright files of packages. Undefined for any other text. Made in steps. `words`: the words
 * of the file name.
 */
export function* boilerplateLayers(
  source: LayerSource,
  words: string,
): Generator<undefined, Layers | undefined> {
  if (source.kind !== "text" && source.kind !== "markdown") return undefined;
  const text = source.text.slice(0, MAX_READ_LENGTH);
  return (
    licenceLayers(text, words) ??
    packageCopyrightLayers(text, words) ??
    packageChangelogLayers(text) ??
    (yield* changelogLayers(source, words))
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

const CHANGELOG_NAME = /^(?:change ?log|changes|history|news|release ?notes)$/i;
const VERSION = /^\W{0,4}(?:version |release |v)?\d+\.\d+(?:\.\d+)*\b/i;

/** Names a changelog with its newest version; its overview is that of an ordinary document. */
function* changelogLayers(source: LayerSource, words: string): Generator<undefined, Layers | undefined> {
  if (!CHANGELOG_NAME.test(words)) return undefined;
  const text = source.text.slice(0, MAX_READ_LENGTH);
  const { headings } = source.kind === "text" ? plainOutline(text) : markdownOutline(text);
  const versions = headings.map(({ title }) => title.trim()).filter((title) => VERSION.test(title));
  const [newest] = versions;
  if (newest === undefined) return undefined;
  const said = `changes by version, newest ${shorten(newest.replace(/^[^\p{L}\p{N}]+/u, ""), 60)}`;
  yield;
  return { ...(yield* proseLayerSteps(source, words)), abstract: sentence(`${words}: ${said}`) };
}

const preview = (words: string, said: string, text: string): string =>
  `# ${words}\n\n${sentence(said.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()))}\n\n${shorten(text.replace(/\s+/g, " ").trim(), MAX_PREVIEW_LENGTH)}`;
