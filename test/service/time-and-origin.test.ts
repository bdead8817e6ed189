import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

interface Hit {
  readonly uri: string;
  readonly abstract: string;
  readonly match: string;
  readonly level: number;
  readonly relations: readonly { readonly uri: string; readonly abstract: string }[];
}

let served: Served;
let ann: string;
const post = (path: string, body: object) => served.rest(ann, `POST ${path}`, body);
const say = async (session: string, messages: readonly object[]) => {
  await post("sessions", { session_id: session });
  await post(`sessions/${session}/messages/batch`, { messages });
  await post(`sessions/${session}/commit`, {});
};
const user = (content: string, created_at: string) => ({ role: "user", content, created_at });

const ENTITIES = "ctx://user/ann/memories/entities";

/** What find, search and recall return for a question, as one text each. */
const OPERATIONS = [
  ["find", "search/find"],
  ["search", "search/search"],
  ["recall", "search/recall"],
] as const;

async function shown(path: string, body: object): Promise<string> {
  const { result, error } = await post(path, body);
  expect(error).toBeUndefined();
  const found = result as Partial<Record<"memories" | "resources", Hit[]>> & { text?: string };
  return found.text ?? JSON.stringify([found.memories, found.resources]);
}

beforeAll(async () => {
  served = await serve();
  const made = await served.rest(ROOT_KEY, "POST admin/accounts", {
    account_id: "acme",
    admin_user_id: "ann",
  });
  ann = (made.result as { user_key: string }).user_key;
  await say("lisbon", [
    user("I live in Lisbon. My dog is called Rex.", "2021-03-04T10:00:00Z"),
    { role: "assistant", content: "A walk by the Tejo then.", created_at: "2021-03-04T10:01:00Z" },
  ]);
  await say("porto", [user("I live in Porto.", "2023-05-06T10:00:00Z")]);
  await say("ghent", [user("I live in Ghent, above the bakery.", "2025-07-08T15:30:00Z")]);
  await post("memories", { statement: "The home router is a Fritz box.", subject: "home", origin: "tool" });
  await post("memories", { statement: "The home office faces south.", subject: "home" });
  await post("content/write", {
    uri: "ctx://resources/home.md",
    content: "# Home\n\nThe home insurance covers the bakery below.",
    mode: "create",
    wait: true,
  });
});
afterAll(() => served.close());

describe.each(OPERATIONS)("conditions of time and origin in %s", (_, path) => {
  const query = "where does the user live, in Lisbon, Porto or Ghent?";

  it("as_of shows the facts that were valid at that time and no later ones", async () => {
    const then = await shown(path, { query, as_of: "2024-01-01T00:00:00Z" });
    expect(then).toContain("lives in Porto");
    expect(then).not.toContain("Ghent");
    expect(then).not.toContain("lives in Lisbon");
    const earlier = await shown(path, { query, as_of: "2022-01-01" });
    expect(earlier).toContain("lives in Lisbon");
    expect(earlier).not.toContain("Porto");
  });

  it("as_of leaves out later episodes, to the second", async () => {
    const asOf = (as_of: string) => shown(path, { query: "above the bakery in Ghent", as_of });
    expect(await asOf("2025-07-08T15:29:00Z")).not.toContain("above the bakery");
    expect(await asOf("2025-07-08T15:30:00Z")).toContain("above the bakery");
  });

  it("since and until limit memories to statements made between them, to the second", async () => {
    const said = (since: string, until: string) =>
      shown(path, { query, target_uri: "ctx://user/ann", since, until });
    const of2021 = await said("2021-01-01", "2022-01-01");
    expect(of2021).toContain("Lisbon");
    expect(of2021).not.toMatch(/Porto|Ghent/);
    expect(await said("2025-07-08T15:30:00Z", "2025-07-08T15:30:01Z")).toContain("Ghent");
    expect(await said("2025-07-08T15:30:01Z", "2025-07-08T15:31:00Z")).not.toContain("Ghent");
  });

  it("since and until limit files to those changed between them", async () => {
    const until = (time: string) => shown(path, { query: "home insurance", until: time });
    expect(await until("2020-01-01")).not.toContain("insurance");
    expect(await until("2999-01-01")).toContain("insurance");
  });

  it("exclude_origins filters each memory in a file separately", async () => {
    const asked = { query: "home router, Fritz box, and the home office that faces south" };
    expect(await shown(path, asked)).toContain("Fritz");
    const trusted = await shown(path, { ...asked, exclude_origins: ["tool", "import"] });
    expect(trusted).not.toContain("Fritz");
    expect(trusted).toContain("faces south");
    expect(await shown(path, { ...asked, exclude_origins: ["user"] })).not.toContain("faces south");
  });

  it("a metadata filter is combined with the time and origin conditions", async () => {
    const asked = { query: "home", filter: { category: "entities" }, exclude_origins: ["tool"] };
    const found = await shown(path, asked);
    expect(found).toContain("faces south");
    expect(found).not.toContain("insurance");
  });

  it.each([
    [{ as_of: "then" }, "as_of"],
    [{ since: "soon" }, "since"],
    [{ until: "2021-02-30" }, "until"],
    [{ since: "2022-01-01", until: "2022-01-01" }, "until"],
    [{ exclude_origins: ["user", "nobody"] }, "exclude_origins[1]"],
  ])("an invalid condition is refused with the name of its field: %o %s", async (conditions, field) => {
    const { http, error } = await post(path, { query, ...conditions });
    expect(http).toBe(400);
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", details: { field } });
  });
});

