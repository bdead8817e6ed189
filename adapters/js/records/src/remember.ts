import { createHash } from "node:crypto";
import type { Client } from "@ctxdb/client";
import { unless } from "./files.ts";

/** Messages per call; the server accepts up to 500. */
const BATCH = 100;

/** One message. */
export interface Said {
  readonly role: string;
  readonly text: string;
  /** Distinguishes the message from others with the same text, for example its position or id. */
  readonly mark?: string;
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Returns the session id for an id of a framework, which may be any text. */
export const sessionName = (prefix: string, id: string): string => `${prefix}-${hashOf(id).slice(0, 32)}`;

/**
 * Adds messages of user and assistant to a session and extracts memories; returns their number. Each message
 * is added only once, however often it is passed.
 */
export async function remember(client: Client, sessionId: string, said: readonly Said[]): Promise<number> {
  await unless("ALREADY_EXISTS", () => client.sessions.create({ sessionId }));
  const messages = said
    .filter(({ role, text }) => (role === "user" || role === "assistant") && text.trim() !== "")
    .map(({ role, text, mark = "" }) => ({
      id: hashOf([mark, role, text].join("\0")),
      role,
      content: text,
    }));
  for (let at = 0; at < messages.length; at += BATCH)
    await client.sessions.addMessages({ sessionId, messages: messages.slice(at, at + BATCH) });
  const { memoriesExtracted } = await client.sessions.commit({ sessionId });
  return memoriesExtracted ?? 0;
}
