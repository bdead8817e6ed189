/** Maximum number of query words that are highlighted. */
const MAX_WORDS = 24;

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Words that carry no meaning. */
const STOP_WORDS = new Set(
  "a an and are as at be by can do does for from how i in is it of on or that the this to was what when where which who why with you".split(
    " ",
  ),
);

/**
 * A pattern for words that start with one of the query's words, longest first; undefined if there is none.
 */
function patternOf(query: string): RegExp | undefined {
  const words = (query.match(/\p{Script=Han}|[\p{L}\p{N}_]{2,}/gu) ?? []).filter(
    (word) => !STOP_WORDS.has(word.toLowerCase()),
  );
  const longest = words.slice(0, MAX_WORDS).sort((a, b) => b.length - a.length);
  return longest.length === 0
    ? undefined
    : new RegExp(
        `((?:(?<![\\p{L}\\p{N}_])|(?=\\p{Script=Han}))(?:${longest.map(escaped).join("|")}))`,
        "giu",
      );
}

/** Text with the words of the query highlighted. */
export function Highlighted({ text, query }: { readonly text: string; readonly query: string }) {
  const pattern = patternOf(query);
  if (pattern === undefined) return text;
  // split with a capturing group: odd indexes are the matched words
  return text.split(pattern).map((part, index) => {
    const key = `${index} ${part.length}`;
    return index % 2 === 1 ? <mark key={key}>{part}</mark> : <span key={key}>{part}</span>;
  });
}
