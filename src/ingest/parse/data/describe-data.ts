import { listNames } from "../../../domain/text/names.ts";

const MAX_NAMES = 5;
const MAX_TEXT_LENGTH = 400;
const MIN_LOCALE_TEXTS = 3;

type Values = Readonly<Record<string, unknown>>;

const isValues = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textAt = (values: Values, key: string): string => {
  const value = values[key];
  return typeof value === "string" ? value.replace(/\s+/g, " ").trim().slice(0, MAX_TEXT_LENGTH) : "";
};
const valuesAt = (values: Values, key: string): Values => {
  const value = values[key];
  return isValues(value) ? value : {};
};
const keysAt = (values: Values, key: string): string[] => Object.keys(valuesAt(values, key));
/** The texts of a list, or a single text. */
const textsAt = (values: Values, key: string): string[] => {
  const value = values[key];
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string");
};

const listed = (names: readonly string[]): string => listNames(names, MAX_NAMES);

const after = (head: string, text: string): string => (text === "" ? head : `${head}: ${text}`);
const withList = (head: string, between: string, names: readonly string[]): string =>
  names.length === 0 ? head : `${head} ${between} ${listed(names)}`;

/** Reads a form; "" if the data has another. */
type Form = (values: Values, file: string) => string;

const FORMS: readonly Form[] = [
  npmPackage,
  composerPackage,
  openApi,
  jsonSchema,
  workflow,
  compose,
  kubernetes,
  compilerOptions,
  travis,
  dependabot,
  sourceMap,
  coverage,
  geoJson,
  translations,
  serviceModel,
];

/** What a JSON or YAML value is, if it has a known form; otherwise "". */
export function describeData(file: string, value: unknown): string {
  if (!isValues(value)) return "";
  for (const form of FORMS) {
    const said = form(value, file);
    if (said !== "") return said;
  }
  return "";
}

function npmPackage(values: Values, file: string): string {
  if (!/^(?:package|bower)\.json$/.test(file)) return "";
  const name = textAt(values, "name");
  if (name === "") {
    const type = textAt(values, "type");
    if (type === "module") return "marks the JavaScript files of its folder as ES modules";
    if (type === "commonjs") return "marks the JavaScript files of its folder as CommonJS modules";
    const main = textAt(values, "main") || textAt(values, "module") || textAt(values, "types");
    return main === "" ? "" : `npm package whose entry is ${main}`;
  }
  const kind = file === "bower.json" ? "Bower" : "npm";
  const description = textAt(values, "description");
  if (description !== "") return `${kind} package ${name}: ${description}`;
  const workspaces = textsAt(values, "workspaces");
  if (workspaces.length > 0) return `npm workspace ${name} with the packages ${listed(workspaces)}`;
  const keywords = textsAt(values, "keywords").filter((word) => word !== name);
  if (keywords.length > 0) return `${kind} package ${name} with the keywords ${listed(keywords)}`;
  const needed = [...keysAt(values, "dependencies"), ...keysAt(values, "peerDependencies")];
  if (needed.length > 0) return `${kind} package ${name}, which depends on ${listed(needed)}`;
  const version = textAt(values, "version");
  return `${kind} package ${name}${version === "" ? "" : `, version ${version}`}`;
}

function composerPackage(values: Values, file: string): string {
  if (file !== "composer.json") return "";
  const name = textAt(values, "name");
  const head = name === "" ? "PHP dependencies" : `PHP package ${name}`;
  const description = textAt(values, "description");
  return description !== "" ? `${head}: ${description}` : withList(head, "with", keysAt(values, "require"));
}

function openApi(values: Values): string {
  if (textAt(values, "openapi") === "" && textAt(values, "swagger") === "" && values.asyncapi === undefined)
    return "";
  const info = valuesAt(values, "info");
  const title = textAt(info, "title");
  const told = textAt(info, "description") || textAt(info, "summary");
  const head = `API description${title === "" ? "" : ` of ${title}`}`;
  return told !== "" ? `${head}: ${told}` : withList(head, "with the paths", keysAt(values, "paths"));
}

