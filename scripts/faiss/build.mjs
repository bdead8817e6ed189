// npm run faiss:build: makes native/faiss from Debian's packages, for every platform of the table, on Debian 12 (x64).
//   --check   only compares: what it makes has to be what is there
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ADDON, compile, fetchSources, PACKAGE, ROOT, run, sha256 } from "./addon.mjs";

/** Platforms of Node, and what Debian calls them. The foreign compiler is the package g++-aarch64-linux-gnu. */
const PLATFORMS = [
  { name: "linux-x64", architecture: "amd64", triplet: "x86_64-linux-gnu" },
  { name: "linux-arm64", architecture: "arm64", triplet: "aarch64-linux-gnu" },
];
const PACKAGES = ["libfaiss-dev", "liblapack-dev", "libblas-dev", "libgomp1", "gcc-12-base"];
/** Shipped beside the addon: its thread-local storage allows no static linking into a library that is loaded later. */
const OPENMP = "libgomp.so.1";
/** Licences by the package they come with. */
const LICENCES = { faiss: "libfaiss-dev", lapack: "liblapack-dev", "libgomp-and-libstdc++": "gcc-12-base" };
const INTO = join(ROOT, "native/faiss");
const RUNTIME = join(INTO, "lapack-runtime.c");
const FETCH_LIMIT_MS = 300_000;

/** Downloads and unpacks the packages of one architecture, with lists of its own: nothing is installed. */
function fetchPackages(folder, architecture) {
  const lists = join(folder, "lists");
  mkdirSync(join(lists, "partial"), { recursive: true });
  const options = [
    `APT::Architecture=${architecture}`,
    `APT::Architectures=${architecture}`,
    `Dir::State::Lists=${lists}`,
    `Dir::Cache=${folder}`,
  ];
  const settings = options.flatMap((option) => ["-o", option]);
  const limits = { cwd: folder, timeout: FETCH_LIMIT_MS };
  run("apt-get", [...settings, "-q", "update"], limits);
  run("apt-get", [...settings, "-q", "download", ...PACKAGES], limits);
  const versions = {};
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".deb"))) {
    run("dpkg", ["-x", file, "root"], limits);
    const [name, version] = ["Package", "Version"].map((field) =>
      run("dpkg-deb", ["-f", file, field], limits).trim(),
    );
    versions[name] = version;
  }
  return versions;
}

function build(work, { name, architecture, triplet }) {
  const folder = join(work, name);
  mkdirSync(folder);
  const versions = fetchPackages(folder, architecture);
  fetchSources(folder);
  const root = join(folder, "root/usr");
  const libraries = join(root, "lib", triplet);
  const compiler = `${triplet}-g++`;
  const runtime = join(folder, "lapack-runtime.o");
  run(`${triplet}-gcc`, ["-O2", "-fPIC", "-c", RUNTIME, "-o", runtime]);
  const made = compile(folder, compiler, [
    `-I${join(root, "include")}`,
    runtime,
    ...["libfaiss.a", "liblapack_pic.a", "blas/libblas.a"].map((path) => join(libraries, path)),
    ...["-static-libstdc++", "-static-libgcc", "-lm", "-lpthread", "-ldl"],
    // only what is used, under no name that another library could take; the same bytes from every folder
    ...["-Wl,--gc-sections", "-Wl,--exclude-libs,ALL", "-Wl,-rpath,$ORIGIN", "-Wl,--build-id=none", "-s"],
  ]);
  chmodSync(made, 0o644);
  const files = { [ADDON]: made, [OPENMP]: join(libraries, OPENMP) };
  const hashes = Object.fromEntries(Object.entries(files).map(([file, path]) => [file, sha256(path)]));
  const version = run(compiler, ["--version"]).split("\n")[0];
  return { name, root, files, manifest: { compiler: version, packages: versions, sha256: hashes } };
}

function ship({ name, root, files }) {
  const folder = join(INTO, name);
  mkdirSync(folder, { recursive: true });
  for (const [file, path] of Object.entries(files)) copyFileSync(path, join(folder, file));
  for (const [licence, of] of Object.entries(LICENCES))
    cpSync(join(root, "share/doc", of, "copyright"), join(INTO, "licences", licence), { dereference: true });
}

const work = mkdtempSync(join(tmpdir(), "ctxdb-faiss-"));
try {
  const built = PLATFORMS.map((platform) => build(work, platform));
  if (process.argv.includes("--check")) {
    for (const { name, manifest } of built)
      for (const [file, hash] of Object.entries(manifest.sha256)) {
        const isSame = sha256(join(INTO, name, file)) === hash;
        console.log(`${name}/${file}: ${isSame ? "the same bytes" : "other bytes"}`);
        if (!isSame) process.exitCode = 1;
      }
  } else {
    for (const one of built) ship(one);
    copyFileSync(join(work, PLATFORMS[0].name, "package/LICENSE"), join(INTO, "licences/faiss-node"));
    const platforms = Object.fromEntries(built.map(({ name, manifest }) => [name, manifest]));
    writeFileSync(
      join(INTO, "MANIFEST.json"),
      `${JSON.stringify({ source: PACKAGE, platforms }, undefined, 2)}\n`,
    );
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
