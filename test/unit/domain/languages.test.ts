import { describe, expect, it } from "vitest";
import { cjkContent, languageOf, languageOfParts, stopWordsOf } from "../../../src/domain/text/languages.ts";

describe("the language of a text", () => {
  it.each([
    ["de", "Wie ändere ich die Zeitzone?"],
    ["de", "Dieses Kapitel beschreibt, wie Pakete installiert werden und was dabei zu beachten ist."],
    ["de", "Würstchen"],
    ["fr", "Comment changer le fuseau horaire ?"],
    ["fr", "Affiche les fichiers qui sont ouverts par un processus."],
    ["es", "¿Cómo cambio la zona horaria?"],
    ["es", "mostrar el nombre de los ficheros que están en la cola"],
    ["de", "Wie a\u0308ndere ich die Zeitzone u\u0308berall?"],
    ["fr", "la page de manuel a été écrite par un développeur"],
    ["it", "Come posso cambiare il fuso orario della macchina? Quale comando devo usare?"],
    ["pt", "Você não pode mudar o fuso horário"],
    ["nl", "Hoe kan ik de tijdzone wijzigen en welke opdracht is dat?"],
  ])("the language is detected as %s: %s", (language, text) => {
    expect(languageOf(text)).toBe(language);
  });

  it.each([
    "how do I change the time zone?",
    "why does a process die in the queue?",
    "import os\nimport sys\n\ndef main(args):\n    return os.path.join(args.con, 'des')",
    "Zürich is a city in Switzerland and a die is cast there",
    "def f(s, d, l):\n    return s + d + l",
    "Ludwig van Beethoven and Juan de la Cruz met in Los Angeles",
    "怎样更改时区？",
    "la de",
    "",
  ])("no language is detected for English, code and unknown text: %s", (text) => {
    expect(languageOf(text)).toBeUndefined();
  });
});

describe("the language of a hostile text", () => {
  it.each([
    ["one run of letters", "ä".repeat(1 << 20)],
    ["function words of all languages", "der les los gli het uma ".repeat(50_000)],
    ["letters without words", "\u0301".repeat(1 << 20)],
  ])("the language of a hostile text is detected from its beginning alone: %s", (_name, text) => {
    expect(languageOf(text)).toBe(languageOf(text.slice(0, 800)));
  });
});

describe("the language of a document", () => {
  it("a document has the most frequent language of the parts whose language is known", () => {
    expect(languageOfParts(["de", undefined, "de", "fr", undefined])).toBe("de");
  });

  it("a document has no language if the language of few of its parts is known", () => {
    expect(languageOfParts(["de", ...Array.from({ length: 12 }, () => undefined)])).toBeUndefined();
    expect(languageOfParts([])).toBeUndefined();
  });
});

describe("stop words", () => {
  it("stop words are those of the query's language", () => {
    expect(stopWordsOf("de").has("welcher")).toBe(true);
    expect(stopWordsOf("fr").has("welcher")).toBe(false);
    expect(stopWordsOf("es").has("cuándo")).toBe(true);
  });
});

describe("the content of a Chinese or Japanese question", () => {
  it("the content of a Chinese or Japanese question is the text between its function words", () => {
    expect(cjkContent("怎样更改时区")).toEqual(["更改时区"]);
    expect(cjkContent("我的猫不喜欢吃鱼")).toEqual(["猫不喜欢吃鱼"]);
    expect(cjkContent("是什么")).toEqual(["是什么"]);
    expect(cjkContent("ファイルの名前")).toEqual(["ファイルの名前"]);
    expect(cjkContent("ファイルを比較するにはどうすればよいですか")).toEqual(["ファイルを比較するには"]);
    expect(cjkContent("どうすればよいですか")).toEqual(["どうすればよいですか"]);
  });
});
