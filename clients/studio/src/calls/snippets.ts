import type { DescMethod, JsonValue, Message } from "@bufbuild/protobuf";
import { curlOf, fieldsOf } from "./curl.ts";
import { goOf, isWatched } from "./go.ts";
import { type ClientName, clientNameOf } from "./names.ts";
import type { Target } from "./target.ts";

/** A call as a program in one language. */
export interface Snippet {
  readonly language: "curl" | "Python" | "TypeScript" | "Go";
  readonly text: string;
}

/**
 * A call as a program in each language that supports it. Programs read the key from CTXDB_API_KEY; it is
 * never part of them.
 */
export function snippetsOf(method: DescMethod, request: Message, target: Target): Snippet[] {
  const name = clientNameOf(method);
  const curl = curlOf(method, request, target);
  return [
    ...(curl === undefined ? [] : [{ language: "curl", text: curl } as const]),
    ...(name === undefined
      ? []
      : ([
          { language: "Python", text: pythonOf(name, method, request, target) },
          { language: "TypeScript", text: typescriptOf(name, method, request, target) },
          { language: "Go", text: goOf(name, method, request, target) },
        ] as const)),
  ];
}

const KEYWORDS: Readonly<Record<string, string>> = { import: "import_" };
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** A Python literal; JSON strings are also valid Python strings. */
function python(value: JsonValue): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value === "object")
    return `{${Object.entries(value)
      .map(([name, one]) => `${string(name)}: ${python(one)}`)
      .join(", ")}}`;
  return typeof value === "string" ? string(value) : JSON.stringify(value);
}

/** A string literal that is valid in JSON, Python, TypeScript and Go. */
const string = (text: string): string => JSON.stringify(text);

function pythonOf({ group, name }: ClientName, method: DescMethod, request: Message, target: Target): string {
  const options = Object.entries(target.options).map(([option, value]) => `, ${option}=${string(value)}`);
  const args = [...fieldsOf(method, request)].map(([field, value]) => `${field}=${python(value)}`);
  const call = `client.${group}.${KEYWORDS[name] ?? snake(name)}(${args.join(", ")})`;
  const isStream = method.methodKind === "server_streaming";
  return [
    "import os",
    "",
    "import ctxdb",
    "",
    `with ctxdb.connect(${string(target.address)}, key=os.environ.get("CTXDB_API_KEY")${options.join("")}) as client:`,
    ...(isStream ? [`    for part in ${call}:`, "        print(part)"] : [`    print(${call})`]),
  ].join("\n");
}

/** A TypeScript program; field names are in camelCase, except in free-form JSON. */
function typescriptOf(
  { group, name }: ClientName,
  method: DescMethod,
  request: Message,
  target: Target,
): string {
  const fields = [...fieldsOf(method, request)].map(
    ([field, value]) => `${camel(field)}: ${JSON.stringify(value)}`,
  );
  const args = fields.length === 0 ? "" : `{ ${fields.join(", ")} }`;
  const options = Object.entries(target.options).map(([option, value]) => `, ${option}: ${string(value)}`);
  const call = `client.${group}.${name}(${args})`;
  const isFeed = isWatched(method);
  return [
    'import { connect } from "@ctxdb/client";',
    "",
    `const client = connect(${string(target.address)}, { key: process.env.CTXDB_API_KEY${options.join("")} });`,
    isFeed ? `for await (const part of ${call}) console.log(part);` : `console.log(await ${call});`,
  ].join("\n");
}
