import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";

export const define: Define = (command, shell) => {
  command
    .description("Remove a link in one direction. Succeeds even if there is no such link.")
    .argument("<from>", "URI at which the link starts", uriOf)
    .argument("<to>", "URI at which the link ends", uriOf)
    .action(async (fromUri: string, toUri: string) => {
      const { relations } = await shell.client();
      await relations.unlink({ fromUri, toUri }, { signal: shell.signal });
      await shell.show({}, () => `unlinked ${fromUri} from ${toUri}\n`);
    });
};
