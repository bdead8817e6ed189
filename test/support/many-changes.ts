/** Changes of the full form of tests that read a long stream. */
const MANY_CHANGES = 10_000;
/** Directories that one call makes: few calls, many changes. */
const DEPTH = 50;

/** Calls of fs/mkdir below a folder that make so many directories, and the changes that they cause in order. */
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
