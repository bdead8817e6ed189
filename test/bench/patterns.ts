import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { Api } from "./harness/api.ts";
import { type Bench, type Figure, ms } from "./harness/figure.ts";
import { cpuSeconds, memoryOf } from "./harness/processes.ts";
import { type Running, startServer } from "./harness/server.ts";
import { ROUNDS, warmTime } from "./harness/timed.ts";

const FILES_PER_FOLDER = 1000;
const FILE_BYTES = 1024;
const RARE = "zygomorphic";
const COMMON = "river";
const WORDS =
  `${COMMON} stone lamp garden letter window engine paper morning harbour silver market winter bridge signal copper`.split(
    " ",
  );
const LIMIT_MB = 100;
const LIMIT_STRETCH_MS = 20;

/** Number of 1 kB files, and the time limit for grep and glob over them. */
interface Scale {
  readonly files: number;
  readonly grepMs: number;
  readonly globMs: number;
  /** Number of warm-up rounds, after which the server's code is compiled. */
  readonly unmeasured: number;
}

const SMALL: Scale = { files: 3000, grepMs: 20, globMs: 5, unmeasured: 20 };
const LARGE: Scale = { files: 200_000, grepMs: 2000, globMs: 2000, unmeasured: 1 };

export const patterns: Bench = {
  name: "patterns",
  title: "grep and glob over files of 1 kB",
  async run({ quick }) {
    const figures: Figure[] = [];
    for (const scale of quick ? [SMALL] : [SMALL, LARGE]) figures.push(...(await measure(scale)));
    return figures;
  },
};

/** Returns a text of about 1 kB in lines of ten words. The same number yields the same text. */
function textOf(i: number): string {
  const lines: string[] = [];
  for (let bytes = 0, n = 0; bytes < FILE_BYTES; n++) {
    const picked = createHash("sha256").update(`${i} ${n}`).digest();
    const line = Array.from(picked.subarray(0, 10), (byte) => WORDS[byte % WORDS.length]).join(" ");
    lines.push(line);
    bytes += line.length + 1;
  }
  return `${lines.join("\n")}\n`;
}

async function makeFiles(root: string, files: number): Promise<void> {
  for (let first = 0; first < files; first += FILES_PER_FOLDER) {
    const folder = join(root, `d${first / FILES_PER_FOLDER}`);
    await mkdir(folder, { recursive: true });
    const last = Math.min(files, first + FILES_PER_FOLDER);
    // only one file in the middle contains the rare word
    const text = (i: number) => `${textOf(i)}${i === files >> 1 ? `${RARE}\n` : ""}`;
    await Promise.all(
      Array.from({ length: last - first }, (_, i) =>
        writeFile(join(folder, `f${first + i}.txt`), text(first + i)),
      ),
    );
  }
}

async function measure(scale: Scale): Promise<Figure[]> {
  const folder = await temporaryFolder();
  let longest = 0;
  const server = await startServer({
    env: { CTXDB_IMPORT_MAX_FILES: String(LARGE.files + 1) },
    onHeld: (stretch) => {
      longest = Math.max(longest, stretch);
    },
  });
  try {
    await makeFiles(folder.path, scale.files);
    const api = await Api.open(server.port);
    await api.post("/api/v1/resources", {
      path: folder.path,
      to: "ctx://resources/texts",
      build_index: false,
      wait: true,
    });
    const idle = memoryOf(server.pid).own;
    longest = 0;
    const figures = await asked(api, server.pid, folder.path, scale);
    const above = memoryOf(server.pid).own - idle;
    api.close();
    figures.push({
      what: "pages of the server's own, above those before the first question",
      measured: `${above.toFixed(0)} MB`,
      expected: `≤ ${LIMIT_MB} MB`,
      met: above <= LIMIT_MB,
    });
    figures.push({
      what: "longest stretch on the main thread, CPU time",
      measured: longest === 0 ? `under ${LIMIT_STRETCH_MS} ms` : ms(longest),
      expected: `≤ ${LIMIT_STRETCH_MS} ms`,
      met: longest <= LIMIT_STRETCH_MS,
    });
    return [...figures, ...(await packed(server))];
  } finally {
    await server.stop();
    await folder.remove();
  }
}

/** Compares each query with ripgrep over the same files, if ripgrep is installed. */
async function asked(
  api: Api,
  pid: number,
  path: string,
  { files, grepMs, globMs, unmeasured }: Scale,
): Promise<Figure[]> {
  const uri = "ctx://resources/texts";
  const grep = (pattern: string) => () => api.post("/api/v1/search/grep", { uri, pattern });
  const glob = () => api.post("/api/v1/search/glob", { uri, pattern: "**/f*7.txt" });
  const over = `over ${files.toLocaleString("en-US")} files`;
  const questions: [string, () => Promise<unknown>, number, string[]][] = [
    [`grep of a rare word ${over}`, grep(RARE), grepMs, ["-n", RARE]],
    [`grep of a common word ${over}, first answer`, grep(COMMON), grepMs, ["-n", COMMON]],
    [`glob ${over}`, glob, globMs, ["--files", "-g", "**/f*7.txt"]],
  ];
  const figures: Figure[] = [];
  for (const [what, ask, limit, args] of questions) {
    const before = cpuSeconds(pid);
    const taken = await warmTime(ask, unmeasured);
    const cpu = ((cpuSeconds(pid) - before) * 1000) / (unmeasured + ROUNDS);
    const plain = isInstalled()
      ? await warmTime(async () => void spawnSync("rg", [...args, path], { maxBuffer: 2 ** 30 }))
      : undefined;
    figures.push({
      what,
      measured: `${ms(taken)}, of the server's CPU ${ms(cpu)}`,
      ...(plain !== undefined && { beside: `ripgrep: ${ms(plain)}`, ratio: taken / plain }),
      expected: `≤ ${ms(limit)}`,
      met: taken <= limit,
    });
  }
  return figures;
}

const isInstalled = (): boolean => spawnSync("rg", ["--version"]).status === 0;

/** Exports the same files as a pack and imports it again. */
async function packed({ port }: Running): Promise<Figure[]> {
  const url = `http://127.0.0.1:${port}/api/v1`;
  const json = { "Content-Type": "application/json" };
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${url}/${path}`, {
      method: "POST",
      headers: json,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const { result } = (await (await fetch(`${url}/fs/stat?uri=ctx://resources/texts`)).json()) as {
    result: { count: number };
  };
  const megabytes = (result.count * FILE_BYTES) / 1e6;
  const rate = (began: number) => `${(megabytes / ((performance.now() - began) / 1000)).toFixed(1)} MB/s`;
  let began = performance.now();
  const bytes = await (await post("pack/export", { uri: "ctx://resources/texts" })).blob();
  const exported = rate(began);
  const form = new FormData();
  form.set("file", bytes, "p.zip");
  const sent = (await (
    await fetch(`${url}/resources/temp_upload`, { method: "POST", body: form })
  ).json()) as {
    result: { temp_path: string };
  };
  began = performance.now();
  await post("pack/import", {
    temp_path: sent.result.temp_path,
    parent: "ctx://resources/again",
    vectorize: false,
  });
  const what = `a pack of ${megabytes.toFixed(0)} MB in files of 1 kB`;
  return [
    { what: `export of ${what}`, measured: exported },
    { what: `import of ${what}`, measured: rate(began) },
  ];
}
