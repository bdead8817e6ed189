import type { NodeId } from "../../domain/node.ts";
import { archiveName, archiveNumber } from "../../domain/session.ts";
import type { Path } from "../../domain/uri.ts";
import type { KvReader } from "../../storage/kv.ts";
import type { Keys } from "../keys.ts";
import { SESSION_RECORDS, type SessionRecord } from "./records.ts";

/** A directory of a session: the session itself, or one that is rendered from records and has no node. */
export type SessionDirectory =
  | { readonly kind: "session" | "history" | "tools"; readonly session: NodeId }
  | { readonly kind: "archive"; readonly session: NodeId; readonly archive: number };

/** Number of segments in a session's path: scope, user, id. */
export const SESSION_DEPTH = 3;
export const HISTORY = "history";
export const TOOLS = "tools";
export const MESSAGES = "messages.jsonl";

/** The directory at a path relative to a session; undefined if missing. */
export function sessionDirectory(
  reader: KvReader,
  keys: Keys,
  session: NodeId,
  inner: Path,
): SessionDirectory | undefined {
  const [name, archive, ...deeper] = inner;
  if (name === undefined) return { kind: "session", session };
  if (name === TOOLS && archive === undefined) return { kind: "tools", session };
  if (name !== HISTORY || deeper.length > 0) return undefined;
  if (archive === undefined) return { kind: "history", session };
  const number = archiveNumber(archive);
  const made = SESSION_RECORDS.read(reader, keys.session(session))?.archives ?? 0;
  return number !== undefined && number <= made ? { kind: "archive", session, archive: number } : undefined;
}

/** Names of the archives in listing order, which differs from numeric order beyond 999. */
export function archiveNames(archives: number): string[] {
  const names = Array.from({ length: archives }, (_, i) => archiveName(i + 1));
  return archives < 1000 ? names : names.sort();
}

/** Number of files and directories in a session: three of its own, two per archive, and the tool records. */
export const countInSession = ({ archives, tools }: SessionRecord): number => 3 + 2 * archives + tools;
