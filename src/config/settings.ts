import { isIPv4 } from "node:net";
import { z } from "zod";
import { OBJECTS_URL } from "../base/backup-location.ts";
import { LOG_FORMATS, LOG_LEVELS } from "../base/log.ts";
import { SECRET_MODES } from "../domain/secrets/policy.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;
/** Minimum chunks for a neighbour index; fewer are scanned faster. */
export const DEFAULT_FAISS_MIN_DOCS = 8192;

const integer = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  z
    .string()
    .regex(/^\d{1,16}$/, "must be a whole number")
    .transform(Number)
    .refine(
      (value) => value >= least && value <= most,
      most === Number.MAX_SAFE_INTEGER ? `must be at least ${least}` : `must be ${least} to ${most}`,
    );

const boolean = z
  .enum(["true", "false"], { error: "must be true or false" })
  .transform((value) => value === "true");
const oneOf = <const T extends readonly string[]>(...values: T) =>
  z.enum(values, { error: `must be ${values.join(", ").replace(/, ([^,]*)$/, " or $1")}` });
const text = z.string();
const list = z.string().transform((value) =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);
const url = z
  .string()
  .refine(
    (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
    "must be an http or https URL",
  );
const baseUrl = url.refine((value) => {
  if (!URL.canParse(value)) return true;
  const { username, password, search, hash } = new URL(value);
  return [username, password, search, hash].every((part) => part === "");
}, "must be a URL without user name, query and fragment");

const modelName = text.regex(
  /^[\x21-\x7e]{1,200}$/,
  "must be 1 to 200 printable ASCII characters without spaces",
);
const apiKey = text.regex(/^[\x21-\x7e]*$/, "must be printable ASCII without spaces");

const objectsUrl = text.regex(OBJECTS_URL, "must be a bucket and a prefix, such as s3://bucket/ctxdb");

const SCHEME = /^[a-z][a-z0-9+-]{0,31}$/;
const SCHEME_RULE = "must be 1 to 32 of a-z 0-9 + - and start with a letter";
const HOST_NAME = /^(?:[\w-]+(?:\.[\w-]+)*|\[[0-9a-f:.]+\])$/i;
const isOrigin = (value: string) => URL.canParse(value) && new URL(value).origin === value;

const REMOTE = ["openai", "anthropic", "google"] as const;

/** Every setting by variable name, with parser and default. Documented in docs/settings.md. */
export const settings = z.strictObject({
  CTXDB_HOST: text.min(1).default("127.0.0.1"),
  CTXDB_PORT: integer(0, 65_535).default(1933),
  CTXDB_DATA_DIR: text.default("./data"),
  CTXDB_ROOT_API_KEY: z
    .string()
    .min(1, "must not be empty: remove it to serve without keys")
    .regex(/^[\x21-\x7e]*$/, "must be printable ASCII without spaces")
    .optional(),
  CTXDB_ALLOW_INSECURE: boolean.default(false),
  CTXDB_CONFIG: text.optional(),
  CTXDB_URI_SCHEME: text.regex(SCHEME, SCHEME_RULE).default("ctx"),
  CTXDB_URI_SCHEME_ALIASES: list
    .refine((names) => names.every((name) => SCHEME.test(name)), SCHEME_RULE)
    .default([]),
  CTXDB_COMPAT: oneOf("off", "openviking").default("off"),
  CTXDB_AGENT_SCOPE: oneOf("user", "account").default("user"),
  CTXDB_LOCAL_PATHS: list.optional(),
  CTXDB_URL_ALLOW_PRIVATE: boolean.default(false),
  CTXDB_CORS_ORIGINS: list
    .refine(
      (origins) => origins.every((origin) => origin === "*" || isOrigin(origin)),
      "must be origins, such as https://example.com, or *",
    )
    .refine(
      (origins) => origins.length <= 1 || !origins.includes("*"),
      "* cannot be combined with other origins",
    )
    .optional(),
  CTXDB_WEBDAV: boolean.default(true),
  CTXDB_ALLOWED_HOSTS: list
    .refine(
      (names) => names.every((name) => name === "*" || HOST_NAME.test(name)),
      "must be host names or addresses without a port, or *",
    )
    .optional(),
  CTXDB_STORAGE: oneOf("embedded").default("embedded"),
  CTXDB_STORE: text
    .refine(
      (value) => URL.canParse(value) && /^postgres(?:ql)?:$/.test(new URL(value).protocol),
      "must be the URL of a PostgreSQL database: postgres://user:password@host:5432/database",
    )
    .optional(),
  CTXDB_LEASE_SECONDS: integer(2, 60).optional(),
  CTXDB_BALANCE_SECONDS: integer(0, 86_400).optional(),
  CTXDB_RESTORE_DAYS: integer(0, 365).optional(),
  CTXDB_PEER_URL: baseUrl.optional(),
  CTXDB_OBJECTS: objectsUrl.optional(),
  CTXDB_OBJECTS_ENDPOINT: baseUrl.optional(),
  CTXDB_OBJECTS_REGION: modelName.optional(),
  CTXDB_OBJECTS_ACCESS_KEY: apiKey.optional(),
  CTXDB_OBJECTS_SECRET_KEY: apiKey.optional(),
  CTXDB_CACHE_BYTES: integer(MIB).optional(),
  CTXDB_SEAL_DOCS: integer(1).default(8192),
  CTXDB_FAISS_MIN_DOCS: integer(1).default(DEFAULT_FAISS_MIN_DOCS),
  CTXDB_INDEX_CACHE_BYTES: integer(MIB).default(GIB),
  CTXDB_MAX_BODY_BYTES: integer(1, 64 * MIB).default(4 * MIB),
  CTXDB_MAX_UPLOAD_BYTES: integer(1).default(512 * MIB),
  CTXDB_MAX_QUEUED_BYTES: integer(1).default(8 * GIB),
  CTXDB_MAX_STORED_BYTES_PER_ACCOUNT: integer(0).default(32 * GIB),
  CTXDB_SECRETS: oneOf(...SECRET_MODES).default("warn"),
  CTXDB_VERSIONS_PER_FILE: integer(0, 1000).default(50),
  CTXDB_VERSIONS_DAYS: integer(1, 3650).default(30),
  CTXDB_VERSION_BYTES_PER_FILE: integer(0).default(64 * MIB),
  CTXDB_VERSION_BYTES_PER_ACCOUNT: integer(0).default(GIB),
  CTXDB_TRASH_ITEMS: integer(0, 10_000).default(1000),
  CTXDB_TRASH_DAYS: integer(1, 3650).default(30),
  CTXDB_TRASH_BYTES_PER_ACCOUNT: integer(0).default(GIB),
  CTXDB_SNAPSHOTS: integer(1, 1000).default(100),
  CTXDB_CHANGES_KEEP_BYTES: integer(64 * KIB, GIB).default(16 * MIB),
  CTXDB_CHANGES_HEARTBEAT_SECONDS: integer(1, 50).default(15),
  CTXDB_WEBHOOK_ALLOW_PRIVATE: boolean.default(false),
  CTXDB_WEBHOOK_ATTEMPTS: integer(1, 20).default(10),
  CTXDB_WEBHOOK_RETRY_MS: integer(1, 600_000).default(1000),
  CTXDB_WEBHOOK_TIMEOUT_SECONDS: integer(1, 60).default(15),
  CTXDB_CALL_MEMORY_BYTES: integer(64 * MIB).default(256 * MIB),
  CTXDB_UPLOAD_TTL_SECONDS: integer(1).default(3600),
  CTXDB_IMPORT_MAX_FILES: integer(1).default(100_000),
  CTXDB_IMPORT_MAX_BYTES: integer(1).default(4 * GIB),
  CTXDB_PARSE_TIMEOUT_SECONDS: integer(1, 3600).default(120),
  CTXDB_PARSE_MEMORY_MB: integer(256, 65_536).default(1024),
  CTXDB_RATE_LIMIT: integer(1).optional(),
  CTXDB_TLS_CERT: text.optional(),
  CTXDB_TLS_KEY: text.optional(),
  CTXDB_AUDIT_LOG: text.optional(),
  CTXDB_BACKUP_DIR: text.min(1).optional(),
  CTXDB_BACKUP_OBJECTS: objectsUrl.optional(),
  CTXDB_BACKUP_OBJECTS_ENDPOINT: baseUrl.optional(),
  CTXDB_BACKUP_OBJECTS_REGION: modelName.optional(),
  CTXDB_BACKUP_OBJECTS_ACCESS_KEY: apiKey.optional(),
  CTXDB_BACKUP_OBJECTS_SECRET_KEY: apiKey.optional(),
  CTXDB_BACKUP_TO: text.optional(),
  CTXDB_BACKUP_HOURS: integer(1, 8760).optional(),
  CTXDB_BACKUP_KEEP: integer(1, 1000).default(7),
  CTXDB_BACKUP_BYTES_PER_SECOND: integer(MIB).default(64 * MIB),
  CTXDB_LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(", ")}` }).default("info"),
  CTXDB_LOG_FORMAT: oneOf(...LOG_FORMATS).default("auto"),
  CTXDB_EMBEDDING_PROVIDER: oneOf("builtin", "light", ...REMOTE).default("builtin"),
  CTXDB_EMBEDDING_MODEL: modelName.optional(),
  CTXDB_EMBEDDING_BASE_URL: url.optional(),
  CTXDB_EMBEDDING_API_KEY: apiKey.optional(),
  CTXDB_EMBEDDING_DIMENSIONS: integer(1, 16_384).optional(),
  CTXDB_LLM_PROVIDER: oneOf("none", ...REMOTE).default("none"),
  CTXDB_LLM_MODEL: modelName.optional(),
  CTXDB_LLM_BASE_URL: url.optional(),
  CTXDB_LLM_API_KEY: apiKey.optional(),
  CTXDB_LLM_MAX_TOKENS_PER_DAY: integer(1).optional(),
  CTXDB_VISION_PROVIDER: oneOf("none", ...REMOTE).optional(),
  CTXDB_VISION_MODEL: modelName.optional(),
  CTXDB_VISION_BASE_URL: url.optional(),
  CTXDB_VISION_API_KEY: apiKey.optional(),
  CTXDB_SPEECH_PROVIDER: oneOf("none", ...REMOTE).optional(),
  CTXDB_SPEECH_MODEL: modelName.optional(),
  CTXDB_SPEECH_BASE_URL: url.optional(),
  CTXDB_SPEECH_API_KEY: apiKey.optional(),
  CTXDB_RERANK_PROVIDER: oneOf("none", "jina", "cohere", "tei").optional(),
  CTXDB_RERANK_MODEL: modelName.optional(),
  CTXDB_RERANK_BASE_URL: url.optional(),
  CTXDB_RERANK_API_KEY: apiKey.optional(),
  CTXDB_GATEWAY_ANTHROPIC_URL: baseUrl.optional(),
  CTXDB_GATEWAY_OPENAI_URL: baseUrl.optional(),
  CTXDB_GATEWAY_RECALL_TOKENS: integer(0, 32_000).default(1000),
  CTXDB_GATEWAY_RECALL_MS: integer(1, 60_000).default(300),
  CTXDB_GATEWAY_COMMIT_SECONDS: integer(1, 86_400).default(600),
});

export type Environment = Readonly<Record<string, string | undefined>>;
export type Settings = z.infer<typeof settings>;
export type SettingName = keyof Settings;

/** Settings for which an empty value is meaningful; for all others it means unset. */
export const EMPTY_COUNTS: ReadonlySet<string> = new Set<SettingName>([
  "CTXDB_ROOT_API_KEY",
  "CTXDB_LOCAL_PATHS",
  "CTXDB_URI_SCHEME_ALIASES",
  "CTXDB_CORS_ORIGINS",
]);

/** Whether a host is loopback: 127.0.0.0/8, ::1 or `localhost`. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
