import { entity, profile } from "../../predicates.ts";
import type { Statement } from "../../rule.ts";

/**
 * Words of the current moment, the task at hand and thoughts, and words that mark a clause as not asserted.
 */
const MOMENT =
  /[?？“”"「」]|今天|昨天|明天|刚才|刚刚|今晚|今早|正在|这会儿|一下|问题|报错|代码|函数|脚本|文件|文章|作业|图片|如果|要是|可能|也许|应该|好像|希望|觉得|认为|以为|知道|明白|想(?!念)|需要|能不能|可以|怎么|什么|为什么|请|帮我|给我|[你您他她它]|这|那[个么里是]|谢|困|好累|饿|渴|冷死|热死|头疼|头痛|肚子|发烧|办的|写法|方案|版本|按钮|页面|颜色|菜单|密码|表格|还是不|不行|最近在|感冒|忙|烦|开心|难过|高兴|无聊|哈哈|受不了了|幸福|倒霉|说[：:]/u;
const KIN =
  "老婆|太太|老公|先生|妻子|丈夫|媳妇|女儿|儿子|孩子|房东|导师|爸妈|父母|爸爸|妈妈|父亲|母亲|爸|妈|男朋友|女朋友|男友|女友|哥哥|弟弟|姐姐|妹妹|哥|弟|姐|妹|爷爷|奶奶|外公|外婆|姥姥|姥爷|表[哥弟姐妹]|堂[哥弟姐妹]|舅舅|叔叔|姑姑|阿姨|岳父|岳母|公公|婆婆|侄[子女]|外甥女?|双胞胎|同学|朋友|同事|闺蜜|室友|邻居|发小|领导|经理|老板|狗|猫";
/** Events with 了 whose result lasts. */
const EVENT =
  /[年月岁]了$|[一二三四五六七八九十百\d]了$|(?:搬|(?:换|改)了?(?:工作|专业|名字|手机|号码|城市|车|房|行|成吃|成喝)|戒|辞职|离职|退休|毕业|结婚|离婚|订婚|怀孕|入职|转行|跳槽|考[上过]|学会|领养|买了?(?:房|车|一?[套辆])|开了|养了|生了|住[了进]|卖了|做了.*手术|查出|得了|断了|不再|不[\p{Script=Han}]{1,4}了)/u;
const PREDICATE =
  /^(?:从小|一直|平时|一般|通常|经常|总是|每|从来|都|也|只|最|特别|很|比较|不太?|不怎么|没有|是|在(?=[^，]{1,14}(?:工作|上班|上学|读|教|住|当|做|长大|开店|实习|任职|创业|办公|租|学|练|唱|带|卖|开(?!会)|吹|弹|拉|上(?:[夜白早晚中]班|班)|打工|兼职))|有|住|用|开|骑|坐|喜欢|讨厌|爱|怕|对|从不|绝不|惯用|受不了|一半|装了|曾|坐轮椅|腿脚|除了|还|从此|才|快|倒是|一[\p{Script=Han}]就|脸|皮肤|肠胃|嗓子|眼睛|色弱|色盲|近视|远视|左撇子|戒|断|体重|信奉|吃|喝|养|教|学|做|当|写|读|看|听|弹|练|打|跑|游|穿|戴|负责|管|带|属|姓|叫|家|老家|来自|出生|身高|体重|血型|单身|已婚|离异|退休|下?周|[\d一二三四五六七八九十]{1,3}(?:岁|月|年|[号日])|习惯|擅长|会|收藏|收集|经营|租|业余|周末|早上|晚上|中午|去年|前年|今年|上个?[月周]|下个?[月周]|年底|明年|以前|之前|现在(?![很好在])|目前|跟|和|把|患|得|服用|参加|报了|订|信|种|搬|(?:换|改)了?(?:工作|专业|名字|手机|号码|城市|车|房|行|成吃|成喝)|戒|辞职|离职|结婚|离婚|毕业|入职|转行|考)/u;
const FLEETING =
  /^(?:有(?:个|点|些|一个)?(?:事|话|疑问|想法|困惑|需求|时间|空)|在(?:看|等|写|做|想|找|改|跑|用(?!的)|学(?!校|习\p{Script=Han}{2}))|看[了到过]|用[了过]|写[了过]|做[了完过]|去[了过]|吃[了完]|喝[了完]|买了(?!房|车|一?[套辆]))/u;

/** Reads any lasting statement of a segment about the speaker or a relative, and nothing temporary. */
export function generalChinese(text: string): readonly Statement[] {
  if (MOMENT.test(text) || text.length > 32) return [];
  const person = new RegExp(
    `^我们?(?:家|的)?(${KIN})(?!们)(?:小\\p{Script=Han}|阿\\p{Script=Han}|[A-Z][a-z]+)?(.{2,24})$`,
    "u",
  ).exec(text);
  if (person) return ofPerson(person[1] ?? "", person[2] ?? "");
  const self = /^(?:我们家|我家|我们|咱们|我)(.{2,26})$/u.exec(text);
  if (!self || /^(?:的|们)/u.test(self[1] ?? "")) return [];
  const rest = self[1] ?? "";
  const isHome = /^我们?家/u.test(text);
  if (!PREDICATE.test(rest) || FLEETING.test(rest)) return [];
  if (/[了过]$/u.test(rest) && !EVENT.test(rest)) return [];
  if (
    /了[^，]/u.test(rest) &&
    !EVENT.test(rest) &&
    !/^(?:去年|前年|以前|之前|上个?月|养|开|报|订|收)/u.test(rest)
  )
    return [];
  const about = `${isHome ? "家" : ""}${rest.replace(/我们|咱们|我/gu, "自己")}`;
  return [profile("zh", about, slotOf(rest))];
}

function ofPerson(kin: string, raw: string): readonly Statement[] {
  const about = raw.replace(/^(?:也|都|现在|今年|已经|倒|反而)+/u, "").replace(/我们|我/gu, "自己");
  if (!PREDICATE.test(about) || FLEETING.test(about)) return [];
  if (/[了过]$/u.test(about) && !EVENT.test(about)) return [];
  const named = /^叫([\p{Script=Han}]{2,4}|[A-Z]\w+)$/u.exec(about)?.[1];
  return named === undefined
    ? [entity("zh", `{whose}的${kin}`, `{Whose}的${kin}`, about, about.slice(0, 2))]
    : [entity("zh", named, named, `是{whose}的${kin}`, "relation")];
}

/** The slot of a predicate: the verb and the beginning of its object, without times. */
const slotOf = (rest: string): string => {
  if (/^住/u.test(rest)) return "home";
  return rest
    .replace(
      /^(?:从小|一直|平时|一般|通常|经常|总是|每[天周月年晚]|从来|都|也|只|最|特别|很|比较|现在|目前)+/u,
      "",
    )
    .slice(0, 5);
};
