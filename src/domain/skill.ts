import { isObject, itemAt } from "../base/expect.ts";
import { invalidArgument } from "./errors.ts";
import { frontMatterEnd } from "./text/headings.ts";
import type { Path } from "./uri.ts";

/** File name of a skill's document. */
export const SKILL_FILE = "SKILL.md";

export const SKILLS_PATH: Path = ["agent", "skills"];
export const skillPath = (name: string): Path => [...SKILLS_PATH, name];

/** Name of the skill directory whose document has this path; undefined for other paths. */
export function skillOfDocument(path: Path): string | undefined {
  const [agent, skills, name, file, ...deeper] = path;
  const isDocument =
    agent === SKILLS_PATH[0] && skills === SKILLS_PATH[1] && file === SKILL_FILE && deeper.length === 0;
  return isDocument ? name : undefined;
}

const MAX_NAME_LENGTH = 64;
/**
 * Maximum characters of a name that are read, because normalization makes up to 18 characters of one; names
 * of this length are refused in any case.
 */
const MAX_READ_NAME_LENGTH = 1000;
const MAX_DESCRIPTION_BYTES = 8 * 1024;
/** Maximum number of tags or tools of a skill, and of characters in each. */
const MAX_LISTED = 100;
const MAX_LISTED_LENGTH = 200;
const MAX_PARAMETERS = 1000;

/** Front matter of a skill document. */
export interface SkillHead {
  /** In kebab case; the name of the skill's directory. */
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly allowedTools: readonly string[];
}

/** Keys of the front matter that make a skill's head. */
export const SKILL_KEYS: ReadonlySet<string> = new Set([
  "name",
  "description",
  "tags",
  "allowed-tools",
  "allowed_tools",
]);

/** Parsed front matter: strings and lists of strings. */
export type FrontMatter = ReadonlyMap<string, string | readonly string[]>;

/** Converts a name to lower-case words joined by hyphens; "" if it has no letters or digits. */
export const kebabName = (name: string): string =>
  name
    .slice(0, MAX_READ_NAME_LENGTH)
    .normalize("NFKC")
    .replace(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, "$1-")
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$1-")
    .toLowerCase()
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");

/**
 * Reads the head of a skill from its front matter. Throws INVALID_ARGUMENT naming the missing or invalid
 * field.
 */
export function skillHead(front: FrontMatter): SkillHead {
  const name = kebabName(textIn(front, "name"));
  if (name === "") throw invalidArgument("name", "must contain a letter or digit");
  if (name.length > MAX_NAME_LENGTH)
    throw invalidArgument("name", `must have at most ${MAX_NAME_LENGTH} characters`);
  const description = textIn(front, "description");
  if (Buffer.byteLength(description) > MAX_DESCRIPTION_BYTES)
    throw invalidArgument("description", `must have at most ${MAX_DESCRIPTION_BYTES} bytes`);
  return {
    name,
    description,
    tags: listIn(front, "tags"),
    allowedTools: listIn(front, "allowed-tools", "allowed_tools"),
  };
}

function textIn(front: FrontMatter, key: string): string {
  const value = front.get(key) ?? "";
  if (typeof value !== "string") throw invalidArgument(key, "must be a string");
  if (value.trim() === "") throw invalidArgument(key, "is required");
  return value.trim();
}

/** Reads a list, or a comma-separated string. */
function listIn(front: FrontMatter, ...keys: string[]): string[] {
  const value = keys.map((key) => front.get(key)).find((found) => found !== undefined) ?? [];
  const items = (typeof value === "string" ? value.split(",") : value)
    .map((item) => item.trim())
    .filter((item) => item !== "");
  if (items.length > MAX_LISTED || items.some((item) => item.length > MAX_LISTED_LENGTH))
    throw invalidArgument(
      itemAt(keys, 0),
      `must have at most ${MAX_LISTED} items of at most ${MAX_LISTED_LENGTH} characters`,
    );
  return items;
}

type Dict = Readonly<Record<string, unknown>>;

