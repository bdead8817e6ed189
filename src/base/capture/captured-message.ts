import { isObject } from "../expect.ts";
import { redacted, withoutPrivateKeys } from "./redact.ts";

/** One part of a message, as the REST API accepts it. */
export type CapturedPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "tool";
      readonly tool_id: string;
      readonly tool_name: string;
      readonly tool_input: Readonly<Record<string, unknown>>;
      readonly tool_output: string;
      readonly tool_status: "completed" | "error";
    };

/** A message from an agent's conversation, ready to send. */
export interface CapturedMessage {
  /** Stable: reading the message again yields the same id, so the server stores it only once. */
  readonly id: string;
  readonly role: "user" | "assistant";
  /** ISO 8601; absent if the transcript has no time. */
  readonly at?: string;
  readonly parts: readonly CapturedPart[];
}

const MAX_TEXT = 20_000;
const MAX_INPUT_VALUE = 1000;
const MAX_INPUT_FIELDS = 20;
const MAX_OUTPUT = 2000;
const MAX_INPUT_NAME = 100;
/** Maximum length in characters of a secret that may span the cut of a shortened text: a large JWT. */
const MAX_SECRET = 8192;
/**
 * Prefix of text that a hook inserted for the model. Capturing it would turn recalled memories into new ones.
 */
const RECALLED = "Recalled from ctxdb.";
/** Elements that agents insert into a user's message. */
const NOTICES = [
  "system-reminder",
  "environment_context",
  "local-command-caveat",
  "user_instructions",
  "ctxdb-recall",
] as const;

/** The part of a message that the user wrote. Runs in linear time; an unclosed element is kept. */
export function withoutNotices(text: string): string {
  let written = text;
  for (const name of NOTICES) written = withoutElement(written, `<${name}>`, `</${name}>`);
  return written.trim();
}

function withoutElement(text: string, opening: string, closing: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let start = text.indexOf(opening); start >= 0; start = text.indexOf(opening, from)) {
    const end = text.indexOf(closing, start + opening.length);
    if (end < 0) break;
    kept.push(text.slice(from, start));
    from = end + closing.length;
  }
  return from === 0 ? text : kept.join("") + text.slice(from);
}

/** The text without secrets and without text added by the agent; undefined if nothing remains. */
export function textPart(text: string): CapturedPart | undefined {
  const said = withoutNotices(text);
  return said === "" || said.startsWith(RECALLED) ? undefined : { type: "text", text: kept(said, MAX_TEXT) };
}

export interface CapturedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export function toolPart(call: CapturedCall, output: string, isError: boolean): CapturedPart {
  return {
    type: "tool",
    tool_id: call.id.slice(0, 128),
    tool_name: call.name.slice(0, 128),
    tool_input: inputOf(call.input),
    tool_output: kept(output, MAX_OUTPUT),
    tool_status: isError ? "error" : "completed",
  };
}

/** The fields of a tool's input as short strings. Nested values are JSON. */
function inputOf(input: unknown): Readonly<Record<string, unknown>> {
  const fields = isObject(input) ? Object.entries(input) : [["input", input] as const];
  return Object.fromEntries(
    fields.slice(0, MAX_INPUT_FIELDS).map(([name, value]) => {
      const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
      const shown = name.slice(0, MAX_INPUT_NAME);
      // redact together with the name: the value of a field called password is a secret
      return [shown, kept(`${shown}=${text}`, MAX_INPUT_VALUE).slice(shown.length + 1)];
    }),
  );
}

/**
 * Redacts secrets and shortens the text to `limit` by cutting its middle. Only the parts that remain, plus a
 * margin of the longest secret, are searched; private keys may be longer and are searched everywhere.
 */
function kept(text: string, limit: number): string {
  const reach = Math.floor(limit / 2) + MAX_SECRET;
  const rest = text.length > 2 * reach ? withoutPrivateKeys(text) : text;
  if (rest.length <= 2 * reach) return shortened(redacted(rest), limit);
  const half = Math.floor(limit / 2);
  const [beginning, end] = [redacted(rest.slice(0, reach)), redacted(rest.slice(-reach))];
  return `${beginning.slice(0, half)}\n[…]\n${end.slice(-half)}`.toWellFormed();
}

/** Cuts the middle of a text longer than `limit`. */
function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text.toWellFormed();
  const half = Math.floor(limit / 2);
  return `${text.slice(0, half)}\n[…]\n${text.slice(-half)}`.toWellFormed();
}

/** A field of an untrusted value; undefined if absent. */
export const fieldOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

export function textField(value: unknown, name: string): string | undefined {
  const field = fieldOf(value, name);
  return typeof field === "string" ? field : undefined;
}
