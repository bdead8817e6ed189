import { CLIENT_VARIABLES } from "../../base/client-variables.ts";
import type { Define } from "../define.ts";
import {
  checkName,
  DEFAULT_PROFILE,
  type Profile,
  profilesFile,
  readProfiles,
  writeProfiles,
} from "../profiles.ts";
import type { Shell } from "../shell.ts";
import { DEFAULT_ADDRESS, normal } from "../target.ts";
import { askHidden } from "../terminal/ask-hidden.ts";
import { readAll } from "../terminal/read-all.ts";

const MAX_KEY_BYTES = 4096;

export const define: Define = (command, shell) => {
  command
    .description(
      "Save a server and an API key as a profile that only you can read. Asks for the key; `--key -` reads it from standard input. Checks the key before saving it.",
    )
    .argument("[address]", "address of the server, for example https://host:1933")
    .action(async (given: string | undefined) => {
      const { env } = shell.io;
      const name = checkName(shell.options.profile ?? DEFAULT_PROFILE);
      const address = normal(
        given ?? shell.options.address ?? (env[CLIENT_VARIABLES.address] || DEFAULT_ADDRESS),
      );
      const { agent, account, user } = shell.options;
      const key = await keyFor(shell, address);
      const profile: Profile = {
        address,
        ...(key && { key }),
        ...(agent && { agent }),
        ...(account && { account }),
        ...(user && { user }),
      };
      shell.aim(profile);
      const status = await (await shell.client()).system.status({ signal: shell.signal });
      const file = profilesFile(env);
      const { profiles } = await readProfiles(file);
      await writeProfiles(file, { current: name, profiles: { ...profiles, [name]: profile } });
      await shell.show(
        status,
        () => `logged in to ${address} as ${status.user} of ${status.account} (${status.role})\n`,
      );
      shell.note(`saved as profile ${name} in ${file}`);
    });
};

/** The key from the command line, standard input or a prompt; "" if the server needs none. */
async function keyFor({ io, options, signal }: Shell, address: string): Promise<string> {
  if (options.key === "-") return (await readAll(io.in, MAX_KEY_BYTES)).trim();
  const given = options.key ?? io.env[CLIENT_VARIABLES.key];
  if (given) return given;
  return io.in.isTTY ? (await askHidden(io, `API key for ${address} (empty for none): `, signal)).trim() : "";
}
