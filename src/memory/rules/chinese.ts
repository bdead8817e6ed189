import { itemAt } from "../../base/expect.ts";
import { attitude, entity, profile as profileIn } from "./predicates.ts";
import { nounOf } from "./readers/chinese-states.ts";
import type { Rule, Statement } from "./rule.ts";

const OBJECT = "([^，。；：！？,.;:!?（）()\\n]{1,30})";
const BEGIN = "(?:^|[，。；：！？,.;!?\\s])";
/** Words that refer to another sentence, and fillers. */
const POINTING =
  /^(?:你|您|他|她|它|这|那|此|什么|怎么|哪|谁|的|了|过|着|吗|呢|吧|看到|听到|知道|说|想|上(?!海))|(?:吗|呢|吧|么)$/;
const NOT_SO = /如果|要是|假如|可能|也许|或许|好像|以为|曾经|本来想|是不是|有没有/;
const RELATION =
  "妻子|老婆|丈夫|老公|女儿|儿子|妈妈|母亲|爸爸|父亲|哥哥|弟弟|姐姐|妹妹|爷爷|奶奶|女朋友|男朋友|朋友|同事|老板|经理|导师|老师|室友|狗|猫";
const JOB =
  /(?:工程师|程序员|开发者?|设计师|老师|教师|教授|医生|护士|律师|会计|记者|编辑|作家|翻译|经理|总监|产品经理|分析师|研究员|科学家|学生|研究生|博士生?|厨师|司机|警察|顾问|架构师|运维|创始人|自由职业者)$/;

const profile = (about: string, slot?: string): Statement => profileIn("zh", about, slot);

function objectOf(raw: string | undefined): string | undefined {
  const object = raw?.replace(/(?:了|啦|啊|呀|哦|的)+$/, "").trim();
  return !object || POINTING.test(object) ? undefined : object;
}

const on = (
  pattern: string,
  make: (match: RegExpExecArray, object: string) => Statement | undefined,
): Rule => ({
  pattern: new RegExp(pattern, "u"),
  make: (match) => {
    const object = objectOf(match[1]);
    return object === undefined || NOT_SO.test(match.input) ? undefined : make(match, object);
  },
});
const about = (pattern: string, say: (object: string) => string, slot?: string): Rule =>
  on(pattern, (_, object) => profile(say(object), slot));
const prefers = (pattern: string, verb: string): Rule =>
  on(pattern, (_, object) => {
    return attitude("zh", `${verb}${object}`, thingOf(object), verb === "不喜欢" ? "no" : "yes");
  });

/** The object without its verb: what is drunk, eaten or used. */
const thingOf = (object: string): string =>
  object.replace(/^(?:喝|吃|用|看|听|玩|写|做|去|在)(?=.)/, "").trim();

const TOOL = "([A-Za-z][\\w .+#/-]{0,40}[\\w+#]|[\\u4e00-\\u9fff]{2,8})";
const WHO = `${BEGIN}(?:我|我们)(?:现在|目前|已经|都)*`;

function replaced(from: string | undefined, to: string): readonly Statement[] {
  const now = attitude("zh", from ? `用${to}，不再用${from}` : `用${to}`, to, "yes");
  return from ? [now, attitude("zh", `不再用${from}`, from, "no")] : [now];
}

