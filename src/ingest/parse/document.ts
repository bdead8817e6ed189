import { headings } from "../../domain/text/headings.ts";
import { outlineOf } from "./markdown/markdown.ts";
import type { Parsed } from "./parsed.ts";
import { sections } from "./sections.ts";

/** Output of a document reader. */
export interface Document {
  /** File name without extension: the title if the document has none. */
  readonly stem: string;
  readonly mime: string;
  readonly markdown: string;
  /** Title from the document's metadata. */
  readonly title?: string | undefined;
  /** Names and values shown in the outline: author, pages, language. Empty values are dropped. */
  readonly facts?: readonly (readonly [name: string, value: string | number | undefined])[];
  readonly warnings?: readonly string[];
}

const MAX_TITLE_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 1000;
/** Default titles set by programs, which are ignored. */
const NO_TITLE =
  /^(?:untitled|document\s?\d*|microsoft (?:word|powerpoint) - .*|powerpoint presentation|slide 1|.*\.(?:docx?|odt|pdf|dvi|tex|indd|qxd|ps))$/i;

/** Converts a document to its stored form: Markdown next to the original, with sections if it is long. */
export function documentOf({ stem, mime, markdown, title, facts = [], warnings = [] }: Document): Parsed {
  const body = markdown.trim();
  const text = body === "" ? "" : `${body}\n`;
  const found = headings(text);
  const named = (title ?? "").replace(/\s+/g, " ").trim().slice(0, MAX_TITLE_LENGTH);
  const first = found.find((heading) => heading.title !== "");
  const chosen = (NO_TITLE.test(named) ? "" : named) || (first?.level === 1 ? first.title : "") || stem;
  const subject = String(facts.find(([name]) => name === "Subject")?.[1] ?? "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_DESCRIPTION_LENGTH);
  const told = facts
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([name, value]) => `${name}: ${value}`);
  return {
    kind: "document",
    mime,
    title: chosen,
    ...(subject !== "" && { description: subject }),
    text,
    converted: text,
    sections: sections(text, found, chosen),
    outline: [told.join(" · "), outlineOf(found)].filter((part) => part !== "").join("\n\n"),
    warnings: text === "" && warnings.length === 0 ? ["no text was found in it"] : warnings,
  };
}
