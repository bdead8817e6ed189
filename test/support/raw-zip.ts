import { crc32, deflateRawSync } from "node:zlib";

/** A zip member as described by its records, which need not be true. */
export interface RawMember {
  readonly name: string;
  readonly data: Uint8Array;
  /** Values to write into the records instead of the true ones. */
  readonly size?: number;
  /** Points to the data of the previous member. */
  readonly isOverlaid?: boolean;
}

/** Builds a zip archive whose records can contain false values. */
export function rawZip(members: readonly RawMember[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  let last = 0;
  for (const { name, data, size = data.length, isOverlaid = false } of members) {
    const packed = deflateRawSync(data, { level: 1 });
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(data), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(size, 18);
    facts.writeUInt16LE(Buffer.byteLength(name), 22);
    if (!isOverlaid) {
      last = at;
      const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), facts, Buffer.from(name), packed]);
      locals.push(local);
      at += local.length;
    }
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(last, 10);
    central.push(
      Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), facts, tail, Buffer.from(name)]),
    );
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, directory, end]);
}
