import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { create } from "tar";
import { copy, differences, isBelow, move, type Nodes, put, remove } from "./model.ts";
import { find, type Hit, isAmong, observe } from "./observe.ts";
import { Caller, type Operation } from "./operation.ts";
import type { Random } from "./random.ts";
import { type Answer, davPath, isOk, Rest, say } from "./rest.ts";
import { shortText, text } from "./texts.ts";

const MAX_FILES = 60;
const MAX_IMPORTS = 5;
const MAX_LARGE_IMPORTS = 1;
/** Changes of more files than this continue as a task after the answer. */
const LARGE_FILES = 200;
/** Updates of more files than this are linked in several transactions. */
const LARGE_UPDATE = 64;
/** HTTP status for a task that has already ended. */
const FAILED_PRECONDITION = 412;
/**
 * Maximum number of a user's snapshots, and of files and folders in one that is restored before the answer.
 */
const MAX_SNAPSHOTS = 4;
const MAX_RESTORED = 100;
const SAMPLE_READ = 25;
const SAMPLE_FOUND = 6;
/** Share of the changes made over WebDAV, of those that it supports. */
const BY_DAV = 0.3;

type TreeOperation = Operation<Nodes>;
type Source = Map<string, string>;

/** Folders in which files keep earlier versions. */
const RESOURCES = "ctx://resources/";
const TAGS = ["draft", "release-2", "reviewed", "vögel"];

/** A user with own folders among the shared resources and memories, to which nobody else writes. */
export class TreeCaller extends Caller<Nodes> {
  state: Nodes;
  readonly #random: Random;
  readonly #key: string;
  readonly #sources: string;
  readonly #tops: readonly string[];
  #rest: Rest;
  #serial = 0;
  /** The word that distinguishes a file from all others, by its content. */
  readonly #words = new Map<string, string>();
  /** The previous content of a file. */
  readonly #earlier = new Map<string, string>();
  /** Contents that were copied: copies have no earlier versions, and only one of them has to be found. */
  readonly #shared = new Set<string>();
  /** Nodes removed to the trash, by URI; names are never reused. */
  readonly #trashed = new Map<string, Nodes>();
  /** Earlier states of folders, by the name of their snapshot. */
  readonly #snapshots = new Map<string, { readonly uri: string; readonly nodes: Nodes }>();
  #gone: string[] = [];
  /** URIs changed since the last check; these are read in full. */
  #touched = new Set<string>();
  /** Roots of imports with the source folder. Accepted but unfinished ones are left alone. */
  readonly #imports = new Map<string, { readonly folder: string; files: Source }>();
  #accepted = new Set<string>();
  #isLargeNext = false;

  constructor(user: string, key: string, sources: string, random: Random, complain: (what: string) => void) {
    super(user, complain);
    this.#random = random;
    this.#key = key;
    this.#sources = sources;
    this.#tops = [`ctx://resources/of-${user}`, `ctx://user/${user}/memories/notes`];
    this.state = new Map();
    this.#rest = this.#connect(0);
  }

