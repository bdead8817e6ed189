import { sentencesOf } from "../../domain/text/sentences.ts";
import { isHousekeeping, isMerelyProcedural, wordCount } from "../lead-sentence.ts";
import { normalised, shorten } from "../shorten.ts";

const MAX_LINE_LENGTH = 160;
const MAX_SECTIONS_LENGTH = 120;
const MIN_ROOM = 40;
const MIN_SENTENCE_WORDS = 5;
/** Number of characters for indentation, bullet and line break. */
const LINE_MARKS = 5;
const SECTION = /^ {0,2}- ([^:]{2,60})(?::.*)?$/;
const DECLARATION =
  /\b(?:function|class|interface|type|const|enum|def|func|fn|struct|trait|var|val) ([\w$.]+)/g;
/** Names of sections that most documents of a kind have. */
const COMMON =
  /^(?:name|synopsis|description|options?|see also|reporting bugs|colophon|notes?|bugs|standards|versions|examples?|return value|errors|attributes|conforming to|files|exit status|environment|api|overview|introduction|parameters|returns|features|and \d+ more.*)$/i;

/**
 * Indented lines about a file, taken from its overview up to a length: its sections, its documented
 * declarations, and the sentences after the abstract.
 */
export function furtherLines(overview: string, abstract: string, room: number): string[] {
  if (room < MIN_ROOM) return [];
  const said = normalised(abstract);
  const isNew = (text: string): boolean => !said.includes(normalised(text).trim());
  const lines: string[] = [];
  let left = room;
  for (const text of partsOf(overview, isNew)) {
    left -= text.length + LINE_MARKS;
    if (left < 0) break;
    lines.push(`  - ${text}`);
  }
  return lines;
}

function partsOf(overview: string, isNew: (text: string) => boolean): string[] {
  const sections: string[] = [];
  const declared: string[] = [];
  let told: string[] = [];
  for (const line of overview.split("\n").slice(1)) {
    const section = SECTION.exec(line)?.[1];
    const { name, comment = "" } = declarationIn(line) ?? {};
    if (section !== undefined) {
      if (!COMMON.test(section) && !isHousekeeping(section) && isNew(section)) sections.push(section);
    } else if (name !== undefined) {
      if (comment !== "" && isNew(comment)) declared.push(shorten(`${name}: ${comment}`, MAX_LINE_LENGTH));
    } else if (/^\S/.test(line) && told.length === 0)
      told = sentencesOf(line).filter(
        (text) =>
          isNew(text) &&
          !isMerelyProcedural(text) &&
          text.length <= MAX_LINE_LENGTH &&
          wordCount(text) >= MIN_SENTENCE_WORDS,
      );
  }
  const listed = firstSections(sections);
  return [...(listed === "" ? [] : [`sections: ${listed}`]), ...declared, ...told];
}

/**
 * The first name that a line declares, with the comment after ` — `. Reads the line once, because a pack may
 * bring an overview of one long line.
 */
function declarationIn(line: string): { readonly name: string; readonly comment: string } | undefined {
  let read = 0;
  for (const { 0: found, 1: name = "", index } of line.matchAll(DECLARATION)) {
    if (index < read) continue;
    const dash = line.indexOf("—", index + found.length);
    if (dash < 0) return { name, comment: "" };
    const comment = line.slice(dash + 2);
    if (line[dash - 1] === " " && line[dash + 1] === " " && comment !== "") return { name, comment };
    read = dash;
  }
  return undefined;
}

function firstSections(sections: readonly string[]): string {
  let listed = "";
  for (const section of sections) {
    if (listed.length + section.length + 2 > MAX_SECTIONS_LENGTH) break;
    listed += `${listed === "" ? "" : ", "}${section}`;
  }
  return listed;
}
