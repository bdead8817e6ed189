import type { Logger } from "pino";
import { ServiceError } from "../../domain/errors.ts";
import { jobOwner } from "../../domain/job.ts";
import type { WebhookBatch } from "../../domain/webhook-batch.ts";
import type { AddressGuard } from "../../ingest/fetch/guard.ts";
import { type PostAnswer, post } from "../../ingest/fetch/post.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Draft } from "../../storage/draft.ts";
import type { Kv } from "../../storage/kv.ts";
import type {
  BegunBatch,
  DeliveryAttempt,
  WebhookProgress,
  WebhookRecord,
} from "../../workspace/webhooks/records.ts";
import {
  changeProgress,
  putWebhook,
  readWebhook,
  type StoredWebhook,
  type WebhookRef,
} from "../../workspace/webhooks/webhooks.ts";
import type { ReadPlace } from "../change-reader.ts";
import type { Tenant, Tenants } from "../tenants.ts";
import { isLogGap, messageOf, readChanges, type WebhookMessage } from "./message.ts";
import { redeliverJob } from "./redeliver-job.ts";
import { signedHeaders } from "./signature.ts";

interface WebhookSettings {
  /** Maximum number of attempts, after which a delivery is given up. */
  readonly attempts: number;
  /** Delay in ms before the second attempt. It triples with each attempt, up to MAX_PAUSE_MS. */
  readonly firstPauseMs: number;
  /** Time limit of an attempt in ms. */
  readonly limitMs: number;
}

export interface DeliveryDeps {
  readonly kv: Kv;
  readonly tenants: Tenants;
  readonly queue: JobQueue;
  readonly clock: () => number;
  readonly ids: () => string;
  readonly random: () => number;
  readonly log: Logger;
  readonly guard: AddressGuard;
  readonly settings: WebhookSettings;
}

/** Counts of deliveries since the start. */
export interface DeliveryCounts {
  delivered: number;
  failed: number;
  givenUp: number;
  /** Number of changes in delivered messages. */
  changes: number;
}

/** A webhook in memory. */
export interface Hook extends WebhookRef {
  readonly key: string;
  isPaused: boolean;
  /** Position before which nothing is left to send; ahead of the stored one. */
  passed?: ReadPlace;
}

const GROWTH = 3;
const MAX_PAUSE_MS = 3600_000;
/** Number of consecutive failed deliveries after which a webhook is paused. */
const PAUSE_AFTER = 3;
/** Number of recent attempts to store. */
const MAX_RECENT = 20;
/** Number of changes skipped without a delivery before the position is stored; a restart reads them again. */
const STORED_EVERY = 1024;
/** Without fsync: if the machine loses the write, a message is only sent again. */
const NOT_SYNCED = { sync: false };
/** Status with which the receiver rejects all further messages. */
const GONE = 410;

/** Outcome of one attempt. */
interface Attempted extends Partial<PostAnswer> {
  readonly error?: string;
}

/**
 * Performs one step for a webhook: attempts to deliver the batch that is due, or looks for the next one.
 * Returns when the next step is due (0: at once); undefined: after the next change.
 */
export async function deliverNext(
  deps: DeliveryDeps,
  counts: DeliveryCounts,
  hook: Hook,
  signal: AbortSignal,
): Promise<number | undefined> {
  const stored = readWebhook(deps.kv, hook);
  if (!stored || stored.record.paused !== undefined) return undefined;
  const { record, progress } = stored;
  const tenant = await tenantOf(deps, hook, record);
  if (!tenant) return undefined;
  const now = deps.clock();
  const waiting = [...progress.again, ...(progress.batch ? [progress.batch] : [])];
  const due = waiting.find(({ dueAt }) => dueAt <= now);
  const step = { deps, counts, hook, tenant, signal };
  if (due) return attempt(step, record, due);
  const fresh = progress.batch ? undefined : await beginBatch(step, stored);
  if (fresh) return attempt(step, record, fresh);
  return waiting.reduce<number | undefined>((least, { dueAt }) => Math.min(least ?? dueAt, dueAt), undefined);
}

interface Step {
  readonly deps: DeliveryDeps;
  readonly counts: DeliveryCounts;
  readonly hook: Hook;
  readonly tenant: Tenant;
  readonly signal: AbortSignal;
}

