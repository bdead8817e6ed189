import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT_KEY, type Served, serve } from "../support/served.ts";

interface Answer {
  readonly result: {
    readonly resources: readonly { readonly uri: string; readonly score: number; readonly match: string }[];
  };
}

/** Language, matching document, another document that shares words with the question, question. */
const CASES: readonly (readonly [string, string, string, string])[] = [
  [
    "de",
    "Dieses Programm vergleicht sortierte Dateien und zeigt die Unterschiede zwischen den Zeilen an.",
    "Das Programm wird verwendet, wenn ein Drucker nicht mehr mit dem Rechner verbunden ist.",
    "Mit welchem Programm kann ich eine sortierte Datei mit einer anderen vergleichen?",
  ],
  [
    "fr",
    "Cette commande affiche les fichiers qui ont été modifiés dans un répertoire pendant la dernière semaine.",
    "Cette commande est utilisée pour arrêter une imprimante dans le réseau.",
    "Quelle commande permet d'afficher un fichier modifié ?",
  ],
  [
    "es",
    "Este programa muestra los procesos que se están ejecutando y las señales enviadas por ellos.",
    "Este programa sirve para configurar una impresora en la red de una oficina.",
    "¿Qué programa puede mostrar un proceso en ejecución?",
  ],
  ["zh", "该命令用于按行比较两个已排序的文件。", "该命令用于设置网络打印机的地址。", "怎么比较两个文件？"],
  [
    "ja",
    "ソートされた二つのファイルを行単位に比較する。",
    "ネットワークのプリンタを設定する。",
    "ファイルを比較するにはどうすればよいですか？",
  ],
];

describe("questions in languages that the built-in model does not read", () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve({ CTXDB_EMBEDDING_PROVIDER: "light" });
    for (const [language, right, other] of CASES)
      for (const [name, content] of [
        ["right", right],
        ["other", other],
      ])
        await served.rest(ROOT_KEY, "POST content/write", {
          uri: `ctx://resources/words/${language}-${name}.md`,
          content,
          mode: "create",
          wait: true,
        });
  });
  afterAll(() => served.close());

  it("a German question finds a line among English options in a partly translated page", async () => {
    const english = (name: string) =>
      `- \`--${name}\`: ${`Set the ${name} of the account and report what was done for each of them. `.repeat(3)}`;
    const page = [
      "Dieses Programm ändert das Passwort eines Benutzers, wenn dieser die Rechte dafür hat.",
      `## Options\n\n${english("expiry")}\n- \`--lock\`: Sperrt das Passwort des bezeichneten Kontos.\n${english("shell")}`,
    ];
    await served.rest(ROOT_KEY, "POST content/write", {
      uri: "ctx://resources/pages/password.md",
      content: `${page.join("\n\n")}\n`,
      mode: "create",
      wait: true,
    });
    await served.rest(ROOT_KEY, "POST content/write", {
      uri: "ctx://resources/pages/account.md",
      content: "Dieses Programm zeigt das Konto, mit dem der Rechner verbunden ist.\n",
      mode: "create",
      wait: true,
    });
    const { result } = (await served.rest(ROOT_KEY, "POST search/find", {
      query: "Wie sperre ich das Konto eines Benutzers?",
      target_uri: ["ctx://resources/pages/password.md", "ctx://resources/pages/account.md"],
    })) as Answer;
    expect(result.resources[0]?.match).toContain("Sperrt das Passwort");
  });

  it.each(CASES)(
    "a question finds the document in its own language first, in any inflection: %s",
    async (language, _right, _other, query) => {
      const { result } = (await served.rest(ROOT_KEY, "POST search/find", {
        query,
        target_uri: "ctx://resources/words",
        limit: 3,
      })) as unknown as Answer;
      expect(result.resources[0]?.uri).toBe(`ctx://resources/words/${language}-right.md`);
    },
  );

  it.each([
    "Wie wird ein Kuchen mit Äpfeln gebacken, wenn kein Ofen vorhanden ist?",
    "Quelle est la hauteur de la tour et combien coûte la visite ?",
    "¿Cuánto cuesta un billete de tren para viajar mañana?",
    "明天上海会下雨吗？",
    "明日の天気はどうですか？",
  ])("a question in another language scores unrelated documents below .4: %s", async (query) => {
    const { result } = (await served.rest(ROOT_KEY, "POST search/find", { query })) as unknown as Answer;
    for (const { score } of result.resources) expect(score).toBeLessThan(0.4);
  });

  it.each([
    ["how do I remove red wine stains from a carpet?", "en"],
    ["which planet has the most moons?", "en"],
    ["Wie lange muss ein Ei kochen, bis es hart ist?", "de"],
    ["Welcher Zug fährt morgen nach Hamburg, und was kostet er?", "de"],
    ["Combien de temps faut-il cuire un œuf ?", "fr"],
    ["Le train était encore en retard ce matin", "fr"],
    ["鸡蛋要煮多久？", "zh"],
    ["明天上海会下雨吗？", "zh"],
  ])("an unrelated question scores every document below .4: %s", async (query) => {
    const { result } = (await served.rest(ROOT_KEY, "POST search/find", { query })) as unknown as Answer;
    expect(result.resources.length).toBeGreaterThan(0);
    for (const { uri, score } of result.resources) expect(score, uri).toBeLessThan(0.4);
  });
});
