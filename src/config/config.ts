import { resolve } from "node:path";
import { CLIENT_VARIABLES } from "../base/client-variables.ts";
import { StartError } from "../base/start-error.ts";
import type { SecretMode } from "../domain/secrets/policy.ts";
import { OPENVIKING_SESSIONS, type SessionRules, SPECIFIED_SESSIONS } from "../domain/session.ts";
import { type BackupsConfig, backupFaults, backupsOf } from "./backups.ts";
import { type ConfigFiles, fromFile } from "./config-file.ts";
import { type GatewayConfig, gatewayFaults, gatewayOf } from "./gateway.ts";
import { type MediaModelSettings, mediaModelFaults, mediaModels } from "./media-models.ts";
import { modelFaults } from "./model-faults.ts";
import { type RerankConfig, rerankFaults, rerankModel } from "./rerank-model.ts";
import { MAKE_ROOT_KEY, weaknessOf } from "./root-key.ts";
import {
  EMPTY_COUNTS,
  type Environment,
  isLoopback,
  type SettingName,
  type Settings,
  settings,
} from "./settings.ts";
import { type StoreConfig, storeFaults, storeOf } from "./shared-store.ts";
import { collectorOf } from "./trace-collector.ts";

/** A model configuration; its fields depend on the provider. */
export interface ModelConfig<P extends string> {
  readonly provider: P;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
}

/** All settings, validated and frozen. Folders are absolute, sizes in bytes. */
export interface Config extends MediaModelSettings {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** Undefined: this server has a store of its own in the data directory. */
  readonly store: StoreConfig | undefined;
  /** Undefined if there are no keys: authentication is off. */
  readonly rootApiKey: string | undefined;
  /** Warnings about settings, one sentence each. */
  readonly warnings: readonly string[];
  readonly allowInsecure: boolean;
  /** Whether the server listens only on loopback. */
  readonly loopback: boolean;
  readonly uriScheme: string;
  readonly uriSchemeAliases: readonly string[];
  /** Whether REST accepts OpenViking's field names. */
  readonly isOpenViking: boolean;
  readonly sessionRules: SessionRules;
  /** Whether agent spaces are per user or shared by the account. */
  readonly agentScope: "user" | "account";
  /** Folders from which local files may be imported; undefined if any. */
  readonly localPaths: readonly string[] | undefined;
  readonly urlAllowPrivate: boolean;
  /**
   * Allowed CORS origins. Undefined: without keys only loopback origins, with keys all origins without
   * credentials.
   */
  readonly corsOrigins: readonly string[] | undefined;
  /** Host names, besides its own, under which a server without a root key accepts calls; `*` = any. */
  readonly allowedHosts: readonly string[] | undefined;
  /** Whether WebDAV is served below /dav. */
  readonly webdav: boolean;
  /** Paths of the certificate and the private key (PEM). */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** Maximum requests per second and key. */
  readonly rateLimit: number | undefined;
  readonly auditLog: string | undefined;
  /** Path of the file with settings, which may contain keys; undefined if there is none. */
  readonly configFile: string | undefined;
  readonly backups: BackupsConfig;
  readonly sealDocs: number;
  readonly faissMinDocs: number;
  readonly indexCacheBytes: number;
  readonly maxBodyBytes: number;
  readonly maxUploadBytes: number;
  /** Backlog limit per account in bytes: queued jobs, their texts and sources, and uploads. */
  readonly maxQueuedBytes: number;
  /** Maximum stored bytes per account; 0: no limit. */
  readonly maxStoredBytes: number;
  readonly secretMode: SecretMode;
  /** Limits for stored versions of files. */
  readonly versions: {
    readonly perFile: number;
    readonly bytesPerFile: number;
    /** Maximum bytes per account. */
    readonly bytes: number;
    readonly lifeMs: number;
  };
  /** Maximum number of snapshots per user, and for content shared by the account. */
  readonly snapshots: number;
  readonly trash: {
    /** Maximum number of items per user, and of items shared by the account. */
    readonly items: number;
    /** Maximum bytes per account. */
    readonly bytes: number;
    readonly lifeMs: number;
  };
  readonly changes: {
    /** Per account. */
    readonly keptBytes: number;
    readonly heartbeatSeconds: number;
  };
  readonly webhooks: {
    /** Whether plain http and private addresses are allowed. */
    readonly allowsPrivate: boolean;
    readonly attempts: number;
    readonly firstPauseMs: number;
    /** Time limit of an attempt in ms. */
    readonly limitMs: number;
  };
  /** Memory limit in bytes for data that calls load as a whole and for pending responses. */
  readonly callMemoryBytes: number;
  readonly uploadTtlSeconds: number;
  readonly importMaxFiles: number;
  readonly importMaxBytes: number;
  /** Time limit per file in seconds. */
  readonly parseTimeoutSeconds: number;
  /** Memory limit of a parsing process in MB. */
  readonly parseMemoryMb: number;
  readonly logLevel: Settings["CTXDB_LOG_LEVEL"];
  readonly logFormat: Settings["CTXDB_LOG_FORMAT"];
  readonly embedding: ModelConfig<Settings["CTXDB_EMBEDDING_PROVIDER"]> & {
    readonly dimensions: number | undefined;
  };
  /** `maxTokensPerDay`: an account's token budget per day (UTC); undefined if unlimited. */
  readonly language: ModelConfig<Settings["CTXDB_LLM_PROVIDER"]> & {
    readonly maxTokensPerDay: number | undefined;
  };
  readonly rerank: RerankConfig | undefined;
  /** Undefined if the gateway is off. */
  readonly gateway: GatewayConfig | undefined;
  /** OTLP/HTTP trace endpoint; undefined if tracing is off. */
  readonly collector: { readonly url: string } | undefined;
}

