import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { afterAll, describe, expect, it } from "vitest";
import { miniLmEmbedder } from "../../../src/providers/builtin/minilm-embedding.ts";
import { staticEmbedder } from "../../../src/providers/builtin/static-embedding.ts";
import { silentLog } from "../../support/silent-log.ts";
import { embeddingSuite } from "./embedding.ts";

const MODELS = fileURLToPath(new URL("../../../models", import.meta.url));
const LIMIT_MS = 120_000;
const words = staticEmbedder(MODELS);
const miniLm = miniLmEmbedder(MODELS, words, silentLog);
afterAll(() => miniLm.close());

embeddingSuite("the static table", () => words);
embeddingSuite("MiniLM", () => miniLm);

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

/** Returns the embedding processes started by this process. */
const children = (): number[] =>
  execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(process.pid)], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("minilm-child"))
    .map((line) => Number.parseInt(line, 10));

describe("MiniLM", () => {
  it("MiniLM writes no ONNX Runtime telemetry log into the temporary folder", async () => {
    await miniLm.embed(["an owl"]);
    await miniLm.embedQuery("owls");
    expect(children().length).toBeGreaterThan(1);
    expect(children().filter((pid) => existsSync(`/tmp/mat-debug-${pid}.log`))).toEqual([]);
  });

  it("MiniLM gives a Chinese query and an English passage of the same meaning close vectors", async () => {
    const [passage, other] = await miniLm.embed(["parse JSON with Python", "which tea does Ann prefer?"]);
    const mixed = await miniLm.embedQuery("如何用 Python 解析 JSON 文件？");
    expect(dot(mixed, passage!)).toBeGreaterThan(0.7);
    expect(dot(mixed, other!)).toBeLessThan(0.2);
  });

  it("MiniLM embeds a thousand texts even if its process is killed meanwhile", {
    timeout: LIMIT_MS,
  }, async () => {
    const texts = Array.from({ length: 1000 }, (_, i) => `number ${i}`);
    let done = 0;
    const batches = Array.from({ length: 10 }, async (_, i) => {
      const vectors = await miniLm.embed(texts.slice(i * 100, i * 100 + 100));
      done += vectors.length;
      return vectors;
    });
    await miniLm.embed(["one more"]);
    expect(done).toBeLessThan(1000);
    for (const pid of children()) process.kill(pid, "SIGKILL");
    const vectors = (await Promise.all(batches)).flat();
    const [first, last] = await miniLm.embed([texts[0]!, texts[999]!]);
    expect(vectors).toHaveLength(1000);
    expect(dot(vectors[0]!, first!)).toBeGreaterThan(0.999);
    expect(dot(vectors[999]!, last!)).toBeGreaterThan(0.999);
    expect(miniLm.isUsable).toBe(true);
  });

  it("MiniLM embeds a query while it embeds many texts", { timeout: LIMIT_MS }, async () => {
    // the process is started first, so that the test only shows the order of waiting
    await miniLm.embedQuery("is anybody there?");
    const texts = Array.from({ length: 96 }, (_, i) =>
      `some text on the subject of lighthouses, the ${i}th of its kind `.repeat(10),
    );
    let isDone = false;
    const bulk = miniLm.embed(texts).then(() => {
      isDone = true;
    });
    await miniLm.embedQuery("where is the lighthouse?");
    expect(isDone).toBe(false);
    await bulk;
  });

  it("a damaged MiniLM model is reported once and not loaded again", {
    timeout: LIMIT_MS,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "models-"));
    const lines: string[] = [];
    const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
    const damaged = miniLmEmbedder(folder, words, log);
    try {
      for (const name of ["MANIFEST.json", "minilm-int8.onnx", "tokenizer.json"])
        cpSync(join(MODELS, name), join(folder, name));
      const bytes = readFileSync(join(folder, "minilm-int8.onnx"));
      bytes[1_000_000]! ^= 1;
      writeFileSync(join(folder, "minilm-int8.onnx"), bytes);
      for (let i = 0; i < 2; i++)
        await expect(damaged.embed(["owl"])).rejects.toMatchObject({
          code: "EMBEDDING_FAILED",
          message: expect.not.stringContaining(folder),
        });
      await expect(damaged.embedQuery("owl")).rejects.toMatchObject({ code: "EMBEDDING_FAILED" });
      expect(damaged.isUsable).toBe(false);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain("minilm-int8.onnx");
    } finally {
      await damaged.close();
      rmSync(folder, { recursive: true });
    }
  });
});
