import { decode } from "../../domain/decode.ts";
import { invalidArgument } from "../../domain/errors.ts";
import { renderedString } from "../../workspace/listed.ts";
import type { ServiceCall } from "../call.ts";
import type { Tenants } from "../tenants.ts";
import { readableAt } from "./readable.ts";

/** GET content/read: text, whole or `limit` lines from line `offset` (0-based), line ends kept (ruling F11). */
export async function readContent(
  deps: { tenants: Tenants },
  call: ServiceCall,
  input: { readonly uri: string; readonly offset?: number | undefined; readonly limit?: number | undefined },
): Promise<{ content: string }> {
  const offset = input.offset ?? 0;
  const limit = input.limit ?? -1;
  if (offset < 0) throw invalidArgument("offset", "must not be negative");
  if (limit < -1) throw invalidArgument("limit", "must be -1 (no limit) or more");
  const file = await readableAt(deps, call, input.uri);
  if ("rendered" in file) return { content: lines(await renderedString(file.rendered), offset, limit) };
  const decoded = decode(await file.workspace.contents.read(file.entry));
  if (decoded === undefined) throw invalidArgument("uri", `${file.uri} is binary: fetch it by content/download`);
  return { content: lines(decoded.text, offset, limit) };
}

function lines(text: string, offset: number, limit: number): string {
  if (offset === 0 && limit < 0) return text;
  let start = 0;
  for (let line = 0; line < offset; line++) {
    const end = text.indexOf("\n", start);
    if (end < 0) return "";
    start = end + 1;
  }
  if (limit < 0) return text.slice(start);
  let end = start;
  for (let line = 0; line < limit && end < text.length; line++) {
    const next = text.indexOf("\n", end);
    end = next < 0 ? text.length : next + 1;
  }
  return text.slice(start, end);
}
