import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "../../src/ingest/parse/parse.ts";
import { docx, epub, paragraph, xlsx } from "../support/documents.ts";
import { picture } from "../support/media.ts";
import { pdf } from "../support/pdf.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { Api } from "./harness/api.ts";
import { Corpus } from "./harness/corpus.ts";
import { type Bench, type Figure, perSecond } from "./harness/figure.ts";
import { startServer } from "./harness/server.ts";
import { timed } from "./harness/timed.ts";

const WORDS = 200;
const MB = 1e6;
const WARM_UP_FILES = 10;
const QUICK_SHARE = 0.05;

interface Kind {
  readonly name: string;
  readonly files: number;
  readonly make: (corpus: Corpus, number: number) => string | Buffer | Promise<Buffer>;
}

const KINDS: readonly Kind[] = [
  {
    name: "md",
    files: 2000,
    make: (corpus, i) => `# Note ${i}\n\n${corpus.text(WORDS / 2)}\n\n## More\n\n${corpus.text(WORDS / 2)}\n`,
  },
  { name: "txt", files: 2000, make: (corpus) => corpus.text(WORDS) },
  { name: "ts", files: 2000, make: codeOf },
  {
    name: "py",
    files: 500,
    make: (corpus, i) =>
      functionsOf(corpus, i, (name, words) => `def ${name}(x):\n    """${words}"""\n    return x\n`),
  },
  { name: "html", files: 500, make: (corpus, i) => pageOf(i, corpus.text(WORDS)) },
  {
    name: "csv",
    files: 1000,
    make: (corpus) =>
      `name,words\n${rowsOf(corpus)
        .map((row) => row.join(","))
        .join("\n")}\n`,
  },
  {
    name: "json",
    files: 1000,
    make: (corpus, i) =>
      JSON.stringify({ number: i, notes: rowsOf(corpus).map(([name, words]) => ({ name, words })) }),
  },
  { name: "pdf", files: 200, make: (corpus) => pdf([linesOf(corpus), linesOf(corpus)]) },
  {
    name: "docx",
    files: 200,
    make: (corpus, i) =>
      docx(
        paragraph(`Note ${i}`, "Heading1") +
          paragraphsOf(corpus)
            .map((text) => paragraph(text))
            .join(""),
      ),
  },
  { name: "xlsx", files: 200, make: (corpus) => xlsx("Notes", rowsOf(corpus)) },
  {
    name: "epub",
    files: 100,
    make: (corpus, i) => epub([pageOf(i, corpus.text(WORDS)), pageOf(i + 1, corpus.text(WORDS))]),
  },
  { name: "png", files: 300, make: () => picture() },
];

export const kinds: Bench = {
  name: "kinds",
  title: "import of a folder of small files of one kind with wait, beside its bare reader in a loop",
  async run({ quick }) {
    const server = await startServer();
    const folder = await temporaryFolder();
    const api = await Api.open(server.port);
    const corpus = new Corpus();
    try {
      const figures: Figure[] = [];
      for (const { name, files, make } of KINDS) {
        const count = Math.round(files * (quick ? QUICK_SHARE : 1));
        const contents: Buffer[] = [];
        for (let i = 0; i < count + WARM_UP_FILES; i++) contents.push(Buffer.from(await make(corpus, i)));
        const warm = await folderOf(
          join(folder.path, `${name}-warm`),
          name,
          contents.splice(0, WARM_UP_FILES),
        );
        await add(api, warm);
        const path = await folderOf(join(folder.path, name), name, contents);
        figures.push(await figureOf(name, contents, (await timed(() => add(api, path))) / 1000));
      }
      return figures;
    } finally {
      api.close();
      await server.stop();
      await folder.remove();
    }
  },
};

async function figureOf(name: string, contents: readonly Buffer[], seconds: number): Promise<Figure> {
  const bytes = contents.reduce((sum, content) => sum + content.length, 0);
  const read = async (some: readonly Buffer[]) => {
    for (const content of some) await parse(`a.${name}`, Buffer.from(content));
  };
  await read(contents.slice(0, WARM_UP_FILES));
  const bare = (await timed(() => read(contents))) / 1000;
  const rates = (time: number) =>
    `${perSecond(contents.length / time)}, ${(bytes / time / MB).toPrecision(2)} MB/s`;
  return {
    what: `${contents.length} × .${name}`,
    measured: rates(seconds),
    beside: `bare reader: ${rates(bare)}`,
    ratio: bare / seconds,
  };
}

async function folderOf(path: string, extension: string, contents: readonly Buffer[]): Promise<string> {
  await mkdir(path);
  await Promise.all(contents.map((content, i) => writeFile(join(path, `file-${i}.${extension}`), content)));
  return path;
}

async function add(api: Api, path: string): Promise<void> {
  const order = { path, to: `ctx://resources/${path.split("/").at(-1)}`, wait: true };
  const { status, errors } = await api.post<{ status: string; errors: readonly string[] }>(
    "/api/v1/resources",
    order,
  );
  if (status !== "success") throw new Error(errors.join("; "));
}

const pageOf = (number: number, text: string): string =>
  `<html><head><title>Note ${number}</title></head><body><h1>Note ${number}</h1>${text
    .split("\n\n")
    .map((part) => `<p>${part}</p>`)
    .join("")}</body></html>`;

const paragraphsOf = (corpus: Corpus): string[] => corpus.text(WORDS).split("\n\n");
const rowsOf = (corpus: Corpus): string[][] =>
  Array.from({ length: 20 }, (_, i) => [`name ${i}`, corpus.text(WORDS / 20)]);

function codeOf(corpus: Corpus, number: number): string {
  return functionsOf(
    corpus,
    number,
    (name, words) =>
      `/** ${words} */\nexport function ${name}(x: number): number {\n  return x + ${number};\n}\n`,
  );
}

const functionsOf = (corpus: Corpus, number: number, one: (name: string, words: string) => string): string =>
  Array.from({ length: 10 }, (_, i) =>
    one(`part${number}of${i}`, corpus.text(WORDS / 10).replaceAll("\n", " ")),
  ).join("\n");

/** Returns a page of lines with ten words each. */
const linesOf = (corpus: Corpus) =>
  Array.from({ length: 20 }, (_, i) => ({ x: 72, y: 780 - 14 * i, text: corpus.text(10) }));
