import { namedAccount } from "../../accounts/account-lookup.ts";
import { QUOTA_NAMES, type Quotas } from "../../accounts/quotas.ts";
import type { Registry } from "../../accounts/registry.ts";
import { invalidArgument } from "../../domain/errors.ts";
import type { ServiceCall } from "../call.ts";
import { ACCOUNT_RULES } from "./rules.ts";

type Wanted = { readonly [K in keyof Quotas]?: Quotas[K] | undefined };

/** PUT admin/accounts/{account_id}/quotas: replaces all quotas of an account. Requires ROOT. */
export async function setQuotas(
  deps: { readonly registry: Registry },
  { caller }: ServiceCall,
  { accountId, ...wanted }: Wanted & { readonly accountId: string },
) {
  ACCOUNT_RULES.setQuotas(caller);
  const quotas = checkedQuotas(wanted);
  await deps.registry.quotas.set(namedAccount(accountId), quotas);
  return { accountId, ...quotas };
}

function checkedQuotas(wanted: Wanted): Quotas {
  const quotas: { -readonly [K in keyof Quotas]: Quotas[K] } = {};
  for (const name of QUOTA_NAMES) {
    const quota = wanted[name];
    if (quota === undefined) continue;
    if (!Number.isSafeInteger(quota) || quota < 0)
      throw invalidArgument(fieldOf(name), "must be a whole number from 0 (no limit) to 9007199254740991");
    quotas[name] = quota;
  }
  return quotas;
}

const fieldOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
