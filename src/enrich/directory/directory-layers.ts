import { atOnce } from "../../base/event-loop.ts";
import { type Layers, MAX_ABSTRACT_LENGTH, MAX_ABSTRACT_WORDS } from "../layers.ts";
import { trimmed, wordCount } from "../lead-sentence.ts";
import { sentence } from "../sentence.ts";
import { nameWords, normalised, shorten } from "../shorten.ts";
import { type ChildGroups, type Children, childLineSteps, type LayerChild, oneLine } from "./child-lines.ts";
import { frequenciesOf, keyPhrases } from "./key-phrases.ts";
import { withoutCounts, withoutName } from "./nested-lines.ts";
import { themesOf } from "./themes.ts";
import { groupsIn } from "./topics.ts";

export const MAX_DIRECTORY_OVERVIEW_LENGTH = 8000;
/** Maximum number of children named in an abstract; lower if it names themes. */
const MAX_NAMED = 6;
const MAX_NAMED_WITH_THEMES = 4;
/** Maximum number of themes named in an abstract, and minimum number of children for themes. */
const MAX_NAMED_THEMES = 4;
const MIN_THEMED_CHILDREN = 7;
/**
 * Minimum share of the children for one theme, and for all named themes together; smaller shares do not
 * represent the rest.
 */
const MIN_THEME_SHARE = 0.08;
const MIN_THEMED_SHARE = 0.3;
const MAX_NAME_LENGTH = 40;

/**
 * Creates the layers of a directory from those of its children. L0 describes the collection: the text of its
 * README or index, otherwise the kinds, number and names of its files. L1 lists every child with its L0; with
 * `groups`, too many children are shown in groups of similar meaning, and children beyond the read limit in
 * groups of names. Never empty. Deterministic.
 */
export const directoryLayers = (name: string, children: Children, groups?: ChildGroups): Layers =>
  atOnce(directoryLayerSteps(name, children, groups));

/** Like `directoryLayers`, in steps of a few milliseconds. */
export function* directoryLayerSteps(
  name: string,
  children: Children,
  groups?: ChildGroups,
): Generator<undefined, Layers> {
  const words = nameWords(name, true) || name;
  const abstract = abstractOf(words, children);
  yield;
  return { abstract, overview: yield* overviewOf(words, children, groups) };
}

/** Names of files that introduce their directory, best first. */
const INTRODUCTIONS = ["readme", "index", "overview", "introduction", "about", "skill", "_index"] as const;

function abstractOf(words: string, held: Children): string {
  const { shown: children, count } = held;
  if (children.length === 0) return shorten(words, MAX_ABSTRACT_LENGTH);
  const introduced = introductionOf(children) || moduleIntroductionOf(children, words);
  if (introduced !== "") {
    const isNamed = normalised(introduced).includes(normalised(words).trimEnd());
    return isNamed ? sentence(introduced) : within(words, introduced);
  }
  const [only] = children;
  if (only !== undefined && count === 1 && only.abstract !== "")
    return within(words, withoutName(oneLine(only.abstract), only.name, only.isDirectory));
  const themes = children.length < MIN_THEMED_CHILDREN ? "" : namedThemes(children);
  const names =
    count <= MAX_DESCRIBED && children.every(({ isDirectory }) => isDirectory)
      ? describedNames(children)
      : namesOf(children, count, themes === "" ? MAX_NAMED : MAX_NAMED_WITH_THEMES);
  return sentence(`${words}: ${kindsOf(held)}${themes}: ${names}`);
}

