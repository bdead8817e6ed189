import { describe, expect, test } from "vitest";
import { atOnce } from "../../../src/base/event-loop.ts";
import { workspaceId } from "../../../src/domain/ids.ts";
import { fileFor, TopicFiles } from "../../../src/memory/facts/choose-fact-file.ts";
import type { Fact } from "../../../src/memory/facts/fact.ts";
import type { FactFile } from "../../../src/memory/facts/fact-file.ts";
import { mergeSteps } from "../../../src/memory/facts/merge-facts.ts";
import { ruleExtractor } from "../../../src/memory/rule-extractor.ts";
import { conversation, type Line, tool } from "./conversation.ts";

const extract = (lines: readonly Line[]): Promise<Fact[]> =>
  ruleExtractor.extract({ utterances: conversation(lines) }, new AbortController().signal, {
    workspace: workspaceId(1),
  });

const said = async (...texts: string[]) =>
  (await extract(texts.map((text) => ["user", text] as const))).map(
    ({ category, text }) => `${category}: ${text}`,
  );

describe("statements of the user", () => {
  test.each([
    [
      "My name is Bob Carver and I live in Ljubljana.",
      ["profile: The user is called Bob Carver", "profile: The user lives in Ljubljana"],
    ],
    ["I work as a marine biologist.", ["profile: The user works as a marine biologist"]],
    ["I am allergic to peanuts, so no satay please.", ["profile: The user is allergic to peanuts"]],
    ["I am 41 years old.", ["profile: The user is 41 years old"]],
    [
      "I always constructor the whole thing before lunch.",
      ["patterns: The user always constructors the whole thing before lunch"],
    ],
    ["I don't like horror movies.", ["preferences: The user dislikes horror movies"]],
    ["I prefer tabs over spaces.", ["preferences: The user prefers tabs over spaces"]],
    ["My favourite editor is Helix.", ["preferences: The user's favourite editor is Helix"]],
    ["My manager is Dana Whitfield.", ["profile: The user's manager is Dana Whitfield"]],
    ["Atlas runs on Kubernetes in Frankfurt.", ["entities: Atlas runs on Kubernetes in Frankfurt"]],
    ["Please always answer in German.", ["preferences: The user wants: always answer in German"]],
    [
      "From now on use pnpm instead of npm.",
      ["preferences: The user wants: From now on use pnpm instead of npm"],
    ],
    [
      "Always run the tests before you push.",
      ["patterns: The user wants: Always run the tests before you push"],
    ],
    [
      "I always run the linter before committing.",
      ["patterns: The user always runs the linter before committing"],
    ],
    ["我叫林晓，住在杭州。", ["profile: 用户名叫林晓"]],
    ["我住在杭州，我是一名后端工程师。", ["profile: 用户住在杭州", "profile: 用户是后端工程师"]],
    ["我对花生过敏。", ["profile: 用户对花生过敏"]],
    ["我喜欢喝龙井茶，不过我不喜欢咖啡。", ["preferences: 用户喜欢喝龙井茶"]],
    ["我的同事叫王芳。", ["entities: 王芳是用户的同事"]],
    ["以后都用中文写提交说明。", ["preferences: 用户希望：以后都用中文写提交说明"]],
  ])("facts are extracted from the statement: %s", async (text, facts) => {
    expect(await said(text)).toEqual(expect.arrayContaining(facts));
  });

  test.each([
    ["We now live in Lübeck.", ["profile: The user lives in Lübeck"]],
    [
      "I work as a nurse at the UKE, night shifts on Tuesdays.",
      ["profile: The user works as a nurse at the UKE", "profile: The user works night shifts on Tuesdays"],
    ],
    ["We have two kids, Emil and Frida.", ["profile: The user has two kids: Emil and Frida"]],
    ["I use pnpm, never npm.", ["preferences: The user uses pnpm, never npm"]],
    ["My timezone is Europe/Berlin.", ["profile: The user's timezone is Europe/Berlin"]],
    [
      "Remember that the deploy key is rotated every Friday.",
      ["entities: The user asked to remember: the deploy key is rotated every Friday"],
    ],
    [
      "I'm vegetarian and allergic to hazelnuts.",
      ["profile: The user is vegetarian", "profile: The user is allergic to hazelnuts"],
    ],
    ["My boss is Dr. Weber.", ["profile: The user's boss is Dr. Weber"]],
    [
      "My wife Clara is pregnant and due in March.",
      ["profile: The user's wife is Clara", "entities: Clara is pregnant", "entities: Clara is due in March"],
    ],
    [
      "Ich wohne in Hamburg und arbeite bei der Sparkasse.",
      ["profile: Der Nutzer wohnt in Hamburg", "profile: Der Nutzer arbeitet bei der Sparkasse"],
    ],
    [
      "Mein Mann heißt Stefan und ist Koch.",
      ["profile: Der Mann des Nutzers ist Stefan", "entities: Stefan ist Koch"],
    ],
    ["Ich habe am 12. April Geburtstag.", ["profile: Der Nutzer hat am 12. April Geburtstag"]],
    [
      "J'habite à Lille et je travaille chez Decathlon.",
      ["profile: L'utilisateur habite à Lille", "profile: L'utilisateur travaille chez Decathlon"],
    ],
    ["Mon chef est M. Lefèvre.", ["profile: Le chef de l'utilisateur est M. Lefèvre"]],
    ["我们住在上海浦东。", ["profile: 用户住在上海浦东"]],
    ["我们每周三发布新版本。", ["profile: 用户每周三发布新版本"]],
  ])("a fact names the user in the third person, in the statement's language: %s", async (text, facts) => {
    expect(await said(text)).toEqual(expect.arrayContaining(facts));
  });

  /** Expects all known facts after each statement. */
  test.each([
    ["I moved from Lisbon to Ghent last spring.", ["profile: The user moved from Lisbon to Ghent"]],
    ["We moved from Oslo to Bergen.", ["profile: The user moved from Oslo to Bergen"]],
    [
      "My wife Clara teaches physics and our son Theo just turned six.",
      [
        "profile: The user's wife is Clara",
        "entities: Clara teaches physics",
        "entities: Theo is the user's son",
        "entities: Theo just turned six",
      ],
    ],
    ["I quit smoking two years ago.", ["preferences: The user quit smoking two years ago"]],
    ["I no longer take the bus to work.", ["profile: The user no longer takes the bus to work"]],
    ["Instead of Slack we use Mattermost.", ["preferences: The user uses Mattermost instead of Slack"]],
    [
      "I've decided to go with Postgres rather than MongoDB for the bookings.",
      ["preferences: The user chose Postgres over MongoDB for the bookings"],
    ],
    [
      "I work as a nurse at St. Mary's Hospital.",
      ["profile: The user works as a nurse at St. Mary's Hospital"],
    ],
    ["My father died when I was ten.", ["entities: The user's father died"]],
    [
      "Ich bin letztes Jahr von Hamburg nach Leipzig gezogen.",
      ["profile: Der Nutzer ist von Hamburg nach Leipzig gezogen"],
    ],
    ["Frau Dr. Weber ist meine Hausärztin.", ["profile: Die Hausärztin des Nutzers ist Frau Dr. Weber"]],
    [
      "Unsere Vermieterin Frau Schulz ist sehr nett.",
      ["profile: Die Vermieterin des Nutzers ist Frau Schulz"],
    ],
    ["Mein Bruder ist Tischler in Bremen.", ["entities: Der Bruder des Nutzers ist Tischler in Bremen"]],
    [
      "Ich habe mich für Rust statt Go entschieden.",
      ["preferences: Der Nutzer hat sich für Rust statt Go entschieden"],
    ],
    ["J'ai déménagé de Lyon à Nantes.", ["profile: L'utilisateur a déménagé de Lyon à Nantes"]],
    ["Le docteur Petit est mon médecin.", ["profile: Le médecin de l'utilisateur est le docteur Petit"]],
    [
      "On utilise maintenant GitLab au lieu de GitHub.",
      [
        "preferences: L'utilisateur utilise GitLab au lieu de GitHub",
        "preferences: L'utilisateur n'utilise plus GitHub",
      ],
    ],
    ["Mon père est boulanger.", ["entities: Le père de l'utilisateur est boulanger"]],
    ["我去年从上海搬到了成都。", ["profile: 用户从上海搬到成都"]],
    ["王医生是我的牙医。", ["profile: 用户的牙医是王医生"]],
    ["我们现在用 GitLab 代替 GitHub。", ["preferences: 用户用 GitLab 代替 GitHub"]],
    ["我最喜欢的作家是鲁迅。", ["preferences: 用户最喜欢的作家是鲁迅"]],
  ])("facts are extracted from everyday speech in four languages: %s", async (text, facts) => {
    expect((await said(text)).sort()).toEqual([...facts].sort());
  });

  test("temporary states and current work produce no facts, in any language", async () => {
    const nothing = [
      "I was thinking of moving from Paris to London.",
      "I love it when you explain things.",
      "Everyone calls me when something breaks.",
      "I chose the blue one over the red one.",
      "Wir wollten von Köln nach Bonn ziehen.",
      "Der Server läuft nicht.",
      "Le docteur Blanc est absent.",
      "Ma fille est malade.",
      "我想从北京搬到上海。",
      "他从上海搬到了杭州。",
      "My build is failing.",
      "Our API is returning 500s.",
      "Our database is slow today.",
      "My question is about the cache.",
      "I use the map function here and get an error.",
      "I use it every day.",
      "I work on the parser today.",
      "Wir haben ein Problem mit dem Build.",
      "Ich habe das schon versucht.",
      "Wenn ich in Rom wohne, esse ich Eis.",
      "J'ai un problème avec le serveur.",
      "Si j'habite à Rome, je mange des glaces.",
      "我用这个函数的时候报错了。",
    ];
    expect(await said(...nothing)).toEqual([]);
  });

  /** The facts known after both sentences, then the facts known before. */
  test.each([
    [
      "I live in Hamburg.",
      "We moved to Lisbon in May.",
      ["The user moved to Lisbon in May"],
      ["The user lives in Hamburg"],
    ],
    [
      "I live in Hamburg and write code in Emacs.",
      "I moved from Emacs to Neovim in January.",
      ["The user lives in Hamburg", "The user moved from Emacs to Neovim"],
      [],
    ],
    [
      "I work at Siemens.",
      "I started a new job at Bosch last week.",
      ["The user works at Bosch"],
      ["The user works at Siemens"],
    ],
    [
      "I like coffee.",
      "I no longer drink coffee.",
      ["The user no longer drinks coffee"],
      ["The user likes coffee"],
    ],
    [
      "We use Jenkins.",
      "We now use GitHub Actions instead of Jenkins.",
      [
        "The user no longer uses Jenkins but GitHub Actions",
        "The user uses GitHub Actions instead of Jenkins",
      ],
      ["The user uses Jenkins"],
    ],
    ["My boss is Ravi.", "My new boss is Mei.", ["The user's boss is Mei"], ["The user's boss is Ravi"]],
    [
      "Releases are on Thursdays.",
      "Releases have moved to Tuesday.",
      ["The user's releases moved to Tuesday"],
      ["The user's releases are on Thursdays"],
    ],
    [
      "I prefer tabs over spaces.",
      "I prefer spaces over tabs.",
      ["The user prefers spaces over tabs"],
      ["The user prefers tabs over spaces"],
    ],
    [
      "Ich wohne in Köln.",
      "Wir sind nach Bremen gezogen.",
      ["Der Nutzer ist nach Bremen gezogen"],
      ["Der Nutzer wohnt in Köln"],
    ],
    [
      "Ich trinke gern Kaffee.",
      "Ich trinke keinen Kaffee mehr.",
      ["Der Nutzer trinkt keinen Kaffee mehr"],
      ["Der Nutzer trinkt gern Kaffee"],
    ],
    [
      "J'habite à Paris.",
      "J'ai déménagé à Lyon.",
      ["L'utilisateur a déménagé à Lyon"],
      ["L'utilisateur habite à Paris"],
    ],
    [
      "Je bois du café.",
      "Je ne bois plus de café.",
      ["L'utilisateur ne boit plus de café"],
      ["L'utilisateur boit du café"],
    ],
    ["我喜欢喝咖啡。", "我现在不喝咖啡了，改喝茶。", ["用户不再喝咖啡", "用户喝茶"], ["用户喜欢喝咖啡"]],
  ])("a later statement supersedes the earlier one: %s %s", async (before, after, now, earlier) => {
    const files = new Map<string, FactFile>();
    const names = new Map<string, TopicFiles>();
    for (const fact of await extract([
      ["user", before],
      ["user", after],
    ])) {
      const known = names.get(fact.category) ?? new TopicFiles();
      names.set(fact.category, known);
      const path = `${fact.category}/${fileFor(fact, known)}`;
      const { category, topic } = fact;
      const file = files.get(path) ?? { category, topic, facts: [], earlier: [] };
      files.set(path, atOnce(mergeSteps(file, [{ ...fact, sources: [] }])).file);
    }
    const all = [...files.values()];
    expect(all.flatMap(({ facts }) => facts.map(({ text }) => text)).sort()).toEqual([...now].sort());
    expect(all.flatMap(({ earlier }) => earlier.map(({ text }) => text))).toEqual(earlier);
  });

  test("questions, conditions and quotations produce no facts", async () => {
    const nothing = [
      "Hello, how are you?",
      "If I live in Berlin one day, I will cycle.",
      "Do you think I like tea?",
      "I wish I lived in Rome.",
      "I would love that!",
      "I love it when you say that.",
      "The things I love make me happy.",
      "```\nI prefer tabs over spaces.\n```",
      "> I work as a pilot.",
      "I love the idea!",
      "我可能喜欢茶。",
      "你喜欢什么？",
    ];
    expect(await said(...nothing)).toEqual([]);
  });

  test("an assistant's statements about itself produce no facts, but those of a named person do", async () => {
    expect(
      await extract([
        ["user", "What do you like?"],
        ["assistant", "I prefer tabs over spaces and I am allergic to peanuts."],
      ]),
    ).toEqual([]);
    const talk = await extract([
      ["user", "[9:14 am on 3 May, 2024] Ada: I moved to Lisbon last week."],
      ["assistant", "[9:15 am on 3 May, 2024] Ben: Nice! I play the cello now."],
      ["user", "[9:16 am on 3 May, 2024] Ada: My brother Carl is jealous."],
    ]);
    expect(talk).toEqual([
      {
        category: "profile",
        topic: "profile",
        text: "Ada moved to Lisbon",
        replaces: "home",
        slot: "home",
        sources: ["m1"],
        date: "2024-05-03",
      },
      {
        category: "entities",
        topic: "Ben",
        text: "Ben plays the cello",
        sources: ["m2"],
        date: "2024-05-03",
      },
      {
        category: "entities",
        topic: "Carl",
        text: "Carl is Ada's brother",
        slot: "relation",
        sources: ["m3"],
        date: "2024-05-03",
      },
    ]);
  });
});

