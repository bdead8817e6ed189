type Fields = Readonly<Record<string, unknown>>;

const OPERATORS: Readonly<Record<string, (found: unknown, wanted: unknown) => boolean>> = {
  $eq: (found, wanted) => found === wanted,
  $ne: (found, wanted) => found !== wanted,
  $gt: (found, wanted) => Number(found) > Number(wanted),
  $gte: (found, wanted) => Number(found) >= Number(wanted),
  $lt: (found, wanted) => Number(found) < Number(wanted),
  $lte: (found, wanted) => Number(found) <= Number(wanted),
  $in: (found, wanted) => Array.isArray(wanted) && wanted.includes(found),
  $nin: (found, wanted) => !Array.isArray(wanted) || !wanted.includes(found),
};

/** Whether a value matches a filter by the rules of LangGraph's own store. */
export function matches(value: Fields, filter: Fields | undefined): boolean {
  return Object.entries(filter ?? {}).every(([key, wanted]) => {
    const found = Object.hasOwn(value, key) ? value[key] : undefined;
    if (!isOperators(wanted)) return found === wanted;
    return Object.entries(wanted).every(([name, than]) => OPERATORS[name]?.(found, than) ?? false);
  });
}

const isOperators = (wanted: unknown): wanted is Fields =>
  typeof wanted === "object" &&
  wanted !== null &&
  Object.keys(wanted).every((key) => Object.hasOwn(OPERATORS, key));
