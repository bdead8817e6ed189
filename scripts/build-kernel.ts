import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import wabt from "wabt";

const SOURCE = new URL("../src/index/vectors/scan.wat", import.meta.url);
const TARGET = new URL("../src/index/vectors/scan-kernel.ts", import.meta.url);

/** The text of `scan-kernel.ts` for the present `scan.wat`. */
export async function kernelModule(): Promise<string> {
  const { parseWat } = await wabt();
  const parsed = parseWat("scan.wat", readFileSync(SOURCE, "utf8"), { simd: true });
  const { buffer } = parsed.toBinary({});
  parsed.destroy();
  const lines = (
    Buffer.from(buffer)
      .toString("base64")
      .match(/.{1,120}/g) ?? []
  ).map((line) => `  "${line}"`);
  return [
    "/** `scan.wat` compiled; written by `npm run build:kernel`, never by hand. */",
    `export const KERNEL =\n${lines.join(" +\n")};`,
    "",
  ].join("\n");
}

export const committedKernelModule = (): string => readFileSync(TARGET, "utf8");

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TARGET, await kernelModule());
