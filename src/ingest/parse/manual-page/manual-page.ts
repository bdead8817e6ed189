import type { Decoded } from "../../../domain/text/decode.ts";
import { documentOf } from "../document.ts";
import type { Parsed } from "../parsed.ts";
import { withoutEscapes } from "./roff-escapes.ts";

/** File extensions of manual pages: sections of the manual, and names of macro packages. */
const EXTENSION = /^(?:[1-9][a-z\d]{0,6}|n|l|man|mdoc|roff)$/;
const TITLE = /^\.(?:TH|Dt)\s+(?:"([^"\n]{1,100})"|(\S{1,100}))/m;
/** Characters at the beginning in which the title macro must occur, after comments and definitions. */
const HEADER_REACH = 8000;
const NAME_SECTION = /^## [^\n]{1,60}\n+([^\n#]{1,600})/m;
/** Matches `ls, dir - list files`, with any dash. */
const NAME_LINE = /^.{1,300}?\s[-–—]{1,2}\s+(.{3,400})$/;

/** Whether a text is a manual page: it has the name of one, and contains `.TH` or `.Dt` (mdoc). */
export const isManualPage = (extension: string, text: string): boolean =>
  EXTENSION.test(extension) && TITLE.test(text.slice(0, HEADER_REACH));

/** Converts a manual page to Markdown; the description is taken from its NAME section. */
export function parseManualPage(stem: string, { text, encoding }: Decoded): Parsed {
  const [, quoted, bare = ""] = TITLE.exec(text.slice(0, HEADER_REACH)) ?? [];
  const told = withoutEscapes(quoted ?? bare).trim();
  // the title is often the name in capitals
  const title = told.toLowerCase() === stem.toLowerCase() || told === "" ? stem : told;
  const body = new PageWriter().write(text);
  const named = NAME_SECTION.exec(body)?.[1]?.replace(/\\(?=[<*`])/g, "") ?? "";
  const description = NAME_LINE.exec(named)?.[1]?.trim() ?? "";
  const page = documentOf({ stem, mime: "text/troff", markdown: `# ${title}\n\n${body}`, title });
  return { ...page, encoding, ...(description !== "" && { description }) };
}

/**
 * A macro and its arguments. They begin with a visible character, so that white space is read only once, and
 * may contain any character but a line feed: a line may contain other line ends, which `.` does not match.
 */
const MACRO = /^[.']\s*([A-Za-z][A-Za-z\d]*)(?:\s+(\S[^\n]*)?)?$/;
const ARGUMENT = /"((?:[^"]|"")*)"|(\S+)/g;
/** Macros whose arguments are text: joined by spaces, or in alternating fonts without spaces. */
const WORDS =
  /^(?:B|I|SM|SB|SY|OP|UR|MT|Nm|Nd|Fl|Ar|Cm|Op|Pa|Xr|Em|Sy|Li|Ql|Dq|Sq|Pq|Va|Fn|Ev|Ic|Dv|Er|Vt|Ft|In|An|St|Tn|Lk)$/;
const ALTERNATING = /^(?:B|I|R)[BIR]$/;
const PARAGRAPH = /^(?:P|PP|LP|Pp|sp|Sp|br|RE|El|Bl|HP|YS)$/;
const LITERAL = /^(?:nf|EX|Bd|Vb)$/;
const LITERAL_END = /^(?:fi|EE|Ed|Ve)$/;
/** Blocks without text: macro definitions, pictures, equations, ignored lines. */
const SKIPPED = /^(?:de|de1|am|PS|EQ|ig)$/;
const SKIPPED_END = /^\.(?:\.|PE|EN)\s*$/;
const BULLET = /^[•*o·–—-]?$/;
/** Maximum length of a paragraph that serves as the term for an indented text. */
const MAX_TERM_LENGTH = 200;
/** Conditions that are true for readers: translated pages and terminals. */
const CONDITION = /^[.']\s*if\s+(?:!'po4a'hide'|n)\s+(?=[.\w])/;

/** Converts the lines of a manual page in one pass. */
class PageWriter {
  readonly #made: string[] = [];
  /** Lines of the open paragraph. */
  #open: string[] = [];
  /** Terms for the next text. */
  #terms: string[] = [];
  #isTerm = false;
  #mode: "text" | "literal" | "table" | "skipped" = "text";
  #isHeaderOfTable = false;
  #separator = "\t";
  #isInCell = false;

  write(text: string): string {
    for (const line of text.replace(/\\\r?\n/g, "").split(/\r?\n/)) this.#take(line);
    this.#end();
    return this.#made
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim();
  }

  #take(raw: string): void {
    if (this.#mode === "skipped") {
      if (SKIPPED_END.test(raw)) this.#mode = "text";
      return;
    }
    const line = raw.replace(CONDITION, (_: string) => "");
    const [, macro, rest = ""] = MACRO.exec(line) ?? [];
    if (macro !== undefined) this.#macro(macro, rest);
    else if (/^[.']/.test(line)) return;
    else if (this.#mode === "table") this.#row(line);
    else this.#text(withoutEscapes(line));
  }

  #macro(macro: string, rest: string): void {
    if (macro === "TE") this.#endTable();
    else if (LITERAL_END.test(macro)) this.#endLiteral();
    else if (WORDS.test(macro) || ALTERNATING.test(macro))
      this.#text(argumentsOf(rest).join(ALTERNATING.test(macro) ? "" : " "), macro);
    else if (/^S[Hh]$/.test(macro)) this.#heading("##", rest);
    else if (/^S[Ss]$/.test(macro)) this.#heading("###", rest);
    else if (macro === "TP" || macro === "TQ") this.#term();
    else if (macro === "IP") this.#item(argumentsOf(rest)[0] ?? "");
    else if (macro === "It")
      this.#item(
        argumentsOf(rest)
          .filter((word) => !WORDS.test(word))
          .join(" "),
      );
    else if (macro === "RS") this.#indent();
    else if (PARAGRAPH.test(macro)) this.#end();
    else if (LITERAL.test(macro) && !/-(?:ragged|filled|centered)/.test(rest)) this.#beginLiteral();
    else if (macro === "TS") {
      this.#end();
      this.#mode = "table";
      this.#isHeaderOfTable = true;
      this.#separator = "\t";
    } else if (SKIPPED.test(macro)) this.#mode = "skipped";
  }

  #heading(mark: string, rest: string): void {
    this.#endLiteral();
    this.#end();
    const title = argumentsOf(rest).join(" ").trim();
    if (title !== "") this.#made.push("", `${mark} ${escaped(title)}`, "");
  }

  #text(text: string, macro = ""): void {
    if (this.#mode === "literal") {
      this.#made.push(text);
      return;
    }
    const words = text.trim();
    if (words === "") {
      this.#end();
      return;
    }
    if (this.#isTerm) {
      this.#isTerm = false;
      this.#terms.push(words);
      return;
    }
    this.#open.push(macro === "Nd" ? `- ${words}` : words);
  }

  /** Takes the next line as a term. */
  #term(): void {
    if (this.#open.length > 0) this.#end();
    this.#isTerm = true;
  }

  #item(term: string): void {
    this.#end();
    this.#terms = BULLET.test(term) && term !== "" ? [""] : term === "" ? [] : [term];
  }

  /** Takes the paragraph above an indented text as its term. */
  #indent(): void {
    const term = this.#open.join(" ");
    if (term === "" || term.length > MAX_TERM_LENGTH || this.#terms.length > 0) {
      this.#end();
      return;
    }
    this.#open = [];
    this.#terms = [term];
  }

  #beginLiteral(): void {
    if (this.#mode === "literal") return;
    this.#end();
    this.#made.push("", "```");
    this.#mode = "literal";
  }

  #endLiteral(): void {
    if (this.#mode !== "literal") return;
    this.#mode = "text";
    if (this.#made.at(-1) === "```") this.#made.pop();
    else this.#made.push("```", "");
  }

  /** Converts table rows to list items, because their columns rarely have names. */
  #row(line: string): void {
    if (this.#isHeaderOfTable) {
      const separator = /\btab\s*\((.)\)/.exec(line)?.[1];
      if (separator !== undefined) this.#separator = separator;
      this.#isHeaderOfTable = !line.trimEnd().endsWith(".");
      return;
    }
    if (/^[_=\s]*$/.test(line)) return;
    const cells = line
      .split(this.#separator)
      .map((cell) => withoutEscapes(cell.replace(/^T[{}]/, "")).trim());
    const isCut = line.endsWith("T{");
    const words = `${cells.filter((cell) => cell !== "").join(" | ")}${isCut && cells.length > 1 ? " |" : ""}`;
    if (this.#isInCell || line.startsWith("T}")) this.#open.push(words);
    else {
      this.#end();
      this.#terms = [""];
      this.#open.push(words);
    }
    this.#isInCell = isCut || (this.#isInCell && !line.startsWith("T}"));
  }

  #endTable(): void {
    if (this.#mode !== "table") return;
    this.#end();
    this.#isInCell = false;
    this.#mode = "text";
  }

  /** Ends the open paragraph. */
  #end(): void {
    const text = escaped(this.#open.join(" ").replace(/\s+/g, " ").trim());
    const term = escaped(this.#terms.filter((words) => words !== "").join(", "));
    if (this.#terms.length > 0) {
      const explained = term === "" || /[:.]$/.test(term) ? `${term} ${text}` : `${term}: ${text}`;
      this.#made.push(`- ${text === "" ? term : explained.trim()}`);
    } else if (text !== "") this.#made.push("", text, "");
    this.#open = [];
    this.#terms = [];
    this.#isTerm = false;
  }
}

const argumentsOf = (rest: string): string[] =>
  [...rest.replace(/\\"[^\n]*/, "").matchAll(ARGUMENT)].map(([, quoted, bare = ""]) =>
    withoutEscapes(quoted?.replaceAll('""', '"') ?? bare),
  );

/** Escapes characters that are special in Markdown, except underscores inside words. */
const escaped = (text: string): string => text.replace(/[<*`]/g, "\\$&").replace(/^[#>+-](?=\s)/, "\\$&");
