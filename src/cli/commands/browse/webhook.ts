import type { Webhook, WebhookDelivery } from "../../../../clients/typescript/src/gen/ctxdb/v1/webhook_pb.ts";
import { uriOf, wholeNumber } from "../../arguments.ts";
import type { Define } from "../../define.ts";
import type { Shell } from "../../shell.ts";
import { timeText } from "../../terminal/amounts.ts";
import { factsText, tableText } from "../../terminal/columns.ts";

interface CreateOptions {
  readonly uri?: string;
  readonly kinds?: readonly string[];
  readonly description?: string;
}

const KEEP_SECRET = "save the signing secret now: it is not shown again";

export const define: Define = (command, shell) => {
  const { signal } = shell;
  const webhooks = async () => (await shell.client()).webhooks;
  const showOne = (one: Webhook) => shell.show(one, () => oneText(one, shell));
  command.description("Manage your webhooks: URLs to which the server sends changes of files and folders.");
  command
    .command("ls", { isDefault: true })
    .description("List your webhooks.")
    .action(async () => {
      const found = await (await webhooks()).list({ signal });
      await shell.show(found, () => listText(found, shell));
      if (found.length === 0) shell.note("no webhooks; add one with `ctxdb webhook create`");
    });
  command
    .command("create")
    .description("Create a webhook that sends changes to a URL from now on. Prints the signing secret once.")
    .argument("<url>", "https URL of the receiver")
    .option("--uri <uri>", "only changes of this file or folder and everything below it", uriOf)
    .option("--kinds <kinds>", "only these kinds: added,changed,moved,removed,described,tagged", (text) =>
      text.split(","),
    )
    .option("-d, --description <text>", "purpose of the webhook")
    .action(async (url: string, { uri, kinds = [], description = "" }: CreateOptions) => {
      const asked = { url, uri, kinds: [...kinds], description };
      const created = await (await webhooks()).create(asked, { signal });
      const { webhook, secret } = created;
      await shell.show(created, () => `${webhook ? oneText(webhook, shell) : ""}Secret       ${secret}\n`);
      shell.note(KEEP_SECRET);
    });
  command
    .command("show")
    .description("Show one webhook and its state.")
    .argument("<id>", "id of the webhook")
    .action(async (webhookId: string) => showOne(await (await webhooks()).get({ webhookId }, { signal })));
  for (const [name, paused, description] of [
    ["pause", true, "Pause a webhook: send nothing until it is resumed."],
    ["resume", false, "Resume a paused webhook; it continues after its last delivery."],
  ] as const)
    command
      .command(name)
      .description(description)
      .argument("<id>", "id of the webhook")
      .action(async (webhookId: string) =>
        showOne(await (await webhooks()).update({ webhookId, paused }, { signal })),
      );
  command
    .command("move")
    .description("Send the changes of a webhook to another URL from now on.")
    .argument("<id>", "id of the webhook")
    .argument("<url>", "https URL of the receiver")
    .action(async (webhookId: string, url: string) =>
      showOne(await (await webhooks()).update({ webhookId, url }, { signal })),
    );
  command
    .command("rotate")
    .description(
      "Replace the signing secret. Prints the new secret once. Both secrets are used for 24 hours by default.",
    )
    .argument("<id>", "id of the webhook")
    .option("--overlap <hours>", "hours for which the old secret stays in use (default: 24)", wholeNumber)
    .action(async (webhookId: string, { overlap }: { readonly overlap?: number }) => {
      const asked = { webhookId, ...(overlap !== undefined && { overlapHours: overlap }) };
      const rotated = await (await webhooks()).rotateSecret(asked, { signal });
      await shell.show(rotated, () => `${rotated.secret}\n`);
      shell.note(KEEP_SECRET);
    });
  command
    .command("test")
    .description("Send a test message.")
    .argument("<id>", "id of the webhook")
    .action(async (webhookId: string) => {
      const sent = await (await webhooks()).test({ webhookId }, { signal });
      await shell.show(sent, () => deliveriesText([sent], shell));
    });
  command
    .command("deliveries")
    .description("List the latest delivery attempts, newest first.")
    .argument("<id>", "id of the webhook")
    .action(async (webhookId: string) => {
      const found = await (await webhooks()).deliveries({ webhookId }, { signal });
      await shell.show(found, () => deliveriesText(found, shell));
    });
  command
    .command("rm")
    .description("Delete a webhook.")
    .argument("<id>", "id of the webhook")
    .action(async (webhookId: string) => {
      const removed = await (await webhooks()).delete({ webhookId }, { signal });
      await shell.show(removed, () => `deleted ${webhookId}\n`);
    });
};

const listText = (found: readonly Webhook[], shell: Shell): string =>
  tableText(
    [
      { title: "Webhook", style: "name" },
      { title: "State" },
      { title: "URL", gives: true },
      { title: "Changes of" },
    ],
    found.map((one) => [one.webhookId, one.state, one.url, one.uri ?? "everything"]),
    shell,
  );

const deliveriesText = (found: readonly WebhookDelivery[], shell: Shell): string =>
  tableText(
    [
      { title: "Time" },
      { title: "Outcome" },
      { title: "Attempt" },
      { title: "Changes" },
      { title: "Answer", gives: true },
    ],
    found.map(({ at, outcome, attempt, changes, status, error }) => [
      timeText(at),
      outcome,
      String(attempt),
      String(changes),
      error ?? `HTTP status ${status}`,
    ]),
    shell,
  );

const oneText = (one: Webhook, shell: Shell): string =>
  factsText(
    [
      ["Webhook", one.webhookId],
      ["URL", one.url],
      ["Changes of", one.uri ?? "everything"],
      ["Kinds", one.kinds.join(", ") || "all"],
      ["Description", one.description],
      ["State", one.pauseReason === undefined ? one.state : `${one.state}: ${one.pauseReason}`],
      ["Next attempt", one.nextAttemptAt && timeText(one.nextAttemptAt)],
      ["Created", timeText(one.createdAt)],
    ],
    shell.paint,
  );