/** The workspace with the current access of the webhook's user; undefined if the user or account is gone. */
async function tenantOf(
  { tenants }: DeliveryDeps,
  { workspace }: WebhookRef,
  { user, userIncarnation: incarnation, agent }: WebhookRecord,
): Promise<Tenant | undefined> {
  const job = { workspace, owner: jobOwner({ user, userIncarnation: incarnation }) };
  return tenants.hasOwner(job) ? tenants.openForJob(job, { user, agent }) : undefined;
}

/**
 * The next batch, stored before it is sent, so that a restart sends the same changes with the same id.
 * Undefined if there is nothing to send.
 */
async function beginBatch(
  { deps, hook, tenant, signal }: Step,
  { record, progress }: StoredWebhook,
): Promise<BegunBatch | undefined> {
  const { next, at, whole } = progress;
  const from = hook.passed && hook.passed.next > next ? hook.passed : { next, at, whole };
  const { batch, place } = await nextBatch(deps, tenant, record, from, signal);
  if (batch) {
    const begun: BegunBatch = { ...batch, attempts: 0, dueAt: 0 };
    const put = (now: StoredWebhook) => ({ ...now.progress, batch: begun });
    return (await changeProgress(deps.kv, hook, put, NOT_SYNCED)) && begun;
  }
  hook.passed = place;
  if (place.next - next >= STORED_EVERY)
    await changeProgress(deps.kv, hook, (now) => ({ ...now.progress, ...place }), NOT_SYNCED);
  return undefined;
}

/** The changes of the next message, and the position after the last change read. */
async function nextBatch(
  { tenants, ids }: DeliveryDeps,
  tenant: Tenant,
  record: WebhookRecord,
  from: ReadPlace,
  signal: AbortSignal,
): Promise<{ readonly batch?: WebhookBatch; readonly place: ReadPlace }> {
  try {
    const { lines, place } = await readChanges(tenants, tenant, record, from, signal);
    if (lines.length === 0) return { place };
    return { batch: { id: messageId(ids), ...from, to: place.next, toAt: place.at }, place };
  } catch (error) {
    if (!isLogGap(error)) throw error;
    return { batch: lostBatch(ids, tenant, from), place: from };
  }
}

const messageId = (ids: () => string): string => `msg_${ids()}`;

/** A batch that tells the receiver to list the tree again; later changes follow. */
function lostBatch(ids: () => string, { workspace }: Tenant, { next, at, whole }: ReadPlace): WebhookBatch {
  const { end } = workspace.changes;
  return { id: messageId(ids), next, at, whole, to: end.next, toAt: end.at, isLost: true };
}

/** Sends a batch and stores the outcome. Returns when the next step is due. */
async function attempt(step: Step, record: WebhookRecord, batch: BegunBatch): Promise<number | undefined> {
  const { deps, hook, tenant, signal } = step;
  const began = deps.clock();
  let message: WebhookMessage | undefined;
  try {
    message = await messageOf(deps.tenants, tenant, record, batch, signal);
  } catch (error) {
    if (!isLogGap(error)) throw error;
    const lost = { ...lostBatch(deps.ids, tenant, batch), attempts: 0, dueAt: 0 };
    await changeProgress(deps.kv, hook, ({ progress }) => replaced(progress, batch, lost));
    return 0;
  }
  if (!message) {
    await changeProgress(deps.kv, hook, ({ progress }) => without(progress, batch));
    return 0;
  }
  const result = await send(deps, record, batch.id, message, signal);
  const made = { id: batch.id, type: message.type, changes: message.changes, attempt: batch.attempts + 1 };
  const shown = { ...made, ...shownOf(result), ms: Math.max(0, deps.clock() - began), at: began };
  return result.error === undefined ? delivered(step, batch, shown) : failed(step, batch, shown, result);
}

const shownOf = ({ status, error }: Attempted) => ({
  ...(status !== undefined && { status }),
  ...(error !== undefined && { error }),
});

/** Attempts to deliver a message. Throws only for internal errors, and if the signal aborts. */
export async function send(
  { clock, guard, settings }: Pick<DeliveryDeps, "clock" | "guard" | "settings">,
  { url, secret, before }: WebhookRecord,
  id: string,
  { body }: WebhookMessage,
  signal: AbortSignal,
): Promise<Attempted> {
  const now = clock();
  const secrets = before && before.until > now ? [secret, before.secret] : [secret];
  const headers = {
    "content-type": "application/json",
    "user-agent": "ctxdb-webhooks",
    ...signedHeaders(secrets, id, body, now),
  };
  try {
    const answer = await post(new URL(url), body, { guard, headers, limitMs: settings.limitMs, signal });
    const { status } = answer;
    if (status >= 200 && status < 300) return answer;
    const why = status >= 300 && status < 400 ? "; redirects are not followed" : "";
    return { ...answer, error: `HTTP status ${status}${why}` };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ServiceError) return { error: error.message };
    throw error;
  }
}

