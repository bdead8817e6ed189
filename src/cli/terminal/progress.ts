import type { Io } from "../io.ts";

/** Displays the progress of a task. */
export interface ProgressBar {
  /** `total`: 0 if not known yet. */
  update(stage: string, done: number, total: number): void;
  /** Prints a line above the progress bar. */
  say(line: string): void;
  /** Removes the progress bar; later updates are ignored. */
  end(): void;
}

interface Facts {
  readonly stage: string;
  readonly amounts: string;
  /** Whether the total is known. */
  readonly known: boolean;
}

const SILENT: ProgressBar = { update: () => undefined, say: () => undefined, end: () => undefined };
const BAR_CELLS = 28;
const STAGE_CELLS = 12;

/** A progress bar on stderr; does nothing if stderr is not a terminal, to keep logs readable. */
export async function progressOn(
  { err }: Pick<Io, "err">,
  amount: (done: number) => string = String,
): Promise<ProgressBar> {
  if (!err.isTTY) return SILENT;
  const { default: progress } = await import("cli-progress");
  const bar = new progress.SingleBar({
    stream: err,
    format: (_, { progress: share }, { stage, amounts, known }: Facts) => {
      const full = Math.round(Math.min(1, share) * BAR_CELLS);
      return [
        stage.padEnd(STAGE_CELLS),
        ...(known ? ["█".repeat(full) + "░".repeat(BAR_CELLS - full)] : []),
        amounts,
      ].join(" ");
    },
    clearOnComplete: true,
    hideCursor: true,
    noTTYOutput: false,
  });
  let started = false;
  let ended = false;
  const hide = () => {
    if (started) bar.stop();
    started = false;
  };
  return {
    update(stage, done, total) {
      if (ended) return;
      const known = total > 0;
      const facts: Facts = {
        stage,
        known,
        amounts: known ? `${amount(done)} of ${amount(total)}` : amount(done),
      };
      if (!started) bar.start(Math.max(total, 1), done, facts);
      started = true;
      bar.setTotal(Math.max(total, 1));
      bar.update(done, facts);
    },
    say(line) {
      if (ended) return;
      hide();
      err.write(`${line}\n`);
    },
    end() {
      hide();
      ended = true;
    },
  };
}
