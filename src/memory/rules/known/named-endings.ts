import type { KnownStatement } from "../../facts/fact.ts";
import { kindsOf } from "../../facts/facts-of-kind.ts";
import { kindsOfNoun } from "../../facts/product-names.ts";
import type { RuleLanguage } from "../rule.ts";
import { identifying, OF_OTHERS } from "./statement-words.ts";

/** What a message says is over, such as "Crete is cancelled" or "den Polo habe ich verkauft". */
interface NamedEnding {
  /** The words that may name what is over. */
  readonly named: string;
  /** Whether somebody has left, who then no longer has a role. */
  readonly isPerson: boolean;
}

interface Frame {
  /** Matches a clause. The group `named` holds what is over; without it, the whole clause may name it. */
  readonly form: RegExp;
  readonly isPerson?: boolean;
  /** Whether only the last word of the phrase counts: in "my Duolingo streak", "streak" is over. */
  readonly isHead?: boolean;
}

const BE = "(?:['’]s| is| are| was| were| has| have| got| has been| have been| is being)";
/** Leaving a job, not a room or a note. */
const LEFT =
  "left(?=$| (?:the (?:company|team|firm|clinic|practice|school|club|office|business|job)|us|last|this|in|for good|to (?:work|join|start))(?!\\p{L}))";
const ADVERB = "(?: (?:just|finally|now|sadly|officially|already|all))*";
/** The subject or object with which a German clause begins. */
const LEADING_NP =
  "(?:[Aa]us |[Mm]it )?(?:(?:[Dd](?:er|ie|as|en|em)|[Mm]ein\\p{Ll}*|[Uu]nser\\p{Ll}*) )?(?:\\p{Ll}+ )?(?<named>\\p{Lu}[\\p{L}\\d+.-]*(?: \\p{Lu}[\\p{L}\\d+.-]*)*)";
const OVER_DE =
  "abgesagt|abgeblasen|abgeschafft|gekündigt|verkauft|aufgegeben|aufgehört|abgebrochen|hingeschmissen|geschmissen|storniert|abbestellt|abgesetzt|abgegeben|gestrichen|gestorben|eingestellt|ersetzt|eingetauscht|weggegeben|losgeworden|verschenkt|entsorgt|(?:fällt|fallen|fiel) (?:\\p{Ll}+ )?(?:aus|flach|ins Wasser)|geplatzt|(?:wird|wurde) (?:doch )?(?:nix|nichts)|ist (?:\\p{Ll}+ )?(?:vorbei|Geschichte|passé|Schluss|raus|gestrichen|tot)|gibt(?:'s| es) nicht mehr|nicht mehr|mehr|an den Nagel";
