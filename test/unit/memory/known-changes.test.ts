import { describe, expect, it } from "vitest";
import { workspaceId } from "../../../src/domain/ids.ts";
import type { Fact, KnownStatement } from "../../../src/memory/facts/fact.ts";
import { ruleExtractor } from "../../../src/memory/rule-extractor.ts";
import { conversation } from "./conversation.ts";

const factsOf = (texts: readonly string[], known: readonly KnownStatement[] = []): Promise<Fact[]> =>
  ruleExtractor.extract(
    { utterances: conversation(texts.map((text) => ["user", text] as const)) },
    new AbortController().signal,
    { workspace: workspaceId(1), known: async () => known },
  );

/** What is known after messages of earlier conversations. */
async function known(...texts: string[]): Promise<KnownStatement[]> {
  const facts: KnownStatement[] = [];
  for (const text of texts)
    for (const { category, topic, text: statement, slot } of await factsOf([text]))
      facts.push({ category, topic, text: statement, ...(slot !== undefined && { slot }) });
  return facts;
}

/** The statements of a message, and those that they replace. */
async function change(before: readonly string[], message: string) {
  const facts = await factsOf([message], await known(...before));
  return { now: facts.map(({ text }) => text), ended: facts.flatMap(({ ends }) => ends ?? []) };
}

