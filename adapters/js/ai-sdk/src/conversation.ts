import { createHash } from "node:crypto";
import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";

type UserMessage = Extract<LanguageModelV4Message, { role: "user" }>;

/** One message of the user, and how it is recognised in every later call. */
export interface UserTurn {
  /** Hash of everything that was said up to and with this message. */
  readonly key: string;
  /** Place in the prompt. */
  readonly index: number;
  readonly text: string;
}

/** The words of a message; "" for one without. */
export function textOf(message: LanguageModelV4Message): string {
  if (message.role === "system") return "";
  const parts: string[] = [];
  for (const part of message.content) if (part.type === "text") parts.push(part.text);
  return parts.join("\n");
}

/** The messages of the user, the oldest first. System prompts do not count: they may hold the time of the day. */
export function userTurns(prompt: LanguageModelV4Prompt): UserTurn[] {
  const turns: UserTurn[] = [];
  let key = "";
  for (const [index, message] of prompt.entries()) {
    if (message.role !== "user" && message.role !== "assistant") continue;
    const text = textOf(message);
    key = createHash("sha256")
      .update(JSON.stringify([key, message.role, text]))
      .digest("hex");
    if (message.role === "user") turns.push({ key, index, text });
  }
  return turns;
}

/** The prompt with the given texts before the words of the user, by the key of the turn. */
export function withTexts(
  prompt: LanguageModelV4Prompt,
  turns: readonly UserTurn[],
  texts: ReadonlyMap<string, string>,
): LanguageModelV4Prompt {
  const changed = [...prompt];
  for (const { key, index } of turns) {
    const text = texts.get(key);
    const message = prompt[index];
    if (text !== undefined && text !== "" && message?.role === "user")
      changed[index] = withText(message, text);
  }
  return changed;
}

const withText = (message: UserMessage, text: string): UserMessage => ({
  ...message,
  content: [{ type: "text", text }, ...message.content],
});
