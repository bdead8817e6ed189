import { entity, profile, wish } from "../../predicates.ts";
import type { Statement } from "../../rule.ts";
import { type Reading, readingsOf } from "../table.ts";
import { complementOf } from "./segments.ts";

const { fact, form } = readingsOf("zh", complementOf);

const I = "(?:我俩|我们|咱们|我)";
const NUMBER = "[\\d一二两三四五六七八九十]{1,3}";
const DATE = `(?:(?:明年|今年|后年|\\d{4}年)?${NUMBER}月(?:份)?(?:${NUMBER}[号日]?|底|初|中旬|上旬|下旬)?(?:之?前)?|(?:每个?|下个?)?(?:周|星期|礼拜)[一二三四五六日天](?:上午|下午|早上|晚上)?)`;
const WHEN = `(?:${NUMBER}年前|\\d{4}年|去年|前年|今年|上个?月|几年前|十几年前|毕业后|婚后|退休后)`;
const KIN =
  "(?:姐夫|妹夫|嫂子|弟媳|丈母娘|老丈人|老伴|孙女|孙子|外孙女?|干妈|干爹|大舅|二舅|小姨|大姨|婶婶|伯父|伯母|女婿|儿媳|老婆|太太|老公|妻子|丈夫|媳妇|女儿|儿子|孩子|房东|爸爸?|妈妈?|父亲|母亲|男朋友|女朋友|男友|女友|对象|哥哥?|弟弟?|姐姐?|妹妹?|爷爷|奶奶|外公|外婆|姥姥|姥爷|表[哥弟姐妹]|堂[哥弟姐妹]|舅舅|叔叔|姑姑|阿姨|岳父|岳母|公公|婆婆|侄[子女]|外甥女?)";
const FRIEND = "(?:同学|朋友|同事|闺蜜|室友|邻居|哥们儿?|发小|师兄|师姐|学弟|学妹|徒弟)";
const PERSON_NAME = "(?:[小老阿大]\\p{Script=Han}|[A-Z][a-z]+)";
const DOES =
  "(?:本月)?(?:在[^，]{1,12}|调[到去]|升(?:入|到)?|搬[到去]|去了?|改[学练打]|开始|现在|退休|辞职|开了|考上了?|转[学到去行]|当上?|做|是|有|上|读|学|练|打|弹|爱|喜欢|不吃|不喝|住|回|满|刚|今年|快|已经|每[天周]|还每天|报了|娶|嫁|怀孕|生了|卖|修|开|教|信|得了|患|毕业)[^，]{0,16}";

const PEOPLE: readonly Reading[] = [
  {
    form: form(`我(?:家)?的?(${KIN})(?:们)?(?!叫|姓)(${PERSON_NAME})?(${DOES})`),
    make: ([, kin = "", name, raw = ""]) => person(kin, name, raw),
  },
  {
    form: form(`我的?(${FRIEND})(${PERSON_NAME})(${DOES})`),
    make: ([, kin = "", name, raw = ""]) => person(kin, name, raw),
  },
  {
    form: form(
      `我(?:家)?的?(猫|狗|鹦鹉|兔子|仓鼠|乌龟|${KIN})(?:的)?名字叫([\\p{Script=Han}]{2,4}|[A-Z]\\w+)`,
    ),
    make: ([, kin = "", name = ""]) => entity("zh", name, name, `是{whose}的${kin}`, "relation"),
  },
  {
    form: form(`我?(?:家)?(大的|小的|老大|老二|老三)叫([\\p{Script=Han}]{2,3}|[A-Z]\\w+)`),
    make: ([, which = "", name = ""]) => profile("zh", `家${which}叫${name}`),
  },
  {
    form: form(
      "我?的?([\\p{Script=Han}]{0,4}(?:医生|老师|教练|领导|房东|导师|经理))姓(\\p{Script=Han})(?:人[^，]{0,4})?",
    ),
    make: ([, role = "", name = ""]) => ({
      ...profile("zh", `姓${name}`, role),
      subject: `{Whose}的${role}`,
    }),
  },
];

const NOT_LASTING =
  /^(?:在(?:看|等|写|吃|睡|哭|闹|催|家)|是不是|有(?:点|事)|去了?(?:医院|超市|厕所)|今天|刚(?:才|刚)|说|做(?:了|完)|打(?:来|电话))|生病|发烧|感冒/u;

function person(kin: string, name: string | undefined, raw: string): readonly Statement[] | undefined {
  const about = complementOf(raw.replace(/^(?:也|都|现在|已经|倒|还)+(?=.{2})/u, ""));
  if (about === undefined || NOT_LASTING.test(about) || raw.includes("我")) return undefined;
  const said = entity("zh", name ?? `{whose}的${kin}`, name ?? `{Whose}的${kin}`, about, about.slice(0, 2));
  return name === undefined ? [said] : [entity("zh", name, name, `是{whose}的${kin}`, "relation"), said];
}

