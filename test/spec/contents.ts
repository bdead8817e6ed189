/** Interface "Memory categories": where each is stored, and what happens to a second memory. */
export interface Category {
  readonly category: string;
  readonly home: string;
  readonly first: string;
  readonly second: string;
  readonly files: 1 | 2;
}

const USERS_HOME = "ctx://user/<user>/memories";
const AGENTS_HOME = "ctx://agent/default/memories";

export const CATEGORIES: readonly Category[] = [
  {
    category: "profile",
    home: `${USERS_HOME}/profile.md`,
    first: "My name is Ann Carver.",
    second: "I live in Oslo.",
    files: 1,
  },
  {
    category: "preferences",
    home: `${USERS_HOME}/preferences/`,
    first: "I love jazz.",
    second: "I hate jazz.",
    files: 1,
  },
  {
    category: "entities",
    home: `${USERS_HOME}/entities/`,
    first: "My manager is Dana Whitfield.",
    second: "Dana leads the billing team.",
    files: 1,
  },
  {
    category: "events",
    home: `${USERS_HOME}/events/`,
    first: "The lock gate has leaked.",
    second: "The lock gate was caulked.",
    files: 2,
  },
  {
    category: "cases",
    home: `${AGENTS_HOME}/cases/`,
    first: "The build failed because the cache was stale; clearing the cache fixed it.",
    second: "The deploy failed because the token was expired; renewing the token fixed it.",
    files: 2,
  },
  {
    category: "patterns",
    home: `${AGENTS_HOME}/patterns/`,
    first: "I always run the linter before committing.",
    second: "I always run the linter before committing.",
    files: 1,
  },
];

/** Interface "Message" and "Part" with rulings M3 and M4: a body, and its invalid field or "". */
const part = (fields: object) => ({ role: "user", parts: [fields] });
export const MESSAGES: readonly (readonly [body: object, wrong: string])[] = [
  [{ role: "user", content: "x" }, ""],
  [{ role: "assistant", content: "" }, ""],
  [{ role: "system", content: "x" }, "role"],
  [{ role: null, content: "x" }, "role"],
  [{ role: "user" }, "content"],
  [{ role: "user", content: null, parts: null }, "content"],
  [{ role: "user", parts: [] }, "content"],
  [{ role: "user", content: 5 }, "content"],
  [{ role: "user", content: "lost", parts: [{ type: "text", text: "wins" }] }, ""],
  [part({ type: "text", text: "x" }), ""],
  [part({ type: "text" }), "parts[0].text"],
  [part({ type: "picture" }), "parts[0].type"],
  [part({}), "parts[0].type"],
  [part({ type: "context", uri: "ctx://resources/x" }), ""],
  [part({ type: "context", uri: "ctx://resources/x", context_type: "skill", abstract: "a" }), ""],
  [part({ type: "context" }), "parts[0].uri"],
  [part({ type: "context", uri: "ctx://resources/x", context_type: "page" }), "parts[0].context_type"],
  [part({ type: "tool" }), ""],
  [
    part({
      type: "tool",
      tool_id: "t",
      tool_name: "n",
      skill_uri: "ctx://skills/s",
      tool_input: { a: 1 },
      tool_output: "o",
    }),
    "",
  ],
  [part({ type: "tool", tool_status: "pending" }), ""],
  [part({ type: "tool", tool_status: "running" }), ""],
  [part({ type: "tool", tool_status: "completed" }), ""],
  [part({ type: "tool", tool_status: "error" }), ""],
  [part({ type: "tool", tool_status: "done" }), "parts[0].tool_status"],
  [part({ type: "tool", tool_input: "text" }), "parts[0].tool_input"],
];

