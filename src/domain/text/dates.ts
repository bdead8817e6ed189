/** Resolves relative dates in UTC. */

const DAY_MS = 86_400_000;
const MAX_DATES = 3;

export interface NamedDate {
  /** The words as written in the text. */
  readonly words: string;
  /** YYYY-MM-DD, or YYYY-MM for a month. */
  readonly date: string;
}

const NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  一: 1,
  两: 2,
  二: 2,
  三: 3,
};
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

const DAYS: Readonly<Record<string, number>> = {
  today: 0,
  tonight: 0,
  yesterday: -1,
  "last night": -1,
  "the day before yesterday": -2,
  tomorrow: 1,
  今天: 0,
  昨天: -1,
  昨晚: -1,
  前天: -2,
  明天: 1,
};

const DISTANCE = new RegExp(
  `\\b(?:the day before yesterday|last night|today|tonight|yesterday|tomorrow)\\b|今天|昨天|昨晚|前天|明天|` +
    `\\b(\\d{1,3}|an?|one|two|three|four|five|six|seven) (day|week|month)s? ago\\b|` +
    `([\\d一两二三]{1,3})(天|周|个月)前|` +
    `\\blast (sunday|monday|tuesday|wednesday|thursday|friday|saturday)\\b|` +
    `\\b(last|this) month\\b|(上个月|这个月)`,
  "giu",
);

/** The dates mentioned in `text`, relative to `now` (Unix time in ms). A week is seven days. */
export function datesIn(text: string, now: number): NamedDate[] {
  const found: NamedDate[] = [];
  for (const match of text.matchAll(DISTANCE)) {
    const date = dateOf(match, now);
    if (date !== undefined && !found.some((known) => known.date === date))
      found.push({ words: match[0], date });
    if (found.length === MAX_DATES) break;
  }
  return found;
}

function dateOf(match: RegExpExecArray, now: number): string | undefined {
  const [words, count, unit, hanCount, hanUnit, weekday, month, hanMonth] = match;
  const days = DAYS[words.toLowerCase()];
  if (days !== undefined) return day(now + days * DAY_MS);
  if (weekday !== undefined) return day(now - daysSince(weekday.toLowerCase(), now) * DAY_MS);
  if (month !== undefined) return monthBefore(now, month.toLowerCase() === "last" ? 1 : 0);
  if (hanMonth !== undefined) return monthBefore(now, hanMonth === "上个月" ? 1 : 0);
  const amount = numberOf(count ?? hanCount ?? "");
  if (amount === undefined) return undefined;
  if (unit?.toLowerCase() === "month" || hanUnit === "个月") return monthBefore(now, amount);
  const length = unit?.toLowerCase() === "week" || hanUnit === "周" ? 7 : 1;
  return day(now - amount * length * DAY_MS);
}

const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

function monthBefore(now: number, months: number): string {
  const today = new Date(now);
  return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - months, 1))
    .toISOString()
    .slice(0, 7);
}

/** Number of days since the last such weekday, one to seven. */
function daysSince(weekday: string, now: number): number {
  return ((new Date(now).getUTCDay() - WEEKDAYS.indexOf(weekday) + 6) % 7) + 1;
}

const numberOf = (text: string): number | undefined =>
  NUMBERS[text.toLowerCase()] ?? (/^\d+$/.test(text) ? Number(text) : undefined);
