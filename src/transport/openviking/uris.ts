import { isObject } from "../../base/expect.ts";
import type { Caller } from "../../domain/caller.ts";
import type { JsonObject } from "../rest/json-body.ts";

/** Fields that contain a URI or a list of URIs. */
const URI_FIELDS: ReadonlySet<string> = new Set([
  "contexts",
  "from_uri",
  "parent",
  "skill_uri",
  "target_uri",
  "to",
  "to_uri",
  "to_uris",
  "uri",
  "uris",
]);
export const isUriField = (name: string): boolean => URI_FIELDS.has(name);

/** Objects and lists that may contain such fields. */
const HOLDERS: ReadonlySet<string> = new Set(["messages", "parts", "skill"]);
const SCOPES = /^\/?(resources|user|agent|session|skills)(?=\/|$)/;
/** Names after `user/` and `agent/` that belong to the caller's own space. */
const OWN_SPACE: ReadonlyMap<string, RegExp> = new Map([
  ["user", /^(?:memories|peers|profile\.md|\.abstract\.md|\.overview\.md)$/],
  ["agent", /^(?:memories|instructions)$/],
]);

/**
 * Completes a URI: `resources/x` and `/resources/x` get their scheme; `user/memories/x`, `agent/memories/x`
 * and `session/ID` get the caller's space. Other URIs are unchanged.
 */
export function fullUri(text: string, scheme: string, caller: Caller): string {
  if (text === "/") return `${scheme}://`;
  const end = text.indexOf("://");
  if (end < 0 && !SCOPES.test(text)) return text;
  const path = end < 0 ? text.replace(/^\//, "") : text.slice(end + 3);
  const [scope = "", space, ...rest] = path.split("/");
  const head = `${end < 0 ? scheme : text.slice(0, end)}://`;
  if (space === undefined || space === "" || !isOwn(scope, space, caller)) return head + path;
  const owner = scope === "agent" ? caller.agent : caller.user;
  return head + [scope, owner, space, ...rest].join("/");
}

function isOwn(scope: string, space: string, caller: Caller): boolean {
  if (space === (scope === "agent" ? caller.agent : caller.user)) return false;
  return scope === "session" || (OWN_SPACE.get(scope)?.test(space) ?? false);
}

/** Completes the URIs in a body; other values stay the same objects. */
export function withFullUris(body: JsonObject, scheme: string, caller: Caller): JsonObject {
  const full = (value: unknown): unknown =>
    typeof value === "string" ? fullUri(value, scheme, caller) : value;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (isUriField(name)) return [name, Array.isArray(value) ? value.map(full) : full(value)];
      if (!HOLDERS.has(name)) return [name, value];
      const inner = (held: unknown) => (isObject(held) ? withFullUris(held, scheme, caller) : held);
      return [name, Array.isArray(value) ? value.map(inner) : inner(value)];
    }),
  );
}
