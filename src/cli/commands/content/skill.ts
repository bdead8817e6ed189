import { uploadSource } from "../../add-source.ts";
import { LocalError } from "../../cli-errors.ts";
import type { Define } from "../../define.ts";
import type { Shell } from "../../shell.ts";
import { type ExportReport, exportSkills } from "../../skills/export-skills.ts";
import { SafeFolder } from "../../skills/safe-folder.ts";
import { counted } from "../../terminal/amounts.ts";
import { tableText } from "../../terminal/columns.ts";

interface ExportFlags {
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

export const define: Define = (command, shell) => {
  command.description("Manage the skills that the agents of the account can follow.");
  command
    .command("list", { isDefault: true })
    .description("List all skills.")
    .action(async () => {
      const skills = await (await shell.client()).skills.list({ signal: shell.signal });
      await shell.show({ skills, total: skills.length }, () =>
        tableText(
          [{ title: "Name", style: "name" }, { title: "Description", gives: true }, { title: "Tags" }],
          skills.map(({ name, description, tags }) => [name, description, tags.join(", ")]),
          shell,
        ),
      );
      if (skills.length === 0) shell.note("no skills; add one with `ctxdb skill add`");
    });
  command
    .command("show")
    .description("Print the document of a skill.")
    .argument("<name>", "name of the skill")
    .action(async (name: string) => {
      const skill = await (await shell.client()).skills.get({ name }, { signal: shell.signal });
      await shell.showText(skill, `${skill.content.trimEnd()}\n`);
      if (skill.files.length > 0) shell.note(`further files: ${skill.files.join(", ")}`);
    });
  command
    .command("add")
    .description(
      "Store a skill: a SKILL.md with name and description in its front matter, or a folder or zip that contains one. Replaces a skill of the same name.",
    )
    .argument("<path>", "file, folder or zip on this machine")
    .action(async (path: string) => {
      const { skills } = await shell.client();
      const { signal, patienceSeconds: deadlineSeconds } = shell;
      const added = await skills.add(
        { tempPath: await uploadSource(shell, path), wait: true },
        { signal, deadlineSeconds },
      );
      await shell.show(
        added,
        () =>
          `stored ${added.name} as ${added.rootUri} with ${counted(added.auxiliaryFiles, "further file")}\n`,
      );
    });
  command
    .command("export")
    .description(
      "Write each skill as a folder with a SKILL.md, the layout that coding agents read (~/.claude/skills). Files that were changed in the folder are not overwritten.",
    )
    .argument("<folder>", "folder on this machine; created if missing")
    .argument("[names...]", "names of skills (default: all)")
    .option("--force", "replace files that were changed in the folder")
    .option("--dry-run", "show what would be written without writing it")
    .action((folder: string, names: string[], flags: ExportFlags) =>
      exportTo(shell, folder, { ...flags, ...(names.length > 0 && { names }), removes: false }),
    );
  command
    .command("sync")
    .description(
      "Export all skills, and delete exported files that the server no longer has. Keeps other files in the folder.",
    )
    .argument("<folder>", "folder on this machine; created if missing")
    .option("--force", "also replace and delete files that were changed in the folder")
    .option("--dry-run", "show what would change without changing it")
    .action((folder: string, flags: ExportFlags) => exportTo(shell, folder, { ...flags, removes: true }));
  command
    .command("rm")
    .description("Delete a skill and its files.")
    .argument("<name>", "name of the skill")
    .action(async (name: string) => {
      const removed = await (await shell.client()).skills.delete({ name }, { signal: shell.signal });
      await shell.show(removed, () => `deleted ${removed.uri}\n`);
    });
};

async function exportTo(
  shell: Shell,
  path: string,
  options: ExportFlags & { readonly names?: readonly string[]; readonly removes: boolean },
): Promise<void> {
  const { force = false, dryRun = false } = options;
  const client = await shell.client();
  const folder = await SafeFolder.open(path, dryRun);
  const report = await exportSkills(client, folder, { ...options, force, dryRun, signal: shell.signal });
  await shell.show(report, () => reportText(report));
  if (dryRun) shell.note("nothing was written");
  if (report.kept.length > 0)
    throw new LocalError(
      `${counted(report.kept.length, "file")} in ${path} changed since the last export and not replaced: use --force to replace them`,
    );
}

function reportText({ skills, written, removed, unchanged, kept }: ExportReport): string {
  const lines = [
    ...written.map((file) => `wrote ${file}`),
    ...removed.map((file) => `deleted ${file}`),
    ...kept.map(({ file, reason }) => `kept ${file}: ${reason}`),
    `${counted(skills, "skill")}, ${counted(unchanged, "file")} unchanged`,
  ];
  return lines.map((line) => `${line}\n`).join("");
}
