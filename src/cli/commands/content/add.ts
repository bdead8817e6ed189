import { printable } from "../../../base/printable.ts";
import { addSource } from "../../add-source.ts";
import { gathered, uriOf } from "../../arguments.ts";
import { UsageError } from "../../cli-errors.ts";
import type { Define } from "../../define.ts";
import { followTask } from "../../follow-task.ts";
import type { Shell } from "../../shell.ts";
import { counted } from "../../terminal/amounts.ts";

interface Options {
  readonly to?: string;
  readonly into?: string;
  readonly wait: boolean;
  readonly upload?: boolean;
  readonly include?: string;
  readonly exclude?: string;
  readonly ignoreDirs?: string;
  readonly reason?: string;
  readonly tag?: string[];
  readonly instruction?: string;
  readonly summarize?: boolean;
  readonly strict: boolean;
  readonly index: boolean;
}

/** Maximum number of warnings printed; further ones are only counted. */
const WARNINGS = 5;

export const define: Define = (command, shell) => {
  command
    .description(
      "Import a local file or folder, a web page or a git repository. Local files are uploaded if the server cannot read them itself. " +
        "Adding the same source again updates it in place.",
    )
    .argument("<source>", "path, URL or git repository")
    .option("--to <uri>", "exact URI of the resource, below ctx://resources", uriOf)
    .option("--into <uri>", "parent folder; the resource keeps its own name", uriOf)
    .option("--no-wait", "return without waiting for layers and vectors")
    .option("--upload", "upload even if the server can read the path")
    .option("--include <globs>", "import only matching files, such as '*.md,docs/**'")
    .option("--exclude <globs>", "skip matching files, separated by commas")
    .option("--ignore-dirs <names>", "skip folders with these names, separated by commas")
    .option("-t, --tag <tag>", "tag to set on the resource; can be repeated", (text, before: string[] = []) =>
      gathered(text, before),
    )
    .option("--reason <text>", "why the resource is added; stored with it")
    .option("--instruction <text>", "instructions for the model that writes abstracts and overviews")
    .option("--summarize", "let the configured language model write abstracts and overviews")
    .option("--no-strict", "warn about files that cannot be parsed instead of failing")
    .option("--no-index", "store without indexing for search")
    .action(async (source: string, options: Options) => {
      if (options.to !== undefined && options.into !== undefined)
        throw new UsageError("--to and --into cannot be combined: give one of them");
      const {
        to,
        into: parent,
        include,
        exclude,
        ignoreDirs,
        reason,
        instruction,
        summarize,
        strict,
        index: buildIndex,
        tag: tags,
      } = options;
      const request = {
        to,
        parent,
        include,
        exclude,
        ignoreDirs,
        reason,
        instruction,
        summarize,
        strict,
        buildIndex,
        tags,
      };
      const added = await addSource(shell, source, request, options.upload === true);
      if (options.wait && added.taskId) await followTask(shell, added.taskId);
      const size = options.wait && !shell.options.json ? await sizeOf(shell, added.rootUri) : "";
      await shell.show(added, () => `added ${shell.paint.name(added.rootUri)}${size}\n`);
      tellWarnings(shell, added.warnings);
      if (!options.wait && added.taskId)
        shell.note(`still running on the server; wait for it with \`ctxdb tasks wait ${added.taskId}\``);
    });
};

/** Number of files and folders in a folder, in brackets. */
async function sizeOf(shell: Shell, uri: string): Promise<string> {
  const { fs } = await shell.client();
  const { count } = await fs.stat({ uri }, { signal: shell.signal });
  return count === undefined ? "" : ` (${counted(count, "node")})`;
}

function tellWarnings(shell: Shell, warnings: readonly string[]): void {
  const { warn } = shell.messagePaint;
  for (const warning of warnings.slice(0, WARNINGS)) shell.note(`${warn("warning:")} ${printable(warning)}`);
  if (warnings.length > WARNINGS)
    shell.note(`${warn("warning:")} ${warnings.length - WARNINGS} more; use --json to see all`);
}
