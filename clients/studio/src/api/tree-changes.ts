const listeners = new Set<() => void>();

/** Hears that the tree of the namespace may have changed. */
export function onTreeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function noteTreeChange(): void {
  for (const listener of listeners) listener();
}
