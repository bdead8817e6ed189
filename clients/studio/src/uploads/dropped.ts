/** A file, or a folder with its files, to upload. */
export type Dropped =
  | { readonly kind: "file"; readonly name: string; readonly file: File }
  | { readonly kind: "folder"; readonly name: string; readonly files: readonly PathFile[] };

export interface PathFile {
  /** Path below the folder. */
  readonly path: string;
  readonly file: File;
}

/** Maximum number of files per folder; larger folders should be imported with the command line. */
const MAX_FILES = 20_000;
/** Folders that are not uploaded. */
const SKIPPED = new Set([".git", "node_modules", ".venv", "__pycache__"]);

/** Files and folders dropped on the page. Must be called during the event, in which the entries are valid. */
export async function droppedOf(transfer: DataTransfer): Promise<Dropped[]> {
  const items = [...transfer.items].map((item) => ({
    entry: item.webkitGetAsEntry(),
    file: item.getAsFile(),
  }));
  const taken = items.map(({ entry, file }) => {
    if (entry !== null && isDirectory(entry)) return [folderOf(entry)];
    // neither a file nor a folder, such as selected text
    return file === null ? [] : [Promise.resolve<Dropped>({ kind: "file", name: file.name, file })];
  });
  return Promise.all(taken.flat());
}

/** The folder chosen in a dialog; its paths start with the folder's name. */
export function chosenFolder(files: FileList): Dropped[] {
  const [first] = files;
  if (first === undefined) return [];
  const name = first.webkitRelativePath.split("/")[0] ?? first.name;
  const paths = [...files].map((file) => ({ path: file.webkitRelativePath.slice(name.length + 1), file }));
  return [
    {
      kind: "folder",
      name,
      files: limited(
        paths.filter(({ path }) => !path.split("/").some((part) => SKIPPED.has(part))),
        name,
      ),
    },
  ];
}

export const chosenFiles = (files: FileList): Dropped[] =>
  [...files].map((file) => ({ kind: "file", name: file.name, file }));

const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

async function folderOf(root: FileSystemDirectoryEntry): Promise<Dropped> {
  const files: PathFile[] = [];
  const open = [root];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of await childrenOf(folder)) {
      if (isDirectory(entry)) {
        if (!SKIPPED.has(entry.name)) open.push(entry);
      } else {
        const path = entry.fullPath.slice(root.fullPath.length + 1);
        limited(files, root.name).push({ path, file: await contentOf(entry as FileSystemFileEntry) });
      }
    }
  }
  return { kind: "folder", name: root.name, files };
}

function limited<T>(files: T[], name: string): T[] {
  if (files.length > MAX_FILES)
    throw new Error(`${name} holds more than ${MAX_FILES} files; import it with the command line: ctxdb add`);
  return files;
}

const contentOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject));

async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    // browsers return at most 100 entries at a time, and an empty list at the end
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return children;
    children.push(...some);
  }
}
