const SMALL_TALK =
  /^(?:你好|您好|嗨|谢谢你?|请问|想问一下|想请教一下|对了|顺便(?:说一?下|一提|说一句)?|其实|不过|但是?|所以|而且|还有|另外|因为|因此|然后|那个|哦|嗯|好的|说实话|老实说|坦白说|自我介绍一?下|介绍一下自己|大家好|各位好|(?:早上|上午|中午|下午|晚上)好[呀啊哦]?(?=[，,：:！!。 ]|$)|更正一?下?|纠正一下|说错了|补充一下|好消息|报告一下|话说|反正|毕竟|由于|既然|虽然)[，,：:！!。 ]*/u;

const KIN =
  "(?:姐夫|妹夫|嫂子|丈母娘|老丈人|老伴|孙女|孙子|女婿|儿媳|婆婆|公公|岳父|岳母|爷爷|奶奶|前夫|前妻|表[哥弟姐妹]|堂[哥弟姐妹]|侄[子女]|领导|老板|老婆|太太|老公|先生|妻子|丈夫|媳妇|女儿|儿子|孩子|娃|房东|导师|同事|同学|室友|邻居|爸妈|父母|爸爸|妈妈|男朋友|女朋友|男友|女友|对象|哥哥|弟弟|姐姐|妹妹|爷爷|奶奶|外公|外婆|姥姥|姥爷|闺蜜|经理|主管|家教|教练)";
/** Subjects that belong to the speaker: "我", "我们", "我家", the speaker's relatives, things of a project. */
const OWN_SUBJECT = new RegExp(
  `^(?:我们团队|我们公司|我们组|我们家|我们|咱们|我家|我(?:的)?${KIN}|我(?!的))`,
  "u",
);
const OTHER_SUBJECT = /^(?:他们?|她们?|它们?|这|那|人家|大家|有人|别人|对方|谁)/u;
/** Predicates whose omitted subject is the speaker. */
const SELF_PREDICATE =
  /^(?:对[^，]{1,10}过敏|从来?不|不(?:吃|喝|会|能吃|抽|爱|喜欢)|从小|以前|之前|现在|目前|去年|前年|今年|上个?[月周]|下个?[月周]|刚|最近|最?喜欢|最爱|讨厌|平时|每[天周月年晚]|周[一二三四五六日末]|早上|晚上|住在?|在[^，]{1,12}(?:工作|上班|做|当|教|读|上学|开|卖|住|租)|养了|统一|全部用|业余|从事|有[一两二三四五]|已经|还在|正在备|打算|准备|跟[^，]{1,8}(?:分手|离婚|合租|结婚)|和[^，]{1,8}(?:分手|离婚|合租|结婚)|离开|辞职|入职|跳槽|搬[到去回来]|换了|换成|改成|改用|改喝|改吃|买了|装的是|用的是|开的是|戒|收了|收藏|单身|离异|已婚|未婚|膝盖|除了|会讲|会说|转行|从此|高中|初中|大学|小时候|曾|出生|老家|乳糖|麸质|吃素|受不了|吃不[惯了]|爱[听看吃喝玩唱打]|坐轮椅|姓|管|常驻|外派|[\d一二三四五六七八九十]{1,3}(?:岁|了$)|退休|做[^，]{2,8}(?:设计|行业|生意|工作|的$)|种|名字叫|一直没|种菜|叫[^，]{1,3}$|戒|断|体重|停)/u;

/**
 * Splits a sentence at commas. A segment without a subject gets the subject of the previous one, if known.
 */
