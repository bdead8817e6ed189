import { describe, expect, it } from "vitest";
import { StartError } from "../../../src/base/start-error.ts";
import { configFrom } from "../../../src/config/config.ts";
import type { Environment } from "../../../src/config/settings.ts";

/** As `openssl rand -hex 32` makes them. */
const STRONG_KEY = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

const files = (content: Record<string, string> = {}) => ({
  folder: "/srv",
  read: (path: string) => content[path],
});
const config = (env: Environment = {}, content: Record<string, string> = {}) =>
  configFrom(env, files(content));

function refusal(env: Environment, content: Record<string, string> = {}): string {
  try {
    config(env, content);
  } catch (error) {
    expect(error).toBeInstanceOf(StartError);
    expect((error as Error).message).not.toContain("\n");
    return (error as Error).message;
  }
  throw new Error("expected a refusal");
}

describe("settings", () => {
  it("settings ignore variables of the command line, and refuse unknown ones", () => {
    const variables = { CTXDB_ADDRESS: "http://host:1", CTXDB_API_KEY: "a-key", CTXDB_PROFILE: "work" };
    expect(config(variables)).toEqual(config());
    expect(refusal({ CTXDB_API_KEYS: "x" })).toContain("CTXDB_API_KEYS is an unknown setting");
  });

  it("settings have the defaults of the specification and cannot be changed", () => {
    const found = config({ PATH: "/bin", CTXDB_PORT: "" });
    expect(found).toMatchObject({
      host: "127.0.0.1",
      port: 1933,
      dataDir: "/srv/data",
      rootApiKey: undefined,
      loopback: true,
      uriScheme: "ctx",
      uriSchemeAliases: [],
      agentScope: "user",
      localPaths: undefined,
      urlAllowPrivate: false,
      sealDocs: 8192,
      faissMinDocs: 8192,
      indexCacheBytes: 2 ** 30,
      maxBodyBytes: 4 * 2 ** 20,
      maxUploadBytes: 512 * 2 ** 20,
      uploadTtlSeconds: 3600,
      importMaxFiles: 100_000,
      importMaxBytes: 4 * 2 ** 30,
      logLevel: "info",
      embedding: { provider: "builtin" },
      language: { provider: "none" },
    });
    expect(
      Object.isFrozen(found) && Object.isFrozen(found.embedding) && Object.isFrozen(found.uriSchemeAliases),
    ).toBe(true);
  });

  it("settings are parsed from the text of environment variables", () => {
    const found = config({
      CTXDB_PORT: "0",
      CTXDB_ROOT_API_KEY: "secret",
      CTXDB_LOCAL_PATHS: "/a, b",
      CTXDB_URI_SCHEME_ALIASES: "viking",
      CTXDB_CORS_ORIGINS: "*",
    });
    expect(found).toMatchObject({
      port: 0,
      rootApiKey: "secret",
      localPaths: ["/a", "/srv/b"],
      uriSchemeAliases: ["viking"],
      corsOrigins: ["*"],
    });
    expect(config({ CTXDB_EMBEDDING_PROVIDER: "light" }).embedding.provider).toBe("light");
    const own = {
      CTXDB_EMBEDDING_PROVIDER: "openai",
      CTXDB_EMBEDDING_MODEL: "m",
      CTXDB_EMBEDDING_BASE_URL: "http://127.0.0.1:11434/v1",
    };
    expect(config(own).embedding).toMatchObject({
      provider: "openai",
      model: "m",
      apiKey: undefined,
      dimensions: undefined,
    });
  });

  it("a store has a lease, and the address of this server unless another is set", () => {
    const store = { CTXDB_STORE: "postgres://ctxdb@127.0.0.1/ctxdb" };
    expect(config().store).toBeUndefined();
    expect(config(store).store).toEqual({
      url: store.CTXDB_STORE,
      leaseSeconds: 5,
      balanceSeconds: 60,
      memberUrl: "http://127.0.0.1:1933",
      objects: undefined,
    });
    const keys = { CTXDB_OBJECTS_ACCESS_KEY: "a", CTXDB_OBJECTS_SECRET_KEY: "s" };
    expect(config({ ...store, ...keys, CTXDB_OBJECTS: "s3://bucket/one/two" }).store?.objects).toEqual({
      url: "s3://bucket/one/two",
      bucket: "bucket",
      prefix: "one/two/",
      endpoint: "https://s3.us-east-1.amazonaws.com",
      region: "us-east-1",
      accessKey: "a",
      secretKey: "s",
      cacheBytes: 4 * 2 ** 30,
    });
    expect(refusal({ ...store, CTXDB_OBJECTS: "s3://bucket" })).toContain(
      "CTXDB_OBJECTS_ACCESS_KEY is required",
    );
    const own = { CTXDB_PEER_URL: "https://one.example.com", CTXDB_LEASE_SECONDS: "10" };
    expect(config({ ...store, ...own }).store).toMatchObject({
      leaseSeconds: 10,
      memberUrl: "https://one.example.com",
    });
  });

  it("local folders are off by default once there is a key, and where their list is empty", () => {
    expect(config({ CTXDB_ROOT_API_KEY: "secret" }).localPaths).toEqual([]);
    expect(config({ CTXDB_LOCAL_PATHS: "" }).localPaths).toEqual([]);
  });

  it.each([
    { CTXDB_NO_SUCH_SETTING: "1" },
    { CTXDB_NO_SUCH_SETTING: "" },
    { CTXDB_ROOT_API_KEY: "" },
    { CTXDB_ROOT_API_KEY: "with space" },
    { CTXDB_STORAGE: "floppy" },
    { CTXDB_PORT: "many" },
    { CTXDB_PORT: "65536" },
    { CTXDB_PORT: "-1" },
    { CTXDB_ALLOW_INSECURE: "perhaps" },
    { CTXDB_URI_SCHEME: "1x" },
    { CTXDB_URI_SCHEME_ALIASES: "ok,No" },
    { CTXDB_LOG_LEVEL: "loud" },
    { CTXDB_CORS_ORIGINS: "https://example.com/path" },
    { CTXDB_CORS_ORIGINS: "*,https://example.com" },
    { CTXDB_MAX_BODY_BYTES: "4MB" },
    { CTXDB_SEAL_DOCS: "0" },
    { CTXDB_AGENT_SCOPE: "everyone" },
    { CTXDB_EMBEDDING_DIMENSIONS: "384" },
    { CTXDB_EMBEDDING_PROVIDER: "anthropic", CTXDB_EMBEDDING_MODEL: "m", CTXDB_EMBEDDING_API_KEY: "k" },
    { CTXDB_EMBEDDING_API_KEY: "with space", CTXDB_EMBEDDING_PROVIDER: "google", CTXDB_EMBEDDING_MODEL: "m" },
    { CTXDB_LLM_API_KEY: "sk-1" },
    { CTXDB_LLM_BASE_URL: "ftp://models" },
    { CTXDB_LLM_MAX_TOKENS_PER_DAY: "1000" },
    { CTXDB_TLS_CERT: "cert.pem" },
    { CTXDB_CONFIG: "nowhere.yaml" },
    { CTXDB_STORE: "mysql://127.0.0.1/ctxdb" },
    { CTXDB_LEASE_SECONDS: "9" },
    { CTXDB_BALANCE_SECONDS: "9" },
    { CTXDB_PEER_URL: "http://10.0.0.1:1933" },
    { CTXDB_BACKUP_HOURS: "1", CTXDB_STORE: "postgres://127.0.0.1/ctxdb" },
    { CTXDB_OBJECTS: "s3://bucket" },
    { CTXDB_CACHE_BYTES: "9000000", CTXDB_STORE: "postgres://127.0.0.1/ctxdb" },
    { CTXDB_OBJECTS: "file:///srv", CTXDB_STORE: "postgres://127.0.0.1/ctxdb" },
    { CTXDB_OBJECTS: "s3://bucket/../x", CTXDB_STORE: "postgres://127.0.0.1/ctxdb" },
    { CTXDB_OBJECTS_SECRET_KEY: "s", CTXDB_STORE: "postgres://127.0.0.1/ctxdb" },
  ])("a malformed or unknown setting is refused by name: %o", (env) => {
    expect(refusal(env)).toContain(Object.keys(env)[0]);
  });

  it("a language model needs its name, and a key or a base URL", () => {
    const google = { CTXDB_LLM_PROVIDER: "google" };
    expect(refusal(google)).toMatch(/CTXDB_LLM_MODEL is required.*CTXDB_LLM_API_KEY is required/);
    const whole = {
      ...google,
      CTXDB_LLM_MODEL: "m",
      CTXDB_LLM_BASE_URL: "http://127.0.0.1/v1",
      CTXDB_LLM_MAX_TOKENS_PER_DAY: "5000",
    };
    expect(config(whole).language).toEqual({
      provider: "google",
      model: "m",
      baseUrl: "http://127.0.0.1/v1",
      apiKey: undefined,
      maxTokensPerDay: 5000,
    });
  });

  it("a remote embedding model needs its name, and a key or a base URL", () => {
    const openai = { CTXDB_EMBEDDING_PROVIDER: "openai" };
    expect(refusal(openai)).toMatch(/CTXDB_EMBEDDING_MODEL is required.*CTXDB_EMBEDDING_API_KEY is required/);
    expect(refusal({ ...openai, CTXDB_EMBEDDING_MODEL: "m" })).not.toContain("CTXDB_EMBEDDING_MODEL");
    expect(refusal({ ...openai, CTXDB_EMBEDDING_BASE_URL: "http://127.0.0.1/v1" })).not.toContain(
      "CTXDB_EMBEDDING_API_KEY",
    );
  });

  it("all faulty settings are reported at once, without the value of a key", () => {
    const said = refusal({ CTXDB_PORT: "x", CTXDB_NOPE: "1", CTXDB_ROOT_API_KEY: "a secret" });
    expect(said).toMatch(/CTXDB_PORT.*CTXDB_ROOT_API_KEY|CTXDB_ROOT_API_KEY.*CTXDB_PORT/);
    expect(said).toContain("CTXDB_NOPE is an unknown setting");
    expect(said).not.toContain("a secret");
  });

  it("the gateway refuses provider URLs that would send keys in clear text, unless allowed", () => {
    expect(config().gateway).toBeUndefined();
    for (const url of [
      "https://api.example/v1",
      "http://127.0.0.1:8000",
      "http://[::1]:8000",
      "http://localhost/v1",
    ])
      expect(config({ CTXDB_GATEWAY_OPENAI_URL: url }).gateway).toEqual({
        urls: { openai: url },
        recallTokens: 1000,
        recallMs: 300,
        commitSeconds: 600,
      });
    const plain = { CTXDB_GATEWAY_ANTHROPIC_URL: "http://10.0.0.7:8000" };
    expect(refusal(plain)).toMatch(/CTXDB_GATEWAY_ANTHROPIC_URL must be an https URL/);
    expect(config({ ...plain, CTXDB_URL_ALLOW_PRIVATE: "true" }).gateway?.urls.anthropic).toBe(
      "http://10.0.0.7:8000",
    );
    for (const url of [
      "https://user:secret@api.example",
      "https://api.example?a=1",
      "ftp://api.example",
      "api",
    ]) {
      const said = refusal({ CTXDB_GATEWAY_OPENAI_URL: url });
      expect(said).toContain("CTXDB_GATEWAY_OPENAI_URL must be");
      expect(said).not.toContain("secret");
    }
  });

  it("a rerank model needs the settings of its provider", () => {
    expect(refusal({ CTXDB_RERANK_PROVIDER: "jina" })).toMatch(
      /CTXDB_RERANK_MODEL is required.*CTXDB_RERANK_API_KEY is required/,
    );
    expect(refusal({ CTXDB_RERANK_PROVIDER: "tei" })).toMatch(/CTXDB_RERANK_BASE_URL is required/);
    expect(refusal({ CTXDB_RERANK_MODEL: "m" })).toMatch(/CTXDB_RERANK_MODEL has no effect/);
    expect(
      config({ CTXDB_RERANK_PROVIDER: "tei", CTXDB_RERANK_BASE_URL: "http://127.0.0.1:8080" }).rerank,
    ).toEqual({
      provider: "tei",
      model: "",
      baseUrl: "http://127.0.0.1:8080",
      apiKey: undefined,
    });
    expect(config({}).rerank).toBeUndefined();
  });

  it("vision and speech models are checked like a language model", () => {
    expect(refusal({ CTXDB_VISION_PROVIDER: "openai" })).toMatch(
      /CTXDB_VISION_MODEL is required.*CTXDB_VISION_API_KEY is required/,
    );
    expect(refusal({ CTXDB_SPEECH_PROVIDER: "google" })).toMatch(/CTXDB_SPEECH_MODEL is required/);
    expect(refusal({ CTXDB_SPEECH_PROVIDER: "anthropic" })).toMatch(
      /CTXDB_SPEECH_PROVIDER: anthropic has no speech models/,
    );
    expect(refusal({ CTXDB_VISION_MODEL: "m" })).toMatch(/CTXDB_VISION_MODEL has no effect/);
  });
});

