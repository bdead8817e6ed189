import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fieldOf, textField } from "../../base/capture/captured-message.ts";
import { isObject } from "../../base/expect.ts";
import { ignoreMissing } from "../../base/faults.ts";
import { parsed } from "../agents/rest-call.ts";
import { digest, ownFolder, stateFolder } from "../agents/state-folder.ts";
import { LocalError } from "../cli-errors.ts";
import type { ConnectableAgent, ConnectPlace } from "./agents.ts";
import { type Edit, hasEdit, withEdit, withoutEdit } from "./edits.ts";

const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** Content of a file before and after a change; undefined if it does not exist. */
export interface FileChange {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Record of a connection, so that it can be undone exactly. */
interface Connection {
  readonly variables: Readonly<Record<string, string>>;
  readonly files: readonly WrittenFile[];
}

interface WrittenFile {
  readonly file: string;
  readonly before: string | undefined;
  /** SHA-256 of the written content. */
  readonly after: string;
  /** Created folders, innermost first. */
  readonly made: readonly string[];
}

/** The changes that `connect` would make. */
export const connectChanges = (agent: ConnectableAgent, place: ConnectPlace): FileChange[] =>
  agent.edits(place).map((edit) => {
    const before = textOf(edit.file);
    return { file: edit.file, before, after: withEdit(edit, before) };
  });

/** Whether the agent is connected with the variables recorded for that connection. */
export function isConnected(agent: ConnectableAgent, place: ConnectPlace): boolean {
  const { variables } = connectionIn(recordFile(agent, place));
  return agent.edits({ ...place, variables }).every((edit) => hasEdit(edit, textOf(edit.file)));
}

/**
 * Writes the missing changes. Backs up the originals to the state folder first; if a write fails, restores
 * the files already changed.
 */
export function connect(agent: ConnectableAgent, place: ConnectPlace): FileChange[] {
  const changes = connectChanges(agent, place).filter(({ before, after }) => before !== after);
  if (changes.length === 0) return [];
  const record = recordFile(agent, place);
  const known = new Map(connectionIn(record).files.map((one) => [one.file, one]));
  const edits = new Map(agent.edits(place).map((edit) => [edit.file, edit]));
  for (const { file, before, after = "" } of changes)
    known.set(file, writtenFile(file, before, after, known.get(file), edits.get(file)));
  const connection: Connection = { variables: place.variables, files: [...known.values()] };
  writeWhole(record, `${JSON.stringify(connection, undefined, 2)}\n`, 0o600);
  const done: FileChange[] = [];
  try {
    for (const change of changes) {
      mkdirSync(dirname(change.file), { recursive: true });
      writeWhole(change.file, change.after ?? "");
      done.push(change);
    }
  } catch (error) {
    for (const { file, before } of done)
      if (before === undefined) rmSync(file, { force: true });
      else writeWhole(file, before);
    throw error;
  }
  return changes;
}

function writtenFile(
  file: string,
  before: string | undefined,
  after: string,
  earlier: WrittenFile | undefined,
  edit: Edit | undefined,
): WrittenFile {
  if (earlier === undefined) return { file, before, after: hash(after), made: missingFolders(dirname(file)) };
  // the file is unchanged since, or only unrelated parts of it were changed
  const isLeft = before !== undefined && hash(before) === earlier.after;
  const rest =
    isLeft || before === undefined || edit === undefined ? earlier.before : withoutEdit(edit, before);
  return { file, before: rest, after: hash(after), made: earlier.made };
}

/** The changes that disconnecting would make. Files without other changes get their original content. */
export function undoChanges(agent: ConnectableAgent, place: ConnectPlace): FileChange[] {
  const { variables, files } = connectionIn(recordFile(agent, place));
  const known = new Map(files.map((one) => [one.file, one]));
  return agent.edits({ ...place, variables }).flatMap((edit) => {
    const [before, written] = [textOf(edit.file), known.get(edit.file)];
    if (before === undefined) return [];
    const isLeft = written !== undefined && hash(before) === written.after;
    const rest = isLeft ? written.before : withoutEdit(edit, before);
    const isEmpty = written?.before === undefined && written !== undefined && isEmptyFile(rest);
    const after = isEmpty ? undefined : rest;
    return after === before ? [] : [{ file: edit.file, before, after }];
  });
}

export function undo(agent: ConnectableAgent, place: ConnectPlace): FileChange[] {
  const record = recordFile(agent, place);
  const changes = undoChanges(agent, place);
  for (const { file, after } of changes)
    if (after === undefined) rmSync(file, { force: true });
    else writeWhole(file, after);
  for (const { made } of connectionIn(record).files) removeEmpty(made);
  rmSync(record, { force: true });
  return changes;
}

const isEmptyFile = (text: string | undefined): boolean =>
  text === undefined || /^\s*(\{\s*\})?\s*$/.test(text);

function removeEmpty(folders: readonly string[]): void {
  for (const folder of folders) {
    try {
      rmdirSync(folder);
    } catch {
      // the folder contains files of the user
      return;
    }
  }
}

function missingFolders(folder: string): string[] {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  return missing;
}

const recordFile = ({ id }: ConnectableAgent, { env, project }: ConnectPlace): string =>
  join(ownFolder(join(stateFolder(env), "connect")), `${id}${project ? `-${digest(project)}` : ""}.json`);

function connectionIn(file: string): Connection {
  const text = textOf(file);
  if (text === undefined) return { variables: {}, files: [] };
  const tree = parsed(text);
  const [variables, files] = [fieldOf(tree, "variables"), fieldOf(tree, "files")];
  if (!isObject(variables) || !Array.isArray(files))
    throw new LocalError(`${file} is damaged: delete it and run \`ctxdb connect\` again`);
  return {
    variables: Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, String(value)])),
    files: files.flatMap((one: unknown) => {
      const [path, after, made] = [textField(one, "file"), textField(one, "after"), fieldOf(one, "made")];
      if (path === undefined || after === undefined) return [];
      const folders = Array.isArray(made) ? made.map(String) : [];
      return [{ file: path, after, before: textField(one, "before"), made: folders }];
    }),
  };
}

/** The text of a file; undefined if it does not exist. */
function textOf(file: string): string | undefined {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return undefined;
  if (size > MAX_FILE_BYTES)
    throw new LocalError(`${file} is larger than ${MAX_FILE_BYTES} bytes, the limit of a configuration file`);
  const bytes = readFileSync(file);
  const text = bytes.toString("utf8");
  // ensure that the text can be written back without changing a byte
  if (!Buffer.from(text).equals(bytes)) throw new LocalError(`${file} is not valid UTF-8: fix it first`);
  return text;
}

/** Replaces a file atomically. A symbolic link stays a link, and the target keeps its mode. */
function writeWhole(path: string, text: string, mode?: number): void {
  const file = existsSync(path) ? realpathSync(path) : path;
  const kept = mode ?? statSync(file, { throwIfNoEntry: false })?.mode;
  const aside = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(aside, text, { mode: kept ?? 0o644, flag: "wx" });
    if (kept !== undefined) chmodSync(aside, kept & 0o777);
    renameSync(aside, file);
  } finally {
    try {
      rmSync(aside);
    } catch (error) {
      ignoreMissing(error);
    }
  }
}

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
