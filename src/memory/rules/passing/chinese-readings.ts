import type { FactKind } from "../../facts/fact-kind.ts";
import { productKind } from "../../facts/product-names.ts";
import { entity, profile, wish } from "../predicates.ts";
import { CHINESE_FRAGMENTS } from "./chinese-fragments.ts";
import { kindOfRole, type Reading, readingsOf } from "./table.ts";

/** A part of a Chinese segment; undefined if it refers to another sentence. */
const complementOf = (raw: string): string | undefined => {
  const text = raw.trim().replace(/(?<!为|好)了$/u, "");
  return text === "" || text.length > 30 || /[他她它你您这那谁?？]|什么|怎么/u.test(text)
    ? undefined
    : text.replace(/我们|咱们|我/gu, "自己");
};
const { fact, taste, form } = readingsOf("zh", complementOf);

const I = "(?:我|我们|咱们)";
const NOW = "(?:已经|现在|刚|最近|目前|终于|后来|上个?[月周]|去年|今年|前不久|从\\S{1,6}(?:起|开始))*";
const DATE =
  "(?:(?:[\\d一二三四五六七八九十]{1,3}月(?:份)?(?:[\\d一二三四五六七八九十]{1,3}[号日]|底|初|中旬|上旬|下旬)?)|下个?[周月](?:[一二三四五六日天底初])?|(?:周|星期|礼拜)[一二三四五六日天]|[\\d一二三四五六七八九十]{1,3}[号日]|年底|月底)";
const SURNAME =
  "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤温康施文牛樊葛邢安齐";
const NAME = `([小老阿]\\p{Script=Han}|[${SURNAME}](?:\\p{Script=Han}{0,2}?)(?:姐|哥|总|工|老师|教授|医生|经理)|[${SURNAME}]\\p{Script=Han}{1,2}?|[A-Z][a-z]+)`;

const change = (source: string, about: string, slot: string, replaces: FactKind): Reading =>
  fact(source, about, { slot, replaces });

const product = (source: string): Reading => ({
  form: form(source),
  make: ([, what = "", name = ""]) => {
    const kind = productKind(name);
    if (kind === undefined) return undefined;
    const subject = /^(?:前端|后端|数据库|服务器|项目|部署|网站)$/u.test(what) ? what : "";
    const verb = /phone|car|computer/.test(kind) ? "有" : "用";
    return { ...profile("zh", `${subject}${verb}${name}`, kind), replaces: kind };
  },
});
const PRODUCT =
  "([\\p{Script=Han}]{0,4}[A-Za-z][\\w .+#-]{1,24}?|小米\\S{0,8}|华为\\S{0,10}|苹果\\S{0,6}|比亚迪\\S{0,5}|特斯拉\\S{0,8}|阿里云|腾讯云|华为云|钉钉|飞书|企业微信|语雀|印象笔记)";
const THINGS =
  "(?:我们|我|咱们)?(?:的|把)?(?:全?公司|团队|全组)?(前端|后端|数据库|服务器|项目|部署|网站|代码|笔记|手机|车|电脑|重构的时候|重构时)?";

