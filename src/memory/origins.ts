import { MEMORY_ORIGINS, type MemoryOrigin } from "./fact-file.ts";
import type { Utterance } from "./utterance.ts";

/** The origin of messages: the least trusted one. */
export type OriginOf = (messages: readonly string[]) => MemoryOrigin;

/**
 * By the roles of the messages, which the server knows: tool, agent or user. A person named by a transcript
 * has the role that brought it.
 */
export function originsOf(utterances: readonly Utterance[]): OriginOf {
  const levels = new Map(utterances.map((one) => [one.id, MEMORY_ORIGINS.indexOf(originOfOne(one))]));
  return (messages) => {
    const least = messages.reduce((most, id) => Math.max(most, levels.get(id) ?? 0), 0);
    return MEMORY_ORIGINS[least] ?? "user";
  };
}

/** When the first and the last of some messages were said, Unix times in ms; undefined if none is known. */
export type TimesOf = (messages: readonly string[]) => [number, number] | undefined;

export function timesOf(utterances: readonly Utterance[]): TimesOf {
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