  /** Creates the folders, once. */
  async begin(port: number): Promise<void> {
    this.connect(port);
    for (const uri of this.#tops) {
      const answer = await this.#rest.post("/api/v1/fs/mkdir", { uri });
      if (!isOk(answer)) this.complain(`mkdir ${uri}: ${say(answer)}`);
    }
    this.state = new Map(this.#tops.map((uri) => [uri, undefined]));
  }

  /** Uses this server from now on. */
  connect(port: number): void {
    this.#rest.close();
    this.#rest = this.#connect(port);
  }

  #connect(port: number): Rest {
    return new Rest(port, { "x-api-key": this.#key });
  }

  close(): void {
    this.#rest.close();
  }

  /**
   * Chooses a change of many files as its next operation: an import, or the same one with nearly all files
   * replaced.
   */
  beginLarge(): void {
    this.#isLargeNext = true;
  }

  choose(): TreeOperation | undefined {
    if (this.#isLargeNext) {
      this.#isLargeNext = false;
      return this.#importLarge();
    }
    const choices: readonly (readonly [number, () => TreeOperation | undefined])[] = [
      [26, () => this.#create()],
      [12, () => this.#replace()],
      [12, () => this.#append()],
      [4, () => this.#writeMany()],
      [6, () => this.#restore()],
      [6, () => this.#makeDirectory()],
      [9, () => this.#moveFile()],
      [6, () => this.#moveDirectory()],
      [5, () => this.#copy()],
      [4, () => this.#tag()],
      [7, () => this.#removeFile()],
      [3, () => this.#removeDirectory()],
      [3, () => this.#removeMany()],
      [5, () => this.#restoreTrash()],
      [4, () => this.#snapshot()],
      [4, () => this.#restoreSnapshot()],
      [5, () => this.#upload()],
      [6, () => this.#import(this.#random.integer(2, 12))],
      [1, () => this.#import(LARGE_FILES + this.#random.integer(1, 40))],
      [1, () => this.#import(LARGE_UPDATE + this.#random.integer(20, 60))],
      [7, () => this.#importAgain()],
      [3, () => this.#importAnew()],
      [2, () => this.#cancelImport()],
      [2, () => this.#moveImport()],
      [2, () => this.#removeImport()],
    ];
    let at = this.#random.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, make] of choices) {
      at -= weight;
      if (at < 0) return make();
    }
    return undefined;
  }

  // --- what there is to choose from

  #isImported = (uri: string): boolean =>
    [...this.#imports.keys()].some((root) => uri === root || isBelow(uri, root));
  #files = (): string[] =>
    [...this.state].flatMap(([uri, content]) =>
      content !== undefined && !this.#isImported(uri) ? [uri] : [],
    );
  #directories = (): string[] =>
    [...this.state].flatMap(([uri, content]) =>
      content === undefined && !this.#isImported(uri) ? [uri] : [],
    );
  #inner = (): string[] =>
    this.#directories().filter(
      (uri) => !this.#tops.includes(uri) && ![...this.#imports.keys()].some((root) => isBelow(root, uri)),
    );
  #settled = (): string[] => [...this.#imports.keys()].filter((root) => !this.#accepted.has(root));
  #fresh = (kind: string): string => `${kind}${this.#serial++}`;
  #somewhere = (): string => this.#random.pick([...this.#tops, ...this.#directories()]);

  #text(short = false): string {
    const { content, word } = short ? shortText(this.#random) : text(this.#random);
    this.#words.set(content, word);
    return content;
  }

  // --- files and directories

  /** Whether a change is made over WebDAV, which cannot create missing folders. */
  #goesByDav = (uri: string): boolean =>
    this.#random.chance(BY_DAV) && this.state.has(uri.slice(0, uri.lastIndexOf("/")));

  #operation(
    name: string,
    send: TreeOperation["send"],
    after: Nodes,
    touched: readonly string[],
  ): TreeOperation {
    for (const uri of touched) this.#touched.add(uri);
    const before = this.state;
    const done = () => {
      const kept = new Set(after.values());
      for (const content of before.values())
        if (content !== undefined && !kept.has(content)) this.#gone.push(this.#words.get(content)!);
    };
    return { name, send, after: () => after, done };
  }

  #write(mode: string, uri: string, content: string, whole: string): TreeOperation {
    const isByDav = mode !== "append" && this.#goesByDav(uri);
    const send = () =>
      isByDav
        ? this.#rest.dav("PUT", uri, {}, content)
        : this.#rest.post("/api/v1/content/write", { uri, content, mode, wait: this.#random.chance(0.1) });
    const before = this.state.get(uri);
    const written = this.#operation(
      `${isByDav ? "PUT" : mode} ${uri} (${Buffer.byteLength(content)} bytes)`,
      send,
      put(this.state, uri, whole),
      [uri],
    );
    return this.#noting(written, uri, whole, before);
  }

  /**
   * Records a file's previous content once the new one is known to be stored; contents are unique. Memory
   * files keep no versions.
   */
  #noting(operation: TreeOperation, uri: string, content: string, before: string | undefined): TreeOperation {
    const done = () => {
      operation.done?.();
      if (before !== undefined && uri.startsWith(RESOURCES)) this.#earlier.set(content, before);
    };
    return { ...operation, done };
  }

  #hasEarlier = (content: string): boolean => this.#earlier.has(content) && !this.#shared.has(content);

  /** Restores the previous version of a file. */
  #restore(): TreeOperation | undefined {
    const files = this.#files().filter(
      (uri) => uri.startsWith(RESOURCES) && this.#hasEarlier(this.state.get(uri)!),
    );
    if (files.length === 0) return undefined;
    const uri = this.#random.pick(files);
    const content = this.state.get(uri)!;
    const earlier = this.#earlier.get(content)!;
    const send = async () => {
      const query = new URLSearchParams({ uri, limit: "2" });
      const history = await this.#rest.get(`/api/v1/content/history?${query}`);
      if (!isOk(history)) return history;
      const [, { version }] = (history.result as { versions: { version: number }[] }).versions as [
        unknown,
        { version: number },
      ];
      return this.#rest.post("/api/v1/content/restore", { uri, version });
    };
    const restored = this.#operation(`restore ${uri}`, send, put(this.state, uri, earlier), [uri]);
    const done = () => {
      restored.done?.();
      // it can be found again
      this.#gone = this.#gone.filter((word) => word !== this.#words.get(earlier));
    };
    return this.#noting({ ...restored, done }, uri, earlier, content);
  }

  #create(): TreeOperation | undefined {
    if (this.#files().length >= MAX_FILES) return undefined;
    const folder = this.#random.chance(0.2)
      ? `${this.#somewhere()}/${this.#fresh("deep")}/${this.#fresh("er")}`
      : this.#somewhere();
    const content = this.#text();
    return this.#write(
      "create",
      `${folder}/${this.#fresh("file")}${this.#random.pick([".md", ".txt"])}`,
      content,
      content,
    );
  }

  #replace(): TreeOperation | undefined {
    const files = this.#files();
    if (files.length === 0) return undefined;
    const content = this.#text();
    return this.#write("replace", this.#random.pick(files), content, content);
  }

  #append(): TreeOperation | undefined {
    const files = this.#files();
    if (files.length === 0) return undefined;
    const uri = this.#random.pick(files);
    const more = this.#text(true);
    const whole = this.state.get(uri)! + more;
    this.#words.set(whole, this.#words.get(more)!);
    return this.#write("append", uri, more, whole);
  }

  /**
   * Writes new and existing files in one transaction. For the existing ones the model drops the previous
   * content.
   */
  #writeMany(): TreeOperation | undefined {
    const earlier = this.#files();
    if (earlier.length < 2 || earlier.length + 20 > MAX_FILES) return undefined;
    const folder = this.#somewhere();
    const fresh = Array.from({ length: this.#random.integer(1, 20) }, () => ({
      uri: `${folder}/${this.#fresh("many")}.md`,
      mode: "create",
      content: this.#text(this.#random.chance(0.8)),
    }));
    const replaced = this.#random.sample(earlier, 2).map((uri) => ({
      uri,
      mode: "replace",
      content: this.#text(true),
    }));
    const files = [...fresh, ...replaced];
    const after = files.reduce((state, { uri, content }) => put(state, uri, content), this.state);
    const send = () =>
      this.#rest.post("/api/v1/content/write_many", { files, wait: this.#random.chance(0.1) });
    return this.#operation(
      `write ${files.map(({ uri }) => uri).join(" ")}`,
      send,
      after,
      files.map(({ uri }) => uri),
    );
  }

  #makeDirectory(): TreeOperation {
    const uri = `${this.#somewhere()}/${this.#fresh("folder")}`;
    const description = this.#random.chance(0.5) ? { description: "a folder with a description" } : {};
    const isByDav = this.#goesByDav(uri);
    return this.#operation(
      `${isByDav ? "MKCOL" : "mkdir"} ${uri}`,
      () =>
        isByDav ? this.#rest.dav("MKCOL", uri) : this.#rest.post("/api/v1/fs/mkdir", { uri, ...description }),
      put(this.state, uri, undefined),
      [uri],
    );
  }

  #move(from: string, to: string): TreeOperation {
    this.#leaveSnapshots(from, to);
    const isByDav = this.#goesByDav(to);
    const send = () =>
      isByDav
        ? this.#rest.dav("MOVE", from, { Destination: davPath(to) })
        : this.#rest.post("/api/v1/fs/mv", { from_uri: from, to_uri: to });
    const after = move(this.state, from, to);
    return this.#operation(
      `${isByDav ? "MOVE" : "mv"} ${from} ${to}`,
      send,
      after,
      [...after.keys()].filter((uri) => uri === to || isBelow(uri, to)).slice(0, SAMPLE_READ),
    );
  }

  #moveFile(): TreeOperation | undefined {
    const files = this.#files();
    if (files.length < 3) return undefined;
    const [from, onto] = this.#random.sample(files, 2);
    const fresh = `${this.#somewhere()}/${this.#random.chance(0.2) ? `${this.#fresh("way")}/` : ""}${this.#fresh("moved")}.md`;
    return this.#move(from!, this.#random.chance(0.25) ? onto! : fresh);
  }

  #moveDirectory(): TreeOperation | undefined {
    const inner = this.#inner();
    if (inner.length < 3) return undefined;
    const from = this.#random.pick(inner);
    const places = [...this.#tops, ...inner].filter(
      (uri) => uri !== from && !isBelow(uri, from) && this.state.has(uri),
    );
    return places.length === 0
      ? undefined
      : this.#move(from, `${this.#random.pick(places)}/${this.#fresh("home")}`);
  }

  #copy(): TreeOperation | undefined {
    const sources = [...this.#files(), ...this.#inner()];
    if (sources.length < 3 || this.#files().length >= MAX_FILES) return undefined;
    const from = this.#random.pick(sources);
    const places = [...this.#tops, ...this.#inner()].filter((uri) => uri !== from && !isBelow(uri, from));
    const to = `${this.#random.pick(places)}/${this.#fresh("copy")}${this.state.get(from) === undefined ? "" : ".md"}`;
    const after = copy(this.state, from, to);
    for (const [uri, content] of after)
      if (content !== undefined && (uri === to || isBelow(uri, to))) this.#shared.add(content);
    return this.#operation(
      `cp ${from} ${to}`,
      () => this.#rest.post("/api/v1/fs/cp", { from_uri: from, to_uri: to }),
      after,
      [...after.keys()].filter((uri) => uri === to || isBelow(uri, to)).slice(0, SAMPLE_READ),
    );
  }

  /** The tree stays unchanged; `verify` compares the tag records with the tables. */
  #tag(): TreeOperation | undefined {
    const nodes = [...this.#files(), ...this.#inner()];
    if (nodes.length === 0) return undefined;
    const uri = this.#random.pick(nodes);
    const add = TAGS.filter(() => this.#random.chance(0.4));
    const send = () => this.#rest.post("/api/v1/fs/tags", { uri, add, replace: true });
    return this.#operation(`tag ${uri} ${add.join(" ")}`, send, this.state, [uri]);
  }

  #remove(uri: string): TreeOperation {
    const path = `/api/v1/fs?${new URLSearchParams({ uri, recursive: "true" })}`;
    const isByDav = this.#goesByDav(uri);
    const send = () => (isByDav ? this.#rest.dav("DELETE", uri) : this.#rest.send("DELETE", path));
    const removed = this.#operation(`${isByDav ? "DELETE" : "rm"} ${uri}`, send, remove(this.state, uri), []);
    const nodes: Nodes = new Map([...this.state].filter(([at]) => at === uri || isBelow(at, uri)));
    const done = () => {
      removed.done?.();
      // memories are deleted permanently
      if (uri.startsWith(RESOURCES) && !this.#isImported(uri)) this.#trashed.set(uri, nodes);
    };
    return { ...removed, done };
  }

  /** Restores a removed node, together with parent folders removed after it. */
  #restoreTrash(): TreeOperation | undefined {
    const free = [...this.#trashed].filter(
      ([uri, nodes]) => !this.state.has(uri) && this.#files().length + nodes.size < MAX_FILES,
    );
    if (free.length === 0) return undefined;
    const [uri, nodes] = this.#random.pick(free);
    const after = [...nodes].reduce((state, [at, content]) => put(state, at, content), this.state);
    const send = async () => {
      const listed = await this.#rest.get("/api/v1/trash?limit=1000");
      if (!isOk(listed)) return listed;
      const { items } = listed.result as { items: { trash_id: string; uri: string; cause: string }[] };
      const id = items.find((item) => item.uri === uri && item.cause !== "import")?.trash_id ?? "missing";
      return this.#rest.post(`/api/v1/trash/${id}/restore`, {});
    };
    const restored = this.#operation(
      `restore ${uri} from the trash`,
      send,
      after,
      [...nodes.keys()].slice(0, SAMPLE_READ),
    );
    const done = () => {
      restored.done?.();
      this.#trashed.delete(uri);
      const words = new Set([...nodes.values()].map((content) => content && this.#words.get(content)));
      this.#gone = this.#gone.filter((word) => !words.has(word));
    };
    return { ...restored, done };
  }

  /** Takes a snapshot of a folder, or deletes the oldest snapshot if there are many. */
  #snapshot(): TreeOperation | undefined {
    const [oldest] = this.#snapshots.keys();
    if (oldest !== undefined && this.#snapshots.size >= MAX_SNAPSHOTS) {
      // from now on it is unknown whether it exists
      this.#snapshots.delete(oldest);
      const path = `/api/v1/snapshots/${oldest}`;
      return this.#operation(`delete ${oldest}`, () => this.#rest.send("DELETE", path), this.state, []);
    }
    const folders = this.#inner().filter((uri) => uri.startsWith(RESOURCES) && !this.#isImported(uri));
    if (folders.length === 0) return undefined;
    const uri = this.#random.pick(folders);
    const name = `${this.name}-${this.#fresh("snapshot")}`;
    const nodes: Nodes = new Map([...this.state].filter(([at]) => isBelow(at, uri)));
    const send = () => this.#rest.post("/api/v1/snapshots", { name, uri });
    const taken = this.#operation(`snapshot ${name} of ${uri}`, send, this.state, []);
    const done = () => {
      taken.done?.();
      this.#snapshots.set(name, { uri, nodes });
    };
    return { ...taken, done };
  }

  /** Restores a folder exactly to the state in the snapshot. */
  #restoreSnapshot(): TreeOperation | undefined {
    const usable = [...this.#snapshots].filter(
      ([, { uri, nodes }]) =>
        this.#inner().includes(uri) &&
        !this.#isImported(uri) &&
        nodes.size < MAX_RESTORED &&
        this.#files().length + nodes.size < MAX_FILES,
    );
    if (usable.length === 0) return undefined;
    const [name, { uri, nodes }] = this.#random.pick(usable);
    const emptied: Nodes = new Map([...this.state].filter(([at]) => !isBelow(at, uri)));
    const after = [...nodes].reduce((state, [at, content]) => put(state, at, content), emptied);
    // the same contents may exist elsewhere, with other versions here
    for (const content of nodes.values()) if (content !== undefined) this.#shared.add(content);
    const restored = this.#operation(
      `restore the snapshot ${name} of ${uri}`,
      () => this.#rest.post(`/api/v1/snapshots/${name}/restore`, {}),
      after,
      [...nodes.keys()].slice(0, SAMPLE_READ),
    );
    const done = () => {
      restored.done?.();
      const words = new Set([...nodes.values()].map((content) => content && this.#words.get(content)));
      this.#gone = this.#gone.filter((word) => !words.has(word));
    };
    return { ...restored, done };
  }

  /**
   * Nodes moved into memories are removed from snapshots, so the model no longer knows the content of these.
   */
  #leaveSnapshots(from: string, to: string): void {
    if (from.startsWith(RESOURCES) && !to.startsWith(RESOURCES)) this.#snapshots.clear();
  }

  /** Removes a folder and two other files in one call. They are not restored later. */
  #removeMany(): TreeOperation | undefined {
    const [files, inner] = [this.#files(), this.#inner()];
    if (files.length < 6 || inner.length < 4) return undefined;
    const uris = [this.#random.pick(inner), ...this.#random.sample(files, 2)];
    const after = uris.reduce((state, uri) => remove(state, uri), this.state);
    const send = () => this.#rest.post("/api/v1/fs/delete_many", { uris, recursive: true });
    return this.#operation(`rm ${uris.join(" ")}`, send, after, []);
  }

  #removeFile(): TreeOperation | undefined {
    const files = this.#files();
    return files.length < 4 ? undefined : this.#remove(this.#random.pick(files));
  }

  #removeDirectory(): TreeOperation | undefined {
    const inner = this.#inner();
    return inner.length < 4 ? undefined : this.#remove(this.#random.pick(inner));
  }

  // --- imports

  #upload(): TreeOperation | undefined {
    if (this.#files().length >= MAX_FILES) return undefined;
    const name = `${this.#fresh("paper")}.md`;
    const content = this.#text();
    const root = `${this.#tops[0]}/${this.#fresh("uploaded")}`;
    const send = async () => {
      const sent = await this.#rest.upload(name, content);
      if (!isOk(sent)) return sent;
      const { temp_path } = sent.result as { temp_path: string };
      return this.#rest.post("/api/v1/resources", { temp_path, to: root, source_name: name });
    };
    return this.#operation(`upload ${root}/${name}`, send, put(this.state, `${root}/${name}`, content), [
      `${root}/${name}`,
    ]);
  }

  #import(count: number): TreeOperation | undefined {
    const isLarge = count > LARGE_FILES;
    const large = [...this.#imports.values()].filter(({ files }) => files.size > LARGE_FILES).length;
    if (this.#imports.size >= MAX_IMPORTS || (isLarge && large >= MAX_LARGE_IMPORTS)) return undefined;
    const folder = join(this.#sources, `${this.name}-${this.#fresh("source")}`);
    const files: Source = new Map(
      Array.from({ length: count }, () => [this.#sourceName(), this.#text(isLarge)]),
    );
    return this.#importOf(`${this.#tops[0]}/${this.#fresh("import")}`, folder, files);
  }

  #importLarge(): TreeOperation | undefined {
    const isUpdate = this.#random.chance(0.5);
    const update = isUpdate ? this.#importAnew() : undefined;
    return update ?? this.#import(LARGE_FILES + this.#random.integer(1, 40)) ?? this.#importAnew();
  }

  #sourceName = (): string =>
    `${this.#random.pick(["", "", "sub/", "sub/deep/"])}${this.#fresh("doc")}${this.#random.pick([".md", ".txt"])}`;

  #importAgain(): TreeOperation | undefined {
    const settled = this.#settled();
    if (settled.length === 0) return undefined;
    const root = this.#random.pick(settled);
    const { folder, files } = this.#imports.get(root)!;
    const changed: Source = new Map(files);
    for (const key of this.#random.sample([...changed.keys()], this.#random.integer(0, 2)))
      if (changed.size > 1) changed.delete(key);
    for (const key of this.#random.sample([...changed.keys()], this.#random.integer(0, 3)))
      changed.set(key, this.#text(true));
    for (let more = this.#random.integer(0, 2); more > 0; more--)
      changed.set(this.#sourceName(), this.#text(true));
    return this.#importOf(root, folder, changed);
  }

  /**
   * Imports the same source with nearly all files replaced, removed or new, which is one large change if
   * there are many.
   */
  #importAnew(): TreeOperation | undefined {
    const settled = this.#settled();
    const many = settled.filter((root) => this.#imports.get(root)!.files.size > LARGE_UPDATE);
    if (settled.length === 0) return undefined;
    const root = this.#random.pick(many.length > 0 ? many : settled);
    const { folder, files } = this.#imports.get(root)!;
    const renewed: Source = new Map();
    for (const key of files.keys()) {
      const fate = this.#random.next();
      if (fate < 0.8) renewed.set(key, this.#text(true));
      if (fate > 0.7) renewed.set(this.#sourceName(), this.#text(true));
    }
    return renewed.size === 0 ? undefined : this.#importOf(root, folder, renewed);
  }

  /**
   * Directories that an import leaves empty may stay or go, so the model ignores directories without files.
   */
  #importOf(root: string, folder: string, files: Source): TreeOperation {
    let after = remove(this.state, root);
    for (const [key, content] of files) after = put(after, `${root}/${key}`, content);
    // an archive with all files in one folder would lose that folder
    const isPacked = this.#random.chance(0.3) && [...files.keys()].some((key) => !key.includes("/"));
    const wait = this.#random.chance(0.2);
    const send = async () => {
      await layOut(folder, files);
      const path = isPacked ? `${folder}.tgz` : folder;
      if (isPacked) await create({ file: path, cwd: folder, gzip: true }, ["."]);
      return this.#rest.post("/api/v1/resources", { path, to: root, wait });
    };
    const touched = this.#random.sample([...files.keys()], SAMPLE_READ).map((key) => `${root}/${key}`);
    const operation = this.#operation(
      `import ${root} (${files.size} files${isPacked ? ", packed" : ""})`,
      send,
      after,
      touched,
    );
    return andThen(operation, () => {
      this.#imports.set(root, { folder, files });
      if (files.size > LARGE_FILES) this.#accepted.add(root);
    });
  }

  /** Starts an import and cancels its task at once: all of it must exist, or nothing. */
  #cancelImport(): TreeOperation | undefined {
    const isLarge = this.#random.chance(0.7);
    const made = this.#import(isLarge ? LARGE_FILES + this.#random.integer(1, 40) : 3);
    if (!made) return undefined;
    const before = this.state;
    let isThere = true;
    const send = async () => {
      const begun = await made.send();
      const { task_id } = (begun.result ?? {}) as { task_id?: string };
      if (!isOk(begun) || task_id === undefined) return begun;
      const cancelled = await this.#rest.post(`/api/v1/tasks/${task_id}/cancel`, {});
      return cancelled.status === FAILED_PRECONDITION
        ? this.#rest.get(`/api/v1/tasks/${task_id}`)
        : cancelled;
    };
    const after = (answer: Answer | undefined) => {
      const told = (answer?.result ?? { result: {} }) as object;
      isThere = "result" in told || "root_uri" in told;
      return isThere ? made.after(answer) : before;
    };
    const done = () => {
      if (isThere) made.done?.();
    };
    return { name: `cancel ${made.name}`, send, after, done };
  }

  #moveImport(): TreeOperation | undefined {
    const settled = this.#settled();
    if (settled.length === 0) return undefined;
    const from = this.#random.pick(settled);
    const to = `${this.#tops[0]}/${this.#fresh("kept")}`;
    const operation = this.#move(from, to);
    return andThen(operation, () => {
      this.#imports.set(to, this.#imports.get(from)!);
      this.#imports.delete(from);
    });
  }

  #removeImport(): TreeOperation | undefined {
    const settled = this.#settled();
    if (settled.length < 2) return undefined;
    const root = this.#random.pick(settled);
    const operation = this.#remove(root);
    return andThen(operation, () => {
      this.#imports.delete(root);
    });
  }

  // --- after a restart

  /**
   * Compares everything with the state before or after the operation in flight, and searches for words. The
   * queues must be empty.
   */
  async check(everything: boolean): Promise<void> {
    const sampled = new Set(this.#random.sample([...this.state.keys()], SAMPLE_READ));
    const reads = (uri: string) => everything || this.#touched.has(uri) || sampled.has(uri);
    const found = await observe(this.#rest, this.#tops, reads, (what) => this.complain(what));
    this.resolve((state) => differences(state, found));
    this.#accepted.clear();
    await this.#checkFound(new Set(found.keys()));
    this.#touched.clear();
    this.#gone = [];
  }

  async #checkFound(there: ReadonlySet<string>): Promise<void> {
    const complain = (what: string) => this.complain(what);
    const isAlone = (content: string | undefined) => content !== undefined && !this.#shared.has(content);
    const latest = [...this.#touched].filter((uri) => isAlone(this.state.get(uri)));
    for (const uri of this.#random.sample(latest, SAMPLE_FOUND)) {
      const content = this.state.get(uri)!;
      const word = this.#words.get(content)!;
      const hits = await find(this.#rest, word, complain);
      if (!isAmong(hits, uri, { content, word })) complain(`${word} does not find ${uri}`);
      this.#checkThere(hits, there);
    }
    for (const word of this.#random.sample(this.#gone, SAMPLE_FOUND)) {
      const hits = await find(this.#rest, word, complain);
      this.#checkThere(hits, there);
      const shown = hits.filter(
        ({ uri, match }) => this.state.get(uri)?.includes(word) === false && match.includes(word),
      );
      if (shown.length > 0) complain(`find still shows the removed ${word} in ${shown[0]!.uri}`);
    }
  }

  #checkThere(hits: readonly Hit[], there: ReadonlySet<string>): void {
    const ghosts = hits.filter(({ uri }) => this.#tops.some((top) => isBelow(uri, top)) && !there.has(uri));
    if (ghosts.length > 0)
      this.complain(`find shows what is not there: ${ghosts.map(({ uri }) => uri).join(" ")}`);
  }
}

function andThen(operation: TreeOperation, more: () => void): TreeOperation {
  return {
    ...operation,
    done: () => {
      operation.done?.();
      more();
    },
  };
}

/** Writes a source folder in its new state. */
async function layOut(folder: string, files: Source): Promise<void> {
  const aside = `${folder}.new`;
  for (const [key, content] of files) {
    const path = join(aside, key);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  await rm(folder, { recursive: true, force: true });
  await rename(aside, folder);
}
