import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";

export const define: Define = (command, shell) => {
  command
    .description("Link one node to another or to several. A link that exists gets the new reason.")
    .argument("<from>", "where the link starts", uriOf)
    .argument("<to...>", "where it ends", (text, before: string[] = []) => [...before, uriOf(text)])
    .option("-m, --reason <text>", "why")
    .action(async (fromUri: string, toUris: string[], { reason }: { readonly reason?: string }) => {
      const { relations } = await shell.client();
      await relations.link({ fromUri, toUris, reason }, { signal: shell.signal });
      await shell.show({}, () => `linked ${fromUri} to ${toUris.join(", ")}\n`);
    });
};