const SELF: readonly Reading[] = [
  fact(`${I}?(${NUMBER})了`, "$1岁", { slot: "age" }),
  fact(`${I}?(出生[在于][^，]{2,8}|在[^，]{2,8}(?:长大|出生))`, "$1"),
  fact(`${I}是([\\p{Script=Han}]{2,6})的`, "是$1的", { slot: "origin" }),
  fact(`${I}(?:的)?坐标(?:是|在)?([\\p{Script=Han}]{2,6})`, "在$1", { slot: "home" }),
  fact(`${I}?(?:的)?老家(?:是|在)([\\p{Script=Han}]{2,8})(?:的)?`, "老家在$1", { slot: "origin" }),
  fact(
    `${I}?(${NUMBER}岁)(?:才|时|那年)?(?:查出来?|确诊|被诊断)(?:有|出|为|了)*([^，]{2,8}(?:症|病|炎|瘤|癌))`,
    "$1查出$2",
    { slot: "有$2" },
  ),
  fact(`${I}?(吃(?:素|斋|纯素)${NUMBER}(?:年|个月)了?)`, "$1", { slot: "diet" }),
  fact(`${I}?(受不了|吃不惯|吃不了|喝不了|闻不了|见不得)([^，了]{2,10})`, "$1$2"),
  fact(`${I}?((?:乳糖|麸质|果糖|酒精)(?:不耐受?|过敏))`, "$1"),
  fact(`${I}(?:惯)用(左手|右手)`, "惯用$1"),
  fact(`${I}((?:一半|半个?)[\\p{Script=Han}]{2,4}(?:一半|半个?)[\\p{Script=Han}]{2,4})`, "$1"),
  fact(`${I}(?:家)?((?:一共|总共|有)?${NUMBER}口人|${NUMBER}个(?:娃|孩子))`, "家有$1", { slot: "household" }),
  fact(
    `${I}(?:身体里|体内|胸口)?(装了|植入了|做过|做了)([^，]{0,4}(?:起搏器|支架|义肢|假牙|移植|搭桥)[^，]{0,4})`,
    "$1$2",
  ),
  fact(`${I}?(腿脚不便|坐轮椅|拄拐|行动不便)`, "$1"),
  fact(`${I}(?:不会)(开车|游泳|骑车)[^，]{0,4}`, "不会$1"),
  fact(`${I}?(?:一直)?没考驾照`, "没考驾照"),
  fact(
    `${I}(${WHEN})?(?:全家|一家人?|举家)?(?:从[^，]{2,6})?(?:移民|搬|迁|回)(?:到|去了?|来了?)了?([^，]{2,8})`,
    "$1搬到$2",
    { slot: "home", replaces: "home" },
  ),
  fact(`(?:我们)?(?:全家|一家人?)(?:都)?(?:搬|迁|移)(?:到|去)了?([^，]{2,8})`, "住在$1", {
    slot: "home",
    replaces: "home",
  }),
  fact(`(?:我们)?(?:一家|全家)(?:人|都)*住在?([^，]{2,8})`, "住在$1", { slot: "home" }),
  fact(
    `([\\p{Script=Han}]{1,5})${I}(只|从不|从来不|不|最|特别|很)(喝|吃|用|穿|看|喜欢|爱)([^，]{0,10})`,
    "$1$2$3$4",
  ),
  fact(
    `${I}(在[\\p{Script=Han}A-Za-z]{2,10}(?:给人|帮人|替人|倒班|值班|轮班|盖房|修[\\p{Script=Han}]|送外卖|送快递|跑外卖|种[\\p{Script=Han}]|摆摊|开出租|开网约车|开公交|租了[^，]{1,6}|当[\\p{Script=Han}]{2,6})[^，]{0,8})`,
    "$1",
    { slot: "job" },
  ),
  fact(
    `${I}(?:和|跟)(?:我)?[\\p{Script=Han}]{1,4}(在[^，]{2,6})?(?:一起)?开了?一?家([^，]{2,10})`,
    "$1开了一家$2",
  ),
  fact(`${I}?(?:自己)?(?:盘|摆|支)了个?([^，]{2,8}(?:摊|店|铺|馆))`, "自己开了$1", {
    slot: "job",
    replaces: "work",
  }),
  fact(`${I}?(常驻|外派到?|驻)([\\p{Script=Han}]{2,6})`, "$1$2"),
  fact(`${I}(?:现在)?(信|姓)([^，了]{1,6})`, "$1$2"),
  fact(`${I}?(曾经?|以前)(是|当过|做过)([^，]{2,12})`, "以前$2$3"),
  fact(
    `${I}?(?:其实)?(?:已经|现在)+(研[一二三]|大[一二三四]|高[一二三]|初[一二三]|博[一二三四])了?`,
    "读$1",
    { slot: "年级", replaces: "study" },
  ),
  fact(`${I}?(爱|喜欢|最爱)(听|看|吃|喝|玩|唱|打|钓|种)([^，]{1,10})`, "$1$2$3"),
  fact(`${I}?(?:现在|目前|如今)?(?:一直)?(在(?:用|学|练)[^，]{2,12})`, "$1"),
];

