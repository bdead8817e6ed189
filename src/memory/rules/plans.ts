import { attitude, profile } from "./predicates.ts";
import { frenchInThirdPerson } from "./readers/french-objects.ts";
import { germanInThirdPerson } from "./readers/german-objects.ts";
import type { Rule, RuleLanguage, Statement } from "./rule.ts";

/** Words of other speakers, references to another sentence, and suppositions. */
const REFUSED =
  /["“”«»„]|[?？]\s*$|(?<!\p{L})(?:you|your|it|that|this|would|could|might|maybe|if|dir|dich|dein\p{L}*|Sie|Ihnen|es|das|dies\p{L}*|wenn|ob|würde|könnte|vielleicht|tu|te|toi|vous|ton|ta|ça|cela|si|peut-être|pourrais)(?!\p{L})/iu;

const on = (pattern: string, make: Rule["make"], isOfEnds = false): Rule => ({
  pattern: new RegExp(pattern, "u"),
  make: (match) => (REFUSED.test(match[0]) ? undefined : make(match)),
  ...(isOfEnds && { isOfEnds }),
});

const BEGIN = "(?:^|[,:] )";
const END = "(?=[.!;]*$|, )";
const NAME = String.raw`((?:(?:Dr|Mr|Mrs|Ms|Prof|M|Mme|Herrn?|Frau|Doktor|Professor)\.? )*\p{Lu}[\p{L}’'-]+(?: \p{Lu}[\p{L}’'-]+)?)`;
const ENGLISH_DAY = String.raw`((?:on|at|in|from) (?:the )?(?:\p{Lu}|\d|noon)[^,;!?]{1,30}?)`;
const GERMAN_DAY = String.raw`((?:am|um|im) (?:\p{Lu}|\d)[^,;!?]{1,30}?)`;
const FRENCH_DAY = String.raw`((?:le |en |à )?(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|\d{1,2})[^,;!?]{0,30}?)`;

/** Rules for appointments with somebody, whose day a correction supersedes. */
const APPOINTMENTS: readonly Rule[] = [
  on(
    `${BEGIN}(?:[Mm]y|[Oo]ur|[Tt]he) ((?:\\w+ )?(?:meeting|appointment|call|interview|session|lesson|review|check-?up|lunch|dinner)) with ${NAME} (?:is|has been moved|was moved|has moved|moved)(?: now| to)* ${ENGLISH_DAY}(?: now)?${END}`,
    ([, what = "", who = "", day = ""]) => ({
      ...profile("en", `is ${day}`, `${what} with ${who}`.toLowerCase()),
      subject: `{Whose} ${what} with ${who}`,
    }),
  ),
  on(
    `${BEGIN}(?:[Mm]ein|[Uu]nser|[Dd]er|[Dd]as|[Dd]ie|[Mm]eine|[Uu]nsere) (Termin|Treffen|Gespräch|Besprechung|Vorstellungsgespräch|Sitzung|Telefonat) (bei|mit) ${NAME} ist (?:jetzt |nun )?(?:erst )?${GERMAN_DAY}${END}`,
    ([, what = "", at = "", who = "", day = ""]) => ({
      ...profile("de", `ist ${day}`, `${what} ${at} ${who}`.toLowerCase()),
      subject: `${ARTICLES.get(what) ?? "Der"} ${what} {whose} ${at} ${who}`,
    }),
  ),
  on(
    `${BEGIN}(?:[Mm]on|[Mm]a|[Ll]e|[Ll]a|[Nn]otre) (réunion|rendez-vous|entretien|appel|séance|rencontre) (avec|chez) ${NAME} (?:est|tombe) (?:maintenant |finalement )?${FRENCH_DAY}${END}`,
    ([, what = "", at = "", who = "", day = ""]) => ({
      ...profile("fr", `est ${day}`, `${what} ${at} ${who}`.toLowerCase()),
      subject: `${what === "rendez-vous" ? "Le " : /^[ea]/.test(what) ? "L'" : "La "}${what} {whose} ${at} ${who}`,
    }),
  ),
];
const ARTICLES: ReadonlyMap<string, string> = new Map([
  ["Treffen", "Das"],
  ["Gespräch", "Das"],
  ["Vorstellungsgespräch", "Das"],
  ["Telefonat", "Das"],
  ["Besprechung", "Die"],
  ["Sitzung", "Die"],
]);

const GERMAN_WEEKDAY =
  "(?:mon|diens|mitt|donners|frei|sams|sonn)\\p{Ll}*s|(?:am |an )(?:Mon|Diens|Mitt|Donners|Frei|Sams|Sonn)\\p{Ll}+(?:en|s|abend|morgen|nachmittag)?";

/** Rules for times when the speaker is unavailable, and for plans with a date. */
const TIMES: readonly Rule[] = [
  on(
    `^(?:[Ii]ch kann (${GERMAN_WEEKDAY}) (?:immer |nie |leider )*nicht|((?:${GERMAN_WEEKDAY})) kann ich (?:leider |nie |immer )*nicht)${END}`,
    ([, day, front = ""]) => when(day ?? front),
    false,
  ),
  {
    pattern: new RegExp(`^(${GERMAN_WEEKDAY}) kann ich (?:leider |immer )*nicht${END}`, "iu"),
    make: ([, day = ""]) => when(day),
  },
  on(
    `${BEGIN}[Jj]e (?:ne suis|suis) (pas |jamais )?(disponible|joignable|libre) ((?:le|les|en|avant|après|tous les) [\\p{L}\\d -]{3,40})${END}`,
    ([said, not = "", how = "", day = ""]) =>
      said.includes("ne ") === (not !== "") && !/cette|aujourd|demain|moment/.test(day)
        ? profile("fr", `${not === "" ? "" : "n'"}est ${not}${how} ${day}`, `${how} ${day}`)
        : undefined,
  ),
  on(
    `^我(?:每)?((?:周|星期|礼拜)[一二三四五六日天末](?:早上|上午|中午|下午|晚上)?)(?:都|得|要){1,2}(上[^，。的]{1,6}课|去[^，。的]{1,8}|学[^，。的]{1,6}|练[^，。的]{1,6})[。！]?$`,
    ([, day = "", what = ""]) => profile("zh", `${day}${what}`, `${day}做`),
  ),
  on(
    `${BEGIN}(?:I['’]m|I am|[Ww]e['’]re|[Ww]e are) (going|flying|travell?ing|driving) to (\\p{Lu}[\\p{L}’'-]+(?: \\p{Lu}[\\p{L}’'-]+)?) ((?:in|on|next|from|for) [^,;!?.]{3,60})${END}`,
    ([, how = "", where = "", day = ""]) => profile("en", `is ${how} to ${where} ${day}`),
  ),
  on(
    `^[Ii]ch (?:möchte|will|werde|plane,?) ((?:nächste[snrm]?|dieses|diesen|diese|im|in diesem|bis|ab) (?!Moment|Augenblick)\\p{Lu}\\p{Ll}+ [^,;]{3,70}(?:en|ern|eln))${END}`,
    ([said, what = ""]) =>
      /(?:wissen|fragen|sagen|sehen|haben|verstehen|machen lassen)$/.test(what)
        ? undefined
        : profile(
            "de",
            `${/ (will|werde)/.exec(said)?.[1]?.replace("werde", "wird") ?? "möchte"} ${germanInThirdPerson(what)}`,
          ),
  ),
  on(
    `${BEGIN}(?:[Jj]['’]ai l['’]intention (?:de |d['’])|[Jj]e (?:compte|prévois de|projette de|souhaite) )(?!te |vous |savoir|comprendre|voir|avoir|être)([\\p{L}'’]+(?:er|ir|re) [^,;.]{3,70})${END}`,
    ([, what = ""]) =>
      profile("fr", `prévoit de ${frenchInThirdPerson(what)}`.replace(/de (?=[aeiouéèêhy])/u, "d'")),
  ),
];

const when = (day: string): Statement =>
  profile("de", `kann ${day[0]?.toLowerCase()}${day.slice(1)} nicht`, `kann ${day.toLowerCase()}`);

const FRENCH_TOOL = String.raw`([\p{Lu}\d][\p{L}\p{N}.+#-]*(?: \p{Lu}[\p{L}\p{N}.+#-]*)?)`;
const HOME = String.raw`(\p{Lu}[\p{L}’'-]+(?: \p{Lu}[\p{L}’'-]+)?)`;

/** Rules for moves and replacements. Both sides are stated, so that the earlier answer is superseded. */
const CHANGES: readonly Rule[] = [
  on(
    `${BEGIN}(?:[Jj]e viens|[Nn]ous venons|[Oo]n vient) (?:juste )?(?:de déménager|d['’]emménager) (?:de ${HOME} )?((?:à|en|au|aux) ${HOME})`,
    ([, from, to = ""]) =>
      profile("fr", `vient de déménager ${from === undefined ? "" : `de ${from} `}${to}`, "home"),
  ),
  on(
    `${BEGIN}(?:[Jj]e suis passée?|[Nn]ous sommes passée?s|[Oo]n est passée?s?) de ${FRENCH_TOOL} à ${FRENCH_TOOL}`,
    ([, from = "", given = ""]) => {
      const to = given.replace(/\.$/, "");
      return switched("fr", `utilise ${to} au lieu de ${from}`, `n'utilise plus ${from}`, from, to);
    },
  ),
  on(
    `${BEGIN}I(?:['’]ve| have)? (?:just |recently )?(?:switched|changed|moved)(?: over)? from ((?:\\p{Ll}+ )?\\p{Ll}+) to (\\p{Ll}+ (?!for\\b|because\\b|since\\b|last\\b|this\\b|in\\b|on\\b|at\\b|when\\b|and\\b|but\\b|after\\b|years?\\b)\\p{Ll}+)(?=[.!,;]|$)`,
    ([, from = "", to = ""]) =>
      switched("en", `switched from ${from} to ${to}`, `no longer has ${from} but ${to}`, from, to),
  ),
  on(
    `${BEGIN}I(?:['’]ve| have)? (?:just |recently )?(?:started|joined)(?: working)?(?: at| for)? (\\p{Lu}[\\p{L}\\d&-]+(?: \\p{Lu}[\\p{L}\\d&-]+)?)((?: (?:in|last|on) \\p{L}+)?)${END}`,
    ([said, where = "", day = ""]) =>
      /(?:started (?:at|working (?:at|for))|joined) /.test(said)
        ? profile("en", `${said.includes("joined") ? "joined" : "started at"} ${where}${day}`, "employer")
        : undefined,
  ),
  on(
    `${BEGIN}(?:I['’]m|I am) (?:on|using) (\\p{Lu}[\\p{L}\\d+#.-]*(?: \\p{Lu}[\\p{L}\\d+#.-]*)?) (?:now|these days|nowadays)${END}`,
    ([, tool = ""]) => attitude("en", `is on ${tool} now`, tool, "yes"),
  ),
  on(
    `^[Ss]tatt (\\p{Lu}\\p{L}+) (trinke|esse|benutze|nutze|verwende) ich ((?:\\p{Ll}+ ){0,3}?)(\\p{Lu}\\p{L}+)${END}`,
    ([, from = "", verb = "", how = "", to = ""]) => {
      const lasting = how.replace(/(?<!\p{L})(?:jetzt|nun|inzwischen|mittlerweile|lieber) /gu, "");
      return instead("de", `${GERMAN_THIRD.get(verb) ?? verb} ${lasting}${to} statt ${from}`, from, to);
    },
  ),
  on(
    `${BEGIN}[Jj]e (bois|mange|prends) (?:maintenant )?((?:du |de la |de l['’]|des )(\\p{Ll}+(?: \\p{Ll}+)?)) (?:au lieu|à la place) (du |de la |de l['’]|des |de |d['’])(\\p{Ll}+)(?: maintenant| désormais)?${END}`,
    ([, verb = "", some = "", to = "", of = "", from = ""]) =>
      instead(
        "fr",
        `${verb.replace(/s$/, verb === "bois" ? "t" : "")} ${some} au lieu ${of}${from}`,
        from,
        to,
      ),
  ),
  on(`${BEGIN}[Jj]e fume${END}`, () => attitude("fr", "fume", "fumer", "yes")),
];
const GERMAN_THIRD: ReadonlyMap<string, string> = new Map([
  ["trinke", "trinkt"],
  ["esse", "isst"],
  ["benutze", "benutzt"],
  ["nutze", "nutzt"],
  ["verwende", "verwendet"],
]);

const switched = (
  language: RuleLanguage,
  about: string,
  noLonger: string,
  from: string,
  to: string,
): readonly Statement[] => [attitude(language, about, to, "yes"), attitude(language, noLonger, from, "no")];

/**
 * A statement that names both things of a replacement. Its slot is that of the abandoned thing, whose earlier
 * statement it supersedes.
 */
const instead = (language: RuleLanguage, about: string, from: string, to: string): readonly Statement[] =>
  from === to ? [] : [attitude(language, about, from, "no")];

/** Rules for appointments, plans with a date, and changes, beside the rules of each language. */
export const PLAN_RULES: readonly Rule[] = [...APPOINTMENTS, ...TIMES, ...CHANGES];
