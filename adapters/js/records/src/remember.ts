import { createHash } from "node:crypto";
import type { Client } from "@ctxdb/client";
import { unless } from "./files.ts";

/** Messages of one call; the server takes up to 500. */
const BATCH = 100;

/** One message. */
export interface Said {
  readonly role: string;
  readonly text: string;
  /** Tells it from others with the same words, for example its place or its id. */
  readonly mark?: string;
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A session of the server for an id of a framework, which may be any text. */
export const sessionName = (prefix: string, id: string): string => `${prefix}-${hashOf(id).slice(0, 32)}`;

/**
 * Adds what user and assistant said to a session and makes memories of it; how many. A message is added once,
 * however often it is handed over.
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
