import type { Predicate, Subject } from "./subject.ts";

/** Nouns of temporary belongings and of the task at hand. */
export const PASSING =
  /问题|想法|疑问|错误|bug|报告|作业|任务|意思|感觉|时间|事情?$|急事|空$|会议|感冒|发烧|头疼|肚子疼|困|累|饿|渴|忙|开会$|路上|家里?$|等|看看|试|找|问|写这|改这/u;

const OFTEN =
  "(?:一直|平时|一般|通常|总是|老是|经常|常常|常|从来不|从不|从来|很少|几乎不?|每[天周月年日晚][\\p{Script=Han}\\d]{0,8}?|每个?(?:星期|礼拜|月|周末)[\\p{Script=Han}\\d]{0,6}?|(?:周|星期|礼拜)[一二三四五六日天末](?:[上下]午|早上|晚上)?|早上|晚上|中午|周末|夏天|冬天|一周|一天|一个月|[零一二两三四五六七八九十\\d]+点(?:半|钟)?|从[^，]{1,10}?(?:开始|起)|只|更|最|很|特别|非常|比较|完全|主要|自己|从小就?|今年|左耳|右耳|一个人|独自|[^，]{1,6}的?时候)*";

/** Verbs of lasting states and habits. */
const LASTING =
  "把[^，]{1,10}(?:放|存|藏|停|挂)在|\\d{4}年(?:\\d{1,2}月)?出生|准备[^，]{0,6}(?:马拉松|考试|考研|婚礼|比赛)|不?让[^，]{1,8}|不?允许|坐[^，]{1,4}会?(?:害怕|晕)|[^，]{1,10}都用[^，]{1,6}写|住在?|来自|出生[在于]|在[^，]{1,14}?(?:工作|上班|上学|读书|读研|教书|长大|出生|生活|任教|当|做|教|读|学|唱|演|打|踢|拉|弹|买菜|开\\p{Script=Han}{0,3}店|开公司|开餐馆|开诊所|上夜班|办公|度假|租)|教|养(?:了|着)?|用|使用|习惯用?|开(?!会|始|发了|玩笑|心|着|机)|骑|坐[^，]{1,6}(?:上班|上学)|喜欢|讨厌|爱|怕|害怕|不?喝|不?吃|抽|戴|穿|弹|拉|打(?!算|扰|开|电话问)|踢|玩|学(?!会了)|读|看(?!了|到|见|看|不懂)|听(?!说|到|了|见)|听不见|看不见|写(?!了)|唱|跳舞?|画|做(?!了|完|不)|收集|收藏|练|跑步?|跑|游泳?|游|睡(?!着)|起床?|存在?|放在?|停在|租|合租|跟[^，]{1,8}(?:住|合租|说话|联系|生活)|和[^，]{1,8}(?:住|合租|说话|联系|生活)|带|管理?|负责|参加|志愿|教|从事|体重|身高|血型|年薪|月薪|房租|姓|属|信|单身|已婚|未婚|离异|订婚|退休|怀孕|过敏|忘记|记不住|失眠|打鼾|会|不会|能|不能|过[^，]{1,4}节|付|交|赚|挣|花|喂|照顾|照看|帮[^，]{1,6}照[看顾]|上(?:幼儿园|小学|初中|高中|中学|大学)|上[^，]{1,4}(?:年级|学|班|课|幼儿园)|去[^，]{0,8}(?:上课|上班|健身房?|游泳|度假|买菜|教堂|训练|跑步|图书馆)|健身|训练|开例会|开会|开晨会|聚餐|吃素|吃肉|过生日|订阅?|缴|签|合作|维护|运营|经营|开了?一?家|放|部署|发布|上线|备份|托管|老家|睡觉|走路|骑车|坐地铁|坐公交|回老家|打工|实习|兼职|创业|做饭|带孩子|遛狗|办公";

export const HABIT = new RegExp(`^${OFTEN}(?:不太?|不怎么|不再)?(?:${LASTING})`, "u");

const IS = /^(?:都?是)(?:一?(?:名|位|个|家)|这?里?的)?(?!不是|说|指|因为|为了|想|要|我)([^，。]{1,18})$/u;

