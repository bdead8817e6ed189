import { attitude, entity, profile } from "../predicates.ts";
import type { Statement } from "../rule.ts";
import { HABIT, lastingIn, PASSING } from "./chinese-states.ts";
import { SELF, type Subject } from "./subject.ts";

const KIN =
  "妻子|老婆|太太|爱人|丈夫|老公|先生|未婚妻|未婚夫|女儿|儿子|孩子|女朋友|男朋友|女友|男友|对象|妈妈|母亲|妈|爸爸|父亲|爸|爸妈|父母|哥哥|大哥|弟弟|姐姐|妹妹|爷爷奶奶|外公外婆|爷爷|奶奶|外公|外婆|姥姥|姥爷|岳父|岳母|公公|婆婆|侄子|侄女|外甥|外甥女|表哥|表弟|表姐|表妹|堂哥|堂弟|舅舅|叔叔|姑姑|阿姨|哥|弟|姐|妹|朋友|闺蜜|同事|老板|领导|经理|主管|上司|导师|老师|室友|邻居|房东|医生|牙医|律师|教练|助理|水管工|保姆|家教|理发师|狗|狗狗|猫|猫咪|兔子|鹦鹉";

const FULL_KIN: ReadonlyMap<string, string> = new Map(
  ["哥", "弟", "姐", "妹"].map((kin) => [kin, `${kin}${kin}`]),
);

/** Relations and roles of which a person has only one at a time. */
const ROLE = /^(?:老板|领导|经理|主管|上司|导师|房东|医生|牙医|律师|教练|水管工|保姆|理发师|家教|助理)$/;

const OWN_KIN = new RegExp(`(?<=.)我们?的?(${KIN})`, "gu");
const PERSON = new RegExp(`^(?:我们?家?(?:现在|新)?的?新?|(?=房东))(${KIN})(?=[^们的]|$)`, "u");

const FIRST_PERSON = /^(?:我们家|我家|我们|咱们|我)(?!的)/u;

const THING =
  /^(?:我们|我)(?:家|公司|办公室|团队)?的?([\p{Script=Han}A-Za-z]{1,6}?)(?=(?:现在|已经|都|一般|通常|每)*(?:放在|存在|停在|是|叫|在|用的是|用|改到|改成|换成|搬到|挪到|到期|\d{4}年|每|周|从))/u;

const NEIGHBOUR = /^(?:邻居|同事|朋友)[\p{Script=Han}]{1,3}(?=帮|给|经常|每)/u;

