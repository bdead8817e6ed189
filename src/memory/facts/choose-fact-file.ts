import { sha256 } from "../../base/sha256.ts";
import { analyse } from "../../domain/text/analyse.ts";
import type { Path } from "../../domain/uri.ts";
import type { Fact, FactCategory } from "./fact.ts";

const MAX_SLUG_LENGTH = 60;
/** Minimum share of common words for two topics to be considered the same. */
const SIMILAR = 0.6;
/** Maximum number of files found by one word; a more frequent word carries little information. */
const MAX_FILES_OF_WORD = 256;
const EXTENSION = ".md";

/** The memory folders of an archive's owner. */
export interface Homes {
  readonly user: Path;
  readonly agent: Path;
}

export const homesOf = ({ user, agent }: { readonly user: string; readonly agent: string }): Homes => ({
  user: ["user", user, "memories"],
  agent: ["agent", agent, "memories"],
});

/** The directory for facts of a category; the memory folder itself for the profile. */
export function directoryOf(homes: Homes, category: FactCategory): Path {
  if (category === "profile") return homes.user;
  return [...(category === "cases" || category === "patterns" ? homes.agent : homes.user), category];
}

/** A topic as a file name without extension: letters and digits of any script, joined with hyphens. */
export function slug(topic: string): string {
  const words = topic
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .slice(0, MAX_SLUG_LENGTH)
    .toWellFormed()
    .replaceAll("\ufffd", "")
    .replace(/^-+|-+$/g, "")
    .normalize("NFC");
  return words || sha256(topic).slice(0, 12);
}

/**
 * Name of the file for a fact: an existing file on the same topic, otherwise a new one, which is added to
 * `files`.
 */
export function fileFor(fact: Fact, files: TopicFiles): string {
  const name = nameFor(fact, files);
  files.add(name);
  return name;
}

function nameFor({ category, topic }: Fact, files: TopicFiles): string {
  if (category === "profile") return `profile${EXTENSION}`;
  const own = slug(topic);
  const same = `${own}${EXTENSION}`;
  if (files.has(same) || category === "cases") return same;
  return (category === "entities" ? files.onlyOneOf(own) : files.similarTo(own)) ?? same;
}

const wordsOf = (stem: string): Set<string> => new Set(analyse(stem.replaceAll("-", " ")));

interface TopicFile {
  readonly name: string;
  /** Number of different words in the name. */
  readonly words: number;
  /** Position in order of addition. */
  readonly at: number;
}

/** The files of one category, indexed by the words of their names. */
export class TopicFiles {
  readonly #names = new Set<string>();
  /** Files by the words of their names. */
  readonly #byWord = new Map<string, TopicFile[]>();
  /** File names by the part before their first hyphen, for names that have one. */
  readonly #byFirst = new Map<string, string[]>();

  constructor(names: Iterable<string> = []) {
    for (const name of names) this.add(name);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  add(name: string): void {
    if (this.#names.has(name)) return;
    this.#names.add(name);
    if (!name.endsWith(EXTENSION)) return;
    const stem = name.slice(0, -EXTENSION.length);
    const hyphen = stem.indexOf("-");
    if (hyphen >= 0) addTo(this.#byFirst, stem.slice(0, hyphen), name);
    const words = wordsOf(stem);
    const file: TopicFile = { name, words: words.size, at: this.#names.size };
    for (const word of words)
      if ((this.#byWord.get(word)?.length ?? 0) < MAX_FILES_OF_WORD) addTo(this.#byWord, word, file);
  }

  /** The only known person with this first name; undefined if there are none or several. */
  onlyOneOf(first: string): string | undefined {
    const bearers = this.#byFirst.get(first) ?? [];
    return bearers.length === 1 ? bearers[0] : undefined;
  }

  /** The first added file whose name shares enough words with a stem; undefined if there is none. */
  similarTo(stem: string): string | undefined {
    const words = wordsOf(stem);
    const shared = new Map<TopicFile, number>();
    for (const word of words)
      for (const file of this.#byWord.get(word) ?? []) shared.set(file, (shared.get(file) ?? 0) + 1);
    let first: TopicFile | undefined;
    for (const [file, common] of shared) {
      const isSimilar = common / (words.size + file.words - common) >= SIMILAR;
      if (isSimilar && (!first || file.at < first.at)) first = file;
    }
    return first?.name;
  }
}

function addTo<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
