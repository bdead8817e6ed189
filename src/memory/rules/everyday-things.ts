import { objectOf } from "./clauses.ts";
import { attitude, entity, profile, wish } from "./predicates.ts";
import type { Rule, RuleLanguage, Statement } from "./rule.ts";

/** Words of conditions, of guesses and of the past, and references to another sentence. */
const UNSURE =
  /(?<!\p{L})(?:wenn|falls|würde\p{L}*|hätte\p{L}*|vielleicht|wahrscheinlich|damals|früher|ob|du|dir|dein\p{L}*|dort|hier|peut-être|probablement|avant|autrefois|tu|ton|ta|tes|vous|votre|là|ici|you|your|there|here)(?!\p{L})|[?？]\s*$|如果|(?<!主)要是|假如|可能|也许|或许|以为|曾经|是不是|有没有|吗|[你您他她它这那]/iu;

const on = (pattern: string, make: Rule["make"]): Rule => ({
  pattern: new RegExp(pattern, "u"),
  make: (match) => (UNSURE.test(match[0]) ? undefined : make(match)),
});

const END = "(?=[.!,。！，]|$)";
const REST = String.raw`([^,;:!?()\n—…]{2,60}?)`;
const NAME = String.raw`([\p{L}\p{N}][\p{L}\p{N}._/#+-]*[\p{L}\p{N}])`;
const CAPITAL = String.raw`\p{Lu}[\p{L}’'-]+(?: \p{Lu}[\p{L}’'-]+)?`;

/** A statement of a thing's name: a later name supersedes the earlier one. */
const called = (language: RuleLanguage, topic: string, subject: string, about: string): Statement =>
  entity(language, topic, subject, about, "name");

/** A statement of a choice between two things: a later choice between the same two supersedes it. */
const choice = (language: RuleLanguage, one: string, other: string, about: string): Statement => ({
  ...wish(language, [one, other].sort().join(" / "), about),
  slot: "choice",
});

const AIDS_EN = "(glasses|reading glasses|contact lenses|contacts|a hearing aid|hearing aids|a wheelchair)";
const INSTRUMENTS =
  "(?:the )?(?:piano|guitar|violin|cello|viola|flute|clarinet|oboe|trumpet|saxophone|drums|bass|harp|accordion|organ)|chess|football|tennis|basketball|volleyball|badminton|hockey|handball|golf|rugby|squash";
/** Times of habits: a day or a time of day. */
const WHEN_EN =
  "(?:on|every) (?:\\w+ )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?(?: (?:mornings?|evenings?|afternoons?|nights?))?|every (?:day|week|morning|evening|weekend)|(?:in the|on) (?:mornings?|evenings?|weekends?)";