/** The themes, such as ` about sockets, memory and time`. */
function namedThemes(children: readonly LayerChild[]): string {
  const themes = themesOf(children.map(({ name, abstract }) => ({ name, said: abstract })));
  const shown = themes
    .slice(0, MAX_NAMED_THEMES)
    .filter(({ members }) => members.length >= children.length * MIN_THEME_SHARE);
  const themed = shown.reduce((sum, { members }) => sum + members.length, 0);
  if (shown.length < 2 || themed < children.length * MIN_THEMED_SHARE) return "";
  const words = shown.flatMap(({ words: [word = ""] }) => word);
  return ` about ${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function within(words: string, said: string): string {
  const rest = trimmed(said, Math.max(10, MAX_ABSTRACT_WORDS - wordCount(words)));
  return sentence(`${shorten(words, 80)}: ${rest}`);
}

/** Names of document files; "index.ts" is source code. */
const IS_A_PAGE = /^[^.]*$|\.(?:md|mdx|markdown|rst|txt|html?|adoc|org)$/i;

/** Description from a directory's README or index. */
function introductionOf(children: readonly LayerChild[]): string {
  for (const stem of INTRODUCTIONS) {
    const child = children.find(
      ({ name, isDirectory }) =>
        !isDirectory && IS_A_PAGE.test(name) && name.toLowerCase().replace(/\.[^.]+$/, "") === stem,
    );
    if (child === undefined || child.abstract === "") continue;
    const said = oneLine(child.abstract);
    // the title of such a file usually repeats its name
    return said.replace(new RegExp(`^${stem}: `, "i"), "");
  }
  return "";
}

/** Source files whose doc comment describes their directory, best first. */
const MODULES = /^(?:__init__\.pyi?|(?:lib|mod)\.rs|index\.[cm]?[jt]sx?|package-info\.java|__main__\.py)$/;
/** Abstracts that contain only a declaration, a size, or the kind of the folder. */
const NO_MODULE_DOC = /^\S+: |; also |lines of source code|^this (?:directory|folder|file|is an? empty)\b/i;
/** Words that a sentence contains but a list of names does not. */
const RUNNING_WORD = /\s(?:an?|the|of|for|to|in|is|are|that|with|from|on|by|as)\s/i;
const MIN_DOC_WORDS = 4;

/** Description from the doc comment of the source file that represents the directory. */
function moduleIntroductionOf(children: readonly LayerChild[], words: string): string {
  const files = children.filter(({ isDirectory }) => !isDirectory);
  // a folder with other files is not a package of source code
  const isGo = files.filter(({ name }) => name.endsWith(".go")).length > files.length / 2;
  for (const { name, abstract } of files) {
    if (!abstract.startsWith(`${name}: `)) continue;
    const said = oneLine(abstract.slice(name.length + 2));
    if (name.endsWith(".go")) {
      if (isGo && said.startsWith("Package ") && !said.includes("; also ")) return said;
      continue;
    }
    // other comments describe one declaration or list several
    const isDoc = !NO_MODULE_DOC.test(said) && RUNNING_WORD.test(said) && wordCount(said) >= MIN_DOC_WORDS;
    if (isDoc && (MODULES.test(name) || nameWords(name, false) === words)) return said;
  }
  return "";
}

const KINDS: readonly (readonly [extensions: RegExp, one: string, many: string])[] = [
  [/^(?:md|mdx|markdown|rst|txt|adoc|tex|org)$/, "document", "documents"],
  [/^(?:html?|xhtml)$/, "page", "pages"],
  [/^(?:pdf|docx?|odt|rtf|epub)$/, "document", "documents"],
  [/^(?:pptx?|odp)$/, "presentation", "presentations"],
  [/^(?:xlsx?|ods|csv|tsv)$/, "table", "tables"],
  [/^(?:json|jsonl|ndjson|ya?ml|toml|xml|ini)$/, "data file", "data files"],
  [/^[1-9](?:p|pm|ssl|x)?$/, "manual page", "manual pages"],
  [/^(?:png|jpe?g|gif|webp|svg|bmp|tiff?|heic|avif)$/, "picture", "pictures"],
  [/^(?:mp3|wav|flac|ogg|m4a|mp4|mov|webm|mkv)$/, "recording", "recordings"],
  [
    /^(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs?|cc|cpp|h|hpp|swift|scala|sh|sql|lua|r|ex|exs)$/,
    "source file",
    "source files",
  ],
];

/**
 * Kinds and numbers such as `41 documents, 2 tables and 3 folders`, most frequent first; only the total if
 * not all names are known.
 */
function kindsOf({ shown, more, count }: Children): string {
  if (count > shown.length + more.length) return `${count.toLocaleString("en-US")} entries`;
  const counts = new Map<string, number>();
  const plurals = new Map<string, string>();
  for (const { name, isDirectory } of [...shown, ...more.map(named)]) {
    const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
    const [, one, many] = KINDS.find(([extensions]) => extensions.test(extension)) ?? [
      undefined,
      "file",
      "files",
    ];
    const kind = isDirectory ? "folder" : one;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    plurals.set(kind, isDirectory ? "folders" : many);
  }
  const parts = [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([kind, n]) => `${n.toLocaleString("en-US")} ${n === 1 ? kind : plurals.get(kind)}`);
  return parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : parts.join("");
}

/** A child of which only the name is known; a directory name ends in `/`. */
const named = (name: string) => ({ name: name.replace(/\/$/, ""), isDirectory: name.endsWith("/") });

/** Maximum number of folders that an abstract names with their subjects, and maximum length of that part. */
const MAX_DESCRIBED = 4;
const MAX_DESCRIBED_LENGTH = 150;

/** `guides (caching, deployment) and reference (classes)`. */
function describedNames(folders: readonly LayerChild[]): string {
  const counts = frequenciesOf(folders.map(({ abstract }) => abstract));
  const room = Math.floor(MAX_DESCRIBED_LENGTH / folders.length);
  const parts = folders.map(({ name, abstract }) => {
    const words = shorten(nameWords(name, true), MAX_NAME_LENGTH);
    const said = withoutCounts(withoutName(oneLine(abstract), name, true));
    const phrases = keyPhrases(said, name, room - words.length - 3, counts);
    return phrases === "" ? words : `${words} (${phrases})`;
  });
  return parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : parts.join("");
}

/** File names common to all source code, and names of tests. */
const ANY_MODULE = /^(?:init|main|mod|lib|index|tests?)$|^test |\b(?:tests?|spec)$/i;

/** Names such as `Agent, Client and 42 more`. */
function namesOf(children: readonly LayerChild[], count: number, most: number): string {
  const all = children.map(({ name, isDirectory }) => shorten(nameWords(name, isDirectory), MAX_NAME_LENGTH));
  const [telling, others] = [
    all.filter((name) => !ANY_MODULE.test(name)),
    all.filter((name) => ANY_MODULE.test(name)),
  ];
  const names = [...new Set([...telling, ...others])];
  const shown = names.slice(0, most);
  const more = count - shown.length;
  if (more > 0) return `${shown.join(", ")} and ${more.toLocaleString("en-US")} more`;
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}` : shown.join("");
}

