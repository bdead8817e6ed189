import { PassThrough } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { BODY_PACE, BodyPace, type PaceLimits, paced } from "../../../src/transport/body-pace.ts";
import type { HttpRequest } from "../../../src/transport/connections/connections.ts";
import { readBody } from "../../../src/transport/request-body.ts";

const LIMIT = 4 * 1024 * 1024;
/** The list of this many bytes' chunks would need hundreds of times their size. */
const SENT = 400_000;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** A request whose body the test writes. */
function arriving() {
  const stream = new PassThrough({ highWaterMark: LIMIT });
  const request = Object.assign(stream, { headers: {} }) as unknown as HttpRequest;
  const held: number[] = [];
  return {
    stream,
    held,
    body: readBody(request, LIMIT, { holdBody: (size) => held.push(size), pace: BODY_PACE }),
  };
}

describe("a body", () => {
  it("a request body is complete, however it was split", async () => {
    const { stream, held, body } = arriving();
    const sent = Buffer.from(Array.from({ length: 70_000 }, (_, i) => i % 251));
    for (let at = 0, size = 1; at < sent.length; at += size, size = (size * 7) % 5003)
      stream.write(sent.subarray(at, at + size));
    stream.end();
    expect(sent.equals(await body)).toBe(true);
    expect(held.at(-1)).toBe(sent.length);
  });

  it("a request body is empty if nothing arrives", async () => {
    const { stream, body } = arriving();
    stream.end();
    expect(await body).toHaveLength(0);
  });

  it("a request body that stops arriving is given up", async () => {
    const stream = new PassThrough();
    const request = Object.assign(stream, { headers: {} }) as unknown as HttpRequest;
    const pace = { ...BODY_PACE, silenceMs: 5 };
    const body = readBody(request, LIMIT, { holdBody: () => undefined, pace }, "of a test");
    stream.write("a");
    await expect(body).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED", http: 408 });
    expect(stream.listenerCount("data")).toBe(0);
  });

  it("a body in chunks of one byte needs at most a few times its size in memory", async () => {
    const { stream, held, body } = arriving();
    collect();
    const before = process.memoryUsage();
    held.length = 0;
    for (let i = 0; i < SENT; i++) {
      // each is received in its own memory
      stream.write(Buffer.alloc(1, 32));
      held.length = 0;
      if (i % 1000 === 0) await new Promise(setImmediate);
    }
    await new Promise(setImmediate);
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    expect(heapUsed + arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(20 * SENT);
    stream.end();
    expect(await body).toHaveLength(SENT);
  });
});

describe("the pace of a body", () => {
  const LONG = 1_000_000;
  const limits = (some: Partial<PaceLimits>): PaceLimits => ({
    silenceMs: LONG,
    graceMs: LONG,
    bytesPerSecond: 1,
    totalMs: LONG,
    ...some,
  });
  /** A body of one byte in each turn of the event loop, without an end. */
  async function* drops(): AsyncGenerator<Uint8Array> {
    for (;;) {
      await new Promise(setImmediate);
      yield Buffer.alloc(1);
    }
  }
  const reasonOf = async (some: Partial<PaceLimits>): Promise<unknown> => {
    const next = paced(drops(), limits(some));
    for (;;) {
      try {
        await next();
      } catch (error) {
        return error;
      }
    }
  };

  it("a body is given up once it has arrived slower than the minimum rate for a while", async () => {
    expect(await reasonOf({ graceMs: 5, bytesPerSecond: 1e9 })).toMatchObject({
      code: "DEADLINE_EXCEEDED",
      http: 408,
      message: expect.stringContaining("less than 1000000000 bytes a second"),
    });
  });

  it("a body that arrives for too long is given up, however fast it arrives", async () => {
    expect(await reasonOf({ totalMs: 5 })).toMatchObject({
      code: "DEADLINE_EXCEEDED",
      http: 408,
      message: expect.stringContaining("did not arrive within"),
    });
  });

  it("time in which the server reads nothing of a body does not count towards the body's pace", async () => {
    let failure: unknown;
    const pace = new BodyPace(limits({ silenceMs: 5, totalMs: 5, graceMs: 5 }), (error) => {
      failure = error;
    });
    pace.wait();
    pace.pause();
    const began = performance.now();
    while (performance.now() - began < 20) await new Promise(setImmediate);
    expect(failure).toBeUndefined();
    pace.wait();
    while (failure === undefined) await new Promise(setImmediate);
    expect(failure).toMatchObject({ http: 408 });
  });
});
