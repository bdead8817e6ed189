/**
 * Calls `load` on first use and gives all callers its result. A failure is not cached: the next caller loads
 * again, since the cause (a disk, a limit of open files) may be temporary.
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