const ENGLISH: readonly Rule[] = [
  on(
    `(?:^|[,:] |\\band )I(?:['’]ve| have) been living ((?:in|near|on) ${CAPITAL}(?: (?:since|for) [^,;!?\\n]{2,25}?)?)${END}`,
    ([, where = ""]) => profile("en", `has been living ${where}`, "home"),
  ),
  on(
    `^(?:[Oo]ur|[Mm]y) ((?:[\\w-]+ ){0,1}(?:team|group|choir|band|club|class|squad|department|stand-?up|seminar)) ((?:meets|gathers|rehearses|practises|practices) (?:on |every |each |at )${REST})${END}`,
    ([, name = "", about = ""]) => entity("en", name, `{Whose} ${name}`, about, about.split(" ")[0]),
  ),
  on(
    `(?:^|[,:] )I (usually|normally|often|always|generally) go (\\w+ing) ((?:${WHEN_EN}))${END}`,
    ([, often = "", what = "", when = ""]) => profile("en", `${often} goes ${what} ${when}`, `goes ${what}`),
  ),
  on(
    `(?:^|[,:] )I go (\\w+ing|to the gym|to church) ((?:once|twice|three times|four times) (?:a|per) (?:week|month|day))${END}`,
    ([, what = "", when = ""]) => profile("en", `goes ${what} ${when}`, `goes ${what}`),
  ),
  on(
    `^(?:[Pp]lease )?([Ww]rite (?:short|brief|long|detailed|concise) (?:answers|replies))(?:,? please)?${END}`,
    ([, what = ""]) => wish("en", "length of answers", `wants: ${what.replace(/^W/, "w")}`),
  ),
  on(
    `(?:^|[,:] )I['’]d rather (have|drink|eat|use|take|work with) ${REST} than ${REST}${END}`,
    ([, verb = "", one = "", other = ""]) =>
      objectOf(one) === undefined || objectOf(other) === undefined
        ? undefined
        : choice("en", one, other, `would rather ${verb} ${one} than ${other}`),
  ),
  on(
    `^(?:[Pp]lease )?((?:[Dd]on['’]t|[Dd]o not) (?:use|write|add|include|put) ${REST} in (?:\\w+ )?(?:commits?|commit messages?|code|comments?|tests?|answers?|replies|documentation|docs|titles?|names?))${END}`,
    ([, what = ""]) => wish("en", what.split(" ").slice(2, 6).join(" "), `wants: ${what.replace(/^D/, "d")}`),
  ),
  on(
    `^[Ww]e(?:['’]re| are) (?:all |both )?(vegetarian|vegan|pescatarian)s?(?: at home)?${END}`,
    ([, what = ""]) => profile("en", `is ${what}`, `is ${what}`),
  ),
  on(
    `^(?:[Oo]ur|[Tt]he|[Mm]y) ((?:[\\w-]+ ){0,2}(?:branch|branches|server|database|cluster|bucket|queue|repository|repo|service|project|channel|package|table)) (is|are) (always )?(?:now )?(?:called|named) ${NAME}(?: now)?${END}`,
    ([said, name = "", be = "", always = "", as = ""]) => {
      // other rules handle the names of servers and databases
      if (always === "" && !/(?:branch|bucket|queue|channel|package|table)$/.test(name)) return undefined;
      return called(
        "en",
        name,
        /^t/i.test(said) ? `The ${name}` : `{Whose} ${name}`,
        `${be} ${always}called ${as}`,
      );
    },
  ),
  on(
    `(?:^|[,:] )I play (${INSTRUMENTS})( (?:in|for|at|with) (?:an?|the) ${REST})?${END}`,
    ([, what = "", where = ""]) => profile("en", `plays ${what}${where}`, `plays ${what}`),
  ),
  on(`(?:^|[,:] )I (need|wear) ${AIDS_EN}( for [a-z ]{3,30})?${END}`, ([, verb = "", what = "", why = ""]) =>
    profile("en", `${verb}s ${what}${why}`, what),
  ),
];

const DAYS_DE =
  "(?:einmal|zweimal|dreimal) (?:in der|die|pro) Woche|(?:jeden|jede|jedes) (?:Tag|Morgen|Abend|Woche|Wochenende|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag)(?:morgen|abend)?";