const PREFIX = "CTXDB_";
const DAY_MS = 24 * 3600_000;
const CLIENT_NAMES: ReadonlySet<string> = new Set(Object.values(CLIENT_VARIABLES));

/**
 * The configuration from `env`, which overrides the file that it names or that `files` finds. Throws one
 * StartError that lists all invalid settings.
 */
export function configFrom(env: Environment, files: ConfigFiles): Config {
  const given = valuesOf(env);
  const file = fromFile(given.CTXDB_CONFIG, files);
  const parsed = settings.safeParse({ ...file.values, ...given });
  if (!parsed.success) throw refusal(parsed.error.issues.flatMap(sayIssue), file.name);
  const found = parsed.data;
  const { collector, faults: unfit } = collectorOf(env);
  const faults = [...contradictions(found), ...unfit];
  if (faults.length > 0) throw refusal(faults, file.name);
  return deepFreeze({ ...configOf(found, files.folder), collector, configFile: file.path });
}

function valuesOf(env: Environment): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (CLIENT_NAMES.has(name)) continue;
    if (
      name.startsWith(PREFIX) &&
      value !== undefined &&
      (value !== "" || EMPTY_COUNTS.has(name) || !(name in settings.shape))
    )
      values[name] = value;
  }
  return values;
}

function sayIssue(issue: {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
}): string[] {
  if (issue.code === "unrecognized_keys")
    return (issue.keys ?? []).map((name) => `${name} is an unknown setting`);
  return [`${String(issue.path[0])} ${issue.message}`];
}

