import type { RuleLanguage } from "../rule.ts";
import type { Attribute } from "./attributes.ts";

/** How a known state ended, as a message says without naming the state. */
export type Ending = "gone" | "given up" | "cancelled" | "separated" | "over";

interface Form {
  readonly ending: Ending;
  readonly form: RegExp;
}

const IT = "(?:it|them|that|those|him|her|mine|this|the (?:old )?(?:one|thing|job|place|lot)|both)";
const EN: readonly Form[] = [
  {
    ending: "gone",
    form: new RegExp(
      `(?:^|[\\s,.])(?:sold|binned|ditched|chucked|scrapped|crashed|wrote off|lost|broke|smashed|dropped|gave away|got rid of|traded in|returned|swapped|replaced|donated|left behind|deleted|uninstalled) ${IT}(?!\\p{L})|(?:^|[\\s,.])(?:traded|swapped|gave|sent|took|put) ${IT} (?:in|away|back|down|out|off)|(?:^|[\\s,.])(?:it|that|mine|she|he)(?:['’]s| has| was| got| is)?(?: finally| been| just)* (?:stolen|nicked|sold|broken|broke|died|dead|gone|written off|packed (?:it )?in|bit the dust|gave up the ghost|conked out|kaput|toast)(?!\\p{L})|(?:old (?:one|phone|car|laptop)|the (?:car|phone|bike|van|laptop))(?: finally| just|['’]s)* (?:died|gone|broke|packed in)`,
      "iu",
    ),
  },
  {
    ending: "given up",
    form: new RegExp(
      `(?:^|[\\s,.])(?:(?:quit|stopped|resigned|retired|dropped out|gave up|given up|packed (?:${IT} )?in|jacked (?:${IT} )?in|chucked (?:${IT} )?in|chucked|threw in the towel|handed (?:my |in |the )*notice(?: in)?|put in my (?:two weeks|notice)|got (?:sacked|fired|the sack)|(?:was|been|got) (?:laid off|made redundant|fired|let go)|transferred|changed (?:jobs|careers|schools|course))(?=[\\s]*(?:$|[,.!;…–—-]| and | after | at | in | on | last | because | so | for | from | to ))|(?:gave|given|giving) ${IT} up|(?:dropped|ditched|quit|stopped|left|abandoned|outgrew|outgrown|hated) ${IT}(?!\\p{L})|came off ${IT}|fed up (?:with|of) ${IT}|(?:sick|tired|bored) of ${IT}|moved (?:on from|away from|off) ${IT}|grew out of ${IT}|off the (?:booze|fags|drink|sauce))`,
      "iu",
    ),
  },
  {
    ending: "cancelled",
    form: /(?:^|[\s,.])(?:cancell?ed|unsubscribed|let (?:it|that) lapse|closed (?:it|my account))(?=$|[\s,.!])/iu,
  },
  {
    ending: "separated",
    form: /\b(?:split up|broke up|broken up|called it quits|separated|divorced|(?:wedding|engagement|it)['’]s off|ended (?:it|things)|over between us|left me|single again)\b/iu,
  },
  {
    ending: "over",
    form: /\b(?:not any ?more|any ?more|no longer|that['’]s over|it['’]s over|all over now|(?:treatment|course|it)['’]s (?:finished|done|over)|finished (?:with )?(?:it|that)|don['’]t need (?:it|that|them)|had to stop)\b/iu,
  },
];
const DE: readonly Form[] = [
  {
    ending: "gone",
    form: /(?<!\p{L})(?:(?:ihn|sie|es|das|den|die|der|die alte?|das alte|mir|mal)\b.{0,24} ?(?:verkauft|geklaut|gestohlen|verloren|weggeworfen|entsorgt|verschenkt|verschrottet|abgegeben|getauscht|kaputt(?:gegangen)?|hinüber|zerbrochen|eingetauscht)|(?:wurde|ist) (?:mir )?(?:\p{L}+ ){0,3}(?:geklaut|gestohlen|verkauft|kaputt(?:gegangen)?|hinüber|gefallen|gfallen|abgebrannt|gestorben)|ins (?:Wasser|Klo) ge?fallen|gegen .{2,30} (?:ge|ein)tauscht|hat den Geist aufgegeben|verkauft[!,.]|(?:hab|habe|haben) (?:ihn|sie|es) verkauft)(?!\p{L})/iu,
  },
  {
    ending: "given up",
    form: /(?<!\p{L})(?:gekündigt|aufgehört|aufgegeben|abgebrochen|abgeschafft|hingeschmissen|geschmissen|sein lassen|abgesetzt|abgewöhnt|verleidet|an den Nagel gehängt|umgesattelt|gewechselt|umgestiegen|umgeschwenkt|umgestellt|(?:mit .{2,20} )?ist Schluss|Schluss damit|verlassen|getauscht|ausgestiegen|ausgetreten)(?!\p{L})/iu,
  },
  {
    ending: "cancelled",
    form: /(?<!\p{L})(?:gekündigt|abbestellt|storniert|abgesagt|auslaufen lassen)(?!\p{L})/iu,
  },
  {
    ending: "separated",
    form: /(?<!\p{L})(?:getrennt|Schluss gemacht|auseinander|geschieden|entlobt|(?:es )?ist aus(?= |$|[,.!])|Single)(?!\p{L})/iu,
  },
  {
    ending: "over",
    form: /(?<!\p{L})(?:(?:mach|brauch|nehm|trink|rauch|spiel|fahr)\p{Ll}* .{0,24}?nicht mehr|(?:Knie|Rücken|Schulter|Arzt|Hüfte|Herz|Gesundheit).{0,20} geht .{0,10}nicht mehr|(?:trinke|rauche|esse|mache|spiele) .{0,24}(?:gar )?nicht mehr|ist (?:jetzt )?vorbei|hat sich erledigt)(?!\p{L})/iu,
  },
];
const FR: readonly Form[] = [
  {
    ending: "gone",
    form: /(?<!\p{L})(?:(?:l['’]ai|les ai|l['’]a|je l['’]ai|on l['’]a|on me l['’]a|s['’]est fait) (?:vendue?s?|jetée?s?|perdue?s?|cassée?s?|volée?r?s?|donnée?s?|rendue?s?|échangée?s?|revendue?s?)|(?:est|était) (?:tombée?|cassée?|morte?|foutue?|HS|au recyclage|à la casse)|tombée? (?:à l['’]eau|dans)|a rendu l['’]âme|a lâché|volée?(?=[,. ]|$)|vendue?(?=[,.! ]|$))(?!\p{L})/iu,
  },
  {
    ending: "given up",
    form: /(?<!\p{L})(?:j['’]ai (?:tout )?(?:arrêté|abandonné|lâché|laissé tomber|démissionné|plaqué|quitté|décroché|craqué)|on (?:a (?:tout )?)?(?:arrêté|abandonné|lâché|laissé tomber|réécrit)|(?:il|elle) a (?:arrêté|abandonné|lâché|laissé tomber|démissionné|quitté)|abandonné|terminé|arrêté|démissionné|(?:en )?(?:avait|avais|avons|ai) marre|c['’]est (?:fini|terminé)|tout réécrit|marre)(?!\p{L})/iu,
  },
  { ending: "cancelled", form: /(?<!\p{L})(?:résilié|annulé|désabonnée?|clôturé)e?s?(?!\p{L})/iu },
  {
    ending: "separated",
    form: /(?<!\p{L})(?:rompu|séparée?s?|on s['’]est (?:quittés|laissés|séparés)|divorcée?s?|fini entre nous|célibataire|rendu la bague)(?!\p{L})/iu,
  },
  {
    ending: "over",
    form: /(?<!\p{L})(?:c['’]est (?:fini|terminé)|plus maintenant|n['’](?:en |y )?\p{L}+ plus|ne (?:\p{L}+ ){1,2}plus|(?<=^|[,.] )plus (?:une|de|d['’]|jamais))(?!\p{L})/iu,
  },
];
const ZH: readonly Form[] = [
  { ending: "gone", form: /卖(?:掉)?了|丢了|坏了|被偷|掉水里|摔(?:坏|碎)了|扔了|报废|送人了|赔钱卖/u },
  {
    ending: "given up",
    form: /辞(?:职|工|退)?了|辞职|离职|不干了|不[\p{Script=Han}]{1,4}了|放弃了|退学|戒了|停药|停了|转行|调[到去]|换[成了到]|改[成用学到]|不给[^，]{1,4}打工/u,
  },
  { ending: "cancelled", form: /退订|取消了|退了|注销|不续了|停机/u },
  { ending: "separated", form: /分手|离婚|结束了|分开了|掰了|脱单/u },
  { ending: "over", form: /不再|已经不|再也不|不用了|没有了|不[\p{Script=Han}]{1,3}了|滴酒不沾|都不用/u },
];
const FORMS: Readonly<Record<RuleLanguage, readonly Form[]>> = { en: EN, de: DE, fr: FR, zh: ZH };

/** The endings that a message states. */
export const endingsIn = (text: string, language: RuleLanguage): ReadonlySet<Ending> =>
  new Set(FORMS[language].flatMap(({ ending, form }) => (form.test(text) ? [ending] : [])));

/** The attributes that each kind of ending may concern. */
export const MAY_END: Readonly<Record<Ending, ReadonlySet<Attribute>>> = {
  gone: new Set<Attribute>(["vehicle", "device", "pet", "travel"]),
  "given up": new Set<Attribute>([
    "occupation",
    "activity",
    "smoking",
    "drink",
    "food",
    "tool",
    "medicine",
    "subscription",
    "bank",
  ]),
  cancelled: new Set<Attribute>(["subscription", "when"]),
  separated: new Set<Attribute>(["partner"]),
  over: new Set<Attribute>([
    "activity",
    "smoking",
    "drink",
    "food",
    "medicine",
    "subscription",
    "travel",
    "household",
    "glasses",
    "tool",
  ]),
};

/** Words that state that something replaces something else. */
const INSTEAD: Readonly<Record<RuleLanguage, RegExp>> = {
  en: /\b(?:instead|switched|swapped|moved (?:over|everything|it all|all|on)|changed (?:to|it)|replaced|took over|taken over|converted|upgraded|retrain\w*|shifted|traded|these days|all about|graduated to|from now on|nowadays)\b/i,
  de: /(?<!\p{L})(?:stattdessen|statt|umgestiegen|umgestellt|gewechselt|gewandert|umgezogen|ersetzt|getauscht|sondern|nur noch|ab jetzt|ab sofort|künftig|inzwischen|mittlerweile|umgeschwenkt|Umschulung|verlegt|verschoben)(?!\p{L})/iu,
  fr: /(?<!\p{L})(?:à la place|plutôt|passée?s? (?:à|au|chez|sur|en)|basculée?|migrée?|remplacée?|désormais|dorénavant|s['’]est mise?|me suis mise?|repoussée?|reportée?|déplacée?|changée?|à présent|maintenant)(?!\p{L})/iu,
  zh: /换|改|转到|挪到|迁|搬到|从此|以后只|现在(?:用|是|在|住|开|坐|学|练|读|当|改)|升|调到|推迟|推到|提前/u,
};
export const isInstead = (text: string, language: RuleLanguage): boolean => INSTEAD[language].test(text);

/** Words of a change that replaces something known or adds to it. */
const NOW: Readonly<Record<RuleLanguage, RegExp>> = {
  en: /\b(?:now|finally|just got|just moved|new|these days|nowadays|actually|sorry|correction|scratch that|mixed up|wrong|as of|from now on|since|last (?:week|month|year)|moved|married|engaged|divorced|transferred|started (?:at|in|with|as)|joined|opened|fully remote|ended up)\b|!/i,
  de: /(?<!\p{L})(?:jetzt|nun|neuerdings|endlich|inzwischen|mittlerweile|seit|ab|neue[rnsm]?|doch|Irrtum|vertan|verwechselt|Korrektur|verheiratet|geheiratet|künftig|ab Herbst|wieder|(?:in|auf) .{2,30} gekommen|aufgemacht|eröffnet|angefangen|komplett)(?!\p{L})|!/iu,
  fr: /(?<!\p{L})(?:maintenant|désormais|à présent|enfin|depuis|nouve\p{L}+|finalement|correction|rectification|trompée?|mariée?s?|viens? d['’]|vient d['’]|ça y est|du coup|alors|partie?s? (?:vivre|habiter|travailler)|entrée?s? (?:à|au|en)|passée?s? en|ouvert|intégré|rejoint|démissionné|complètement)(?!\p{L})|!/iu,
  zh: /现在|已经|了$|了[，,。！!]|其实|记错|说错|更正|终于|新|目前|起|升|考上|开了/u,
};
export const isOfNow = (text: string, language: RuleLanguage): boolean => NOW[language].test(text);

/** Words that state that something is added to what is known. */
const ADDED: Readonly<Record<RuleLanguage, RegExp>> = {
  en: /\b(?:too|also|as well|another|second|both|in addition|besides|on top of|still)\b/i,
  de: /(?<!\p{L})(?:auch|zusätzlich|außerdem|noch ein\p{Ll}*|ebenfalls|nebenbei|neben|weiterhin)(?!\p{L})/iu,
  fr: /(?<!\p{L})(?:aussi|également|en plus|un(?:e)? autre|deuxième|second\p{L}*|toujours)(?!\p{L})/iu,
  zh: /也|还|另外|又[有买养]|同时|依然|仍/u,
};
export const isAddition = (text: string, language: RuleLanguage): boolean => ADDED[language].test(text);

/** A known statement in the negative ("The user no longer plays chess"); undefined if its form is unknown. */
export function noLonger(text: string): string | undefined {
  const english =
    /^(The user|The user's [\p{Ll} -]{2,20}?|\p{Lu}[\p{L}-]+) (is|are|has|lives|works|plays|\p{Ll}+s) (.+)$/u.exec(
      text,
    );
  if (english && !/^(?:L'|Der |Die |Das |Le |La )/u.test(text)) {
    const [, who = "", verb = "", rest = ""] = english;
    return /^(?:is|are)$/.test(verb)
      ? `${who} ${verb} no longer ${rest}`
      : `${who} no longer ${verb} ${rest}`;
  }
  const german = /^(Der Nutzer) (\p{Ll}+) (.+)$/u.exec(text);
  if (german) {
    const [, who = "", verb = "", rest = ""] = german;
    const article = /^ein(e[nmrs]?)? (.+)$/u.exec(rest);
    return article
      ? `${who} ${verb} kein${article[1] ?? ""} ${article[2]} mehr`
      : `${who} ${verb} nicht mehr ${rest}`;
  }
  const french = /^(L'utilisateur) (s['’])?(\p{Ll}+) (.+)$/u.exec(text);
  if (french) {
    const [, who = "", self = "", verb = "", rest = ""] = french;
    if (/^(?:ne|n|se)$/.test(verb)) return undefined;
    const ne = self !== "" || !/^[aeiouéèêh]/iu.test(verb) ? "ne " : "n'";
    const object = rest.replace(/^(?:(?:une?|des|du|de la) |de l['’])(?=([\p{L}]))/u, (_, next: string) =>
      /^[aeiouéèêh]/iu.test(next) ? "d'" : "de ",
    );
    return `${who} ${ne}${self}${verb} plus ${object}`;
  }
  const chinese = /^用户(?!的)(.+?)了?$/u.exec(text);
  return chinese?.[1] === undefined
    ? undefined
    : `用户不再${chinese[1].replace(/^(\p{Script=Han}{1,2})了(?=.)/u, "$1")}`;
}