/** Words of single days, hearsay, wishes, conditions, guesses and requests. */
const REFUSED =
  /除非|[？?“”"「」]|[吗么]$|今天|昨天|前天|明天|刚才|刚刚|今晚|今早|如果|要是|假如|假设|可能|也许|或许|应该|觉得|以为|认为|希望|好像|差点|听说|据说|曾经|你|您|能不能|可不可以|是不是|有没有|要不要|怎么|什么|为什么|这个|那个|这样|那样|这里|那里|帮我(?!们|家)|报错|想(?!象)/u;

/** Words that show that a sentence asserts nothing. */
const CONDITIONAL = /除非|如果|要是|假如|假设|倘若|万一|只要|的话|就好了|可能|也许|或许|差点|以为|说[：:]/u;

const POINTING = /[他她它这]|那(?!种)/u;

/** A second clause about the speaker that begins without a comma: "…是东北人我是广东人". */
const SECOND_CLAUSE = /.我们?(?:是|不|也|就|有|在|喜欢|觉得)/u;

/** Nouns for the task at hand or a temporary state; statements about them are not lasting facts. */
const PASSING_SUBJECT = /代码|文件|脚本|函数|程序|电脑屏幕|网络|肚子|头|意思|问题|想法/u;

/** Adverbs of the present; they are dropped, because the fact has its date. */
const ADVERB =
  /^(?:现在|目前|已经|最近|其实|主要是?因为|对了|反正|真的|不过|但是|但|所以|因此|就|都|也|还)+/u;

const QUIT = /^(?:已经)?(戒)(烟|酒|糖|咖啡|奶茶|肉)了?$/u;

/** A time before the subject, which is moved behind it. */
const FRONTED =
  /^(从[^，我]{1,6}起|每?(?:周|星期|礼拜)[一二三四五六日天末](?:[早晚]上|[上下]午)?|[早晚]上|中午|[一二三四五六七八九十\d]{1,3}月份?(?:[一二三四五六七八九十\d]{1,3}[号日])?|下个?[月周年]|明年|今年[春夏秋冬]天|[^，我]{2,8}(?:以后|之后))(我们?)(?:就(?=不))?/u;

/** The subject of a segment as written. */
export function subjectIn(segment: string): string | undefined {
  return (PERSON.exec(segment) ?? FIRST_PERSON.exec(segment))?.[0];
}

/** Splits a Chinese sentence at commas. A segment without a subject has the subject of the previous one. */
export function chineseSegments(sentence: string): string[] {
  if (CONDITIONAL.test(sentence)) return [sentence];
  let subject: string | undefined;
  let pet: string | undefined;
  return sentence.split(/[，,；;]/).flatMap((part) => {
    const segment = part
      .trim()
      .replace(
        /^(?:谢谢|你好|对了|顺便说一下|顺便一提|嗯|哦|好的|另外|其实|不过|但是|但|所以|而且|还有)[！!。]?/u,
        "",
      );
    if (segment === "") return [];
    if (/^新[\p{Script=Han}]{1,4}是/u.test(segment)) return [`我的${segment}`];
    const own = subjectIn(segment);
    if (own !== undefined || THING.test(segment)) {
      // after a statement about a pet, an omitted subject is usually the speaker
      subject = own !== undefined && /(?:狗|猫|兔子|鹦鹉)/u.test(own) ? "我" : own;
      pet = subject === own ? undefined : own;
      return [segment];
    }
    // after "…新手机，是…", the new thing is the subject, which another rule handles
    if (/^是/u.test(segment) && /新的?\p{Script=Han}{1,4}[，,]\s*是/u.test(sentence)) return [];
    if (
      pet !== undefined &&
      /^(?:今年|已经|现在)*(?:快)?[\d一二两三四五六七八九十]{1,3}(?:岁|个月)/u.test(segment)
    )
      return [`${pet}${segment}`];
    if (
      subject === undefined ||
      /我|^叫/u.test(segment) ||
      /^[\p{Script=Han}]{0,4}[他她它你您这那]/u.test(segment)
    )
      return [segment];
    return [`${subject.replace(/^我们?家$/u, "我们")}${segment}`];
  });
}

/**
 * The statements in one segment of a Chinese sentence about the speaker, or about somebody or something the
 * speaker has.
 */
export function readChinese(clause: string): readonly Statement[] {
  const text = clause
    .trim()
    .replace(FRONTED, "$2$1")
    .replace(/[。！!.~～]+$/u, "")
    .replace(/(?:啦|啊|呀|哦|哈|呢|嘛|吧)+$/u, "");
  if (REFUSED.test(text) || /[，,；;]/.test(text)) return [];
  const neighbour = NEIGHBOUR.exec(text)?.[0];
  if (neighbour !== undefined) {
    const about = inThirdPerson(text.slice(neighbour.length));
    return HABIT.test(about) ? [entity("zh", neighbour, neighbour, about, about.slice(0, 2))] : [];
  }
  const person = PERSON.exec(text);
  if (person) {
    const kin = person[1] ?? "";
    return ofPerson(FULL_KIN.get(kin) ?? kin, text.slice(person[0].length));
  }
  const possessed =
    /^(?:我|我们)的/u.test(text) || /^我们?(?:公司|办公室|团队|球队|项目|服务器)/u.test(text)
      ? THING.exec(text)
      : null;
  if (possessed) return ofThing(possessed[1] ?? "", text.slice(possessed[0].length), text);
  const self = FIRST_PERSON.exec(text);
  if (!self) return [];
  const home = /家$/.test(self[0]) ? "家" : "";
  return stated(SELF, `${home}${text.slice(self[0].length)}`);
}

function ofPerson(kin: string, rest: string): readonly Statement[] {
  const name = /^(?:现在)?(?:是|叫|换成了?|变成了?|名叫)(?:做)?([\p{Script=Han}]{2,4}|[A-Z]\w+)了?$/u.exec(
    rest,
  )?.[1];
  if (name !== undefined && ROLE.test(kin) && !/[的个]/u.test(name))
    return [
      {
        ...profile("zh", `是${name}`, /^(?:老板|领导|经理|主管|上司)$/u.test(kin) ? "上司" : kin),
        subject: `{Whose}的${kin}`,
      },
    ];
  const surname = /^(?:现在)?(姓\p{Script=Han}{1,2})$/u.exec(rest)?.[1];
  if (surname !== undefined && ROLE.test(kin))
    return [
      {
        ...profile("zh", surname, /^(?:老板|领导|经理|主管|上司)$/u.test(kin) ? "上司" : kin),
        subject: `{Whose}的${kin}`,
      },
    ];
  const called = /^叫([\p{Script=Han}]{2,4}|[A-Z]\w+)$/u.exec(rest)?.[1];
  if (called !== undefined) return [entity("zh", called, called, `是{whose}的${kin}`, "relation")];
  if (/^(?:狗|狗狗|猫|猫咪|兔子|鹦鹉)$/u.test(kin) && /^(?:已经)?(?:去世|死|走丢)了?$/u.test(rest))
    return [entity("zh", `{whose}的${kin}`, `{Whose}的${kin}`, rest, "life")];
  return stated({ kind: "person", topic: `{whose}的${kin}`, name: kin, text: `{Whose}的${kin}` }, rest);
}

function ofThing(given: string, rest: string, whole: string): readonly Statement[] {
  const group = /^我们?(家|公司|办公室|团队)/u.exec(whole)?.[1];
  const what = given.replace(/^新(?=\p{Script=Han}{2})/u, "");
  const name =
    group !== undefined && group !== what && !whole.startsWith(`我们${group}${what}`)
      ? `${group}${what}`
      : what;
  const about = inThirdPerson(rest.replace(ADVERB, "")).replace(/了$/u, "");
  const isLasting =
    /^(?:放在|存在|停在|在|叫|用的?是?|搬到|挪到|改到|改成|换成了?)[^，]{1,20}$|^是(?!不是|因为|什么|怎么)[^，]{1,20}$|^(?:\d{4}年[^，]{0,10}|[^，]{1,10})到期$|^每|^周|^从/u;
  if (!isLasting.test(about) || PASSING.test(name) || PASSING_SUBJECT.test(name) || POINTING.test(about))
    return [];
  if (/^在(?:等|看|写|做|跑|报)/u.test(about)) return [];
  const isPlace = /^(?:在|搬到|挪到|放在|停在|存在)/u.test(about);
  const key = `${name}${isPlace ? "在" : ""}`;
  if (isPlace && /^我们/u.test(whole)) return [entity("zh", name, `{Whose}的${name}`, about, "在")];
  return [{ ...profile("zh", about, /^车$/u.test(name) ? "车" : key), subject: `{Whose}的${name}` }];
}

function stated(subject: Subject, given: string): readonly Statement[] {
  if (SECOND_CLAUSE.test(given)) return [];
  const rest = given.replace(ADVERB, "").replace(/^(家)?(?:现在|目前|已经)/u, "$1");
  const quit = subject.kind === "self" ? QUIT.exec(rest)?.[2] : undefined;
  if (quit !== undefined) return [attitude("zh", `戒${quit}了`, quit, "no")];
  const predicate = lastingIn(rest, subject);
  if (predicate === undefined) return [];
  const about = inThirdPerson(predicate.about);
  if (POINTING.test(about)) return [];
  const { slot } = predicate;
  const consumed = subject.kind === "self" ? CONSUMED.exec(about)?.[1]?.trim() : undefined;
  if (consumed !== undefined) return [attitude("zh", about, consumed, "yes")];
  return [
    subject.kind === "self"
      ? profile("zh", about, slot)
      : entity("zh", subject.topic, subject.text ?? "", about, slot ?? about.slice(0, 2)),
  ];
}

/** The object of a verb for eating, drinking, smoking or using, if the segment says nothing else. */
const CONSUMED = /^(?:只|一直|经常|常|平时|都)?(?:喝|吃|抽|用)(?!药)([^，。着了做写来]{1,8})$/u;

/** Converts the speaker's pronouns to the third person. */
const inThirdPerson = (text: string): string =>
  text
    .replace(OWN_KIN, "自己的$1")
    .replace(/我们|咱们|我/gu, "用户")
    .trim();
