import { setTimeout as pause } from "node:timers/promises";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { Api } from "./harness/api.ts";
import { type Bench, type Figure, ms, perSecond } from "./harness/figure.ts";
import { cpuSeconds, type Memory, megabytes, memoryOf } from "./harness/processes.ts";
import { makeRepository } from "./harness/repository-folder.ts";
import { type Running, startServer } from "./harness/server.ts";

const FILES = 10_000;
const QUICK_FILES = 400;
const TO = "ctx://resources/repository";
const LOOK_MS = 200;
/** Time without progress after which an unfinished task looks hung. */
const STILL_MS = 5000;
const PEAK_MB = 600;
const STRETCH_MS = 50;
const AGAIN_SHARE = 0.05;
const IMPORT_LIMIT_MS = 30 * 60_000;

interface Task {
  readonly status: string;
  readonly stage: string;
  readonly progress: { readonly done: number; readonly total: number };
}

/** Observations of one import from outside. */
interface Seen {
  readonly visibleMs: number;
  readonly wholeMs: number;
  readonly cpu: number;
  readonly peak: Memory;
  /** The longest time without a change in the task's progress. */
  readonly stillMs: number;
  readonly longestHeldMs: number;
}

export const imports: Bench = {
  name: "imports",
  title: "import of a folder like a repository (code, documents, data of mixed sizes), without wait",
  async run({ quick }) {
    const files = quick ? QUICK_FILES : FILES;
    const folder = await temporaryFolder();
    let held = 0;
    const server = await startServer({
      onHeld: (stretch) => {
        held = Math.max(held, stretch);
      },
    });
    try {
      const bytes = await makeRepository(folder.path, files);
      const api = await Api.open(server.port);
      const observe = async () => {
        held = 0;
        const seen = await watched(api, server, folder.path);
        return { ...seen, longestHeldMs: held };
      };
      const [first, again] = [await observe(), await observe()];
      api.close();
      return figuresOf(files, bytes / 1e6, first, again);
    } finally {
      await server.stop();
      await folder.remove();
    }
  },
};

async function watched(api: Api, server: Running, path: string): Promise<Omit<Seen, "longestHeldMs">> {
  const cpu = cpuSeconds(server.pid);
  const began = performance.now();
  const { task_id: id } = await api.post<{ task_id: string }>("/api/v1/resources", { path, to: TO });
  let [visibleMs, stillMs, told, since] = [0, 0, "", began];
  let peak: Memory = { pss: 0, own: 0 };
  for (;;) {
    const { status, stage, progress } = await api.get<Task>(`/api/v1/tasks/${id}`);
    const now = performance.now();
    if (status === "failed" || now - began > IMPORT_LIMIT_MS)
      throw new Error(`the import is ${status} at ${stage} ${progress.done}`);
    const tells = `${stage} ${progress.done}`;
    stillMs = Math.max(stillMs, now - since);
    if (tells !== told) [told, since] = [tells, now];
    if (visibleMs === 0 && (stage === "layers" || status === "completed")) visibleMs = now - began;
    if (status === "completed")
      return { visibleMs, wholeMs: now - began, cpu: cpuSeconds(server.pid) - cpu, peak, stillMs };
    const memory = memoryOf(server.pid);
    if (memory.pss > peak.pss) peak = memory;
    await pause(LOOK_MS);
  }
}

function figuresOf(files: number, megabytesOfFiles: number, first: Seen, again: Seen): Figure[] {
  const count = files.toLocaleString("en-US");
  const rate = (seconds: number) =>
    `${perSecond(files / seconds)}, ${(megabytesOfFiles / seconds).toFixed(1)} MB/s`;
  const share = again.wholeMs / first.wholeMs;
  const held = Math.max(first.longestHeldMs, again.longestHeldMs);
  const still = Math.max(first.stillMs, again.stillMs);
  return [
    {
      what: `${count} files, ${megabytesOfFiles.toFixed(0)} MB, visible and findable`,
      measured: `${ms(first.visibleMs)}, ${rate(first.visibleMs / 1000)}`,
    },
    {
      what: "with all layers",
      measured: `${ms(first.wholeMs)}, ${rate(first.wholeMs / 1000)}`,
      beside: `processor time of the main process: ${first.cpu.toFixed(1)} s`,
    },
    {
      what: "peak of all processes",
      measured: megabytes(first.peak),
      expected: `< ${PEAK_MB} MB PSS`,
      met: first.peak.pss < PEAK_MB,
    },
    {
      what: "longest time without progress of the task",
      measured: ms(still),
      expected: `≤ ${STILL_MS} ms`,
      met: still <= STILL_MS,
    },
    {
      what: "longest stretch on the main thread, CPU time",
      measured: ms(held),
      expected: `≤ ${STRETCH_MS} ms`,
      met: held <= STRETCH_MS,
    },
    {
      what: "the same again, unchanged",
      measured: ms(again.wholeMs),
      beside: `the first time, whole: ${ms(first.wholeMs)}; processor time ${again.cpu.toFixed(2)} s`,
      ratio: share,
      expected: "< .05",
      met: share < AGAIN_SHARE,
    },
  ];
}