describe("models for pictures and recordings", () => {
  const google = { CTXDB_LLM_PROVIDER: "google", CTXDB_LLM_MODEL: "m", CTXDB_LLM_API_KEY: "k" };
  const openai = { CTXDB_LLM_PROVIDER: "openai", CTXDB_LLM_MODEL: "m", CTXDB_LLM_API_KEY: "k" };

  it("media models are off by default and when they are switched off", () => {
    expect(config({})).toMatchObject({ vision: undefined, speech: undefined });
    expect(config({ ...google, CTXDB_VISION_PROVIDER: "none", CTXDB_SPEECH_PROVIDER: "none" })).toMatchObject(
      {
        vision: undefined,
        speech: undefined,
      },
    );
  });

  it("media models are those of the language model's provider by default", () => {
    expect(config(google).vision).toEqual({
      provider: "google",
      model: "m",
      baseUrl: undefined,
      apiKey: "k",
      settings: "CTXDB_LLM",
    });
    expect(config(google).speech).toEqual(config(google).vision);
    expect(config(openai).vision?.model).toBe("m");
    expect(config(openai).speech?.model).toBe("whisper-1");
    expect(config({ ...openai, CTXDB_LLM_BASE_URL: "http://127.0.0.1/v1" }).speech).toBeUndefined();
    expect(config({ ...openai, CTXDB_LLM_PROVIDER: "anthropic" }).speech).toBeUndefined();
  });

  it("media models may have settings of their own", () => {
    const own = {
      ...google,
      CTXDB_VISION_PROVIDER: "openai",
      CTXDB_VISION_MODEL: "sees",
      CTXDB_VISION_BASE_URL: "http://127.0.0.1/v1",
      CTXDB_SPEECH_PROVIDER: "openai",
      CTXDB_SPEECH_MODEL: "hears",
      CTXDB_SPEECH_API_KEY: "s",
    };
    expect(config(own).vision).toMatchObject({
      provider: "openai",
      model: "sees",
      apiKey: undefined,
      settings: "CTXDB_VISION",
    });
    expect(config(own).speech).toMatchObject({ model: "hears", apiKey: "s", settings: "CTXDB_SPEECH" });
  });
});

