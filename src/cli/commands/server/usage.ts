import { InvalidArgumentError } from "commander";
import type { GetUsageResponse } from "../../../../clients/typescript/src/gen/ctxdb/v1/system_pb.ts";
import type { Define } from "../../define.ts";
import { amountText, timeText } from "../../terminal/amounts.ts";
import { tableText } from "../../terminal/columns.ts";

/** Options by the name of the quota; "default" removes the account's own quota. */
const QUOTAS = [
  ["bytes", "storedBytes", "stored_bytes", "stored bytes, such as 500MB or 10GB"],
  ["nodes", "nodes", "nodes", "files, directories and sections"],
  ["chunks", "chunks", "chunks", "indexed chunks"],
  ["requests", "requestsPerMinute", "requests_per_minute", "requests in a minute"],
  ["tokens", "modelTokensPerDay", "model_tokens_per_day", "tokens of language models in a day (UTC)"],
] as const;

/** Options of the retention in days, by the name of the quota. */
const RETENTION = [
  ["versionDays", "version_days", "earlier versions of files"],
  ["trashDays", "trash_days", "the trash"],
  ["taskDays", "task_days", "finished tasks"],
  ["sessionDays", "session_days", "sessions without changes; their memories stay"],
  ["auditDays", "audit_days", "audited calls"],
] as const;

type Quota = number | "default";
type Options = {
  readonly [K in (typeof QUOTAS)[number][0] | (typeof RETENTION)[number][0]]?: Quota;
};

export const define: Define = (command, shell) => {
  const { signal } = shell;
  command.description(
    "Show what your account uses of each limited resource, the limits, and how long past data is kept. With the root key, --account shows another account.",
  );
  command
    .command("show", { isDefault: true })
    .description("Show usage and limits.")
    .action(async () => {
      const usage = await (await shell.client()).system.usage({}, { signal });
      await shell.show(usage, () => usageText(usage, shell));
    });
  const set = command
    .command("set")
    .description(
      "Set quotas and retention of an account; those that are not given stay unchanged. Each is a number, none (no limit), or default (the server's setting). Data older than its retention is removed. Needs the root key.",
    )
    .argument("<account>", "id of the account");
  for (const [option, , , what] of QUOTAS)
    set.option(`--${option} <limit>`, `maximum number of ${what}`, quotaIn);
  for (const [, name, what] of RETENTION)
    set.option(`--${name.replace("_", "-")} <days>`, `days to keep ${what}`, quotaIn);
  set.action(async (accountId: string, options: Options) => {
    const { admin, system } = await shell.client();
    const { resources, retention } = await system.usage({ accountId }, { signal });
    const quotas: {
      -readonly [K in (typeof QUOTAS)[number][1] | (typeof RETENTION)[number][0]]?: number;
    } = {};
    for (const [option, field, name] of QUOTAS) {
      const own = resources.find(({ resource, source }) => resource === name && source === "quota");
      const quota = options[option] ?? (own && (own.limit ?? 0));
      if (typeof quota === "number") quotas[field] = quota;
    }
    for (const [field, name] of RETENTION) {
      const own = retention.find(({ kind, source }) => kind === name && source === "quota");
      const days = options[field] ?? (own && (own.days ?? 0));
      if (typeof days === "number") quotas[field] = days;
    }
    const answer = await admin.setQuotas({ accountId, ...quotas }, { signal });
    const after = await system.usage({ accountId }, { signal });
    await shell.show(answer, () => usageText(after, shell));
  });
};

type Terminal = Parameters<typeof tableText>[2];

const usageText = (usage: GetUsageResponse, terminal: Terminal): string =>
  `${resourcesText(usage, terminal)}\n${retentionText(usage, terminal)}`;

const retentionText = ({ retention }: GetUsageResponse, terminal: Terminal): string =>
  tableText(
    [{ title: "Kept", style: "name" }, { title: "Days", align: "right" }, { title: "Set by" }],
    retention.map(({ kind, days, source }) => [kind, days === undefined ? "no limit" : `${days}`, source]),
    terminal,
  );

const resourcesText = ({ resources }: GetUsageResponse, terminal: Terminal): string =>
  tableText(
    [
      { title: "Resource", style: "name" },
      { title: "Used", align: "right" },
      { title: "Limit", align: "right" },
      { title: "Share", align: "right" },
      { title: "Set by" },
      { title: "Resets" },
    ],
    resources.map(({ resource, unit, used, limit, source, resetsAt }) => [
      resource,
      amountText(used, unit),
      limit === undefined ? "none" : amountText(limit, unit),
      limit === undefined ? "" : `${Math.floor((100 * used) / limit)} %`,
      source,
      resetsAt === undefined ? "" : timeText(resetsAt),
    ]),
    terminal,
  );

const MULTIPLES: Readonly<Record<string, number>> = { "": 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

function quotaIn(text: string): Quota {
  if (text === "default") return text;
  if (text === "none") return 0;
  const [, amount, multiple = ""] = /^(\d{1,15})([KMGT]?)B?$/i.exec(text) ?? [];
  const quota = Number(amount) * (MULTIPLES[multiple.toUpperCase()] ?? Number.NaN);
  if (!Number.isSafeInteger(quota) || quota === 0)
    throw new InvalidArgumentError("It must be a whole number such as 5000 or 10GB, none, or default.");
  return quota;
}