/** Instruction for reading a group. */
export const GROUPS_NOTE =
  "Too many to describe each: here they stand in groups. The overview with `group`, the words of a group, says more of its entries.";

function* overviewOf(
  words: string,
  { shown, more, count }: Children,
  groups?: ChildGroups,
): Generator<undefined, string> {
  const lines = [`# ${shorten(words, 200)}`, ""];
  if (shown.length > 0) {
    const introduced = introductionOf(shown) || moduleIntroductionOf(shown, words);
    const about = [introduced, sentence(kindsOf({ shown, more, count }))];
    lines.push(about.filter((part) => part !== "").join(" "), "");
  }
  const room = MAX_DIRECTORY_OVERVIEW_LENGTH - lines.join("\n").length - GROUPS_NOTE.length;
  yield;
  const listed = yield* childLineSteps({ shown, more, count }, room, groups);
  if (groupsIn(listed.join("\n")).size > 0) lines.push(GROUPS_NOTE, "");
  return lines.concat(listed).join("\n").trimEnd();
}

/** Model input for a directory: one line per child with name and abstract. */
export function childListing(name: string, children: readonly LayerChild[]): string {
  const lines = children.map(
    (child) => `- ${child.name}${child.isDirectory ? "/" : ""}: ${oneLine(child.abstract)}`,
  );
  return [`# ${name}`, "", ...lines].join("\n");
}

/** The model's text, followed by the list of children. */
export function withList(told: Layers, listed: Layers): Layers {
  const [heading = "", ...list] = listed.overview.split("\n");
  const overview = [heading, "", told.overview.replace(/^#[^\n]*\n+/, ""), ...list].join("\n");
  return { abstract: told.abstract, overview: shorten(overview, MAX_DIRECTORY_OVERVIEW_LENGTH) };
}
