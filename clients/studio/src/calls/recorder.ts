import type { DescMethod, Message } from "@bufbuild/protobuf";
import type { Interceptor } from "@connectrpc/connect";
import { useSyncExternalStore } from "react";
import { codeOfThrown } from "./code-of-thrown.ts";

/** A call that Studio made, without its headers and thus without the key. */
export interface RecordedCall {
  readonly id: number;
  readonly method: DescMethod;
  /** Undefined if it was too large to be stored. */
  readonly request: Message | undefined;
  readonly at: number;
  /** Duration in ms; undefined while the call is running. */
  readonly took?: number;
  /** "OK" or the error code; undefined while the call is running. */
  readonly outcome?: string;
  /** Number of successive identical calls. */
  readonly times: number;
}

const MAX_CALLS = 100;
/** Maximum characters of text in a stored request. */
const MAX_TEXT = 256 * 1024;

const listeners = new Set<() => void>();
let calls: readonly RecordedCall[] = [];
let lastId = 0;

function show(next: readonly RecordedCall[]): void {
  calls = next;
  for (const listener of listeners) listener();
}

const isSmall = (message: Message): boolean => {
  let size = 0;
  for (const value of Object.values(message)) if (typeof value === "string") size += value.length;
  return size <= MAX_TEXT;
};

/** Records the start of a call; repeated identical calls, as from polling, share one entry. */
function begin(method: DescMethod, request: Message): number {
  const same = calls.find((call) => call.method === method && isSame(call.request, request));
  const call: RecordedCall = {
    id: ++lastId,
    method,
    request: isSmall(request) ? request : undefined,
    at: Date.now(),
    times: (same?.times ?? 0) + 1,
  };
  show([call, ...calls.filter((other) => other !== same)].slice(0, MAX_CALLS));
  return call.id;
}

const isSame = (a: Message | undefined, b: Message): boolean =>
  a !== undefined && JSON.stringify(a, plain) === JSON.stringify(b, plain);

const plain = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);

function end(id: number, outcome: string): void {
  show(
    calls.map((call) =>
      call.id === id ? { ...call, outcome, took: Math.max(1, Date.now() - call.at) } : call,
    ),
  );
}

/** Records each call with its request message. */
export const recordCalls: Interceptor = (next) => async (request) => {
  if (request.stream) {
    const { method } = request;
    let id: number | undefined;
    const message = (async function* (source: AsyncIterable<Message>) {
      for await (const part of source) {
        id ??= begin(method, part);
        yield part;
      }
    })(request.message);
    const answer = await next({ ...request, message });
    if (id !== undefined) end(id, "OK");
    return answer;
  }
  const id = begin(request.method, request.message);
  try {
    const answer = await next(request);
    end(id, "OK");
    return answer;
  } catch (thrown) {
    end(id, codeOfThrown(thrown));
    throw thrown;
  }
};

/** Drops the recorded calls when another user signs in. */
export const forgetCalls = (): void => show([]);

export const useCalls = (): readonly RecordedCall[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => calls,
  );