/** Replacements, said with a word of change, of what is known by its kind. */
const CHANGES: readonly Reading[] = [
  change(
    `${I}?(?:家)?${NOW}(?:搬到|搬去|搬回|搬来|搬进|定居在?|落户|现居)了?([^，]{2,10}?)(?:跟[^，]{1,6}一起住|和[^，]{1,6}一起住|住|生活|定居)?了?`,
    "住在$1",
    "home",
    "home",
  ),
  change(
    `${I}${NOW}(?:入职|跳槽到|跳槽去|加入|转到|去)了?([^，]{2,10}?)(?:工作|上班|任职|做[^，]{2,6})了?`,
    "在$1工作",
    "employer",
    "work",
  ),
  change(`${I}?${NOW}(?:入职|跳槽到|跳槽去|加入了|签了)了?([^，]{2,10}?)了?`, "入职$1", "employer", "work"),
  change(`(?:我们|我和[^，]{1,6})(?:已经|早就)?(?:结束|分开|掰|断)了`, "已分手", "partner", "partner"),
  change(`${I}?(?:新地方|新家|新房子|新租的房子)(?:在|是)([^，]{2,10})`, "住在$1", "home", "home"),
  change(`${I}(?:从)?[^，]{0,8}(?:我们)?从[^，]{2,8}搬到了?([^，]{2,8})`, "住在$1", "home", "home"),
  change(`${I}?(?:现在|目前)+是([^，]{2,8}(?:员|师|生|工|手|士|司机|老师|经理))`, "是$1", "job", "work"),
  change(
    `${I}?(?:现在)(?:看的是|看的医生是|换成了?)([^，]{1,3}(?:医生|医师|大夫))`,
    "的医生是$1",
    "医生",
    "doctor",
  ),
  change(`${I}?(?:现在|改)+(?:在)?学([^，]{2,6})了?`, "在学$1", "学", "hobby"),
  change(`${I}?(?:从此|现在|以后)(?:就)?只(点|喝|吃)([^，]{2,8})`, "只$1$2", "喝", "drink"),
  change(`${I}?${NOW}(?:跟|和)?[^，]{0,6}(?:分手|离婚)了`, "已分手", "partner", "partner"),
  change(`${I}(?:现在|又|恢复|目前)+(?:是)?单身了?`, "单身", "marriage", "partner"),
  change(
    `${I}${NOW}(?:跟|和)(\\p{Script=Han}{2,3}|[A-Z]\\w+)(?:在一起|谈恋爱|结婚|订婚)了`,
    "和$1在一起",
    "partner",
    "partner",
  ),
  change(`${I}?${NOW}(?:又|重新|恢复|开始)+吃肉了`, "又开始吃肉", "diet", "diet"),
  change(`${I}?${NOW}(?:改)?(吃素|吃纯素|吃全素)了`, "$1", "diet", "diet"),
  {
    form: form(
      `(?:论文|项目|作业|报告|第一版|初稿|稿子|方案)?(?:的)?(?:截止日期|截止时间|交付日期|上线时间|deadline)?(?:延期|推迟|提前|改|延|顺延|挪)(?:到|成|至)了?(${DATE})(?:交|提交|截止|上线|交付)?了?`,
    ),
    make: ([, day = ""]) => ({
      ...profile("zh", `是${day}`, "截止日期"),
      subject: "{Whose}的截止日期",
      replaces: "deadline",
    }),
  },
  {
    form: form(
      "(?:我|我们)?(?:现在|早上|早|晚|每天|平时)*(?:锻炼|运动|跑步|健身)?(?:改成|改为|换成|改)(?:了|去)?(骑自行车|骑车|游泳|跑步|瑜伽|做瑜伽|快走|散步|健身|爬山|打太极|跳绳|打球|打羽毛球|举铁)了?",
    ),
    make: ([, what = ""]) => ({ ...profile("zh", `现在锻炼是${what}`, "锻炼"), replaces: "exercise" }),
  },
  {
    form: form("(?:我|我们)?(?:现在|早上|平时)*(只|改|改成|换成)喝(?!的)([^，]{1,8}?)了?"),
    make: ([, how = "", what = ""]) => ({
      ...profile("zh", `${how === "只" ? "只" : ""}喝${what}`, "喝"),
      replaces: "drink",
    }),
  },
  change("(?:我|我们)?(?:现在)?改(?:学|练|弹)([^，]{2,6})了?", "改学$1", "学", "hobby"),
  {
    form: form(
      "(?:我|我们)?(?:的)?(医生|家庭医生|牙医|房东)(?:现在)?(?:换成|换|改成|是)了?(\\p{Script=Han}{2,4}(?:医生|大夫|先生|女士)?)了?",
    ),
    make: ([said = "", role = "", name = ""]) => {
      const kind = /换|改|现在/u.test(said) ? kindOfRole(role) : undefined;
      return {
        ...profile("zh", `是${name}`, role),
        subject: `{Whose}的${role}`,
        ...(kind !== undefined && { replaces: kind }),
      };
    },
  },
  {
    form: form(
      "(?:我|我们|我儿子|我女儿|我家孩子)?(?:的)?([^，]{1,6}课|训练|例会|[^，]{1,4}班)(?:改|调|挪|换)(?:到|成)了?([^，]{2,10}?)了?",
    ),
    make: ([, what = "", day = ""]) => ({
      ...profile("zh", `在${day}`, what),
      subject: `{Whose}的${what}`,
      replaces: "lesson",
    }),
  },
  product(
    `${THINGS}(?:已经|现在|全部|都|全|统一|整个|最近)*(?:换成|改成|改用|换用|改(?=[A-Za-z飞钉企腾阿华语])|迁移到|迁到|切到|切换到|转到|换到|换了|改成用|改为)了?(?:一?[台部辆个款])?(?:新的?)?${PRODUCT}了?`,
  ),
  product(`${I}?()(?:刚|最近|终于|又|新)*买了(?:一?[台部辆])?(?:新的?)?${PRODUCT}`),
  product(`${I}()(?:现在)(?:用的是|用|开的是|开)${PRODUCT}了?`),
];