describe("without a root key", () => {
  it.each(["127.0.0.1", "127.8.9.10", "::1", "localhost"])(
    "a server without a root key may listen on %s",
    (host) => {
      expect(config({ CTXDB_HOST: host }).loopback).toBe(true);
    },
  );

  it.each([
    "0.0.0.0",
    "::",
    "0",
    "192.168.1.5",
    "example.com",
    "127.0.0.1.example.com",
    "localhost.example.com",
    "::ffff:10.0.0.1",
  ])("a server without a root key does not listen on %s unless CTXDB_ALLOW_INSECURE is set", (host) => {
    expect(refusal({ CTXDB_HOST: host })).toMatch(/CTXDB_ROOT_API_KEY.*CTXDB_ALLOW_INSECURE/);
    expect(config({ CTXDB_HOST: host, CTXDB_ALLOW_INSECURE: "true" }).loopback).toBe(false);
    expect(config({ CTXDB_HOST: host, CTXDB_ROOT_API_KEY: STRONG_KEY }).host).toBe(host);
  });
});

describe("a root key that can be guessed", () => {
  const weak = [
    "x",
    "secret",
    "123456789012345",
    "a".repeat(64),
    "abababababababab",
    "secret-secret-secret-se",
    "abcdefghijklmnopqrstuvwxyz",
    "9876543210987654",
    "aaaaaaaaaaaaaaaaaaab",
    "passwordpassword",
  ];

  it.each(weak)(
    "a weak root key is refused on reachable addresses, with a command that generates a strong one: %s",
    (key) => {
      for (const more of [{}, { CTXDB_ALLOW_INSECURE: "true" }]) {
        const said = refusal({ CTXDB_HOST: "0.0.0.0", CTXDB_ROOT_API_KEY: key, ...more });
        expect(said).toMatch(/CTXDB_ROOT_API_KEY (?:is|repeats|counts|consists).*openssl rand -hex 32/);
        if (key.length > 1) expect(said).not.toContain(key);
      }
    },
  );

  it.each(weak)("a weak root key gets a warning on loopback: %s", (key) => {
    const { rootApiKey, warnings } = config({ CTXDB_ROOT_API_KEY: key });
    expect(rootApiKey).toBe(key);
    expect(warnings).toEqual([expect.stringMatching(/^CTXDB_ROOT_API_KEY .*openssl rand -hex 32$/)]);
  });

  it.each([
    STRONG_KEY,
    "4938271650394827",
    "correct-horse-battery-staple",
    "tq8ZvL2mXw0RkBhc",
    "root-k3yk3yk3yk3yk3yk3yk3yk3yk3yk3yk3yk3yk3y",
  ])("a long and irregular root key is accepted without a warning: %s", (key) => {
    expect(config({ CTXDB_HOST: "0.0.0.0", CTXDB_ROOT_API_KEY: key }).warnings).toEqual([]);
  });
});