/**
 * Builds the document of a skill given as an object: a skill, or a tool definition with an `inputSchema`.
 * Throws INVALID_ARGUMENT for anything else.
 */
export function skillDocument(data: unknown): string {
  if (!isObject(data))
    throw invalidArgument("data", "must be an object, a document with front matter, or an absolute path");
  const given = { name: required(data, "name"), description: required(data, "description") };
  const name = kebabName(given.name);
  if (Object.hasOwn(data, "inputSchema"))
    return withFrontMatter({ ...given, name, tags: [], allowedTools: [] }, toolText(given, data.inputSchema));
  const content = data.content ?? "";
  if (typeof content !== "string") throw invalidArgument("content", "must be a string");
  const head = { ...given, name, tags: texts(data, "tags"), allowedTools: texts(data, "allowed_tools") };
  return withFrontMatter(head, content.toWellFormed().slice(frontMatterEnd(content)).trimStart());
}

function required(data: Dict, key: string): string {
  const value = data[key];
  if (value === undefined || value === null || value === "") throw invalidArgument(key, "is required");
  if (typeof value !== "string") throw invalidArgument(key, "must be a string");
  return value.toWellFormed();
}

function texts(data: Dict, key: string): string[] {
  const value = data[key] ?? [];
  if (!Array.isArray(value) || value.some((item) => typeof item !== "string"))
    throw invalidArgument(key, "must be an array of strings");
  return value.map((item: string) => item.toWellFormed());
}

/** Quotes a string for YAML: every JSON string is a YAML string. */
const quoted = (text: string): string => JSON.stringify(text);

function withFrontMatter({ name, description, tags, allowedTools }: SkillHead, body: string): string {
  const listed = (key: string, items: readonly string[]) =>
    items.length === 0 ? [] : [`${key}:`, ...items.map((item) => `  - ${quoted(item)}`)];
  const lines = [
    "---",
    `name: ${quoted(name)}`,
    `description: ${quoted(description)}`,
    ...listed("allowed-tools", allowedTools),
    ...listed("tags", tags),
    "---",
    "",
  ];
  return `${lines.join("\n")}\n${body.trimEnd()}\n`;
}

/** Describes a tool definition: heading, description, parameters and usage. */
function toolText({ name, description }: { name: string; description: string }, schema: unknown): string {
  if (!isObject(schema)) throw invalidArgument("inputSchema", "must be an object");
  const properties = schema.properties ?? {};
  if (!isObject(properties)) throw invalidArgument("inputSchema.properties", "must be an object");
  const needed = schema.required ?? [];
  if (!Array.isArray(needed)) throw invalidArgument("inputSchema.required", "must be an array");
  const parameters = Object.entries(properties);
  if (parameters.length > MAX_PARAMETERS)
    throw invalidArgument("inputSchema.properties", `must have at most ${MAX_PARAMETERS} parameters`);
  const all = new Set<unknown>(needed);
  const lines = parameters.map(([key, about]) => parameterLine(key, about, all.has(key)));
  const usage = `Call the tool \`${oneLine(name)}\` with ${lines.length === 0 ? "no parameters" : "the parameters above"} when a task asks for it.`;
  const listed = lines.length === 0 ? ["This tool takes no parameters."] : lines;
  return [
    `# ${oneLine(name)}`,
    "",
    description.trim(),
    "",
    "## Parameters",
    "",
    ...listed,
    "",
    "## Usage",
    "",
    usage,
  ].join("\n");
}

function parameterLine(key: string, about: unknown, isRequired: boolean): string {
  const { type, description } = isObject(about) ? about : {};
  const shown = Array.isArray(type)
    ? type.filter((one) => typeof one === "string").join(" or ")
    : typeof type === "string"
      ? type
      : "";
  const said =
    typeof description === "string" && description.trim() !== "" ? `: ${oneLine(description)}` : "";
  return `- \`${oneLine(key)}\` (${oneLine(shown) || "any"}, ${isRequired ? "required" : "optional"})${said}`;
}

const oneLine = (text: string): string => text.toWellFormed().replace(/\s+/g, " ").trim();
