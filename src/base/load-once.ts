/**
 * Calls `load` on first use and gives all callers the result. Failures are not cached, since the cause (disk,
 * file descriptor limit) may be temporary.
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
