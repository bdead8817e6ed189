/** The place of a value in an ascending column, or -1. */
export function placeIn(column: Int32Array | Uint32Array, value: number): number {
  let low = 0;
  let high = column.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = column[middle]!;
    if (found === value) return middle;
    if (found < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
