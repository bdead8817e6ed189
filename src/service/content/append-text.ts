import { invalidArgument } from "../../domain/errors.ts";
import type { Entry } from "../../domain/node.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { ServiceCall } from "../service-call.ts";
import type { WriteChange } from "./write-file.ts";

/** Maximum file size in bytes for appends, because every append reads and rewrites the whole file. */
const MAX_APPENDED_BYTES = 16 * 1024 * 1024;
/** Memory per byte of the new file: old content, new content and text. */
const APPEND_COST = 3;

/** The content of a file with the given text appended. */
export async function appendText(
  workspace: Workspace,
  call: Pick<ServiceCall, "reserve">,
  uri: string,
  entry: Entry,
  sent: Uint8Array,
): ReturnType<WriteChange["content"]> {
  const size = entry.size + sent.byteLength;
  if (size > MAX_APPENDED_BYTES) throw tooLongToAppend(uri, size);
  const lease = call.reserve?.(APPEND_COST * size);
  try {
    const bytes = Buffer.concat([await workspace.contents.read(entry), sent]);
    return { bytes, lease, known: entry.size };
  } catch (error) {
    lease?.release();
    throw error;
  }
}

const tooLongToAppend = (uri: string, size: number) =>
  invalidArgument(
    "content",
    `${uri} would have ${size} bytes; append makes files of at most ${MAX_APPENDED_BYTES} bytes: upload the whole file instead`,
  );