function contradictions(found: Settings): string[] {
  const faults: string[] = [];
  if (
    found.CTXDB_ROOT_API_KEY === undefined &&
    !found.CTXDB_ALLOW_INSECURE &&
    !isLoopback(found.CTXDB_HOST)
  ) {
    faults.push(
      `CTXDB_HOST=${found.CTXDB_HOST} is reachable from other machines: set CTXDB_ROOT_API_KEY, or CTXDB_ALLOW_INSECURE=true to serve everyone without a key`,
    );
  }
  const weakness = weakRootKey(found);
  if (weakness !== undefined && !isLoopback(found.CTXDB_HOST))
    faults.push(
      `${weakness}, and CTXDB_HOST=${found.CTXDB_HOST} is reachable from other machines: make a key with ${MAKE_ROOT_KEY}`,
    );
  if ((found.CTXDB_TLS_CERT === undefined) !== (found.CTXDB_TLS_KEY === undefined))
    faults.push("CTXDB_TLS_CERT and CTXDB_TLS_KEY must be set together");
  const needless: [owner: SettingName, local: readonly unknown[], names: SettingName[]][] = [
    [
      "CTXDB_EMBEDDING_PROVIDER",
      ["builtin", "light"],
      [
        "CTXDB_EMBEDDING_MODEL",
        "CTXDB_EMBEDDING_BASE_URL",
        "CTXDB_EMBEDDING_API_KEY",
        "CTXDB_EMBEDDING_DIMENSIONS",
      ],
    ],
    [
      "CTXDB_LLM_PROVIDER",
      ["none"],
      ["CTXDB_LLM_MODEL", "CTXDB_LLM_BASE_URL", "CTXDB_LLM_API_KEY", "CTXDB_LLM_MAX_TOKENS_PER_DAY"],
    ],
    [
      "CTXDB_VISION_PROVIDER",
      [undefined, "none"],
      ["CTXDB_VISION_MODEL", "CTXDB_VISION_BASE_URL", "CTXDB_VISION_API_KEY"],
    ],
    [
      "CTXDB_SPEECH_PROVIDER",
      [undefined, "none"],
      ["CTXDB_SPEECH_MODEL", "CTXDB_SPEECH_BASE_URL", "CTXDB_SPEECH_API_KEY"],
    ],
    [
      "CTXDB_RERANK_PROVIDER",
      [undefined, "none"],
      ["CTXDB_RERANK_MODEL", "CTXDB_RERANK_BASE_URL", "CTXDB_RERANK_API_KEY"],
    ],
  ];
  for (const [owner, local, names] of needless) {
    for (const name of names) {
      if (found[name] !== undefined && local.includes(found[owner]))
        faults.push(
          `${name} has no effect while ${owner} is ${found[owner] ?? "not set"}: set ${owner}, or remove ${name}`,
        );
    }
  }
  const language = found.CTXDB_LLM_PROVIDER === "none" ? [] : modelFaults("LLM", found);
  return [
    ...faults,
    ...embeddingFaults(found),
    ...language,
    ...mediaModelFaults(found),
    ...rerankFaults(found),
    ...gatewayFaults(found),
    ...storeFaults(found),
    ...backupFaults(found),
  ];
}

function weakRootKey({ CTXDB_ROOT_API_KEY: key }: Settings): string | undefined {
  const weakness = key === undefined ? undefined : weaknessOf(key);
  return weakness && `CTXDB_ROOT_API_KEY ${weakness}`;
}

function embeddingFaults(found: Settings): string[] {
  const { CTXDB_EMBEDDING_PROVIDER: provider } = found;
  if (provider === "builtin" || provider === "light") return [];
  if (provider === "anthropic")
    return [
      "CTXDB_EMBEDDING_PROVIDER: anthropic has no embedding models: use builtin, light, openai or google",
    ];
  return modelFaults("EMBEDDING", found);
}