const FRAMES: Readonly<Record<RuleLanguage, readonly Frame[]>> = {
  en: [
    {
      form: new RegExp(
        `^(?<named>.{2,50}?)${BE}${ADVERB} (?:${LEFT}|retired|resigned|quit|moved on|been (?:sacked|fired|promoted)|no longer (?:here|with us|in charge))\\b`,
        "u",
      ),
      isPerson: true,
      isHead: true,
    },
    {
      form: new RegExp(`^(?<named>.{2,50}?) (?:${LEFT}|retired|quit|resigned|moved on)\\b`, "u"),
      isPerson: true,
      isHead: true,
    },
    {
      form: new RegExp(
        `^(?<named>.{2,50}?)${BE}${ADVERB} (?:cancell?ed|called off|off|over|sold|scrapped|shut(?: down)?|closed down|stolen|dead|written off|no more|history|out of the (?:question|picture)|ancient history)(?:$| (?!to |by |of |in |for ))`,
        "u",
      ),
      isHead: true,
    },
    {
      form: /^(?<named>.{2,50}?) (?:fell through|died|packed (?:it )?in|bit the dust|isn['’]t happening|is not happening)\b/u,
      isHead: true,
    },
    {
      form: /\b(?:gave up|given up|giving up|quit|dropped|ditched|scrapped|cancell?ed|sold|got rid of|done with|finished with|fed up with|bored of|said goodbye to|stopped (?:using|doing|going to|taking|playing|eating|drinking|seeing)|retired|binned|called off|swapped|traded(?: in)?|replaced|no longer \p{Ll}+|cut out|(?:we|I)(?:['’]ve)?(?: just)? left|^left) (?:(?:my|our|the|doing|using|all|on) )*(?<named>\p{L}.{1,50})/u,
      isHead: true,
    },
    {
      form: /\b(?:moved|switched|migrated|changed|gone|went|going|transferred|over)\b.{0,40}? from (?<named>.{2,30}?) to\b/u,
      isHead: true,
    },
    {
      form: /\b(?:instead of|rather than|in place of) (?:(?:my|our|the|using|doing|on) )*(?<named>\p{L}.{1,40})/u,
      isHead: true,
    },
    {
      form: /\b(?:don['’]t|doesn['’]t|do not|does not|not) \p{Ll}+ (?:(?:to|at|in|with|for|on|my|our|the) )*(?<named>\p{L}.{1,50}?) (?:any ?more|any longer)/u,
      isHead: true,
    },
    { form: /\bcut (?<named>\p{L}.{1,30}?) out\b/u, isHead: true },
  ],
  de: [
    {
      form: /^(?<named>.{2,50}?) (?:(?:ist|sind|geht) (?:jetzt |nun |seit \p{L}+ )*(?:in (?:Rente|Pension|Elternzeit)|weg|pensioniert|ausgeschieden|nicht mehr (?:da|bei uns|hier))|hat (?:\p{L}+ ){0,3}(?:aufgehört|gekündigt|verlassen|gewechselt))(?!\p{L})/u,
      isPerson: true,
    },
    { form: new RegExp(`^${LEADING_NP} (?:\\p{L}+ ){0,6}?(?:${OVER_DE})(?!\\p{L})`, "u") },
    {
      // of "Bei Bosch gibt es die Kantine nicht mehr", nothing that the speaker does is over
      form: new RegExp(
        `(?<!\\p{L})(?:ich|wir|hab|habe|haben|bin|sind) .{0,60}?(?<!\\p{L})(?:${OVER_DE})(?!\\p{L})|^(?=.*(?<!\\p{L})(?:ich|wir|hab|habe|haben)(?!\\p{L})).{0,60}(?<!\\p{L})(?:${OVER_DE})(?!\\p{L})`,
        "u",
      ),
    },
    { form: /(?<!\p{L})(?:statt|anstatt|anstelle) (?:de[smnr] |von )?(?<named>.{2,40})/u },
    { form: /(?<!\p{L})von (?<named>\p{Lu}[\p{L}\d .+-]{1,30}?) (?:auf|zu|nach) /u },
  ],
  fr: [
    {
      form: /^(?<named>.{2,50}?) (?:est (?:partie?(?=$| (?:à la retraite|en retraite|ailleurs|pour de bon|de (?:la|l['’])))|à la retraite|en retraite|retraitée?)|a (?:quitté (?:la|l['’]|notre)|démissionné|pris sa retraite)|n['’]est plus (?:là|chez nous))(?!\p{L})/u,
      isPerson: true,
      isHead: true,
    },
    {
      form: /^(?<named>.{2,50}?) (?:(?:est|a été|sont|ont été) (?:finalement |bien |enfin )?(?:annulée?s?|vendue?s?|terminée?s?|finie?s?|abandonnée?s?|morte?s?|résiliée?s?|supprimée?s?)|tombe à l['’]eau|c['’]est (?:fini|mort|raté|terminé))(?!\p{L})/u,
      isHead: true,
    },
    {
      form: /(?<!\p{L})(?:arrêté|abandonné|lâché|laissé tomber|quitté|vendu|annulé|résilié|revendu|plaqué|supprimé|viré|remplacé|troqué|échangé|fini|n(?:e |['’])\p{Ll}+ plus(?: (?:à|au|chez|avec|sur|en|dans))?) (?:d['’]utiliser |de faire )?(?:(?:le|la|les|l['’]|mon|ma|mes|notre|du|de la|de l['’]|d['’]|de) ?)*(?<named>\p{L}.{1,40})/u,
      isHead: true,
    },
    {
      form: /(?<!\p{L})(?:au lieu d(?:e |u |['’])|plutôt que |à la place d(?:e |u |['’]))(?:(?:la|le|les|l['’]) ?)?(?<named>\p{L}.{1,40})/u,
      isHead: true,
    },
    { form: /(?<!\p{L})passée?s? d(?:e |u |['’])(?<named>.{2,30}?) (?:à|au|chez|sur) /u, isHead: true },
  ],
  zh: [
    {
      form: /(?<named>.{1,12}?)(?:已经|刚|上个?月|昨天|最近)*(?:离职|退休|走|调走|辞职|跳槽)了/u,
      isPerson: true,
    },
    {
      form: /(?<named>.{1,14}?)(?:已经|早就|都|也|就)*(?:不去了|取消了?|泡汤了|黄了|卖(?:掉)?了|戒了|停了|不[用做学练喝吃抽玩弹打]了|没了|死了|去世了|退了|送人了|报废了|不干了)/u,
    },
    {
      form: /(?:把|从)(?<named>.{1,14}?)(?:全|都|已经|也|给)*(?:换成|改成|换到|转到|迁到|搬到|卖了|戒了|停了|退了|辞|离职|取消)/u,
    },
    {
      form: /(?:不再|放弃了?|戒了|停了|取消了|退了|卖了|不用|代替|取代|替换)(?:用|去|做|学|吃|喝)?(?<named>.{1,14})/u,
    },
  ],
};

const CLAUSES: Readonly<Record<RuleLanguage, RegExp>> = {
  en: /[,.;:!…()]+(?=\s|$)|\s[-–—]+\s|\s(?:and|so|but|because|since)\s/u,
  de: /[,.;:!…()]+(?=\s|$)(?<!(?:Dr|Prof|St)\.)|\s[-–—]+\s|\s(?:und|aber|denn|weil)\s/u,
  fr: /[,.;:!…()]+(?=\s|$)|\s[-–—]+\s|\s(?:et|mais|donc|car|parce que)\s/u,
  zh: /[，,。；;！!：:、\s]+/u,
};

/** What follows the head of a phrase: prepositions, times and French complements. */
const BEHIND =
  /(?:^|\s)(?:for|in|on|at|with|after|last|this|since|to|as|by|over|altogether|completely|entirely|now|any ?more|yesterday|when|years?|pour|en|dans|depuis|cet?t?e?|le mois|l['’]an|il y a|chez|avec|définitivement|hier)(?=\s|$).*$|\s(?:de|du|des|à|au|aux) .*$|\sd['’].*$/u;
/** Clauses about one moment: a train that is cancelled today is taken again tomorrow. */
const MOMENT =
  /\b(?:today|tonight|tomorrow|yesterday|this (?:morning|afternoon|evening)|again|early|late|for lunch|at (?:noon|\d|half|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b))|(?<!\p{L})(?:heute|gestern|morgen|wieder mal|um \d+|ce (?:soir|matin)|demain|hier soir|aujourd['’]hui|à \p{L}+ heures?|à \d+ ?h)(?!\p{L})|今[天晚早]|明天|昨天|刚才/iu;

/** What the clauses of a message say is over. */
export function endingsNamed(text: string, language: RuleLanguage): NamedEnding[] {
  const clauses = text.split(CLAUSES[language]).filter((clause) => !MOMENT.test(clause));
  return clauses.flatMap((clause) =>
    FRAMES[language].flatMap(({ form, isPerson = false, isHead = false }) => {
      const found = form.exec(clause.trim());
      if (found === null) return [];
      const { named: whole = clause } = found.groups ?? {};
      const phrase = whole.trim();
      if (OF_OTHERS.test(phrase)) return [];
      const named = isHead ? (phrase.replace(BEHIND, "").trim().split(" ").at(-1) ?? "") : phrase;
      return named === "" ? [] : [{ named, isPerson }];
    }),
  );
}

/** Statements that say who has a role: "The user's manager is Dilys". */
const ROLE_OF =
  /^The user's (?:[\p{L}-]+ ){1,3}is (?:\p{Lu}|called)|^(?:Der|Die) .{2,30} des Nutzers (?:ist|heißt) |^(?:Le |La |L['’]).{2,30} de l['’]utilisateur (?:est|s['’]appelle) |^用户的.{1,6}(?:是|姓|叫)/u;

/** The known statements that a message ends by naming what is over. */
export function endedByName(
  text: string,
  language: RuleLanguage,
  open: readonly KnownStatement[],
): readonly KnownStatement[] {
  const endings = endingsNamed(text, language);
  return open.filter((one) => {
    const words = new Set(identifying(one.text));
    return endings.some(({ named, isPerson }) => {
      if (isPerson) return ROLE_OF.test(one.text) && identifying(named).some((word) => words.has(word));
      if (identifying(named).some((word) => words.has(word))) return true;
      // "sold the car" ends "drives a Fiat Panda"
      const kinds: readonly string[] = kindsOfNoun(named);
      return kinds.length > 0 && kindsOf(one.text).some((kind) => kinds.includes(kind));
    });
  });
}
