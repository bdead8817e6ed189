import { entity, profile } from "../predicates.ts";
import type { RuleLanguage, Statement } from "../rule.ts";
import { complementOf as chineseComplement } from "./chinese/segments.ts";
import type { Reading } from "./table.ts";

const form = (source: string): RegExp => new RegExp(`^${source}[.!。！]*$`, "u");

/** Things of the speaker's that have a name; films, functions and songs are somebody else's. */
const EN_THING =
  "(?:[\\p{Ll}]+ )?(?:band|choir|team|group|club|shop|caf[eé]|bakery|company|business|charity|boat|app|site|website|blog|podcast|newsletter|product|project|game|repo|server|channel|startup|studio|house)";
const DE_THING =
  "(?:\\p{Lu}\\p{Ll}*)?(?:[Bb]and|[Cc]hor|[Tt]eam|[Gg]ruppe|[Vv]erein|[Ll]aden|[Cc]afé|[Ff]irma|[Bb]oot|[Aa]pp|[Ss]eite|[Bb]log|[Pp]odcast|[Pp]rodukt|[Pp]rojekt|[Ss]piel|[Rr]epo|[Ss]erver|[Kk]anal|[Ss]tudio)";
const FR_THING =
  "(?:groupe|chorale|équipe|club|boutique|café|boulangerie|boîte|entreprise|asso|association|bateau|appli|site|blog|podcast|produit|projet|jeu|dépôt|serveur|chaîne|studio)(?: de [^,]{2,25})?";
const NAME =
  "[\"“”«»'‘’ ]*([\\p{Lu}\\d][\\p{L}\\d'’&.-]*(?: (?:(?:&|and|und|et|of|de|du|des|la|le) )*[\\p{Lu}\\d][\\p{L}\\d'’&.-]*)*)[\"“”«»'‘’ ]*";
const WORD = "(\\p{Lu}[\\p{L}\\d-]+)";

const called = (language: RuleLanguage, source: string, is: string): Reading => ({
  form: form(source),
  make: ([, article = "", thing = "", name = ""]) =>
    entity(
      language,
      thing.toLowerCase(),
      `${article[0]?.toUpperCase()}${article.slice(1)}${/['’]$/.test(article) ? "" : " "}${thing}`,
      `${is} ${name}`,
      "name",
    ),
});

/** What a project is or has: "the Kestrel project moved its deadline to 14 October". */
const project = (language: RuleLanguage, source: string, subject: (name: string) => string): Reading => ({
  form: form(source),
  make: ([, name = "", about = ""]) =>
    entity(language, name, subject(name), about, about.split(" ").slice(0, 2).join(" ")),
});

const REST = "[^,?]{3,70}";

