const HIDDEN = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "iframe",
  "object",
  "svg",
  "math",
  "title",
  "nav",
  "button",
  "select",
]);
const BREAKS = new Set(
  "p div section article main header footer aside ul ol dl table blockquote pre figure h1 h2 h3 h4 h5 h6".split(
    " ",
  ),
);
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  copy: "©",
  hellip: "…",
  mdash: "—",
  ndash: "–",
};
const MAX_TITLE_LENGTH = 2000;

/**
 * The text of a page as plain Markdown with headings, list items, cells and paragraphs. Makes one pass over
 * the tags, so the time is linear for any page.
 */
export function stripTags(html: string): string {
  const out: string[] = [];
  /** Hidden elements without an end tag: they do not hide the rest of the page. */
  const open = new Set<string>();
  for (let at = 0; at < html.length; ) {
    const start = html.indexOf("<", at);
    out.push(unescapeEntities(html.slice(at, start < 0 ? undefined : start)).replace(/\s+/g, " "));
    if (start < 0) break;
    const tag = readTag(html, start);
    at = tag.end;
    if (HIDDEN.has(tag.name) && !tag.closing && !open.has(tag.name)) {
      const end = hiddenEnd(html, at, tag.name);
      if (end === undefined) open.add(tag.name);
      else at = end;
    } else out.push(tag.name === "" ? tag.text : markOf(tag.name, tag.closing));
  }
  return out
    .join("")
    .replace(/[ \t]*\n[ \t]*/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Position after the end tag of a hidden element; undefined if there is none. */
function hiddenEnd(html: string, from: number, name: string): number | undefined {
  if (name === "script" || name === "style") return rawEnd(html, from, name);
  let depth = 1;
  let at = from;
  while (depth > 0) {
    const open = html.indexOf("<", at);
    if (open < 0) return undefined;
    const tag = readTag(html, open);
    at = tag.end;
    if (tag.name === name) depth += tag.closing ? -1 : 1;
    else if ((tag.name === "script" || tag.name === "style") && !tag.closing) at = rawEnd(html, at, tag.name);
  }
  return at;
}

/** The text of `<title>`; "" if missing. */
export function titleOfTags(html: string): string {
  const open = html.search(/<title[\s>]/i);
  if (open < 0) return "";
  const start = html.indexOf(">", open) + 1;
  const end = html.indexOf("<", start);
  return unescapeEntities(html.slice(start, Math.min(end < 0 ? html.length : end, start + MAX_TITLE_LENGTH)));
}

/** Parses the tag at `<`. Comments have the name `!`, plain text has "". */
function readTag(html: string, open: number): { name: string; closing: boolean; end: number; text: string } {
  if (html.startsWith("<!--", open)) {
    const end = html.indexOf("-->", open + 4);
    return { name: "!", closing: false, end: end < 0 ? html.length : end + 3, text: "" };
  }
  const closing = html[open + 1] === "/";
  const name =
    /^[a-z!?][a-z0-9-]{0,20}/i.exec(html.slice(open + (closing ? 2 : 1), open + 24))?.[0].toLowerCase() ?? "";
  if (name === "") return { name, closing, end: open + 1, text: "<" };
  const end = tagEnd(html, open);
  return { name, closing, end, text: "" };
}

const MAX_TAG_LENGTH = 64 * 1024;

/** Position after the next `>` outside quotes. */
function tagEnd(html: string, open: number): number {
  const limit = Math.min(html.length, open + MAX_TAG_LENGTH);
  let quote = "";
  for (let i = open + 1; i < limit; i++) {
    const symbol = html.charAt(i);
    if (quote !== "") {
      if (symbol === quote) quote = "";
    } else if (symbol === ">") return i + 1;
    else if ((symbol === '"' || symbol === "'") && html[i - 1] === "=") quote = symbol;
  }
  return limit;
}

function rawEnd(html: string, from: number, name: string): number {
  const pattern = name === "script" ? /<\/script[^>]{0,100}>?/gi : /<\/style[^>]{0,100}>?/gi;
  pattern.lastIndex = from;
  const match = pattern.exec(html);
  return match ? match.index + match[0].length : html.length;
}

function markOf(name: string, closing: boolean): string {
  if (/^h[1-6]$/.test(name)) return closing ? "\n\n" : `\n\n${"#".repeat(Number(name[1]))} `;
  if (name === "li") return closing ? "" : "\n- ";
  if (name === "br" || name === "tr" || name === "dt" || name === "dd") return "\n";
  if (name === "td" || name === "th") return closing ? " | " : "";
  if (name === "hr") return "\n\n---\n\n";
  return BREAKS.has(name) ? "\n\n" : "";
}

function unescapeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi,
    (whole, decimal?: string, hex = "", name?: string) => {
      if (name) return ENTITIES[name.toLowerCase()] ?? whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0x1f && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
        ? String.fromCodePoint(code)
        : " ";
    },
  );
}
