import type { JsonValue } from "@bufbuild/protobuf";

type JsonObject = { [key: string]: JsonValue };

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const show = (value: JsonValue | undefined): string => JSON.stringify(value)?.slice(0, 300) ?? "nothing";

/** Why a value does not match its expectation (clients/README.md, "Expectations"); undefined if it does. */
export function mismatch(wanted: JsonValue, found: JsonValue | undefined, at = "result"): string | undefined {
  if (isObject(wanted)) {
    const rules = Object.keys(wanted).filter((key) => key.startsWith("$"));
    if (rules.length > 0)
      return firstOf(rules.map((rule) => () => ruleMismatch(rule, wanted[rule]!, found, at)));
    if (!isObject(found)) return `${at}: ${show(found)} is not an object`;
    return firstOf(
      Object.entries(wanted).map(
        ([key, value]) =>
          () =>
            mismatch(value, found[key], `${at}.${key}`),
      ),
    );
  }
  if (Array.isArray(wanted)) {
    if (!Array.isArray(found) || found.length !== wanted.length)
      return `${at}: ${show(found)} is not a list of ${wanted.length}`;
    return firstOf(wanted.map((value, index) => () => mismatch(value, found[index], `${at}.${index}`)));
  }
  return wanted === found ? undefined : `${at}: ${show(found)} is not ${show(wanted)}`;
}

function ruleMismatch(
  rule: string,
  wanted: JsonValue,
  found: JsonValue | undefined,
  at: string,
): string | undefined {
  const text = typeof found === "string" ? found : undefined;
  const number = typeof found === "number" ? found : Number.NaN;
  const fits: Readonly<Record<string, () => boolean>> = {
    $contains: () =>
      Array.isArray(found)
        ? found.some((one) => mismatch(wanted, one) === undefined)
        : text?.includes(String(wanted)) === true,
    $all: () => (wanted as JsonValue[]).every((one) => mismatch(one, found) === undefined),
    $not: () => mismatch(wanted, found) !== undefined,
    $exists: () => (found !== undefined) === wanted,
    $length: () =>
      (Array.isArray(found) ? found.length : text === undefined ? -1 : [...text].length) === wanted,
    $min: () => number >= Number(wanted),
    $max: () => number <= Number(wanted),
    $startsWith: () => text?.startsWith(String(wanted)) === true,
    $matches: () => text !== undefined && new RegExp(String(wanted), "u").test(text),
  };
  const check = fits[rule];
  if (!check) return `${at}: no rule ${rule}`;
  return check() ? undefined : `${at}: ${show(found)} does not fit ${rule} ${show(wanted)}`;
}

function firstOf(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const found = check();
    if (found !== undefined) return found;
  }
  return undefined;
}
