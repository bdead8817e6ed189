/** Number of changes in the full form of tests that read a long stream. */
const MANY_CHANGES = 10_000;
/** Directories created per call, so that few calls cause many changes. */
const DEPTH = 50;

/**
 * Returns fs/mkdir calls below a folder that create the given number of directories, and the changes they
 * cause, in order.
 */
export function manyDirectories(folder: string): { readonly calls: string[]; readonly changes: string[] } {
  const calls: string[] = [];
  const changes = [`added ${folder}`];
  for (let at = 0; changes.length < MANY_CHANGES; at++) {
    let uri = folder;
    for (let level = 0; level < DEPTH && changes.length < MANY_CHANGES; level++) {
      uri += level === 0 ? `/d${at}` : `/${level}`;
      changes.push(`added ${uri}`);
    }
    calls.push(uri);
  }
  return { calls, changes };
}
