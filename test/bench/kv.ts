/**
 * Measures transactions per second with 64 concurrent callers on 4 hot counters, each of which also appends a
 * record. Run: npx tsx test/bench/kv.ts [seconds]
 */
import { openStorage } from "../../src/storage/open.ts";
import { silentLog } from "../support/silent-log.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const CALLERS = 64;
const HOT = 4;
const seconds = Number(process.argv[2] ?? 5);

const folder = await temporaryFolder();
const { kv, close } = await openStorage({ dataDir: folder.path, log: silentLog, clock: Date.now });
const record = Buffer.alloc(300, 1);
const times: number[] = [];
const end = performance.now() + seconds * 1000;

async function caller(number: number): Promise<void> {
  const counter = `counter/${number % HOT}`;
  while (performance.now() < end) {
    const began = performance.now();
    await kv.transact((read) => {
      const next = Number(Buffer.from(read.get(counter) ?? []).toString() || 0) + 1;
      const ops = [
        { key: counter, value: Buffer.from(String(next)) },
        { key: `${counter}/${String(next).padStart(9, "0")}`, value: record },
      ];
      return { ops, apply: () => undefined };
    });
    times.push(performance.now() - began);
  }
}

await Promise.all(Array.from({ length: CALLERS }, (_, number) => caller(number)));
times.sort((a, b) => a - b);
const at = (share: number) => times[Math.floor(times.length * share)]!.toFixed(2);
process.stdout.write(
  `${Math.round(times.length / seconds)} transactions/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms\n`,
);
const began = performance.now();
for (let i = 0; i < 100_000; i++) kv.get(`counter/0/${String(i % 1000).padStart(9, "0")}`);
process.stdout.write(`get ${((performance.now() - began) / 100).toFixed(2)} µs\n`);
await close();
await folder.remove();
