import { describe, expect, it } from "vitest";
import { wellFormed } from "../../../src/memory/rules/well-formed.ts";

describe("the text of a fact that a rule has made", () => {
  it.each([
    ["en", "The user is deaf in"],
    ["en", "The user's team is standup moved to 9:45"],
    ["en", "The user plays chess with"],
    ["de", "Der Nutzer spielt mal einen strengen Oberkommissar"],
    ["de", "Der Nutzer arbeitet bei der"],
    ["fr", "Jouons est ton espion"],
    ["zh", "用户写个介绍"],
    ["zh", "用户怕得要死"],
  ] as const)(
    "a fact is dropped if its text shows that the sentence was misread, in %s: %s",
    (language, text) => {
      expect(wellFormed(text, language)).toBeUndefined();
    },
  );

  it.each([
    ["en", "The user's girlfriend moved in"],
    ["en", "The user is 34"],
    ["en", "The user gave up coffee"],
    ["de", "Der Nutzer wohnt in Bonn und muss pendeln"],
    ["fr", "Anouk est la fille de l'utilisateur"],
    ["zh", "用户写小说"],
  ] as const)("a fact is kept if its text is a whole statement, in %s: %s", (language, text) => {
    expect(wellFormed(text, language)).toBe(text);
  });

  it("a German fact ends before a clause in the first person, and refers to the user by a reflexive", () => {
    expect(wellFormed("Der Nutzer fährt einen Fiat und suche Winterreifen", "de")).toBe(
      "Der Nutzer fährt einen Fiat",
    );
    expect(wellFormed("Der Nutzer hat ihm einen Octavia gekauft", "de")).toBe(
      "Der Nutzer hat sich einen Octavia gekauft",
    );
  });
});