export function chineseParts(given: string): string[] {
  const sentence = given
    .replace(/^本人/u, "我")
    .replace(/(?<=^|[，,])俺们?/gu, "我")
    .replace(/我俩/gu, "我们")
    .replace(/这个月/gu, "本月")
    .replace(/(?<=^|[，,])(?:我们)?(?:全家|一家人?)(?=都|已经|搬|迁|移|住)/gu, "我们")
    .replace(/(?<=^|[，,])如今/gu, "现在")
    .replace(/(?<=^|[，,])家有/gu, "我家有")
    .replace(/(?<=^|[，,])(?:我家)?孩子们/gu, "我孩子")
    .replace(/(?:我们)?这个(?=仓库|代码库|团队|公司)/gu, "我们的")
    .replace(/(?<=^|[，,])((?:从)?[^，,我]{1,6}(?:开始|起|以后|之后))(我们?)(?=在|不|就|改|每|只)/gu, "$2$1")
    .replace(/(?<=^|[，,。])家里(?=有|养)/gu, "我家")
    .replace(
      /(?<=^|[，,])(每个?(?:周|星期|礼拜)[一二三四五六日天末]?(?:早上|上午|中午|下午|晚上)?|每天(?:早上|晚上)?|周[一二三四五六日末](?:早上|晚上)?)(我们?)/gu,
      "$2$1",
    )
    .replace(/我们这个(?=小程序|项目|系统|平台|软件|网站|应用)/gu, "我们的");
  let subject: string | undefined = "我";
  const kin = [...new Set(sentence.match(new RegExp(KIN, "gu")) ?? [])];
  const relative = kin.length === 1 ? `我${kin[0]}` : undefined;
  return sentence.split(/[，,；;！!：:]|\s—+\s|——/u).map((raw) => {
    const part = withoutSmallTalk(raw.trim());
    // "所以平时…": the omitted subject of a consequence is the speaker
    if (/^(?:所以|因此)/u.test(raw.trim())) subject = "我";
    if (/^就是(?!我)/u.test(part)) return "";
    const own = OWN_SUBJECT.exec(part)?.[0];
    if (own !== undefined) {
      subject = own;
      return part;
    }
    const person = personIn(part, relative);
    if (person !== undefined) {
      subject = person.subject;
      return person.text;
    }
    if (OTHER_SUBJECT.test(part)) {
      subject = undefined;
      return "";
    }
    const told = /^(?:医生|大夫)说(我.{2,16})$/u.exec(part)?.[1];
    if (told !== undefined) return told;
    if (subject === undefined) return "";
    // after a statement about a relative, a segment without a subject is about the relative or is dropped
    if (!/^(?:我|我们|咱们|我家|我们[家组]|我们(?:团队|公司))$/u.test(subject))
      return SELF_PREDICATE.test(part) || /^(?:[改换]|名字叫|转|调|还每天)/u.test(part)
        ? `${subject}${part}`
        : "";
    return SELF_PREDICATE.test(part) && !/(?:狗|猫)$/u.test(subject) ? `${subject}${part}` : part;
  });
}

interface PersonPart {
  readonly subject: string;
  readonly text: string;
}

const BEARS_KIN = new RegExp(`^${KIN}(?!说)`, "u");
const IS_KIN = new RegExp(`^(?:是|就是|这是)我的?(${KIN})$`, "u");

/** Finds the relative that a segment introduces or is about: "是我岳父", "儿子…", or "他…" for the only one. */
function personIn(part: string, relative: string | undefined): PersonPart | undefined {
  const introduced = IS_KIN.exec(part)?.[1];
  if (introduced !== undefined) return { subject: `我${introduced}`, text: "" };
  if (relative !== undefined && /^[他她](?=[^们])/u.test(part))
    return { subject: relative, text: `${relative}${part.slice(1)}` };
  const kin = BEARS_KIN.exec(part)?.[0];
  return kin === undefined ? undefined : { subject: `我${kin}`, text: `我${part}` };
}

function withoutSmallTalk(text: string): string {
  let plain = text;
  for (let cut = plain.replace(SMALL_TALK, ""); cut !== plain; cut = plain.replace(SMALL_TALK, ""))
    plain = cut;
  return plain;
}

/** Segments that state nothing: questions, requests, hearsay, wishes, this moment. */
const NO_STATEMENT =
  /[?？“”"「」]|[吗么呢]$|^(?:请|帮|麻烦|能不能|可不可以|怎么|如何|为什么|什么|哪|谁|推荐|写|翻译|解释|告诉|给我|你|您|听说|据说|好像|可能|也许|或许|希望|想|要是|如果)|今天|昨天|明天|刚才|今晚|今早|现在好|听说|据说|可能|也许|好像|应该|希望|我们?想|差一?点|险些|考虑|没有?搬|想搬|打算搬|要是|如果|怎么|什么|哪[个里些]|多少|能不能|有没有|是不是|要不要|好不好|感觉|觉得|[他她它](?!爸|妈)|这|那/u;

/** Completes a segment to a full statement; undefined if it states nothing. */
export function chineseStatement(part: string): string | undefined {
  const text = part
    .replace(/[。！!.~～]+$/u, "")
    .replace(/(?:啦|啊|呀|哦|哈|呢|嘛|吧)+$/u, "")
    .trim();
  return text.length < 3 || text.length > 40 || NO_STATEMENT.test(text) ? undefined : text;
}

/**
 * The part of a segment that becomes part of a fact; undefined if it is empty, too long or refers to another
 * sentence.
 */
export const complementOf = (raw: string): string | undefined => {
  const text = raw.trim().replace(/(?<!为|好)了$/u, "");
  return text === "" || text.length > 30 || /[他她它你您这那谁?？]|什么|怎么/u.test(text)
    ? undefined
    : text.replace(/我们|咱们|我/gu, "自己");
};
