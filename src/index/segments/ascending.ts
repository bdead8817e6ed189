/** The value at a position that must exist. */
const valueAt = (column: Int32Array | Uint32Array, place: number): number => column[place]!;

/**
 * The position of a value in an ascending column; -1 if absent. Numbers are mostly consecutive, so the search
 * starts at the interpolated position and widens its steps.
 */
export function placeIn(column: Int32Array | Uint32Array, value: number): number {
  let low = 0;
  let high = column.length - 1;
  const least = column[0];
  const most = column[high];
  if (least === undefined || most === undefined || value < least || value > most) return -1;
  const guess = Math.floor((high * (value - least)) / (most - least || 1));
  let step = 1;
  if (valueAt(column, guess) <= value) {
    low = guess;
    while (low + step < high && valueAt(column, low + step) < value) step *= 2;
    high = Math.min(high, low + step);
    low += step >> 1;
  } else {
    high = guess - 1;
    while (high - step > low && valueAt(column, high - step) > value) step *= 2;
    low = Math.max(low, high - step);
    high -= step >> 1;
  }
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = valueAt(column, middle);
    if (found === value) return middle;
    if (found < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
