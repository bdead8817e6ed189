import { itemAt } from "../../base/expect.ts";
import type { Rule, Statement } from "./rule.ts";

const OBJECT = "([^，。；：！？,.;:!?（）()\\n]{1,30})";
const BEGIN = "(?:^|[，。；：！？,.;!?\\s])";
/** References outside the sentence, and fillers. */
const POINTING =
  /^(?:你|您|他|她|它|这|那|此|什么|怎么|哪|谁|的|了|过|着|吗|呢|吧|看到|听到|知道|说|想|上)|(?:吗|呢|吧|么)$/;
const NOT_SO = /如果|要是|假如|可能|也许|或许|好像|以为|曾经|本来想|是不是|有没有/;
const RELATION =
  "妻子|老婆|丈夫|老公|女儿|儿子|妈妈|母亲|爸爸|父亲|哥哥|弟弟|姐姐|妹妹|爷爷|奶奶|女朋友|男朋友|朋友|同事|老板|经理|导师|老师|室友|狗|猫";
const JOB =
  /(?:工程师|程序员|开发者?|设计师|老师|教师|教授|医生|护士|律师|会计|记者|编辑|作家|翻译|经理|总监|产品经理|分析师|研究员|科学家|学生|研究生|博士生?|厨师|司机|警察|顾问|架构师|运维|创始人|自由职业者)$/;

const profile = (about: string, slot?: string): Statement => ({
  category: "profile",
  topic: "profile",
  about,
  ...(slot && { slot }),
});

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
    const topic = object.replace(/^(?:喝|吃|用|看|听|玩|写|做|去|在)(?=.)/, "");
    return {
      category: "preferences",
      topic,
      about: `${verb}${object}`,
      slot: `attitude to ${object}`,
      answer: verb === "不喜欢" ? "no" : "yes",
    };
  });

/** Statements of Chinese speakers about themselves and people they name. */
export const CHINESE: readonly Rule[] = [
  about(
    `${BEGIN}(?:大家好，|你好，)?我(?:的名字)?叫(?:做)?([^，。；：！？,.;:!?（）()\\s]{1,12})`,
    (o) => `名叫${o}`,
    "name",
  ),
  about(`${BEGIN}我(?:现在|目前|一直)?住在${OBJECT}`, (o) => `住在${o}`, "home"),
  about(`${BEGIN}我(?:最近|刚刚?|已经)?搬到了?${OBJECT}`, (o) => `搬到${o}`, "home"),
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
  about(
    `${BEGIN}我(?:家)?(?:养了|有)([一二两三四五六\\d](?:只|条|个)(?:[\\u4e00-\\u9fff]{0,4})(?:猫|狗|兔子|孩子|儿子|女儿))`,
    (o) => `有${o}`,
  ),
  about(`${BEGIN}我(?:计划|打算)${OBJECT}`, (o) => `打算${o}`),
  about(`${BEGIN}我(?:正在|最近在)学(?:习)?${OBJECT}`, (o) => `正在学习${o}`),
  prefers(`${BEGIN}我(?:也|最|很|非常|特别|比较|一直)*(?:不喜欢|讨厌|不爱|受不了)${OBJECT}`, "不喜欢"),
  prefers(`${BEGIN}我(?:也|很|非常|特别|比较|一直|最|都)*(?:喜欢|喜爱|爱|热爱)${OBJECT}`, "喜欢"),
  prefers(`${BEGIN}我(?:一般|通常|更|比较|还是)*(?:偏好|更喜欢|倾向于?|习惯用?)${OBJECT}`, "更喜欢"),
  on(
    `${BEGIN}我(?:的)?(${RELATION})(?:的名字)?(?:叫|名叫)(?:做)?([^，。；：！？,.;:!?（）()\\s]{1,12})`,
    (m) => ({
      category: "entities",
      topic: itemAt(m, 2),
      subject: itemAt(m, 2),
      about: `是{whose}的${m[1]}`,
      slot: "relation",
    }),
  ),
  on(
    `(?:项目|服务|系统|产品|公司|团队|仓库)(?:的名字)?(?:叫|名叫|叫做)([^，。；：！？,.;:!?（）()\\s]{2,20})`,
    (m, o) => ({
      category: "entities",
      topic: o,
      subject: o,
      about: `是${itemAt(m[0].match(/项目|服务|系统|产品|公司|团队|仓库/) ?? [], 0)}`,
      slot: "kind",
    }),
  ),
];
