import type { DescMethod, Message } from "@bufbuild/protobuf";
import type { Interceptor } from "@connectrpc/connect";
import { useSyncExternalStore } from "react";
import { codeOfThrown } from "./code-of-thrown.ts";

/** A call that Studio made; its headers, and with them the key, are not in it. */
export interface RecordedCall {
  readonly id: number;
  readonly method: DescMethod;
  /** Undefined where it was too large to be kept. */
  readonly request: Message | undefined;
  readonly at: number;
  /** ms; undefined while it is under way. */
  readonly took?: number;
  /** "OK" or the code of the error; undefined while it is under way. */
  readonly outcome?: string;
  /** Times the same was asked in a row. */
  readonly times: number;
}

const MAX_CALLS = 100;
/** Characters of text in a request that is kept. */
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

/** What polls asks the same again and again: it stays one entry. */
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

/** Notes each call with its request message. */
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

/** Somebody else signed in: what was asked before is not theirs. */
export const forgetCalls = (): void => show([]);

export const useCalls = (): readonly RecordedCall[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => calls,
  );
