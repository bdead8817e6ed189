import type { Socket } from "node:net";

/** File descriptor of the pipe between a child process and its parent, after stdin, stdout and stderr. */
export const CALLS_FD = 3;

const KINDS = ["call", "result", "error"] as const;
/** Frame header: kind, call id, length of the value, length of the bytes after it. */
const HEAD_BYTES = 13;
/** Length that means no bytes are attached, unlike 0: an empty buffer. */
const NO_BYTES = 0xffff_ffff;
/** Frames below this size are sent as one buffer: copying is cheaper than a second write. */
const COPIED_BYTES = 16 * 1024;

export interface FrameHead {
  readonly kind: (typeof KINDS)[number];
  /** Id of the call. */
  readonly id: number;
  readonly valueBytes: number;
  /** Length of the bytes after the value; undefined if none are attached. */
  readonly bytes: number | undefined;
}

export interface Frame extends FrameHead {
  readonly value: Buffer;
  readonly content: Buffer | undefined;
}

/** Sends a frame. `content` is not copied and must not change until it is sent. */
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

/** Undefined if the kind is unknown. */
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
 * Reads frames from a pipe, each into its own buffer. `mayCome` checks a header before memory is allocated;
 * false stops reading. Chunks are copied to their position at once, so that no more of the sender's data is
 * buffered.
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

  /** Starts the next part of the frame once the current one is complete; false if the header is refused. */
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