describe("a search by time and origin", () => {
  it("a search by origin returns as many hits as requested, even if many better hits are left out", async () => {
    for (let n = 1; n <= 30; n++)
      await post("memories", { statement: `The gate code is ${n}.`, subject: `gate ${n}`, origin: "tool" });
    for (const gate of ["north", "south", "west"])
      await post("memories", { statement: `A ${gate} gate needs no code at all today.`, subject: gate });
    const asked = { query: "gate code", limit: 3, target_uri: ENTITIES, exclude_origins: ["tool"] };
    const { result } = await post("search/find", asked);
    const gates = (result as { memories: Hit[] }).memories.map(({ uri }) => uri.split("/").at(-1));
    expect(gates.sort()).toEqual(["north.md", "south.md", "west.md"]);
  });

  it("a search by time shows no folder of memories, and no excluded memory through a relation", async () => {
    const asked = { query: "which gate, which home, which dog?", limit: 100 };
    const { result } = await post("search/find", {
      ...asked,
      since: "2020-01-01",
      exclude_origins: ["tool"],
    });
    const { memories } = result as { memories: Hit[] };
    expect(memories.filter(({ level }) => level < 2)).toEqual([]);
    const { result: then } = await post("search/find", { ...asked, as_of: "2021-03-04T10:00:30Z" });
    const rex = (then as { memories: Hit[] }).memories.find(({ uri }) => uri.endsWith("rex.md"));
    expect(rex).toMatchObject({ relations: [] });
    const { result: later } = await post("search/find", { ...asked, as_of: "2021-03-05" });
    const known = (later as { memories: Hit[] }).memories.find(({ uri }) => uri.endsWith("rex.md"));
    expect(known?.relations).toHaveLength(1);
  });

  it("a line written by hand counts with its own date and the user as its origin", async () => {
    const uri = "ctx://user/ann/memories/preferences/boats.md";
    const content = "# boats\n\n- Likes oak boats (2020-02-02)\n- Likes elm boats (2024-02-02)\n";
    await post("content/write", { uri, content, mode: "create", wait: true });
    const asked = { query: "oak or elm boats", target_uri: uri };
    expect(await shown("search/find", { ...asked, as_of: "2022-01-01" })).not.toContain("elm");
    expect(await shown("search/find", { ...asked, since: "2023-01-01" })).not.toContain("oak");
    expect(await shown("search/find", { ...asked, exclude_origins: ["user"] })).toBe("[[],[]]");
  });

  it("memories excluded by a later turn are dropped from the text of a session", async () => {
    await post("sessions", { session_id: "careful" });
    const asked = { session_id: "careful", query: "home router, Fritz box, home office" };
    const recall = async (body: object) =>
      ((await post("search/recall", body)).result as { text: string }).text;
    expect(await recall(asked)).toContain("Fritz");
    const careful = await recall({ ...asked, exclude_origins: ["tool"] });
    expect(careful).not.toContain("Fritz");
    expect(careful).toContain("faces south");
    expect(await recall({ ...asked, exclude_origins: ["tool"] })).toBe(careful);
  });
});
