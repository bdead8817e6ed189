import { printable } from "../../../base/printable.ts";
import { addSource } from "../../add-source.ts";
import { uriOf } from "../../arguments.ts";
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
  readonly instruction?: string;
  readonly summarize?: boolean;
  readonly strict: boolean;
  readonly index: boolean;
}

/** Limit of warnings shown; the rest is counted. */
const WARNINGS = 5;

export const define: Define = (command, shell) => {
  command
    .description(
      "Add a local file or folder, a web page or a repository. What lies on this machine is uploaded where the server cannot read it itself. " +
        "The same source again updates what is there.",
    )
    .argument("<source>", "path or URL")
    .option("--to <uri>", "the exact place below ctx://resources", uriOf)
    .option("--into <uri>", "the folder that receives it under its own name", uriOf)
    .option("--no-wait", "do not wait for layers and vectors")
    .option("--upload", "upload even where the server could read the path")
    .option("--include <globs>", "only files that match, by comma")
    .option("--exclude <globs>", "leave out files that match, by comma")
    .option("--ignore-dirs <names>", "leave out folders of these names, by comma")
    .option("--reason <text>", "why it is added; kept with it")
    .option("--instruction <text>", "for parsing and summaries; kept with it")
    .option("--summarize", "let the language model, where there is one, write the layers")
    .option("--no-strict", "warn of files that cannot be parsed instead of failing")
    .option("--no-index", "do not index for search")
    .action(async (source: string, options: Options) => {
      if (options.to !== undefined && options.into !== undefined)
        throw new UsageError("give --to or --into, not both");
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
      };
      const added = await addSource(shell, source, request, options.upload === true);
      if (options.wait && added.taskId) await followTask(shell, added.taskId);
      const size = options.wait && !shell.options.json ? await sizeOf(shell, added.rootUri) : "";
      await shell.show(added, () => `added ${shell.paint.name(added.rootUri)}${size}\n`);
      tellWarnings(shell, added.warnings);
      if (!options.wait && added.taskId) shell.note(`the work goes on: ctxdb tasks wait ${added.taskId}`);
    });
};

/** Number of nodes of a folder, in brackets. */
async function sizeOf(shell: Shell, uri: string): Promise<string> {
  const { fs } = await shell.client();
  const { count } = await fs.stat({ uri }, { signal: shell.signal });
  return count === undefined ? "" : ` (${counted(count, "node")})`;
}

function tellWarnings(shell: Shell, warnings: readonly string[]): void {
  const { warn } = shell.messagePaint;
  for (const warning of warnings.slice(0, WARNINGS)) shell.note(`${warn("warning:")} ${printable(warning)}`);
  if (warnings.length > WARNINGS)
    shell.note(`${warn("warning:")} and ${warnings.length - WARNINGS} more; --json lists all`);
}
