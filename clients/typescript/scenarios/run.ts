import type { JsonValue } from "@bufbuild/protobuf";
import type { Client } from "../src/client.ts";
import { type CtxdbError, toCtxdbError } from "../src/errors.ts";
import type { ConnectOptions } from "../src/options.ts";
import type { UploadOptions } from "../src/upload.ts";
import { mismatch } from "./matches.ts";
import { type Op, opsOf, type Platform } from "./ops.ts";
import {
  type CallerOptions,
  filled,
  type JsonObject,
  type ScenarioList,
  type Step,
  valueAt,
} from "./scenario.ts";

export interface Run<C extends Client> {
  readonly list: ScenarioList;
  readonly address: string;
  readonly rootKey: string;
  readonly connect: (address: string, options: ConnectOptions) => C;
  readonly platform: Platform<C>;
  /** Takes each line of the report. */
  readonly print: (line: string) => void;
}

/** Runs every step in order, and prints a line for each and the totals; returns the number of failures. */
export async function runScenarios<C extends Client>({
  list,
  address,
  rootKey,
  connect,
  platform,
  print,
}: Run<C>): Promise<number> {
  const random = Math.random().toString(36).slice(2, 10);
  const values = new Map<string, JsonValue>([
    ["root_key", rootKey],
    ["random", random],
    ["root", `ctx://resources/run-${random}`],
  ]);
  const clients = new Map<string, C>();
  const clientOf = (name: string): C => {
    const { address: other = address, ...options } = filled(
      (list.callers[name] ?? missing(name)) as JsonObject,
      values,
    ) as CallerOptions;
    const client = clients.get(name) ?? connect(other, options);
    clients.set(name, client);
    return client;
  };
  const ops = opsOf(platform);
  let failed = 0;
  for (const step of list.steps) {
    const message = await outcome(step, clientOf, ops, values).catch((thrown: unknown) => String(thrown));
    if (message !== undefined) failed++;
    print(
      JSON.stringify({ step: step.id, ok: message === undefined, ...(message !== undefined && { message }) }),
    );
  }
  for (const client of clients.values()) client.close();
  print(`${list.steps.length - failed} passed, ${failed} failed`);
  return failed;
}

function missing(name: string): never {
  throw new Error(`no caller is called ${name}`);
}

/** Why a step failed; undefined where it passed. */
async function outcome<C extends Client>(
  step: Step,
  clientOf: (name: string) => C,
  ops: Readonly<Record<string, Op<C>>>,
  values: Map<string, JsonValue>,
): Promise<string | undefined> {
  const op = ops[step.op];
  if (!op) return `no op is called ${step.op}`;
  const expect = filled(step.expect as JsonObject, values) as Step["expect"];
  let result: JsonValue;
  try {
    result = await op(clientOf(step.as), filled(step.args ?? {}, values) as JsonObject, optionsOf(step));
  } catch (thrown) {
    const error = toCtxdbError(thrown);
    return expect.error === undefined ? `failed: ${error}` : errorMismatch(expect, error);
  }
  if (expect.error !== undefined) return `no error, but ${JSON.stringify(result).slice(0, 300)}`;
  for (const [name, path] of Object.entries(step.save ?? {})) values.set(name, valueAt(result, path) ?? null);
  return expect.result === undefined ? undefined : mismatch(expect.result, result);
}

function errorMismatch(expect: Step["expect"], error: CtxdbError): string | undefined {
  const found: JsonObject = {
    error: error.code,
    message: error.message,
    details: error.details as JsonObject,
  };
  if (error.requestId !== undefined) found.request_id = error.requestId;
  return mismatch(expect as JsonObject, found, "error");
}

function optionsOf(step: Step): UploadOptions {
  const cancel = new AbortController();
  const limit = step.cancel_after_bytes;
  return {
    ...(step.deadline !== undefined && { deadlineSeconds: step.deadline }),
    ...(limit !== undefined && {
      signal: cancel.signal,
      onSent: (bytes: number) => bytes >= limit && cancel.abort(),
    }),
  };
}
