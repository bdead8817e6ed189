// Rules 1 to 3 of CONTRIBUTING.md as code. Types count: an import of a type is an import.

/** From the bottom up. A room may use the rings below its own, never a ring above or another room of its own ring. */
const RINGS = [
  ["base", "domain"],
  ["storage", "providers", "telemetry"],
  ["workspace", "accounts", "jobs"],
  ["ingest", "enrich", "retrieve", "remember"],
  ["service"],
  ["transport"],
];
/** What starts and wires the rings; no ring knows it. */
const TOP = "(config/|cli/|[^/]+\\.ts$)";

/** Chosen by name in storage/open.ts and app.ts only. storage/segments is not among them: it is the library in which workspace and retrieve read an index. */
const STORAGE_ADAPTERS = "ram|level|disk|faiss";
const PROVIDER_ADAPTERS = "builtin|ai";

/** Package → the only place that may import it. */
const DRIVERS = {
  "classic-level|@node-rs/crc32": "^src/storage/level/",
  "faiss-node": "^src/storage/faiss/",
  "onnxruntime-(node|common)": "^src/providers/builtin/",
  "ai|@ai-sdk/[^/]+": "^src/providers/ai/",
  "@connectrpc/[^/]+": "^src/transport/",
  "@fastify/busboy": "^src/transport/",
  "@modelcontextprotocol/[^/]+": "^src/(transport/mcp|cli)/",
  "@opentelemetry/[^/]+": "^src/telemetry/",
  yauzl: "^src/ingest/",
  "pdfjs-dist": "^src/ingest/parse/pdf/",
  "mammoth|read-excel-file": "^src/ingest/parse/office/",
  papaparse: "^src/ingest/parse/",
  "commander|cli-progress|string-width": "^src/cli/",
  tar: "^src/ingest/tar\\.ts$",
  "undici|ipaddr\\.js": "^src/ingest/fetch/",
};

/** What of the command line starts the server or looks at it; all the rest is a client like others. */
const CLI_WITH_SERVER = "^src/cli/(commands/(serve|doctor|verify)\\.ts$|doctor/)";

const rooms = (ring) => `^src/(${ring.join("|")})/`;
const error = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

const ringRules = RINGS.flatMap((ring, at) => {
  const above = RINGS.slice(at + 1).flat();
  const higher = above.length > 0 ? [`^src/${TOP}`, rooms(above)] : [`^src/${TOP}`];
  return [
    error(`ring-${at}-points-down`, "Imports only point down.", { path: rooms(ring) }, { path: higher }),
    error(
      `ring-${at}-rooms`,
      "Rooms of one ring never import each other; the room above introduces them.",
      { path: rooms(ring) },
      { path: rooms(ring), pathNot: "^src/$1/" },
    ),
  ];
});

const driverRules = Object.entries(DRIVERS).map(([driver, place]) =>
  error(
    `driver-${driver.replace(/\W+/g, "-")}`,
    "Each driver is imported in one place.",
    { path: "^src/", pathNot: place },
    { path: `(^|/)node_modules/(${driver})/` },
  ),
);

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    error("no-circles", "Nothing depends on itself.", {}, { circular: true }),
    ...ringRules,
    error(
      "config-feeds-app",
      "Settings are read by app.ts and main.ts alone; everyone else is given values.",
      { path: "^src/", pathNot: `^src/${TOP}` },
      { path: "^src/config/" },
    ),
    error(
      "service-slices",
      "Slices of the service ring are independent.",
      { path: "^src/service/([^/]+)/" },
      { path: "^src/service/[^/]+/", pathNot: "^src/service/$1/" },
    ),
    error(
      "storage-adapters",
      "Adapters are named in open.ts and app.ts only.",
      { path: "^src/", pathNot: `^src/(storage/(${STORAGE_ADAPTERS})/|storage/open\\.ts$|app\\.ts$)` },
      { path: `^src/storage/(${STORAGE_ADAPTERS})/` },
    ),
    error(
      "storage-adapters-apart",
      "Adapters do not know each other.",
      { path: `^src/storage/(${STORAGE_ADAPTERS}|segments)/` },
      { path: `^src/storage/(${STORAGE_ADAPTERS}|segments)/`, pathNot: "^src/storage/$1/" },
    ),
    error(
      "provider-adapters",
      "Adapters are named in open.ts and app.ts only.",
      { path: "^src/", pathNot: `^src/(providers/(${PROVIDER_ADAPTERS})/|providers/open\\.ts$|app\\.ts$)` },
      { path: `^src/providers/(${PROVIDER_ADAPTERS})/` },
    ),
    error(
      "cli-is-a-client",
      "The command line speaks to a server as others do; only what starts or checks one knows its rings.",
      { path: "^src/cli/", pathNot: CLI_WITH_SERVER },
      { path: "^src/(?!cli/|base/)" },
    ),
    error("cli-on-top", "Nothing knows the command line.", { path: "^src/(?!cli/)" }, { path: "^src/cli/" }),
    error(
      "gen-in-transport",
      "Generated messages stay in the transport ring.",
      { path: "^src/", pathNot: "^src/transport/" },
      { path: "^gen/" },
    ),
    error(
      "http-in-transport",
      "HTTP stays in the transport ring.",
      { path: "^src/", pathNot: "^src/transport/" },
      { path: "^(node:)?https?2?$" },
    ),
    ...driverRules,
    error("no-tests", "The product knows neither its tests nor its scripts.", { path: "^src/" }, { path: "^(test|scripts|examples)/" }),
    error(
      "declared",
      "What the product imports is a dependency, not a tool of development.",
      { path: "^src/" },
      { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["type-only"] },
    ),
    error("resolvable", "Every import leads somewhere.", {}, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".js", ".mjs", ".json"],
    },
  },
};
