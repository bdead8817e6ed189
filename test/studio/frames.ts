import type { Browser, Page } from "playwright-core";

/** The duration of a run of frames, in ms. */
export interface Frames {
  readonly frames: number;
  readonly median: number;
  readonly p99: number;
  readonly longest: number;
  readonly over: number;
  /** CPU time of the page's main thread, which other programs on the machine do not increase. */
  readonly cpu: {
    readonly median: number;
    readonly p99: number;
    readonly longest: number;
    readonly over: number;
  };
}

export const MAX_FRAME_MS = 50;

/** tsx names functions with a helper that does not exist in pages. */
export const NAME_HELPER = { content: "globalThis.__name ??= (value) => value;" };

const CATEGORIES = ["blink.user_timing", "disabled-by-default-devtools.timeline", "devtools.timeline"];
const MARK = "bench-frame";
const MAIN_THREAD = "CrRendererMain";

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** In microseconds. */
  readonly ts: number;
  /** CPU time of the thread in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** CPU time of a page's main thread for an action, in ms. */
export async function cpuOf(browser: Browser, page: Page, work: () => Promise<void>): Promise<number> {
  const { tasks } = await traced(browser, page, work);
  return tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000;
}

interface Trace {
  /** Frame marks, in order of time. */
  readonly marks: readonly TraceEvent[];
  /** Tasks on the main threads of pages, in order of time. */
  readonly tasks: readonly TraceEvent[];
}

async function traced(browser: Browser, page: Page, work: () => Promise<void>): Promise<Trace> {
  await browser.startTracing(page, { categories: CATEGORIES });
  await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: readonly TraceEvent[];
  };
  const named = traceEvents.filter(({ name, args }) => name === "thread_name" && args?.name === MAIN_THREAD);
  const threads = new Set(named.map(({ pid, tid }) => `${pid}/${tid}`));
  const events = traceEvents
    .filter(({ pid, tid }) => threads.has(`${pid}/${tid}`))
    .toSorted((a, b) => a.ts - b.ts);
  return {
    marks: events.filter(({ name }) => name === MARK),
    tasks: events.filter(({ name }) => name === "RunTask"),
  };
}

/** Scrolls an element to its end in `steps` frames and returns the time of each frame. */
export async function scroll(browser: Browser, page: Page, selector: string, steps: number): Promise<Frames> {
  let took: number[] = [];
  const trace = await traced(browser, page, async () => {
    took = await scrollTimes(page, selector, steps);
  });
  return { frames: took.length, ...spread(took), cpu: spread(cpuOfFrames(trace)) };
}

const scrollTimes = (page: Page, selector: string, steps: number): Promise<number[]> =>
  page.evaluate(
    async ([selected, total, mark]): Promise<number[]> => {
      const element = document.querySelector(selected);
      if (element === null) throw new Error(`there is no ${selected}`);
      const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
      element.scrollTop = 0;
      for (let settled = 0; settled < 10; settled++) await frame();
      const distance = element.scrollHeight - element.clientHeight;
      const times: number[] = [];
      let before = await frame();
      performance.mark(mark);
      for (let step = 1; step <= total; step++) {
        element.scrollTop = (distance * step) / total;
        const now = await frame();
        performance.mark(mark);
        times.push(now - before);
        before = now;
      }
      return times;
    },
    [selector, steps, MARK] as const,
  );

/** Returns the CPU time of the main thread between two marks, in ms. */
function cpuOfFrames({ marks, tasks }: Trace): number[] {
  const began = marks[0]?.ts;
  if (began === undefined) throw new Error("the trace holds no frames");
  const shown = tasks.filter(({ ts }) => ts >= began);
  let next = 0;
  return marks.slice(1).map(({ ts: end }) => {
    let cpu = 0;
    for (let task = shown[next]; task !== undefined && task.ts < end; task = shown[++next])
      cpu += task.tdur ?? 0;
    return cpu / 1000;
  });
}

function spread(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    median: at(0.5),
    p99: at(0.99),
    longest: at(1),
    over: times.filter((time) => time > MAX_FRAME_MS).length,
  };
}
