/**
 * The shape of a value, as written in the specification: a word, a list of one shape, or an object with
 * exactly these keys (keys that end in `?` are optional). `=x` is the value x itself.
 */
export type Shape = string | readonly [Shape] | { readonly [key: string]: Shape };

const WORDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  integer: Number.isInteger,
  number: (value) => typeof value === "number",
  score: (value) => typeof value === "number" && value >= 0 && value <= 1,
  boolean: (value) => typeof value === "boolean",
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  timestamp: (value) =>
    typeof value === "string" && new Date(value).toISOString().slice(0, 19) === value.slice(0, 19),
  key: (value) => /^ctx_[A-Za-z0-9_-]{43}$/.test(String(value)),
  nothing: (value) => value === undefined,
};

/** Returns every deviation from the shape with its position, or an empty list. */
export function faultsOf(value: unknown, shape: Shape, at = "result"): string[] {
  if (typeof shape === "string") {
    const isRight = shape.startsWith("=") ? String(value) === shape.slice(1) : WORDS[shape]!(value);
    return isRight ? [] : [`${at} is ${JSON.stringify(value)}, no ${shape}`];
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${at} is ${JSON.stringify(value)}, no array`];
    return value.flatMap((item, i) => faultsOf(item, shape[0] as Shape, `${at}[${i}]`));
  }
  if (!WORDS.object!(value)) return [`${at} is ${JSON.stringify(value)}, no object`];
  const given = value as Record<string, unknown>;
  const faults: string[] = [];
  const known = new Set<string>();
  for (const [name, inner] of Object.entries(shape)) {
    const key = name.replace(/\?$/, "");
    known.add(key);
    if (given[key] !== undefined) faults.push(...faultsOf(given[key], inner, `${at}.${key}`));
    else if (key === name) faults.push(`${at}.${key} is missing`);
  }
  return [
    ...faults,
    ...Object.keys(given).flatMap((key) =>
      known.has(key) ? [] : [`${at}.${key} is not in the specification`],
    ),
  ];
}