const GERMAN: readonly Rule[] = [
  on(`^(?:Bitte )?([Ff]asse? dich (?:immer )?kurz)${END}`, ([, what = ""]) =>
    wish("de", "Länge der Antworten", `möchte: ${what.toLowerCase()}`),
  ),
  on(
    `^(Der|Die|Das|Unser|Unsere|Mein|Meine) (\\p{Lu}\\p{L}*(?:server|datenbank|system|umgebung|cluster|projekt|repo|zweig|dienst|rechner|bibliothek|paket|tabelle|kanal)|Server|Datenbank|Cluster|Projekt|Repository|Repo) heißt (?:jetzt |nun )?${NAME}${END}`,
    ([, article = "", what = "", name = ""]) => {
      const own = /^[UM]/.test(article);
      return called("de", what, own ? `${what} {whose}` : `${article} ${what}`, `heißt ${name}`);
    },
  ),
  on(
    `^[Ww]ir (speichern|hosten|lagern|sichern) unsere (\\p{Lu}\\p{L}+) ((?:in|im|auf|bei) ${REST})${END}`,
    ([, verb = "", what = "", where = ""]) =>
      profile("de", `${verb.slice(0, -1)}t eigene ${what} ${where}`, `${what} wo`),
  ),
  on(
    `^(?:[Mm]eine|[Uu]nsere) (Eltern|Großeltern|Schwiegereltern|Kinder|Geschwister) ((?:wohnen|leben|arbeiten) (?:in|im|bei|auf|an) ${REST})${END}`,
    ([, who = "", about = ""]) =>
      entity("de", `${who} {whose}`, `Die ${who} {whose}`, about, about.split(" ")[0]),
  ),
  on(
    `(?:^|[,:] )[Ii]ch habe (?:(in ${CAPITAL}) (\\p{Lu}\\p{L}+)|(\\p{Lu}\\p{L}+) (in ${CAPITAL})) studiert${END}`,
    ([, where = "", what = "", subject = "", place = ""]) =>
      profile("de", `hat ${where || place} ${what || subject} studiert`, "degree"),
  ),
  on(
    `^(?:[Uu]nsere|[Mm]eine) (Server|Daten|Backups|Sicherungen|Dienste|Rechner|Datenbanken|Kunden|Nutzer) ((?:stehen|laufen|liegen) (?:in|im|auf|bei) ${REST}|sind (?:vor allem|meist|meistens|hauptsächlich|vorwiegend) ${REST})${END}`,
    ([, what = "", about = ""]) => entity("de", what, `Die ${what} {whose}`, about, about.split(" ")[0]),
  ),
  on(`(?:^|[,:] )[Ii]ch (?:bin|wurde) (?:\\d{4} )?in (${CAPITAL}) geboren${END}`, ([, where = ""]) =>
    profile("de", `ist in ${where} geboren`, "birthplace"),
  ),
  on(`(?:^|[,:] )[Ii]ch gehe (${DAYS_DE}) (\\p{Ll}+en)${END}`, ([, when = "", what = ""]) =>
    profile("de", `geht ${when} ${what}`, `geht ${what}`),
  ),
  on(
    `(?:^|[,:] )[Ii]ch (brauche|trage) (zum \\p{L}+ |beim \\p{L}+ )?(eine Brille|eine Lesebrille|Kontaktlinsen|ein Hörgerät)${END}`,
    ([, verb = "", why = "", what = ""]) =>
      profile("de", `${verb === "trage" ? "trägt" : "braucht"} ${why}${what}`, what),
  ),
  on(
    `^(\\p{Lu}\\p{L}+) (mag|esse|trinke|benutze|nutze) ich (nicht mehr|nicht|gern|gerne)${END}`,
    ([, what = "", verb = "", how = ""]) => {
      const third = verb === "esse" ? "isst" : verb === "mag" ? "mag" : `${verb.slice(0, -1)}t`;
      return attitude("de", `${third} ${what} ${how}`, what, /^nicht/.test(how) ? "no" : "yes");
    },
  ),
  on(
    `^(?:Bitte )?([Vv]erwende|[Bb]enutze|[Nn]utze|[Ss]chreibe?|[Cc]ommitte|[Pp]ushe|[Mm]erge|[Dd]eploye|[Ll]ösche|[Ää]ndere) ((?:(?:in|im|bei|für) [^,;!?\\n]{3,30} )?(?:bitte )?(?:nie |niemals )?(?:keine?n?|nie|niemals) [^,;!?\\n]{3,40}?)${END}`,
    ([, verb = "", what = ""]) =>
      wish("de", what.split(" ").slice(0, 4).join(" "), `möchte: ${verb.toLowerCase()} ${what}`),
  ),
];

