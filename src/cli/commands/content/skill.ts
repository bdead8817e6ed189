import { uploadSource } from "../../add-source.ts";
import type { Define } from "../../define.ts";
import { counted } from "../../terminal/amounts.ts";
import { tableText } from "../../terminal/columns.ts";

export const define: Define = (command, shell) => {
  command.description("Skills that agents can follow, shared in the account.");
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
    .command("rm")
    .description("Delete a skill and its files.")
    .argument("<name>", "name of the skill")
    .action(async (name: string) => {
      const removed = await (await shell.client()).skills.delete({ name }, { signal: shell.signal });
      await shell.show(removed, () => `deleted ${removed.uri}\n`);
    });
};
