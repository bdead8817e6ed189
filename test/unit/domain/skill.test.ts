import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kebabName, skillDocument, skillHead } from "../../../src/domain/skill.ts";
import { readFrontMatter } from "../../../src/ingest/front-matter.ts";
import { readPageFrontMatter, withFewMarks } from "../../../src/ingest/parse/data/yaml.ts";

const headOf = (document: string) => skillHead(readFrontMatter(document, "data"));
const fieldOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return (error as { details?: { field?: string } }).details?.field ?? String(error);
  }
};

describe("long front matter", () => {
  const longList = (entries: number) => `steps:\n${"  - a: b\n".repeat(entries)}`;

  it("a skill whose other entries are long has the name, description and tags of its own entries", () => {
    const document = `---\nname: tea\n${longList(1000)}description: >\n  Makes\n  tea.\ntags:\n- hot\n---\n`;
    expect(headOf(document)).toMatchObject({ name: "tea", description: "Makes tea.", tags: ["hot"] });
  });

  it("a skill is refused if its own entries have more marks than are parsed at once", () => {
    const document = `---\nname: tea\ndescription: a\ntags:\n${"- a\n".repeat(600)}---\n`;
    expect(fieldOf(() => headOf(document))).toBe("data");
  });

  it("a page whose other entries are long keeps its title and description", () => {
    const block = `${longList(600)}"title": "Tea"\n${longList(300)}description: How it is made.\n`;
    expect(readPageFrontMatter(block)).toEqual({ title: "Tea", description: "How it is made." });
  });

  it("the text to parse has at most a thousand lines and special characters, whatever the block holds", () => {
    const keys = new Set(["a"]);
    const marks = (text: string) => text.match(/[[\]{},:?&*!|>'"#%@`\n-]/g)?.length ?? 0;
    for (const unit of ["a: b\n", "[a], ", ":\n", "- a\n", "a:\n  b:\n"]) {
      expect(marks(withFewMarks(unit.repeat(200), keys) ?? "")).toBeLessThanOrEqual(1000);
      expect(withFewMarks(unit.repeat(1001), keys) ?? "").toBe("");
    }
  });
});

describe("the name of a skill", () => {
  it.each([
    ["Meeting Notes", "meeting-notes"],
    ["fetchPageNow", "fetch-page-now"],
    ["parseHTMLPage2Text", "parse-html-page2-text"],
    ["-Trim.Me-", "trim-me"],
    ["../../etc", "etc"],
    ["Straße ÉTÉ", "straße-été"],
    ["会议 记录", "会议-记录"],
    ["!!!", ""],
  ])("the skill name %s becomes %j", (given, name) => {
    expect(kebabName(given)).toBe(name);
  });
  it("a name of megabytes is read in part", () => {
    expect(kebabName("\ufdfa".repeat(100_000)).length).toBeLessThan(20_000);
  });
  it("a normalized skill name stays the same", () => {
    fc.assert(fc.property(fc.string(), (name) => kebabName(kebabName(name)) === kebabName(name)));
  });
});

describe("the document of a skill", () => {
  it("a skill document keeps every field of the skill, with any content", () => {
    const item = fc.string({ minLength: 1, maxLength: 40 }).map((text) => `a${text}`.trim());
    const skill = fc.record({
      name: item,
      description: item,
      content: fc.string(),
      tags: fc.array(item),
      allowed_tools: fc.array(item),
    });
    fc.assert(
      fc.property(skill, (data) => {
        expect(headOf(skillDocument(data))).toEqual({
          name: kebabName(data.name),
          description: data.description,
          tags: data.tags,
          allowedTools: data.allowed_tools,
        });
      }),
    );
  });

  it("a skill document has only one front matter, even if its content has one too", () => {
    const document = skillDocument({ name: "x", description: "d", content: "---\nname: y\n---\n# Text\n" });
    expect(document).toBe('---\nname: "x"\ndescription: "d"\n---\n\n# Text\n');
  });

  it("the skill document of a tool lists its parameters", () => {
    const properties = {
      city: { type: "string", description: "Name\nof a city" },
      days: { type: ["integer", "null"] },
      odd: 5,
    };
    const tool = {
      name: "getWeather",
      description: "Tells the weather",
      inputSchema: { type: "object", properties, required: ["city"] },
    };
    expect(skillDocument(tool).split("---\n\n")[1]).toBe(
      [
        "# getWeather\n\nTells the weather\n\n## Parameters\n",
        "- `city` (string, required): Name of a city\n- `days` (integer or null, optional)\n- `odd` (any, optional)\n",
        "## Usage\n\nCall the tool `getWeather` with the parameters above when a task asks for it.\n",
      ].join("\n"),
    );
    expect(skillDocument({ ...tool, inputSchema: {} })).toContain("takes no parameters");
  });

  it.each([
    ["name", { name: 5, description: "d" }],
    ["description", { name: "x", description: [] }],
    ["tags", { name: "x", description: "d", tags: "a" }],
    ["content", { name: "x", description: "d", content: {} }],
    ["inputSchema", { name: "x", description: "d", inputSchema: "s" }],
    ["inputSchema.properties", { name: "x", description: "d", inputSchema: { properties: [] } }],
    ["data", []],
    ["data", null],
  ])("a malformed skill object is refused naming %s", (field, data) => {
    expect(fieldOf(() => skillDocument(data))).toBe(field);
  });
});

describe("a front matter", () => {
  it("front matter is read as plain text and lists, without numbers, dates or tags", () => {
    const head = headOf(
      "---\r\nname: 007\r\ndescription: !!js/function 2024-01-01\r\nallowed-tools: Read, Grep\r\ntags: [a, {b: c}, 5]\r\nx: {y: z}\r\n---\r\n",
    );
    expect(head).toEqual({
      name: "007",
      description: "2024-01-01",
      tags: ["a", "5"],
      allowedTools: ["Read", "Grep"],
    });
  });

  const bomb = Array.from(
    { length: 9 },
    (_, i) => `k${i + 1}: &k${i + 1} [${Array(9).fill(`*k${i}`).join()}]`,
  ).join("\n");
  it.each([
    ["an alias bomb", `---\nk0: &k0 [l,l]\n${bomb}\nname: x\ndescription: d\n---\n`, "data"],
    ["many levels", `---\nname: x\na: ${"[".repeat(5000)}\n---\n`, "data"],
    ["a list", "---\n- a\n---\n", "data"],
    ["broken YAML", "---\nname: [x\ndescription: d\n---\n", "data"],
    ["no end", "---\nname: x", "data"],
    ["another language", "---js\n{}\n---\n", "data"],
    ["a megabyte", `---\nname: x\ndescription: ${"d".repeat(1e6)}\n---\n`, "data"],
    ["a long description", `---\nname: x\ndescription: ${"d".repeat(9000)}\n---\n`, "description"],
    ["a long name", `---\nname: ${"n".repeat(65)}\ndescription: d\n---\n`, "name"],
    ["a name of marks", "---\nname: '../..'\ndescription: d\n---\n", "name"],
    ["a name that is a list", "---\nname: [x]\ndescription: d\n---\n", "name"],
    ["no description", "---\nname: x\n---\n", "description"],
  ])("front matter with %s is refused", (_, document, field) => {
    expect(fieldOf(() => headOf(document))).toBe(field);
  });
});
