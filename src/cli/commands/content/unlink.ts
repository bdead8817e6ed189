import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";

export const define: Define = (command, shell) => {
  command
    .description("Remove one direction of a link; no error where there is none.")
    .argument("<from>", "where the link starts", uriOf)
    .argument("<to>", "where it ends", uriOf)
    .action(async (fromUri: string, toUri: string) => {
      const { relations } = await shell.client();
      await relations.unlink({ fromUri, toUri }, { signal: shell.signal });
      await shell.show({}, () => `unlinked ${fromUri} from ${toUri}\n`);
    });
};
