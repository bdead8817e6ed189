import { describe, expect, it } from "vitest";
import { readyScreen } from "../../../src/server/ready-screen.ts";

const READY = {
  url: "http://127.0.0.1:1933",
  version: "1.2.3",
  dataDir: "/data",
  keyed: false,
  loopback: true,
  studio: false,
  cli: "ctxdb",
};

describe("the screen of a server that is ready", () => {
  it("the ready screen shows the URL, the data directory and a command to try", () => {
    const screen = readyScreen(READY);
    expect(screen).toContain("Open   http://127.0.0.1:1933\n");
    expect(screen).toContain("Data   /data\n");
    expect(screen).toContain("Keys   none needed; only this machine can connect\n");
    expect(screen).toContain("  ctxdb add ./docs\n");
    expect(screen).not.toContain("login");
  });

  it("the ready screen shows the address of Studio if it is built", () => {
    expect(readyScreen({ ...READY, studio: true })).toContain("Open   http://127.0.0.1:1933/studio\n");
  });

  it("the ready screen shows how to log in if calls need a key", () => {
    const screen = readyScreen({ ...READY, url: "http://0.0.0.0:1933", keyed: true, loopback: false });
    expect(screen).toContain("Keys   required: send one in X-API-Key\n");
    expect(screen).toContain("  ctxdb login http://0.0.0.0:1933\n");
  });

  it("the ready screen fits into 80 columns", () => {
    expect(
      readyScreen(READY)
        .split("\n")
        .filter((line) => line.length > 80),
    ).toEqual([]);
  });
});