describe("a coding agent", () => {
  test("a problem, its fix and the confirmation produce one case", async () => {
    const facts = await extract([
      ["user", "npm run build fails with TS5097 since I added the .ts extensions."],
      ["assistant", "I'll look at the configuration.", tool("read_file", { path: "tsconfig.json" }, "{}")],
      [
        "assistant",
        "Set allowImportingTsExtensions in tsconfig.json; TypeScript refuses .ts imports without it.",
        tool("edit_file", { path: "tsconfig.json" }, "ok"),
      ],
      ["user", "Great, it works now. Let's go on with the docs."],
    ]);
    expect(facts.map(({ category, sources }) => [category, sources])).toEqual([
      ["cases", ["m1", "m2", "m3", "m4"]],
    ]);
    expect(facts[0]!.text).toMatch(
      /^Problem: npm run build fails with TS5097[\s\S]*Resolution:\n[\s\S]*edit_file[\s\S]*allowImportingTsExtensions/,
    );
  });

  test("a failed call that later succeeds in another form produces a case, and a repeated call does not", async () => {
    const facts = await extract([
      [
        "assistant",
        "Running the tests.",
        tool("shell", { command: "pytest" }, "E   ModuleNotFoundError: No module named 'yaml'", "error"),
      ],
      [
        "assistant",
        "The package is missing.",
        tool("shell", { command: "pip install pyyaml && pytest" }, "12 passed"),
      ],
      ["assistant", "Once more.", tool("fetch", { url: "a" }, "503 error", "error")],
      ["assistant", "Again.", tool("fetch", { url: "a" }, "200")],
    ]);
    expect(facts.map(({ text }) => text)).toEqual([
      `Problem: shell failed: E ModuleNotFoundError: No module named 'yaml'\n\nResolution:\n- shell: {"command":"pip install pyyaml && pytest"}`,
    ]);
  });

  test("a problem and its fix in one message, or in Chinese messages, produce a case", async () => {
    const one = await extract([
      ["user", "The build failed because the cache was stale; clearing the cache fixed it."],
    ]);
    expect(one.map(({ text }) => text)).toEqual([
      "Problem: The build failed because the cache was stale\n\nResolution:\n- clearing the cache fixed it.",
    ]);
    const chinese = await extract([
      ["user", "部署脚本报错了，一直超时。"],
      ["assistant", "数据库连接池太小，把 pool_size 从 5 改成 20 就不会再等待连接了。"],
      ["user", "好了，现在正常了，谢谢。"],
    ]);
    expect(chinese.map(({ category }) => category)).toEqual(["cases"]);
    expect(chinese[0]!.text).toContain("pool_size");
  });

  test("an unsolved problem produces no case", async () => {
    expect(
      await extract([
        ["user", "The build fails."],
        ["assistant", "Try to clear the cache of the bundler and build it again."],
        ["user", "It still does not work."],
      ]),
    ).toEqual([]);
  });

  test("a repeated sequence of tool calls produces one pattern, and its parts produce none", async () => {
    const round = (n: number): Line => [
      "assistant",
      `Round ${n}`,
      tool("edit_file", { n }, "ok"),
      tool("run_tests", { n }, "green"),
      tool("git_commit", { n }, "done"),
    ];
    const facts = await extract([1, 2, 3].map(round));
    expect(facts.map(({ category, text }) => [category, text])).toEqual([
      ["patterns", "Works in this order: edit_file → run_tests → git_commit (3 times)"],
    ]);
  });
});

test("extracting facts from a long archive yields to the event loop", async () => {
  const lines = Array.from({ length: 2000 }, (_, i): Line => ["user", `I like fruit number ${i}.`]);
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const found = await extract(lines);
  clearInterval(timer);
  expect(found.length).toBe(2000);
  expect(turns).toBeGreaterThan(0);
});