/** Names of the speaker's things, and statements about projects by their names. */
export const NAMED_THINGS: Readonly<Record<RuleLanguage, readonly Reading[]>> = {
  en: [
    called("en", `(the) (${EN_THING}) (?:is|['’]s) (?:called|named) ${NAME}`, "is called"),
    project(
      "en",
      `(?:the|our) ${WORD} project ((?:is|has|uses|runs|moved|ends|starts|launches|belongs|needs) ${REST})`,
      (name) => `The ${name} project`,
    ),
    {
      form: form(
        "(?:for [^,]{2,25}?,? )?(?:I|we)(?:['’]ve| have)? (?:picked|chosen|chose|went with|opted for|settled on) (?:for )?(\\p{Lu}[\\p{L}\\d.+#-]*)(?: (?:over|instead of|rather than) (\\p{Lu}[\\p{L}\\d.+#-]*))?(?:,? with (\\p{Lu}[\\p{L}\\d.+#-]*) as (?:the |our )?(\\p{Ll}+))?(?: for [^,]{2,25})?",
      ),
      make: ([, tool = "", over, other, role = ""]): readonly Statement[] => [
        profile(
          "en",
          `uses ${tool}${over === undefined ? "" : ` rather than ${over}`}`,
          `use ${tool.toLowerCase()}`,
        ),
        ...(other === undefined
          ? []
          : [profile("en", `uses ${other} as the ${role}`, `use ${other.toLowerCase()}`)]),
      ],
    },
    {
      form: form(
        "(?:(next [\\p{L}]+|in \\p{Lu}\\p{L}+|this (?:spring|summer|autumn|winter)),? )?(?:I|we)(?:['’]re| are|['’]m| am)? (?:want|plan|planning|intend|hoping) to ((?:walk|go|travel|visit|move|fly|cycle|climb|drive|hike|sail|run|open|buy|get|start|learn) [^,?]{3,50}?)(?: (next [\\p{L}]+|in \\p{Lu}\\p{L}+|this (?:spring|summer|autumn|winter)))?",
      ),
      make: ([, before, what = "", behind]) => {
        const when = (before ?? behind)
          ?.toLowerCase()
          .replace(/(?<=^in )\p{Ll}/u, (first) => first.toUpperCase());
        return when === undefined || /\b(?:it|this|that|you|them)\b/.test(what)
          ? undefined
          : profile("en", `plans to ${what} ${when}`);
      },
    },
  ],
  de: [
    called("de", `(die|der|das|unsere?) (${DE_THING}) (?:heißt|heisst) ${NAME}`, "heißt"),
    project(
      "de",
      `(?:das |unser )?[pP]rojekt ${WORD} ((?:ist|läuft|nutzt|endet|startet|hat|braucht|liegt|gehört) ${REST})`,
      (name) => `Das Projekt ${name}`,
    ),
    {
      form: form(
        "((?:im|nächste[nsr]?|ab) \\p{Lu}\\p{L}+) (?:wollen|möchten|will|möchte) (?:wir|ich) ([^,?]{5,60})",
      ),
      make: ([, when = "", what = ""]) =>
        /(?<!\p{L})(?:ich|mir|mich|du|das|es)(?!\p{L})/u.test(what)
          ? undefined
          : profile("de", `will ${when[0]?.toLowerCase()}${when.slice(1)} ${what}`),
    },
  ],
  fr: [
    called("fr", `(le|la|l['’]) ?(${FR_THING}) s['’]appelle ${NAME}`, "s'appelle"),
    project(
      "fr",
      `(?:le |notre )?projet ${WORD} ((?:est|tourne|utilise|finit|démarre|commence|se termine) ${REST})`,
      (name) => `Le projet ${name}`,
    ),
    {
      form: form("(?:je|j['’]|on|nous) ?(?:ne |n['’])?(\\p{L}+) (ni [^,?]{2,30} ni [^,?]{2,30})"),
      make: ([, verb = "", what = ""]) => {
        const third = NEITHER[verb];
        return third === undefined
          ? undefined
          : profile("fr", `${/^[aeiou]/.test(third) ? "n'" : "ne "}${third} ${what}`, `${third} ${what}`);
      },
    },
    {
      form: form(
        "(en \\p{Ll}+|au printemps|cet (?:été|hiver|automne)|l['’]an prochain|l['’]été prochain),? (?:on|je|nous) (?:veut|veux|compte|prévoit|prévois|envisage|pense) (?:de |d['’])?(\\p{Ll}+(?:er|ir|re) [^,?]{3,50})",
      ),
      make: ([, when = "", what = ""]) => profile("fr", `compte ${what} ${when}`),
    },
    {
      form: form(
        `${WORD} (valide|signe|décide|garde|relit|paie|gère|surveille|entraîne|remplace) ([^,?]{3,60})`,
      ),
      make: ([, name = "", verb = "", what = ""]) =>
        /^(?:Je|On|Il|Elle|Ça|Qui|Ce|Tout|Mon|Ma)$/.test(name)
          ? undefined
          : entity("fr", name, name, `${verb} ${what}`, verb),
    },
  ],
  zh: [
    {
      form: form(
        '(?:我们?的?)?(店|公司|小店|店铺|工作室|乐队|产品|小程序|应用|App|APP|网站|公众号|品牌|船|项目)(?:的名字)?叫(?:做)?[“"「]?([\\p{Script=Han}A-Za-z\\d]{2,12})[”"」]?',
      ),
      make: ([, thing = "", name = ""]) =>
        /什么|啥/u.test(name)
          ? undefined
          : { ...profile("zh", `叫${name}`, thing), subject: `{Whose}的${thing}` },
    },
    {
      form: form(
        "([\\p{Script=Han}A-Za-z]{2,6})项目的?(甲方|客户|负责人|预算|截止日期|交付时间|验收时间|地点)(?:是|定在|在|为)([^，,?？]{2,16})",
      ),
      make: ([, name = "", what = "", value = ""]) =>
        entity("zh", name, `${name}项目`, `的${what}是${value}`, what),
    },
    {
      form: form(
        "(?:我们?)?((?:明年|今年|后年)[^，,?？打准计]{0,5}|春节|国庆|暑假|寒假|五一|过年|下个月|年底)(?:我们?)?(?:打算|准备|计划)([^，,?？]{3,20})",
      ),
      make: ([, when = "", what = ""]) => {
        const about = chineseComplement(what);
        return about === undefined ? undefined : profile("zh", `打算${when}${about}`);
      },
    },
  ],
};

const NEITHER: Readonly<Record<string, string>> = {
  mange: "mange",
  mangeons: "mange",
  bois: "boit",
  boit: "boit",
  fume: "fume",
  supporte: "supporte",
  digère: "digère",
  conduis: "conduit",
  parle: "parle",
  aime: "aime",
};
