import { YieldBudget } from "../base/event-loop.ts";

/** Bytes copied, and characters encoded, per turn of the event loop. */
const PIECE = 1024 * 1024;

/** Like `Buffer.concat`; yields to the event loop, which half a gigabyte would block for half a second. */
export async function joinInTurns(parts: readonly Uint8Array[]): Promise<Buffer> {
  const all = Buffer.allocUnsafeSlow(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  const turns = new YieldBudget(PIECE);
  let at = 0;
  for (const part of parts)
    for (let from = 0; from < part.byteLength; from += PIECE) {
      const piece = part.subarray(from, from + PIECE);
      all.set(piece, at);
      at += piece.byteLength;
      await turns.spend(piece.byteLength);
    }
  return all;
}

/** Like `Buffer.from`; yields to the event loop, which a long text would block. */
export async function utf8InTurns(text: string): Promise<Buffer> {
  if (text.length <= PIECE) return Buffer.from(text);
  const turns = new YieldBudget(PIECE);
  const parts: Buffer[] = [];
  for (let at = 0; at < text.length; ) {
    const end = endOfPiece(text, at);
    parts.push(Buffer.from(text.slice(at, end)));
    at = end;
    await turns.spend(PIECE);
  }
  return joinInTurns(parts);
}

/** A pair of surrogates is one character, which is not divided. */
function endOfPiece(text: string, start: number): number {
  const end = Math.min(start + PIECE, text.length);
  const isHigh = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHigh ? end - 1 : end;
}
