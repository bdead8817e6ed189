import { stem } from "porter2";
import { CJK_CHARACTER, isStopWord } from "../../domain/text/analyse.ts";
import { languageOf, stopWordsOf } from "../../domain/text/languages.ts";
import { nameWords } from "../shorten.ts";

/**
 * Words that several entries of a directory share, most informative first, and the names of these entries.
 */
export interface Theme {
  readonly words: readonly string[];
  readonly members: readonly string[];
}

interface Entry {
  readonly name: string;
  readonly said: string;
}

const MAX_THEMES = 14;
const MAX_WORDS = 3;
const MIN_MEMBERS = 2;
/** Share of entries above which a word does not distinguish them. */
const MAX_SHARE = 0.5;
/** Maximum number of entries, and of characters read from each. */
const MAX_ENTRIES = 400;
const MAX_SAID_LENGTH = 300;
const WORD = /\p{L}[\p{L}\p{N}]{2,30}/gu;

/** Words that do not describe the subject of a document or source code. */
const EMPTY = new Set(
  (
    "use used uses using user given gives give based various several new one two three first last many most more less least each every other others another same " +
    "long short high low good better best internal external available specific necessary possible following current previous next old own small large full empty whole " +
    "version license licence contributing security changelog project package packages module modules library libraries please thank work works working run runs running " +
    "different common general simple simply single name names named value values set sets get gets getting return returns returned make makes made making take takes " +
    "like also may might must shall can cannot etc via without within per whether way ways thing things part parts kind kinds type types number numbers " +
    "file files document documents folder folders page pages manual entry entries item items list lists text line lines data read reads write writes written change changes " +
    "add adds added remove removes create creates created provide provides provided support supports allow allows enable enables contain contains hold holds " +
    "its their them they this that these those all any both only not never always source code class function functions method methods interface export const " +
    "what which where when how why who else than then once until while after before above below over under into onto about against between through " +
    "test tests testing example examples init mod lib " +
    "readme index main about overview introduction null undefined true false string object default option options info"
  ).split(" "),
);

const NO_WORDS: ReadonlySet<string> = new Set();

/** Whether a lower-case word does not indicate the subject of a text. */
export const isEmptyWord = (word: string): boolean => EMPTY.has(word);

/** A word, identified by its stem. */
interface Root {
  /** Number of occurrences of each spelling. */
  readonly forms: Map<string, number>;
  /** Indexes of the entries that contain it. */
  readonly entries: number[];
  /** Number of these entries without a theme so far. */
  left: number;
}

/**
 * The words common to most entries, those with the greatest coverage first; every entry has at most one
 * theme. None for text without spaces between words.
 */
export function themesOf(entries: readonly Entry[]): Theme[] {
  const read = entries.slice(0, MAX_ENTRIES);
  const { roots, rootsOf } = rootsIn(read);
  const most = Math.max(MIN_MEMBERS, read.length * MAX_SHARE);
  const waiting = new Set(
    [...roots.values()].filter(({ entries: { length } }) => length >= MIN_MEMBERS && length <= most),
  );
  const covered = new Set<number>();
  const themes: Theme[] = [];
  while (themes.length < MAX_THEMES) {
    const best = greatest(waiting, ({ left, entries: { length } }) =>
      left < MIN_MEMBERS ? 0 : left * Math.log(1 + read.length / length),
    );
    if (best === undefined) break;
    waiting.delete(best);
    const members = best.entries.filter((i) => !covered.has(i));
    for (const i of members) {
      covered.add(i);
      for (const root of rootsOf[i] ?? []) root.left--;
    }
    themes.push({
      words: [best, ...sharedBy(members, rootsOf, waiting)].map(spellingOf),
      members: members.map((i) => read[i]?.name ?? ""),
    });
  }
  return themes;
}

function rootsIn(entries: readonly Entry[]) {
  const roots = new Map<string, Root>();
  const language = languageOf(entries.map(({ said }) => said.slice(0, MAX_SAID_LENGTH)).join(" "));
  const stopWords = language === undefined ? NO_WORDS : stopWordsOf(language);
  const rootsOf = entries.map(({ name, said }, i) => {
    const own = new Set<Root>();
    const text = `${nameWords(name, false)} ${said.slice(0, MAX_SAID_LENGTH)}`.toLowerCase();
    for (const [word] of text.matchAll(WORD)) {
      if (EMPTY.has(word) || isStopWord(word) || stopWords.has(word) || CJK_CHARACTER.test(word)) continue;
      const key = stem(word);
      const root: Root = roots.get(key) ?? { forms: new Map(), entries: [], left: 0 };
      roots.set(key, root);
      root.forms.set(word, (root.forms.get(word) ?? 0) + 1);
      if (own.has(root)) continue;
      own.add(root);
      root.entries.push(i);
      root.left++;
    }
    return own;
  });
  return { roots, rootsOf };
}

/** Other words shared by at least two members; words that are also used elsewhere have less weight. */
function sharedBy(
  members: readonly number[],
  rootsOf: readonly ReadonlySet<Root>[],
  waiting: ReadonlySet<Root>,
): Root[] {
  const counts = new Map<Root, number>();
  for (const i of members)
    for (const root of rootsOf[i] ?? []) if (waiting.has(root)) counts.set(root, (counts.get(root) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count >= MIN_MEMBERS)
    .sort(([a, m], [b, n]) => n / Math.sqrt(b.entries.length) - m / Math.sqrt(a.entries.length))
    .slice(0, MAX_WORDS - 1)
    .map(([root]) => root);
}

const spellingOf = ({ forms }: Root): string => greatest(forms, ([, count]) => count)?.[0] ?? "";

/** The first item with the greatest value above 0. */
function greatest<T>(items: Iterable<T>, scoreOf: (item: T) => number): T | undefined {
  let [best, most]: [T | undefined, number] = [undefined, 0];
  for (const item of items) {
    const score = scoreOf(item);
    if (score > most) [best, most] = [item, score];
  }
  return best;
}
