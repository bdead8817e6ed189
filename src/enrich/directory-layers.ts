import type { Layers } from "./layers.ts";
import { MAX_ABSTRACT_LENGTH } from "./layers.ts";
import { nameWords, normalised, shorten } from "./shorten.ts";

export const MAX_DIRECTORY_OVERVIEW_LENGTH = 4000;
const MAX_LINE_LENGTH = 240;
const MIN_TOPIC_LENGTH = 40;
const MAX_LISTED = 200;

export interface LayerChild {
  readonly name: string;
  readonly isDirectory: boolean;
  /** Its L0, "" where it has none. */
  readonly abstract: string;
}

/**
 * The layers of a directory from those of its children, in their language: its name and what its children are about, then the list of them. `count` is how many
 * children there are; `children` may be the first of them. Never empty: an empty directory is told by its name. Deterministic.
 */
export function directoryLayers(name: string, children: readonly LayerChild[], count: number): Layers {
  const words = nameWords(name, true) || name;
  return { abstract: abstractOf(words, children, count), overview: overviewOf(words, children, count) };
}

/** As many children's topics as fit; of many children each gets less, and topics are taken from all over the list. */
function abstractOf(words: string, children: readonly LayerChild[], count: number): string {
  const told = children.filter((child) => child.abstract.trim() !== "" || child.name !== "").slice(0, MAX_LISTED);
  if (told.length === 0) return shorten(words, MAX_ABSTRACT_LENGTH);
  const room = MAX_ABSTRACT_LENGTH - Math.min(words.length, 80) - 2;
  const fitting = Math.max(1, Math.min(told.length, Math.floor(room / MIN_TOPIC_LENGTH)));
  const each = Math.floor(room / fitting) - 2;
  const topics: string[] = [];
  for (let i = 0; i < fitting; i++) {
    const topic = topicOf(told[Math.floor((i * told.length) / fitting)]!, each);
    if (!topics.includes(topic)) topics.push(topic);
  }
  const said = topics.join("; ");
  const isNamed = told.length === 1 && count <= 1 && normalised(said).includes(normalised(words).trimEnd());
  const more = count > fitting ? " …" : "";
  return shorten(`${isNamed ? "" : `${shorten(words, 80)}: `}${said}${more}`, MAX_ABSTRACT_LENGTH);
}

function topicOf(child: LayerChild, max: number): string {
  const line = oneLine(child.abstract) || nameWords(child.name, child.isDirectory);
  return shorten(line, Math.max(max, 16)).replace(/[.;。；]$/, "");
}

function overviewOf(words: string, children: readonly LayerChild[], count: number): string {
  const lines = [`# ${shorten(words, 200)}`, ""];
  let room = MAX_DIRECTORY_OVERVIEW_LENGTH - lines[0]!.length - 40;
  let listed = 0;
  const width = Math.max(60, Math.min(MAX_LINE_LENGTH, Math.floor(room / Math.max(1, Math.min(children.length, MAX_LISTED)))));
  for (const child of children.slice(0, MAX_LISTED)) {
    const said = oneLine(child.abstract);
    const abstract = said.startsWith(`${child.name}: `) ? said.slice(child.name.length + 2) : said;
    const label = `- ${shorten(child.name, 120)}${child.isDirectory ? "/" : ""}`;
    const line = shorten(abstract === "" ? label : `${label}: ${abstract}`, Math.max(width, label.length));
    if (line.length + 1 > room) break;
    room -= line.length + 1;
    lines.push(line);
    listed++;
  }
  if (count > listed) lines.push(`- … and ${count - listed} more`);
  return lines.join("\n").trimEnd();
}

/** What a model reads of a directory: names and abstracts, a line each. */
export function listing(name: string, children: readonly LayerChild[]): string {
  const lines = children.map((child) => `- ${child.name}${child.isDirectory ? "/" : ""}: ${oneLine(child.abstract)}`);
  return [`# ${name}`, "", ...lines].join("\n");
}

/** The words of a model above the list of children that a directory has without one. */
export function withList(told: Layers, listed: Layers): Layers {
  const [heading = "", ...list] = listed.overview.split("\n");
  const overview = [heading, "", told.overview.replace(/^#[^\n]*\n+/, ""), ...list].join("\n");
  return { abstract: told.abstract, overview: shorten(overview, MAX_DIRECTORY_OVERVIEW_LENGTH) };
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
