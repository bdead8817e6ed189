/**
 * Adds any number of items to the end of a list. As arguments of `push`, some hundred thousand items overflow
 * the stack.
 */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
