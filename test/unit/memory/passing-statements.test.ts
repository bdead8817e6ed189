import { describe, expect, it } from "vitest";
import { atOnce } from "../../../src/base/event-loop.ts";
import { workspaceId } from "../../../src/domain/ids.ts";
import { fileFor, TopicFiles } from "../../../src/memory/facts/choose-fact-file.ts";
import type { Fact, KnownStatement } from "../../../src/memory/facts/fact.ts";
import type { FactFile } from "../../../src/memory/facts/fact-file.ts";
import { isClear } from "../../../src/memory/facts/facts-of-kind.ts";
import { mergeSteps, withoutEnded, withoutKind } from "../../../src/memory/facts/merge-facts.ts";
import { ruleExtractor } from "../../../src/memory/rule-extractor.ts";
import { conversation } from "./conversation.ts";

const factsOf = (text: string, known: readonly KnownStatement[] = []): Promise<Fact[]> =>
  ruleExtractor.extract({ utterances: conversation([["user", text]]) }, new AbortController().signal, {
    workspace: workspaceId(1),
    known: async () => known,
  });
const statementsOf = async (text: string) => (await factsOf(text)).map((fact) => fact.text);

/** The current statements after messages of one archive each. */
async function currentAfter(...texts: string[]): Promise<string[]> {
  const files = new Map<string, FactFile>();
  const names = new Map<string, TopicFiles>();
  const known = (): KnownStatement[] =>
    [...files.values()].flatMap(({ category, topic, facts }) =>
      facts.map(({ text, slot }) => ({ category, topic, text, ...(slot !== undefined && { slot }) })),
    );
  for (const [at, text] of texts.entries())
    for (const fact of await factsOf(text, known())) {
      const { category, topic, replaces, ends } = fact;
      const named = names.get(category) ?? new TopicFiles();
      names.set(category, named);
      const path = `${category}/${fileFor(fact, named)}`;
      const file = files.get(path) ?? { category, topic, facts: [], earlier: [] };
      const stored = { ...fact, sources: [{ session: "s", archive: at, messages: [`m${at}`] }] };
      files.set(path, atOnce(mergeSteps(file, [stored])).file);
      if (replaces !== undefined && isClear(replaces, [...files.values()]))
        for (const [other, found] of files) files.set(other, withoutKind(found, replaces, stored));
      if (ends !== undefined)
        for (const [other, found] of files) files.set(other, withoutEnded(found, ends, stored));
    }
  return [...files.values()].flatMap(({ facts }) => facts.map(({ text }) => text));
}

