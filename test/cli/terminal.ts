import { execFile } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

const COLUMNS = 80;
const ROWS = 50;
const LIMIT_MS = 60_000;
const LOOK_MS = 50;

interface Options {
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
}

/** Environment variables about colours, which must not reach the tested terminal. */
const COLOURS_UNSET = ["-u", "NO_COLOR", "-u", "FORCE_COLOR", "-u", "CI"];

/** A real terminal: a shell in a window of 80 columns, on a separate tmux server. */
export class Terminal {
  readonly #socket: string;
  readonly #window: string;

  private constructor(socket: string, window: string) {
    this.#socket = socket;
    this.#window = window;
  }

  static async open(socket: string, window: string, { env, folder }: Options): Promise<Terminal> {
    const terminal = new Terminal(socket, window);
    const settings = Object.entries({ ...env, PS1: "$ ", TERM: "xterm-256color" }).map(
      ([name, value]) => `${name}=${value}`,
    );
    const size = ["-x", String(COLUMNS), "-y", String(ROWS)];
    await terminal.#tmux(
      "new-session",
      "-d",
      "-s",
      window,
      ...size,
      "-c",
      folder,
      "env",
      ...COLOURS_UNSET,
      ...settings,
      "bash",
      "--norc",
      "--noprofile",
    );
    await terminal.until(/^\$ ?$/m);
    return terminal;
  }

  static async close(socket: string): Promise<void> {
    await run("tmux", ["-L", socket, "kill-server"]).catch(() => undefined);
  }

  /** Clears the screen and types a line. */
  async type(line: string): Promise<void> {
    await this.#tmux("send-keys", "-t", this.#window, "-R", "");
    await this.#tmux("clear-history", "-t", this.#window);
    await this.press("C-l");
    await this.enter(line);
  }

  /** Types a line at the cursor. */
  async enter(line: string): Promise<void> {
    await this.#tmux("send-keys", "-t", this.#window, "-l", line);
    await this.press("Enter");
  }

  /** Presses a key given by its tmux name, such as C-c. */
  async press(key: string): Promise<void> {
    await this.#tmux("send-keys", "-t", this.#window, key);
  }

  /** Returns the visible text; with `coloured` including the escape sequences of colours. */
  async screen(coloured = false): Promise<string> {
    return (await this.#tmux("capture-pane", "-p", "-t", this.#window, ...(coloured ? ["-e"] : []))).replace(
      /\n+$/,
      "\n",
    );
  }

  /** Returns the screen as soon as it matches. Otherwise throws an error that shows the screen. */
  async until(pattern: RegExp): Promise<string> {
    const ends = Date.now() + LIMIT_MS;
    for (;;) {
      const screen = await this.screen();
      if (pattern.test(screen)) return screen;
      if (Date.now() > ends) throw new Error(`no ${pattern} on the screen:\n${screen}`);
      await pause(LOOK_MS);
    }
  }

  /**
   * Runs a command line to its end. Returns the screen without the command line itself, and the exit code.
   */
  async say(line: string): Promise<{ readonly screen: string; readonly code: number }> {
    await this.type(`${line}; echo "[ended $?]"`);
    return this.ended();
  }

  async ended(): Promise<{ readonly screen: string; readonly code: number }> {
    const screen = await this.until(/^\[ended \d+\]$/m);
    return { screen, code: Number(/^\[ended (\d+)\]$/m.exec(screen)?.[1]) };
  }

  async #tmux(...args: string[]): Promise<string> {
    return (await run("tmux", ["-L", this.#socket, ...args])).stdout;
  }
}
