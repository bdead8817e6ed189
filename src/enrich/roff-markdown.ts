/** Macros whose arguments are part of the running text. */
const FONT_MACRO =
  /^\.(?:B|I|BI|BR|IB|IR|RB|RI|SM|SB|Nm|Fl|Ar|Cm|Op|Pa|Xr|Em|Sy|Li|Ql|Dq|Nd|Va|Fn|Ev|Ic)(?:\s|$)/;
const SECTION = /^\.(SH|Sh|SS|Ss)\s+(.+)$/;
const ITEM_START = /^\.(?:IP|TP|HP|TQ|It)(?:\s|$)/;
const PARAGRAPH = /^\.(?:P|PP|LP|Pp|sp|br|RS|RE|El|Bl)(?:\s|$)/;
/** Blocks without prose: tables, literal examples, macro definitions, pictures. */
const SKIPPED = /^\.(?:TS|nf|EX|de|PS|EQ|ig|Bd)(?:\s|$)/;
const SKIPPED_END = /^\.(?:TE|fi|EE|\.|PE|EN|Ed)(?:\s|$)/;
const NAME = /^\.(?:TH|Dt)\s+"?([^"\s]{1,100})"?\s+"?(\d[\w]{0,4})?/m;
const HEADER_REACH = 8000;

/** Whether a text is a manual page: it has `.TH`, or mdoc's `.Dt`. */
export const isManualPage = (text: string): boolean => NAME.test(text.slice(0, HEADER_REACH));

/**
 * Converts a manual page to Markdown: sections as headings below the name, paragraphs, items. The description
 * in its NAME section comes first, after the title. Linear in the length of the text.
 */
export function manualPageAsMarkdown(text: string): { readonly title: string; readonly markdown: string } {
  const title = NAME.exec(text.slice(0, HEADER_REACH))?.[1] ?? "";
  const made: string[] = [];
  let isSkipping = false;
  for (const raw of text.split(/\r?\n/)) {
    if (isSkipping) {
      isSkipping = !SKIPPED_END.test(raw);
      continue;
    }
    const [, macro = "", section] = SECTION.exec(raw) ?? [];
    if (section !== undefined)
      made.push("", `${/h$/i.test(macro) ? "#" : "##"} ${plain(section.replaceAll('"', ""))}`, "");
    else if (SKIPPED.test(raw)) isSkipping = true;
    else if (ITEM_START.test(raw)) made.push("", "");
    else if (PARAGRAPH.test(raw)) made.push("");
    else if (FONT_MACRO.test(raw))
      made.push(
        plain(
          raw
            .replace(/^\.Nd\s*/, "- ")
            .replace(/^\.\w+\s*/, "")
            .replaceAll('"', ""),
        ),
      );
    else if (!/^[.']/.test(raw)) made.push(plain(raw.trimStart()));
  }
  return { title: plain(title).replaceAll("\\", "").toLowerCase(), markdown: made.join("\n") };
}

const ESCAPES: readonly (readonly [RegExp, string])[] = [
  [/\\f(?:\[\w{0,8}\]|\(\w\w|\w)/g, ""],
  [/\\s[+-]?\d/g, ""],
  [/\\m\[\w{0,20}\]/g, ""],
  [/\\\*\(lq|\\\*\(rq|\\\(lq|\\\(rq|\\\(dq/g, '"'],
  [/\\\(aq|\\\(oq|\\\(cq/g, "'"],
  [/\\[([]:([aeiouAEIOU])\]?/g, "$1\u0308"],
  [/\\[([]ss\]?/g, "ß"],
  [/\\\(en/g, "–"],
  [/\\\(em/g, "—"],
  [/\\\(bu/g, "•"],
  [/\\[*(]?\[?(?:co|rg|tm)\]?/g, ""],
  [/\\[&|^%:/,)c]/g, ""],
  [/\\(?:e|\\)/g, "\\"],
  [/\\([-' .`])/g, "$1"],
  [/\\".*$/g, ""],
];

const plain = (line: string): string =>
  line.includes("\\")
    ? ESCAPES.reduce((text, [sign, words]) => text.replace(sign, words), line).normalize()
    : line;
