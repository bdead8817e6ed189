import { present } from "../../base/expect.ts";
import { LocalError } from "../cli-errors.ts";
import type { Define } from "../define.ts";
import { EXIT } from "../exit-code.ts";
import { DEFAULT_PROFILE, type Profiles, profilesFile, readProfiles, writeProfiles } from "../profiles.ts";
import { tableText } from "../terminal/columns.ts";

export const define: Define = (command, shell) => {
  const file = profilesFile(shell.io.env);
  command.description(`Manage the servers that \`ctxdb login\` saved in ${file}.`);
  command
    .command("list", { isDefault: true })
    .description("List all profiles; * marks the current one.")
    .action(async () => {
      const { current, profiles } = await readProfiles(file);
      const shown = Object.entries(profiles).map(([name, { key, ...rest }]) => ({
        name,
        current: name === current,
        ...rest,
        has_key: key !== undefined,
      }));
      await shell.show(shown, () =>
        tableText(
          [
            { title: "" },
            { title: "Profile", style: "name" },
            { title: "Address" },
            { title: "Key" },
            { title: "Agent" },
            { title: "Account" },
          ],
          shown.map((one) => [
            one.current ? "*" : "",
            one.name,
            one.address,
            one.has_key ? "yes" : "no",
            one.agent ?? "",
            one.account ?? "",
          ]),
          shell,
        ),
      );
      if (shown.length === 0) shell.note("no profiles; create one with `ctxdb login`");
    });
  command
    .command("use")
    .description("Make a profile the current one.")
    .argument("<name>", "name of the profile")
    .action(async (name: string) => {
      const found = await known(file, name);
      await writeProfiles(file, { ...found, current: name });
      shell.note(`current profile: ${name}, ${present(found.profiles[name], `profile ${name}`).address}`);
    });
  command
    .command("rm")
    .description("Delete a profile and its key.")
    .argument("<name>", "name of the profile")
    .action(async (name: string) => {
      const { current, profiles } = await known(file, name);
      const rest = Object.fromEntries(Object.entries(profiles).filter(([one]) => one !== name));
      await writeProfiles(file, { current: current === name ? DEFAULT_PROFILE : current, profiles: rest });
      shell.note(`deleted profile ${name}`);
    });
};

async function known(file: string, name: string): Promise<Profiles> {
  const found = await readProfiles(file);
  if (!Object.hasOwn(found.profiles, name))
    throw new LocalError(
      `profile not found: ${name}; list profiles with \`ctxdb profile list\``,
      EXIT.notFound,
    );
  return found;
}
