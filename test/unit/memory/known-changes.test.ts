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
});
