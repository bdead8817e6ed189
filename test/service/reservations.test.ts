import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAccount } from "../../src/service/account/create-account.ts";
import { deleteAccount } from "../../src/service/account/delete-account.ts";
import { registerUser } from "../../src/service/account/register-user.ts";
import { removeUser } from "../../src/service/account/remove-user.ts";
import { uploadFile } from "../../src/service/resource/upload-file.ts";
import { reservedFor } from "../../src/workspace/requests/reservations.ts";
import { type Actor, codeOf, House } from "../support/tenant.ts";

const DOCS = "ctx://resources/docs";
/** More files than are imported before the answer. */
const MANY = Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`f${i}.md`, `file ${i}`]));

/** Promises that let something continue and that resolve when it waits. */
function gate() {
  let arrive: () => void = () => undefined;
  let open: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const pass = () => {
    arrive();
    return opened;
  };
  return { arrived, open, pass };
}

describe("reservations of callers that are removed", () => {
  let house: House;
  let bob: Actor;
  beforeEach(async () => {
    house = await House.open();
    await createAccount(house.deps, house.root, { accountId: "acme", adminUserId: "ada" });
    await registerUser(house.deps, house.root, { accountId: "acme", userId: "bob", role: "user" });
    bob = house.as("bob", "acme", "user");
  });
  afterEach(() => house.close());

  const remove = () => removeUser(house.deps, house.root, { accountId: "acme", userId: "bob" });

  /** Lets a source wait whenever a job opens it, and the test say when it continues. */
  function heldSource(name: string) {
    const held = gate();
    const { sources } = house.deps;
    const { open } = sources;
    let opened = 0;
    sources.open = async (spec) => {
      // a first time before the answer
      if (spec.path === name && ++opened > 1) await held.pass();
      return open(spec);
    };
    return held;
  }

  it("the import of a removed user does not release a root that another import has reserved since", async () => {
    const ada = house.as("ada");
    const [first, second] = [heldSource("bobs"), heldSource("adas")];
    await bob.add("bobs", MANY, { to: DOCS, wait: false });
    await first.arrived;
    await remove();
    const { workspace } = await ada.tenant();
    expect(reservedFor(workspace, DOCS)).toBeUndefined();
    await ada.add("adas", MANY, { to: DOCS, wait: false });
    await second.arrived;
    const reserved = reservedFor(workspace, DOCS);
    expect(reserved).toBeDefined();
    first.open();
    while ([...house.queue.jobs()].some(({ owner }) => owner?.user === "bob"))
      await new Promise(setImmediate);
    expect(reservedFor(workspace, DOCS)).toBe(reserved);
    second.open();
    await house.drain();
    expect(reservedFor(workspace, DOCS)).toBeUndefined();
    expect(await ada.read(`${DOCS}/f0.md`)).toBe("file 0");
    await house.expectSound();
  });

  it.each([
    ["user", remove],
    ["account", () => deleteAccount(house.deps, house.root, { accountId: "acme" })],
  ])("an upload whose %s is removed while it arrives reserves and leaves nothing", async (_, end) => {
    const { workspace } = await bob.tenant();
    const { incarnation } = workspace;
    const half = gate();
    const bytes = (async function* () {
      yield Buffer.alloc(1000);
      await half.pass();
      yield Buffer.alloc(1000);
    })();
    const deps = { ...house.deps, tokens: () => "token", maxUploadBytes: 1e9 };
    const upload = codeOf(uploadFile(deps, bob.call, { name: "a.bin", bytes }));
    await half.arrived;
    expect(house.uploads.held(incarnation)).toBe(1000);
    await end();
    half.open();
    expect(await upload).not.toBe("OK");
    expect(house.uploads.held(incarnation)).toBe(0);
    const ids: string[] = [];
    for await (const id of house.stores.bytes.list()) ids.push(id);
    expect(ids).toEqual([]);
    expect(await house.keys("f/")).toEqual([]);
  });
});
