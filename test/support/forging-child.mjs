import { writeSync } from "node:fs";

const BYTES_FD = 4;
const send = (message) => process.send?.(message);

/** A child that was taken over by the file that it reads: it sends whatever its message asks for. */
const FORGERIES = {
  honest: (id) => send({ id, result: "so" }),
  nothing: () => send(null),
  "a text": () => send("bytes"),
  "no id": () => send({ result: 1 }),
  "an id that is no number": (id) => send({ id: [id], result: 1 }),
  "the id of no call": (id) => send({ id: id + 1, result: 1 }),
  "an error that is no text": (id) => send({ id, error: { toString: "x" } }),
  "fewer than no bytes": (id) => send({ id, bytes: -1 }),
  "half a byte": (id) => send({ id, bytes: 0.5 }),
  "bytes without a number": (id) => send({ id, bytes: "7" }),
  "bytes that are no number": (id) => send({ id, bytes: Number.NaN }),
  "bytes without measure": (id) => send({ id, bytes: 2 ** 40 }),
  "the same answer twice": (id) => {
    send({ id, bytes: 2 ** 29 });
    send({ id, bytes: 2 ** 29 });
  },
  "bytes that are no value": (id) => {
    send({ id, bytes: 8 });
    writeSync(BYTES_FD, Buffer.alloc(8, 0xfe));
  },
};

process.on("message", ({ id, message }) => FORGERIES[message]?.(id));
process.on("disconnect", () => process.exit());
