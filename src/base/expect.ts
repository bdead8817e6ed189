/** The item at `index`. Throws RangeError if there is none. */
export function itemAt<T>(list: ArrayLike<T>, index: number): NonNullable<T> {
  const item = list[index];
  if (item === undefined || item === null) throw new RangeError(`no item ${index} in ${list.length}`);
  return item;
}

/** The last item. Throws RangeError if there is none. */
export const lastOf = <T>(list: ArrayLike<T>): NonNullable<T> => itemAt(list, list.length - 1);

/** The value for `key`. Throws RangeError if there is none. */
export function valueFor<K, V>(map: { get(key: K): V | undefined }, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new RangeError(`no value for ${String(key)}`);
  return value;
}

/** A value that the code's own invariants guarantee. Throws an Error that names it if it is missing. */
export function present<T>(value: T, what: string): NonNullable<T> {
  if (value === undefined || value === null) throw new Error(`no ${what}`);
  return value;
}

/** Whether a value is an object with named members, not an array. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
