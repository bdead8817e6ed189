import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { itemAt } from "../../base/expect.ts";
import { failedPrecondition, invalidArgument, notFound, ServiceError } from "../../domain/errors.ts";
import type { ScratchFolder } from "../../storage/scratch.ts";
import { MAX_RATIO, MIN_BOMB_BYTES, TAR_OVERHEAD } from "../archive.ts";
import type { Opening, RemoteSpec } from "../source.ts";
import type { AddressGuard } from "./guard.ts";
import { GuardedProxy } from "./guarded-proxy.ts";

const TOTAL_LIMIT_MS = 10 * 60_000;
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
const GIT_PORT = 9418;
/** Memory limit of a git process in KiB; pack headers may announce false sizes. */
const MAX_MEMORY_KIB = 2 * 1024 * 1024;
/** Sets resource limits, then executes git. `$0`: maximum file size in blocks. */
const LIMITED = `ulimit -v ${MAX_MEMORY_KIB}; ulimit -f "$0"; exec git "$@"`;
const FILE_BLOCK_BYTES = 512;
/** Attributes that make an archive identical to the tree. */
const WHOLE = "* -export-ignore -export-subst -ident\n";

export interface GitDeps extends Omit<Opening, "workspace"> {
  readonly guard: AddressGuard;
  /** Maximum bytes received, and maximum bytes of the files. */
  readonly maxBytes: number;
}

interface ArchiveDeps extends GitDeps {
  /** Called with the number of archived bytes so far. May throw. */
  readonly onArchived: (bytes: number) => void;
}

type GitSpec = Extract<RemoteSpec, { kind: "git" }>;

/**
 * Fetches one commit of a repository without history, packs its files into a tar archive and returns its
 * path. Nothing is checked out, so hooks, filters, links and submodules of the repository have no effect. git
 * can reach the network only through the guard. Errors as in `fetchFile`; FAILED_PRECONDITION if git is not
 * installed.
 */
export function fetchRepository(spec: GitSpec, folder: ScratchFolder, deps: ArchiveDeps): Promise<string> {
  return withGit(spec, folder, deps, async (git, address) => {
    const repository = join(folder.path, "repository");
    await git("init", "-q", "--bare", "--", repository);
    await writeFile(join(repository, "info", "attributes"), WHOLE);
    const at = (...args: string[]) => git("--git-dir", repository, ...args);
    const { ref, below } = spec.tree ? await chosen(at, address, spec.tree) : { ref: "HEAD", below: "" };
    await at("fetch", "-q", "--depth", "1", "--no-tags", "--no-recurse-submodules", "--", address, ref);
    const tar = join(folder.path, "tree.tar");
    const tree = below === "" ? "FETCH_HEAD" : `FETCH_HEAD:${below}`;
    await git.into(
      { file: tar, onBytes: deps.onArchived },
      "--git-dir",
      repository,
      "archive",
      "--format=tar",
      tree,
    );
    return tar;
  });
}

/**
 * The commit that `fetchRepository` would fetch. `folder`: home folder of git. Errors as in
 * `fetchRepository`.
 */
export function commitOf(spec: GitSpec, folder: ScratchFolder, deps: GitDeps): Promise<string> {
  return withGit(spec, folder, deps, async (git, address) => {
    if (spec.tree) return (await chosen(git, address, spec.tree)).commit;
    const [commit = ""] = (await git("ls-remote", "-q", "--", address, "HEAD")).split("\t");
    return commit;
  });
}

/** Runs git and returns its output. */
type GitCommand = (...args: string[]) => Promise<string>;

interface Git extends GitCommand {
  /** Runs git and writes its output to a file; `onBytes` gets the number of bytes so far and may throw. */
  into(target: OutputFile, ...args: string[]): Promise<string>;
}

interface OutputFile {
  readonly file: string;
  readonly onBytes: (bytes: number) => void;
}

/** Runs git commands that can connect only to the repository at `address`, through the guard. */
async function withGit(
  spec: GitSpec,
  folder: ScratchFolder,
  deps: GitDeps,
  use: (git: Git, address: string) => Promise<string>,
): Promise<string> {
  const url = new URL(spec.url);
  const isPlain = url.protocol === "git:";
  const place = { host: url.hostname, port: Number(url.port) || GIT_PORT };
  const proxy = await GuardedProxy.open(
    { ...deps, onBytes: (bytes) => deps.onFetched(bytes, bytes) },
    isPlain ? place : undefined,
  );
  const address = isPlain ? `git://127.0.0.1:${proxy.port}${url.pathname}` : url.href;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(tooSlow(url.host)), TOTAL_LIMIT_MS);
  const signal = AbortSignal.any([deps.signal, late.signal]);
  const blocks = String(Math.ceil(deps.maxBytes / FILE_BLOCK_BYTES) * 2);
  const env = environment(folder, isPlain ? undefined : proxy.port);
  const git: Git = Object.assign((...args: string[]) => run([blocks, ...args], env, signal), {
    into: ({ file, onBytes }: OutputFile, ...args: string[]) =>
      run([blocks, ...args], env, signal, (output) => {
        // a tree that names one folder many times unpacks to far more than was received
        const most = Math.min(deps.maxBytes, Math.max(proxy.received * MAX_RATIO, MIN_BOMB_BYTES));
        return pipeline(output, counted(TAR_OVERHEAD * most, onBytes), createWriteStream(file));
      }),
  });
  try {
    return await use(git, address);
  } catch (error) {
    signal.throwIfAborted();
    throw proxy.fault ?? translated(error, spec.url);
  } finally {
    clearTimeout(timer);
    proxy.close();
  }
}

