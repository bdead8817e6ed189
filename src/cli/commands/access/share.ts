import { InvalidArgumentError } from "commander";
import type { AccessStep, Grant } from "../../../../clients/typescript/src/gen/ctxdb/v1/access_pb.ts";
import { append } from "../../../base/append.ts";
import { uriOf } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import type { Shell } from "../../shell.ts";
import { tableText } from "../../terminal/columns.ts";

interface Grantee {
  readonly granteeType: string;
  readonly granteeId: string;
}

/** `everyone`, `user:bob`, `group:writers` or `agent:reviewer`. */
export function granteeOf(text: string): Grantee {
  const [granteeType = "", ...rest] = text.split(":");
  const granteeId = rest.join(":");
  const isWhole = granteeType === "everyone" ? granteeId === "" : granteeId !== "";
  if (!["everyone", "user", "group", "agent"].includes(granteeType) || !isWhole)
    throw new InvalidArgumentError("It must be everyone, user:ID, group:ID or agent:ID.");
  return { granteeType, granteeId };
}

const GRANTEE = "grantee: everyone, user:ID, group:ID or agent:ID";

export const define: Define = (command, shell) => {
  const { signal } = shell;
  const access = async () => (await shell.client()).access;
  command.description(
    "Share files and folders with grants of read, write or admin access. A grant on a folder applies to everything below it.",
  );
  command
    .command("ls", { isDefault: true })
    .description(
      "List the grants on a file or folder and on the folders above it. Without a URI: all grants that concern you or that you may change.",
    )
    .argument("[uri]", "URI of the file or folder", uriOf)
    .action(async (uri?: string) => {
      const found: Grant[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await (await access()).grants({ uri, cursor }, { signal });
        append(found, page.grants);
        cursor = page.nextCursor;
        if (cursor === undefined) break;
      }
      await shell.show(found, () => grantsText(found, shell));
      if (found.length === 0) shell.note("no grants; add one with `ctxdb share add`");
    });
  command
    .command("add")
    .description("Give or deny access to a file or folder. Replaces an earlier grant to the same grantee.")
    .argument("<uri>", "URI of the file or folder", uriOf)
    .argument("<grantee>", GRANTEE, granteeOf)
    .argument("<level>", "access level: read, write or admin")
    .option("--deny", "deny this level and the levels above it, instead of granting it")
    .action(async (uri: string, grantee: Grantee, level: string, { deny }: { readonly deny?: true }) => {
      const asked = { uri, ...grantee, level, effect: deny ? "deny" : "allow" };
      const { grant } = await (await access()).grant(asked, { signal });
      await shell.show({ grant }, () => grantsText(grant ? [grant] : [], shell));
    });
  command
    .command("rm")
    .description("Remove a grant.")
    .argument("<uri>", "URI of the file or folder", uriOf)
    .argument("<grantee>", GRANTEE, granteeOf)
    .action(async (uri: string, grantee: Grantee) => {
      const result = await (await access()).revoke({ uri, ...grantee }, { signal });
      await shell.show(result, () => (result.revoked ? `removed from ${uri}\n` : ""));
      if (!result.revoked) shell.note("there was no such grant");
    });
  command
    .command("explain")
    .description("Show what a user may do with a file or folder, and why.")
    .argument("<uri>", "URI of the file or folder", uriOf)
    .option("--of <user>", "id of another user; needs admin access to the file or folder")
    .option("--by <agent>", "agent through which the user calls (default: your agent)")
    .action(async (uri: string, { of, by }: { readonly of?: string; readonly by?: string }) => {
      const told = await (await access()).explain({ uri, userId: of, agentId: by }, { signal });
      await shell.show(told, () => `${stepsText(told.steps, shell)}${told.userId}: ${told.level}\n`);
    });
};

const nameOf = ({ granteeType, granteeId }: Grantee): string =>
  granteeId === "" ? granteeType : `${granteeType}:${granteeId}`;

const ruleOf = ({ level, effect }: Grant): string => (effect === "deny" ? `not ${level}` : level);

const grantsText = (found: readonly Grant[], shell: Shell): string =>
  tableText(
    [{ title: "URI", style: "name", gives: true }, { title: "Grantee" }, { title: "Access" }],
    found.map((grant) => [grant.uri, nameOf(grant), ruleOf(grant)]),
    shell,
  );

const stepsText = (steps: readonly AccessStep[], shell: Shell): string =>
  tableText(
    [{ title: "URI", style: "name", gives: true }, { title: "Rule" }, { title: "Then" }],
    steps.map(({ uri, source, grant, level }) => [
      uri,
      grant ? `${nameOf(grant)} ${ruleOf(grant)}` : source,
      level,
    ]),
    shell,
  );