/** Interface "Skill input": the four forms, and the resulting content of SKILL.md. */
const PROPERTIES = { city: { type: "string", description: "Where" }, days: { type: "integer" } };
export const SKILLS: readonly {
  readonly form: string;
  readonly data: unknown;
  readonly name: string;
  readonly holds: readonly string[];
}[] = [
  {
    form: "skill dict",
    data: {
      name: "Weather Report",
      description: "Tells the weather",
      content: "# W",
      allowed_tools: ["Read"],
      tags: ["sky"],
    },
    name: "weather-report",
    holds: ["name: ", "description: ", "allowed-tools:", "Read", "tags:", "sky", "# W"],
  },
  {
    form: "tool-definition dict",
    data: {
      name: "getWeather",
      description: "Tells it",
      inputSchema: { type: "object", properties: PROPERTIES, required: ["city"] },
    },
    name: "get-weather",
    holds: [
      "name: ",
      "# getWeather",
      "Tells it",
      "## Parameters",
      "`city` (string, required): Where",
      "`days` (integer, optional)",
      "## Usage",
    ],
  },
  {
    form: "string with front matter",
    data: "---\nname: csv_cleaner\ndescription: Cleans\nallowed-tools:\n  - Read\ntags: [data]\n---\n\n# C\n",
    name: "csv-cleaner",
    holds: ["# C", "allowed-tools"],
  },
  { form: "path of a file", data: "<skill-file>", name: "from-file", holds: ["# F"] },
  { form: "path of a directory", data: "<skill-folder>", name: "from-folder", holds: ["# D"] },
];

/** Wildcards of interface "glob" with ruling G2, applied to GLOB_FILES. */
export const GLOB_FILES = ["a.md", "b.txt", "s/a.md", "s/t/c.md", "s/.h/d.md", ".e.md"];
export const GLOBS: readonly (readonly [pattern: string, matches: readonly string[] | "refused"])[] = [
  ["*", ["a.md", "b.txt", "s"]],
  ["*.md", ["a.md"]],
  ["**", ["a.md", "b.txt", "s", "s/a.md", "s/t", "s/t/c.md"]],
  ["**/*.md", ["a.md", "s/a.md", "s/t/c.md"]],
  ["s/**", ["s/a.md", "s/t", "s/t/c.md"]],
  ["s/**/c.md", ["s/t/c.md"]],
  ["?.md", ["a.md"]],
  ["?.*", ["a.md", "b.txt"]],
  ["s?a.md", []],
  ["[ab].*", ["a.md", "b.txt"]],
  ["[!a].*", ["b.txt"]],
  ["[a-b].txt", ["b.txt"]],
  ["{a.md,b.txt}", ["a.md", "b.txt"]],
  ["{s,x}/{a,b}.md", ["s/a.md"]],
  ["A.md", []],
  ["", "refused"],
  ["[a", "refused"],
  ["{a", "refused"],
];

/** Regular expressions of interface "grep" with ruling G1, applied to GREP_LINES. */
export const GREP_LINES = ["Otters swim.", "", "the otter", "a.b", "axb", "x".repeat(5000)];
export const GREPS: readonly (readonly [
  pattern: string,
  more: object,
  lines: readonly number[] | "refused",
])[] = [
  ["otter", {}, [3]],
  ["otter", { case_insensitive: true }, [1, 3]],
  ["(?i)OTTER", {}, [1, 3]],
  ["a.b", {}, [4, 5]],
  ["a\\.b", {}, [4]],
  ["^the", {}, [3]],
  ["r$", {}, [3]],
  ["^$", {}, [2]],
  ["O|x{2}", {}, [1, 6]],
  ["\\bswim\\b", {}, [1]],
  ["zebra", {}, []],
  ["", {}, "refused"],
  ["(", {}, "refused"],
  ["(?=a)", {}, "refused"],
  ["(a)\\1", {}, "refused"],
];

/** Interface "Component status": columns and the first cell of each row. */
export const TABLES: Readonly<
  Record<string, { readonly columns: string; readonly rows: readonly string[] }>
> = {
  queue: {
    columns: "Queue, Pending, In Progress, Processed, Errors, Total",
    rows: ["Embedding", "Semantic", "TOTAL"],
  },
  vectordb: { columns: "Collection, Index Count, Vector Count, Status", rows: ["context", "TOTAL"] },
  vlm: { columns: "Model, Provider, Prompt, Completion, Total, Last Updated", rows: ["TOTAL"] },
};