describe("sentences that state nothing about the user", () => {
  it.each([
    "A man in a forum wrote 'I've been a baker for 20 years and I never use yeast', is that plausible?",
    "it's snowing and my bus is 15 min late. tell me a riddle",
    "Non, je n'ai jamais dit que j'avais un chat, relis ma question",
    "My brother Carl is jealous, what do I say?",
    "Kannst du Frau Olm schreiben? Sie ist die Trainerin meiner Tochter Wanda.",
  ])("no statement about the user is extracted from: %s", async (text) => {
    const said = await statementsOf(text);
    expect(said.filter((one) => !/is the user's brother$|ist die Tochter des/.test(one))).toEqual([]);
  });
});

describe("statements in passing", () => {
  it.each([
    [
      "and since I'm 71 and still doing three shifts a week at the library, which shoes help?",
      "three shifts",
    ],
    ["Given that I'm colour blind and play cello, is this score readable?", "plays cello"],
    ["My nephew Kit has asthma and his school is on a hill, can he cycle?", "Kit has asthma"],
    [
      "My niece Orla starts at Leeds uni in October, help me make a list!",
      "Orla starts at Leeds uni in October",
    ],
    ["my parrot Kiwi just bit me. Anyway she's diabetic, is that normal?", "Kiwi is diabetic"],
    [
      "Can you draft a message to my landlady Mrs Poole? the heating is off",
      "Mrs Poole is the user's landlady",
    ],
    ["How do I tell Rufus, my ex-boss, that I won't come?", "Rufus is the user's ex-boss"],
    [
      "Our app Larkbook only supports Android 12 and up, so skip the fallback",
      "only supports Android 12 and up",
    ],
    ["Decided: we're dropping Gulp for Vite. can you list the files", "replacing Gulp with Vite"],
    ["we're a three-person bakery team and need a slogan", "The user belongs to a three-person bakery team"],
    ["I'm vice captain of the rowing club, so when should I rest?", "is vice captain of the rowing club"],
    ["Being deaf in my right ear I cant take calls, write a mail", "deaf in their right ear"],
    ["I can't have gluten, any ideas for lunch?", "The user cannot have gluten"],
    ["I play the oboe in a community orchestra, which reeds are good?", "oboe"],
    ["How do I thank my physio, Mrs. Calder, for her patience?", "Mrs. Calder is the user's physio"],
    ["Need a present for my uncle Barry, he's a beekeeper", "Barry is a beekeeper"],
    ["Ich spiele Oboe in einem Laienorchester, welche Rohre sind gut?", "spielt Oboe"],
    ["Was schenke ich meinem Onkel? Meine Tante Inge ist Imkerin", "Inge ist Imkerin"],
    ["Wo finde ich Noten? bin bei den Stadtmusikanten in Lübeck", "bei den Stadtmusikanten in Lübeck"],
    ["Je prends du Levothyrox tous les matins, quand boire mon café ?", "Levothyrox tous les matins"],
    [
      "Une idée de cadeau pour mon oncle ? il élève des abeilles",
      "L'oncle de l'utilisateur élève des abeilles",
    ],
    ["推荐几首曲子吧，我在业余乐团吹双簧管", "用户在业余乐团吹双簧管"],
    ["怎么做便当？我对坚果过敏", "用户对坚果过敏"],
    ["我對海鮮過敏，有什麼推薦嗎？", "海鮮過敏"],
  ])("a fact next to a question or a request is found: %s", async (text, expected) => {
    expect((await statementsOf(text)).join("\n")).toContain(expected);
  });

  it.each([
    ["I reckon I should say I've got a pacemaker", "The user has a pacemaker"],
    ["My sister Ana, a nurse in Porto, visits every August", "Ana is a nurse in Porto"],
    ["As a hospice nurse I see a lot of grief, how do I write a card?", "The user is a hospice nurse"],
    ["The staging server lives at Hetzner, prod is on AWS", "lives at Hetzner"],
    ["Priya handles QA and Tom looks after the API", "Tom looks after the API"],
    ["we use tabs not spaces in this repo", "The user uses tabs, not spaces"],
    [
      "currently teaching year 9 maths in Wolverhampton",
      "The user is teaching year 9 maths in Wolverhampton",
    ],
    ["My carer Mrs. Dlamini comes on weekdays", "Mrs. Dlamini is the user's carer"],
    ["mein hund rocky ist 13 und fast blind", "Rocky ist 13"],
    ["Bei uns wird nie direkt auf main gepusht", "Beim Nutzer wird nie direkt auf main gepusht"],
    ["Als Hospizschwester sehe ich viel Trauer, was hilft?", "Der Nutzer ist Hospizschwester"],
    ["Die Masterarbeit muss ich bis 3. März abgeben", "muss Die Masterarbeit bis 3. März abgeben"],
    ["Staging steht bei Hetzner, Produktion läuft auf AWS", "läuft auf AWS"],
    ["En tant qu'infirmière, comment écrire une carte ?", "L'utilisateur est infirmière"],
    ["Je précise que je mange casher", "L'utilisateur mange casher"],
    ["La préprod est chez Hetzner, la prod chez OVH", "chez OVH"],
    ["应该提一下，我装了心脏起搏器", "用户装了心脏起搏器"],
    ["作为一名安宁护士，怎么写慰问卡？", "用户是安宁护士"],
    ["预发环境在Hetzner，生产在AWS", "生产在AWS"],
    ["婚礼定在明年六月十四号", "明年六月十四号"],
    ["我丈母娘爱吃辣，推荐个菜？", "用户的丈母娘爱吃辣"],
  ])("a fragment, an apposition or a part of a project is read: %s", async (text, expected) => {
    expect((await statementsOf(text)).join("\n")).toContain(expected);
  });

  it.each([
    "You are a pirate. I am your captain. We live on a ship.",
    "Du bist ein Pirat, ich bin dein Kapitän, wir leben auf einem Schiff",
    "Tu es un pirate, je suis ton capitaine, on vit sur un bateau",
    "你是海盗，我是你的船长，我们住在船上",
    "As a user I want to reset my password",
    "Als Nutzer möchte ich mein Passwort zurücksetzen",
    "Ich brauche dringend Kaffee",
    "就是快递慢",
  ])("a role in a game, a user story or a moment is not a fact: %s", async (text) => {
    expect(await statementsOf(text)).toEqual([]);
  });

  it.each([
    ["never learned to swim, sadly", "never learned to swim"],
    ["im a crane operator at Tilbury docks", "crane operator at Tilbury docks"],
    ["used to row for my college, now I cycle every Sunday", "The user used to row for their college"],
    ["Ich komm aus Passau, leb aber seit Jahren in Kiel", "Der Nutzer wohnt in Kiel"],
    ["zum Frühstück gibts bei mir immer Haferbrei", "Haferbrei"],
    ["Les épinards j'adore ça", "L'utilisateur aime les épinards"],
    ["chuis grutier au port de Sète", "grutier au port de Sète"],
    ["不吃羊肉，闻着就不舒服", "用户不吃羊肉"],
    ["三月开始我在造船厂上班", "造船厂上班"],
  ])("an elliptic or spoken statement is completed: %s", async (text, expected) => {
    expect((await statementsOf(text)).join("\n")).toContain(expected);
  });

  it.each([
    "If I lived in Porto, I'd surf every day",
    "I get a 404 when I open the dashboard",
    "I moved to the next chapter",
    "I have three apples and eat one, how many are left?",
    "I switched to the dev branch and pulled",
    "We use Postgres, right?",
    "In my novel, my hero lives in Rome and hates cats",
    "I almost bought a Tesla last year",
    "Wenn ich in Porto leben würde, wäre ich Surfer",
    "Ich bin auf der Startseite und finde das Menü nicht",
    "Ich wechsle mal kurz das Thema",
    "Ich überlege, nach Lyon zu ziehen",
    "In meinem Roman lebt der Held in Rom",
    "Si j'habitais à Porto, je ferais du surf",
    "Je suis sur la page d'accueil et je ne trouve pas le menu",
    "J'aurais aimé une maison au bord de la mer",
    "J'ai failli acheter une Tesla",
    "如果我住在波尔图，我天天冲浪",
    "我改了密码，现在好了",
    "我现在在等车",
    "我差点买了特斯拉",
  ])("a supposition, a line of a story or a state of the moment produces no fact: %s", async (text) => {
    expect(await statementsOf(text)).toEqual([]);
  });

  it("a statement about another person is not attributed to the user", async () => {
    for (const text of [
      "My mate Idris drives a lorry, what could he listen to?",
      "Mein Kumpel Idris fährt Lkw",
      "Mon oncle Idris conduit un camion",
      "我表哥在深圳开货车",
    ])
      for (const statement of await statementsOf(text))
        expect(statement).not.toMatch(/^(?:The user |Der Nutzer |L'utilisateur |用户(?!的))/u);
  });
});

describe("changes by kind of fact", () => {
  it.each([
    ["I work at the Odeon in Hull", "I start as a baker with Greggs on Monday", "Greggs", "Odeon"],
    ["We live in a flat in Salford", "we're in a terrace in Bolton now", "Bolton", "Salford"],
    ["We track everything in Asana", "The team's switched to Jira", "Jira", "Asana"],
    ["I drive a Fiesta", "traded it in for a Corsa", "Corsa", "Fiesta"],
    ["Ich nutze Windows auf dem Laptop", "bin auf Fedora umgestiegen", "Fedora", "Windows"],
    ["Wir wohnen in Soest", "Wir sind jetzt in Unna daheim", "Unna", "Soest"],
    ["Ich fahre einen Polo", "hab mir einen Dacia Sandero gekauft", "Sandero", "Polo"],
    ["J'utilise Evernote pour mes notes", "J'ai tout basculé sur Obsidian", "Obsidian", "Evernote"],
    ["J'habite à Dax", "On a déménagé, nous voilà à Pau !", "Pau", "Dax"],
    ["Je travaille chez Fnac", "j'ai signé chez Darty, je commence lundi", "Darty", "Fnac"],
    ["我们前端用的是Angular", "重构的时候全部换成React了", "React", "Angular"],
    ["我在顺丰做分拣", "上周入职京东了", "京东", "顺丰"],
    ["我吃素两年了", "已经开始吃肉了", "吃肉", "吃素"],
  ])("a stated change replaces the earlier fact: %s – %s", async (first, then, now, before) => {
    const current = (await currentAfter(first, then)).join("\n");
    expect(current).toContain(now);
    expect(current).not.toContain(before);
  });

  it("a stated change replaces facts in the files of other topics", async () => {
    const current = await currentAfter(
      "My girlfriend Mira is a potter",
      "Mira and I split up, I'm single again",
    );
    expect(current).toContain("The user is single");
    expect(current.join("\n")).not.toContain("girlfriend");
  });

  it("a postponement that names no event replaces no fact if several dates are known", async () => {
    const current = await currentAfter(
      "The pitch is on Tuesday the 8th",
      "The wedding is on Friday the 11th",
      "They moved it to Friday the 18th",
    );
    expect(current.join("\n")).toContain("Tuesday the 8th");
    expect(current.join("\n")).toContain("Friday the 11th");
  });

  it("a statement of the same kind that mentions no change replaces no fact", async () => {
    const current = await currentAfter("We track everything in Asana", "We write everything in Jira");
    expect(current.join("\n")).toContain("Asana");
  });

  it("a move that is planned keeps the home, and one that has happened replaces it", async () => {
    const planned = ["I live in Tulsa.", "We are moving to Halifax on July 1st, what should I pack first?"];
    expect((await currentAfter(...planned)).join("\n")).toContain("Tulsa");
    const moved = (await currentAfter(...planned, "we moved to Halifax")).join("\n");
    expect(moved).toContain("moved to Halifax");
    expect(moved).not.toContain("Tulsa");
  });

  it("a change of the user's own facts keeps the fact about a relative", async () => {
    const current = await currentAfter("My sister lives in Dover", "we're in a cottage in Deal now");
    expect(current.join("\n")).toContain("Dover");
  });
});

describe("names of things, projects, plans and choices", () => {
  it.each([
    ["the choir is called Tuesday Larks, we meet above a pub", "The choir is called Tuesday Larks"],
    ["Le podcast s'appelle Grains de Sel, on enregistre le samedi.", "Le podcast s'appelle Grains de Sel"],
    ["我们店叫云笺，在老城区。", "用户的店叫云笺"],
    ["The Osprey project ends in March, the client is Hull council.", "The Osprey project ends in March"],
    ["Das Projekt Seegras läuft bis Ende Mai 2027.", "Das Projekt Seegras läuft bis Ende Mai 2027"],
    ["Le projet Alizé est en Go.", "Le projet Alizé est en Go"],
    ["Next autumn we want to cycle the Danube.", "The user plans to cycle the Danube next autumn"],
    ["Im Juni wollen wir mit dem Zug nach Lissabon.", "Der Nutzer will im Juni mit dem Zug nach Lissabon"],
    ["暑假打算带孩子去青岛。", "用户打算暑假带孩子去青岛"],
    [
      "We went with Vue over Angular, with Postgres as the database.",
      "The user uses Vue rather than Angular",
    ],
    ["Je ne bois ni café ni alcool.", "L'utilisateur ne boit ni café ni alcool"],
    ["Chez nous c'est Odile qui signe les contrats.", "Odile signe les contrats"],
    ["Both my sons go to the school in Aberaeron.", "go to the school in Aberaeron"],
  ])("a fact is read from: %s", async (said, fact) => {
    expect((await statementsOf(said)).join("\n")).toContain(fact);
  });

  it.each([
    "The function is called parseDate and it returns null.",
    "If we picked Svelte over React, would the build be faster?",
    "Comment s'appelle le groupe qui chante Aline ?",
    "春节准备什么菜比较好?",
  ])("no fact is read from: %s", async (said) => {
    expect(await statementsOf(said)).toEqual([]);
  });
});
