/**
 * Maximum number of lines compared; above it, the whole changed region is shown instead of a minimal diff.
 */
const MAX_COMPARED = 1000;

/** A line diff of two texts: `- old`, `+ new`; unchanged lines are omitted. */
export function lineDiff(before: string, after: string): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const [removed, added] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  if (removed.length > MAX_COMPARED || added.length > MAX_COMPARED)
    return [...removed.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)];
  return leastChange(removed, added);
}

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/));

/** Minimal diff by the longest common subsequence. */
function leastChange(old: readonly string[], now: readonly string[]): string[] {
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: string[] = [];
  for (let i = 0, j = 0; i < old.length || j < now.length; ) {
    if (i < old.length && j < now.length && old[i] === now[j]) [i, j] = [i + 1, j + 1];
    else if (j >= now.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) lines.push(`- ${old[i++]}`);
    else lines.push(`+ ${now[j++]}`);
  }
  return lines;
}
