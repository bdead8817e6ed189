import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Profiles, profilesFile, readProfiles, writeProfiles } from "../../../src/cli/profiles.ts";
import { isLocal, normal, targetOf } from "../../../src/cli/target.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const PROFILES: Profiles = {
  current: "home",
  profiles: {
    home: { address: "http://home.example:1933", key: "home-key", agent: "helper" },
    work: { address: "https://work.example", key: "work-key", account: "acme" },
  },
};

describe("whom a command line speaks to", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    env = { XDG_CONFIG_HOME: folder.path };
    await writeProfiles(profilesFile(env), PROFILES);
  });
  afterAll(() => folder.remove());

  it("the command line uses the server on this machine by default", async () => {
    expect(await targetOf({}, { HOME: "/nowhere" })).toEqual({ address: "http://127.0.0.1:1933" });
  });

  it("the command line uses the current profile, whose file only its owner can read", async () => {
    expect(await targetOf({}, env)).toEqual({
      address: "http://home.example:1933",
      key: "home-key",
      agent: "helper",
      profile: "home",
    });
    expect((await stat(profilesFile(env))).mode & 0o777).toBe(0o600);
  });

  it("a profile file that others could read becomes private when it is written", async () => {
    const file = profilesFile(env);
    await chmod(file, 0o644);
    await writeProfiles(file, PROFILES);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual(PROFILES);
  });

  it("options override variables, variables the current profile, but a named profile overrides variables", async () => {
    const variables = {
      ...env,
      CTXDB_ADDRESS: "127.0.0.1:7",
      CTXDB_API_KEY: "variable-key",
      CTXDB_AGENT: "other",
    };
    expect(await targetOf({}, variables)).toEqual({
      address: "http://127.0.0.1:7",
      key: "variable-key",
      agent: "other",
    });
    expect(await targetOf({ key: "typed", address: "localhost:9" }, variables)).toMatchObject({
      address: "http://localhost:9",
      key: "typed",
    });
    expect(await targetOf({ profile: "work" }, variables)).toMatchObject({
      address: "https://work.example",
      key: "work-key",
      account: "acme",
    });
    expect(await targetOf({}, { ...env, CTXDB_PROFILE: "work" })).toMatchObject({
      key: "work-key",
      profile: "work",
    });
  });

  it("the command line never sends a stored key to another server", async () => {
    expect(await targetOf({ address: "http://elsewhere.example:1933" }, env)).toEqual({
      address: "http://elsewhere.example:1933",
    });
    expect(await targetOf({}, { ...env, CTXDB_ADDRESS: "http://elsewhere.example:1933" })).toEqual({
      address: "http://elsewhere.example:1933",
    });
    expect(await targetOf({ profile: "work", address: "http://work.example" }, env)).toEqual({
      address: "http://work.example",
    });
  });

  it("an unknown profile and a malformed profile file are refused by name", async () => {
    await expect(targetOf({ profile: "gone" }, env)).rejects.toThrow("profile not found: gone");
    const broken = { XDG_CONFIG_HOME: `${folder.path}/broken` };
    await writeProfiles(profilesFile(broken), PROFILES);
    await writeFile(profilesFile(broken), '{"current": 7}');
    await expect(readProfiles(profilesFile(broken))).rejects.toThrow("is not a valid profile file");
  });
});

describe("an address", () => {
  it("an address may omit its protocol, but must not have a path", () => {
    expect([normal("localhost:1933"), normal("https://host"), normal("http://[::1]:7/")]).toEqual([
      "http://localhost:1933",
      "https://host",
      "http://[::1]:7",
    ]);
    expect(normal("http://host:1/studio")).toBe("http://host:1");
    expect(() => normal("http://host/path")).toThrow("invalid address");
    expect(() => normal("a b")).toThrow("invalid address");
  });

  it("only loopback addresses count as local", () => {
    expect(["http://127.0.0.1:1", "http://localhost:1", "http://[::1]:1"].every(isLocal)).toBe(true);
    expect(["http://10.0.0.1:1", "https://127.example"].some(isLocal)).toBe(false);
  });
});
