import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { present } from "../../src/base/expect.ts";
import { writePack } from "../../src/ingest/pack/write-pack.ts";
import { openZip } from "../../src/ingest/zip.ts";
import { grantAccess } from "../../src/service/access/grant-access.ts";
import { createAccount } from "../../src/service/account/create-account.ts";
import { registerUser } from "../../src/service/account/register-user.ts";
import { removeNode } from "../../src/service/filesystem/remove-node.ts";
import { grep } from "../../src/service/search/grep.ts";
import { SnapshotReader } from "../../src/workspace/snapshots/snapshot-reader.ts";
import { walk } from "../../src/workspace/tree/listing.ts";
import { mustLocate } from "../../src/workspace/tree/locate.ts";
import { Actor, codeOf, House } from "../support/tenant.ts";

const TEAM = "ctx://resources/team";
/** Too costly to be compiled on the main thread. */
const COSTLY = `owl|${"[é-ê]".repeat(5)}`;

describe("reads of a snapshot", () => {
  let house: House;
  let admin: Actor;
  let bob: Actor;

  beforeEach(async () => {
    house = await House.open();
    await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "boss" });
    await registerUser(house.deps, house.root, { accountId: "acme", userId: "bob" });
    const as = (user: string, role: "admin" | "user") =>
      new Actor(house, { ...house.as(user, "acme", role).caller, keyless: false });
    [admin, bob] = [as("boss", "admin"), as("bob", "user")];
  });
  afterEach(() => house.end());

  const deny = (uri: string) =>
    grantAccess(house.deps, admin.call, {
      uri,
      granteeType: "user",
      granteeId: "bob",
      level: "read",
      effect: "deny",
    });

  /** Lists what bob sees below TEAM; runs `between` after the first item. */
  const walked = async (between: () => Promise<unknown>): Promise<string[]> => {
    const { workspace, owner } = await bob.tenant();
    const snapshot = workspace.kv.snapshot();
    try {
      const start = mustLocate(snapshot, workspace.keys, owner, workspace.uris.parse(TEAM), TEAM);
      const shown: string[] = [];
      for await (const { path } of walk(workspace, snapshot, owner, start, {
        levels: 0,
        showHidden: false,
      })) {
        if (shown.length === 0) await between();
        shown.push(path.slice(2).join("/"));
      }
      return shown;
    } finally {
      snapshot.close();
    }
  };

  it("a hidden folder that is removed during a walk stays hidden", async () => {
    await admin.create(`${TEAM}/a/1.md`, "owl");
    await admin.create(`${TEAM}/b/secret/2.md`, "owl");
    await admin.create(`${TEAM}/b/secret.md`, "owl");
    for (const name of ["secret", "secret.md"]) await deny(`${TEAM}/b/${name}`);
    const shown = await walked(async () => {
      for (const name of ["secret", "secret.md"]) await admin.rm(`${TEAM}/b/${name}`);
      await house.drain();
    });
    expect(shown).toEqual(["a", "a/1.md", "b"]);
  });

  it("a file that is moved into a hidden folder during a walk is not shown at its former place", async () => {
    await admin.create(`${TEAM}/a/1.md`, "owl");
    await admin.create(`${TEAM}/b/2.md`, "owl");
    await admin.create(`${TEAM}/hidden/3.md`, "owl");
    await deny(`${TEAM}/hidden`);
    const shown = await walked(() => admin.mv(`${TEAM}/b/2.md`, `${TEAM}/hidden/2.md`));
    expect(shown).toEqual(["a", "a/1.md", "b"]);
  });

  it("grep does not read a file to which access is denied while its pattern is checked", async () => {
    await admin.create(`${TEAM}/1.md`, "owl");
    const searching = codeOf(
      grep(house.deps, bob.call, { uri: `${TEAM}/1.md`, pattern: COSTLY, caseInsensitive: true }),
    );
    await deny(`${TEAM}/1.md`);
    expect(await searching).toBe("NOT_FOUND");
  });

  it("a pack shows no overview of a folder whose hidden content is removed while it is written", async () => {
    // more than a piece of the pack
    const many = Array.from({ length: 330 }, () => [`${randomBytes(100).toString("hex")}.md`, "owl"]);
    await admin.add("many", Object.fromEntries(many), { to: `${TEAM}/a` });
    await admin.create(`${TEAM}/b/open.md`, "# Bread\n\nBake bread with flour, water and salt.\n");
    await admin.create(`${TEAM}/b/secret.md`, "# Zanzibar\n\nThe Zanzibar treaty is signed in May.\n");
    await house.drain();
    await deny(`${TEAM}/b/secret.md`);
    const { workspace, owner } = await bob.tenant();
    const pieces: Uint8Array[] = [];
    const options = { path: workspace.uris.parse(TEAM), scope: "resources", vectors: false } as const;
    for await (const piece of writePack(workspace, owner, options)) {
      if (pieces.push(piece) > 1) continue;
      await admin.rm(`${TEAM}/b/secret.md`);
      await house.drain();
    }
    const { members } = await openZip(Buffer.concat(pieces), {
      maxFiles: 1000,
      maxBytes: 1e7,
      field: "pack",
    });
    const text = (await buffer(present(members.get("nodes.jsonl"), "nodes").read())).toString();
    expect(text).toContain("flour");
    expect(text).not.toContain("Zanzibar");
  });

  it("grep does not read a file to which access is denied while it reads the files before", async () => {
    const names = Array.from({ length: 40 }, (_, i) => String(i).padStart(2, "0"));
    for (const name of names) await admin.create(`${TEAM}/${name}.md`, `owl ${name}`);
    const { signal } = new AbortController();
    let turns = 0;
    let denied: Promise<unknown> | undefined;
    // called several times for each file
    signal.throwIfAborted = () => {
      if (++turns === 20) denied = deny(`${TEAM}/39.md`);
    };
    const { matches } = await grep(
      house.deps,
      { ...bob.call, signal },
      { uri: TEAM, pattern: COSTLY, caseInsensitive: true },
    );
    await denied;
    expect(matches.length).toBeGreaterThan(2);
    expect(matches.map(({ uri }) => uri)).not.toContain(`${TEAM}/39.md`);
  });

  it("a comparison with the present does not show a hidden file that is removed for good meanwhile", async () => {
    for (const name of ["1", "2"]) await admin.create(`${TEAM}/${name}.md`, "owl");
    await admin.create(`${TEAM}/secret.md`, "owl");
    await deny(`${TEAM}/secret.md`);
    const { workspace, owner } = await bob.tenant();
    const kv = workspace.kv.snapshot();
    try {
      const reader = new SnapshotReader({ workspace, owner }, kv, undefined, bob.call.signal);
      const shown: string[] = [];
      for await (const { path } of reader.children(await reader.mustFind(workspace.uris.parse(TEAM)))) {
        if (shown.push(path.at(-1) ?? "") > 1) continue;
        const input = { uri: `${TEAM}/secret.md`, recursive: false, permanent: true };
        await removeNode(house.deps, admin.call, input);
        await house.drain();
      }
      expect(shown).toEqual(["1.md", "2.md"]);
    } finally {
      kv.close();
    }
  });
});
