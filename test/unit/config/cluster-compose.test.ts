import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { sha256 } from "../../../src/base/sha256.ts";
import { configFrom } from "../../../src/config/config.ts";

const PATH = new URL("../../../deploy/cluster/compose.yaml", import.meta.url);
const DOCKERFILE = new URL("../../../Dockerfile", import.meta.url);
const SECRETS: Readonly<Record<string, string>> = {
  CTXDB_ROOT_API_KEY: sha256("a"),
  POSTGRES_PASSWORD: sha256("b"),
  OBJECTS_SECRET_KEY: sha256("c"),
};
const SERVERS = ["one", "two", "three"];

interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly command?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** The file as compose reads it, with the variables of its caller. */
function compose(): Compose {
  const text = readFileSync(PATH, "utf8").replace(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) => {
    const secret = SECRETS[name];
    if (secret === undefined) throw new Error(`${name} is not among the variables that the file names`);
    return secret;
  });
  return parse(text, { merge: true }) as Compose;
}

/** Settings that the image brings. */
function settingsOfImage(): Record<string, string> {
  const line = /^ENV (.*)$/m.exec(readFileSync(DOCKERFILE, "utf8"))?.[1] ?? "";
  return Object.fromEntries(line.split(" ").map((pair) => pair.split("=") as [string, string]));
}

const environmentOf = (name: string) => compose().services[name]?.environment ?? {};

describe("the compose file of a cluster", () => {
  it("every server of the cluster compose file accepts its settings and is reached under its own name", () => {
    for (const name of SERVERS) {
      const env = { ...settingsOfImage(), ...environmentOf(name) };
      const { store } = configFrom(env, { folder: "/app", read: () => undefined });
      expect(store?.memberUrl).toBe(`http://${name}:${env.CTXDB_PORT}`);
      expect(store?.objects?.bucket).toBe("contents");
    }
  });

  it("servers of the cluster compose file have the same settings except for their own address", () => {
    const [first, ...others] = SERVERS.map((name) => {
      const { CTXDB_PEER_URL: _, ...shared } = environmentOf(name);
      return shared;
    });
    for (const other of others) expect(other).toEqual(first);
  });

  it("servers of the cluster compose file use its database and bucket, with their secrets", () => {
    const { services } = compose();
    const env = environmentOf("one");
    const store = new URL(env.CTXDB_STORE ?? "");
    const postgres = environmentOf(store.hostname);
    expect([store.username, store.password, store.pathname]).toEqual([
      postgres.POSTGRES_USER,
      postgres.POSTGRES_PASSWORD,
      `/${postgres.POSTGRES_DB}`,
    ]);
    const objects = environmentOf(new URL(env.CTXDB_OBJECTS_ENDPOINT ?? "").hostname);
    expect(objects.S3PROXY_IDENTITY).toBe(env.CTXDB_OBJECTS_ACCESS_KEY);
    expect(objects.S3PROXY_CREDENTIAL).toBe(env.CTXDB_OBJECTS_SECRET_KEY);
    const bucket = new URL(env.CTXDB_OBJECTS ?? "").hostname;
    expect(services.bucket?.command?.at(-1)).toBe(`${objects.JCLOUDS_FILESYSTEM_BASEDIR}/${bucket}`);
    expect(services.bucket?.volumes).toEqual(services.objects?.volumes);
  });

  it("every server of the cluster compose file has its own disk and port, and all references resolve", () => {
    const { services, volumes } = compose();
    const all = Object.values(services);
    const used = all.flatMap((service) => (service.volumes ?? []).map((volume) => volume.split(":")[0]));
    expect(new Set(used)).toEqual(new Set(Object.keys(volumes)));
    const own = SERVERS.map((name) => services[name]);
    expect(new Set(own.flatMap((server) => server?.volumes)).size).toBe(SERVERS.length);
    expect(new Set(own.flatMap((server) => server?.ports)).size).toBe(SERVERS.length);
    for (const name of all.flatMap(({ depends_on = {} }) => Object.keys(depends_on)))
      expect(services).toHaveProperty(name);
  });
});