describe("a configuration file", () => {
  const yaml =
    "port: 4000\nroot_api_key: from-file\nlocal_paths: [/x, /y]\nallow_insecure: false\nlog_level: null\n";

  it("a configuration file is read from the working directory, and the environment overrides it", () => {
    expect(config({ CTXDB_PORT: "5000" }, { "/srv/ctxdb.config.yaml": yaml })).toMatchObject({
      port: 5000,
      rootApiKey: "from-file",
      localPaths: ["/x", "/y"],
      logLevel: "info",
    });
    expect(
      config(
        { CTXDB_CONFIG: "/etc/c.json" },
        { "/etc/c.json": '{"port": 7}', "/srv/ctxdb.config.yaml": yaml },
      ).port,
    ).toBe(7);
  });

  it.each([
    ["prot: 1", /ctxdb\.config\.yaml: unknown setting prot/],
    ["__proto__: 1", /unknown setting __proto__/],
    ["PORT: 1", /unknown setting PORT/],
    ["port: many", /CTXDB_PORT must be a whole number/],
    ["port: {a: 1}", /port must be/],
    ["- port", /one object/],
    ["port: [", /cannot be read/],
    ["a: &a [x]\nb: *a", /cannot be read|unknown setting/],
  ])("a faulty configuration file is refused with the reason: %s", (content, said) => {
    expect(refusal({}, { "/srv/ctxdb.config.yaml": content })).toMatch(said);
  });

  it("two configuration files in the working directory are refused", () => {
    expect(refusal({}, { "/srv/ctxdb.config.yaml": "", "/srv/ctxdb.config.json": "{}" })).toContain(
      "CTXDB_CONFIG",
    );
  });
});

describe("the collector of traces", () => {
  const collector = (env: Environment) => config(env).collector?.url;

  it("the trace collector comes from OpenTelemetry's variables, and there is none by default", () => {
    expect(collector({})).toBeUndefined();
    expect(collector({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" })).toBe(
      "http://127.0.0.1:4318/v1/traces",
    );
    expect(
      collector({ OTEL_EXPORTER_OTLP_ENDPOINT: "https://all/otlp/", OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "" }),
    ).toBe("https://all/otlp/v1/traces");
    expect(
      collector({
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://all",
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://traces",
      }),
    ).toBe("http://traces");
  });

  it("the trace collector is off if OpenTelemetry's variables disable traces", () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4317", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" };
    expect(collector({ ...env, OTEL_TRACES_EXPORTER: "none" })).toBeUndefined();
    expect(collector({ ...env, OTEL_SDK_DISABLED: "TRUE" })).toBeUndefined();
  });

  it.each([
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
    ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/json"],
    ["OTEL_TRACES_EXPORTER", "zipkin"],
    ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "localhost:4318"],
  ])("the server does not start if %s is %s", (name, value) => {
    expect(refusal({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318", [name]: value })).toContain(
      "OTEL_",
    );
  });
});
