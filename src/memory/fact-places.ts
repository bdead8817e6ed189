import { sha256 } from "../base/sha256.ts";
import { analyse } from "../domain/text/analyse.ts";
import type { Path } from "../domain/uri.ts";
import type { Fact, FactCategory } from "./fact.ts";

const MAX_SLUG_LENGTH = 60;
/** Share of common words above which two topics are one. */
const SIMILAR = 0.6;
const EXTENSION = ".md";

/** The memory folders of the owner of an archive. */
export interface Homes {
  readonly user: Path;
  readonly agent: Path;
}

export const homesOf = ({ user, agent }: { readonly user: string; readonly agent: string }): Homes => ({
  user: ["user", user, "memories"],
  agent: ["agent", agent, "memories"],
});

/** The directory in which facts of a category lie; that of the profile is the folder itself. */
export function directoryOf(homes: Homes, category: FactCategory): Path {
  if (category === "profile") return homes.user;
  return [...(category === "cases" || category === "patterns" ? homes.agent : homes.user), category];
}

/** A topic as a file name without its extension: letters and digits of any script, joined by hyphens. */
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
 * Where a fact belongs among the files of its category: with those about the same thing, else in a file of
 * its own. Names are added to `names`.
 */
export function fileFor(fact: Fact, names: Set<string>): string {
  const name = nameFor(fact, names);
  names.add(name);
  return name;
}

function nameFor({ category, topic }: Fact, names: ReadonlySet<string>): string {
  if (category === "profile") return `profile${EXTENSION}`;
  const own = slug(topic);
  const same = `${own}${EXTENSION}`;
  if (names.has(same) || category === "cases") return same;
  const others = [...names].filter((name) => name.endsWith(EXTENSION));
  if (category === "entities")
    return others.find((name) => isSameName(own, name.slice(0, -EXTENSION.length), others)) ?? same;
  const words = wordsOf(own);
  return (
    others.find((name) => similarity(words, wordsOf(name.slice(0, -EXTENSION.length))) >= SIMILAR) ?? same
  );
}

/** A first name stands for the one known person who bears it. */
function isSameName(own: string, name: string, names: readonly string[]): boolean {
  if (own.includes("-") || !name.startsWith(`${own}-`)) return false;
  return names.filter((other) => other.startsWith(`${own}-`)).length === 1;
}

const wordsOf = (name: string): Set<string> => new Set(analyse(name.replaceAll("-", " ")));

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return common === 0 ? 0 : common / (a.size + b.size - common);
}
