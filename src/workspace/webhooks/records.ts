import { isObject } from "../../base/expect.ts";
import { isTreeChange, type TreeChangeKind } from "../../domain/change.ts";
import type { UserIncarnation } from "../../domain/ids.ts";
import type { Redelivery, WebhookBatch } from "../../domain/webhook-batch.ts";
import { isList, isMissingOr, isNumber, isText, objects } from "../../storage/record-codec.ts";

/** Settings of a webhook, as defined by its user. */
export interface WebhookRecord {
  readonly id: string;
  readonly user: string;
  /** User incarnation (see Caller). */
  readonly userIncarnation?: UserIncarnation;
  /** Agent that created the webhook; it determines which agent space is readable. */
  readonly agent: string;
  readonly url: string;
  /** Path of the watched node, joined with `/`; absent: everything. */
  readonly path?: string;
  /** Absent: all kinds. */
  readonly kinds?: readonly TreeChangeKind[];
  readonly description: string;
  readonly secret: string;
  /** The previous secret, which also signs messages until `until` (Unix time in ms). */
  readonly before?: { readonly secret: string; readonly until: number };
  /** Unix time in ms. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Why the webhook is paused; absent if it is not. */
  readonly paused?: string;
}

export const WEBHOOKS = objects<WebhookRecord>(
  "webhook",
  ({
    id,
    user,
    userIncarnation,
    agent,
    url,
    path,
    kinds,
    description,
    secret,
    before,
    createdAt,
    updatedAt,
    paused,
  }) =>
    isText(id) &&
    isText(user) &&
    isMissingOr(userIncarnation, isNumber) &&
    isText(agent) &&
    isText(url) &&
    isMissingOr(path, isText) &&
    isMissingOr(kinds, (list) => Array.isArray(list) && list.every(isTreeChange)) &&
    isText(description) &&
    isText(secret) &&
    isMissingOr(before, (one) => isObject(one) && isText(one.secret) && isNumber(one.until)) &&
    isNumber(createdAt) &&
    isNumber(updatedAt) &&
    isMissingOr(paused, isText),
);

/** A batch whose delivery has begun: number of attempts, and when the next is due. */
export interface BegunBatch extends WebhookBatch {
  /** Number of failed attempts. */
  readonly attempts: number;
  /** Unix time in ms. */
  readonly dueAt: number;
}

/** One attempt to deliver a message. */
export interface DeliveryAttempt {
  /** Id of the message. */
  readonly id: string;
  readonly type: string;
  readonly outcome: "delivered" | "failed" | "given_up";
  readonly attempt: number;
  readonly changes: number;
  /** HTTP status. */
  readonly status?: number;
  readonly error?: string;
  readonly ms: number;
  /** Unix time in ms. */
  readonly at: number;
}

export interface WebhookProgress {
  /** Changes before this position are delivered or given up (see ReadPlace). */
  readonly next: number;
  readonly at: number;
  readonly whole: number;
  /** The batch at that position, once its first attempt began. */
  readonly batch?: BegunBatch;
  /** Failed batches that are to be delivered again. */
  readonly again: readonly BegunBatch[];
  /** Number of successive batches that were given up. */
  readonly givenUp: number;
  /** The latest attempts, newest first. */
  readonly recent: readonly DeliveryAttempt[];
}

/** Whether a stored job payload is valid. */
export const isRedelivery = (value: unknown): value is Redelivery =>
  isObject(value) && isText(value.webhook) && isText(value.user) && isBatch(value.batch);

const isBatch = (value: unknown): value is WebhookBatch =>
  isObject(value) &&
  isText(value.id) &&
  isNumber(value.next) &&
  isNumber(value.at) &&
  isNumber(value.whole) &&
  isNumber(value.to) &&
  isNumber(value.toAt);

const isBegun = (value: unknown): boolean =>
  isObject(value) && isBatch(value) && isNumber(value.attempts) && isNumber(value.dueAt);

export const WEBHOOK_PROGRESS = objects<WebhookProgress>(
  "progress of a webhook",
  ({ next, at, whole, batch, again, givenUp, recent }) =>
    isNumber(next) &&
    isNumber(at) &&
    isNumber(whole) &&
    isMissingOr(batch, isBegun) &&
    Array.isArray(again) &&
    again.every(isBegun) &&
    isNumber(givenUp) &&
    isList(recent),
);
