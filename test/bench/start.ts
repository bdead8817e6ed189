import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Bench, type Figure, median, ms } from "./harness/figure.ts";
import { startServer } from "./harness/server.ts";

const ROUNDS = 5;
const LIMIT_MS = 1000;

export const start: Bench = {
  name: "start",
  title: "from the start of the process to the ready line, on an empty data directory",
  async run({ quick }) {
    const times = {
      node: [] as number[],
      npm: [] as number[],
      bare: [] as number[],
      version: [] as number[],
    };
    for (let round = 0; round < (quick ? 1 : ROUNDS); round++) {
      times.bare.push(await lasts(process.execPath, ["-e", "0"]));
      times.node.push(await started(false));
      times.version.push(await lasts("npm", ["--version"]));
      times.npm.push(await started(true));
    }
    const line = (what: string, of: readonly number[], title: string, base: readonly number[]): Figure => {
      const [measured, beside] = [median(of), median(base)];
      return {
        what,
        measured: ms(measured),
        beside: `${title}: ${ms(beside)}`,
        ratio: measured / beside,
        expected: "≤ 1 s",
        met: measured <= LIMIT_MS,
      };
    };
    return [
      line("node dist/src/main.js", times.node, "node -e 0", times.bare),
      line("npm start", times.npm, "npm --version", times.version),
    ];
  },
};

async function started(byNpm: boolean): Promise<number> {
  const server = await startServer({ byNpm });
  await server.stop();
  return server.startedInMs;
}

async function lasts(command: string, args: readonly string[]): Promise<number> {
  const began = performance.now();
  await once(spawn(command, args, { stdio: "ignore" }), "exit");
  return performance.now() - began;
}