function configOf(found: Settings, folder: string): Omit<Config, "collector" | "configFile"> {
  const keyed = found.CTXDB_ROOT_API_KEY !== undefined;
  const weakness = weakRootKey(found);
  return {
    host: found.CTXDB_HOST,
    port: found.CTXDB_PORT,
    dataDir: resolve(folder, found.CTXDB_DATA_DIR),
    store: storeOf(found),
    rootApiKey: found.CTXDB_ROOT_API_KEY,
    warnings: weakness === undefined ? [] : [`${weakness}: make a key with ${MAKE_ROOT_KEY}`],
    allowInsecure: found.CTXDB_ALLOW_INSECURE,
    loopback: isLoopback(found.CTXDB_HOST),
    ...dialectOf(found),
    agentScope: found.CTXDB_AGENT_SCOPE,
    localPaths: found.CTXDB_LOCAL_PATHS?.map((path) => resolve(folder, path)) ?? (keyed ? [] : undefined),
    urlAllowPrivate: found.CTXDB_URL_ALLOW_PRIVATE,
    corsOrigins: found.CTXDB_CORS_ORIGINS,
    allowedHosts: found.CTXDB_ALLOWED_HOSTS,
    webdav: found.CTXDB_WEBDAV,
    tls: tlsOf(found, folder),
    rateLimit: found.CTXDB_RATE_LIMIT,
    auditLog: found.CTXDB_AUDIT_LOG === undefined ? undefined : resolve(folder, found.CTXDB_AUDIT_LOG),
    backups: backupsOf(found, folder),
    sealDocs: found.CTXDB_SEAL_DOCS,
    faissMinDocs: found.CTXDB_FAISS_MIN_DOCS,
    indexCacheBytes: found.CTXDB_INDEX_CACHE_BYTES,
    maxBodyBytes: found.CTXDB_MAX_BODY_BYTES,
    maxUploadBytes: found.CTXDB_MAX_UPLOAD_BYTES,
    maxQueuedBytes: found.CTXDB_MAX_QUEUED_BYTES,
    maxStoredBytes: found.CTXDB_MAX_STORED_BYTES_PER_ACCOUNT,
    secretMode: found.CTXDB_SECRETS,
    versions: {
      perFile: found.CTXDB_VERSIONS_PER_FILE,
      bytesPerFile: found.CTXDB_VERSION_BYTES_PER_FILE,
      bytes: found.CTXDB_VERSION_BYTES_PER_ACCOUNT,
      lifeMs: found.CTXDB_VERSIONS_DAYS * DAY_MS,
    },
    snapshots: found.CTXDB_SNAPSHOTS,
    trash: {
      items: found.CTXDB_TRASH_ITEMS,
      bytes: found.CTXDB_TRASH_BYTES_PER_ACCOUNT,
      lifeMs: found.CTXDB_TRASH_DAYS * DAY_MS,
    },
    changes: {
      keptBytes: found.CTXDB_CHANGES_KEEP_BYTES,
      heartbeatSeconds: found.CTXDB_CHANGES_HEARTBEAT_SECONDS,
    },
    webhooks: {
      allowsPrivate: found.CTXDB_WEBHOOK_ALLOW_PRIVATE,
      attempts: found.CTXDB_WEBHOOK_ATTEMPTS,
      firstPauseMs: found.CTXDB_WEBHOOK_RETRY_MS,
      limitMs: found.CTXDB_WEBHOOK_TIMEOUT_SECONDS * 1000,
    },
    callMemoryBytes: found.CTXDB_CALL_MEMORY_BYTES,
    uploadTtlSeconds: found.CTXDB_UPLOAD_TTL_SECONDS,
    importMaxFiles: found.CTXDB_IMPORT_MAX_FILES,
    importMaxBytes: found.CTXDB_IMPORT_MAX_BYTES,
    parseTimeoutSeconds: found.CTXDB_PARSE_TIMEOUT_SECONDS,
    parseMemoryMb: found.CTXDB_PARSE_MEMORY_MB,
    logLevel: found.CTXDB_LOG_LEVEL,
    logFormat: found.CTXDB_LOG_FORMAT,
    embedding: {
      provider: found.CTXDB_EMBEDDING_PROVIDER,
      model: found.CTXDB_EMBEDDING_MODEL,
      baseUrl: found.CTXDB_EMBEDDING_BASE_URL,
      apiKey: found.CTXDB_EMBEDDING_API_KEY,
      dimensions: found.CTXDB_EMBEDDING_DIMENSIONS,
    },
    language: {
      provider: found.CTXDB_LLM_PROVIDER,
      model: found.CTXDB_LLM_MODEL,
      baseUrl: found.CTXDB_LLM_BASE_URL,
      apiKey: found.CTXDB_LLM_API_KEY,
      maxTokensPerDay: found.CTXDB_LLM_MAX_TOKENS_PER_DAY,
    },
    ...mediaModels(found),
    rerank: rerankModel(found),
    gateway: gatewayOf(found),
  };
}

/** Derives the dialect: OpenViking compatibility changes the default URI scheme and the session rules. */
function dialectOf({
  CTXDB_COMPAT: compat,
  CTXDB_URI_SCHEME: scheme,
  CTXDB_URI_SCHEME_ALIASES: aliases,
}: Settings) {
  if (compat === "off")
    return {
      uriScheme: scheme,
      uriSchemeAliases: aliases,
      isOpenViking: false,
      sessionRules: SPECIFIED_SESSIONS,
    };
  return {
    uriScheme: "viking",
    uriSchemeAliases: [scheme, ...aliases],
    isOpenViking: true,
    sessionRules: OPENVIKING_SESSIONS,
  };
}

function tlsOf({ CTXDB_TLS_CERT: cert, CTXDB_TLS_KEY: key }: Settings, folder: string): Config["tls"] {
  return cert === undefined || key === undefined
    ? undefined
    : { cert: resolve(folder, cert), key: resolve(folder, key) };
}

function refusal(faults: readonly string[], file: string | undefined): StartError {
  return new StartError(`invalid settings${file ? ` (environment and ${file})` : ""}: ${faults.join("; ")}`);
}

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value))
    if (typeof member === "object" && member !== null) deepFreeze(member);
  return Object.freeze(value);
}
