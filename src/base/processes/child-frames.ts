import type { Socket } from "node:net";

/** File descriptor of the pipe between a child process and its parent, after stdin, stdout and stderr. */
export const CALLS_FD = 3;

const KINDS = ["call", "result", "error"] as const;
/** Kind, call, bytes of the value, bytes that follow it. */
const HEAD_BYTES = 13;
/** Instead of a number of bytes: none follow. Zero bytes are an empty list of bytes. */
const NO_BYTES = 0xffff_ffff;
/** Smaller frames are written as one buffer: copying them costs less than a further one. */
const COPIED_BYTES = 16 * 1024;

export interface FrameHead {
  readonly kind: (typeof KINDS)[number];
  /** The call that is made or answered. */
  readonly id: number;
  readonly valueBytes: number;
  /** Undefined if no bytes follow the value. */
  readonly bytes: number | undefined;
}

export interface Frame extends FrameHead {
  readonly value: Buffer;
  readonly content: Buffer | undefined;
}

/** Sends a frame; `content` is written in place and must not change until it is sent. */
export function sendFrame(
  pipe: Socket,
  { kind, id }: Pick<FrameHead, "kind" | "id">,
  value: Uint8Array,
  content: Uint8Array | undefined,
): void {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(KINDS.indexOf(kind), 0);
  head.writeUInt32LE(id, 1);
  head.writeUInt32LE(value.byteLength, 5);
  head.writeUInt32LE(content?.byteLength ?? NO_BYTES, 9);
  const size = value.byteLength + (content?.byteLength ?? 0);
  if (size <= COPIED_BYTES) {
    pipe.write(Buffer.concat(content ? [head, value, content] : [head, value]));
    return;
  }
  pipe.cork();
  pipe.write(head);
  pipe.write(value);
  if (content) pipe.write(content);
  pipe.uncork();
}

/** Undefined for an unknown kind. */
function readHead(head: Buffer): FrameHead | undefined {
  const kind = KINDS[head.readUInt8(0)];
  const bytes = head.readUInt32LE(9);
  return (
    kind && {
      kind,
      id: head.readUInt32LE(1),
      valueBytes: head.readUInt32LE(5),
      bytes: bytes === NO_BYTES ? undefined : bytes,
    }
  );
}

/**
 * Reads the frames of a pipe, one after the other, each into memory of its own. `mayCome` sees a head before
 * anything of that size is allocated or read; false ends the reading. Each piece is copied to its place as it
 * comes, so that nothing else is held of what the other side sends.
 */
export function readFrames(
  pipe: Socket,
  mayCome: (head: FrameHead | undefined) => head is FrameHead,
  take: (frame: Frame) => void,
): void {
  const headBytes = Buffer.alloc(HEAD_BYTES);
  let head: FrameHead | undefined;
  let value: Buffer = headBytes;
  let content: Buffer | undefined;
  let target: Buffer = headBytes;
  let filled = 0;

  /** Begins the next part of the frame once the current one is complete; false if the head is refused. */
  const next = (): boolean => {
    while (filled === target.byteLength) {
      filled = 0;
      if (head === undefined) {
        const read = readHead(headBytes);
        if (!mayCome(read)) return false;
        head = read;
        value = Buffer.allocUnsafe(head.valueBytes);
        content = head.bytes === undefined ? undefined : Buffer.allocUnsafeSlow(head.bytes);
        target = value;
      } else if (target === value && content !== undefined) {
        target = content;
      } else {
        const frame = { ...head, value, content };
        head = undefined;
        content = undefined;
        target = headBytes;
        take(frame);
      }
    }
    return true;
  };

  let isRefused = false;
  pipe.on("data", (part: Buffer) => {
    for (let at = 0; at < part.byteLength && !isRefused; ) {
      const copied = part.copy(target, filled, at);
      at += copied;
      filled += copied;
      isRefused = !next();
    }
    if (isRefused) pipe.destroy();
  });
}