const UNIQUE: Readonly<Record<string, string>> = {
  妻子: "配偶",
  老婆: "配偶",
  丈夫: "配偶",
  老公: "配偶",
  老板: "上司",
  经理: "上司",
  领导: "上司",
  主管: "上司",
  导师: "导师",
  医生: "医生",
};
const CHANGES: readonly Rule[] = [
  {
    pattern: new RegExp(
      `${WHO}(?:不再|不)(喝|吃|用|抽)([^，。；！？,.;!?了\\n]{1,15})了?(?:[，,]?(?:改|换成?)(?:喝|吃|用|成)?([^，。；！？,.;!?了\\n]{1,15}))?`,
      "u",
    ),
    make: ([said, verb = "", object = "", instead]) => {
      if (NOT_SO.test(said) || POINTING.test(object) || !/不再|了/.test(said)) return undefined;
      const what = object.trim();
      const statements = [
        attitude("zh", `不再${verb}${/^[A-Za-z]/.test(what) ? " " : ""}${what}`, what, "no"),
      ];
      if (instead && !POINTING.test(instead))
        statements.push(attitude("zh", `${verb}${instead}`, instead, "yes"));
      if (/^(?:素|肉|荤)$/.test(object)) statements.push(profile(`不再${verb}${object}`, "diet"));
      return statements;
    },
  },
  {
    pattern: new RegExp(`${WHO}(?:从|由) ?${TOOL} ?(?:换[成到]?|改成?|迁移?到|切换到|转到)了? ?${TOOL}`, "u"),
    make: ([, from, to = ""]) => replaced(from?.trim(), to.replace(/了$/, "").trim()),
  },
  {
    pattern: new RegExp(`${WHO}(?:改用|换成|换用)了? ?([A-Za-z][\\w .+#/-]{0,40}[\\w+#])`, "u"),
    make: ([, to = ""]) => replaced(undefined, to.trim()),
  },
  {
    pattern: new RegExp(
      `${WHO}(?:一直)?(?:使用|用|采用)(?:的是)? ?([A-Za-z][^，。；！？,;!?了\\n]{1,40})`,
      "u",
    ),
    make: ([said, to = ""]) =>
      /[\u4e00-\u9fff]{4}|代替|替代|取代|而不是/.test(to) || NOT_SO.test(said)
        ? undefined
        : attitude("zh", `用 ${to.trim()}`, to.trim(), "yes"),
  },
  {
    pattern: new RegExp(
      `${BEGIN}(?:我们|项目)的([\\u4e00-\\u9fff]{2,6})(?:用的?是?|跑在|部署在|运行在) ?([^，。；！？,;!?\\n]{2,40})`,
      "u",
    ),
    make: ([said, what = "", how = ""]) =>
      POINTING.test(how)
        ? undefined
        : entity(
            "zh",
            what,
            `{Whose}的${what}`,
            `${/跑在|部署在|运行在|用/.exec(said)?.[0] ?? "用"} ${how.trim()}`,
            "is",
          ),
  },
  {
    pattern: new RegExp(
      `${BEGIN}我(?:们)?(?:的)?(?:新)?(${Object.keys(UNIQUE).join("|")})(?:现在)?(?:是|叫|名叫)([^，。；！？,.;!?（）()\\s我]{1,8})`,
      "u",
    ),
    make: ([, of = "", name = ""]) =>
      POINTING.test(name) || /的/.test(name)
        ? undefined
        : { ...profile(`是${name}`, UNIQUE[of] ?? of), subject: `{Whose}的${of}` },
  },
  {
    pattern: new RegExp(
      `${BEGIN}我(?:的)?(${RELATION})(?:叫[^，。；！？,.;!?]{1,8}[，,])?((?:住在|在)[^，。；！？,.;!?\\n]{2,20}|今年[^，。；！？,.;!?\\n]{1,5}岁)`,
      "u",
    ),
    make: ([, of = "", about = ""]) =>
      POINTING.test(about.slice(2))
        ? undefined
        : entity("zh", `{whose}的${of}`, `{Whose}的${of}`, about, about.slice(0, 2)),
  },
  {
    pattern: new RegExp(`${BEGIN}(?:我|我们)(每(?:天|周|个?月|年)[^，。；！？,.;!?\\n]{2,24})`, "u"),
    make: ([said, what = ""]) => {
      if (NOT_SO.test(said)) return undefined;
      const consumed = /(?:喝|吃|抽|用)(?!完)([^，。]{1,8})$/u.exec(what)?.[1];
      return consumed === undefined
        ? profile(what, `when ${what.slice(-2)}`)
        : attitude("zh", what, consumed, "yes");
    },
  },
  {
    pattern: new RegExp(`${BEGIN}我们(?:改为|改到|改成)(每周[^，。；！？,.;!?\\n]{2,24})`, "u"),
    make: ([, what = ""]) => profile(what, `when ${what.slice(-2)}`),
  },
  {
    pattern: new RegExp(`${BEGIN}我(?:的)?生日(?:是|在) ?([^，。；！？,;!?\\n]{2,12})`, "u"),
    make: ([, day = ""]) => profile(`的生日是${day}`, "birthday"),
  },
  {
    pattern: new RegExp(
      `${BEGIN}(?:请|以后)?(?:叫|称呼)我([^，。；！？,.;!?\\s]{1,6}?)(?:就行|就好|吧|即可)?(?:[，。！,.!]|$)`,
      "u",
    ),
    make: ([, name = ""]) => (POINTING.test(name) ? undefined : profile(`希望被称为${name}`, "called")),
  },
  {
    pattern: new RegExp(`${BEGIN}我(?:现在)?(?:是)?(?:一个)?(素食者|素食主义者|左撇子|单身|已婚)`, "u"),
    make: ([, what = ""]) => profile(`是${what}`, /素/.test(what) ? "diet" : "marriage"),
  },
  {
    pattern: /^(?:请)?(?:记住|记得|别忘了|不要忘记)[，,：:]?([^？?\n]{4,80})/u,
    make: ([, what = ""]) => {
      const kept = what.replace(/[。！!.]+$/, "");
      return /^(?:我|你|这|那)/.test(kept)
        ? undefined
        : entity("zh", kept.slice(0, 6), "{Teller}", `要求记住：${kept}`);
    },
  },
];

