import { pino } from "pino";
import { Registry } from "prom-client";
import { openTransport, type Transport, type TransportOptions } from "../../../src/transport/transport.ts";
import { authenticate, RamIdempotency, tinyOperations } from "./tiny-service.ts";

/** A transport with the tiny service behind it, on a free port of this machine. */
export function openTiny(options: Partial<TransportOptions> = {}): Promise<Transport> {
  return openTransport({
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