const HAS =
  /^(?:自己)?(?:只)?有(?:[一二两三四五六七八九十几\d]+|个|只|条|台|辆|套|糖尿病|高血压|哮喘|抑郁症|焦虑症|失眠|洁癖|偏头痛|[\p{Script=Han}]{1,5}(?:症|病|炎|恐惧症))/u;

const HAS_NOT =
  /^(?:从来)?没有?(?:养|再)?(?:车|电梯|孩子|小孩|驾照|电视|房子|兄弟姐妹|宗教|信仰|对象|宠物|[猫狗]|微信|洗衣机|空调|结婚|买房)/u;

const SPECIAL =
  /^对[^，]{1,12}(?:过敏|不感兴趣|感兴趣)|^(?:今年)?[\d一二三四五六七八九十]{1,3}岁|^在(?:读|上)?[^，]{0,12}(?:研究生|博士|本科|大学|高中|年级)|^(?:正)?在学|^读[^，]{1,8}(?:研究生|博士|本科)|^[^，]{1,6}不耐受|^色盲|^近视|^听不见|^(?:得了|患有)[^，]{1,8}(?:病|症)/u;

/** Matches plans with a date; only these are stored as facts. */
const PLAN =
  /^(?:\d{1,2}月(?:\d{1,2}[号日])?|[一二三四五六七八九十]{1,2}月(?:份)?(?:[一二三四五六七八九十]{1,3}[号日])?|下个?[月周年](?:[一二三四五六日])?|明年|今年[春夏秋冬]天|下学期)(?:[上中下]旬)?(?:就?要|会|准备|打算)?(?:去|飞|搬|结婚|参加|考|生|到|开始|回|退休|毕业|出差|做手术|入职)/u;

/** Patterns for the end or the change of a state. */
const ENDED =
  /^(?:不再|再也不|已经不|不)(抽|喝|吃|用|打|学|玩|养|开|骑|看|听|住在?|在|跟[^，]{1,6}|是|去|写|做|练|弹)([^，]{0,16}?)了?$/u;

const CHANGED =
  /^(?:改成?|换成?|改为|改到|换到|改用|换用|改喝|改吃|改学|改开|改骑)了?(?:在|去)?([^，]{1,18}?)了?$/u;

/** The predicate for a state, a habit, a dated plan or a change; undefined for anything temporary. */
export function lastingIn(text: string, { kind }: Subject): Predicate | undefined {
  if (/^以前是[^，]{2,10}$/u.test(text) && kind === "person") return { about: text, slot: "以前" };
  const change = endIn(text) ?? (kind === "self" ? changeIn(text) : undefined);
  if (change) return change;
  if (PASSING.test(text.replace(/^有/u, "")) && !/开例?会$|偏头痛/u.test(text)) return undefined;
  return stateIn(text) ?? habitIn(text);
}

function endIn(text: string): Predicate | undefined {
  const [match, verb = "", raw = ""] = ENDED.exec(text) ?? [];
  if (match === undefined || !/了$|不再|再也不|已经不/u.test(text)) return undefined;
  const object = raw.trim();
  if (verb === "是")
    return { about: `不再是${object}`, slot: object.includes("住") ? "household" : isSlot(object) };
  if (verb === "在") return { about: `不再在${object}`, slot: "employer" };
  return { about: `不再${verb}${object}`, slot: slotOf(`${verb}${object}`) };
}

function changeIn(text: string): Predicate | undefined {
  const [switched, from = "", to] =
    /^从([^，]{1,12}?)(?:换到|换成|转到|迁移到|搬到|改到)了?([^，]{1,16}?)了?$/u.exec(text) ?? [];
  if (switched !== undefined) return { about: `从${from}换到${to}`, slot: `用${from.slice(-2)}` };
  const thinner = /^(?:瘦|胖|减|长)到([\d.]+(?:公斤|斤|kg))了?$/u.exec(text)?.[1];
  if (thinner !== undefined) return { about: `体重${thinner}`, slot: "体重" };
  if (!CHANGED.test(text)) return undefined;
  const what = text
    .replace(/^改成?为?(?=(?:周|星期|每|早|晚))/u, "")
    .replace(/^(?:改|换成?)(?=(?:喝|吃|学|开|骑|用))/u, "")
    .replace(/^(?:改用|换用)了?/u, "用")
    .replace(/了$/u, "");
  return HABIT.test(what) ? { about: what, slot: slotOf(what) } : undefined;
}

