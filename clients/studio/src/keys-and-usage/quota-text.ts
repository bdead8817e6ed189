const UNITS: readonly (readonly [string, number])[] = [
  ["TB", 2 ** 40],
  ["GB", 2 ** 30],
  ["MB", 2 ** 20],
  ["KB", 2 ** 10],
];

/** Formats a quota as an administrator types it: `10 GB`, `5000`. */
export function quotaText(quota: number, isBytes: boolean): string {
  const unit = isBytes && quota > 0 ? UNITS.find(([, size]) => quota % size === 0) : undefined;
  return unit === undefined ? String(quota) : `${quota / unit[1]} ${unit[0]}`;
}

/** Parses a quota. Returns undefined for an empty text and NaN for an invalid one. */
export function quotaOf(text: string, isBytes: boolean): number | undefined {
  if (text.trim() === "") return undefined;
  const [, amount, name = ""] = /^\s*(\d{1,15}(?:\.\d{1,3})?)\s*([KMGT]?B?)\s*$/i.exec(text) ?? [];
  if (amount === undefined || (name !== "" && !isBytes)) return Number.NaN;
  const size = UNITS.find(([unit]) => unit.charAt(0) === name.charAt(0).toUpperCase())?.[1] ?? 1;
  const quota = Number(amount) * size;
  return Number.isSafeInteger(quota) ? quota : size > 1 ? Math.round(quota) : Number.NaN;
}
