/**
 * Adds items to the end of a list, however many they are: as arguments of `push` more than some hundred
 * thousand end the stack.
 */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
