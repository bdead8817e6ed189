import { describe, expect, it } from "vitest";
import { germanStem } from "../../../src/domain/text/german.ts";

describe("the stem of a German word", () => {
  it.each([
    ["sperren", "sperrt", "gesperrt", "gesperrten", "sperre"],
    ["löschen", "löscht", "gelöscht"],
    ["ändern", "ändert", "geändert"],
    ["anzeigen", "angezeigt", "anzuzeigen"],
    ["hinzufügen", "hinzugefügt", "hinzuzufügen"],
    ["öffnen", "öffnet", "geöffnet"],
    ["aktivieren", "aktiviert"],
    ["verwenden", "verwendet"],
    ["zuordnen", "zugeordnet"],
    ["konto", "kontos"],
  ])("the forms of a German word have one stem: %s", (word, ...forms) => {
    expect(forms.map(germanStem)).toEqual(forms.map(() => germanStem(word)));
  });

  it.each([
    ["gewicht", "gewichte"],
    ["geschäft", "geschäfte"],
    ["gehalt", "gehalte"],
    ["element", "elemente"],
    ["wert", "werte"],
    ["konzert", "konzerte"],
    ["paket", "pakete"],
    ["zugriff", "zugriffe"],
    ["verzeichnis", "verzeichnisse"],
  ])("a German noun that looks like the form of a verb keeps the stem of its plural: %s", (noun, plural) => {
    expect(germanStem(noun)).toBe(germanStem(plural));
  });

  it("the stem of a long German word is found in linear time", () => {
    expect(germanStem(`ge${"zu".repeat(60)}`).length).toBeGreaterThan(0);
  });
});