describe("a change of what is known", () => {
  it.each([
    [
      "I drive a Ford Focus",
      "sold it last week, I cycle everywhere now",
      "cycles everywhere",
      "drives a Ford Focus",
    ],
    [
      "I have a subscription to the Guardian",
      "cancelled it",
      "no longer has a subscription",
      "has a subscription",
    ],
    [
      "I go running every morning",
      "not any more, my knees are shot",
      "no longer goes running",
      "goes running",
    ],
    ["I smoke ten a day", "gave up at New Year!", "no longer smokes ten a day", "smokes ten a day"],
    ["Ich habe ein Abo vom Spiegel", "hab ich gekündigt", "hat kein Abo vom Spiegel mehr", "hat ein Abo"],
    ["Ich nehme Sertralin", "hab ich abgesetzt", "nimmt nicht mehr Sertralin", "nimmt Sertralin"],
    ["J'ai un abonnement à Libé", "je l'ai résilié", "n'a plus d'abonnement à Libé", "a un abonnement"],
    ["Je cours tous les matins", "c'est fini, mes genoux ne suivent plus", "ne court plus", "court tous"],
    ["我每天抽十根烟", "元旦就戒了", "不再每天抽十根烟", "每天抽十根烟"],
    ["我开的是丰田", "车卖了，现在骑车上班", "骑车上班", "开的是丰田"],
  ])("a change is read although it names nothing: %s – %s", async (before, message, now, ended) => {
    const found = await change([before], message);
    expect(found.now.join("\n")).toContain(now);
    expect(found.ended.join("\n")).toContain(ended);
  });

  it.each([
    [
      "My brother Tom lives in Bristol",
      "he's moved to Lyon now",
      "Tom has moved to Lyon",
      "Tom lives in Bristol",
    ],
    [
      "My sister is a teacher",
      "She quit and opened a café",
      "sister quit and opened a café",
      "sister is a teacher",
    ],
    [
      "Mein Bruder Tom wohnt in Bremen",
      "er ist jetzt nach Lyon gezogen",
      "Lyon gezogen",
      "Tom wohnt in Bremen",
    ],
    ["Mein Sohn spielt Handball", "er hat gewechselt, jetzt rudert er", "rudert", "spielt Handball"],
    ["Ma fille fait de la danse", "elle s'est mise au rugby", "s'est mise au rugby", "fait de la danse"],
    ["我姐姐是老师", "她辞职开咖啡店了", "姐姐辞职开咖啡店", "姐姐是老师"],
  ])("a change knows whom its pronoun means: %s – %s", async (before, message, now, ended) => {
    const found = await change([before], message);
    expect(found.now.join("\n")).toContain(now);
    expect(found.ended.join("\n")).toContain(ended);
  });

  it.each([
    ["My appointment is on Tuesday", "They've moved it to Friday", "The user's appointment is on Friday"],
    ["I have three cats", "make that four, a stray adopted us", "The user has four cats"],
    [
      "My physio is Mr. Lombardi",
      "sorry I mixed up the names, it's Mr. Lambert",
      "The user's physio is Mr. Lambert",
    ],
    [
      "We deploy with Jenkins",
      "ditched that, it's GitHub Actions now",
      "The user deploys with GitHub Actions",
    ],
    [
      "Ich gehe freitags in die Sauna",
      "künftig ist das der Sonntag",
      "Der Nutzer geht sonntags in die Sauna",
    ],
    ["Mein Chef ist Herr Huber", "jetzt leitet uns Frau Kern", "Der Chef des Nutzers ist Frau Kern"],
    ["J'ai trois chats", "j'en ai quatre maintenant", "L'utilisateur a quatre chats"],
    ["我的体检在周二", "改到周五了", "用户的体检在周五"],
  ])("a change puts its new value into the statement: %s – %s", async (before, message, now) => {
    expect((await change([before], message)).now).toContain(now);
  });

  it("a change is read within one conversation, too", async () => {
    const facts = await factsOf(["My brother Tom lives in Bristol", "he's moved to Lyon now"]);
    expect(facts.find(({ text }) => text === "Tom has moved to Lyon")?.ends).toEqual([
      "Tom lives in Bristol",
    ]);
  });

  it.each([
    [["My brother Tom lives in Bristol", "My son plays rugby"], "he's moved to Lyon now"],
    [["My sister Ana lives in Porto", "My girlfriend is called Nell"], "she's moved to Lyon now"],
    [["I drive a Golf", "I have a Fitbit"], "Sold it"],
    [["I work at Siemens"], "My friend quit her job at Siemens"],
    [["I play the cello"], "I'm also learning the banjo now"],
    [["My yoga class is on Mondays"], "The lecture is on Tuesday now"],
    [["My deadline is 10 May"], "Did you move it to Friday?"],
    [["Ich gehe jeden Morgen joggen"], "Das geht nicht mehr"],
    [["Ich fahre einen Golf"], "Mein Nachbar hat seinen Golf verkauft"],
    [["Je travaille chez Siemens"], "Ma copine a démissionné de chez Siemens"],
    [["我在西门子上班"], "我女朋友从西门子辞职了"],
    [["我开高尔夫"], "我邻居把高尔夫卖了"],
  ])("a change replaces nothing if it is unclear what it replaces: %s – %s", async (before, message) => {
    expect((await change(before, message)).ended).toEqual([]);
  });

  it.each([
    [
      "I'm learning Italian on Duolingo",
      "I gave up Duolingo and have a tutor now. Ideas for topics?",
      "is learning Italian on Duolingo",
    ],
    [
      "I'm flying to Lisbon in May",
      "Lisbon's off, I'm going to Porto in May. What's there?",
      "flying to Lisbon",
    ],
    [
      "I drive a red Fiat Panda",
      "Finally sold the car, what do I do with the insurance?",
      "drives a red Fiat",
    ],
    [
      "Im Mai fliegen wir nach Kreta",
      "Kreta ist abgesagt, wir fahren im Mai an die Ostsee. Tipps?",
      "nach Kreta",
    ],
    ["Je roule en Twingo", "J'ai vendu la Twingo, je roule en Zoé. Où recharger ?", "roule en Twingo"],
    ["我每周四打羽毛球", "羽毛球不打了,现在周三去游泳,要准备什么?", "打羽毛球"],
  ])(
    "what a message names as over is no longer current, although it also asks: %s – %s",
    async (before, message, ended) => {
      expect((await change([before], message)).ended.join("\n")).toContain(ended);
    },
  );

  it.each([
    ["I drive a Golf", "My neighbour sold his Golf, what was it worth?"],
    ["My manager is Dilys", "Dilys has left me a note about the budget, can you draft a reply?"],
    ["I take the train to work", "The train was cancelled again this morning, can I claim?"],
    ["I use Notion for my notes", "My colleague gave up Notion for Obsidian, should I?"],
    ["I work at Tesco", "I left Tesco at six and now I'm stuck in traffic, any podcast?"],
    ["I take 20mg of fluoxetine", "The vet put the dog's dose up to 40mg of fluoxetine, is that safe?"],
    ["Ich arbeite bei Bosch", "Bei Bosch ist die Kantine abgeschafft, wo esse ich jetzt?"],
    ["Notre appli s'appelle Nuage", "Le concurrent s'appelle désormais Brume, on fait quoi ?"],
    ["我住在成都", "我朋友从成都搬到重庆了,送什么好?"],
  ])(
    "what is over for somebody else, or for a moment, stays current for the user: %s – %s",
    async (before, message) => {
      expect((await change([before], message)).ended).toEqual([]);
    },
  );

  it.each([
    [
      "Our app is called Nimbus",
      "We've renamed the app, it's Stratus from now on. Redo the tagline pls",
      "app is called Stratus",
    ],
    ["Unsere App heißt Wolke", "Die App heißt jetzt Nebel, bitte passe den Text an.", "heißt Nebel"],
    [
      "Le projet s'appelle Faucon",
      "On a rebaptisé le projet Milan, corrige le README stp.",
      "s'appelle Milan",
    ],
    ["我的店叫小满咖啡", "店名换成了立夏咖啡,帮我写句标语", "店叫立夏咖啡"],
    [
      "I take sertraline 50mg every morning",
      "Doctor upped my sertraline to 100mg, is that a lot?",
      "100mg every morning",
    ],
    ["Meine Miete beträgt 800 Euro", "Die Miete wurde auf 920 Euro erhöht, darf er das?", "beträgt 920 Euro"],
    ["Mon loyer est de 650 euros", "Le loyer est passé à 700 euros, c'est légal ?", "de 700 euros"],
    ["我每天吃50毫克舍曲林", "医生把舍曲林加到100毫克了,正常吗?", "吃100毫克"],
    [
      "I work nights at the bakery",
      "I've been moved to days, how do I reset my sleep?",
      "works days at the bakery",
    ],
    [
      "Ich arbeite im Spätdienst im Krankenhaus",
      "Ich wurde in den Frühdienst versetzt, was nun?",
      "im Frühdienst",
    ],
    [
      "My manager is Dilys",
      "Dilys has left, Rasheed is my manager from today. Draft an intro?",
      "manager is Rasheed",
    ],
    [
      "Mein Hausarzt ist Dr. Pfennig",
      "Dr. Pfennig ist in Rente, ich bin jetzt bei Frau Dr. Aydin.",
      "ist Frau Dr. Aydin",
    ],
  ])(
    "a new name, amount, shift or bearer of a role takes the place of the known one: %s – %s",
    async (before, message, now) => {
      const found = await change([before], message);
      expect(found.now.join("\n")).toContain(now);
      expect(found.ended).toHaveLength(1);
    },
  );

  it.each([
    [
      "My brother Sam works for BT",
      "Sam's left BT and opened a bike shop. What do I get him?",
      "Sam has left BT",
    ],
    [
      "Meine Tochter Ida geht in die Kita",
      "Ida ist in die Schule gekommen, was gehört in die Tüte?",
      "Schule gekommen",
    ],
    ["Ma fille Zoé est en maternelle", "Zoé est passée en CP, quelles fournitures ?", "passée en CP"],
  ])(
    "a clause that begins with the name of a known person is about that person: %s – %s",
    async (before, message, now) => {
      const found = await change([before], message);
      expect(found.now.join("\n")).toContain(now);
      expect(found.ended).toHaveLength(1);
    },
  );
});
