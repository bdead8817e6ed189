import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type FoundFile, output } from "./corpus.ts";
import { type Structure, structureOf, withoutRunningHeads } from "./measures.ts";

const SCRIPT = fileURLToPath(new URL("reference.py", import.meta.url));
const FILTER = fileURLToPath(new URL("plain.lua", import.meta.url));
const LIBRARIES = ["python-pptx==1.0.2", "openpyxl==3.1.5"];
const INSTALL_LIMIT_MS = 300_000;

/** What another tool reads from a file. */
export interface Reference {
  readonly text: string;
  /** Undefined if the tool does not report them. */
  readonly structure: Structure | undefined;
}

/**
 * The reference tools per format: pdftotext, pandoc, python-pptx, openpyxl, and for OpenDocument Python's XML
 * parser, since pandoc drops its headings.
 */
export class References {
  readonly #python: string;

  private constructor(python: string) {
    this.#python = python;
  }

  /** Installs missing Python libraries below `folder`. */
  static async open(folder: string): Promise<References> {
    const home = join(folder, "python");
    const python = join(home, "bin/python");
    if (!existsSync(join(home, "bin/pip"))) await output("python3", ["-m", "venv", home], INSTALL_LIMIT_MS);
    if ((await output(python, ["-m", "pip", "install", "-q", ...LIBRARIES], INSTALL_LIMIT_MS)) === undefined)
      throw new Error(`python3 cannot install ${LIBRARIES.join(" and ")} in a virtual environment`);
    return new References(python);
  }

  /** Returns undefined if the tool cannot read the file. */
  async of({ path, format }: FoundFile): Promise<Reference | undefined> {
    switch (format) {
      case "pdf": {
        const text = await output("pdftotext", ["-enc", "UTF-8", path, "-"]);
        return text === undefined ? undefined : { text: withoutRunningHeads(text), structure: undefined };
      }
      case "docx":
      case "epub":
      case "html": {
        const text = await output("pandoc", [
          "-s",
          "-t",
          "plain",
          "--wrap=none",
          "--lua-filter",
          FILTER,
          path,
        ]);
        const markdown =
          text === undefined
            ? undefined
            : await output("pandoc", ["-t", "gfm", "--wrap=none", "--lua-filter", FILTER, path]);
        return text === undefined
          ? undefined
          : { text, structure: markdown === undefined ? undefined : structureOf(markdown) };
      }
      default: {
        const said = await output(this.#python, [SCRIPT, path]);
        if (said === undefined) return undefined;
        const { text, ...structure } = JSON.parse(said) as { readonly text: string } & Structure;
        return { text, structure };
      }
    }
  }
}
