import { closeSync, openSync } from "node:fs";
import { type ChildAnswer, ChildProcess } from "../../src/base/processes/child-process.ts";

/** Calls a child while no file descriptor is free, and again once there is one. */
const child = new ChildProcess({
  module: new URL("./answering-child.ts", import.meta.url),
  maxHeapMb: 64,
  maxAnswer: { valueBytes: 1000, bytes: 0 },
  maxCalls: 1,
  callLimitMs: 60_000,
  idleMs: 60_000,
  report: () => undefined,
});
const said = ({ value }: ChildAnswer) => value;
const once = () => child.call(["echo", 1], said).catch((error: Error) => error.name);

const open: number[] = [];
try {
  for (;;) open.push(openSync("/dev/null", "r"));
} catch {
  // use up all file descriptors
}
const first = await once();
for (const descriptor of open) closeSync(descriptor);
let second = await once();
while (second === "ChildGone") second = await once();
console.log(`${first}, then ${second}`);
process.exit();
