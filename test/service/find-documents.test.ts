import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findContexts } from "../../src/service/search/find.ts";
import { addSkill } from "../../src/service/skill/add-skill.ts";
import { type Actor, type Files, House } from "../support/tenant.ts";

const resource = (name: string) => `ctx://resources/${name}`;
const paragraph = (about: string, words: number) =>
  `${about} ${"one more word of it ".repeat(words / 5)}\n\n`;

describe("a find", () => {
  let house: House;
  let ann: Actor;
  beforeEach(async () => {
    house = await House.open();
    ann = house.as("ann");
  });
  afterEach(() => house.end());

  /** Three sections of about 600 tokens each. */
  const long = `# Birds\n\n${["Owls", "Owls again", "Still owls"].map((name) => `## ${name}\n\n${paragraph("owls", 500)}`).join("")}`;
  const under = (place: string) => (uris: readonly string[]) => uris.filter((uri) => uri.startsWith(place));

  it("find lists further sections of a long document only after all other hits", async () => {
    await ann.add("many", {
      "birds.md": long,
      ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`d/${i}.md`, `elk ${i}`])),
    });
    await house.drain();
    const ofBirds = under(resource("many/birds"));
    const ten = (await ann.find("owls", { limit: 10 })).map(({ uri }) => uri);
    expect(ten).toHaveLength(10);
    expect(ofBirds(ten)).toEqual([ten[0]]);
    expect(new Set(ten).size).toBe(10);
    const all = (await ann.find("owls", { limit: 30 })).map(({ uri }) => uri);
    expect(ofBirds(all).filter((uri) => !uri.includes("/."))).toHaveLength(3);
    const inside = await ann.found("owls", resource("many/birds"));
    expect(inside.filter((uri) => !uri.includes("/."))).toHaveLength(3);
  });

  it("find returns a skill once, and other files of it only if no other skill is left", async () => {
    const skill = (name: string, about: string) =>
      `---\nname: ${name}\ndescription: ${about}\n---\n# ${name}\n\n${about}\n`;
    const add = (name: string, files: Files) => {
      house.sources.set(name, files);
      return addSkill(house.deps, ann.call, { data: name, wait: true });
    };
    await add("/owls", {
      "SKILL.md": skill("owl-counter", "Counts owls in a wood"),
      "notes.md": "owls are counted at night\n",
    });
    for (const name of ["elk", "emu", "yak"])
      await add(`/${name}`, { "SKILL.md": skill(`${name}-finder`, `Finds the ${name}`) });
    await house.drain();
    const skillsOf = async (limit: number) =>
      (await ann.find("count owls", { target: "ctx://agent/skills", limit })).map(({ uri }) =>
        uri.split("/").slice(4),
      );
    const four = await skillsOf(4);
    expect(four.map(([name]) => name).sort()).toEqual([
      "elk-finder",
      "emu-finder",
      "owl-counter",
      "yak-finder",
    ]);
    expect(four[0]![0]).toBe("owl-counter");
    const all = await skillsOf(20);
    expect(all.filter(([name]) => name !== "owl-counter")).toHaveLength(3);
    expect(all.filter(([name]) => name === "owl-counter")).toHaveLength(2);
    expect(all).toContainEqual(["owl-counter", "notes.md"]);
  });

  it("find returns a converted file once, as its text", async () => {
    await ann.add("pages", {
      "owls.html": "<html><body><h1>Owls</h1><p>Owls hunt at night.</p></body></html>",
      "elk.md": "elk",
    });
    await house.drain();
    expect((await ann.found("owls hunt at night")).filter((uri) => uri.includes("owls"))).toEqual([
      resource("pages/owls.md"),
    ]);
  });

  it("find returns the only file of a directory instead of the directory", async () => {
    for (const name of ["owls", "elks", "emus"])
      await ann.add(name, { [`deep/${name}.md`]: `# ${name}\n\n${name} live in the ${name} house.\n` });
    await house.drain();
    const found = await ann.find("where owls live");
    const files = ["elks", "emus", "owls"].map((name) => resource(`${name}/deep/${name}.md`));
    expect(found.map(({ uri }) => uri).sort()).toEqual(files);
    expect(found[0]!.uri).toBe(files[2]);
    const ask = async (more: object) =>
      (
        await findContexts(house.deps, ann.call, {
          query: "where owls live",
          targetUris: [],
          limit: 10,
          ...more,
        })
      ).resources;
    expect(
      (await ask({ filter: { op: "must", field: "level", conds: [2] } }))
        .map(({ uri }) => uri.split("/").at(-1))
        .sort(),
    ).toEqual(["elks.md", "emus.md", "owls.md"]);
    // a directory represents its file if only the directory is above the threshold
    const threshold = found[1]!.score;
    const above = await ask({ scoreThreshold: threshold });
    expect(above.map(({ uri }) => uri)).toContain(found[0]!.uri);
    expect(above.every(({ score }) => score > threshold)).toBe(true);
    expect(new Set(above.map(({ uri }) => uri.split("/")[3])).size).toBe(above.length);
    await ann.create(resource("owls/deep/more.md"), "other birds live elsewhere");
    expect(
      (await ann.found("where birds live", resource("owls"))).filter(
        (uri) => uri.endsWith(".md") && !uri.includes("/."),
      ),
    ).toHaveLength(2);
  });
});
