import { uploadSource } from "../../add-source.ts";
import type { Define } from "../../define.ts";
import { counted } from "../../terminal/amounts.ts";
import { tableText } from "../../terminal/columns.ts";

export const define: Define = (command, shell) => {
  command.description("Skills of agents, shared in the account.");
  command
    .command("list", { isDefault: true })
    .description("All skills, by name.")
    .action(async () => {
      const skills = await (await shell.client()).skills.list({ signal: shell.signal });
      await shell.show({ skills, total: skills.length }, () =>
        tableText(
          [{ title: "Name", style: "name" }, { title: "Description", gives: true }, { title: "Tags" }],
          skills.map(({ name, description, tags }) => [name, description, tags.join(", ")]),
          shell,
        ),
      );
      if (skills.length === 0) shell.note("no skills: `ctxdb skill add` stores one");
    });
  command
    .command("show")
    .description("The document of a skill.")
    .argument("<name>", "its name")
    .action(async (name: string) => {
      const skill = await (await shell.client()).skills.get({ name }, { signal: shell.signal });
      await shell.showText(skill, `${skill.content.trimEnd()}\n`);
      if (skill.files.length > 0) shell.note(`with ${skill.files.join(", ")}`);
    });
  command
    .command("add")
    .description(
      "Store a skill file (front matter with name and description), or a folder or zip that holds one. The same name is replaced.",
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
          `stored ${added.name} as ${added.rootUri} (${counted(added.auxiliaryFiles, "file")} beside it)\n`,
      );
    });
  command
    .command("rm")
    .description("Delete a skill with its files.")
    .argument("<name>", "its name")
    .action(async (name: string) => {
      const removed = await (await shell.client()).skills.delete({ name }, { signal: shell.signal });
      await shell.show(removed, () => `deleted ${removed.uri}\n`);
    });
};
