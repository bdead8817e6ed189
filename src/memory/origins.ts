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

const originOfOne = ({ role, tools }: Utterance): MemoryOrigin =>
  tools.length > 0 ? "tool" : role === "user" ? "user" : "agent";