const KIN =
  "(?:老婆|太太|老公|先生|妻子|丈夫|媳妇|女儿|儿子|孩子|房东|导师|爸爸?|妈妈?|父亲|母亲|男朋友|女朋友|男友|女友|哥哥?|弟弟?|姐姐?|妹妹?|爷爷|奶奶|外公|外婆|姥姥|姥爷|表[哥弟姐妹]|堂[哥弟姐妹]|舅舅|叔叔|姑姑|阿姨|岳父|岳母|公公|婆婆|侄[子女]|外甥女?)";
const FRIEND = "(?:同学|朋友|同事|闺蜜|室友|邻居|哥们|发小|师兄|师姐|学弟|学妹|客户|领导|经理|老板)";

/** The speaker: body, tastes, work, days. */
const SELF: readonly Reading[] = [
  fact(`${I}是(阿\\p{Script=Han})`, "名叫$1", { slot: "name" }),
  fact(`${I}(除了[^，]{2,8}还?会(?:讲|说)?[^，]{2,12})`, "$1"),
  fact(`${I}(?:现在)?(?:还)?会(讲|说)([^，]{2,12}(?:话|语|文))`, "会$1$2", { slot: "会$2" }),
  fact(
    `我们?的?(小程序|项目|系统|平台|软件|网站|应用)(?:统一|都|现在)*(?:用|用的是|改用|采用)([A-Za-z][\\w .+#/-]{1,24})`,
    "用$2",
    { slot: "$1", subject: "{Whose}的$1" },
  ),
  fact(
    `${I}(?:现在)?(?:脸|皮肤|肠胃|嗓子|心脏|腰|膝盖|眼睛)(?:一直|从小|比较|很)?(敏感|不好|过敏|有旧伤|近视[^，]{0,6})`,
    "$1",
  ),
  fact(`${I}(?:从小|一直)?(对[^，]{1,10}过敏)`, "$1", { slot: "$1" }),
  taste(`${I}(?:从来?|一直|都|真的)*(不(?:吃|喝|爱吃|喜欢吃|能吃|碰))([^，了]{1,8})`, "$1$2", "$2", "no"),
  taste(
    `${I}(?:从\\S{1,8}(?:开始|起))(?:我)?就?(?:不吃|不喝|戒了?)([^，了]{1,6})了?`,
    "不再吃$1",
    "$1",
    "no",
  ),
  fact(
    `${I}(?:有|得了|患有|查出来?|被诊断出?(?:有)?)([^，]{0,6}(?:病|症|炎|过敏|高血压|哮喘|糖尿病|鼻炎|结节|抑郁|痛风|脂肪肝|损伤))`,
    "有$1",
    { slot: "有$1" },
  ),
  fact(`${I}((?:血脂|血压|血糖|尿酸|胆固醇)(?:偏|很|有点)?[高低])`, "$1", { slot: "$1" }),
  fact(`${I}(?:一直)?(?:在)?(?:吃|服用)([^，]{2,8}(?:药|片|胶囊|素|汀|平|林|唑))`, "服用$1", {
    slot: "服用$1",
  }),
  fact(`${I}(?:自己|和[^，]{2,6})?开了一?家([^，]{2,10})`, "开了一家$1", { slot: "开店" }),
  fact(`${I}(?:是)([^，]{2,10}(?:部|组|系|专业|公司|单位|团队|科室|学院))的`, "是$1的", { slot: "部门" }),
  fact(`${I}(?:和|跟)我?(?:的)?${KIN}(?:都|全)?是([^，]{2,4}人)`, "是$1", { slot: "origin" }),
  fact(`${I}是([^，]{2,6}人)`, "是$1", { slot: "origin" }),
  fact(`(?:我)?(${DATE})(?:是|就是)我?的?生日`, "生日是$1", { slot: "birthday" }),
  fact(`我(?:的)?生日(?:是|在)?(?:农历|阴历)?(${DATE})`, "生日是$1", { slot: "birthday" }),
  fact(`${I}(每[天周月年晚][^，]{2,14})`, "$1", { slot: "每$1" }),
  fact(
    `${I}((?:每?(?:周|星期|礼拜)[一二三四五六日天末])(?:和周[一二三四五六日天])*(?:早上|上午|中午|下午|晚上)?(?:都|要|会|得|固定|一般|去|在)+[^，]{2,12})`,
    "$1",
  ),
  fact(`${I}(?:现在)?((?:跟|和)[^，]{1,6}(?:合租|同住|一起住)[^，]{0,8})`, "$1", {
    slot: "household",
  }),
  fact(`${I}(?:业余|平时|闲下来|周末)(?:时间)?(?:就|都|会|很)?(喜欢|爱|爱好)([^，]{2,10})`, "业余$1$2", {
    slot: "业余$2",
  }),
  fact(`我(?:的)?(电脑|手机|相机|车|平板|耳机|显示器|键盘)(?:是|用的是|开的是)([^，的]{2,14})`, "是$2", {
    slot: "$1",
    subject: "{Whose}的$1",
  }),
  fact(`${I}(?:电脑上|手机上)?(装的是|用的是|开的是|骑的是|住的是)([^，]{2,14})`, "$1$2", { slot: "$1" }),
  fact(`${I}一个人(带娃|带孩子|住|生活)`, "一个人$1", { slot: "household" }),
  fact(`${I}(?:以前|之前|曾)((?:是|在|做|天天|每天|经常)[^，]{2,14})`, "以前$1", { slot: "以前$1" }),
  fact(
    `${I}${NOW}(离开老家[^，]{0,6}|从[^，]{2,8}辞职|辞职|退休|毕业|怀孕|结婚|离婚|生了[^，]{1,6})了?`,
    "$1了",
  ),
  fact(`${I}(?:不会|没学过)(开车|游泳|做饭|骑车|英语|骑自行车)`, "不会$1", { slot: "会$1" }),
  fact(`${I}(?:打算|准备|计划)(?:在)?((?:明年|下个?月|今年|${DATE}|年底|春节|暑假)[^，]{2,14})`, "打算$1"),
  fact(`${I}住在?([^，]{2,10}(?:小区|路|镇|村|区|市|县|街|湾|城)?)`, "住在$1", { slot: "home" }),
];

