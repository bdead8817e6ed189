import { createSocket } from "node:dgram";
import { once } from "node:events";

const HEADER_BYTES = 12;
const [TYPE_A, CLASS_IN] = [1, 1];
const TIME_TO_LIVE = 60;
const [FOUND, NOT_FOUND] = [0x8180, 0x8183];

/** The IPv4 addresses of a name, or undefined if queries for it are never answered. */
export type NameScript = (name: string) => readonly string[] | "unknown" | undefined;

/** A local name server: its address and port for `setServers`, and the names it was asked for. */
export async function nameServer(script: NameScript) {
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    const { name, end, type } = questionOf(query);
    asked.push(name);
    const known = script(name);
    if (known !== undefined)
      socket.send(answerTo(query.subarray(0, end), type, known), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    server: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise<void>((resolve) => void socket.close(() => resolve())),
  };
}

function questionOf(query: Buffer): { readonly name: string; readonly end: number; readonly type: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answerTo(question: Buffer, type: number, known: readonly string[] | "unknown"): Buffer {
  const addresses = known === "unknown" || type !== TYPE_A ? [] : known;
  const head = Buffer.from(question);
  head.writeUInt16BE(known === "unknown" ? NOT_FOUND : FOUND, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const records = addresses.map((address) => {
    const record = Buffer.alloc(16);
    // name in the question section
    record.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
    record.writeUInt16BE(TYPE_A, 2);
    record.writeUInt16BE(CLASS_IN, 4);
    record.writeUInt32BE(TIME_TO_LIVE, 6);
    record.writeUInt16BE(4, 10);
    record.set(address.split(".").map(Number), 12);
    return record;
  });
  return Buffer.concat([head, ...records]);
}
