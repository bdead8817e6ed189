import { codeOf } from "../base/faults.ts";

/** A blob is missing, or does not match its hash. */
export class LostBlob extends Error {}

/** Codes of a missing file, and of a file that the disk cannot read. */
const LOST: ReadonlySet<string> = new Set(["ENOENT", "EIO"]);

/**
 * Whether an error of a read means that the blob is lost. Others pass: too many open files, a full cache, or
 * an object store that does not answer.
 */
export const isLostBlob = (error: unknown): boolean => error instanceof LostBlob || LOST.has(codeOf(error));