function jsonSchema(values: Values): string {
  const schema = textAt(values, "$schema");
  if (!/json-schema\.org/.test(schema)) return "";
  const title = textAt(values, "title");
  const head = `JSON schema${title === "" ? "" : ` of ${title}`}`;
  const told = textAt(values, "description");
  return told !== "" ? `${head}: ${told}` : withList(head, "with", keysAt(values, "properties"));
}

function workflow(values: Values): string {
  const jobs = keysAt(values, "jobs");
  const on = values.on ?? values.true;
  if (jobs.length === 0 || on === undefined) return "";
  const name = textAt(values, "name");
  // of a list in YAML only the first item is read
  const isCut = Array.isArray(on) && on.length > 1 && on[1] === undefined;
  const events = isCut ? [] : isValues(on) ? Object.keys(on) : textsAt({ on }, "on");
  const head = `GitHub workflow${name === "" ? "" : ` ${name}`} with the ${jobs.length === 1 ? "job" : "jobs"} ${listed(jobs)}`;
  return withList(head, ", run on", events).replace(" ,", ",");
}

function compose(values: Values, file: string): string {
  const services = keysAt(values, "services");
  if (services.length === 0 || !/compose/.test(file)) return "";
  return `Docker Compose file with the ${services.length === 1 ? "service" : "services"} ${listed(services)}`;
}

function kubernetes(values: Values): string {
  const kind = textAt(values, "kind");
  if (kind === "" || textAt(values, "apiVersion") === "") return "";
  const name = textAt(valuesAt(values, "metadata"), "name");
  return `Kubernetes ${kind}${name === "" ? "" : ` ${name}`}`;
}

function compilerOptions(values: Values, file: string): string {
  const options = valuesAt(values, "compilerOptions");
  if (!/^[tj]sconfig/.test(file)) return "";
  const parent = textsAt(values, "extends");
  const told = ["target", "module", "jsx"]
    .map((key) => [key, textAt(options, key)])
    .filter(([, value]) => value !== "")
    .map(([key, value]) => `${key} ${value}`);
  if (options.strict === true) told.push("strict checks");
  const references = Array.isArray(values.references) ? "references to other projects" : "";
  const parts = [...told, references].filter((part) => part !== "");
  const head = withList("TypeScript compiler options", "with", parts);
  const base = parent.length === 0 ? head : `${head}, which extend ${listed(parent)}`;
  return withList(base, ", for", textsAt(values, "include")).replace(" ,", ",");
}

function travis(values: Values, file: string): string {
  if (!/^\.?travis\.ya?ml$/.test(file)) return "";
  return after(
    "Travis CI configuration",
    textsAt(values, "language")
      .map((name) => `builds and tests for ${name}`)
      .join(""),
  );
}

function dependabot(values: Values, file: string): string {
  return /^dependabot\.ya?ml$/.test(file) && values.updates !== undefined
    ? "Dependabot configuration for updates of dependencies"
    : "";
}

function sourceMap(values: Values): string {
  if (values.mappings === undefined || !Array.isArray(values.sources)) return "";
  return withList("source map", "to", textsAt(values, "sources").map(baseName));
}

function coverage(values: Values): string {
  const files = Object.entries(values).filter(([, one]) => isValues(one) && one.statementMap !== undefined);
  return files.length === 0
    ? ""
    : withList(
        "test coverage",
        "of",
        files.map(([path]) => baseName(path)),
      );
}

const baseName = (path: string): string => path.replace(/^.*[/\\]/, "");

function geoJson(values: Values): string {
  const features = values.features;
  if (textAt(values, "type") !== "FeatureCollection" || !Array.isArray(features)) return "";
  const [first] = features;
  const properties = isValues(first) ? keysAt(first, "properties") : [];
  return withList(
    `map of ${features.length.toLocaleString("en-US")} features`,
    "with the properties",
    properties,
  );
}

