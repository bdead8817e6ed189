import { expect, it } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import { plainPassage } from "../../../src/domain/text/plain-passage.ts";
import { fileLayers } from "../../../src/enrich/file-layers.ts";
import { parseHere } from "../../support/parse-here.ts";

const read = (text: string, name = "xz-cat.1") =>
  parseHere(name, Buffer.from(text), { workspace: workspaceId(1) });
const page = (body: string) =>
  `.TH XZ-CAT 1\n.SH NAME\nxz\\-cat \\- prints \\fBcompressed\\fR files\n${body}\n`;

it("a manual page becomes Markdown whose abstract is its NAME section, in any language", async () => {
  for (const [head, name] of [
    ['.TH "XZ\\-CAT" "1" "2026-01-01"', "NAME"],
    ['.\\" comment\n.TH XZ-CAT 1', "BEZEICHNUNG"],
  ] as const) {
    const text = `${head}\n.SH ${name}\nxz\\-cat \\- prints \\fBcompressed\\fR files\n.SH SYNOPSIS\n.B xz-cat\n[\\fIfile\\fR...]\n`;
    const parsed = await read(text);
    expect(parsed).toMatchObject({
      kind: "document",
      mime: "text/troff",
      title: "xz-cat",
      encoding: "utf-8",
    });
    expect(parsed.text).toBe(
      `# xz-cat\n\n## ${name}\n\nxz-cat - prints compressed files\n\n## SYNOPSIS\n\nxz-cat [file...]\n`,
    );
    expect(parsed.converted).toBe(parsed.text);
    expect(fileLayers(parsed, "xz-cat.1").abstract).toBe("xz-cat: prints compressed files.");
  }
});

it.each([
  [
    "options after .TP",
    '.TP\n.BR \\-d ", " \\-\\-delete\nDeletes it.\n.TP\n\\fB\\-x\\fR\nMore.',
    "- -d, --delete: Deletes it.\n- -x: More.",
  ],
  ["options in an indented text", ".PP\n\\fB\\-l\\fR\n.RS 4\nLocks it\\&.\n.RE", "- -l: Locks it."],
  ["items with and without marks", '.IP \\(bu 2\nDigits\n.IP "-a n"\nAged.', "- Digits\n- -a n: Aged."],
  ["examples", ".nf\nls *.c\n  cd\n.fi\nDone.", "```\nls *.c\n  cd\n```\n\nDone."],
  [
    "tables",
    ".TS\ntab(@);\nl l.\nSIGHUP@T{\nhang\nup\nT}\nSIGINT@stop\n.TE",
    "- SIGHUP | hang up\n- SIGINT | stop",
  ],
  [
    "accents and quotes",
    "L\\(:oscht \\(Fcalles\\(Fo, stra\\[ss]e, \\[u00E9], it\\*(Aqs",
    "Löscht »alles«, straße, é, it's",
  ],
  [
    "signs of Markdown",
    "Kill <pid> and `x` or a*b of PASS_MAX\\_DAYS",
    "Kill \\<pid> and \\`x\\` or a\\*b of PASS_MAX_DAYS",
  ],
  ["definitions and conditions", ".de XX\nhidden\n..\n.ie n \\{\\\n.\\}\n.if n .B seen", "seen"],
  [
    "paragraphs and examples of pod2man",
    "One.\n.Sp\nTwo.\n.Vb 1\n\\& ls\n.Ve",
    "One.\n\nTwo.\n\n```\n ls\n```",
  ],
  ["nothing at all", ".TS", ""],
])("a manual page with %s becomes readable Markdown", async (_, roff, markdown) => {
  const { text } = await read(page(`.SH REST\n${roff}`));
  expect(text.split("## REST")[1]?.trim()).toBe(markdown);
});

it("the passage of a manual page shows the words between angle brackets", async () => {
  const { text } = await read(page(".SH USAGE\nkill <pid> sends a signal, see <https://a.example/b>."));
  const start = text.indexOf("kill");
  expect(plainPassage(text, { start, end: text.length }, { max: 1000, enough: 300 })).toBe(
    "kill <pid> sends a signal, see https://a.example/b.",
  );
});

it("a file is a manual page only if it contains roff and is named like a manual page", async () => {
  expect((await read(page(""), "notes.txt")).kind).toBe("text");
  expect((await read("plain words", "xz-cat.1")).kind).toBe("text");
});

it("arguments in a manual page may contain Unicode line separators, and comments are left out", async () => {
  const { text } = await read(page('.SH USE\n.B one\u2028two \\" hidden\nplain \\" hidden\u2028hidden'));
  expect(text.split("## USE")[1]?.trim()).toBe("one two plain");
});
