import { afterAll, describe, expect, it } from "vitest";
import { Parser } from "../../../src/ingest/parse/process/parser.ts";
import { silentLog } from "../../support/silent-log.ts";

const VALUE = {
  kind: "html",
  mime: "text/html",
  encoding: "utf-8",
  title: "A title",
  warnings: [],
  isConverted: true,
  hasSections: false,
  encodedAs: "latin1",
};
const section = (fields: object = {}) =>
  `${JSON.stringify({ path: ["01-a.md"], title: "A", headings: ["A"], length: 4, ...fields })}\n`;

/** The answer of a process that a hostile file has taken over. */
const FORGERIES: Readonly<Record<string, object>> = {
  "no fields": { value: { kind: undefined, mime: undefined } },
  "a foreign kind": { value: { kind: "__proto__" } },
  "a title that is not text": { value: { title: { toString: "x" } } },
  "an endless title": { value: { title: "a".repeat(100_000) } },
  "a media type with a line break": { value: { mime: "text/html\r\nx: y" } },
  "seconds that are not a number": { value: { seconds: "1" } },
  "negative seconds": { value: { seconds: -1 } },
  "a field that no parser makes": { value: { text: "other" } },
  "a field of the prototype": { value: JSON.parse('{"__proto__": {"error": "x"}}') },
  "warnings without measure": { value: { warnings: Array(1000).fill("w".repeat(100)) } },
  "more warnings than allowed": { value: { warnings: Array(5000).fill("") } },
  "an encoding of its own": { value: { encodedAs: "hex" } },
  "half a character": { value: { encodedAs: "utf16le" }, text: "abc" },
  "more bytes of parts than all": { value: { outlineBytes: 1000 } },
  "a negative size": { value: { sectionBytes: -1 } },
  "a size that is not a number": { value: { sectionBytes: null } },
  "sections of a text that has none": { sections: section(), text: "text" },
  "a path that leaves its folder": {
    value: { hasSections: true },
    sections: section({ path: ["..", "b.md"] }),
    text: "text",
  },
  "a path with a slash": {
    value: { hasSections: true },
    sections: section({ path: ["a/b.md"] }),
    text: "text",
  },
  "a path without end": {
    value: { hasSections: true },
    sections: section({ path: [...Array(100).fill("a"), "b.md"] }),
    text: "text",
  },
  "no path": { value: { hasSections: true }, sections: section({ path: [] }), text: "text" },
  "two sections have the same name": {
    value: { hasSections: true },
    sections: section({ length: 2 }).repeat(2),
    text: "text",
  },
  "sections that are not the whole text": {
    value: { hasSections: true },
    sections: section({ length: 3 }),
    text: "text",
  },
  "a section of negative length": {
    value: { hasSections: true },
    sections: section({ length: -4 }),
    text: "text",
  },
  "more sections than any text has": {
    value: { hasSections: true },
    sections: Array.from({ length: 2001 }, (_, i) => section({ path: [`${i}.md`], length: 0 })).join(""),
  },
  "a section without end": {
    value: { hasSections: true },
    sections: `${"[".repeat(100_000)}\n`,
    text: "text",
  },
  "a list in place of an answer": { extra: [1] },
  nothing: { extra: null },
  "a reason that is not text": { extra: { unreadable: 7 } },
  "a reason without end": { extra: { unreadable: "x".repeat(100_000) } },
};

describe("a parser that its file has taken over", () => {
  const parser = new Parser({
    limitSeconds: 60,
    memoryMb: 512,
    log: silentLog,
    module: new URL("../../support/forging-parser.ts", import.meta.url),
  });
  afterAll(() => parser.close());

  let accounts = 0;
  const read = (answer: object) =>
    parser.parse("page.html", Buffer.from(JSON.stringify({ ...answer })), { workspace: accounts++ as never });
  const forge = ({ value = {}, ...rest }: { value?: object }) =>
    read({ value: { ...VALUE, ...value }, ...rest });

  it("the answer of a parser is read unchanged", async () => {
    const sections = section({ path: ["01-a", "01-b.md"] }) + section({ path: ["02-c.md"], headings: [] });
    expect(
      await forge({
        value: { hasSections: true, title: "\ud800" },
        sections,
        outline: "A — B",
        text: "text\xe4\xe4\xe4\xe4",
      } as object),
    ).toEqual({
      kind: "html",
      mime: "text/html",
      encoding: "utf-8",
      title: "\ufffd",
      warnings: [],
      outline: "A — B",
      text: "textääää",
      converted: "textääää",
      sections: [
        { path: ["01-a", "01-b.md"], title: "A", headings: ["A"], text: "text" },
        { path: ["02-c.md"], title: "A", headings: [], text: "ääää" },
      ],
    });
  });

  it.each(Object.keys(FORGERIES))("a file is stored without text if its parser answers %s", async (name) => {
    const parsed = await forge(FORGERIES[name]!);
    expect(parsed).toMatchObject({
      kind: "binary",
      text: "",
      error: expect.stringMatching(/crashes the parser/),
    });
  });
});
