import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Corpus } from "./corpus.ts";

const FILES_PER_DIRECTORY = 40;
const DIRECTORIES_PER_MODULE = 10;
/** One file in this many is `LARGER` times as long. */
const LARGE_EVERY = 100;
const LARGER = 60;
const WORDS = [40, 400] as const;

/** File types per twenty files, in the proportions of a typical repository. */
const KINDS = [..."tttttttpppppggmmmmjy"] as const;

/**
 * Writes a folder that resembles a code repository: code, documents and data of mixed sizes. The same number
 * yields the same files. Returns their size in bytes.
 */
export async function makeRepository(root: string, files: number): Promise<number> {
  const corpus = new Corpus();
  let bytes = 0;
  for (let first = 0; first < files; first += FILES_PER_DIRECTORY) {
    const directory = first / FILES_PER_DIRECTORY;
    const folder = join(
      root,
      `module-${Math.floor(directory / DIRECTORIES_PER_MODULE)}`,
      `part-${directory % DIRECTORIES_PER_MODULE}`,
    );
    await mkdir(folder, { recursive: true });
    for (let i = first; i < Math.min(files, first + FILES_PER_DIRECTORY); i++) {
      const [name, text] = fileOf(i, corpus);
      bytes += Buffer.byteLength(text);
      await writeFile(join(folder, name), text);
    }
  }
  return bytes;
}

function fileOf(i: number, corpus: Corpus): [name: string, text: string] {
  const words =
    (WORDS[0] + ((i * 37) % (WORDS[1] - WORDS[0]))) * (i % LARGE_EVERY === LARGE_EVERY - 1 ? LARGER : 1);
  const paragraphs = corpus.text(words).split("\n\n");
  switch (KINDS[i % KINDS.length]) {
    case "t":
      return [
        `unit-${i}.ts`,
        paragraphs
          .map(
            (text, n) =>
              `/** ${text} */\nexport function step${n}(value: number) {\n  return value + ${n};\n}\n`,
          )
          .join("\n"),
      ];
    case "p":
      return [
        `unit_${i}.py`,
        paragraphs
          .map((text, n) => `def step_${n}(value):\n    """${text}"""\n    return value + ${n}\n`)
          .join("\n\n"),
      ];
    case "g":
      return [
        `unit_${i}.go`,
        `package unit\n\n${paragraphs.map((text, n) => `// ${text}\nfunc Step${n}(v int) int { return v + ${n} }\n`).join("\n")}`,
      ];
    case "m":
      return [
        `page-${i}.md`,
        `# Page ${i}\n\n${paragraphs.map((text, n) => `## Part ${n}\n\n${text}\n`).join("\n")}`,
      ];
    case "j":
      return [
        `data-${i}.json`,
        JSON.stringify(Object.fromEntries(paragraphs.map((text, n) => [`entry${n}`, text])), null, 1),
      ];
    default:
      return [
        `settings-${i}.yaml`,
        paragraphs.map((text, n) => `entry${n}: ${JSON.stringify(text)}\n`).join(""),
      ];
  }
}
