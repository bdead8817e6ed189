import { failedPrecondition, notFound } from "../../domain/errors.ts";
import type { ServiceCall } from "../service-call.ts";
import { checkMembers, type MembersDeps, memberStates } from "./list-members.ts";

/**
 * POST observer/members/{number}/drain: makes a server hand over all its accounts and accept no others;
 * `cancel` stops this. Returns at once.
 */
export async function drainMember(
  deps: MembersDeps,
  call: ServiceCall,
  { number, cancel = false }: { readonly number: number; readonly cancel?: boolean | undefined },
) {
  checkMembers(call.caller);
  const { cluster } = deps;
  if (!cancel) {
    const others = (await memberStates(deps)).filter((one) => one.number !== number && !one.isDraining);
    if (cluster && others.length === 0)
      throw failedPrecondition("members", "no other server could take the accounts: start one first");
  }
  if (!(await cluster?.handOvers.drain(number, !cancel))) throw notFound("server", String(number));
  const state = (await memberStates(deps)).find((one) => one.number === number);
  if (!state) throw notFound("server", String(number));
  return { member: state };
}
