import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";

export const define: Define = (command, shell) => {
  command
    .description("Link a file or folder to one or more others. Replaces the reason of an existing link.")
    .argument("<from>", "URI at which the link starts", uriOf)
    .argument("<to...>", "URIs at which the links end", (text, before: string[] = []) => [
      ...before,
      uriOf(text),
    ])
    .option("-m, --reason <text>", "why the files or folders belong together")
    .action(async (fromUri: string, toUris: string[], { reason }: { readonly reason?: string }) => {
      const { relations } = await shell.client();
      await relations.link({ fromUri, toUris, reason }, { signal: shell.signal });
      await shell.show({}, () => `linked ${fromUri} to ${toUris.join(", ")}\n`);
    });
};
