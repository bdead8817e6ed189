import { describe, expect, it } from "vitest";
import { beginAhead } from "../../../src/ingest/read-ahead.ts";

const MIB = 1024 * 1024;
interface Numbered {
  readonly number: number;
  /** Undefined if it no longer exists. */
  readonly length: number | undefined;
}

const numbered = (count: number, length = 1) =>
  Array.from({ length: count }, (_, number): Numbered => ({ number, length }));
const ten = numbered(10);

async function* read(
  files: readonly Numbered[],
): AsyncGenerator<readonly [Numbered, Uint8Array | undefined]> {
  for (const file of files) yield [file, file.length === undefined ? undefined : Buffer.alloc(file.length)];
}

describe("work on files that is begun ahead", () => {
  it("files are processed ahead, and their results arrive in file order", async () => {
    let end = () => {};
    const first = new Promise<void>((resolve) => {
      end = resolve;
    });
    const begun: number[] = [];
    const begin = async ({ number }: { number: number }) => {
      begun.push(number);
      // the first is done when the third begins
      if (number === 2) end();
      if (number === 0) await first;
      return number;
    };
    const seen: unknown[] = [];
    for await (const { file, work } of beginAhead(read(ten), begin)) seen.push([file.number, await work]);
    expect(seen).toEqual(ten.map(({ number }) => [number, number]));
    expect(begun).toEqual(ten.map(({ number }) => number));
  });

  it("an error of work started ahead is thrown at its own file, without waiting for later files", async () => {
    const seen: number[] = [];
    const begin = async ({ number }: { number: number }) => {
      if (number >= 1) throw new Error(`file ${number}`);
    };
    const reading = (async () => {
      for await (const { file, work } of beginAhead(read(ten), begin)) {
        seen.push(file.number);
        await work;
      }
    })();
    await expect(reading).rejects.toThrow("file 1");
    expect(seen).toEqual([0, 1]);
  });

  it("work started ahead holds a limited number of bytes", async () => {
    const large = numbered(5, 20 * MIB);
    let begun = 0;
    const counts: number[] = [];
    const begin = async () => begun++;
    for await (const _ of beginAhead(read(large), begin)) counts.push(begun);
    expect(counts).toEqual([2, 3, 4, 5, 5]);
  });

  it("no work is started ahead for a missing file", async () => {
    const files = [{ number: 0, length: undefined }, ...numbered(1)];
    const seen = [];
    for await (const taken of beginAhead(read(files), async () => undefined))
      seen.push([taken.bytes?.length, await taken.work]);
    expect(seen).toEqual([
      [undefined, undefined],
      [1, undefined],
    ]);
  });
});
