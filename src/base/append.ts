/**
 * Appends any number of items to a list. Spreading a few hundred thousand items into `push` would overflow
 * the stack.
 */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
