/** Formats numbers and times in the user's language and time zone. */
const number = new Intl.NumberFormat();
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

const UNITS = ["B", "KB", "MB", "GB", "TB"] as const;
const STEPS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

export const count = (value: number): string => number.format(value);
export const score = (value: number): string => value.toFixed(3);

export function bytes(value: number): string {
  let unit = 0;
  let rest = value;
  while (rest >= 1024 && unit < UNITS.length - 1) {
    rest /= 1024;
    unit++;
  }
  return `${unit === 0 ? rest : rest.toFixed(rest < 10 ? 1 : 0)} ${UNITS[unit]}`;
}

/** Formats a time from the server (ISO 8601) in the user's time zone; "" for none. */
export function dateTime(iso: string): string {
  const at = new Date(iso);
  return iso === "" || Number.isNaN(at.getTime()) ? "" : moment.format(at);
}

/** Formats the time of day of a Unix time in ms. */
export const clockTime = (at: number): string => clock.format(at);

/** Formats a time as "3 hours ago". */
export function ago(iso: string): string {
  const at = new Date(iso).getTime();
  if (Number.isNaN(at)) return "";
  const seconds = (at - Date.now()) / 1000;
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit);
  }
  return "just now";
}

/** Formats seconds as "2 d 3 h". */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3600)} h`;
}

export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;
