import { pino } from "pino";
import type { Log } from "../../src/base/log.ts";

export const silentLog: Log = pino({ level: "silent" });
