import { describe, expect, it } from "vitest";
import {
  analyse,
  analyseQuery,
  MAX_QUERY_TERMS,
  MAX_TERM_LENGTH,
  namedWords,
  namesIdentifier,
  weightedLength,
  weightedTerms,
} from "../../../src/domain/text/analyse.ts";
import { reference } from "../retrieve/reference.ts";

describe("the analyser", () => {
  it("the analyser returns the reference's terms and weights, with the title counted twice", () => {
    for (const { title, text, terms } of reference.documents)
      expect(Object.fromEntries(weightedTerms(text, title))).toEqual(terms);
  });

  it("the analyser returns the reference's query terms, with stop words only if there are no others", () => {
    for (const { text, terms } of reference.queries) expect(analyseQuery(text).sort()).toEqual(terms);
    expect(analyseQuery("to be or not to be").sort()).toEqual(["be", "be", "not", "or", "to", "to"]);
    expect(analyse("to be").sort()).toEqual(["be", "to"]);
  });

  it("an identifier is indexed both completely and by the stems of its parts", () => {
    expect(analyse("HTTPServer2").sort()).toEqual(["2", "http", "httpserver2", "server"]);
    expect(analyse("parse_requests __init__").sort()).toEqual(["init", "pars", "parse_requests", "request"]);
  });

  it("a query with an identifier is recognized as such, and prose is not", () => {
    for (const query of [
      "parse_config fails",
      "where is NodeTable used",
      "what does open() answer",
      "größe_in_mb",
    ])
      expect(namesIdentifier(query)).toBe(true);
    for (const query of [
      "how to sort a list in python 3",
      "HTTP status",
      "read (or write) a file",
      "灯塔",
      "",
    ])
      expect(namesIdentifier(query)).toBe(false);
  });

  it("CJK text is indexed by characters and bigrams, and NFKC-equivalent forms are equal", () => {
    expect(analyse("灯塔守x").sort()).toEqual(["x", "塔", "塔守", "守", "灯", "灯塔"].sort());
    expect(analyse("ﬁle ＡＢ")).toEqual(analyse("file AB"));
  });

  it("a very long term is cut, never within a character", () => {
    for (const term of [...analyse("a".repeat(20_000)), ...analyse(`${"ᚠ".repeat(MAX_TERM_LENGTH - 1)}𐐷𐐷`)]) {
      expect(term.length).toBeLessThanOrEqual(MAX_TERM_LENGTH);
      expect(Buffer.from(term).toString()).toBe(term);
    }
  });

  it("a query uses at most a fixed number of terms", () => {
    expect(analyseQuery("word1 ".repeat(5000))).toHaveLength(MAX_QUERY_TERMS);
  });

  it("words of a known language are indexed by their stems, so that inflections match", () => {
    const stems = (text: string) =>
      [...weightedTerms(text).keys()].filter((term) => /^[a-z]{2}:/.test(term)).sort();
    expect(stems("Der Befehl vergleicht die sortierten Dateien.")).toEqual([
      "de:befehl",
      "de:datei",
      "de:sortiert",
      "de:vergleicht",
    ]);
    expect(analyseQuery("Wie sortiere ich eine Datei?")).toContain("de:datei");
    expect(stems("Les fichiers sont affichés dans une liste.")).toContain("fr:affich");
    expect(analyseQuery("Comment afficher les fichiers ?")).toContain("fr:affich");
    expect(stems("Los procesos que están en la cola")).toContain("es:proces");
    expect(analyseQuery("¿Dónde está el proceso?")).toContain("es:proces");
    expect(stems("The command compares sorted files.")).toEqual([]);
  });

  it("a query has whole words in addition to stems, to match older indexes and unknown languages", () => {
    const asked = analyseQuery("Wie lösche ich ein Verzeichnis?");
    expect(asked).toEqual(["de:losch", "lösche", "de:verzeichnis", "verzeichni"]);
    for (const term of ["lösche", "verzeichni"]) expect(analyse("lösche Verzeichnis")).toContain(term);
  });

  it("stop words of the query's language are dropped unless there are no other words", () => {
    expect(analyseQuery("Wo ist das?").length).toBeGreaterThan(0);
    expect(analyseQuery("Wo ist das Verzeichnis?")).toEqual(["de:verzeichnis", "verzeichni"]);
  });

  it("words of a question are found in other inflections, without stop words of its language", () => {
    const { found, missing } = namedWords("Wie ändere ich die Zeitzone?")(
      "So werden die Zeitzonen geändert.",
    );
    expect({ found, missing }).toEqual({ found: ["ändere", "Zeitzone"], missing: 0 });
    expect(namedWords("Comment afficher les processus ?")("Il affiche un dossier.")).toEqual({
      found: ["afficher"],
      missing: 1,
    });
    expect(namedWords("怎么更改时区？")("更改时区")).toEqual({ found: ["更改", "改时", "时区"], missing: 0 });
  });

  it("a query has the same terms, whether or not its words are indexed", () => {
    const query = "Where do the quaxelings of PARSE_quaxeling run, and how? 量化器";
    const before = analyseQuery(query);
    weightedTerms(`${query} quaxelings the where`);
    expect(analyseQuery(query)).toEqual(before);
    expect(analyseQuery(query, { language: undefined })).toEqual(before);
    expect(before).not.toContain("the");
    expect(namedWords(query)("of quaxelings").found).toEqual(["quaxelings"]);
  });

  it("only the beginning of a very long word is stemmed", () => {
    const text = `der die das ${"ü".repeat(1 << 20)} und nicht`;
    for (const term of weightedTerms(text).keys())
      expect(term.length).toBeLessThanOrEqual(MAX_TERM_LENGTH + 3);
    expect(analyseQuery(text).every((term) => term.length <= MAX_TERM_LENGTH + 3)).toBe(true);
  });

  it("words such as constructor and __proto__ are counted like any other word", () => {
    expect(weightedTerms("__proto__ constructor constructor").get("constructor")).toBe(2);
    expect(weightedLength(weightedTerms("one two", "two"))).toBe(4);
  });
});
