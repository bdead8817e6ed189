/**
 * Calls `load` when it is first needed and gives all callers what came of it. A failure is told to those who
 * waited for it; the next caller loads again: a disk or a limit of open files may only have failed for the
 * moment.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    if (loaded === undefined) {
      loaded = load();
      loaded.catch(() => {
        loaded = undefined;
      });
    }
    return loaded;
  };
}
