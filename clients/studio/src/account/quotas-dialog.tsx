import { useState } from "react";
import { type Quotas, type ResourceUsage, useSetQuotas } from "../api/usage.ts";
import { Input } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { toast } from "../ui/toasts.tsx";
import { quotaOf, quotaText } from "./quota-text.ts";

const FIELDS: readonly (readonly [field: keyof Quotas, resource: string, label: string])[] = [
  ["storedBytes", "stored_bytes", "Storage, such as 10 GB"],
  ["nodes", "nodes", "Files, folders and sections"],
  ["chunks", "chunks", "Indexed chunks"],
  ["requestsPerMinute", "requests_per_minute", "Requests in a minute"],
  ["modelTokensPerDay", "model_tokens_per_day", "Model tokens in a day"],
];

interface QuotasDialogProps {
  readonly account: string;
  readonly resources: readonly ResourceUsage[];
  readonly onClose: () => void;
}

/** The texts of the quotas that a workspace has of its own. */
function textsOf(resources: readonly ResourceUsage[]): Readonly<Record<string, string>> {
  const own = resources.filter(({ source }) => source === "quota");
  return Object.fromEntries(
    own.map(({ resource, unit, limit = 0 }) => [resource, quotaText(limit, unit === "bytes")]),
  );
}

export function QuotasDialog({ account, resources, onClose }: QuotasDialogProps) {
  const [texts, setTexts] = useState(() => textsOf(resources));
  const set = useSetQuotas();
  const quotas = FIELDS.map(
    ([field, resource]) => [field, quotaOf(texts[resource] ?? "", field === "storedBytes")] as const,
  );
  const submit = () => {
    const given: Quotas = {};
    for (const [field, quota] of quotas) if (quota !== undefined) given[field] = quota;
    set.mutate(
      { accountId: account, ...given },
      {
        onSuccess: () => {
          toast(`Set the quotas of ${account}`);
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={`Quotas of ${account}`}
      about="They take effect at once. A quota below what is in use removes nothing, but refuses growth. Leave a field empty for the setting of the server; 0 means no limit."
      action="Set quotas"
      disabled={quotas.some(([, quota]) => Number.isNaN(quota))}
      call={set}
      onSubmit={submit}
      onClose={onClose}
    >
      {FIELDS.map(([field, resource, label], at) => (
        <Input
          key={field}
          label={label}
          autoFocus={at === 0}
          autoComplete="off"
          placeholder="Setting of the server"
          value={texts[resource] ?? ""}
          {...(Number.isNaN(quotas[at]?.[1]) && {
            error: "A whole number; storage may have KB, MB, GB or TB.",
          })}
          onChange={(event) => setTexts({ ...texts, [resource]: event.target.value })}
        />
      ))}
    </FormDialog>
  );
}