function stateIn(text: string): Predicate | undefined {
  const about = text.replace(/了$/u, "");
  const is = IS.exec(text)?.[1];
  if (is !== undefined) return /的$|[他她它]/u.test(is) ? undefined : { about, slot: isSlot(is) };
  if (HAS.test(text) || HAS_NOT.test(text)) return { about, slot: `有${nounOf(text)}` };
  if (PLAN.test(text)) return { about };
  if (/^(?:订婚|结婚|离婚)了?$/u.test(text)) return { about: `${about}了`, slot: "marriage" };
  return SPECIAL.test(text) ? { about: text, slot: slotOf(text) } : undefined;
}

/** Verbs with 了 or 过, which describe a single event. */
const ONCE =
  /^(?:\p{Script=Han}{0,3})(?:买|吃|喝|看|去|写|做|学|用|打|开|跑|找|换|忘|丢)(?:完|到|见|掉)?[了过](?!.*年了)|^学了[^，]{1,4}了?$/u;

/** 在 before a verb describes the current moment. */
const GOING_ON =
  /^(?:正?在)(?!\p{Script=Han}{1,12}(?:工作|上班|上学|读|教|长大|生活|学|租|办公|度假|做|当))/u;

function habitIn(text: string): Predicate | undefined {
  const isHome = text.startsWith("家");
  const habit = isHome ? text.slice(1) : text;
  if (isHome && /^在/u.test(habit)) return { about: text, slot: "home" };
  if (ONCE.test(text) || GOING_ON.test(habit) || !HABIT.test(habit) || habit.length < 2) return undefined;
  return { about: text.replace(/(?<!养)了$/u, ""), slot: slotOf(habit) };
}

const isSlot = (what: string): string =>
  /(?:师|员|生|医|士|人员|工|厨|警|家|手|长|理|监)$/u.test(what) ? "job" : `是${what.slice(-2)}`;

export const nounOf = (text: string): string =>
  text
    .replace(
      /^(?:自己|只|从来)*(?:没有?|有)(?:养|再)?(?:[一二两三四五六七八九十几\d]*(?:个|只|条|台|辆|套|位|名)?)?/u,
      "",
    )
    .replace(/了$/u, "")
    .slice(-3);

/** The slot of a predicate: the verb and its object, without times and amounts. */
function slotOf(text: string): string {
  const plain = text
    .replace(/\s+/gu, "")
    .replace(
      /^(?:一直|平时|一般|通常|总是|老是|经常|常常|从来不|从不|只|更|最|很|特别|非常|主要|自己|今年|不再|不太|不)+/u,
      "",
    )
    .replace(
      /每[天周月年日晚]?[一二三四五六日天]?|(?:周|星期|礼拜)[一二三四五六日天末]|[上下]午|早上|晚上|中午|[零一二两三四五六七八九十\d]+点(?:半|钟)?|从下周起/gu,
      "",
    );
  if (/^(?:住|跟父母住|家在)|住在/u.test(plain)) return "home";
  if (/^(?:一个人住|独自住|(?:跟|和).*(?:住|合租))/u.test(plain)) return "household";
  if (/^在.*(?:工作|上班|任教)$/u.test(plain)) return "employer";
  if (/^(?:体重|身高|血型|姓|属)/u.test(plain)) return plain.slice(0, 2);
  if (/^上(?:幼儿园|小学|初中|高中|中学|大学)/u.test(plain)) return "上学";
  if (/(?:坐|骑|走路|开车|地铁).*(?:上班|上学)$/u.test(plain)) return "怎么上班";
  if (/^开(?!.*会)/u.test(plain)) return "车";
  if (/^(?:起床|上班|睡觉)$/u.test(plain)) return plain;
  if (/^养[了着]?/u.test(plain)) return `有${nounOf(plain.replace(/^养[了着]?/u, "有"))}`;
  if (/^(?:单身|已婚|未婚|离异)/u.test(plain)) return "marriage";
  return plain.replace(/^(.)(?:一[个只条辆台份]|两[个只条]|着|了|的是|得)/u, "$1").slice(0, 6);
}