const ABOUT =
  "((?:今年|现在|已经)?(?:在[^，]{1,10}(?:上班|工作|读书|上学|读研|当[^，]{1,6}|做[^，]{1,6}|教书|跑船|打工)|是[^，]{1,8}(?:师|员|生|医生|护士|医|警|家|手|司机|老师|教授|做[^，]{2,6}的)|上[^，]{0,4}(?:年级|幼儿园|大学|高中|初中|小学)(?:[^，]{1,3}年级)?|读[^，]{1,6}|有(?:糖尿病|高血压|哮喘|心脏病|老年痴呆|抑郁症|[^，]{1,4}[病症炎])|对[^，]{1,8}过敏|[\\d一二三四五六七八九十]{1,3}岁|常年在[^，]{1,10}|做[^，]{2,6}的|学[^，]{2,6}|喜欢[^，]{2,8}|不吃[^，]{1,6}|吃不了[^，]{1,4}|爱[^，]{2,8}|退休了?|怀孕了?))";

/** Relatives, friends and colleagues. */
const OTHERS: readonly Reading[] = [
  {
    form: form(`我(?:的|家)?(${KIN})(?:叫\\S{1,4})?${ABOUT}`),
    make: ([, kin = "", raw = ""]) => other(kin, raw),
  },
  {
    form: form(`(?:我)?孩子[他她]?(爸|妈)${ABOUT}`),
    make: ([, kin = "", raw = ""]) => other(`孩子的${kin}${kin}`, raw),
  },
  {
    form: form(`我(?:的)?(${FRIEND})([小老阿]\\p{Script=Han}|\\p{Script=Han}{2,3}?|[A-Z][a-z]+)${ABOUT}`),
    make: ([, kin = "", name = "", raw = ""]) => {
      const about = complementOf(raw);
      return about === undefined || /[在是有对的]/u.test(name)
        ? undefined
        : [
            entity("zh", name, name, `是{whose}的${kin}`, "relation"),
            entity("zh", name, name, about, about.slice(0, 2)),
          ];
    },
  },
  {
    form: form(`(?:我)?(?:们的?)?(领导|老板|经理|导师|房东|老师|教练)(?:是)?姓(\\p{Script=Han})`),
    make: ([, role = "", name = ""]) => ({
      ...profile("zh", `姓${name}`, role),
      subject: `{Whose}的${role}`,
    }),
  },
  {
    form: form(
      `我们都?叫[他她]?([\\p{Script=Han}]总|[\\p{Script=Han}]工|[\\p{Script=Han}]姐|[\\p{Script=Han}]哥)`,
    ),
    make: ([, name = ""]) => entity("zh", name, name, "是{whose}工作中的人", "relation"),
  },
];