/** The model of a web service, which names it in its metadata. */
function serviceModel(values: Values): string {
  const name = textAt(valuesAt(values, "metadata"), "serviceFullName");
  const operations = keysAt(values, "operations");
  return name === "" || operations.length === 0
    ? ""
    : withList(`API model of ${name}`, "with the operations", operations);
}

const LOCALE = /^([a-z]{2,3})(?:[-_]([A-Za-z]{2,4}))?\.(?:json|ya?ml)$/;

/** Texts of a program in the language after which the file is named. */
function translations(values: Values, file: string): string {
  const [, language = "", region] = LOCALE.exec(file) ?? [];
  if (language === "") return "";
  const tag = region === undefined ? language : `${language}-${region}`;
  let name: string | undefined;
  try {
    name = new Intl.DisplayNames("en", { type: "language", fallback: "none" }).of(tag);
  } catch {
    return "";
  }
  const keys = Object.keys(values)
    .filter((key) => key !== "lang")
    .map((key) => key.replace(/:$/, ""));
  if (name === undefined || countTexts(values, 0) < MIN_LOCALE_TEXTS) return "";
  return withList(`texts in ${name}`, "for", keys);
}

function countTexts(values: Values, depth: number): number {
  let count = 0;
  for (const value of Object.values(values)) {
    if (typeof value === "string" && /\s/.test(value)) count++;
    else if (isValues(value) && depth < 3) count += countTexts(value, depth + 1);
    if (count >= MIN_LOCALE_TEXTS) break;
  }
  return count;
}

const TOML_TABLE = /^\[\[?([^[\]\n]{1,100})\]\]?\s*$/;
const TOML_TEXT = /^([\w-]{1,60})\s{0,8}=\s{0,8}("""|'''|["'])/;
const MAX_TOML_LENGTH = 64 * 1024;

/** What a manifest of Cargo or Python is; "" for any other file. */
export function describeManifest(file: string, whole: string): string {
  if (!/^(?:Cargo|pyproject)\.toml$/.test(file)) return "";
  const texts = tomlTexts(whole.slice(0, MAX_TOML_LENGTH));
  const at = (table: string, key: string): string => texts.get(`${table}.${key}`) ?? "";
  const [kind, tables] =
    file === "Cargo.toml"
      ? (["Rust crate", ["package", "workspace.package"]] as const)
      : (["Python package", ["project", "tool.poetry", "tool.flit.metadata"]] as const);
  for (const table of tables) {
    const name = at(table, "name");
    if (name !== "") return after(`${kind} ${name}`, at(table, "description"));
  }
  const isWorkspace = /^\[workspace\]/m.test(whole.slice(0, MAX_TOML_LENGTH));
  if (isWorkspace) return "Cargo workspace";
  const tools = [...whole.slice(0, MAX_TOML_LENGTH).matchAll(/^\[tool\.([\w-]{1,40})/gm)].map(
    ([, tool]) => tool ?? "",
  );
  return withList("", "settings of the tools", tools).trim();
}

/** The texts of a TOML file by `table.key`. */
function tomlTexts(text: string): Map<string, string> {
  const found = new Map<string, string>();
  const lines = text.split("\n");
  let table = "";
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    table = TOML_TABLE.exec(line.trim())?.[1]?.trim() ?? table;
    const [head = "", key = "", quote = ""] = TOML_TEXT.exec(line) ?? [];
    if (key === "") continue;
    let value = line.slice(head.length);
    if (quote.length === 3) while (!value.includes(quote) && i + 1 < lines.length) value += ` ${lines[++i]}`;
    const end = value.indexOf(quote);
    found.set(
      `${table}.${key}`,
      (end < 0 ? value : value.slice(0, end))
        .replace(/\\\s|\s+/g, " ")
        .replace(/\\(.)/g, "$1")
        .trim(),
    );
  }
  return found;
}
