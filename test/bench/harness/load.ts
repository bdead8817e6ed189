import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { TYPESCRIPT_LOADER } from "../../../src/base/processes/child-process.ts";
import type { Spread } from "./figure.ts";
import type { HttpRequestSpec } from "./http1-connection.ts";

interface Shape {
  readonly port: number;
  /** Number of calls in flight. */
  readonly concurrency: number;
  /** How long to repeat the requests. If missing, each is sent once. */
  readonly seconds?: number;
  /**
   * Calls a second, at fixed times: a call that has to wait for a free slot counts from its own time. If
   * missing, each slot sends its next call at once.
   */
  readonly perSecond?: number;
}

interface RestLoad extends Shape {
  readonly wire: "rest";
  readonly requests: readonly HttpRequestSpec[];
}

interface GrpcLoad extends Shape {
  readonly wire: "grpc";
  /** The message, in base64. */
  readonly requests: readonly { readonly path: string; readonly message: string }[];
}

export type Load = RestLoad | GrpcLoad;

export interface LoadResult extends Spread {
  readonly calls: number;
  /** Number of failed calls: no status 200 (REST) or no message (gRPC). */
  readonly failed: number;
  readonly seconds: number;
  readonly rate: number;
}

export interface Generator {
  /** Throws if calls fail, since figures with errors would be meaningless. */
  run(load: Load): Promise<LoadResult>;
  stop(): void;
}

export function startGenerator(): Generator {
  const child = fork(fileURLToPath(new URL("load-child.ts", import.meta.url)), {
    execArgv: [...TYPESCRIPT_LOADER],
  });
  return {
    async run(load) {
      child.send(load);
      const settled = new AbortController();
      const { signal } = settled;
      const ended = once(child, "exit", { signal }).then(() =>
        Promise.reject(new Error("the generator ended")),
      );
      const [answer] = (await Promise.race([once(child, "message", { signal }), ended])) as [
        LoadResult | { error: string },
      ];
      ended.catch(() => undefined);
      settled.abort();
      if ("error" in answer) throw new Error(answer.error);
      if (answer.failed > 0) throw new Error(`${answer.failed} of ${answer.calls} calls failed`);
      return answer;
    },
    stop: () => void child.kill(),
  };
}
