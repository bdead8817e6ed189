import type { LayerSource } from "../layers.ts";

const MAX_READ_LENGTH = 256 * 1024;
const COMMAND = /^=(head[1-6]|item|over|back|begin|end|for|cut|pod|encoding)\b[ \t]*(.*)$/;
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", sol: "/", verbar: "|", quot: '"' };
/** `Name - description`, the content of the NAME section. */
const NAME_LINE = /^(\S.{0,120}?)\s+[-–—]{1,3}\s+(\S.{2,400})$/;
const CODE_CODES = /([A-Z])<{1,3}[ \t]?([^<>]{0,500})>{1,3}/g;
const MAX_NESTING = 3;

/** Perl's documentation in a module or a file of its own, as a Markdown document; undefined without any. */
export function podDocument(source: LayerSource): LayerSource | undefined {
  if (source.kind !== "code" && source.kind !== "text") return undefined;
  const whole = source.text.slice(0, MAX_READ_LENGTH);
  if (!/^=(?:head1|pod)\b/m.test(whole) || !/^=head1\s/m.test(whole)) return undefined;
  const { name, about, text } = convert(whole);
  if (about === "" && !/^[^#\s]/m.test(text)) return undefined;
  return {
    kind: "markdown",
    title: name || source.title,
    text: name === "" ? text : `# ${name}\n\n${text}`,
    outline: "",
    ...(about !== "" && { description: about }),
  };
}

interface Converted {
  readonly name: string;
  readonly about: string;
  readonly text: string;
}

function convert(whole: string): Converted {
  const lines: string[] = [];
  let [name, about, section] = ["", "", ""];
  for (const { command, body } of podParagraphs(whole)) {
    if (command.startsWith("head")) {
      section = body;
      if (!isName(section)) lines.push(`${"#".repeat(Number(command.slice(4)) + 1)} ${body}`);
    } else if (isName(section) && name === "") {
      const [, told = body, said = ""] = NAME_LINE.exec(body) ?? [];
      [name, about] = [told.slice(0, 80), said];
    } else lines.push(command === "item" ? `- ${body.replace(/^\*\s*/, "")}` : body);
  }
  return { name, about, text: lines.filter((line) => !/^(?:- ?)?$/.test(line)).join("\n\n") };
}

interface PodParagraph {
  /** `head1` to `head6`, `item`, or "" for an ordinary paragraph. */
  readonly command: string;
  readonly body: string;
}

function* podParagraphs(whole: string): Generator<PodParagraph> {
  let [isPod, isSkipped] = [false, false];
  for (const paragraph of whole.split(/\n[ \t\r]*\n/)) {
    const [first = "", ...rest] = paragraph.replace(/^\n+/, "").split("\n");
    const [, command = "", argument = ""] = COMMAND.exec(first) ?? [];
    if (command !== "") isPod = command !== "cut";
    if (command === "begin" || command === "end") isSkipped = command === "begin";
    // verbatim paragraphs are code
    if (!isPod || isSkipped || WITHOUT_TEXT.test(command) || /^[ \t]/.test(first)) continue;
    yield { command, body: plain([command === "" ? first : argument, ...rest].join(" ")) };
  }
}

const WITHOUT_TEXT = /^(?:begin|end|for|over|back|pod|encoding)$/;

const isName = (section: string): boolean => /^NAME$/i.test(section);

/** A paragraph without formatting codes. */
function plain(paragraph: string): string {
  let text = paragraph.replace(/\s+/g, " ").trim();
  for (let i = 0; i < MAX_NESTING && /[A-Z]</.test(text); i++) text = text.replace(CODE_CODES, shown);
  return text;
}

function shown(_: string, code: string, inner: string): string {
  if (code === "E") return ENTITIES[inner] ?? "";
  if (code === "X" || code === "Z") return "";
  if (code !== "L") return inner.trim();
  const [label = ""] = inner.split("|", 1);
  return inner.includes("|") ? label : inner.replace(/^\/+/, "").replace(/"/g, "");
}
