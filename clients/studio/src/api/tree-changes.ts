const listeners = new Set<() => void>();

/** Registers a listener for possible changes of the tree. */
export function onTreeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function noteTreeChange(): void {
  for (const listener of listeners) listener();
}