const FRENCH: readonly Rule[] = [
  on(
    `^(La|Le|L['’]|Notre|Mon|Ma) ?((?:base|serveur|projet|dépôt|branche|environnement|service|paquet|table|canal)(?: principale?| de (?:test|données|production|recette|développement|build|préproduction))?) s['’]appelle (?:maintenant |désormais )?${NAME}${END}`,
    ([, article = "", what = "", name = ""]) => {
      const subject = /^[NM]/.test(article)
        ? `${capital(what)} {whose}`
        : `${article}${/^L['’]/.test(article) ? "" : " "}${what}`;
      return called("fr", what, subject, `s'appelle ${name}`);
    },
  ),
  on(
    `^[Nn]ous (stockons|hébergeons|gardons) nos (\\p{Ll}+) ((?:à|en|chez|sur|dans) ${REST})${END}`,
    ([, verb = "", what = "", where = ""]) =>
      profile("fr", `${verb.replace(/e?ons$/, "e")} ses ${what} ${where}`, `${what} où`),
  ),
  on(
    `^(?:[Mm]es|[Nn]os) (parents|grands-parents|beaux-parents|enfants|frères|sœurs) ((?:habitent|vivent|travaillent) (?:à|en|au|aux|dans|près de) ${REST})${END}`,
    ([, who = "", about = ""]) =>
      entity("fr", `${who} {whose}`, `Les ${who} {whose}`, about, about.split(" ")[0]),
  ),
  on(
    `(?:^|[,:] )[Jj]['’]ai étudié ((?:le |la |les |l['’])?\\p{Ll}+) ((?:à|en|au|aux) ${CAPITAL})${END}`,
    ([, what = "", where = ""]) => profile("fr", `a étudié ${what} ${where}`, "degree"),
  ),
  on(
    `(?:^|[,:] )[Jj]e vis (dans une? (?:ferme|maison|appartement|studio|péniche) (?:à|en|près de) ${CAPITAL})${END}`,
    ([, where = ""]) => profile("fr", `vit ${where}`, "home"),
  ),
  on(
    `^(?:[Nn]otre|[Mm]on|[Mm]a) (API|application|site|backend|serveur|base de données) (est écrite? en ${NAME})${END}`,
    ([, what = "", about = ""]) => entity("fr", what, `${capital(what)} {whose}`, about, "est écrit"),
  ),
  on(
    `^(?:[Nn]os|[Mm]es) (serveurs|données|sauvegardes|services|machines|clients|utilisateurs) ((?:sont|tournent|se trouvent) (?:(?:à|en|chez|sur|dans|au|aux)|surtout|principalement) ${REST})${END}`,
    ([, what = "", about = ""]) => entity("fr", what, `Les ${what} {whose}`, about, "place"),
  ),
  on(`(?:^|[,:] )[Jj]e suis née? (?:en \\d{4} )?((?:à|en|au|aux) ${CAPITAL})${END}`, ([, where = ""]) =>
    profile("fr", `est né ${where}`, "birthplace"),
  ),
  on(
    `^(?:S['’]il te plaît, )?([Nn]['’](?:utilise|emploie|écris|ajoute)[sz]? (?:pas|jamais) (?:d['’]|de |des )?[^,;!?\\n]{3,50}?)${END}`,
    ([, what = ""]) =>
      wish("fr", what.split(" ").slice(2, 6).join(" "), `souhaite : ${what.replace(/^N/, "n")}`),
  ),
  on(`(?:^|[,:] )[Nn]ous sommes (végétarien|végan|végétalien)(?:ne)?s${END}`, ([, what = ""]) =>
    profile("fr", `est ${what}`, `est ${what}`),
  ),
  on(
    `^[Mm](?:on|a) (\\p{Ll}+) préférée? est (?:maintenant |désormais )?${REST}${END}`,
    ([said = "", kind = "", what = ""]) => ({
      ...wish(
        "fr",
        `${kind} préféré`,
        `a pour ${kind} ${/^[Mm]a /.test(said) ? "préférée" : "préféré"} ${what}`,
      ),
      slot: "favourite",
      answer: what,
    }),
  ),
  on(
    `^(?:[Mm]on|[Mm]a|[Nn]otre) (médecin|dentiste|avocate?|vétérinaire|pédiatre) (?:est|s['’]appelle)(?: maintenant| désormais)? ((?:(?:le )?docteur|la docteure|Dr\\.?|M\\.|Mme|maître) ${CAPITAL})${END}`,
    ([, role = "", name = ""]) => ({
      ...profile("fr", `est ${name}`, role),
      subject: `${/^[aé]/.test(role) ? "L'" : "Le "}${role} {whose}`,
    }),
  ),
  on(
    `(?:^|[,:] )[Jj]e porte (des lunettes|des lentilles|un appareil auditif)( pour \\p{L}+)?${END}`,
    ([, what = "", why = ""]) => profile("fr", `porte ${what}${why}`, what),
  ),
];

