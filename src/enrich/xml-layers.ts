import { withoutEntities } from "../domain/text/html-entities.ts";
import { named } from "../domain/text/names.ts";
import { type LayerSource, type Layers, MAX_ABSTRACT_WORDS } from "./layers.ts";
import { trimmed } from "./lead-sentence.ts";
import { sentence } from "./sentence.ts";
import { shorten } from "./shorten.ts";
import { withoutInlineMarks } from "./text-blocks.ts";

const MAX_SHOWN = 12;
const MAX_NAMES = 6;
/** Depth of an element that describes the document, such as the title of a channel in a feed. */
const MAX_DEPTH = 3;
const TAG = /<\/?[A-Za-z][^<>]{0,1000}>/g;
const BEGINS = /^\s*<(?:\?xml|!DOCTYPE|rss|feed|[a-z][\w:.-]*(?:\s+[\w:.-]+="[^"]*")*\s*>)/i;
const ELEMENT = /<([A-Za-z][\w:.-]{0,60})(?=[\s>/])([^<>]{0,600})>/g;
/** Elements with text that name or describe the document, by rank; not a translation. */
const TITLES = ["title", "name", "displayName", "display-name", "label", "head"] as const;
const ABOUTS = [
  "description",
  "subtitle",
  "summary",
  "abstract",
  "refpurpose",
  "comment",
  "short",
  "tagline",
] as const;
/** Attributes that name what an element describes. */
const NAMING = /\s(?:name|id|title|type|label|key)=["']([^"'<>]{1,100})["']/;

/** Layers of XML: its title and description, otherwise its elements. Undefined for other texts. */
export function xmlLayers(source: LayerSource, whole: string, words: string): Layers | undefined {
  if (!/^\s*</.test(whole)) return undefined;
  const text = whole.replace(/<!--[^\0]*?(?:-->|$)/g, "");
  if (!BEGINS.test(text.slice(0, 1000))) return undefined;
  const elements = [...text.matchAll(ELEMENT)].map(([, name = "", attributes = ""]) => ({
    name,
    attributes,
  }));
  const [root] = elements;
  if (root === undefined) return undefined;
  const title = textOf(text, TITLES) || words;
  const told = textOf(text, ABOUTS) || (source.description ?? "");
  const kind = named([root.name], 1).replace(/^.*:/, "");
  const subject = NAMING.exec(root.attributes)?.[1] ?? "";
  const said =
    told === ""
      ? contentOf(elements, kind, subject)
      : `${told.replace(/[.。]$/, "")}${subjectOf(kind, subject)}`;
  const shown = trimmed(said, MAX_ABSTRACT_WORDS - 6);
  const head = sentence(told === "" ? said : told);
  const overview = [`# ${title}`, head, listOf(text, elements, title)]
    .filter((part) => part !== "")
    .join("\n\n");
  return { abstract: sentence(`${shorten(title, 80)}: ${shown.replace(/^XML /, "")}`), overview };
}

/** The first text of an element with one of the names. */
function textOf(text: string, names: readonly string[]): string {
  for (const name of names) {
    const form = new RegExp(`<${name}(?![\\w:.-])(?![^<>]{0,200}lang=)[^<>]{0,200}>([^<]{2,600})</`, "i");
    const found = form.exec(text);
    // deeper elements describe a part
    if (found === null || depthAt(text, found.index) > MAX_DEPTH) continue;
    const plain = withoutInlineMarks(withoutEntities(found[1] ?? "")).trim();
    if (/\p{L}/u.test(plain)) return plain;
  }
  return "";
}

/** Number of elements that are open at a place in the text, with the one that begins there. */
function depthAt(text: string, end: number): number {
  let depth = 1;
  for (const [tag] of text.slice(0, end).matchAll(TAG)) {
    if (tag.startsWith("</")) depth--;
    else if (!tag.endsWith("/>")) depth++;
  }
  return depth;
}

const subjectOf = (kind: string, subject: string): string =>
  subject === "" || !/^[\w./:+-]{2,100}$/.test(subject) ? "" : ` (${kind} ${subject})`;

interface Element {
  readonly name: string;
  readonly attributes: string;
}

/** `catalog with 12 book elements: title, author`. */
function contentOf(elements: readonly Element[], kind: string, subject: string): string {
  const counts = new Map<string, number>();
  for (const { name } of elements.slice(1)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts.keys()];
  const [most = "", count = 0] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  const head = `XML ${kind}${subject === "" ? "" : ` ${subject}`}`;
  if (names.length === 0) return head;
  if (count < 3) {
    const parts = elements.slice(1).flatMap(namedElement);
    return `${head} with ${named(parts.length > 0 ? parts : names, MAX_NAMES)}`;
  }
  const rest = names.filter((name) => name !== most);
  const others = rest.length === 0 ? "" : `, and ${named(rest, MAX_NAMES - 1)}`;
  return `${head} with ${count.toLocaleString("en-US")} ${most} elements${others}`;
}

/** `key maximum-age`; nothing for an element without a name. */
function namedElement({ name, attributes }: Element): string[] {
  const told = NAMING.exec(attributes)?.[1];
  return told === undefined ? [] : [`${name} ${told}`];
}

/** The titles of the items, otherwise the named elements. */
function listOf(text: string, elements: readonly Element[], title: string): string {
  const titles = [...text.matchAll(/<title(?:\s[^<>]{0,200})?>([^<]{1,300})<\/title>/gi)]
    .map(([, item = ""]) => withoutEntities(item).trim())
    .filter((item) => item !== title);
  const items = titles.length > 0 ? titles : elements.slice(1).flatMap(namedElement);
  const all = [...new Set(items)];
  const shown = (all.length > 0 ? all : [...new Set(elements.slice(1).map(({ name }) => name))]).slice(
    0,
    MAX_SHOWN,
  );
  return shown.map((item) => `- ${shorten(item, 160)}`).join("\n");
}
