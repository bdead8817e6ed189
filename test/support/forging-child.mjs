import { Socket } from "node:net";

const CALLS_FD = 3;
const HEAD_BYTES = 13;
const [CALL, RESULT, ERROR] = [0, 1, 2];
const NO_BYTES = 0xffffffff;
const pipe = new Socket({ fd: CALLS_FD, readable: true, writable: true });

/** A frame as src/base/processes/child-frames.ts writes it; its lengths may be others than those that are announced. */
function send(kind, id, text, { valueBytes = Buffer.byteLength(text), bytes = NO_BYTES, content = "" } = {}) {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(kind, 0);
  head.writeUInt32LE(id, 1);
  head.writeUInt32LE(valueBytes, 5);
  head.writeUInt32LE(bytes, 9);
  return pipe.write(Buffer.concat([head, Buffer.from(text), Buffer.from(content)]));
}

/** Sends as fast as it is read. */
function flood(once) {
  while (once());
  pipe.once("drain", () => flood(once));
}

/** A child that was taken over by the file that it reads: it sends whatever its message asks for. */
const FORGERIES = {
  honest: (id) => send(RESULT, id, '"so"'),
  "honest, then more": (id) => {
    send(RESULT, id, '"so"');
    send(RESULT, id + 1, '"and so"');
  },
  "a frame of no kind": (id) => send(3, id, "1"),
  "a call": (id) => send(CALL, id, "1"),
  "the id of no call": (id) => send(RESULT, id + 1, "1"),
  "the same answer twice": (id) => {
    send(RESULT, id, "1");
    send(RESULT, id, "1");
  },
  "a value of 4 GiB": (id) => send(RESULT, id, "1", { valueBytes: 0xffffffff }),
  "a value above its limit": (id) => send(RESULT, id, "1", { valueBytes: 1001 }),
  "bytes of 4 GiB": (id) => send(RESULT, id, "1", { bytes: 0xfffffffe }),
  "bytes above their limit": (id) => send(RESULT, id, "1", { bytes: 8_000_001 }),
  "an error of 4 GiB": (id) => send(ERROR, id, '"e"', { valueBytes: 0xffffffff }),
  "an error with bytes": (id) => send(ERROR, id, '"e"', { bytes: 1, content: "e" }),
  "an error that is not text": (id) => send(ERROR, id, '{"toString":"x"}'),
  "a value that is not JSON": (id) => send(RESULT, id, "undefined"),
  "no value": (id) => send(RESULT, id, ""),
  "bytes that never come": (id) => send(RESULT, id, "1", { bytes: 8_000_000 }),
  "noise without end": () => flood(() => pipe.write(Buffer.alloc(65_536, 0xfe))),
  "frames without end": () => flood(() => send(RESULT, 0xfffffff0, "1".repeat(900))),
};

let received = Buffer.alloc(0);
pipe.on("data", (part) => {
  received = Buffer.concat([received, part]);
  while (received.length >= HEAD_BYTES) {
    const end = HEAD_BYTES + received.readUInt32LE(5);
    if (received.length < end) return;
    // a serialised text: the version, the kind of text, its length, and its characters
    const message = received.toString("latin1", HEAD_BYTES + 4, end);
    FORGERIES[message](received.readUInt32LE(1));
    received = received.subarray(end);
  }
});
pipe.on("error", () => process.exit());
pipe.on("close", () => process.exit());