const capital = (what: string): string =>
  `${/^[éaeA]/.test(what) ? "L'" : /^(?:base|branche|table)/.test(what) ? "La " : "Le "}${what}`;

const BEGIN = "(?:^|[，。；！,;!\\s])";
const STOP = "(?=[，。！,.!]|$)";
const HAN = "[\\u4e00-\\u9fff]";
const CHINESE_TOOL = "([A-Za-z][\\w.+#/-]*(?: [A-Z][\\w.+#/-]*)?)";
const DAY_ZH = "每个?(?:星期|礼拜|周)[一二三四五六日天末](?:早上|上午|中午|下午|晚上)?";

const CHINESE: readonly Rule[] = [
  on(
    `${BEGIN}(?:我|我们)(?:现在|目前|一直|都)*用 ?${CHINESE_TOOL} ?来?(做|写|管理|部署|开发|画|记)(${HAN}{1,8}?)${STOP}`,
    ([, tool = "", verb = "", what = ""]) => attitude("zh", `用 ${tool} ${verb}${what}`, tool, "yes"),
  ),
  on(
    `${BEGIN}(?:我|我们)(?:现在|目前|已经)*(?:改?用) ?${CHINESE_TOOL}[，, ]*(?:已经)?不再?用 ?${CHINESE_TOOL} ?了?${STOP}`,
    ([, to = "", from = ""]) => [
      attitude("zh", `用 ${to}，不再用 ${from}`, to, "yes"),
      attitude("zh", `不再用 ${from}`, from, "no"),
    ],
  ),
  on(
    `${BEGIN}我们的?(团队|小组|公司|部门|项目组|班)(${DAY_ZH}|每天|每个?月)((?:[上下]午|早上|晚上)?${HAN}{2,10}?)${STOP}`,
    ([, who = "", when = "", what = ""]) =>
      entity("zh", `{whose}的${who}`, `{Whose}的${who}`, `${when}${what}`, what),
  ),
  on(
    `${BEGIN}我(?:们)?的?(牙医|心理医生|家庭医生|医生|律师|房东)(?:现在)?(?:是|叫)(${HAN}{1,3}(?:医生|律师|先生|女士|老师)?)${STOP}`,
    ([, role = "", name = ""]) => ({ ...profile("zh", `是${name}`, role), subject: `{Whose}的${role}` }),
  ),
  on(
    `${BEGIN}我的(车|手机|电脑|房子|自行车|键盘|相机)是([^，。；！,.;!\\n]{2,20}?)${STOP}`,
    ([, what = "", is = ""]) => profile("zh", `的${what}是${is}`, what),
  ),
  on(
    `${BEGIN}我们的?(服务器|数据库|办公室|公司|数据|备份|仓库|集群)(?:现在)?(?:都)?存?(?:放)?在([^，。；！,.;!的\\n]{2,12}?)${STOP}`,
    ([, what = "", where = ""]) => entity("zh", what, `{Whose}的${what}`, `在${where}`, "在"),
  ),
  on(
    `${BEGIN}(?:我|我们)(${DAY_ZH})(?:都|一般|通常)?((?:去|会)?${HAN}{2,10}?)${STOP}`,
    ([, when = "", what = ""]) => profile("zh", `${when}${what}`, `when ${what}`),
  ),
  on(
    `${BEGIN}((?:测试|生产|预发|开发|主)?(?:数据库|服务器|系统|环境|仓库|分支|集群|服务))(?:现在)?(?:叫|名叫|名为)(?:做)? ?([^，。；！,.;!\\s]{1,16}?)${STOP}`,
    ([, what = "", name = ""]) => called("zh", what, what, `叫${name}`),
  ),
  on(
    `${BEGIN}(?:比起|相比)([^，。我]{1,10})[，,]?我更(喜欢|爱)([^，。；！,.;!\\n]{1,10}?)${STOP}`,
    ([, other = "", verb = "", one = ""]) => choice("zh", one, other, `更${verb}${one}，而不是${other}`),
  ),
  on(`${BEGIN}我(?:是)?(?:\\d{4}年)?出生[在于](${HAN}{2,8}?)${STOP}`, ([, where = ""]) =>
    profile("zh", `出生在${where}`, "birthplace"),
  ),
  on(
    `^(?:请)?((?:在)?${HAN}{2,8}(?:里|中|时)(?:请)?(?:不要|别|禁止)(?:用|写|加|放|使用)?[^，。；！,.;!\\n]{2,20}?)${STOP}`,
    ([, what = ""]) => wish("zh", what.slice(0, 8), `希望：${what}`),
  ),
  on(`${BEGIN}我(?:对)?(乳糖|麸质)不耐受?${STOP}`, ([, what = ""]) => profile("zh", `${what}不耐受`)),
  on(`${BEGIN}我(?:现在)?在(${HAN}{2,10}?)教(${HAN}{2,6}?)${STOP}`, ([, where = "", what = ""]) =>
    profile("zh", `在${where}教${what}`, "job"),
  ),
  on(`${BEGIN}我(?:会|能)说(?:一点儿?|一些|流利的)?(${HAN}{1,4}[语话])${STOP}`, ([, what = ""]) =>
    profile("zh", `会说${what}`, `说${what}`),
  ),
  on(`${BEGIN}我(?:在)?大学(?:里)?学的是(${HAN}{2,10}?)${STOP}`, ([, what = ""]) =>
    profile("zh", `大学学的是${what}`, "degree"),
  ),
  on(
    `${BEGIN}我们的?(客户|用户)(?:主要|大多|大部分)是([^，。；！,.;!\\n]{2,12}?)${STOP}`,
    ([, who = "", what = ""]) => entity("zh", who, `{Whose}的${who}`, `主要是${what}`, "是"),
  ),
  on(`^(?:请)?(简短地?回答|简洁地?回答|回答(?:得)?简短(?:一点|些))${STOP}`, ([, what = ""]) =>
    wish("zh", "回答的长度", `希望：${what}`),
  ),
  on(`${BEGIN}我(?:们)?(?:全)?家(?:都)?吃素${STOP}`, () => profile("zh", "家吃素", "diet")),
  on(
    `${BEGIN}我会(拉|弹|吹|打)(小提琴|大提琴|二胡|钢琴|吉他|古筝|琵琶|笛子|长笛|鼓|网球|篮球|羽毛球|乒乓球|太极拳)${STOP}`,
    ([, verb = "", what = ""]) => profile("zh", `会${verb}${what}`, what),
  ),
  on(
    `${BEGIN}我(${HAN}{0,4}?)(?:要|需要|得)?戴(?:着)?(眼镜|隐形眼镜|助听器)${STOP}`,
    ([, when = "", what = ""]) => profile("zh", `${when.replace(/[要需得]+$/, "")}戴${what}`, what),
  ),
  on(`${BEGIN}我(?:已经)?(结婚|订婚|离婚)了${STOP}`, ([, what = ""]) =>
    profile("zh", `${what}了`, "marriage"),
  ),
];

/** More everyday patterns: names and locations of things, habits, wishes about the agent's work. */
export const EVERYDAY_THINGS: readonly Rule[] = [...ENGLISH, ...CHINESE, ...GERMAN, ...FRENCH];
