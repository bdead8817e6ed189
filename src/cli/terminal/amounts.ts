const UNITS = ["B", "KB", "MB", "GB", "TB"];
const STEP = 1024;

/** Formats bytes with steps of 1,024: `812 B`, `1.4 KB`, `23 MB`. */
export function bytesText(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= STEP && unit < UNITS.length - 1) {
    amount /= STEP;
    unit++;
  }
  const digits = unit > 0 && amount < 10 ? 1 : 0;
  return `${amount.toFixed(digits)} ${UNITS[unit]}`;
}

/** Formats an amount of a resource: bytes as above, all else as a number. */
export const amountText = (amount: number, unit: string): string =>
  unit === "bytes" ? bytesText(amount) : String(amount);

/** Timestamp of entries that were never modified, such as scope roots. */
const NEVER = "1970-01-01T00:00";

/** Formats an ISO 8601 time in UTC as `2026-11-22 08:15`; other text is unchanged. */
export function timeText(iso: string): string {
  if (iso.startsWith(NEVER)) return "-";
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(iso) ? `${iso.slice(0, 10)} ${iso.slice(11, 16)}` : iso;
}

/** Formats a duration: `3 d 4 h`, `5 min 12 s`, `7 s`. */
export function durationText(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts: [amount: number, unit: string][] = [
    [Math.floor(whole / 86_400), "d"],
    [Math.floor(whole / 3_600) % 24, "h"],
    [Math.floor(whole / 60) % 60, "min"],
    [whole % 60, "s"],
  ];
  const first = parts.findIndex(([amount]) => amount > 0);
  const shown =
    first < 0
      ? parts.slice(-1)
      : parts.slice(first, first + 2).filter(([amount], at) => at === 0 || amount > 0);
  return shown.map(([amount, unit]) => `${amount} ${unit}`).join(" ");
}

/** Formats a count: `1 file`, `3 files`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