const other = (kin: string, raw: string) => {
  const about = complementOf(raw);
  return about === undefined
    ? undefined
    : entity(
        "zh",
        `{whose}的${kin}`,
        `{Whose}的${kin}`,
        about.replace(/^(?:今年|现在|已经)/u, ""),
        about.slice(0, 2),
      );
};

/** Teams and projects. */
const WORK: readonly Reading[] = [
  {
    form: form(
      "(?:我|我们)?(?:的)?(指导老师|导师|班主任|主治医[生师]|辅导员|项目经理|组长|客户经理)(?:现在)?是([\\p{Script=Han}]{1,4}(?:教授|老师|医[生师]|经理|总)?)",
    ),
    make: ([, role = "", name = ""]) => ({
      ...profile("zh", `是${name}`, role),
      subject: `{Whose}的${role}`,
    }),
  },
  fact(
    `(?:我们|我)?(?:统一|现在|决定|最后|都)*用([A-Za-z][\\w.+#-]{1,20})[，,]?(?:而)?(?:不用|没用|不是|而不是)([A-Za-z][\\w.+#-]{1,20})`,
    "用$1，不用$2",
    { slot: "用$2" },
  ),
  fact(`${I}(?:统一|全部|都|现在)用([A-Za-z][\\w .+#-]{1,20})`, "用$1", { slot: "用$1" }),
  {
    form: form(
      "(?:我们|我|咱们)?(?:这个)?(?:项目|团队|公司)?(?:的)?(后端|前端|数据库|缓存|部署|测试|服务器|接口|文档|版本管理|项目管理|沟通)(?:都|现在|统一|目前|主要)*(?:用的是|选的是|选了|用了|是用|用|是|放在|跑在|改成用|改用)([A-Za-z][\\w .+#/-]{0,24}?|阿里云|腾讯云|华为云|飞书|钉钉|企业微信|语雀)(?:写的?|开发的?|做的?|上)?了?",
    ),
    make: ([, what = "", name = ""]) => profile("zh", `${what}用${name}`, what),
  },
  {
    form: form(`(?:我们|我)?(?:的|团队|组)?(?:里)?${NAME}(?:来)?(负责|主管|管)([^，]{2,8})`),
    make: ([, name = "", verb = "", what = ""]) =>
      /^(?:我|我们|老婆|现在|平时|主要|自己)/u.test(name) || /项目$/u.test(name)
        ? undefined
        : entity("zh", name, name, `${verb}${what}`, verb),
  },
  fact(
    `(?:我们|我)?(?:团队|项目|公司)?(?:打算|计划|要|准备)?(${DATE})(?:之?前)?(?:要|得|必须|就要|准备|打算)?(交付|上线|发布|交稿|提交|交|口试|面试|手术|婚礼|体检|复查|比赛|演出|毕业|开学|签约|到期|答辩|开业|截止|搬家|结婚|考试)([^，]{0,8})`,
    "$1要$2$3",
    { slot: "$2" },
  ),
  fact(`(?:我们)?(?:团队|组)(?:一共|总共|有)?([\\d一二两三四五六七八九十]+)个?人`, "有$1个人", {
    slot: "团队人数",
    subject: "{Whose}的团队",
  }),
];

const WISHES: readonly Reading[] = [
  {
    form: form(
      "(?:请|麻烦|以后|回答|希望你?)+(?:请|都|尽量|能)*(用[^，]{1,8}(?:回答|回复|说|解释)|(?:简短|简洁|详细|直接|口语)[^，]{0,6}|别用[^，]{2,8}|不要用?[^，]{2,8}(?:表情|术语|英文|列表))",
    ),
    make: ([, what = ""]) => wish("zh", what.slice(0, 8), `希望：${what}`),
  },
];

export const CHINESE_READINGS: readonly Reading[] = [
  ...CHANGES,
  ...SELF,
  ...OTHERS,
  ...WORK,
  ...WISHES,
  ...CHINESE_FRAGMENTS,
];
