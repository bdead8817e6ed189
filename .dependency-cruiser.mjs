// Rules 1 to 3 of CONTRIBUTING.md as code. Types count: an import of a type is an import.

/** From the bottom up. A package may use the layers below its own, never a layer above or another package of its own. */
const LAYERS = [
  ["base"],
  ["domain"],
  ["storage", "providers", "telemetry"],
  ["index"],
  ["workspace", "accounts", "jobs"],
  ["ingest", "enrich", "retrieve", "memory"],
  ["service"],
  ["transport"],
];
/** What wires and starts the layers; no layer knows it. */
const TOP = "(app/|server/|config/|cli/|[^/]+\\.ts$)";

/** Named in storage/open.ts, storage/open-backups.ts and app/ only. */
const STORAGE_ADAPTERS = "ram|level|disk|embedded|postgres|s3";
const PROVIDER_ADAPTERS = "builtin|ai";

/** Package → the only place that may import it. */
const DRIVERS = {
  "classic-level|@node-rs/crc32": "^src/storage/level/",
  "pg|pg-copy-streams": "^src/storage/postgres/",
  "faiss-node": "^src/index/faiss/",
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
  tar: "^src/(ingest/tar\\.ts$|storage/disk/)",
  saxes: "^src/(transport/dav|storage/s3)/",
  aws4: "^src/storage/s3/",
  undici: "^src/(ingest/fetch|transport/gateway)/",
  "ipaddr\\.js": "^src/ingest/fetch/",
};

/** Commands that start a server, or check or make its data directory; all others are clients. */
const CLI_WITH_SERVER = "^src/cli/(commands/server/(serve|mcp|doctor|verify|restore|store)\\.ts$|doctor/)";

const packages = (layer) => `^src/(${layer.join("|")})/`;
const error = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

const layerRules = LAYERS.flatMap((layer, at) => {
  const above = LAYERS.slice(at + 1).flat();
  const higher = above.length > 0 ? [`^src/${TOP}`, packages(above)] : [`^src/${TOP}`];
  return [
    error(
      `layer-${at}-imports-down`,
      "Imports only point down.",
      { path: packages(layer) },
      { path: higher },
    ),
    error(
      `layer-${at}-packages`,
      "Packages of one layer never import each other; a package above passes one to the other.",
      { path: packages(layer) },
      { path: packages(layer), pathNot: "^src/$1/" },
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
    error("no-cycles", "No import cycles.", {}, { circular: true }),
    ...layerRules,
    error(
      "config-feeds-app",
      "Settings are read by app/ and server/ alone; everyone else is given values.",
      { path: "^src/", pathNot: `^src/${TOP}` },
      { path: "^src/config/" },
    ),
    error(
      "service-slices",
      "Packages of the service layer are independent.",
      { path: "^src/service/([^/]+)/" },
      { path: "^src/service/[^/]+/", pathNot: "^src/service/$1/" },
    ),
    error(
      "storage-adapters",
      "Adapters are named in open.ts and app/ only.",
      {
        path: "^src/",
        pathNot: `^src/(storage/(${STORAGE_ADAPTERS})/|storage/(?:open(?:-backups)?|restore-data-dir)\\.ts$|app/)`,
      },
      { path: `^src/storage/(${STORAGE_ADAPTERS})/` },
    ),
    error(
      "storage-adapters-apart",
      "Adapters do not know each other.",
      { path: `^src/storage/(${STORAGE_ADAPTERS})/` },
      { path: `^src/storage/(${STORAGE_ADAPTERS})/`, pathNot: "^src/storage/$1/" },
    ),
    error(
      "provider-adapters",
      "Adapters are named in open.ts and app/ only.",
      { path: "^src/", pathNot: `^src/(providers/(${PROVIDER_ADAPTERS})/|providers/open\\.ts$|app/)` },
      { path: `^src/providers/(${PROVIDER_ADAPTERS})/` },
    ),
    error(
      "cli-is-a-client",
      "The command line is a client; only commands that start or check a server import its layers.",
      { path: "^src/cli/", pathNot: CLI_WITH_SERVER },
      { path: "^src/(?!cli/|base/)" },
    ),
    error(
      "cli-on-top",
      "Nothing imports the command line.",
      { path: "^src/(?!cli/)" },
      { path: "^src/cli/" },
    ),
    error(
      "gen-in-transport",
      "Generated messages stay in the transport layer.",
      { path: "^src/", pathNot: "^src/transport/" },
      { path: "^gen/" },
    ),
    error(
      "http-in-transport",
      "HTTP stays in the transport layer, and requests to others in one client; hooks of agents call the REST API by it, since loading fetch takes longer.",
      { path: "^src/", pathNot: "^src/(transport/|base/http-client\\.ts$|cli/agents/rest-call\\.ts$)" },
      { path: "^(node:)?https?2?$" },
    ),
    error(
      "gateway-apart",
      "The gateway knows no other wire.",
      { path: "^src/transport/gateway/" },
      { path: "^src/transport/(rest|rpc|mcp|operations|welcome)/" },
    ),
    error(
      "gateway-on-top",
      "Other wires do not know the gateway.",
      { path: "^src/transport/", pathNot: "^src/transport/(gateway/|transport\\.ts$)" },
      { path: "^src/transport/gateway/" },
    ),
    error(
      "dav-on-top",
      "Other wires do not know WebDAV.",
      { path: "^src/transport/", pathNot: "^src/transport/(dav/|transport\\.ts$)" },
      { path: "^src/transport/dav/" },
    ),
    ...driverRules,
    error(
      "no-tests",
      "The product imports neither its tests nor its scripts.",
      { path: "^src/" },
      { path: "^(test|scripts|examples)/" },
    ),
    error(
      "declared",
      "What the product imports is a dependency, not a development tool.",
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
