import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { sha256 } from "../../src/base/sha256.ts";
import { serveWeb, type WebServer } from "../support/web-server.ts";
import { differences, type Nodes, put, remove } from "./model.ts";
import { observe } from "./observe.ts";
import { Caller, type Operation } from "./operation.ts";
import type { Random } from "./random.ts";
import { isOk, Rest, say } from "./rest.ts";
import { shortText, text } from "./texts.ts";

const TOP = "ctx://resources/fetched";
const MAX_ROOTS = 6;
const IMPORT = "/api/v1/resources";
const REFRESH = "/api/v1/resources/refresh";
const GIT_ENVIRONMENT = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@b",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@b",
};

const run = promisify(execFile);

type Files = ReadonlyMap<string, string>;

/** A source of imports: a page or a repository on the harness's web server, or a folder. */
interface Source {
  readonly kind: "page" | "repository" | "folder";
  readonly name: string;
  readonly files: Files;
}

/**
 * Imports and refreshes sources that must be fetched. Every such call is answered before the work is done.
 */
export class RemoteCaller extends Caller<Nodes> {
  state: Nodes = new Map([[TOP, undefined]]);
  readonly #random: Random;
  readonly #key: string;
  readonly #folder: string;
  #web: WebServer | undefined;
  #rest: Rest;
  #serial = 0;
  readonly #roots = new Map<string, Source>();
  /** Addresses of pages that have been removed at some time. */
  readonly #gone = new Set<string>();
  /** Accepted but perhaps unfinished imports: they are left alone until the queues are empty. */
  readonly #accepted = new Set<string>();

  constructor(key: string, folder: string, random: Random, complain: (what: string) => void) {
    super("remote", complain);
    this.#key = key;
    this.#folder = folder;
    this.#random = random;
    this.#rest = new Rest(0, {});
  }

  /** Creates its folder and starts its web server, once. */
  async begin(port: number): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    this.#web = await serveWeb(this.#folder);
    this.connect(port);
    const answer = await this.#rest.post("/api/v1/fs/mkdir", { uri: TOP });
    if (!isOk(answer)) this.complain(`mkdir ${TOP}: ${say(answer)}`);
  }

  /** Uses this server from now on. */
  connect(port: number): void {
    this.#rest.close();
    this.#rest = new Rest(port, { "x-api-key": this.#key });
  }

  close(): void {
    this.#rest.close();
    void this.#web?.close();
  }

  /** Whether a message reports that a removed page does not exist. */
  isOfGone(message: string): boolean {
    return [...this.#gone].some((address) => message === `URL not found: ${address}`);
  }

  choose(): Operation<Nodes> | undefined {
    const settled = [...this.#roots.keys()].filter((root) => !this.#accepted.has(root));
    const isNew = settled.length === 0 || (this.#roots.size < MAX_ROOTS && this.#random.chance(0.3));
    if (isNew) return this.#import(`${TOP}/root${this.#serial++}`, this.#fresh());
    const root = this.#random.pick(settled);
    const source = this.#roots.get(root)!;
    if (this.#random.chance(0.15)) return this.#remove(root);
    if (source.kind === "page" && this.#random.chance(0.2)) return this.#fail(root, source);
    const files = this.#random.chance(0.3) ? source.files : this.#changed(source);
    return this.#import(root, { ...source, files }, this.#random.chance(0.6) ? REFRESH : IMPORT);
  }

  /** Compares everything with the state before or after the call in flight. The queues must be empty. */
  async check(): Promise<void> {
    const found = await observe(
      this.#rest,
      [TOP],
      () => true,
      (what) => this.complain(what),
    );
    this.resolve((state) => differences(state, found));
    this.#accepted.clear();
  }

  #text = (): string => (this.#random.chance(0.5) ? shortText : text)(this.#random).content;

  #fresh(): Source {
    const kind = this.#random.pick(["page", "repository", "folder"] as const);
    const name = `${kind}${this.#serial++}`;
    if (kind === "page") return { kind, name, files: new Map([[`${name}.md`, this.#text()]]) };
    const count = this.#random.integer(2, 6);
    return {
      kind,
      name,
      files: new Map(
        Array.from({ length: count }, (_, i) => [`${i % 2 ? "sub/" : ""}doc${i}.md`, this.#text()]),
      ),
    };
  }

  #changed({ kind, files }: Source): Files {
    const keys = [...files.keys()];
    const changed = new Map(files).set(this.#random.pick(keys), this.#text());
    if (kind === "page") return changed;
    if (this.#random.chance(0.5)) changed.set(`more${this.#serial++}.md`, this.#text());
    if (this.#random.chance(0.3) && changed.size > 2) changed.delete(this.#random.pick(keys));
    return changed;
  }

  #import(root: string, source: Source, path = IMPORT): Operation<Nodes> {
    let after = remove(this.state, root);
    for (const [key, content] of source.files) after = put(after, `${root}/${key}`, content);
    const send = async () => {
      const place = await this.#layOut(source);
      // the harness's web server has a different port in every run, but the same one within a run
      return this.#rest.post(path, path === REFRESH ? { uri: root } : { path: place, to: root });
    };
    const done = () => {
      this.#roots.set(root, source);
      this.#accepted.add(root);
    };
    return {
      name: `${path} ${root} from ${source.name} (${source.files.size} files)`,
      send,
      after: () => after,
      done,
    };
  }

  /** Checks that a removed page is not imported and that earlier imports stay. */
  #fail(root: string, source: Source): Operation<Nodes> {
    const send = () => {
      this.#web!.pages.delete(`/${source.name}.md`);
      this.#gone.add(`${this.#web!.base}/${source.name}.md`);
      return this.#rest.post(REFRESH, { uri: root });
    };
    const before = this.state;
    return {
      name: `refresh ${root} from nothing`,
      send,
      after: () => before,
      done: () => this.#accepted.add(root),
    };
  }

  #remove(root: string): Operation<Nodes> {
    const send = () =>
      this.#rest.send("DELETE", `/api/v1/fs?${new URLSearchParams({ uri: root, recursive: "true" })}`);
    const after = remove(this.state, root);
    return { name: `rm ${root}`, send, after: () => after, done: () => this.#roots.delete(root) };
  }

  /** Changes the source to its new content; returns its address or path. */
  async #layOut({ kind, name, files }: Source): Promise<string> {
    const { base, pages } = this.#web!;
    if (kind === "page") {
      const [content] = files.values();
      pages.set(`/${name}.md`, (request, response) => {
        const etag = `"${sha256(content!)}"`;
        const isSame = request.headers["if-none-match"] === etag;
        response
          .writeHead(isSame ? 304 : 200, { "content-type": "text/markdown", etag })
          .end(isSame ? undefined : content);
      });
      return `${base}/${name}.md`;
    }
    const folder = join(this.#folder, name);
    await rm(folder, { recursive: true, force: true });
    for (const [key, content] of files) {
      const file = join(folder, key);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
    }
    if (kind === "folder") return folder;
    const git = (...args: string[]) =>
      run("git", ["--git-dir", `${folder}.git`, ...args], { cwd: folder, env: GIT_ENVIRONMENT });
    await git("init", "-q", "--bare", "-b", "main");
    await git("--work-tree", folder, "add", "-A", ".");
    await git("--work-tree", folder, "commit", "-q", "--allow-empty", "-m", "next");
    return `${base}/${name}.git`;
  }
}
