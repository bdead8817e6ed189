import { itemAt } from "../base/expect.ts";

/** A tool call in a message. */
export interface ToolCall {
  readonly name: string;
  /** As JSON; "" if empty. */
  readonly input: string;
  readonly output: string;
  readonly status: "pending" | "running" | "completed" | "error";
}

/** An archived message with speaker and time, as input of memory extraction. */
export interface Utterance {
  /** Id of the message. */
  readonly id: string;
  readonly role: "user" | "assistant";
  /** Name in the transcript, otherwise the role. */
  readonly speaker: string;
  /** Whether the transcript names the speaker, who is then a person, not an agent. */
  readonly isNamed: boolean;
  /** Time as written in the transcript, otherwise `2026-11-21 16:05` (UTC). */
  readonly when: string;
  /** Date such as `2026-11-21`. */
  readonly date: string;
  /** Unix time in ms; the beginning of `date` if the transcript has no more. */
  readonly time: number;
  /** Text without the transcript's time and speaker prefix. */
  readonly text: string;
  readonly tools: readonly ToolCall[];
}

/** A message as stored. */
export interface SpokenMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly tools: readonly ToolCall[];
  /** Unix time in ms. */
  readonly createdAt: number;
}

/** Origins of memories, most trusted first. */
export const MEMORY_ORIGINS = ["user", "agent", "tool", "import"] as const;
export type MemoryOrigin = (typeof MEMORY_ORIGINS)[number];

/** `[1:56 pm on 8 May, 2023] Ada: …`, as in transcripts of conversations between people. */
const TIME_NOTE = /^\s*\[([^\]\n]{4,60})\]\s*/;
const SPEAKER_NOTE = /^\s*(\p{Lu}[\p{L}\p{M}.'’-]{0,29}(?: \p{Lu}[\p{L}\p{M}.'’-]{0,29}){0,2})\s*[:：]\s+/u;
/** Message labels that are not speaker names: "Correction: …". */
const LABEL =
  /^\s*(?:decided|decision|reminder\b[^:：]{0,30}|heads up|news|quick one|request|rule|rules|agreed|done|deadline|name|address|location|budget|stack|entschieden|entscheidung|beschlossen|erinnerung|regel|bitte|zur info|décidé|décision|règle|决定|规定|通知|correction|update|edit|note|nb|ps|fyi|info|reminder|question|answer|example|context|background|todo|task|summary|korrektur|berichtigung|nachtrag|hinweis|notiz|frage|antwort|beispiel|rectification|rectificatif|précision|remarque|exemple|rappel|更正|更新|补充|注意|备注|提醒|问题|回答|例如)\s*[:：]/iu;
/** Share of a role's messages that must name the same speaker. */
const SAME_SPEAKER = 0.6;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * Converts messages to utterances. Time and speaker prefixes are used if a role has them throughout;
 * otherwise they remain in the text.
 */
export function utterancesOf(messages: readonly SpokenMessage[]): Utterance[] {
  const speakers = { user: speakerOf(messages, "user"), assistant: speakerOf(messages, "assistant") };
  return messages.map(({ id, role, text, tools, createdAt }) => {
    const name = speakers[role];
    const note = noteOf(text);
    const isNoted = name !== undefined && note.speaker === name;
    const iso = new Date(createdAt).toISOString();
    const when = isNoted && note.when ? note.when : `${iso.slice(0, 10)} ${iso.slice(11, 16)}`;
    const speaker = isNoted ? name : role;
    const day = iso.slice(0, 10);
    const date = dateIn(when) ?? day;
    return {
      id,
      role,
      speaker,
      isNamed: isNoted,
      when,
      date,
      time: date === day ? createdAt : Date.parse(date) || createdAt,
      text: isNoted ? note.rest : text.trim(),
      tools,
    };
  });
}

interface Note {
  readonly when?: string;
  readonly speaker?: string;
  readonly rest: string;
}

function noteOf(text: string): Note {
  const time = TIME_NOTE.exec(text);
  const when = time && /\d/.test(itemAt(time, 1)) ? itemAt(time, 1) : undefined;
  const behind = time && when !== undefined ? text.slice(time[0].length) : text;
  const speaker = SPEAKER_NOTE.exec(behind);
  if (!speaker || LABEL.test(behind)) return { rest: text };
  return {
    ...(when !== undefined && { when }),
    speaker: itemAt(speaker, 1),
    rest: behind.slice(speaker[0].length).trim(),
  };
}

function speakerOf(messages: readonly SpokenMessage[], role: SpokenMessage["role"]): string | undefined {
  const said = messages.filter((message) => message.role === role && message.text.trim() !== "");
  const counts = new Map<string, number>();
  for (const { text } of said) {
    const { speaker } = noteOf(text);
    if (speaker !== undefined) counts.set(speaker, (counts.get(speaker) ?? 0) + 1);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  return most && most[1] >= Math.max(1, said.length * SAME_SPEAKER) ? most[0] : undefined;
}

/** The date in a text: `2023-05-08`, `8 May, 2023`, `May 8, 2023`. */
export function dateIn(text: string): string | undefined {
  const iso = /\b(\d{4})-(\d{2})-(\d{2})\b/.exec(text);
  if (iso) return iso[0];
  const dayFirst = /\b(\d{1,2})(?:st|nd|rd|th)? ([A-Za-z]{3,9})\.?,? (\d{4})\b/.exec(text);
  const monthFirst = /\b([A-Za-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b/.exec(text);
  const [day, month, year] = dayFirst
    ? [itemAt(dayFirst, 1), itemAt(dayFirst, 2), itemAt(dayFirst, 3)]
    : monthFirst
      ? [itemAt(monthFirst, 2), itemAt(monthFirst, 1), itemAt(monthFirst, 3)]
      : ["", "", ""];
  const number = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  if (number === 0 || Number(day) < 1 || Number(day) > 31) return undefined;
  return `${year}-${String(number).padStart(2, "0")}-${day.padStart(2, "0")}`;
}

/** Returns the origin of messages: the least trusted one. */
export type OriginOf = (messages: readonly string[]) => MemoryOrigin;

/**
 * Determines origins from the roles of the messages, which the server knows: tool, agent or user. A person
 * named in a transcript has the role of the message.
 */
export function originLookup(utterances: readonly Utterance[]): OriginOf {
  const levels = new Map(utterances.map((one) => [one.id, MEMORY_ORIGINS.indexOf(originOfOne(one))]));
  return (messages) => {
    const least = messages.reduce((most, id) => Math.max(most, levels.get(id) ?? 0), 0);
    return MEMORY_ORIGINS[least] ?? "user";
  };
}

/** Times of the first and last of these messages, Unix time in ms; undefined if none is known. */
export type TimesOf = (messages: readonly string[]) => [number, number] | undefined;

export function timeLookup(utterances: readonly Utterance[]): TimesOf {
  const times = new Map(utterances.map(({ id, time }) => [id, time]));
  return (messages) => {
    let said: [number, number] | undefined;
    for (const message of messages) {
      const time = times.get(message);
      if (time !== undefined) said = [Math.min(time, said?.[0] ?? time), Math.max(time, said?.[1] ?? time)];
    }
    return said;
  };
}

const originOfOne = ({ role, tools }: Utterance): MemoryOrigin =>
  tools.length > 0 ? "tool" : role === "user" ? "user" : "agent";