const tooSlow = (host: string) =>
  new ServiceError(
    "DEADLINE_EXCEEDED",
    `${host} did not send the repository within ${TOTAL_LIMIT_MS / 1000} s: try again later`,
    {
      operation: "fetch",
      timeout: TOTAL_LIMIT_MS / 1000,
    },
  );

/** Resolves `tree`: the longest branch or tag that is a prefix, otherwise a commit; the rest is a folder. */
async function chosen(
  git: GitCommand,
  address: string,
  tree: readonly string[],
): Promise<{ readonly ref: string; readonly below: string; readonly commit: string }> {
  const refs = new Map<string | undefined, string>();
  for (const line of (await git("ls-remote", "-q", "--heads", "--tags", "--", address)).split("\n")) {
    const [commit = "", ref] = line.split("\t");
    refs.set(ref, commit);
  }
  for (let length = tree.length; length > 0; length--) {
    const name = tree.slice(0, length).join("/");
    const ref = [`refs/heads/${name}`, `refs/tags/${name}`].find((candidate) => refs.has(candidate));
    if (ref) return { ref, below: tree.slice(length).join("/"), commit: refs.get(ref) ?? "" };
  }
  const commit = itemAt(tree, 0);
  if (/^[0-9a-f]{40}$/.test(commit)) return { ref: commit, below: tree.slice(1).join("/"), commit };
  throw notFound("branch, tag or commit", tree.join("/"));
}

/**
 * The complete environment of git: nothing is inherited from the server, and the machine's git configuration
 * is ignored.
 */
function environment(folder: ScratchFolder, proxyPort: number | undefined): Record<string, string> {
  const settings: Record<string, string> = {
    "core.bigFileThreshold": "4m",
    "core.hooksPath": "/dev/null",
    "credential.helper": "",
    "gc.auto": "0",
    "http.followRedirects": "initial",
    "http.lowSpeedLimit": "100",
    "http.lowSpeedTime": "30",
    "pack.threads": "1",
    "protocol.allow": "never",
    ...(proxyPort === undefined
      ? { "protocol.git.allow": "always" }
      : {
          "http.proxy": `socks5h://127.0.0.1:${proxyPort}`,
          "protocol.http.allow": "always",
          "protocol.https.allow": "always",
        }),
    "submodule.recurse": "false",
    "transfer.bundleURI": "false",
  };
  const pairs = Object.entries(settings).flatMap(([key, value], i): [string, string][] => [
    [`GIT_CONFIG_KEY_${i}`, key],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ]);
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    HOME: folder.path,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_COUNT: String(Object.keys(settings).length),
    ...Object.fromEntries(pairs),
  };
}

/** A failed git command; the message is git's error output. */
class GitFailed extends Error {}

/** The operating system killed git. This is not the caller's error, so a retry may succeed. */
const wasKilled = () => new Error("git was killed");

const tooLarge = () => invalidArgument("path", "the repository is too large to import: upload a part of it");

const counted = (most: number, onBytes: (bytes: number) => void) =>
  async function* (parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const part of parts) {
      bytes += part.length;
      if (bytes > most) throw tooLarge();
      onBytes(bytes);
      yield part;
    }
  };

/** Runs git and returns its output, or passes it to `take`; git is killed if `take` fails. */
function run(
  args: readonly string[],
  env: Record<string, string>,
  signal: AbortSignal,
  take?: (output: Readable) => Promise<void>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", LIMITED, ...args], {
      env,
      cwd: "/",
      stdio: ["ignore", "pipe", "pipe"],
      signal,
      killSignal: "SIGKILL",
    });
    // if file descriptors are exhausted, neither process nor pipes exist
    child.once("error", reject);
    if (child.pid === undefined) return;
    let output = "";
    let words = "";
    const taken = take?.(child.stdout);
    taken?.catch((error: unknown) => {
      reject(error);
      child.kill("SIGKILL");
    });
    if (!take)
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (output.length <= MAX_OUTPUT_BYTES) return;
        reject(
          invalidArgument(
            "path",
            `the repository has too many branches and tags: the list is longer than ${MAX_OUTPUT_BYTES} bytes`,
          ),
        );
        child.kill("SIGKILL");
      });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      words = (words + text).slice(-2000);
    });
    // helpers of a killed git keep its output open until the proxy closes
    child.once("exit", (_, killed) => killed === "SIGKILL" && reject(wasKilled()));
    child.once("close", (code, killed) => {
      if (code === 0) resolve(taken ? taken.then(() => output) : output);
      // git reports all errors except a killed helper
      else
        reject(killed === null && words === "" ? wasKilled() : new GitFailed(killed ?? `${code} ${words}`));
    });
  });
}

function translated(error: unknown, url: string): unknown {
  if (error instanceof ServiceError) return error;
  if (!(error instanceof GitFailed)) return error;
  const words = error.message;
  if (/^127 /.test(words))
    return failedPrecondition(url, "git is not installed on the server: install it, or upload the files");
  if (/SIGXFSZ|signal 25|File too large|Out of memory/i.test(words)) return tooLarge();
  // a forge gives the same answer for private and missing repositories
  if (
    /not found|does not exist|could not read Username|Authentication failed|404|403|access denied/i.test(
      words,
    )
  )
    return notFound("public repository", url);
  if (/couldn't find remote ref/i.test(words)) return notFound("commit in repository", url);
  if (/not a valid object name|not a tree object/i.test(words)) return notFound("folder in repository", url);
  return invalidArgument("path", "git cannot read a repository at this URL");
}
