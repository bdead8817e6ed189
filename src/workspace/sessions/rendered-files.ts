import { present } from "../../base/expect.ts";
import { NO_NODE } from "../../domain/node.ts";
import { isHidden } from "../../domain/scope.ts";
import { archiveName, statsView } from "../../domain/session.ts";
import { compareNames } from "../../domain/uri.ts";
import { after, type KvPages, type KvReader, pairPages, prefixRange } from "../../storage/kv.ts";
import { type Listed, listedOf, type Rendered, renderedFrom } from "../tree/listed.ts";
import type { Located } from "../tree/locate.ts";
import type { Workspace } from "../workspace.ts";
import { type SessionRecord, TOOL_RECORDS, type ToolRecord, type Volume } from "./records.ts";
import { toolText } from "./session-changes.ts";
import {
  archiveNames,
  HISTORY,
  MESSAGES,
  SESSION_DEPTH,
  type SessionDirectory,
  sessionDirectory,
  TOOLS,
} from "./session-directories.ts";

const PAGE = 500;
/** Maximum number of earlier archives in a session's overview. */
const EARLIER_TOLD = 20;
/** Number of archives searched backwards for one with layers; the latest commits may still be running. */
const LOOKED_BACK = 16;

/** In listing order. */
const ARCHIVE_NAMES = [".abstract.md", ".overview.md", MESSAGES];
const SESSION_NAMES = [".abstract.md", ".meta.json", ".overview.md", HISTORY, MESSAGES, TOOLS];

/**
 * L0 or L1 of a session directory. An archive's layers are created by its job; the session's are derived from
 * them.
 */
export function sessionLayer(
  workspace: Workspace,
  kv: KvReader,
  directory: SessionDirectory,
  level: 0 | 1,
): string | undefined {
  const { sessions } = workspace;
  if (directory.kind === "archive") return sessions.layer(kv, directory.session, directory.archive, level);
  if (directory.kind !== "session") return undefined;
  const { session } = directory;
  const made = sessions.record(kv, session)?.archives ?? 0;
  for (let archive = made; archive > Math.max(0, made - LOOKED_BACK); archive--) {
    const newest = sessions.layer(kv, session, archive, level);
    if (newest === undefined) continue;
    if (level === 0) return newest;
    const earlier: string[] = [];
    for (let before = archive - 1; before > 0 && earlier.length < EARLIER_TOLD; before--) {
      const abstract = sessions.layer(kv, session, before, 0);
      if (abstract !== undefined) earlier.push(`- ${archiveName(before)}: ${abstract}`);
    }
    return earlier.length === 0 ? newest : [newest.trimEnd(), "", "## Before", "", ...earlier].join("\n");
  }
  return undefined;
}

/** The file with this name in a session directory; undefined if missing. */
export function sessionFile(
  workspace: Workspace,
  kv: KvPages,
  directory: Located,
  name: string,
): Rendered | undefined {
  const place = present(directory.session, "session of the directory");
  const record = workspace.sessions.record(kv, place.session);
  if (!record) return undefined;
  if (place.kind === "tools") return toolFile(workspace, kv, directory, place, name);
  if (name === MESSAGES) return messagesFile(workspace, kv, directory, place, record);
  if (name === ".meta.json" && place.kind === "session")
    return renderedFrom(workspace, directory, name, metaText(directory, record));
  const level = name === ".abstract.md" ? 0 : name === ".overview.md" ? 1 : undefined;
  const layer = level === undefined ? undefined : sessionLayer(workspace, kv, place, level);
  return layer === undefined ? undefined : renderedFrom(workspace, directory, name, layer);
}

