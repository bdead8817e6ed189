/** Numbers in keys: base 36 with a fixed width, so that key order equals numeric order. */

const ID_WIDTH = 7; // 36^7 > 2^32
const SEQUENCE_WIDTH = 10; // 36^10 > 2^51

/** Ids below 2^32: nodes, chunks, partitions, workspaces. */
export const idKey = (id: number): string => id.toString(36).padStart(ID_WIDTH, "0");

/** Counters that may exceed 32 bits. */
export const sequenceKey = (sequence: number): string => sequence.toString(36).padStart(SEQUENCE_WIDTH, "0");

/** The id at the start of `key`, and the rest after the separator. */
export const leadingId = (key: string): [id: number, rest: string] => [
  Number.parseInt(key.slice(0, ID_WIDTH), 36),
  key.slice(ID_WIDTH + 1),
];

/** The number after the last slash. */
export const lastNumber = (key: string): number => Number.parseInt(key.slice(key.lastIndexOf("/") + 1), 36);

/** The last two numbers of a key `…/<a>/<b>`. */
export function lastTwoNumbers(key: string): [number, number] {
  const end = key.lastIndexOf("/");
  return [lastNumber(key.slice(0, end)), lastNumber(key)];
}