async function delivered(
  { deps, counts, hook }: Step,
  batch: BegunBatch,
  shown: Omit<DeliveryAttempt, "outcome">,
): Promise<number> {
  counts.delivered++;
  counts.changes += shown.changes;
  const done = ({ progress }: StoredWebhook) => ({
    ...noted(without(progress, batch), { ...shown, outcome: "delivered" }),
    givenUp: 0,
  });
  await changeProgress(deps.kv, hook, done, NOT_SYNCED);
  return 0;
}

async function failed(
  step: Step,
  batch: BegunBatch,
  shown: Omit<DeliveryAttempt, "outcome">,
  { status, retryAfterSeconds = 0 }: Attempted,
): Promise<number> {
  const { deps, counts, hook } = step;
  const { attempts: most, firstPauseMs } = deps.settings;
  counts.failed++;
  const attempts = batch.attempts + 1;
  if (status !== GONE && attempts >= most) return givenUp(step, batch, shown);
  const pauseMs = firstPauseMs * GROWTH ** batch.attempts * (0.5 + deps.random());
  const dueAt = deps.clock() + Math.min(MAX_PAUSE_MS, Math.max(pauseMs, retryAfterSeconds * 1000));
  await changeProgress(deps.kv, hook, ({ record, progress }, draft) => {
    if (status === GONE) pause(step, draft, record, "the receiver answered 410 Gone");
    return noted(replaced(progress, batch, { ...batch, attempts, dueAt }), { ...shown, outcome: "failed" });
  });
  return dueAt;
}

/**
 * Makes the batch a dead letter and continues with the next one; after several in a row, pauses the webhook.
 */
async function givenUp(
  step: Step,
  batch: BegunBatch,
  shown: Omit<DeliveryAttempt, "outcome">,
): Promise<number> {
  const { deps, counts, hook } = step;
  const { queue } = deps;
  counts.givenUp++;
  const { attempts: _, dueAt: __, ...given } = batch;
  await changeProgress(deps.kv, hook, ({ record, progress }, draft) => {
    const owner = jobOwner({ user: record.user, userIncarnation: record.userIncarnation });
    const payload = { webhook: hook.id, user: hook.user, batch: given };
    const reason = `webhook ${hook.id}: the last attempt (${shown.attempt}) failed: ${shown.error}`;
    queue.deadLetterOf(draft, redeliverJob(hook.workspace, owner, payload), shown.attempt, reason);
    const inRow = progress.givenUp + 1;
    if (inRow >= PAUSE_AFTER) {
      const last = `the last error: ${shown.error}`;
      pause(step, draft, record, `${inRow} consecutive deliveries failed; ${last}`);
    }
    return { ...noted(without(progress, batch), { ...shown, outcome: "given_up" }), givenUp: inRow };
  });
  await queue.letters.trim(hook.workspace);
  return 0;
}

/** Pauses the webhook until a caller resumes it. `reason`: shown to that caller. */
function pause({ deps, hook }: Step, draft: Draft, record: WebhookRecord, reason: string): void {
  putWebhook(draft, hook.workspace, { ...record, updatedAt: deps.clock(), paused: reason });
  draft.onDurable(() => (hook.isPaused = true));
}

const noted = (progress: WebhookProgress, shown: DeliveryAttempt): WebhookProgress => ({
  ...progress,
  recent: [shown, ...progress.recent].slice(0, MAX_RECENT),
});

/** The progress after a batch is finished. It may have changed while the batch was sent. */
function without(progress: WebhookProgress, { id, to, toAt, whole, isLost }: BegunBatch): WebhookProgress {
  const { batch, ...rest } = progress;
  const again = progress.again.filter((one) => one.id !== id);
  if (batch?.id !== id) return { ...progress, again };
  // a message about lost changes reports every loss up to its end
  return { ...rest, again, next: to, at: toAt, whole: isLost ? to : whole };
}

function replaced(progress: WebhookProgress, { id }: BegunBatch, by: BegunBatch): WebhookProgress {
  const again = progress.again.map((one) => (one.id === id ? by : one));
  return progress.batch?.id === id ? { ...progress, again, batch: by } : { ...progress, again };
}
