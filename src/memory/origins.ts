import { MEMORY_ORIGINS, type MemoryOrigin } from "./fact-file.ts";
import type { Utterance } from "./utterance.ts";

/** Where what messages say comes from: the least trusted of them. */
export type OriginOf = (messages: readonly string[]) => MemoryOrigin;

/**
 * By the roles of the messages, which the server knows: what a tool gave, what an agent said, what the user said.
 * A person whom a transcript names speaks as the role that brought it.
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
