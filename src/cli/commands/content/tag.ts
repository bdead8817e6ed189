import { gathered, uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";

interface Options {
  readonly remove?: string[];
  readonly replace?: boolean;
}

export const define: Define = (command, shell) => {
  command
    .description(
      "Add tags to a file or folder, or remove them. A folder's tags apply to everything below it. Prints the tags.",
    )
    .argument("<uri>", "URI of the file or folder", uriOf)
    .argument("[tags...]", "tags to add; stored in lower case")
    .option("-r, --remove <tag>", "remove this tag; can be repeated", (text, before: string[] = []) =>
      gathered(text, before),
    )
    .option("--replace", "remove all other tags first")
    .action(async (uri: string, add: string[], { remove, replace }: Options) => {
      const { fs } = await shell.client();
      const { signal } = shell;
      const isChange = add.length > 0 || remove !== undefined || replace === true;
      const { tags } = isChange
        ? await fs.tag({ uri, add, remove, replace }, { signal })
        : await fs.stat({ uri }, { signal });
      await shell.show({ uri, tags }, () => tags.map((tag) => `${tag}\n`).join(""));
      if (tags.length === 0) shell.note("no tags");
    });
};
