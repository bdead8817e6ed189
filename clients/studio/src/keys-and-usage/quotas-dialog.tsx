import { useState } from "react";
import { type Quotas, type ResourceUsage, type Retention, useSetQuotas } from "../api/usage.ts";
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

const RETENTION: readonly (readonly [field: keyof Quotas, kind: string, label: string])[] = [
  ["versionDays", "version_days", "Days to keep earlier versions"],
  ["trashDays", "trash_days", "Days to keep the trash"],
  ["taskDays", "task_days", "Days to keep finished tasks"],
  ["sessionDays", "session_days", "Days to keep sessions without changes"],
  ["auditDays", "audit_days", "Days to keep audited calls"],
];

const ALL = [...FIELDS, ...RETENTION];

/** Maximum retention in days that the server accepts: a century. */
const MAX_DAYS = 36_500;

interface QuotasDialogProps {
  readonly account: string;
  readonly resources: readonly ResourceUsage[];
  readonly retention: readonly Retention[];
  readonly onClose: () => void;
}

type OwnValues = Pick<QuotasDialogProps, "resources" | "retention">;

/** The input texts for the quotas and the retention set for the workspace itself. */
function textsOf({ resources, retention }: OwnValues): Readonly<Record<string, string>> {
  const quotas = resources.filter(({ source }) => source === "quota");
  const days = retention.filter(({ source }) => source === "quota");
  return Object.fromEntries([
    ...quotas.map(({ resource, unit, limit = 0 }) => [resource, quotaText(limit, unit === "bytes")]),
    ...days.map(({ kind, days = 0 }) => [kind, quotaText(days, false)]),
  ]);
}

function wantedValue(field: keyof Quotas, text: string): number | undefined {
  const value = quotaOf(text, field === "storedBytes");
  const isTooLong = field.endsWith("Days") && value !== undefined && value > MAX_DAYS;
  return isTooLong ? Number.NaN : value;
}

export function QuotasDialog({ account, resources, retention, onClose }: QuotasDialogProps) {
  const [texts, setTexts] = useState(() => textsOf({ resources, retention }));
  const set = useSetQuotas();
  const quotas = ALL.map(([field, name]) => [field, wantedValue(field, texts[name] ?? "")] as const);
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
      title={`Quotas and retention of ${account}`}
      about="Quotas take effect at once. A quota below the current usage removes nothing, but prevents growth. Data older than its retention is removed. Leave a field empty to use the server's setting; 0 means no limit."
      action="Set quotas"
      disabled={quotas.some(([, quota]) => Number.isNaN(quota))}
      call={set}
      onSubmit={submit}
      onClose={onClose}
    >
      {ALL.map(([field, name, label], at) => (
        <Input
          key={field}
          label={label}
          autoFocus={at === 0}
          autoComplete="off"
          placeholder="Setting of the server"
          value={texts[name] ?? ""}
          {...(Number.isNaN(quotas[at]?.[1]) && {
            error: field.endsWith("Days")
              ? `A whole number of days, at most ${MAX_DAYS}.`
              : "A whole number; storage may have KB, MB, GB or TB.",
          })}
          onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
        />
      ))}
    </FormDialog>
  );
}
