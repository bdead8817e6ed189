import { pino } from "pino";
import { Registry } from "prom-client";
import { Budget } from "../../../src/base/budget.ts";
import { overBudget } from "../../../src/domain/errors.ts";
import { openTransport, type Transport, type TransportOptions } from "../../../src/transport/transport.ts";
import { authenticate, RamIdempotency, tinyOperations } from "./tiny-service.ts";

const TINY_MEMORY = 64 * 1024 * 1024;

/** Starts a transport with the tiny service behind it, on a free port of this machine. */
export function openTiny(options: Partial<TransportOptions> = {}): Promise<Transport> {
  return openTransport({
    memory: new Budget({ perKey: TINY_MEMORY, total: TINY_MEMORY }, overBudget("memory of calls")),
    host: "127.0.0.1",
    port: 0,
    version: "0.0.1",
    uriScheme: "ctx",
    log: pino({ level: "silent" }),
    authenticate,
    keyless: false,
    limits: { maxBodyBytes: 4 * 1024 * 1024, maxUploadBytes: 1024 * 1024 },
    operations: tinyOperations(),
    idempotency: new RamIdempotency(),
    ready: () => ({ storage: "ok" }),
    registry: new Registry(),
    ...options,
  });
}
