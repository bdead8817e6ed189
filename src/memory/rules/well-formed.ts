import type { RuleLanguage } from "./rule.ts";

/**
 * Texts of facts that show that a rule has misread its sentence: they are cut off before an object, contain a
 * request to the agent, or join two clauses. Such facts are dropped.
 */
const MISREAD: Readonly<Record<RuleLanguage, RegExp>> = {
  en: /\b(?:and|or|the|an?|my|your|with|of)$|\b(?:is|are|was|were|be) \p{L}+ (?:in|at|on|to|for|from|by)$|'s \p{L}+ is \p{Ll}+ (?:moved|starts?|started|runs?|ends?|ended|works?|lives?|goes|went|has|had)(?!\p{L})|^The user's [\p{L} ]{2,30} (?:is|are) \d+ ?\p{L}* (?:late|early|behind)$/u,
  de: /(?<!\p{L})(?:und|oder|der|dem|den|eine|einen|mein|von)$|^Der Nutzer \p{L}+ (?:mal|bitte) /u,
  fr: /(?<!\p{L})(?:et|ou|le|la|les|un|une|de|du|des|avec|mon|ma)$|^\p{Lu}\p{L}+ons (?:est|a|s'appelle)(?!\p{L})/u,
  zh: /^用户(?:自己)?(?:写[个一份段篇首]|出[几一两]|推荐|求[个推助]|给个|列[个出]|翻译|改写|解释|讲讲|怕得|是[^，。]{1,4}以后|不再用的是)/u,
};

/** A second clause in the first person, which no rule has converted to the third; it is cut off. */
const SECOND_CLAUSE =
  / (?:und|aber) (?:such|suche|brauch|brauche|hab|habe|bin|mach|mache|frage|spiel|spiele|lern|lerne|arbeite|wohne|fahre|nehme|esse|trinke|plane|schreibe|möcht|hätt)(?!\p{L}).*$/u;
/** "Ich habe mir etwas gekauft": the pronoun means the user, so it becomes "sich". */
const REFLEXIVE =
  /^Der Nutzer (hat|kauft|holt|baut|besorgt|leistet|bestellt|gönnt|sucht|nimmt) ihm (?!von )/u;

/** "We're a four-person startup": a group of people is not what one of them is. */
const GROUP =
  /^The user is (?=an? (?:[\p{L}\d-]+ ){0,4}(?:startup|start-up|team|company|family|couple|household|band|agency|charity|co-op|cooperative|non-profit|nonprofit|collective|club)(?![\p{L}-]| (?:member|lead|leader|manager|captain|owner|doctor|director|secretary|founder)))/u;

/** A fact's text as it can be stored; undefined if a rule has misread its sentence. */
export function wellFormed(text: string, language: RuleLanguage): string | undefined {
  const mended =
    language === "de"
      ? text.replace(SECOND_CLAUSE, "").replace(REFLEXIVE, "Der Nutzer $1 sich ")
      : text.replace(GROUP, "The user belongs to ");
  return MISREAD[language].test(mended) ? undefined : mended;
}