function messagesFile(
  workspace: Workspace,
  kv: KvPages,
  directory: Located,
  place: SessionDirectory,
  record: SessionRecord,
): Rendered | undefined {
  if (place.kind !== "session" && place.kind !== "archive") return undefined;
  const archive = place.kind === "archive" ? place.archive : record.archives + 1;
  const volume: Volume | undefined =
    place.kind === "archive" ? workspace.sessions.archiveRecord(kv, place.session, archive) : record.buffer;
  if (!volume) return undefined;
  return {
    listed: fileIn(workspace, directory, MESSAGES, { size: volume.bytes }),
    bytes: (start, end) => workspace.sessions.lines(kv, place.session, archive, volume, start, end),
  };
}

function toolFile(
  workspace: Workspace,
  kv: KvReader,
  directory: Located,
  { session }: SessionDirectory,
  name: string,
): Rendered | undefined {
  const record = TOOL_RECORDS.read(kv, workspace.keys.tool(session, name));
  const part =
    record && workspace.sessions.message(kv, session, record.archive, record.sequence)?.parts[record.part];
  if (!record || part?.type !== "tool") return undefined;
  const text = Buffer.from(toolText(part));
  return {
    listed: fileIn(workspace, directory, name, record),
    bytes: (start, end) => [text.subarray(start, end)],
  };
}

/** Metadata of a session, shown as `.meta.json`. */
function metaText({ path }: Located, record: SessionRecord): string {
  const meta = {
    session_id: path[2],
    user: { user_id: path[1], agent_id: record.agent },
    created_at: new Date(record.created).toISOString(),
    updated_at: new Date(record.updated).toISOString(),
    message_count: record.buffer.messages,
    stats: statsView(record.stats),
  };
  return `${JSON.stringify(meta, null, 2)}\n`;
}

function fileIn(
  workspace: Workspace,
  directory: Located,
  name: string,
  file: Partial<ToolRecord> & { readonly size: number },
): Listed {
  const { created, modified } = listedOf(workspace, directory);
  const times = { created: file.created ?? created, modified: file.modified ?? modified };
  return {
    path: [...directory.path, name],
    name,
    isDirectory: false,
    size: file.size,
    node: NO_NODE,
    ...times,
  };
}

/** Entries of a session directory after `from`, sorted. */
export async function* sessionChildren(
  workspace: Workspace,
  kv: KvPages,
  directory: Located,
  showHidden: boolean,
  from?: string,
): AsyncGenerator<Listed> {
  const place = present(directory.session, "session of the directory");
  const record = workspace.sessions.record(kv, place.session);
  if (!record) return;
  if (place.kind === "tools") {
    yield* toolFiles(workspace, kv, directory, from);
    return;
  }
  for (const name of namesIn(place, record)) {
    if ((from !== undefined && compareNames(name, from) <= 0) || (isHidden(name) && !showHidden)) continue;
    const below = sessionDirectory(kv, workspace.keys, place.session, [
      ...directory.path.slice(SESSION_DEPTH),
      name,
    ]);
    if (below)
      yield listedOf(workspace, {
        path: [...directory.path, name],
        kind: "directory",
        node: NO_NODE,
        directory: NO_NODE,
        session: below,
      });
    const file = below ? undefined : sessionFile(workspace, kv, directory, name);
    if (file) yield file.listed;
  }
}

function namesIn({ kind }: SessionDirectory, { archives }: SessionRecord): readonly string[] {
  if (kind === "history") return archiveNames(archives);
  return kind === "session" ? SESSION_NAMES : ARCHIVE_NAMES;
}

async function* toolFiles(
  workspace: Workspace,
  kv: KvPages,
  directory: Located,
  from?: string,
): AsyncGenerator<Listed> {
  const { session } = present(directory.session, "session of the directory");
  const prefix = workspace.keys.tools(session);
  const all = prefixRange(prefix, PAGE);
  const gte = from === undefined ? all.gte : after(workspace.keys.tool(session, from));
  for await (const page of pairPages(kv, { ...all, gte }))
    for (const [key, value] of page)
      yield fileIn(workspace, directory, key.slice(prefix.length), TOOL_RECORDS.decode(value, key));
}
