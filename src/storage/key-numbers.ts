/** Numbers in keys: base 36 with a fixed width, so that key order is number order. */

const ID_WIDTH = 7; // 36^7 > 2^32
const SEQUENCE_WIDTH = 10; // 36^10 > 2^51

/** Ids of nodes, chunks, partitions, workspaces: below 2^32. */
export const idKey = (id: number): string => id.toString(36).padStart(ID_WIDTH, "0");

/** Counters that outgrow 32 bits. */
export const sequenceKey = (sequence: number): string => sequence.toString(36).padStart(SEQUENCE_WIDTH, "0");

/** The id at the start of `key`, and the rest after its separator. */
export const leadingId = (key: string): [id: number, rest: string] => [
  Number.parseInt(key.slice(0, ID_WIDTH), 36),
  key.slice(ID_WIDTH + 1),
];

/** The number after the last slash. */
export const lastNumber = (key: string): number => Number.parseInt(key.slice(key.lastIndexOf("/") + 1), 36);

/** The two numbers of `…/<a>/<b>`. */
export function lastTwoNumbers(key: string): [number, number] {
  const end = key.lastIndexOf("/");
  return [lastNumber(key.slice(0, end)), lastNumber(key)];
}
