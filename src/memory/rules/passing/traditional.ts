/** Traditional characters of everyday words, each followed by its simplified form. */
const PAIRS =
  "對对過过敏敏蝦虾們们個个車车賣卖換换豐丰業业離离職职電电腦脑話话說说這这裡里裏里嗎吗麼么還还開开關关學学國国會会來来時时間间點点歲岁媽妈爺爷奶奶孫孙兒儿單单雙双親亲戶户門门請请問问題题醫医師师護护員员買买貓猫狗狗鳥鸟魚鱼馬马養养喫吃飯饭麵面雞鸡鴨鸭豬猪藥药膚肤臉脸頭头髮发發发氣气壓压糖糖鹽盐體体重重經经濟济紀纪級级約约線线網网絡络節节緊紧練练習习書书寫写讀读語语詞词譯译課课講讲認认識识讓让評评證证試试詩诗該该詳详誰谁調调談谈謝谢護护變变質质費费資资賺赚貨货貴贵賽赛購购軟软轉转輪轮輕轻較较農农進进運运達达遠远適适選选遷迁邊边鄰邻鄉乡醬酱釋释鐘钟鐵铁銀银錢钱錄录鋼钢鍵键鎮镇長长閒闲陽阳陰阴陳陈險险隊队階阶際际隨随難难雲云靈灵靜静頁页順顺須须預预領领顏颜願愿類类風风飛飞飲饮館馆駕驾騎骑驗验驚惊髒脏鬆松鬥斗麗丽齊齐齡龄龍龙專专東东兩两嚴严並并亂乱爭争亞亚產产從从倉仓儀仪價价眾众優优傳传傷伤僅仅億亿兇凶黨党內内冊册凍冻淨净減减劃划劇剧創创務务動动勞劳勢势區区協协卻却厭厌參参號号嘆叹員员圍围園园圓圆圖图團团塊块場场壞坏壯壮壽寿夠够夢梦夾夹奪夺奮奋婦妇媽妈學学寧宁實实寶宝將将尋寻導导層层屬属歲岁島岛幣币師师帶带幫帮幹干幾几庫库廁厕廚厨廠厂廣广廳厅張张彈弹強强彎弯後后復复徵征應应態态慣惯憂忧懷怀懶懒戀恋戲戏戶户掛挂採采換换損损據据擇择擔担擠挤擬拟擴扩攝摄敵敌數数斷断於于昇升晝昼暫暂曬晒曆历會会條条樓楼樂乐樣样樹树機机檢检歡欢歐欧歷历殺杀氣气決决沒没況况淺浅測测湯汤溫温滿满漢汉滅灭滾滚灣湾災灾為为無无煩烦熱热營营爐炉爾尔犧牺狀状獎奖獨独獲获現现環环產产畢毕畫画異异當当療疗癢痒癮瘾發发皂皂盤盘監监眼眼睏困確确碼码礎础禮礼禪禅種种稱称穩稳積积窮穷筆笔範范築筑簡简簽签糧粮紅红純纯紙纸級级細细終终組组結结給给統统絕绝經经綠绿維维緣缘編编緩缓縣县總总績绩織织繳缴繼继續续罵骂罷罢義义聖圣聞闻聯联聰聪聲声聽听腎肾腳脚膠胶臟脏臨临與与興兴舊旧艱艰藝艺蘇苏蘭兰處处虛虚蟲虫術术衛卫補补裝装複复襯衬見见規规視视覺觉覽览觀观觸触計计訂订記记訪访設设許许診诊";

const SIMPLIFIED: ReadonlyMap<string, string> = new Map(
  Array.from({ length: PAIRS.length / 2 }, (_, at): [string, string] => [
    PAIRS[2 * at] ?? "",
    PAIRS[2 * at + 1] ?? "",
  ]).filter(([from, to]) => from !== to),
);

export interface Simplified {
  readonly text: string;
  /** Converts a statement back to the characters of the message. */
  readonly restore: (statement: string) => string;
}

/** Converts a Chinese text to simplified characters; each character remains one character. */
export function simplified(text: string): Simplified {
  const original = new Map<string, string>();
  let plain = "";
  for (const character of text) {
    const simple = SIMPLIFIED.get(character);
    plain += simple ?? character;
    if (simple !== undefined && simple !== "户") original.set(simple, character);
  }
  if (original.size === 0) return { text, restore: (statement) => statement };
  return {
    text: plain,
    restore: (statement) => [...statement].map((character) => original.get(character) ?? character).join(""),
  };
}
