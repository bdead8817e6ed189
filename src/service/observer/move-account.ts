import { namedAccount } from "../../accounts/account-lookup.ts";
import { failedPrecondition, notFound } from "../../domain/errors.ts";
import type { ServiceCall } from "../service-call.ts";
import { checkMembers, type MembersDeps } from "./list-members.ts";

/** POST observer/members/{number}/move: hands an account over to a server. Returns at once. */
export async function moveAccount(
  { cluster, directory }: MembersDeps,
  call: ServiceCall,
  { number, accountId: name }: { readonly number: number; readonly accountId: string },
) {
  checkMembers(call.caller);
  const account = namedAccount(name);
  const workspace = await directory.incarnationOf(account);
  if (workspace === undefined) throw notFound("account", account);
  const result = (await cluster?.handOvers.move(workspace, number)) ?? "absent";
  if (result === "absent")
    throw failedPrecondition(
      "members",
      `server ${number} does not run, or is draining: list the servers with observer/members`,
    );
  return { isThere: result === "there" };
}