const OURS: readonly Reading[] = [
  {
    form: form(
      "(?:我们的?|我的)?((?:预发|测试|生产|线上|正式|开发|前端|后端|数据库|服务器|项目|仓库|网站|缓存|日志|备份|文档|大屏|图表|接口|小程序|官网|数据|课题组的?数据|代码|图片|附件)(?:环境|服务|库|机)?)(?:统一|一律|全部|全|都|现在|目前)*(?:跑在|放在|存在|部署在|托管在|用的是|在|放|存|用)([A-Za-z][\\w .+#/-]{0,24}|(?!在)[\\p{Script=Han}]{2,4}云[\\w]{0,6})(?:画|写|做|上|里|缩进|开发|管理|部署)?",
    ),
    make: ([said = "", what = "", name = ""]) => {
      const verb =
        /(?:跑在|放在|部署在|托管在|存在|存|放|在|用的是|用)(?=[A-Za-z]|[\p{Script=Han}]{2,4}云)/u.exec(
          said,
        )?.[0] ?? "用";
      return /报错|出错/u.test(said) ? undefined : profile("zh", `${what}${verb}${name.trim()}`, what);
    },
  },
  fact(`${I}(?:这边)?(?:全|都|统一|一律|全部)+用([A-Za-z][\\w.+#-]{1,20})(?:写|做|开发|部署)?`, "全用$1"),
  fact(`${I}(从不|从来不|绝不|一律不)([^，]{4,16})`, "$1$2"),
  fact(`${I}(每隔?[^，]{1,6}(?:发版|上线|开会|例会|复盘|发布|交稿|结账|聚餐|聚会|碰头))`, "$1"),
  {
    form: form(
      `(?:甲方把?|老板把?|客户把?|我们?的?|把)?([\\p{Script=Han}A-Za-z]{2,8}?)(?:的时间)?(?:定在|定于|安排在|就在|是在|改到|是|在)(${DATE})(?:[^，]{0,6})`,
    ),
    make: ([, what = "", day = ""]) =>
      /^(?:今天|明天|昨天|现在|时间|日期|他|她|它|这|那|我|改|推|延|提前|挪)|生日/u.test(what)
        ? undefined
        : { ...profile("zh", `在${day}`, what), subject: `{Whose}的${what}` },
  },
  {
    form: form(
      `(?:我的?|我们的?)?([\\p{Script=Han}]{2,6}?)(${DATE})(?:之?前)?(?:得|要|必须|就要|就得|开始)?(交|截止|上线|发布|开幕|开业|答辩|交付|考|举行|开始|提交)`,
    ),
    make: ([, what = "", day = "", verb = ""]) =>
      /^(?:今天|明天|现在|打算|准备|计划|我们?|他|她|改|推|延|提前|挪)/u.test(what)
        ? undefined
        : { ...profile("zh", `${day}${verb}`, what), subject: `{Whose}的${what}` },
  },
  {
    form: form(
      `(?:我们的?)?([\\p{Script=Han}]{2,4})(?:由|归)(${PERSON_NAME}|[\\p{Script=Han}]{1,2}[总工姐哥])(写|做|负责|管|画)`,
    ),
    make: ([, what = "", name = "", verb = ""]) =>
      entity("zh", name, name, `${verb === "管" ? "负责" : verb}${what}`, "负责"),
  },
  fact(
    "(?:我的|我)(博士论文|硕士论文|毕业论文|论文|课题|研究方向|毕业设计|小说)(?:写|研究|是关于|关于|讲|题目是|做)的?是?([^，]{2,14})",
    "写$2",
    {
      slot: "$1",
      subject: "{Whose}的$1",
    },
  ),
];

const WISHES: readonly Reading[] = [
  {
    form: form(
      "(?:以后|今后|往后)?(?:回答|回复|给我的?答案|写代码)(?:时|的时候|我)?(?:都|请|一律|尽量)*(用[^，]{2,10}|别用[^，]{2,8}|不要用?[^，]{2,8})",
    ),
    make: ([, what = ""]) => wish("zh", what.slice(0, 8), `希望：${what}`),
  },
  {
    form: form("(?:以后|今后|往后)(?:请|都|一律)+(用[^，]{2,12})"),
    make: ([, what = ""]) => wish("zh", what.slice(0, 8), `希望：${what}`),
  },
];

export const CHINESE_FRAGMENTS: readonly Reading[] = [...PEOPLE, ...SELF, ...OURS, ...WISHES];

/** Roles of the speaker that a message mentions in passing: "作为一名护士，…". */
export function chineseRoles(message: string): readonly Statement[] {
  return [...message.matchAll(/(?:^|[，。！])作为(?:一[名个位])?([\p{Script=Han}]{2,10}?)[，,]/gu)].flatMap(
    ([, role = ""]) =>
      /礼物|例子|回报|补偿|结果|奖励|助手|人工智能|朋友|用户|初学|新手|对比|替代|角色|你|一个?人/u.test(role)
        ? []
        : [profile("zh", `是${role}`)],
  );
}
