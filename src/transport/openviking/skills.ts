import { isAbsolute } from "node:path";
import { isObject } from "../../base/expect.ts";
import { kebabName } from "../../domain/skill.ts";
import { frontMatterEnd } from "../../domain/text/headings.ts";
import type { JsonObject } from "../rest/json-body.ts";

/** Maximum characters of a document searched for its heading and first sentence. */
const MAX_READ_LENGTH = 16 * 1024;
const MAX_DESCRIPTION_LENGTH = 300;
const FRONT_MATTER = /^\s*---\r?\n/;

/**
 * Converts the body of `POST skills`: `content` becomes `data`, and a document may lack front matter. A
 * missing description is taken from the first line of text, otherwise from the name.
 */
export function skillBody(body: JsonObject): JsonObject {
  const { content, name, description, ...rest } = body;
  const data = body.data ?? (typeof content === "string" && describedBy(content, { name, description }));
  if (!data) return body;
  const own = body.data === undefined ? rest : body;
  if (isObject(data)) return { ...own, data: described(data) };
  if (typeof data !== "string" || (isAbsolute(data) && !data.includes("\n"))) return { ...own, data };
  return { ...own, data: describedBy(data, {}) };
}

/** A skill as an object, with a description. */
function described(skill: JsonObject): JsonObject {
  const { name, description, content } = skill;
  if (typeof name !== "string" || (description !== undefined && description !== null && description !== ""))
    return skill;
  return { ...skill, description: firstLine(typeof content === "string" ? content : "") || name };
}

/**
 * Returns a document unchanged if its front matter has a description; otherwise an object with the missing
 * fields.
 */
function describedBy(
  document: string,
  given: { readonly name?: unknown; readonly description?: unknown },
): unknown {
  const end = FRONT_MATTER.test(document) ? frontMatterEnd(document.trimStart()) : 0;
  const front = document.trimStart().slice(0, Math.min(end, MAX_READ_LENGTH));
  const inFront = (key: string) => new RegExp(`^${key}:[ \\t]*(\\S.*)$`, "m").exec(front)?.[1];
  if (inFront("name") && inFront("description")) return document;
  const text = document.trimStart().slice(end).trimStart();
  const titled = /^#{1,6}[ \t]+(.+)$/m.exec(text.slice(0, MAX_READ_LENGTH))?.[1] ?? "";
  const name = unquoted(inFront("name")) ?? (typeof given.name === "string" ? given.name : titled);
  const description = unquoted(inFront("description")) ?? given.description;
  return described({ name: kebabName(name) || "skill", description, content: text });
}

const unquoted = (text: string | undefined): string | undefined =>
  text?.trim().replace(/^(["'])(.*)\1$/, "$2");

/** The first line of running text, without headings and markup. */
function firstLine(text: string): string {
  const line = text
    .slice(0, MAX_READ_LENGTH)
    .split("\n")
    .map((one) => one.trim())
    .find((one) => one !== "" && !one.startsWith("#") && !one.startsWith("---"));
  return (line ?? "")
    .replace(/^[-*>]\s+/, "")
    .slice(0, MAX_DESCRIPTION_LENGTH)
    .toWellFormed();
}