/** Statements of Chinese speakers about themselves and people they name. */
export const CHINESE: readonly Rule[] = [
  ...CHANGES,
  about(
    `${BEGIN}(?:大家好，|你好，)?我(?:的名字)?叫(?:做)?([^，。；：！？,.;:!?（）()\\s]{1,12})`,
    (o) => `名叫${o}`,
    "name",
  ),
  about(`${BEGIN}(?:我|我们)(?:现在|目前|一直|都)*住在${OBJECT}`, (o) => `住在${o}`, "home"),
  about(
    `${BEGIN}(?:我|我们)(?:最近|刚刚?|已经|上个?[月周])*搬(?:到|去)了?${OBJECT}`,
    (o) => `搬到${o}`,
    "home",
  ),
  about(`${BEGIN}我来自${OBJECT}`, (o) => `来自${o}`, "origin"),
  about(
    `${BEGIN}我(?:现在|目前)?在([^，。；：！？,.;:!?（）()\\n]{2,20})(?:工作|上班)`,
    (o) => `在${o}工作`,
    "employer",
  ),
  on(`${BEGIN}我(?:现在|目前)?(?:是|担任)(?:一名|一个|一位|个)?${OBJECT}`, (_, o) =>
    JOB.test(o) ? profile(`是${o}`, "job") : undefined,
  ),
  about(`${BEGIN}我今年([0-9一二三四五六七八九十]{1,3})岁`, (o) => `${o}岁`, "age"),
  about(`${BEGIN}我对([^，。；：！？,.;:!?（）()\\n]{1,15})过敏`, (o) => `对${o}过敏`),
  on(
    `${BEGIN}我(?:家)?(?:养了|有)([一二两三四五六\\d](?:只|条|个)(?:[\\u4e00-\\u9fff]{0,4})(?:猫|狗|兔子|孩子|儿子|女儿))`,
    (_, o) => profile(`有${o}`, `有${nounOf(`有${o}`)}`),
  ),
  about(`${BEGIN}我(?:计划|打算)${OBJECT}`, (o) => `打算${o}`),
  on(`${BEGIN}我(?:正在|最近在|在)学(?:习)?${OBJECT}`, (_, o) => profile(`正在学习${o}`, `学${o}`)),
  prefers(`${BEGIN}我(?:也|最|很|非常|特别|比较|一直)*(?:不喜欢|讨厌|不爱|受不了)${OBJECT}`, "不喜欢"),
  prefers(`${BEGIN}我(?:也|很|非常|特别|比较|一直|最|都)*(?:喜欢|喜爱|爱|热爱)${OBJECT}`, "喜欢"),
  prefers(`${BEGIN}我(?:一般|通常|更|比较|还是)*(?:偏好|更喜欢|倾向于?)${OBJECT}`, "更喜欢"),
  on(
    `${BEGIN}我(?:的)?(${RELATION})(?:的名字)?(?:叫|名叫)(?:做)?([^，。；：！？,.;:!?（）()\\s]{1,12})`,
    (m) =>
      UNIQUE[itemAt(m, 1)] === undefined
        ? entity("zh", itemAt(m, 2), itemAt(m, 2), `是{whose}的${m[1]}`, "relation")
        : undefined,
  ),
  on(
    `(?:项目|服务|系统|产品|公司|团队|仓库)(?:的名字)?(?:叫|名叫|叫做)([^，。；：！？,.;:!?（）()\\s]{2,20})`,
    (m, o) =>
      entity("zh", o, o, `是${itemAt(m[0].match(/项目|服务|系统|产品|公司|团队|仓库/) ?? [], 0)}`, "kind"),
  ),
];
