import { open } from "node:fs/promises";
import { Option } from "commander";
import { uploadSource } from "../../add-source.ts";
import { uriOf } from "../../arguments.ts";
import { LocalError } from "../../cli-errors.ts";
import type { Define } from "../../define.ts";
import { EXIT } from "../../exit-code.ts";
import { counted } from "../../terminal/amounts.ts";

interface Options {
  readonly onConflict: string;
  readonly index: boolean;
  readonly wait: boolean;
}

export const define: Define = (command, shell) => {
  command
    .description(
      "Import a pack made by `ctxdb export`. The whole pack is verified before anything is written.",
    )
    .argument("<file>", "path of the pack on this machine")
    .argument("[parent]", "folder into which it is imported", uriOf, "ctx://resources")
    .addOption(
      new Option("--on-conflict <what>", "what to do if the root of the pack already exists")
        .choices(["fail", "overwrite", "skip"])
        .default("fail"),
    )
    .option("--no-index", "store without indexing for search")
    .option("--no-wait", "return without waiting for layers and vectors")
    .action(async (file: string, parent: string, { onConflict, index: vectorize, wait }: Options) => {
      await checkPack(file);
      const { packs } = await shell.client();
      const tempPath = await uploadSource(shell, file);
      const deadlineSeconds = shell.patienceSeconds;
      const request = { tempPath, parent, onConflict, vectorize, wait };
      const imported = await packs.import(request, { signal: shell.signal, deadlineSeconds });
      await shell.show(
        imported,
        () => `imported ${shell.paint.name(imported.uri)} (${counted(imported.files, "file")})\n`,
      );
    });
};

/** First bytes of a zip archive. */
const ZIP_START = Buffer.from("PK");

/** Fails before the upload if the file is not a zip archive. */
async function checkPack(file: string): Promise<void> {
  const handle = await open(file).catch(() => {
    throw new LocalError(
      `cannot read ${file}: it does not exist on this machine, or you have no permission`,
      EXIT.notFound,
    );
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(ZIP_START.length), 0, ZIP_START.length, 0);
    if (buffer.subarray(0, bytesRead).equals(ZIP_START)) return;
  } finally {
    await handle.close();
  }
  throw new LocalError(
    `${file} is not a pack made by \`ctxdb export\`; import other files with \`ctxdb add\``,
  );
}
